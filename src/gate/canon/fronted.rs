//! Another value of a slot that comes first: "Three coins a room costs", "In Harrow the saint was born", "Red is our banner",
//! "Bob is what the king is called", "It is Bob who is the king".

use super::slot::SlotMatcher;
use super::tags::{
    ADVERB, ARTICLE, AUXILIARY, BE, CONJUNCTION, DETERMINER, NEGATOR, NO_ARTICLE, NOBODY, NUMBER,
    SUBORDINATOR, THAT, THIRD, TITLE,
};
use super::token::{Mark, Token};
use super::view::{ClauseView, TokenRange};
use super::word::{FactWord, Phrase};
use std::ops::Range;

/// The most words of a value that comes first.
const MOST: usize = 5;

impl SlotMatcher {
    /// Another value with which the clause begins.
    pub fn fronted_value(&self, view: &ClauseView) -> Option<TokenRange> {
        let range = view.range.clone();
        if view.falsehood.is_some() {
            return None;
        }
        let mut value = range
            .clone()
            .find(|at| !view.is(*at, ADVERB | CONJUNCTION))?;
        // "It was in Harrow that ..": what follows the value must be such a clause.
        let is_cleft = view.is(value, THIRD) && view.is(value + 1, BE);
        if is_cleft {
            value += 2;
        }
        // Of "was born in" the preposition comes before the value.
        let (last, before) = self.relation.split_last()?;
        let is_led = self.relation_leads && !before.is_empty();
        let relation = if is_led { before } else { &self.relation };
        if is_led {
            if !view.has(last, value) {
                return None;
            }
            value += 1;
        }
        let is_value = |at: &usize| {
            let is_first = *at == value;
            view.token(*at).is_some_and(|token| {
                let is_noun = token.is_unknown() || token.is(NUMBER | TITLE);
                let begins = is_first && token.is(ARTICLE | DETERMINER);
                (is_noun || begins) && (is_first || token.mark == Mark::None)
            })
        };
        let mut ends = (value..value + MOST).take_while(is_value).map(|at| at + 1);
        ends.find_map(|end| {
            let last = self.rest_of_fronted(view, relation, value..end, is_cleft, is_led)?;
            let denies = |at: usize| view.is(at, NEGATOR | NO_ARTICLE | NOBODY);
            let is_denied = (range.start..=last).any(denies);
            let is_other = !is_denied && self.is_other(view, value..end, is_led);
            is_other.then_some((value, last))
        })
    }

    /// The last token of the clause, if subject and relation follow the value and nothing else does.
    fn rest_of_fronted(
        &self,
        view: &ClauseView,
        relation: &[FactWord],
        value: Range<usize>,
        is_cleft: bool,
        is_led: bool,
    ) -> Option<usize> {
        let Range { start, end } = value;
        let joins = |at: usize| view.is(at, SUBORDINATOR | THAT);
        let subject = |at: usize| {
            let ends = self.subjects.iter();
            ends.filter_map(|subject| view.after(subject, at)).max()
        };
        let verb = |at: usize| self.relation_at(view, relation, at);
        let is_over = |at: &usize| {
            let next = (*at..view.range.end).find(|at| !view.is(*at, ADVERB));
            next.is_none_or(|next| view.parsed.tokens[next].mark != Mark::None)
        };
        // Where the subject is: behind "that", behind "is what", or behind the value.
        let behind = match is_cleft {
            true => view.is(end, THAT).then_some(end + 1),
            false if view.is(end, BE) && joins(end + 1) => Some(end + 2),
            // "Bob, that is what ..": the pronoun only repeats the value.
            false if joins(end) && view.is(end + 1, BE) && joins(end + 2) => Some(end + 3),
            false => Some(end),
        };
        // "The price a room costs" is no value of it.
        let is_plain = is_led || behind != Some(end) || !view.is(start, ARTICLE | DETERMINER);
        let in_order = behind.filter(|_| is_plain);
        let in_order = in_order.and_then(subject).and_then(verb).filter(is_over);
        // "The miller has the mill" says nothing of what the mill has; "nine coins costs a room" does.
        let mut values = self.values.iter().flatten();
        let is_number = view.is(start, NUMBER) && values.any(|word| word.is_amount);
        let is_sure = is_led || view.is(end, BE) || is_number;
        let turned = || {
            let from = end + usize::from(is_cleft && joins(end));
            let is_turned = is_cleft == (from > end) && relation.len() == 1;
            let subject = verb(from).and_then(subject).filter(is_over);
            subject.filter(|_| is_turned && (is_sure || is_cleft && view.is(from, BE)))
        };
        in_order.or_else(turned).map(|end| end - 1)
    }

    /// The token after the words of the relation, with auxiliaries and adverbs before them.
    fn relation_at(&self, view: &ClauseView, relation: &[FactWord], at: usize) -> Option<usize> {
        let mut at = at;
        for word in relation {
            while !self.has_relation(view, word, at) {
                if !view.is(at, ADVERB | AUXILIARY) {
                    return None;
                }
                at += 1;
            }
            at += 1;
        }
        Some(at)
    }

    /// Whether words that come first are another value than the true one.
    fn is_other(&self, view: &ClauseView, value: Range<usize>, is_led: bool) -> bool {
        let is_article = |at: &usize| view.is(*at, ARTICLE);
        let Some(first) = value.clone().find(|at| !is_article(at)) else {
            return false;
        };
        match &self.listed {
            Some(listed) => listed.iter().any(|other| {
                let ends = |at: usize| view.after(other, at) == Some(value.end);
                ends(first) || ends(value.start)
            }),
            None => {
                // "Berta" is no other value than "Old Berta", nor are "two silver coins" other than "two coins".
                let is_part = |words: &Phrase| {
                    (first..value.end).all(|at| words.iter().any(|word| view.has(word, at)))
                };
                let is_true = |at: usize| self.true_value(view, at) == Some(value.end);
                if (first..value.end).any(is_true) {
                    return false;
                }
                // "In winter the saint was born"
                let is_named = |token: &Token| token.capital || !self.is_name || !is_led;
                !self.values.iter().any(is_part) && view.token(first).is_some_and(is_named)
            }
        }
    }
}
