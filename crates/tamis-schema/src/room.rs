//! Stack for code that recurses as deep as its input says.
//!
//! The validator below recurses through the schema, and through a recursive schema once for each
//! level of the value. Both have depth limits, but their product does not fit a thread's usual stack,
//! and an overflow would end the whole process. So the rare deep pair runs on a thread of its own with
//! as much stack as it can need.

use std::thread;

/// More than a step needs in an unoptimised build (3.3 KiB measured, for one schema in another).
const BYTES_PER_STEP: usize = 4 << 10;

/// What any thread can be trusted to have left: 1 MiB by the measure above, less in practice.
const STEPS_AT_HAND: usize = 256;

/// 1 GiB of address space, of which only what is used is ever backed by memory.
const MAX_STEPS: usize = (1 << 30) / BYTES_PER_STEP;

/// Runs something that recurses at most `steps` deep. `None` means that there is no such room.
pub(crate) fn with_room<T: Send>(steps: usize, run: impl FnOnce() -> T + Send) -> Option<T> {
    if steps <= STEPS_AT_HAND {
        return Some(run());
    }
    if steps > MAX_STEPS {
        return None;
    }
    thread::scope(|scope| {
        thread::Builder::new()
            .name("tamis-schema".into())
            .stack_size(steps * BYTES_PER_STEP)
            .spawn_scoped(scope, run)
            .ok()?
            .join()
            .ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_steps_stay_on_the_thread() {
        let here = thread::current().id();
        assert_eq!(with_room(10, || thread::current().id()), Some(here));
        assert_ne!(with_room(10_000, || thread::current().id()), Some(here));
        assert_eq!(with_room(usize::MAX, || ()), None);
    }
}
