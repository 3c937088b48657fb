//! A simulated OpenRouter on loopback, with every documented fault on demand.
