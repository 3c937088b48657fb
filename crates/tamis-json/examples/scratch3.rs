#![allow(warnings)]
use std::hint::black_box;
use tamis_json::*;
fn main() {
    let x = std::env::args().nth(1).unwrap();
    let n: u32 = std::env::var("N").map_or(1000, |n| n.parse().unwrap());
    let t = std::time::Instant::now();
    for _ in 0..n {
        drop(black_box(repair(black_box(&x), &Policy::default())));
    }
    eprintln!("{:?}", t.elapsed() / n);
    let t = std::time::Instant::now();
    for _ in 0..n {
        drop(black_box(jsonrepair_rs::jsonrepair_value(black_box(&x))));
    }
    eprintln!("peer {:?}", t.elapsed() / n);
}
