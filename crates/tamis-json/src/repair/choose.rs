//! Which of several documents is meant, when the caller can tell.

use serde_json::Value;

use super::error::RepairError;
use super::mender::Rank;
use super::policy::Policy;
use super::{Repaired, Repairer, resolve, strictly};
use crate::parser::Machine;

/// As [`repair`](super::repair), for a caller that can tell the right document, by a schema for
/// instance.
///
/// Where the text holds several, the one that conforms wins. Several that conform and differ are
/// ambiguous, in a fence or not. Where none conforms it is as for [`repair`](super::repair). What was
/// not chosen is on record as prose, or as a duplicate.
///
/// `conforms` is asked about at most 16 documents, once each.
///
/// ```
/// use tamis_json::{Policy, choose, repair};
/// use serde_json::json;
///
/// let text = r#"For {"city": "Oslo"} it is {"degrees": 7}."#;
/// let chosen = choose(text, &Policy::default(), |value| value["degrees"].is_number())?;
/// assert_eq!(chosen.value, json!({"degrees": 7}));
/// assert!(repair(text, &Policy::default()).is_err_and(|error| error.is_ambiguous()));
/// # Ok::<(), tamis_json::RepairError>(())
/// ```
///
/// # Errors
/// As [`repair`](super::repair). A document that was cut, or that could not be kept with the others,
/// might have conformed, so beside one that does it makes the text ambiguous.
pub fn choose(
    text: &str,
    policy: &Policy,
    mut conforms: impl FnMut(&Value) -> bool,
) -> Result<Repaired, RepairError> {
    if let Some(repaired) = strictly(text, policy) {
        return resolve::unwrap(repaired, 0, text.len(), policy);
    }
    let mut repairer = Repairer::new(policy.clone());
    repairer.read_whole(text)?;
    repairer.machine.prefer(&mut conforms)?;
    repairer.outcome()
}

impl Machine {
    /// Sets aside what does not conform, if something does.
    fn prefer(&mut self, conforms: &mut dyn FnMut(&Value) -> bool) -> Result<(), RepairError> {
        let Some(mender) = &mut self.mender else {
            return Ok(());
        };
        if mender.found.len() < 2 && mender.lost.is_none() {
            return Ok(());
        }
        let fit: Vec<bool> = mender
            .found
            .iter()
            .map(|candidate| conforms(&candidate.value))
            .collect();
        let chosen = mender.found.iter().zip(&fit).find(|(_, fits)| **fits);
        let Some(start) = chosen.map(|(candidate, _)| candidate.start) else {
            return Ok(());
        };
        // What looked like a remark was meant, and a fence says no more than the schema.
        let rank = mender
            .found
            .iter()
            .zip(&fit)
            .filter(|(_, fits)| **fits)
            .fold(Rank::Plain, |most, (candidate, _)| most.max(candidate.rank));
        for (candidate, fits) in mender.found.iter_mut().zip(fit) {
            if fits {
                candidate.rank = rank;
            } else if candidate.complete {
                candidate.rank = Rank::Aside;
            } else {
                let other = candidate.start;
                return Err(RepairError::ambiguous(start.min(other), start.max(other)));
            }
        }
        // What is no JSON cannot conform.
        mender.lost = None;
        Ok(())
    }
}
