//! Lines that can be read but are no speech: a name of the format or of a thing, a time stamp, one sign, words repeated again and
//! again, or markup.
//!
//! | what is refused | not refused |
//! |---|---|
//! | a sentence of only names that machines use: `json_json`, `AppendEpisodic`, `open door_1`, the id of a thing | a name or alias of a thing, however it is written; any sentence with one other word |
//! | a sentence that is one word of the format, or the type of an action, in small letters and without an end mark: `null`, `describe` | `Move!`, `Speak.` |
//! | a sentence that is a date and a time with seconds: `2022-08-21T17:35:00` | numbers, dates, times, counting, addresses |
//! | a sentence that is one small letter eight times or more without an end mark, or one sign of a drawn line four times or more | sounds (`zzzzzzzz`, `Aaaaaargh!`), pauses (`......`) |
//! | the same in a row: a word 24 times, two words ten times, three or four words five times, more words four times, ten words (or a statement of seven) three times | a refrain, a chant, laughter |
//! | one sign 60 times in a row, a few letters over 80 letters in a row | |
//! | `{"`, `<\|` and `{{user}}` | braces and angle brackets alone |
//!
//! The gate judges a sentence by itself, and a repetition at the first word that is too much. So a line that is judged
//! sentence by sentence gets the same verdict as the whole line.

mod again;
mod names;

pub(super) use self::names::Names;

use self::again::{cycle, same_words, tokens};
use self::names::{Token, token_of};
use super::verdict::{Failure, FailureReason};
use crate::rules::RuleSeverity;
use crate::text::sentence::{is_closer, is_end_mark, sentences};
use crate::text::{Lexicon, Span, excerpt};
use std::ops::Range;

/// Whether words are speech that are not heard one by one: the words of a stage, or of an action.
pub(super) fn judge_words(names: Names, words: &str, lexicon: &Lexicon) -> Vec<Failure> {
    let sentences = sentences(words, lexicon).into_iter();
    let found = judge_sentences(names, words, sentences).into_iter();
    found.chain(judge_text(words)).collect()
}

/// The first of the sentences at these bytes of a text that is no speech, or has a part that is no speech.
pub(super) fn judge_sentences(
    names: Names,
    text: &str,
    mut sentences: impl Iterator<Item = Range<usize>>,
) -> Option<Failure> {
    sentences.find_map(|range| {
        let at = range.start;
        let (part, what) = no_speech(names, text.get(range)?)?;
        let part = at + part.start..at + part.end;
        let message = format!(
            "\"{}\" is not speech, but {what}: answer with what you say aloud",
            excerpt(text.get(part.clone()).unwrap_or_default())
        );
        Some(refused("degenerate", message, span_of(text, part)))
    })
}

/// What a whole text may not hold: the same words again and again, and markup.
pub(super) fn judge_text(text: &str) -> Option<Failure> {
    if let Some(at) = markup(text) {
        let message = "the line holds markup, which nobody can say aloud: answer with plain speech";
        return Some(refused(
            "markup",
            message.to_owned(),
            span_of(text, at..at + 1),
        ));
    }
    judge_repeated(text)
}

/// The same words again and again.
pub(super) fn judge_repeated(text: &str) -> Option<Failure> {
    let (range, again) = same_words(text).or_else(|| cycle(text))?;
    let message = format!(
        "the line says \"{}\" again and again: say it once, and then something else or nothing",
        excerpt(text.get(again).unwrap_or_default().trim())
    );
    Some(refused("degenerate", message, span_of(text, range)))
}

fn refused(rule: &str, message: String, span: Span) -> Failure {
    Failure {
        reason: FailureReason::InvalidFormat,
        rule: rule.to_owned(),
        severity: RuleSeverity::Hard,
        span: Some(span),
        message,
    }
}

/// A range of bytes as a span of characters.
pub(super) fn span_of(text: &str, bytes: Range<usize>) -> Span {
    let chars = |at: usize| text.get(..at).map_or(0, |before| before.chars().count());
    Span::of(text, chars(bytes.start), chars(bytes.end))
}

