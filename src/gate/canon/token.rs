//! One word of a dialogue, and the punctuation before it.

use super::tags::{MEANING, Tags};

/// The punctuation before a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub enum Mark {
    /// Nothing but white space.
    None,
    /// A comma, a bracket, or any other mark that ends no clause.
    Comma,
    /// A colon.
    Colon,
    /// A semicolon or a dash.
    Dash,
}

/// One word of a dialogue.
#[derive(Debug, Clone)]
pub struct Token {
    /// The word, folded.
    pub word: String,
    /// Its first character, counted in the whole dialogue.
    pub start: usize,
    /// The character after its last one.
    pub end: usize,
    /// The punctuation between the word before it and itself.
    pub mark: Mark,
    /// What it may be.
    pub tags: Tags,
    /// Whether it is in quotation marks.
    pub quoted: bool,
    /// Whether it begins with a capital and goes on in small letters.
    pub capital: bool,
    /// Whether a mark without white space joins it to the word before it ("Jean-Luc").
    pub joined: bool,
}

impl Token {
    /// Whether it may be one of `tags`.
    pub fn is(&self, tags: Tags) -> bool {
        self.tags & tags != 0
    }

    /// Whether no table of the lexicon says which part of a clause it is: a noun, a name, an adjective, a rare verb.
    pub fn is_unknown(&self) -> bool {
        self.tags & !MEANING == 0
    }
}

impl Mark {
    /// The mark in `gap`, the text between two words.
    pub fn between(gap: &str) -> Self {
        if gap.trim().is_empty() {
            return Self::None;
        }
        if gap.contains(['—', '–', '―', '‒', '⸺', '⸻', '−', ';', '；', '؛'])
            || gap.contains("--")
            || gap.contains(" - ")
        {
            return Self::Dash;
        }
        if gap.contains([':', '：']) {
            return Self::Colon;
        }
        if gap.contains([',', '،', '、', '(', ')', '[', ']', '!', '?', '.', '/', '…']) {
            return Self::Comma;
        }
        Self::None
    }
}
