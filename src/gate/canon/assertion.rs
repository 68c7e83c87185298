//! Facts that deny something, and the statements that assert it (SCENARIO.md section 7, "Canon in memory"): of "The gods do not
//! sleep" the words without the negator contradict it.

use super::grammar::Grammar;
use super::tags::{
    ADVERB, ARTICLE, DENYING, DETERMINER, DO, FUNCTION, NEGATOR, NO_ARTICLE, NOBODY, PREPOSITION,
};
use super::token::{Mark, Token};
use super::view::{ClauseView, TokenRange};
use super::word::{FactWord, Phrase, WordNumbers};

/// How many other words may stand between two words of what is asserted.
const MAX_BETWEEN: usize = 3;

/// The words of a negative fact without what denies; `None` where nothing denies, where a negator leaves less than a subject
/// and a verb, or where the subject itself is nobody: such a fact needs patterns.
pub fn denied_words(
    fact: &[Token],
    grammar: &Grammar,
    numbers: &mut WordNumbers,
) -> Option<Phrase> {
    let denies = |token: &Token| token.is(NEGATOR | NO_ARTICLE);
    if !fact.iter().any(denies) {
        return None;
    }
    let mut words = Phrase::new();
    let mut is_bare = false;
    for (at, token) in fact.iter().enumerate() {
        if denies(token) {
            continue;
        }
        // "do not sleep": the verb stands in its bare form, and its other forms assert it, too.
        if token.is(DO) && fact.get(at + 1).is_some_and(denies) {
            is_bare = true;
            continue;
        }
        words.push(match is_bare && !token.is(ADVERB) {
            true => FactWord::of_bare_verb(&token.word, grammar, numbers),
            false => FactWord::new(&token.word, grammar, numbers),
        });
        is_bare &= token.is(ADVERB);
    }
    let content = words.iter().filter(|word| !word.is_article).count();
    (content >= 2).then_some(words)
}

/// Finds the words in order in a clause that does not deny them.
pub fn assertion(words: &Phrase, view: &ClauseView) -> Option<TokenRange> {
    if view.falsehood.is_some() {
        return None;
    }
    view.range.clone().find_map(|first| {
        let last = said_from(words, view, first)?;
        (!is_denied(view, first, last)).then_some((first, last))
    })
}

/// The last token of the words, when they begin at `first`.
fn said_from(words: &Phrase, view: &ClauseView, first: usize) -> Option<usize> {
    let has = |word: &FactWord, at: usize| view.has(word, at) && !view.is_denying_article(at);
    // An article may be left out or another one: "The king has an heir" against "The king has no heir".
    let mut words = words
        .iter()
        .skip_while(|word| word.is_article)
        .filter(|word| !word.is_article);
    let mut last = first;
    if !has(words.next()?, first) {
        return None;
    }
    for word in words {
        let next = (last + 1..=last + 1 + MAX_BETWEEN)
            .take_while(|at| {
                view.token(*at)
                    .is_some_and(|token| token.mark == Mark::None)
            })
            .find(|at| has(word, *at))?;
        let between = |at: usize| {
            let is_filling = view.is(at, ADVERB | ARTICLE | DETERMINER | DO)
                && !view.is(at, NEGATOR | NO_ARTICLE);
            // "a young heir", and not "has lost his heir"
            is_filling || view.is(at - 1, ARTICLE | DETERMINER) && !view.is(at, FUNCTION)
        };
        if !(last + 1..next).all(between) {
            return None;
        }
        last = next;
    }
    Some(last)
}

/// Whether something denies the words `first..=last`, or they speak of another than the fact does.
fn is_denied(view: &ClauseView, first: usize, last: usize) -> bool {
    let part = (view.range.start..first)
        .rev()
        .take_while(|at| !view.is_boundary(*at + 1));
    let before: Vec<usize> = part.collect();
    let denies = |at: &usize| view.is(*at, NEGATOR | NO_ARTICLE | NOBODY);
    let article = before
        .iter()
        .find(|at| !view.is(**at, ARTICLE | ADVERB | DETERMINER));
    let of_another = article.is_some_and(|at| view.is(*at, PREPOSITION));
    let mut after = last + 1..view.part_end(last + 1);
    // "I do not doubt that the gods sleep."
    let doubted = before.iter().any(|at| view.is(*at, DENYING));
    of_another || before.iter().any(denies) && !doubted || after.any(|at| denies(&at))
}
