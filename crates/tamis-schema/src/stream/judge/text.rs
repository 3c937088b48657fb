//! A text grows.

use super::super::types::Kind;
use super::Judge;

impl Judge {
    pub(super) fn grow(&mut self, delta: &str) {
        let Some(top) = self.frames.len().checked_sub(1) else {
            return;
        };
        let rules = std::sync::Arc::clone(&self.rules);
        let Some(frame) = self
            .frames
            .get_mut(top)
            .filter(|frame| frame.kind == Kind::String)
        else {
            return;
        };
        if frame.evals.is_empty() {
            return;
        }
        let (start, mut counted) = (frame.bytes, None);
        frame.bytes += delta.len();
        let before = frame.characters;
        let mut deaths = Vec::new();
        for (eval, applied) in frame
            .evals
            .iter_mut()
            .enumerate()
            .filter(|(_, eval)| !eval.dead)
        {
            let Some(rule) = rules.rules.get(applied.rule) else {
                continue;
            };
            if let Some(most) = rule.max_length {
                let more = *counted.get_or_insert_with(|| delta.chars().count() as u64);
                if before + more > most {
                    deaths.push((eval, "maxLength"));
                    continue;
                }
            }
            if let Some(members) = &rule.members {
                let goes_on = |member: &usize| {
                    members
                        .texts
                        .get(*member)
                        .and_then(|text| text.as_bytes().get(start..))
                        .is_some_and(|rest| rest.starts_with(delta.as_bytes()))
                };
                match &mut applied.fitting {
                    Some(fitting) => fitting.retain(goes_on),
                    None => {
                        applied.fitting = Some((0..members.texts.len()).filter(goes_on).collect());
                    }
                }
                if applied.fitting.as_ref().is_some_and(Vec::is_empty) {
                    deaths.push((eval, members.keyword));
                }
            }
        }
        if let Some(more) = counted {
            frame.characters += more;
        }
        for (eval, keyword) in deaths {
            self.kill_at(top, eval, keyword);
        }
    }
}