/// Where a JSON object, a token of a chat template, or a placeholder begins.
fn markup(text: &str) -> Option<usize> {
    text.match_indices(['{', '<'])
        .find(|(at, sign)| {
            let behind = &text[at + sign.len()..];
            match *sign {
                "<" => behind.starts_with(['|', '｜']),
                _ => behind.trim_start().starts_with('"') || is_placeholder(behind),
            }
        })
        .map(|(at, _)| at)
}

/// Whether this is what follows the first brace of a placeholder: `{{user}}`, `{player_name}`.
fn is_placeholder(behind: &str) -> bool {
    const NAMES: [&str; 9] = [
        "user",
        "char",
        "player",
        "npc",
        "name",
        "character",
        "username",
        "player_name",
        "user_name",
    ];
    let inner = behind.trim_start_matches(['{', ' ']);
    let end = inner.find('}').unwrap_or_default();
    NAMES.contains(&inner[..end].trim())
}

/// What the tokens are in a part of a sentence that has no word.
#[derive(Default)]
struct Part {
    tokens: usize,
    of_machines: usize,
    of_format: usize,
    of_actions: usize,
    drawls: usize,
    is_stamp: bool,
    ends_with_date: bool,
}

impl Part {
    fn add(&mut self, token: Token) {
        let behind_date = std::mem::replace(&mut self.ends_with_date, token == Token::Date);
        self.tokens += usize::from(token != Token::Signs);
        match token {
            Token::Machine => self.of_machines += 1,
            Token::Format => self.of_format += 1,
            Token::Action => self.of_actions += 1,
            Token::Drawl => self.drawls += 1,
            Token::Stamp => self.is_stamp = true,
            Token::TimeWithSeconds => self.is_stamp |= behind_date,
            Token::Word | Token::Date | Token::Number | Token::Signs => {}
        }
    }

    /// What it is. `is_bare`: it is a whole sentence, and no end mark follows it.
    fn what(&self, written: &str, is_bare: bool) -> Option<&'static str> {
        let is_one = |count: usize| count == 1 && self.tokens == 1 && is_bare;
        let is_format = self.of_format > 0 && self.of_format == self.tokens && is_bare;
        if self.of_machines > 0 || is_format || is_one(self.of_actions) {
            return Some("a name of the format, of an action or of a thing");
        }
        if self.is_stamp {
            return Some("a time stamp");
        }
        let is_line = self.tokens == 0 && is_drawn_line(written);
        (is_line || is_one(self.drawls)).then_some("one sign again and again")
    }
}

/// The first part of a sentence, up to an end mark, that is no speech: where, and what it is.
fn no_speech(names: Names, sentence: &str) -> Option<(Range<usize>, &'static str)> {
    let mut from = 0;
    let mut part = Part::default();
    let mut has_word = false;
    let mut tokens = tokens(sentence).peekable();
    while let Some((at, token)) = tokens.next() {
        if !has_word {
            let kind = token_of(names, token);
            // Most parts begin with a word.
            has_word = kind == Token::Word;
            part.add(kind);
        }
        let is_marked = token.trim_end_matches(is_closer).ends_with(is_end_mark);
        if !is_marked && tokens.peek().is_some() {
            continue;
        }
        let end = at + token.len();
        if !has_word {
            let written = sentence.get(from..end).unwrap_or_default();
            let begin = from + (written.len() - written.trim_start().len());
            let is_bare = !is_marked && from == 0;
            if let Some(what) = part.what(written.trim(), is_bare) {
                return Some((begin..end, what));
            }
        }
        (from, part, has_word) = (end, Part::default(), false);
    }
    None
}

/// One sign that draws a line, four times or more. A row of dots, of dashes of a broken word or of notes is a pause or a song.
fn is_drawn_line(signs: &str) -> bool {
    let mut rest = signs.chars();
    let draws = |c: char| {
        matches!(
            c,
            '-' | '_' | '=' | '#' | '/' | '\\' | '|' | '+' | '<' | '>'
        )
    };
    let first = rest.next().filter(|c| draws(*c));
    first.is_some_and(|first| rest.all(|c| c == first)) && signs.len() >= 4
}

#[cfg(test)]
mod tests;
