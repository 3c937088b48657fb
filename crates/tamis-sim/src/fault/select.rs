//! Which fault a request gets: `NAME`, `NAME=0.3` (a probability) or `NAME*2` (the first two requests).

use super::Fault;
use crate::rng::Rng;

/// A fault together with when it strikes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Selection {
    fault: &'static Fault,
    when: When,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum When {
    Always,
    Chance(f64),
    First(u64),
}

impl Selection {
    pub(crate) fn chance(fault: &'static Fault, probability: f64) -> Self {
        Self {
            fault,
            when: When::Chance(probability),
        }
    }

    pub(crate) fn fault(&self) -> &'static Fault {
        self.fault
    }

    /// Whether it strikes the model's `number`th request, counted from 0.
    pub(crate) fn fires(&self, number: u64, rng: &mut Rng) -> bool {
        let probability = match self.when {
            When::Always => 1.0,
            When::Chance(probability) => probability,
            When::First(count) => f64::from(u8::from(number < count)),
        };
        rng.chance(probability)
    }
}

/// Reads a comma-separated list.
pub(crate) fn parse_list(text: &str) -> Result<Vec<Selection>, String> {
    text.split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .map(parse_one)
        .collect()
}

/// Reads one `NAME`, `NAME=PROBABILITY` or `NAME*COUNT`.
pub(crate) fn parse_one(text: &str) -> Result<Selection, String> {
    let (name, when) = if let Some((name, probability)) = text.split_once('=') {
        let probability = probability
            .parse::<f64>()
            .ok()
            .filter(|probability| (0.0..=1.0).contains(probability))
            .ok_or_else(|| format!("the probability in '{text}' is not a number from 0 to 1"))?;
        (name, When::Chance(probability))
    } else if let Some((name, count)) = text.split_once('*') {
        let count = count
            .parse()
            .map_err(|_| format!("the count in '{text}' is not a whole number"))?;
        (name, When::First(count))
    } else {
        (text, When::Always)
    };
    let fault = Fault::named(name)
        .ok_or_else(|| format!("there is no fault '{name}'; `tamis sim --list` shows them all"))?;
    Ok(Selection { fault, when })
}

#[cfg(test)]
mod tests {
    use super::{parse_list, parse_one};
    use crate::rng::Rng;

    #[test]
    fn reads_lists() {
        let list = parse_list("fenced=0.3, http-500*2,refusal,").unwrap();
        let names: Vec<_> = list.iter().map(|each| each.fault().name()).collect();
        assert_eq!(names, ["fenced", "http-500", "refusal"]);
        for bad in [
            "fenced=2",
            "fenced=NaN",
            "fenced=",
            "fenced*-1",
            "fenced*",
            "fenced =1",
            "x",
        ] {
            assert!(parse_one(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn strikes_when_asked() {
        let mut rng = Rng::new(1, &[]);
        let first = parse_one("fenced*2").unwrap();
        let struck: Vec<_> = (0..4).map(|n| first.fires(n, &mut rng)).collect();
        assert_eq!(struck, [true, true, false, false]);
        assert!(parse_one("fenced").unwrap().fires(9, &mut rng));
        assert!(!parse_one("fenced=0").unwrap().fires(0, &mut rng));
        assert!(parse_one("fenced=1").unwrap().fires(0, &mut rng));
    }
}
