package latency

import "math/bits"

// U is a draw: a point of the unit interval in whole billionths, 0 ≤ U < Whole.
type U uint32

// Whole is the end of the unit interval. It is no draw itself; as the place of a quantile it means p100.
const Whole U = 1_000_000_000

// Place is whatever draws: a timing point, a share, a choice among replies. It holds no state, so the n-th draw can be
// made without those before it. Its zero value is not useful.
type Place struct{ key uint64 }

// Each use of a place's key has a mark of its own, so that no two uses see the same bits.
const (
	markShuffle uint64 = 0xa0761d6478bd642f
	markDigit3  uint64 = 0xe7037ed1a0b428db
	markDigit4  uint64 = 0x8ebc6af09c88c6e3
	markDigit5  uint64 = 0x589965cc75374cc3
	markDigit6  uint64 = 0x1d8e4e27c47d124f
	markRest    uint64 = 0xeb44accab455d165
	markRandom  uint64 = 0x9e6c63d0676a9a99
	markHash    uint64 = 0xd6e8feb86659fd93
	markFor     uint64 = 0x2d358dccaa6c78a5
)

// NewPlace returns the place of that name under a seed. Other names and other seeds give unrelated draws.
func NewPlace(seed uint64, name string) Place {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	h := uint64(offset)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * prime
	}
	return Place{mix(mix(seed+golden) ^ h)}
}

// For returns the place of request n: what is drawn within one answer, such as the gaps of its stream, is drawn there.
func (p Place) For(n uint64) Place { return Place{p.hash(markFor, n)} }

// Exact returns the n-th draw of a place whose draws are spread evenly: of every aligned hundred draws exactly one lies
// in each percentile, of every aligned thousand one in each per mille, and so on to a millionth. Below a hundred draws,
// and in windows that are not aligned, a tail is no better than chance.
func (p Place) Exact(n uint64) U {
	b := p.block(n / 100)
	return b.draw(percentile(b.shuffle, int(n%100)), n)
}

// Random returns the n-th independent draw.
func (p Place) Random(n uint64) U {
	hi, _ := bits.Mul64(p.hash(markRandom, n), uint64(Whole))
	return U(hi)
}

// Hash returns 64 uniform bits for n, unrelated to the place's draws: for ids and padding.
func (p Place) Hash(n uint64) uint64 { return p.hash(markHash, n) }

func (p Place) hash(mark, n uint64) uint64 { return mix((p.key ^ mark) + n*golden) }

// block is what the hundred draws of one aligned hundred have in common.
type block struct {
	shuffle uint64    // key of the order of the hundred percentiles
	keys    [4]uint64 // per further digit: the key that a cell of strata is added to
	steps   [4]uint32 // and how often that cell has come up in its block
	rest    uint64
}

// A cell is a stratum of the digits drawn so far. It comes up once per hundred (thousand, …) draws and so ten times in
// the next larger block, in which its next digit runs through a permutation of 0…9. Cell and block make one number, at
// most n, which keeps the keys of all permutations apart.
func (p Place) block(hundred uint64) block {
	k := hundred / 10
	return block{
		shuffle: p.hash(markShuffle, hundred),
		keys: [4]uint64{
			(p.key ^ markDigit3) + k*100*golden,
			(p.key ^ markDigit4) + k/10*1_000*golden,
			(p.key ^ markDigit5) + k/100*10_000*golden,
			(p.key ^ markDigit6) + k/1_000*100_000*golden,
		},
		steps: [4]uint32{
			uint32(hundred % 10),
			uint32(k % 10),
			uint32(k / 10 % 10),
			uint32(k / 100 % 10),
		},
		rest: p.key ^ markRest,
	}
}

// draw adds the digits after the percentile: four that are spread evenly and three that are not.
func (b *block) draw(percentile uint64, n uint64) U {
	cell := percentile
	for i := range b.keys {
		cell = cell*10 + digit(mix(b.keys[i]+cell*golden), b.steps[i])
	}
	rest, _ := bits.Mul64(mix(b.rest+n*golden), 1_000)
	return U(cell*1_000 + rest)
}

// digit returns element i of a permutation of 0…9 that is keyed by h.
func digit(h uint64, i uint32) uint64 {
	if i > 0 {
		return laterDigit(h, i)
	}
	first, _ := bits.Mul64(h, 10) // where step 0 of the shuffle leads; the most common case by far, small enough to inline
	return first
}

// laterDigit makes a Fisher–Yates shuffle, whose step j swaps element j with one of those from j on, and follows all that
// are not in their place yet, four bits each. Inlined, it would make digit too large to be.
//
//go:noinline
func laterDigit(h uint64, i uint32) uint64 {
	left := uint64(0x9876543210) // the element whose turn it is in the lowest bits
	many := uint64(10)
	for ; i > 0; i-- {
		to, low := bits.Mul64(h, many)
		at := to * 4 & 63
		left = (left ^ (left>>at^left)&15<<at) >> 4
		h, many = low, many-1
	}
	to, _ := bits.Mul64(h, many)
	return left >> (to * 4 & 63) & 15
}

// percentile returns element i of the permutation of 0…99 that shuffle writes whole.
func percentile(key uint64, i int) uint64 {
	var to [100]uint8
	for j := 0; j <= i; j += 2 {
		to[j], to[j+1] = swaps(key, j)
	}
	at := to[i]
	for j := i - 1; j >= 0; j-- {
		if to[j] == at {
			at = uint8(j)
		}
	}
	return uint64(at)
}

// shuffle writes the permutation of 0…99 that is keyed by key.
func shuffle(order *[100]uint8, key uint64) {
	for i := range order {
		order[i] = uint8(i)
	}
	for j := 0; j < len(order); j += 2 {
		a, b := swaps(key, j)
		order[j], order[a] = order[a], order[j]
		order[j+1], order[b] = order[b], order[j+1]
	}
}

// swaps returns where a shuffle of a hundred swaps its elements j and j+1 to; j is even. Two come from one hash, 32 bits
// each, which bends the odds by less than a part in 10⁷.
func swaps(key uint64, j int) (a, b uint8) {
	h := mix(key + uint64(j)*golden)
	a = uint8(uint64(j) + uint64(uint32(h))*uint64(100-j)>>32)
	b = uint8(uint64(j+1) + (h>>32)*uint64(99-j)>>32)
	return a, b
}

// golden is the odd number next to 2⁶⁴ divided by the golden ratio: the step of SplitMix64.
const golden uint64 = 0x9e3779b97f4a7c15

// mix is the finaliser of SplitMix64: each bit of x changes each bit of the result with even odds.
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
