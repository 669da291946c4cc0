package wire

// Own is an error that the API doesn't have: the mock speaks for itself, and says so.
func Own(status int, message string) *Error { return problem(status, "orrery: "+message) }
