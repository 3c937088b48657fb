#![no_main]

use libfuzzer_sys::fuzz_target;
use tamis_json::{Ending, Policy, Wanted, repair};

fuzz_target!(|text: &str| {
    if let Ok(repaired) = repair(text, &Policy::default()) {
        for mend in &repaired.repairs {
            assert!(text.get(mend.offset..mend.offset + mend.length).is_some());
        }
        let again = repair(&repaired.value.to_string(), &Policy::default()).expect("JSON");
        assert!(again.is_as_sent() && again.complete);
        assert_eq!(again.value, repaired.value);
    }
    let cut = Policy::default().ending(Ending::Truncated).wanting(Wanted::Object);
    let _ = repair(text, &cut);
    let _ = repair(text, &Policy::default().extraction(false));
    let _ = repair(text, &Policy::default().syntax(false));
});
