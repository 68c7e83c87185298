//! A denial that leaves out what was just asked, or says it first (SCENARIO.md section 7, "Canon, elliptic denial"): "Dead? The
//! king is not." "Named Arthur the king is not."

use super::tags::{
    ADVERB, ARTICLE, AUXILIARY, CONJUNCTION, CONTRAST, DO, FIRST, NEGATOR, SUBJECT, VERB,
};
use super::view::{ClauseView, TokenRange};
use super::word::{FactWord, Phrase};

/// Words that say nothing of their own in such a clause or question.
const FILLING: u64 = ARTICLE | ADVERB | AUXILIARY | DO | CONJUNCTION | CONTRAST;

/// The fact, denied by a clause that ends in a verb and a negator. What the clause lacks of the fact's words must be all that
/// the question right before it asks; without a question it must stand before the subject.
pub fn elliptic_denial(
    words: &Phrase,
    view: &ClauseView,
    question: Option<&ClauseView>,
) -> Option<TokenRange> {
    if view.falsehood.is_some() {
        return None;
    }
    let last = denied_verb(view)?;
    let mut found = vec![false; words.len()];
    let mut pronoun = false;
    for at in view.range.start..last {
        if mark(words, view, at, &mut found) || view.is(at, FILLING) {
            continue;
        }
        // "He is not." speaks of whom the question names; "I am not." does not.
        pronoun |= view.is(at, SUBJECT) && !view.is(at, FIRST);
        if !pronoun || !view.is(at, SUBJECT) {
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

/// The place of the negator that a clause ends in, behind its verb and adverbs. A clause with two negators has none.
fn denied_verb(view: &ClauseView) -> Option<usize> {
    let mut negators = view.range.clone().filter(|at| view.is(*at, NEGATOR));
    let last = negators.next().filter(|at| at + 1 == view.range.end)?;
    let verb = (view.range.start..last)
        .rev()
        .find(|at| !view.is(*at, ADVERB))?;
    view.is(verb, VERB).then_some(last)
}

/// Notes which of the fact's words stand at `at`. False where none does.
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
