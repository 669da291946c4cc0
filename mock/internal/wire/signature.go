package wire

import (
	"crypto/sha512"
	"crypto/subtle"
	"encoding/base64"
	"encoding/binary"
)

// A signature is base64 of a mark, a nonce, and the hash of these and of the thought as it was
// shown. It keeps nobody from forging one; it tells whether a client sent back what it got.
const (
	signatureMark = "\x12\x5b\x0a\x48\x08\x0a\x10\x01"
	signatureSize = len(signatureMark) + 8 + 2*sha512.Size
)

// Signature signs a thought as it is shown: "" for one that is omitted. Different nonces give
// different signatures.
func Signature(thought string, nonce uint64) string {
	raw := make([]byte, 0, signatureSize)
	raw = append(raw, signatureMark...)
	raw = binary.BigEndian.AppendUint64(raw, mix(nonce))
	return base64.StdEncoding.EncodeToString(signed(raw, thought))
}

// Signed reports whether the signature is one that [Signature] gave for this thought.
func Signed(thought, signature string) bool {
	raw, err := base64.StdEncoding.DecodeString(signature)
	const head = len(signatureMark) + 8
	if err != nil || len(raw) != signatureSize || string(raw[:len(signatureMark)]) != signatureMark {
		return false
	}
	want := signed(raw[:head:head], thought)
	return subtle.ConstantTimeCompare(raw, want) == 1
}

// Redacted is the data of a redacted_thinking block.
func Redacted(nonce uint64) string { return Signature("redacted", nonce^kindMessage) }

func signed(head []byte, thought string) []byte {
	one := sha512.Sum512(append(append(make([]byte, 0, len(head)+len(thought)), head...), thought...))
	two := sha512.Sum512(one[:])
	return append(append(head, one[:]...), two[:]...)
}
