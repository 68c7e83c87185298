//! The tokens of a command, and the phrases of a table among them.

use crate::text::fold::fold;
use crate::text::lexicon::Imperatives;
use std::ops::Range;

/// Marks that open a stretch to be left alone, and what closes it.
const PAIRS: [(char, char, Kind); 11] = [
    ('"', '"', Kind::Quote),
    ('“', '”', Kind::Quote),
    ('”', '”', Kind::Quote),
    ('„', '“', Kind::Quote),
    ('«', '»', Kind::Quote),
    ('»', '«', Kind::Quote),
    ('›', '‹', Kind::Quote),
    ('‚', '‘', Kind::Quote),
    ('‘', '’', Kind::Quote),
    ('[', ']', Kind::Bracket),
    ('{', '}', Kind::Bracket),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Quote,
    Bracket,
    Comma,
    Colon,
    Stop,
    Question,
}

#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Its bytes in the text.
    pub(super) range: Range<usize>,
    /// The folded word; empty for all but words.
    pub(super) folded: String,
    /// Whether it is on a new line or after a quotation.
    pub(super) fresh: bool,
}

impl Token {
    pub(super) fn ends_sentence(&self) -> bool {
        matches!(self.kind, Kind::Stop | Kind::Question)
    }

    pub(super) fn is_quote(&self) -> bool {
        self.kind == Kind::Quote
    }
}

pub(super) fn count(tokens: &[Token], test: impl Fn(&Token) -> bool) -> usize {
    tokens.iter().take_while(|t| test(t)).count()
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

fn mark(c: char) -> Option<Kind> {
    Some(match c {
        ',' | '，' | '、' | '—' | '–' => Kind::Comma,
        ':' | '：' => Kind::Colon,
        '.' | ';' | '!' | '…' | '。' | '！' | '；' => Kind::Stop,
        '?' | '？' | '‽' => Kind::Question,
        _ => return None,
    })
}

/// The tokens of a text, from this byte on.
pub(super) fn tokens(text: &str, from: usize, words: &Imperatives) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut at = from;
    let mut fresh = false;
    while let Some(c) = text[at..].chars().next() {
        if is_blank(c) {
            fresh |= c == '\n';
            at += c.len_utf8();
            continue;
        }
        let (kind, len) = lexeme(&text[at..], c, words);
        let range = at..at + len;
        at += len;
        let folded = match kind {
            Kind::Word => fold(&text[range.clone()]),
            _ => String::new(),
        };
        if kind == Kind::Word && folded.is_empty() {
            continue;
        }
        fresh |= tokens.last().is_some_and(Token::is_quote);
        tokens.push(Token {
            kind,
            range,
            folded,
            fresh,
        });
        fresh = false;
    }
    tokens
}

/// The kind and length of the token that begins with `c` at the start of `rest`.
fn lexeme(rest: &str, c: char, words: &Imperatives) -> (Kind, usize) {
    if let Some(&(_, close, kind)) = PAIRS.iter().find(|pair| pair.0 == c) {
        let inner = &rest[c.len_utf8()..];
        let closed = inner.char_indices().find(|&(i, next)| {
            let behind = inner[i + next.len_utf8()..].chars().next();
            // A single mark within a word is an apostrophe.
            next == close && (c != '‘' || !behind.is_some_and(char::is_alphanumeric))
        });
        let len = closed.map_or(rest.len(), |(i, _)| c.len_utf8() + i + close.len_utf8());
        return (kind, len);
    }
    match mark(c) {
        Some(kind) => (kind, c.len_utf8()),
        None => (Kind::Word, word_len(rest, words)),
    }
}

fn word_len(rest: &str, words: &Imperatives) -> usize {
    let mut before = ' ';
    for (i, c) in rest.char_indices() {
        let opens = PAIRS.iter().any(|pair| pair.0 == c && !"‘”".contains(c));
        let behind = rest[i + c.len_utf8()..].chars().next().unwrap_or(' ');
        let glued = match c {
            // "3.5" and "R.Daneel" are one word, "the key.Then" is two.
            '.' => {
                behind.is_alphanumeric() && !(before.is_lowercase() && behind.is_uppercase())
                    || words.abbreviations.contains(&fold(&rest[..i]))
            }
            ',' | ':' => before.is_numeric() && behind.is_numeric(),
            _ => false,
        };
        if is_blank(c) || opens || c == '”' || (mark(c).is_some() && !glued) {
            return i;
        }
        before = c;
    }
    rest.len()
}

/// The length of the longest phrase of a table that `tokens` begin with; 0 when none does.
pub(super) fn at(table: &[String], tokens: &[Token]) -> usize {
    let lengths = table.iter().filter_map(|phrase| {
        let words = phrase.split_whitespace();
        begins(tokens, words.clone()).then(|| words.count())
    });
    lengths.max().unwrap_or(0)
}

pub(super) fn begins<'w>(tokens: &[Token], mut words: impl Iterator<Item = &'w str>) -> bool {
    let mut tokens = tokens.iter();
    words.all(|word| tokens.next().is_some_and(|t| t.folded == word))
}

/// The text between quotation marks.
pub(super) fn unquoted(quote: &str) -> &str {
    let Some(open) = quote.chars().next() else {
        return quote;
    };
    let inner = &quote[open.len_utf8()..];
    let close = PAIRS.iter().find(|pair| pair.0 == open).map(|pair| pair.1);
    let inner = close.and_then(|c| inner.strip_suffix(c)).unwrap_or(inner);
    inner.trim()
}
