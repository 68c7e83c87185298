//! A slot of a fact with another value in it than the true one.

use super::clause::{Clause, Link};
use super::tags::{
    ADDITIVE, ADVERB, ARTICLE, AUXILIARY, BE, CLITIC, CONDITION, CONJUNCTION, EMPHATIC, EXCEPT,
    HAVE, MANNER, NEGATOR, NOBODY, NUMBER, POSSESSIVE, PREPOSITION, SUBJECT, SUBORDINATOR, TITLE,
    VERB,
};
use super::token::Mark;
use super::view::{ClauseView, EMPTY, MAX_GAP, TokenRange};
use super::word::{FactWord, Phrase};

/// How many adverbs and auxiliaries may be between the parts of a slot.
const MAX_FILLING: usize = 8;
/// How many words an insertion between subject and relation may have ("the king, long may he live, is named ..").
const MAX_INSERTED: usize = 12;
/// How many adjectives may be inside a value ("seven strong gates").
const MAX_ADJECTIVES: usize = 2;

/// A slot of a fact made ready for matching.
#[derive(Debug)]
pub struct SlotMatcher {
    /// The ways to name the subject.
    pub subjects: Vec<Phrase>,
    /// What joins subject and value.
    pub relation: Phrase,
    /// Whether the relation ends in a preposition.
    pub relation_leads: bool,
    /// The value that is true, as it is written and in its other readings.
    pub values: Vec<Phrase>,
    /// Whether the value that is true is a name, with a capital.
    pub is_name: bool,
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
        // The inserted words may be a clause themselves, and the value may follow a colon.
        let whole = view.to_the_end();
        (view.range.start..end).find_map(|at| {
            let subject = self
                .subjects
                .iter()
                .filter_map(|subject| view.after(subject, at));
            let is_object = at > view.range.start && view.is(at - 1, PREPOSITION);
            subject
                .filter(|_| !is_object)
                .filter_map(|after| self.other_value_behind(view, &whole, after))
                .min()
                .map(|last| (at, last))
        })
    }

    /// The last token of another value, when relation and value follow a subject that ends before `at`.
    fn other_value_behind(
        &self,
        view: &ClauseView,
        whole: &ClauseView,
        at: usize,
    ) -> Option<usize> {
        if let Some(last) = self.other_value(view, whole, at) {
            return Some(last);
        }
        let mark = whole.token(at)?.mark;
        // "The king, who is named Bob, ..", "The king – our lord – is named Bob".
        if whole.is(at, SUBORDINATOR)
            && let Some(last) = self.other_value(view, whole, at + 1)
        {
            return Some(last);
        }
        if mark == Mark::None || mark == Mark::Colon {
            return None;
        }
        let closing = (at + 1..(at + 1 + MAX_INSERTED).min(whole.range.end))
            .find(|i| whole.parsed.tokens[*i].mark == mark)?;
        self.other_value(view, whole, closing)
    }

    /// The token after the true value, if that begins at `at`.
    pub fn true_value(&self, view: &ClauseView, at: usize) -> Option<usize> {
        let ends = |value: &Phrase| {
            // "a candlestick", "the candlestick": another article is no other value.
            let articles = value.iter().take_while(|word| word.is_article).count();
            let bare = (articles > 0 && view.is(at.checked_sub(1)?, ARTICLE))
                .then(|| self.value_end(view, &value[articles..], at));
            self.value_end(view, value, at).or(bare.flatten())
        };
        self.values.iter().filter_map(ends).max()
    }

    /// Whether a part of the clause that begins at `at` is the beginning or the end of the true value: "costs five", of "five coins".
    fn is_part_of_true_value(&self, view: &ClauseView, at: usize) -> bool {
        let end = view.part_end(at);
        let said = end - at;
        // "seven or eight"
        let goes_on = view.token(end).is_some_and(|next| next.mark == Mark::None);
        let is_at = |words: &[FactWord]| {
            let mut words = words.iter().zip(at..);
            words.all(|(word, at)| view.has(word, at))
        };
        self.values.iter().any(|value| {
            let articles = value.iter().take_while(|word| word.is_article).count();
            let value = &value[articles..];
            let left_out = value.len().saturating_sub(said);
            // "five coins" is no part of "twenty five coins".
            let is_part = |said: &[FactWord], left_out: &[FactWord]| {
                is_at(said) && !left_out.iter().any(|word| word.is_amount)
            };
            let of_beginning = || is_part(&value[..said], &value[said..]);
            let of_end = || is_part(&value[left_out..], &value[..left_out]);
            (1..=value.len()).contains(&said) && !goes_on && (of_beginning() || of_end())
        })
    }

    /// The token after a value that begins at `at`, with adjectives in it.
    fn value_end(&self, view: &ClauseView, value: &[FactWord], at: usize) -> Option<usize> {
        let mut next = at;
        for (n, word) in value.iter().enumerate() {
            let adjective = |at: &usize| {
                let token = view.token(*at);
                n > 0 && token.is_some_and(|token| token.is_unknown() && token.mark == Mark::None)
            };
            let skipped = (next..next + MAX_ADJECTIVES)
                .take_while(|at| !view.has(word, *at) && adjective(at))
                .count();
            if !view.range.contains(&(next + skipped)) || !view.has(word, next + skipped) {
                return None;
            }
            next += skipped + 1;
        }
        Some(next)
    }

    /// The last token of another value, when the relation and another value follow at `at`.
    fn other_value(&self, clause: &ClauseView, whole: &ClauseView, at: usize) -> Option<usize> {
        let relation = self.relation_end(whole, at)?;
        let end = match clause_at(whole, relation - 1)?.range.end {
            end if end == relation => fragment_end(whole, relation)?,
            end => end,
        };
        let view = &ClauseView {
            range: clause.range.start..end,
            ..whole.clone()
        };
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
            if let (None, Some(same)) = (listed, same) {
                return self.goes_on(view, value, same);
            }
            if let Some(end) = listed {
                // "The king's dead brother" is another one.
                let next = view.token(end);
                let is_another =
                    next.is_some_and(|next| next.is_unknown() && next.mark == Mark::None);
                if is_another && value == relation && view.is(relation - 1, POSSESSIVE) {
                    return None;
                }
                return (!denied_later(view, end)).then_some(end - 1);
            }
            // "is now named", "is a blue one", "is named good King Arthur".
            let fills =
                token.is(ADVERB | MANNER | ARTICLE | EMPHATIC) || self.is_described(view, value);
            if skipped > MAX_FILLING || !fills {
                break;
            }
            // An adverb may be the whole of another value.
            if view.token(value + 1).is_none() {
                break;
            }
            value += 1;
        }
        // "belongs to nobody but Berta"
        let behind = (value + 1..view.range.end).find(|at| !view.is(*at, EXCEPT | ARTICLE));
        let is_alone = view.is(value, NOBODY) && view.is(value + 1, EXCEPT);
        if is_alone && behind.is_some_and(|at| self.true_value(view, at).is_some())
            || self.is_part_of_true_value(view, value)
        {
            return None;
        }
        let token = view.token(value)?;
        // "The coins that the ale costs are heavy."
        let is_verb = token.is(AUXILIARY) && !token.capital && !token.is(ADVERB);
        let joins = token.is(CONJUNCTION | SUBORDINATOR | CONDITION);
        if self.listed.is_some() || joins || is_verb {
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

    /// Whether titles or adjectives at `at` lead to the true value: "good King Arthur", "fine grey stone".
    fn is_described(&self, view: &ClauseView, at: usize) -> bool {
        let describes = |at: usize| {
            let token = view.token(at);
            token.is_some_and(|token| token.is(TITLE) || token.is_unknown() && !token.capital)
        };
        let value =
            (at + 1..=at + 1 + MAX_ADJECTIVES).find(|at| self.true_value(view, *at).is_some());
        value.is_some_and(|value| {
            // Among names in small letters it is unknown which one counts.
            let is_title = (at..value).all(|at| view.is(at, TITLE));
            let is_clear = !self.is_name || view.token(value).is_some_and(|token| token.capital);
            (at..value).all(describes) && (is_title || is_clear)
        })
    }

    /// What follows the true value `value..at` and makes it another one: "Arthur or Bob", "Arthur-Bob", "Arthur Bob".
    fn goes_on(&self, view: &ClauseView, value: usize, at: usize) -> Option<usize> {
        let is_name = view.parsed.tokens[at - 1].capital;
        let other = |at: usize| {
            let token = view.token(at).filter(|token| token.is_unknown())?;
            (is_name && token.capital && self.true_value(view, at).is_none()).then_some(token)
        };
        let next = view.token(at)?;
        let last = match next.mark {
            Mark::None if next.is(ADDITIVE) => {
                let token = other(at + 1)
                    .or_else(|| view.token(at + 1).filter(|token| token.is(NUMBER)))?;
                (token.mark == Mark::None).then_some(at + 1)?
            }
            Mark::None if next.joined && next.is_unknown() => at,
            Mark::None if self.listed.is_none() && value + 1 == at => {
                other(at)?;
                at
            }
            _ => return None,
        };
        (!denied_later(view, last + 1)).then_some(last)
    }

    /// The token after the relation, with adverbs and auxiliaries before it and adverbs between its words; `None` with a
    /// negator among them.
    fn relation_end(&self, view: &ClauseView, mut at: usize) -> Option<usize> {
        let mut filling = 0;
        let start = at;
        for (n, word) in self.relation.iter().enumerate() {
            while !(view.range.contains(&at) && self.has_relation(view, word, at)) {
                let token = view.token(at)?;
                let fills =
                    token.is(ADVERB | MANNER | EMPHATIC) || n == 0 && token.is(AUXILIARY | CLITIC);
                if !fills || token.is(NEGATOR | SUBORDINATOR) || filling == MAX_FILLING {
                    return None;
                }
                filling += 1;
                at += 1;
            }
            // "The king's gate": "is" is not all that this can be.
            let sure = self.relation.len() > 1 || self.listed.is_some();
            if view.is(at, POSSESSIVE) && !sure {
                return None;
            }
            at += 1;
        }
        (at > start).then_some(at)
    }

    /// Whether a word of the relation is at `at`: in the present, the perfect, or a past that is no other time.
    pub fn has_relation(&self, view: &ClauseView, word: &FactWord, at: usize) -> bool {
        view.has(word, at)
            || self.listed.is_none()
                && !view.parsed.is_bygone
                && view.is(at, BE | HAVE)
                && view
                    .numbers
                    .get(at)
                    .copied()
                    .flatten()
                    .is_some_and(|number| word.past.contains(&number))
    }
}

/// The clause that token `at` belongs to.
fn clause_at<'a>(view: &ClauseView<'a>, at: usize) -> Option<&'a Clause> {
    let clauses = &view.parsed.clauses;
    clauses.get(clauses.partition_point(|clause| clause.range.end <= at))
}

/// Where a fragment ends that begins at `at`, after a colon, a dash or a pause: "is named: Bob".
fn fragment_end(whole: &ClauseView, at: usize) -> Option<usize> {
    let clause = clause_at(whole, at)?;
    let is_fragment = matches!(clause.link, Link::Colon | Link::Dash | Link::Comma)
        && clause.range.len() <= MAX_INSERTED
        && clause.range.clone().all(|at| !whole.is(at, VERB | SUBJECT));
    is_fragment.then_some(clause.range.end)
}

/// Whether what ends before `at` is denied by a negator that looks back ("named Bob no longer").
fn denied_later(view: &ClauseView, at: usize) -> bool {
    let reach = view.part_end(at);
    (at..reach)
        .find(|i| view.is(*i, NEGATOR))
        .is_some_and(|negator| (negator..reach).all(|i| view.parsed.tokens[i].is(EMPTY)))
}
