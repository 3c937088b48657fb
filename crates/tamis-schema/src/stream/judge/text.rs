//! A text grows.

use super::super::rule::Rules;
use super::super::types::Kind;
use super::State;

impl State {
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
            if let Some(members) = &rule.members {
                let (from, to) = applied.fitting;
                let range = members.texts.get(from..to).unwrap_or_default();
                // They are sorted, and all begin with what came before.
                let delta = delta.as_bytes();
                let below = range.partition_point(|text| rest(text, passed) < delta);
                let fit = range.get(below..).unwrap_or_default();
                let fit = fit.partition_point(|text| rest(text, passed).starts_with(delta));
                applied.fitting = (from + below, from + below + fit);
                if fit == 0 {
                    deaths.push((eval, members.keyword));
                }
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

/// What of a member comes after so many bytes.
fn rest(member: &str, passed: usize) -> &[u8] {
    member.as_bytes().get(passed..).unwrap_or_default()
}
