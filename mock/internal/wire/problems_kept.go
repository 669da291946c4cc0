package wire

import "fmt"

// These sentences are about what clients leave with the API: batches, files, skills. Where no
// public source has the API's own words, they are ours.

// UnknownBatch is a batch that isn't there.
func UnknownBatch(id string) *Error { return problem(404, "Message batch not found: "+id) }

// BatchHasEnded is a batch that can't be canceled any more.
func BatchHasEnded(id string) *Error {
	return problem(400, "Message batch "+id+" has already ended and cannot be canceled.")
}

// BatchHasNotEnded is a batch that can't be deleted yet.
func BatchHasNotEnded(id string) *Error {
	return problem(400, "Message batch "+id+" cannot be deleted while it is in progress. Cancel it first.")
}

// NoResults is a batch whose results aren't there yet.
func NoResults(id string) *Error {
	return problem(400, "Message batch "+id+" has no available results. It has not ended yet.")
}

// NoStreamInBatch is a request of a batch that asks for a stream.
func NoStreamInBatch() *Error {
	return problem(400, "stream: Streaming is not supported in message batches")
}

// UnknownFile is a file that isn't there, or no longer.
func UnknownFile(id string) *Error { return problem(404, "File not found: "+id) }

// NotDownloadable is a file that may not be downloaded; error_code is the API's.
func NotDownloadable(id string) *Error {
	e := problem(400, "File "+id+" is not downloadable.")
	e.Details = []byte(`{"error_code":"file_not_downloadable"}`)
	return e
}

// FileTooLarge is a file above the limit, which is in bytes.
func FileTooLarge(most int64) *Error {
	return problem(413, fmt.Sprintf("File size exceeds the maximum of %d MB", most>>20))
}

// UnknownSkill is a skill that isn't there.
func UnknownSkill(id string) *Error { return problem(404, "Skill not found: "+id) }

// UnknownSkillVersion is a version that a skill doesn't have.
func UnknownSkillVersion(id, version string) *Error {
	return problem(404, "Skill version not found: "+id+"/"+version)
}

// SkillHasVersions is a skill that can't be deleted before its versions.
func SkillHasVersions(id string) *Error {
	return problem(400, "Cannot delete skill "+id+" with existing versions. Delete all versions first.")
}

// UnknownThread answers every request to continue a thread: none is held, so that clients send the
// whole conversation again, as they do when the API has lost one.
func UnknownThread(previous string) *Error {
	e := problem(404, "thread.previous_message_id: no thread was found for "+previous)
	e.Details = []byte(`{"error_code":"thread_not_found"}`)
	return e
}

// NotMultipart is a body that isn't the form that the endpoint takes; what is the reader's word on it.
func NotMultipart(what string) *Error {
	return problem(400, "The request body is not valid multipart/form-data: "+what)
}

// keptFile refuses a file that isn't there as the files' own endpoint does.
func keptFile(v *Value, s *scope) *fault {
	if s.Kept == nil || s.Kept(v.text) {
		return nil
	}
	return &fault{err: UnknownFile(v.text)}
}
