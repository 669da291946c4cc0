package wire

import "math/bits"

// The seeds keep the ids that one request gets of several kinds from showing the same characters.
const (
	kindMessage uint64 = 0x6d73675f30310001
	kindRequest uint64 = 0x7265715f30310002
	kindToolUse uint64 = 0x746f6f6c75730003
	kindOrg     uint64 = 0x6f72675f30310004
	kindServer  uint64 = 0x737276746f6f0005
)

// MessageID makes msg_01 and 22 characters from two words, such as a hash of seed and run name,
// and the ordinal (R50). Different words give different ids, however alike they are.
func MessageID(hi, lo uint64) string {
	b := append(make([]byte, 0, 28), "msg_01"...)
	return string(append58(b, kindMessage, hi, lo, 22))
}

// RequestID makes req_011C and 20 characters from two words (R50). They hold 117 bits of the 128.
func RequestID(hi, lo uint64) string {
	b := append(make([]byte, 0, 28), "req_011C"...)
	return string(append58(b, kindRequest, hi, lo, 20))
}

// ToolUseID makes toolu_01 and 22 characters from two words (R50).
func ToolUseID(hi, lo uint64) string {
	b := append(make([]byte, 0, 30), "toolu_01"...)
	return string(append58(b, kindToolUse, hi, lo, 22))
}

// ServerToolUseID makes srvtoolu_01 and 22 characters from two words (R50).
func ServerToolUseID(hi, lo uint64) string {
	b := append(make([]byte, 0, 33), "srvtoolu_01"...)
	return string(append58(b, kindServer, hi, lo, 22))
}

// OrganizationID makes a version 4 UUID from a hash.
func OrganizationID(h uint64) string {
	hi, lo := scramble(kindOrg, h, h)
	hi = hi&^0xf000 | 0x4000
	lo = lo&^(3<<62) | 2<<62
	const hex = "0123456789abcdef"
	var b [36]byte
	at := 0
	for i := range 32 {
		if i == 8 || i == 12 || i == 16 || i == 20 {
			b[at] = '-'
			at++
		}
		word := hi
		if i >= 16 {
			word = lo
		}
		b[at] = hex[word>>(60-4*(i&15))&15]
		at++
	}
	return string(b[:])
}

// append58 appends the last n digits, 20 or 22, of the scrambled words in base 58.
func append58(dst []byte, kind, hi, lo uint64, n int) []byte {
	const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	const ten = 430804206899405824 // 58^10, so that most digits come from plain 64-bit division
	hi, lo = scramble(kind, hi, lo)
	q1, r := hi/ten, hi%ten
	q0, low := bits.Div64(r, lo, ten)
	top, mid := bits.Div64(q1, q0, ten) // top is below 2^11: the first two digits

	var d [22]byte
	for i := 21; i >= 12; i-- {
		d[i] = alphabet[low%58]
		low /= 58
	}
	for i := 11; i >= 2; i-- {
		d[i] = alphabet[mid%58]
		mid /= 58
	}
	d[1] = alphabet[top%58]
	d[0] = alphabet[top/58]
	return append(dst, d[22-n:]...)
}

// scramble is a permutation of 128 bits: different words in, different words out.
func scramble(kind, hi, lo uint64) (uint64, uint64) {
	for range 2 {
		lo ^= mix(hi + kind)
		hi ^= mix(lo + kind>>7)
	}
	return hi, lo ^ mix(hi)
}

// mix is the finalizer of SplitMix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
