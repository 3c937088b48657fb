use std::io::Read;
use tamis_json::*;
fn main() {
    let n: usize = std::env::args().nth(1).map_or(0, |a| a.parse().unwrap());
    let mut t = Vec::new();
    std::io::stdin().read_to_end(&mut t).unwrap();
    let whole = {
        let mut r = Repairer::new(Policy::default());
        r.push(&t).and_then(|_| r.finish())
    };
    println!("whole {whole:?}");
    let snap = std::env::var("SNAP").is_ok();
    if n > 0 {
        let mut r = Repairer::new(Policy::default());
        let mut res = Ok(());
        for p in t.chunks(n) {
            if res.is_ok() {
                res = r.push(p);
                if snap {
                    r.snapshot(Partial::Values);
                }
            }
        }
        println!("cut {:?}", res.and_then(|_| r.finish()));
    }
    println!(
        "text {:?}",
        repair(std::str::from_utf8(&t).unwrap(), &Policy::default())
    );
}
