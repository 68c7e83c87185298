//! Pronouns that refer to what was named last: "What of the king? He is not alive."

use super::grammar::Grammar;
use super::tags::{
    ADVERB, ARTICLE, ASSENT, CONJUNCTION, DEMONSTRATIVE, DETERMINER, FALSE, FALSEHOOD, HEARSAY,
    NEGATOR, NO, POSSESSIVE, REPORT, RIGHT, SUBJECT, THAT, THIRD, TO, TRUTH, VERB, YES,
};
use super::token::{Mark, Token};
use std::collections::HashMap;

/// The subjects of all facts.
#[derive(Debug, Default)]
pub struct Subjects(HashMap<Vec<String>, Vec<String>>);

impl Subjects {
    /// Takes note of a subject, as the fact has it: an article or the like, and words of no table.
    pub fn add(&mut self, subject: &[Token]) {
        let leads = |token: &Token| token.is(ARTICLE | DETERMINER | DEMONSTRATIVE);
        let content = subject.iter().skip_while(|token| leads(token));
        if content.clone().all(Token::is_unknown) && content.clone().next().is_some() {
            let key = content.map(|token| token.word.clone()).collect();
            let words = subject.iter().map(|token| token.word.clone());
            self.0.entry(key).or_insert_with(|| words.collect());
        }
    }

    fn of(&self, noun: &[Token]) -> Option<&Vec<String>> {
        let key: Vec<String> = noun.iter().map(|token| token.word.clone()).collect();
        self.0.get(&key)
    }
}

/// What was named last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Named {
    /// Nothing.
    #[default]
    Nothing,
    /// The subject of a fact, in the fact's own words, and nothing else.
    One(Vec<String>),
    /// Something else, or more than one: the meaning of a pronoun is unknown.
    Others,
}

impl Named {
    fn add(&mut self, subject: Option<&Vec<String>>) {
        *self = match (&*self, subject) {
            (Self::Nothing, Some(subject)) => Self::One(subject.clone()),
            (Self::One(known), Some(subject)) if known == subject => return,
            _ => Self::Others,
        };
    }
}

/// Puts the subject that was named last in the place of each pronoun that begins a clause. Gives back what these tokens name.
pub fn resolve(
    tokens: &mut Vec<Token>,
    before: &Named,
    subjects: &Subjects,
    grammar: &Grammar,
) -> Named {
    if subjects.0.is_empty() {
        return Named::Nothing;
    }
    let mut named = Named::Nothing;
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while at < tokens.len() {
        let token = &tokens[at];
        let begins = at == 0
            || token.mark != Mark::None
            || tokens[at - 1].is(ADVERB | CONJUNCTION | NO | YES);
        let last = match named {
            Named::Nothing => before,
            _ => &named,
        };
        if let (true, Named::One(words)) = (begins && is_pronoun(tokens, at), last) {
            out.extend(words.iter().enumerate().map(|(n, word)| Token {
                word: word.clone(),
                tags: grammar.tags(word),
                mark: if n == 0 { token.mark } else { Mark::None },
                ..token.clone()
            }));
            named = Named::One(words.clone());
            at += 1;
            continue;
        }
        let end = noun_end(tokens, at);
        if end > at {
            let first = if tokens[at].is_unknown() { at } else { at + 1 };
            let is_owner = tokens.get(end).is_some_and(|next| next.is(POSSESSIVE));
            named.add(subjects.of(&tokens[first..end]).filter(|_| !is_owner));
            out.extend_from_slice(&tokens[at..end]);
            at = end;
            continue;
        }
        out.push(token.clone());
        at += 1;
    }
    *tokens = out;
    match named {
        Named::Nothing => before.clone(),
        named => named,
    }
}

/// Where a noun phrase ends that begins at `at`; `at` where none does.
fn noun_end(tokens: &[Token], at: usize) -> usize {
    let token = &tokens[at];
    let unknown = |from: usize, capital: bool| {
        let phrase = tokens[from..].iter().enumerate().take_while(|(n, token)| {
            token.is_unknown()
                && (*n == 0 && capital || token.mark == Mark::None)
                && (!capital || token.capital)
        });
        from + phrase.count()
    };
    if token.is(ARTICLE | DETERMINER | DEMONSTRATIVE) {
        let end = unknown(at + 1, false);
        let is_joined = tokens
            .get(at + 1)
            .is_some_and(|next| next.mark == Mark::None);
        return if end > at + 1 && is_joined { end } else { at };
    }
    // At the beginning of a sentence every word has a capital.
    let is_name = token.capital
        && token.is_unknown()
        && (at > 0 || tokens.get(1).is_none_or(|next| next.is(VERB)));
    if is_name { unknown(at, true) } else { at }
}

/// Whether a pronoun of the third person is at `at`, as the subject of a statement about what it means.
fn is_pronoun(tokens: &[Token], at: usize) -> bool {
    let token = &tokens[at];
    if !token.is(THIRD) || token.quoted {
        return false;
    }
    let rest = tokens[at + 1..]
        .iter()
        .take_while(|token| token.mark == Mark::None);
    let mut rest = rest.take(12).peekable();
    let goes_on = rest
        .peek()
        .is_some_and(|next| next.is(VERB | ADVERB | NEGATOR));
    // "It is true that ..", "he is right", "it is said".
    let of_words = FALSE | RIGHT | ASSENT | FALSEHOOD | TRUTH | THAT | TO | HEARSAY;
    let of_words = if token.is(SUBJECT) {
        FALSE | RIGHT | ASSENT
    } else {
        of_words | REPORT
    };
    goes_on && !rest.any(|token| token.is(of_words))
}
