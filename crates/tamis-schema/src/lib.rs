//! JSON Schema without I/O: checks, validation, dialects.
