//! JSON text without I/O: an incremental parser, a repairer, pointers.
