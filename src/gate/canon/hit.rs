//! Hits of patterns, and the words around them that make them say something else: "The friend of the king is dead", "None of us
//! returned from the hills", "Wat killed the troll's goat".

use super::parsed::ParsedSentence;
use super::tags::{
    ADVERB, ARTICLE, AUXILIARY, DEMONSTRATIVE, DETERMINER, EXCEPT, NEGATOR, NO_ARTICLE, NOBODY,
    NUMBER, OBJECT, OTHER, POSSESSIVE, PREPOSITION, SUBORDINATOR, Tags, VERB,
};
use super::token::{Mark, Token};
use std::ops::Range;

/// Words that lead to the noun that a hit begins with.
const LEADING: Tags = ARTICLE | DETERMINER | DEMONSTRATIVE;

/// Whether the words around a hit, in characters of the text, make it say something else. A hit that begins or ends inside a word
/// is taken as it is.
pub fn says_something_else(parsed: &ParsedSentence, chars: &Range<usize>) -> bool {
    let Some(hit) = Hit::of(parsed, chars) else {
        return false;
    };
    let ends_otherwise = hit
        .last
        .is_some_and(|last| hit.is_owner(last) || hit.is_denied_behind(last));
    ends_otherwise
        || match hit.begins_with_noun() {
            true => hit.is_of_another(),
            false => hit.is_of_none(),
        }
}

/// A hit among the words of its sentence.
struct Hit<'a> {
    tokens: &'a [Token],
    clause: Range<usize>,
    first: usize,
    /// `None` where it ends inside a word.
    last: Option<usize>,
}

impl<'a> Hit<'a> {
    fn of(parsed: &'a ParsedSentence, chars: &Range<usize>) -> Option<Self> {
        let tokens = &parsed.tokens;
        let first = tokens.iter().position(|token| token.start == chars.start)?;
        let mut clauses = parsed.clauses.iter().map(|clause| &clause.range);
        Some(Self {
            tokens,
            clause: clauses.find(|range| range.contains(&first))?.clone(),
            first,
            last: tokens.iter().rposition(|token| token.end == chars.end),
        })
    }

    fn is(&self, at: usize, tags: Tags) -> bool {
        self.tokens[at].is(tags)
    }

    /// The token before `at` in the same part of the clause.
    fn before(&self, at: usize) -> Option<usize> {
        (at > self.clause.start && self.tokens[at].mark == Mark::None).then(|| at - 1)
    }

    /// "Wat killed the troll's goat."
    fn is_owner(&self, last: usize) -> bool {
        let (owner, owned) = (self.tokens.get(last + 1), self.tokens.get(last + 2));
        owner.is_some_and(|owner| owner.is(POSSESSIVE) && owner.start == self.tokens[last].end)
            && owned.is_some_and(|owned| owned.is_unknown() && owned.mark == Mark::None)
    }

    /// "Jannik tötete den Riesen nicht."
    fn is_denied_behind(&self, last: usize) -> bool {
        let in_clause = |at: usize| (at < self.clause.end).then(|| &self.tokens[at]);
        in_clause(last + 1).is_some_and(|next| next.is(NEGATOR) && next.mark == Mark::None)
            && in_clause(last + 2).is_none_or(|behind| behind.mark != Mark::None)
    }

    fn begins_with_noun(&self) -> bool {
        let noun = (self.first..self.tokens.len()).find(|at| !self.is(*at, LEADING));
        let noun = noun.unwrap_or(self.first);
        !self.is(noun, VERB) && self.tokens[noun].is_unknown()
    }

    /// Whether the noun that the hit begins with only belongs to what the clause tells of, or is denied: "the friend of the king",
    /// "none of the gold", "no king". Or the clause is a condition: "Had the duke died, ..".
    fn is_of_another(&self) -> bool {
        let mut at = self.first;
        if self
            .before(at)
            .is_some_and(|before| self.is(before, NO_ARTICLE))
        {
            return true;
        }
        // One word alone: "first of all the king" is no "all of the king".
        if let Some(next) = self.before(at).filter(|next| self.is(*next, LEADING)) {
            at = next;
        }
        let Some(preposition) = self.before(at) else {
            return false;
        };
        if preposition == self.clause.start {
            return self.is(preposition, AUXILIARY);
        }
        let is_of = self.is(preposition, PREPOSITION) && !self.is(preposition, SUBORDINATOR | VERB);
        let of = self.before(preposition).filter(|_| is_of);
        of.is_some_and(|of| self.tokens[of].is_unknown() || self.is(of, NOBODY | NUMBER | OTHER))
    }

    /// Whether the clause denies the subject of the verb that the hit begins with: "None of the hunters", "not one of them".
    fn is_of_none(&self) -> bool {
        let mut at = self.first;
        while let Some(next) = self
            .before(at)
            .filter(|next| self.is(*next, AUXILIARY | ADVERB))
        {
            at = next;
        }
        if self
            .before(at)
            .is_some_and(|before| self.is(before, NEGATOR))
        {
            return true;
        }
        while let Some(next) = self.before(at) {
            let behind = self.before(next);
            if self.is(next, NOBODY | NO_ARTICLE) || self.is(next, NEGATOR) && self.is(at, NUMBER) {
                // "Without an heir the king has died."
                let is_object = self.is(next, PREPOSITION)
                    || behind.is_some_and(|behind| self.is(behind, PREPOSITION));
                return !is_object;
            }
            let is_of_subject = self.tokens[next].is_unknown()
                || self.is(next, LEADING | PREPOSITION | OBJECT | NUMBER);
            // Of two nouns side by side the first one is no part of the subject.
            let begins = self.is(next, LEADING)
                && !behind
                    .is_some_and(|behind| self.is(behind, PREPOSITION | NOBODY | NUMBER | NEGATOR));
            if !is_of_subject || begins || self.is(next, EXCEPT) {
                return false;
            }
            at = next;
        }
        false
    }
}
