#![no_main]
//! The first byte says where to cut, the rest is the text.

use libfuzzer_sys::fuzz_target;
use tamis_json::{Parser, Partial, Policy, Repairer};

fuzz_target!(|data: &[u8]| {
    let Some((size, text)) = data.split_first() else { return };
    let size = usize::from(*size % 9) + 1;

    let read = |parts: &[&[u8]]| {
        let mut parser = Parser::new();
        for part in parts {
            if let Err(error) = parser.push(part) {
                return Err(error);
            }
            parser.snapshot(Partial::TrailingStrings);
        }
        parser.finish()
    };
    let parts: Vec<&[u8]> = text.chunks(size).collect();
    let (whole, cut) = (read(&[text]), read(&parts));
    // Where a fault is told from may differ; that it is one may not.
    assert_eq!(whole.as_ref().ok(), cut.as_ref().ok());

    let mend = |parts: &[&[u8]]| {
        let mut repairer = Repairer::new(Policy::default());
        for part in parts {
            repairer.push(part)?;
            repairer.snapshot(Partial::Values);
        }
        repairer.finish()
    };
    if std::str::from_utf8(text).is_ok() {
        assert_eq!(mend(&[text]), mend(&parts));
    }
});
