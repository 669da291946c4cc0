// Package wire is the Messages API as bytes, and knows nothing of scenarios, clocks or sockets.
//
// One half reads: a Reader turns a request's body into a Request, or into the Error that the API
// would answer, in its words and with its choice among several faults. The other half writes: a
// Message, whole or as the events of a stream, with its tokens, usage and ids. Token counts come
// from one rule, CountTokens, which the two halves share.
//
// What can't be known is ours: the vendor's tokenizer (counts are close, never equal), signatures
// of thinking blocks (made up), and the few sentences that nobody has published; those say so.
// Of an image only the header is decoded; a PDF's pages are counted by their marks, without opening it.
//
//	reader := wire.NewReader() // keep it: it holds the table of rules
//	req, problem := reader.Read(body, wire.ReadOptions{Version: wire.Version2026})
//	if problem != nil {
//		problem.Header(w.Header().Set)
//		w.WriteHeader(problem.Status)
//		_, _ = w.Write(problem.Append(nil, requestID))
//		return
//	}
package wire
