package wire

// The seeds of the ids of what clients leave with the API.
const (
	kindBatch   uint64 = 0x6d73676261740011
	kindFile    uint64 = 0x66696c655f300012
	kindSkill   uint64 = 0x736b696c6c5f0013
	kindVersion uint64 = 0x736b696c76650014
)

// BatchID makes msgbatch_01 and 22 characters from two words.
func BatchID(hi, lo uint64) string {
	return string(append58([]byte("msgbatch_01"), kindBatch, hi, lo, 22))
}

// FileID makes file_011C and 20 characters from two words.
func FileID(hi, lo uint64) string {
	return string(append58([]byte("file_011C"), kindFile, hi, lo, 20))
}

// SkillID makes skill_01 and 22 characters from two words.
func SkillID(hi, lo uint64) string {
	return string(append58([]byte("skill_01"), kindSkill, hi, lo, 22))
}

// SkillVersionID makes skillver_01 and 22 characters from two words.
func SkillVersionID(hi, lo uint64) string {
	return string(append58([]byte("skillver_01"), kindVersion, hi, lo, 22))
}
