//! The smoke test that decides whether an endpoint may be trusted with a schema.
