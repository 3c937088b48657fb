//! A text grows.

use super::super::rule::{Members, Rules};
use super::super::types::Kind;
use super::State;

impl State {
    /// The same for a text without a frame.
    pub(super) fn grow_light(&mut self, rules: &Rules, delta: &str) {
        let Some(light) = &mut self.light else {
            return;
        };
        let passed = light.bytes;
        light.bytes += delta.len();
        let before = light.characters;
        let mut counted = None;
        self.fail_where(|duty| {
            let rule = rules.get(duty.rule)?;
            if let Some(most) = rule.text.and_then(|text| text.max) {
                let more = *counted.get_or_insert_with(|| delta.chars().count() as u64);
                if before + more > most {
                    return Some("maxLength");
                }
            }
            let members = rule.members.as_ref()?;
            (!narrow(members, &mut duty.fitting, passed, delta)).then_some(members.keyword)
        });
        if let (Some(more), Some(light)) = (counted, &mut self.light) {
            light.characters += more;
        }
    }

    pub(super) fn grow(&mut self, rules: &Rules, delta: &str) {
        let Some(frame) = self
            .frames
            .last_mut()
            .filter(|frame| frame.kind == Kind::String)
        else {
            return;
        };
        let (passed, start) = (frame.bytes, frame.start);
        frame.bytes += delta.len();
        let (before, mut counted) = (frame.characters, None);
        let mut deaths = Vec::new();
        for (eval, applied) in self.evals.iter_mut().enumerate().skip(start) {
            let Some(rule) = rules.get(applied.rule).filter(|_| !applied.dead) else {
                continue;
            };
            if let Some(text) = rule.text {
                let more = *counted.get_or_insert_with(|| delta.chars().count() as u64);
                if text.max.is_some_and(|most| before + more > most) {
                    deaths.push((eval, "maxLength"));
                    continue;
                }
            }
            if let Some(members) = &rule.members
                && !narrow(members, &mut applied.fitting, passed, delta)
            {
                deaths.push((eval, members.keyword));
            }
        }
        if let (Some(more), Some(frame)) = (counted, self.frames.last_mut()) {
            frame.characters += more;
        }
        for (eval, keyword) in deaths {
            self.kill_for(eval, keyword);
        }
    }
}

/// Leaves those of the members that fit which still do when a text of `passed` bytes grows; whether
/// any does.
fn narrow(members: &Members, fitting: &mut (usize, usize), passed: usize, delta: &str) -> bool {
    let (from, to) = *fitting;
    let range = members.texts.get(from..to).unwrap_or_default();
    if let [only] = range {
        return rest(only, passed).starts_with(delta.as_bytes());
    }
    // They are sorted, and all begin with what came before.
    let delta = delta.as_bytes();
    let below = range.partition_point(|text| rest(text, passed) < delta);
    let fit = range.get(below..).unwrap_or_default();
    let fit = fit.partition_point(|text| rest(text, passed).starts_with(delta));
    *fitting = (from + below, from + below + fit);
    fit > 0
}

/// What of a member comes after so many bytes.
fn rest(member: &str, passed: usize) -> &[u8] {
    member.as_bytes().get(passed..).unwrap_or_default()
}
