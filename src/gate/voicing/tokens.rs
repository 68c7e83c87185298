//! The words and signs of a text, and phrases among them.

use crate::text::fold::{fold, is_spaceless, is_word_char};
use std::collections::BTreeMap;
use std::ops::Range;

/// A word, or a sign that is no word.
#[derive(Debug, Clone)]
pub(super) struct Token {
    /// The word, folded; the sign as it is written.
    pub(super) text: String,
    pub(super) is_word: bool,
    pub(super) range: Range<usize>,
}

/// The words of a text. In a script without spaces each letter is a word.
pub(super) fn tokens_of(text: &str, offset: usize) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut goes_on = false;
    for (at, c) in text.char_indices() {
        let end = offset + at + c.len_utf8();
        let is_word = is_word_char(c);
        match tokens.last_mut() {
            Some(last) if goes_on && is_word && !is_spaceless(c) => {
                last.text.push(c);
                last.range.end = end;
            }
            _ if c.is_whitespace() => {}
            _ => tokens.push(Token {
                text: c.to_string(),
                is_word,
                range: offset + at..end,
            }),
        }
        goes_on = is_word && !is_spaceless(c);
    }
    for token in tokens.iter_mut().filter(|token| token.is_word) {
        token.text = fold(&token.text);
    }
    tokens
}

/// Phrases, found by their first word.
#[derive(Debug, Default)]
pub(super) struct Phrases(BTreeMap<String, Vec<(Vec<String>, usize)>>);

impl Phrases {
    pub(super) fn of<'w>(entries: impl IntoIterator<Item = &'w String>) -> Self {
        let mut phrases = Self::default();
        for entry in entries {
            phrases.add(entry, 0);
        }
        phrases
    }

    pub(super) fn add(&mut self, phrase: &str, of: usize) {
        let words: Vec<String> = tokens_of(phrase, 0)
            .into_iter()
            .map(|token| token.text)
            .collect();
        if let Some(first) = words.first().cloned() {
            self.0.entry(first).or_default().push((words, of));
        }
    }

    /// The longest phrase that begins at this token: how many tokens it has, and whose it is.
    pub(super) fn at(&self, tokens: &[Token], at: usize) -> Option<(usize, usize)> {
        let known = self.0.get(&tokens.get(at)?.text)?;
        let stands = |words: &[String]| {
            let here = tokens.get(at..at + words.len());
            here.is_some_and(|here| {
                here.iter()
                    .zip(words)
                    .all(|(token, word)| token.text == *word)
            })
        };
        known
            .iter()
            .filter(|(words, _)| stands(words))
            .map(|(words, of)| (words.len(), *of))
            .max_by_key(|(len, _)| *len)
    }

    pub(super) fn has(&self, tokens: &[Token], at: usize) -> bool {
        self.at(tokens, at).is_some()
    }
}
