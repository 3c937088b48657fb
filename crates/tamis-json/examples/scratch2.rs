#![allow(warnings)]
#[path = "../benches/peers.rs"]
mod peers;
use std::hint::black_box;
use tamis_json::*;
fn main() {
    let peer = std::env::var("PEER").is_ok();
    let n: usize = std::env::var("N").map_or(10, |n| n.parse().unwrap());
    let inputs = peers::inputs("jsonrepair-rs");
    let t = std::time::Instant::now();
    for _ in 0..n {
        for x in &inputs {
            if peer {
                drop(black_box(jsonrepair_rs::jsonrepair_value(x)));
            } else {
                drop(black_box(repair(x, &Policy::default())));
            }
        }
    }
    eprintln!(
        "{:?} per round, {} inputs",
        t.elapsed() / (n as u32),
        inputs.len()
    );
    if let Ok(r) = std::env::var("ROUNDS") {
        let (mut a, mut b) = (vec![], vec![]);
        for _ in 0..r.parse::<usize>().unwrap() {
            let t = std::time::Instant::now();
            for _ in 0..5 {
                for x in &inputs {
                    drop(black_box(repair(x, &Policy::default())));
                }
            }
            a.push(t.elapsed().as_nanos() / 5000);
            let t = std::time::Instant::now();
            for _ in 0..5 {
                for x in &inputs {
                    drop(black_box(jsonrepair_rs::jsonrepair_value(x)));
                }
            }
            b.push(t.elapsed().as_nanos() / 5000);
        }
        a.sort();
        b.sort();
        let q = |v: &Vec<u128>, p: usize| v[v.len() * p / 100];
        println!(
            "ours min {} p10 {} p50 {}   peer min {} p10 {} p50 {}",
            a[0],
            q(&a, 10),
            q(&a, 50),
            b[0],
            q(&b, 10),
            q(&b, 50)
        );
    }
    if std::env::var("SHOW").is_ok() {
        let mut v = vec![];
        for x in &inputs {
            let t = std::time::Instant::now();
            for _ in 0..2000 {
                drop(black_box(repair(black_box(x), &Policy::default())));
            }
            let a = t.elapsed() / 2000;
            let t = std::time::Instant::now();
            for _ in 0..2000 {
                drop(black_box(jsonrepair_rs::jsonrepair_value(black_box(x))));
            }
            let b = t.elapsed() / 2000;
            v.push((a.as_nanos() as i64, b.as_nanos() as i64, x.clone()));
        }
        v.sort_by_key(|(a, b, _)| -(a - b));
        let (s, p): (i64, i64) = v.iter().fold((0, 0), |(s, p), x| (s + x.0, p + x.1));
        println!("hot sum {s} {p}");
        for (a, b, x) in v.iter().take(60) {
            println!(
                "{a} {b} {}",
                &format!("{x:?}").chars().take(100).collect::<String>()
            );
        }
    }
}
