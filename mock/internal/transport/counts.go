package transport

// Counts is what a server holds at the moment, and what it had to leave since its start.
type Counts struct {
	Connections     int    // open, those in a TLS handshake included
	MostConnections int    // 0: any number
	Full            uint64 // how often no place was left, so that further connections had to wait
	Refused         uint64 // HTTP/3 connections that came when no place was left
	Requests        int    // under way
	Streams         int    // of them over HTTP/2 and HTTP/3
	MostStreams     int
	StreamsRefused  uint64 // that came when so many were under way
	StoodStill      uint64 // requests whose bodies stood still for [StillTimeout]
}

// Counts tells what the server holds.
func (s *Server) Counts() Counts {
	return Counts{
		Connections: int(s.door.inside.Load()), MostConnections: cap(s.door.places),
		Full: s.door.full.Load(), Refused: s.door.refused.Load(),
		Requests: s.Working(),
		Streams:  int(s.held.Load()), MostStreams: s.most,
		StreamsRefused: s.streamsRefused.Load(), StoodStill: s.stoodStill.Load(),
	}
}

// hold counts a stream of HTTP/2 or HTTP/3, unless too many are under way.
func (s *Server) hold() bool {
	if int(s.held.Add(1)) <= s.most {
		return true
	}
	s.held.Add(-1)
	s.streamsRefused.Add(1)
	return false
}

// letGo is told when a stream that hold has counted is over.
func (s *Server) letGo() { s.held.Add(-1) }
