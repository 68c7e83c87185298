//! What a clause says of another one: that it is true, or not. "The king is alive. That is a lie."
//! "Is the king alive? No."

use super::tags::{
    ADVERB, ARTICLE, ASSENT, AUXILIARY, BEHIND, CLITIC, CONJUNCTION, CONTRAST, DEMONSTRATIVE,
    DETERMINER, FALSE, FIRST, NEGATOR, NO, NO_ARTICLE, NOT_NEGATING, OBJECT, PRONOUN, RIGHT,
    SECOND, SUBJECT, SUBORDINATOR, THAT, Tags, VAGUE, YES,
};
use super::token::{Mark, Token};
use std::ops::Range;

/// What a verdict is about, by its subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// It has none: "False."
    Bare,
    /// What was said: "That is false."
    Words,
    /// The speaker: "They lie."
    Person,
}

/// What a clause or sentence says of the one before it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Verdict {
    /// "Yes", "no".
    pub answer: Option<bool>,
    /// "That is true", "that is a lie".
    pub judgement: Option<(bool, About)>,
    /// Whether it says nothing else.
    pub is_all: bool,
}

/// Words that add no meaning in a verdict.
const FILLING: Tags = ADVERB
    | PRONOUN
    | DEMONSTRATIVE
    | SUBJECT
    | OBJECT
    | AUXILIARY
    | CLITIC
    | ARTICLE
    | CONJUNCTION
    | CONTRAST
    | DETERMINER
    | SUBORDINATOR
    | THAT
    | NEGATOR
    | NO_ARTICLE;

/// The verdict at the beginning of some tokens.
pub fn verdict(tokens: &[Token], range: Range<usize>) -> Verdict {
    let mut found = Verdict::default();
    let mut at = range.start;
    while at < range.end {
        let end = (at + 1..range.end)
            .find(|i| tokens[*i].mark != Mark::None)
            .unwrap_or(range.end);
        match Part::of(&tokens[at..end]) {
            Part::Filling => {}
            Part::Answer(truth) => {
                found.answer.get_or_insert(truth);
            }
            Part::Judgement(truth, about) => {
                found.judgement = Some((truth, about));
                found.is_all = end == range.end;
                break;
            }
            Part::Other => break,
        }
        at = end;
    }
    found
}

/// What the words between two marks are.
enum Part {
    /// An interjection.
    Filling,
    Answer(bool),
    Judgement(bool, About),
    Other,
}

impl Part {
    fn of(tokens: &[Token]) -> Self {
        if tokens
            .iter()
            .all(|token| token.is(ADVERB | CONJUNCTION) && !token.is(YES | NO | RIGHT))
        {
            return Self::Filling;
        }
        let judges = |token: &Token| token.is(FALSE | RIGHT | ASSENT);
        let fits = |at: usize| {
            let token = &tokens[at];
            let stresses = || token.is_unknown() && tokens.get(at + 1).is_some_and(judges);
            !token.quoted
                && (judges(token)
                    || token.is(YES | NO)
                    || token.is(FILLING) && !token.is(FIRST)
                    || stresses())
        };
        // "Something is wrong."
        let first = tokens
            .iter()
            .find(|token| token.is(VAGUE) || !token.is(ADVERB));
        if !(0..tokens.len()).all(fits) || first.is_some_and(|token| token.is(VAGUE)) {
            return Self::Other;
        }
        let has = |tags| tokens.iter().any(|token| token.is(tags));
        let denials = tokens.iter().enumerate().filter(|(at, token)| {
            let first_of_phrase = !(*at > 0 && tokens[at - 1].is(NEGATOR));
            token.is(NEGATOR | NO_ARTICLE) && !token.is(FALSE | ASSENT | BEHIND) && first_of_phrase
        });
        let is_denied = denials.count() % 2 == 1;
        // "That is no lie" is a phrase that assents.
        let is_false = tokens
            .iter()
            .any(|token| token.is(FALSE) && !token.is(ASSENT));
        if !is_false && has(ASSENT) {
            return Self::Judgement(!is_denied, Self::about(tokens));
        }
        if has(FALSE) {
            let is_taken_back = tokens
                .iter()
                .any(|token| token.is(FALSE) && token.is(NOT_NEGATING));
            return Self::Judgement(is_denied || is_taken_back, Self::about(tokens));
        }
        if has(RIGHT) {
            return Self::Judgement(!is_denied, Self::about(tokens));
        }
        if has(NO) {
            return Self::Answer(false);
        }
        if has(YES) && !is_denied {
            return Self::Answer(true);
        }
        Self::Other
    }

    fn about(tokens: &[Token]) -> About {
        let mut subjects = tokens.iter().filter(|token| !token.is(ARTICLE | ADVERB));
        let subject =
            subjects.find(|token| token.is(SUBJECT | PRONOUN | DEMONSTRATIVE | SUBORDINATOR));
        match subject {
            Some(subject) if subject.is(SUBJECT | SECOND) => About::Person,
            Some(_) => About::Words,
            None => About::Bare,
        }
    }
}
