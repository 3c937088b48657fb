#![allow(warnings)]
#[path = "../benches/peers.rs"]
mod peers;
use std::hint::black_box;
use std::time::Instant;
use tamis_json::*;
fn main() {
    let inputs = peers::inputs("jsonrepair-rs");
    let n = inputs.len();
    let r = 300;
    let mut a = vec![vec![]; n];
    let mut b = vec![vec![]; n];
    for _ in 0..r {
        for (i, x) in inputs.iter().enumerate() {
            let t = Instant::now();
            drop(black_box(repair(x, &Policy::default())));
            a[i].push(t.elapsed().as_nanos() as i64);
        }
        for (i, x) in inputs.iter().enumerate() {
            let t = Instant::now();
            drop(black_box(jsonrepair_rs::jsonrepair_value(x)));
            b[i].push(t.elapsed().as_nanos() as i64);
        }
    }
    let med = |v: &mut Vec<i64>| {
        v.sort();
        v[v.len() / 2]
    };
    let mut rows: Vec<(i64, i64, String, String)> = (0..n)
        .map(|i| {
            let k = match repair(&inputs[i], &Policy::default()) {
                Ok(r) => format!(
                    "ok{} {:?}",
                    r.complete,
                    r.repairs
                        .iter()
                        .map(|r| format!("{:?}", r.kind))
                        .collect::<Vec<_>>()
                        .join("+")
                ),
                Err(e) => "err".into(),
            };
            (med(&mut a[i]), med(&mut b[i]), inputs[i].clone(), k)
        })
        .collect();
    println!(
        "sum {} {}",
        rows.iter().map(|r| r.0).sum::<i64>(),
        rows.iter().map(|r| r.1).sum::<i64>()
    );
    let mut by = std::collections::BTreeMap::<String, (i64, i64, i64)>::new();
    for r in &rows {
        let e = by.entry(r.3.clone()).or_default();
        e.0 += r.0;
        e.1 += r.1;
        e.2 += 1;
    }
    let mut v: Vec<_> = by.into_iter().collect();
    v.sort_by_key(|x| -(x.1.0 - x.1.1));
    for (k, (x, y, c)) in v.iter().take(30).chain(v.iter().rev().take(12)) {
        println!(
            "{} {} {} diff {} {}",
            c,
            x,
            y,
            x - y,
            k.chars().take(70).collect::<String>()
        );
    }
    if let Ok(k) = std::env::var("KIND") {
        for r in &rows {
            if r.3 == k {
                println!("K {} {} {:?}", r.0, r.1, r.2);
            }
        }
    }
    rows.sort_by_key(|r| -(r.0 - r.1));
    for r in rows.iter().take(40) {
        println!(
            "{} {} {:?}",
            r.0,
            r.1,
            r.2.chars().take(60).collect::<String>()
        );
    }
}
