//! Hits of patterns, and the words around them that make them say something else: "The friend of the king is dead", "None of us
//! returned from the hills", "Wat killed the troll's goat".

use super::parsed::ParsedSentence;
use super::tags::{
    ADVERB, ARTICLE, AUXILIARY, DEMONSTRATIVE, DETERMINER, EXCEPT, NEGATOR, NO_ARTICLE, NOBODY,
    NUMBER, OBJECT, OTHER, POSSESSIVE, PREPOSITION, SUBORDINATOR, Tags, VERB,
};
use super::token::Mark;
use std::ops::Range;

/// Words that lead to the noun that a hit begins with.
const LEADING: Tags = ARTICLE | DETERMINER | DEMONSTRATIVE;

/// Whether the words around a hit, in characters of the text, make it say something else. A hit that begins or ends inside a word
/// is taken as it is.
pub fn says_something_else(parsed: &ParsedSentence, hit: &Range<usize>) -> bool {
    let tokens = &parsed.tokens;
    let Some(start) = tokens.iter().position(|token| token.start == hit.start) else {
        return false;
    };
    let end = tokens.iter().rposition(|token| token.end == hit.end);
    let clauses = parsed.clauses.iter().map(|clause| &clause.range);
    let Some(clause) = clauses.into_iter().find(|range| range.contains(&start)) else {
        return false;
    };
    let is = |at: usize, tags| tokens[at].is(tags);
    // The token before `at` in the same part of the clause.
    let before = |at: usize| (at > clause.start && tokens[at].mark == Mark::None).then(|| at - 1);
    let noun = (start..tokens.len())
        .find(|at| !is(*at, LEADING))
        .unwrap_or(start);
    let is_owned = end.is_some_and(|end| {
        let (owned, owner) = (tokens.get(end + 2), tokens.get(end + 1));
        owner.is_some_and(|owner| owner.is(POSSESSIVE) && owner.start == hit.end)
            && owned.is_some_and(|owned| owned.is_unknown() && owned.mark == Mark::None)
    });
    // "Jannik tötete den Riesen nicht."
    let is_denied = end.is_some_and(|end| {
        let behind = tokens.get(end + 2).filter(|_| end + 2 < clause.end);
        end + 1 < clause.end
            && is(end + 1, NEGATOR)
            && tokens[end + 1].mark == Mark::None
            && behind.is_none_or(|behind| behind.mark != Mark::None)
    });
    if is_owned || is_denied {
        return true;
    }
    let mut at = start;
    if !is(noun, VERB) && tokens[noun].is_unknown() {
        if before(at).is_some_and(|before| is(before, NO_ARTICLE)) {
            return true;
        }
        // One word alone: "first of all the king" is no "all of the king".
        if let Some(next) = before(at).filter(|next| is(*next, LEADING)) {
            at = next;
        }
        return before(at).is_some_and(|preposition| {
            if preposition == clause.start {
                // "Had the duke died, .."
                return is(preposition, AUXILIARY);
            }
            // "the friend of the king", "none of the gold"
            let is_of = is(preposition, PREPOSITION) && !is(preposition, SUBORDINATOR | VERB);
            let of = before(preposition).filter(|_| is_of);
            of.is_some_and(|of| tokens[of].is_unknown() || is(of, NOBODY | NUMBER | OTHER))
        });
    }
    while let Some(next) = before(at).filter(|next| is(*next, AUXILIARY | ADVERB)) {
        at = next;
    }
    if before(at).is_some_and(|before| is(before, NEGATOR)) {
        return true;
    }
    // "None of the hunters", "not one of them".
    while let Some(next) = before(at) {
        let behind = before(next);
        if is(next, NOBODY | NO_ARTICLE) || is(next, NEGATOR) && is(at, NUMBER) {
            // "Without an heir the king has died."
            let is_object =
                is(next, PREPOSITION) || behind.is_some_and(|behind| is(behind, PREPOSITION));
            return !is_object;
        }
        let is_of_subject =
            tokens[next].is_unknown() || is(next, LEADING | PREPOSITION | OBJECT | NUMBER);
        // Of two nouns side by side the first one is no part of the subject.
        let begins = is(next, LEADING)
            && !behind.is_some_and(|behind| is(behind, PREPOSITION | NOBODY | NUMBER | NEGATOR));
        if !is_of_subject || begins || is(next, EXCEPT) {
            return false;
        }
        at = next;
    }
    false
}
