//! A denial that leaves out what was just asked, or says it first: "Dead? The
//! king is not." "Named Arthur the king is not."

use super::tags::{
    ADVERB, ARTICLE, ASSENT, ATTRIBUTIVE, AUXILIARY, BEHIND, CLITIC, CONJUNCTION, CONTRAST, DO,
    FIRST, NEGATOR, NO_ARTICLE, PRONOUN, SUBJECT, THAT, THIRD, TRUTH, Tags, VERB,
};
use super::token::Mark;
use super::view::{ClauseView, MAX_GAP, TokenRange};
use super::word::{FactWord, Phrase};

/// Words that add no meaning in such a clause or question.
const FILLING: Tags = ARTICLE | ADVERB | AUXILIARY | DO | CONJUNCTION | CONTRAST;

/// The fact, denied by a clause that ends in a verb and a negator. The fact's words that the clause lacks must be all that the
/// question right before it asks; without a question they must come before the subject.
pub fn elliptic_denial(
    words: &Phrase,
    view: &ClauseView,
    question: Option<&ClauseView>,
) -> Option<TokenRange> {
    if view.falsehood.is_some() {
        return None;
    }
    let last = denied_verb(view)?;
    // "The guards do not take bribes? They do not." agrees.
    if words.iter().any(|word| view.has(word, last)) {
        return None;
    }
    let mut found = vec![false; words.len()];
    let mut pronoun = false;
    for at in view.range.start..last {
        if mark(words, view, at, &mut found) || view.is(at, FILLING) {
            continue;
        }
        // "He is not." speaks of the person that the question names; "I am not." does not.
        let is_other = view.is(at, SUBJECT | THIRD) && !view.is(at, FIRST);
        pronoun |= is_other;
        if !is_other {
            return None;
        }
    }
    let here = found.iter().filter(|found| **found).count();
    let is_whole = here == words.len() && !pronoun;
    let is_asked = || {
        let question = question?;
        let mut asked = vec![false; words.len()];
        let all = question
            .range
            .clone()
            .all(|at| mark(words, question, at, &mut asked) || question.is(at, FILLING));
        let missing = asked
            .iter()
            .zip(&found)
            .any(|(asked, here)| *asked && !here);
        let covered = asked
            .iter()
            .zip(&found)
            .all(|(asked, here)| *asked || *here);
        (all && missing && covered).then_some(())
    };
    (is_whole || is_asked().is_some()).then_some((view.range.start, last))
}

/// A negative fact that was just asked or reported, denied by a clause that says no more than that it is so: "They say the gods do not
/// sleep, but they do."
pub fn elliptic_assertion(
    words: &Phrase,
    view: &ClauseView,
    question: Option<&ClauseView>,
) -> Option<TokenRange> {
    let question = question.filter(|question| question.range.len() <= MAX_GAP)?;
    let (mut has_subject, mut has_verb) = (false, false);
    for at in view.range.clone() {
        let is_word = words.iter().any(|word| view.has(word, at));
        let is_subject = view.is(at, SUBJECT | THIRD) && !view.is(at, FIRST);
        // "So it is" agrees.
        let agrees = view.is(at, ASSENT | ATTRIBUTIVE);
        if agrees
            || view.is(at, NEGATOR | NO_ARTICLE)
            || !is_subject && !is_word && !view.is(at, FILLING)
        {
            return None;
        }
        has_subject |= is_subject || is_word;
        has_verb |= view.is(at, AUXILIARY | DO);
    }
    if view.falsehood.is_some() || !has_subject || !has_verb {
        return None;
    }
    let mut was_denied = vec![false; words.len()];
    let mut asked = question.range.clone();
    let says_fact = asked
        .all(|at| mark(words, question, at, &mut was_denied) || question.is(at, FILLING | NEGATOR));
    let last = view.range.end.checked_sub(1)?;
    (says_fact && !was_denied.contains(&false)).then_some((view.range.start, last))
}

/// The fact, denied by a clause that has its words in another order: a negator, the fact's words, and nothing else.
pub fn inverted_denial(words: &Phrase, view: &ClauseView) -> Option<TokenRange> {
    if view.falsehood.is_some() {
        return None;
    }
    let is_word = |at: usize| words.iter().any(|word| view.has(word, at));
    let filled = view
        .range
        .clone()
        .find(|at| !view.is(*at, FILLING) || view.is(*at, NEGATOR) || is_word(*at))?;
    let mut found = vec![false; words.len()];
    let mut order = Vec::new();
    let mut negators = 0;
    for at in filled..view.range.end {
        let token = view.token(at)?;
        if at > filled && token.mark != Mark::None {
            return None;
        }
        let is_phrase = token.is(NEGATOR) && token.is(NO_ARTICLE);
        if !is_phrase && mark(words, view, at, &mut found) {
            order.push(at);
            continue;
        }
        // "Never was the sky so blue."
        if token.is(BEHIND | ATTRIBUTIVE) {
            return None;
        }
        if token.is(NEGATOR) {
            let begins = at == filled || !view.is(at - 1, NEGATOR);
            negators += usize::from(begins);
        } else if !token.is(FILLING | CLITIC) {
            return None;
        }
    }
    let last = view.range.end.checked_sub(1)?;
    let first = *order.first()?;
    // In the fact's own order its words are looked at more closely.
    let leads_to_verb = view.is(filled, NEGATOR)
        && (filled + 1..first)
            .any(|at| view.is(at, AUXILIARY | DO | VERB) && !view.is(at, NEGATOR));
    let is_inverted = leads_to_verb
        || !words.first().is_some_and(|word| view.has(word, first))
        || words.len() == order.len()
            && !words
                .iter()
                .zip(&order)
                .all(|(word, at)| view.has(word, *at));
    (negators == 1 && is_inverted && found.iter().all(|found| *found)).then_some((filled, last))
}

/// Whether some words say nothing but the fact, in any order.
pub fn states(words: &Phrase, view: &ClauseView) -> bool {
    let mut found = vec![false; words.len()];
    let says_no_more = view.range.clone().all(|at| {
        // "Is it true that the king is alive", "Is the king not alive"
        mark(words, view, at, &mut found)
            || view.is(at, FILLING | TRUTH | PRONOUN | THAT | CLITIC | NEGATOR)
    });
    let denials = view
        .range
        .clone()
        .filter(|at| view.is(*at, NEGATOR) && !words.iter().any(|word| view.has(word, *at)));
    // "Isn't the king alive? No." denies as "Is the king alive? No." does; "Is the king no longer alive? No." does not.
    let is_negative = denials.into_iter().any(|at| at > view.range.start + 1);
    says_no_more && !is_negative && found.iter().all(|found| *found)
}

/// The index of the negator that ends a clause, after its verb and adverbs. A clause with two negators has none.
fn denied_verb(view: &ClauseView) -> Option<usize> {
    let mut negators = view.range.clone().filter(|at| view.is(*at, NEGATOR));
    let last = negators.next().filter(|at| at + 1 == view.range.end)?;
    let verb = (view.range.start..last)
        .rev()
        .find(|at| !view.is(*at, ADVERB))?;
    view.is(verb, VERB).then_some(last)
}

/// Notes which of the fact's words are at `at`. False if none is.
fn mark(words: &[FactWord], view: &ClauseView, at: usize, found: &mut [bool]) -> bool {
    let mut is_word = false;
    for (word, found) in words.iter().zip(found) {
        if view.has(word, at) {
            *found = true;
            is_word = true;
        }
    }
    is_word
}
