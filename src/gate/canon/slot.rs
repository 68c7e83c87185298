//! A slot of a fact with another value in it than the true one (SCENARIO.md section 2, "Canon").

use super::tags::{
    ADVERB, ARTICLE, CONDITION, CONJUNCTION, NEGATOR, POSSESSIVE, PREPOSITION, SUBORDINATOR,
};
use super::token::Mark;
use super::view::{ClauseView, EMPTY, MAX_GAP, TokenRange};
use super::word::Phrase;

/// How many adverbs may stand between the parts of a slot.
const MAX_ADVERBS: usize = 2;

/// A slot of a fact made ready for matching.
#[derive(Debug)]
pub struct SlotMatcher {
    /// The ways to name the subject.
    pub subjects: Vec<Phrase>,
    /// What joins subject and value.
    pub relation: Phrase,
    /// The value that is true, as it is written and in its other readings.
    pub values: Vec<Phrase>,
    /// The other values that contradict; `None` where every other one does.
    pub listed: Option<Vec<Phrase>>,
}

impl SlotMatcher {
    /// The first other value of the slot in the clause.
    pub fn contradiction(&self, view: &ClauseView) -> Option<TokenRange> {
        let end = view
            .falsehood
            .as_ref()
            .map_or(view.range.end, |denied| denied.start);
        (view.range.start..end).find_map(|at| {
            let subject = self
                .subjects
                .iter()
                .filter_map(|subject| view.after(subject, at));
            let is_object = at > view.range.start && view.is(at - 1, PREPOSITION);
            subject
                .filter(|_| !is_object)
                .filter_map(|after| self.other_value(view, after))
                .min()
                .map(|last| (at, last))
        })
    }

    /// The token after the true value, when it stands at `at`.
    fn true_value(&self, view: &ClauseView, at: usize) -> Option<usize> {
        self.values
            .iter()
            .filter_map(|value| view.after(value, at))
            .max()
    }

    /// The last token of another value, when the relation and another value follow at `at`.
    fn other_value(&self, view: &ClauseView, at: usize) -> Option<usize> {
        let relation = self.relation_end(view, at)?;
        let mut value = relation;
        for skipped in 0.. {
            let token = view.token(value)?;
            if token.is(NEGATOR) {
                return None;
            }
            let same = self.true_value(view, value);
            let listed = self.listed.as_ref().and_then(|listed| {
                let ends = listed.iter().filter_map(|other| view.after(other, value));
                ends.max().filter(|end| same.is_none_or(|same| same < *end))
            });
            if listed.is_none() && same.is_some() {
                return None;
            }
            if let Some(end) = listed {
                return (!denied_later(view, end)).then_some(end - 1);
            }
            if skipped > MAX_ADVERBS || !token.is(ADVERB | ARTICLE) {
                break;
            }
            // "is now named", "is a blue one". An adverb may be the whole of another value.
            if view.token(value + 1).is_none() {
                break;
            }
            value += 1;
        }
        let token = view.token(value)?;
        if self.listed.is_some() || token.is(CONJUNCTION | SUBORDINATOR | CONDITION) {
            return None;
        }
        let inserted = view.parsed.tokens[relation..=value]
            .iter()
            .any(|t| t.mark == Mark::Comma);
        if inserted
            && (value..view.range.end.min(value + MAX_GAP))
                .any(|i| view.is_boundary(i) && self.true_value(view, i).is_some())
        {
            // "is named, my lord, Arthur".
            return None;
        }
        (!denied_later(view, value + 1)).then_some(value)
    }

    /// The token after the relation, with at most two adverbs before it and between its words; `None` with a
    /// negator among them.
    fn relation_end(&self, view: &ClauseView, mut at: usize) -> Option<usize> {
        let mut adverbs = 0;
        for word in &self.relation {
            while !(view.range.contains(&at) && view.has(word, at)) {
                let token = view.token(at)?;
                if !token.is(ADVERB) || token.is(NEGATOR) || adverbs == MAX_ADVERBS {
                    return None;
                }
                adverbs += 1;
                at += 1;
            }
            // "The king's gate": "is" is not all that this can be.
            let sure = self.relation.len() > 1 || self.listed.is_some();
            if view.is(at, POSSESSIVE) && !sure {
                return None;
            }
            at += 1;
        }
        Some(at)
    }
}

/// Whether what ends before `at` is denied by a negator that looks back ("named Bob no longer").
fn denied_later(view: &ClauseView, at: usize) -> bool {
    let reach = view.part_end(at);
    (at..reach)
        .find(|i| view.is(*i, NEGATOR))
        .is_some_and(|negator| (negator..reach).all(|i| view.parsed.tokens[i].is(EMPTY)))
}
