//! Clauses of a sentence.

use super::tags::{
    ADDITIVE, ADVERB, ARTICLE, BEFORE_NOUN, CONJUNCTION, DEMONSTRATIVE, DETERMINER, FUNCTION,
    NEGATOR, POSSESSIVE, PREPOSITION, PRONOUN, SUBJECT, SUBORDINATOR, THAT, VERB,
};
use super::token::{Mark, Token};
use std::ops::Range;

/// How a clause is joined to the one before it in its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// It is the first.
    Start,
    /// A dash or a semicolon joins them.
    Dash,
    /// A colon joins them.
    Colon,
    /// Only a comma joins them.
    Comma,
    /// A word such as "and" or "or" joins them.
    Adding {
        /// Whether a comma comes before the conjunction.
        comma: bool,
        /// Whether "that" comes after it.
        that: bool,
    },
    /// A word such as "but" joins them.
    Contrast,
}

/// A clause: a range of the tokens of its sentence.
#[derive(Debug, Clone)]
pub struct Clause {
    /// Its tokens.
    pub range: Range<usize>,
    /// How it is joined to the one before it.
    pub link: Link,
}

/// Cuts a sentence into clauses. `verb_endings`: the endings by which an unknown word may be a finite verb.
pub fn clauses(tokens: &[Token], verb_endings: &[String]) -> Vec<Clause> {
    let mut clauses: Vec<Clause> = Vec::new();
    let mut start = 0;
    let mut link = Link::Start;
    let mut has_verb = false;
    for (i, token) in tokens.iter().enumerate() {
        if i > start
            && let Some(next) = link_before(tokens, i, has_verb)
        {
            clauses.push(Clause {
                range: start..i,
                link,
            });
            (start, link, has_verb) = (i, next, false);
        }
        has_verb |=
            token.is(VERB) || (i > start && may_be_verb(&tokens[i - 1], token, verb_endings));
    }
    if start < tokens.len() {
        clauses.push(Clause {
            range: start..tokens.len(),
            link,
        });
    }
    clauses
}

/// Whether a word in no table may be a finite verb, by its ending.
pub fn may_be_verb(before: &Token, token: &Token, endings: &[String]) -> bool {
    !before.is(BEFORE_NOUN)
        && endings.iter().any(|ending| {
            token.word.len() > ending.len() + 1 && token.word.ends_with(ending.as_str())
        })
}

/// The link before token `i`, when a clause begins there.
fn link_before(tokens: &[Token], i: usize, has_verb: bool) -> Option<Link> {
    let token = &tokens[i];
    match token.mark {
        Mark::Dash => return Some(Link::Dash),
        Mark::Colon => return Some(Link::Colon),
        Mark::Comma | Mark::None => {}
    }
    let comma = token.mark == Mark::Comma;
    let conjunction = token.is(CONJUNCTION);
    // "so green" is no conjunction: only with a new subject and verb does it count.
    let from = if conjunction { i + 1 } else { i };
    if !comma && !conjunction {
        return None;
    }
    let subject = subject_and_verb(tokens, from, conjunction)?;
    if !(has_verb || conjunction && subject.is(SUBJECT)) {
        return None;
    }
    // "He said that .., that ..": a further content clause.
    let content = !conjunction && token.is(THAT) && subject.start != token.start;
    Some(if content {
        Link::Adding { comma, that: true }
    } else if !conjunction {
        Link::Comma
    } else if token.is(ADDITIVE) {
        let that = tokens.get(i + 1).is_some_and(|next| next.is(THAT));
        Link::Adding { comma, that }
    } else {
        Link::Contrast
    })
}

/// The first word of the subject, when a subject and its verb begin at token `from`.
fn subject_and_verb(tokens: &[Token], from: usize, conjunction: bool) -> Option<&Token> {
    /// The most words of a noun phrase that is looked through.
    const LONGEST: usize = 8;
    let mut at = from;
    while at < from + 3 && tokens.get(at)?.is(ADVERB | THAT) {
        at += 1;
    }
    let mut first = tokens.get(at)?;
    if at > from && first.mark > Mark::Comma {
        return None;
    }
    // "that" alone may be the subject itself.
    if at > from && tokens[at - 1].is(PRONOUN) && first.is(VERB) {
        return Some(&tokens[at - 1]);
    }
    if conjunction && first.is(SUBORDINATOR) && !first.is(PRONOUN) {
        at += 1;
        first = tokens.get(at)?;
    }
    let unbroken = |token: &&Token| token.mark == Mark::None;
    let next = tokens[at + 1..]
        .iter()
        .take(4)
        .take_while(unbroken)
        .find(|token| !token.is(ADVERB | NEGATOR));
    if first.is(SUBJECT) {
        return next
            .filter(|t| !t.is(CONJUNCTION | PREPOSITION | ARTICLE))
            .map(|_| first);
    }
    if first.is(PRONOUN)
        && next.is_some_and(|t| t.is(VERB) || (!first.is(DEMONSTRATIVE) && !t.is(FUNCTION)))
    {
        return Some(first);
    }
    let marked = first.is(ARTICLE | DETERMINER | DEMONSTRATIVE);
    if !marked && first.is(FUNCTION | ADVERB) {
        return None;
    }
    let stop = if marked {
        CONJUNCTION
    } else {
        FUNCTION & !VERB
    };
    let limit = if marked { LONGEST } else { 3 };
    let mut phrase = tokens[at + 1..]
        .iter()
        .take(limit)
        .take_while(unbroken)
        .enumerate();
    let found = phrase.find(|(i, t)| {
        let noun_first = !marked || *i > 0;
        let possessive = t.is(POSSESSIVE)
            && !tokens
                .get(at + 2 + i)
                .is_some_and(|after| after.is(NEGATOR | ADVERB | ARTICLE));
        t.is(stop) || (noun_first && t.is(VERB) && !possessive)
    });
    found.filter(|(_, t)| t.is(VERB)).map(|_| first)
}
