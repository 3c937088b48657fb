//! Faults of the connection.

use super::super::client::Ended;
use super::super::expect::Expect::{Same, Wire};
use super::{Row, both, on_plain};

pub(super) fn rows() -> Vec<Row> {
    vec![
        // The client of this test has more patience than the hang is long.
        both("hang-before-headers", || Same),
        both("slow-headers", || {
            Wire(|case| {
                assert_eq!(case.got.body, case.base.body);
                let small = case
                    .got
                    .reads
                    .iter()
                    .take_while(|read| read.len() <= 16)
                    .count();
                assert!(small > 5, "{small}");
            })
        }),
        both("connection-reset", || {
            Wire(|case| assert_eq!((case.got.status, case.got.ended), (None, Ended::Reset)))
        }),
        both("connection-closed", || {
            Wire(|case| assert_eq!((case.got.status, case.got.ended), (None, Ended::Closed)))
        }),
        both("reset-mid-answer", || {
            Wire(|case| {
                assert_eq!((case.got.status, case.got.ended), (Some(200), Ended::Reset));
                assert!(case.got.body.len() < case.base.body.len());
            })
        }),
        both("truncated-body", || {
            Wire(|case| {
                assert_eq!(case.got.ended, Ended::Closed);
                let promised: usize = case.got.header("content-length").unwrap().parse().unwrap();
                assert_eq!(promised, case.got.body.len() + 64);
            })
        }),
        both("close-after-response", || {
            Wire(|case| {
                assert_eq!(case.got.ended, Ended::Complete);
                assert_eq!(case.got.body, case.base.body);
                assert_eq!(case.got.header("connection"), None);
            })
        }),
        both("close-on-reuse", || Same),
        both("gzip-bomb", || {
            Wire(|case| {
                assert_eq!(case.got.header("content-encoding"), Some("gzip"));
                assert!(case.got.body.starts_with(&[0x1f, 0x8b]));
                assert!(case.got.body.len() < 512 * 1024);
            })
        }),
        on_plain("oversized-body", |case| {
            assert!(case.got.body.len() > 17 << 20);
            assert_eq!(case.got.header("content-length"), None);
        }),
        on_plain("blank-lines-first", |case| {
            assert_eq!(case.got.text(), format!("\n\n\n\n{}", case.base_text()));
        }),
    ]
}
