use std::io::Read;
use tamis_json::*;
fn main() {
    let mut t = String::new();
    std::io::stdin().read_to_string(&mut t).unwrap();
    for l in t.lines() {
        println!(
            "{l}\n   {:?}",
            repair(l, &Policy::default()).map(|r| (
                r.value.to_string(),
                r.complete,
                r.repairs
                    .iter()
                    .map(|r| format!("{:?}@{}+{}", r.kind, r.offset, r.length))
                    .collect::<Vec<_>>()
            ))
        );
    }
}
