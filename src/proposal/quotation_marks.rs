//! Quotation marks, and where a quotation ends.

use super::white_space::GAP;

/// Marks that open a quotation, and those that may close it. The last four only ever enclose a whole line, because inside a
/// text an apostrophe looks the same.
pub(super) const PAIRS: [(char, &[char]); 13] = [
    ('"', &['"', '”', '“']),
    ('＂', &['＂']),
    ('“', &['”', '"', '“']),
    ('„', &['“', '”', '"']),
    ('«', &['»']),
    ('»', &['«', '»']),
    ('「', &['」']),
    ('『', &['』']),
    ('”', &['”']),
    ('‘', &['’']),
    ('‚', &['‘', '’']),
    ('‹', &['›']),
    ('\'', &['\'']),
];

/// Marks that open or close a quotation and are never an apostrophe.
pub(super) fn is_double(c: char) -> bool {
    matches!(
        c,
        '"' | '＂' | '“' | '”' | '„' | '«' | '»' | '「' | '」' | '『' | '』'
    )
}

/// Whether the sign at `at` has a word after it and none before it.
fn begins_word(text: &str, at: usize) -> bool {
    let before = text[..at].chars().next_back();
    let behind = text[at..].chars().nth(1);
    before.is_none_or(|c| c.is_whitespace() || c == GAP)
        && behind.is_some_and(|c| !c.is_whitespace())
}

/// Finds the ends of quotations, each stretch of text being searched at most once for each kind of quote.
#[derive(Default)]
pub(super) struct Quotes {
    paragraph_end: usize,
    none_before: [usize; 7],
}

impl Quotes {
    /// Whether the character at byte `at` is a mark with which a quotation may begin.
    pub(super) fn opens(text: &str, at: usize, c: char) -> bool {
        let behind_digit = at > 0 && text.as_bytes()[at - 1].is_ascii_digit();
        matches!(c, '“' | '„' | '«' | '「' | '『')
            || c == '"' && !behind_digit
            || c == '»' && begins_word(text, at)
    }

    /// The place after a quotation that begins at byte `at`, if one does.
    pub(super) fn end(&mut self, text: &str, at: usize) -> Option<usize> {
        const KINDS: [(&str, &[char]); 7] = [
            ("\"", &['"']),
            ("“", &['”']),
            ("„", &['“', '”', '"']),
            ("«", &['»']),
            ("「", &['」']),
            ("『", &['』']),
            ("»", &['«']),
        ];
        let bytes = text.as_bytes();
        // Nearly all characters are none.
        if bytes
            .get(at)
            .is_none_or(|byte| byte.is_ascii() && *byte != b'"')
        {
            return None;
        }
        let kind = KINDS
            .iter()
            .position(|(open, _)| bytes[at..].starts_with(open.as_bytes()))?;
        let (open, closers) = KINDS[kind];
        if kind == 0 && at > 0 && bytes[at - 1].is_ascii_digit() || at < self.none_before[kind] {
            return None;
        }
        // It closes in most languages.
        if kind == 6 && !begins_word(text, at) {
            return None;
        }
        if at >= self.paragraph_end {
            self.paragraph_end = text[at..].find("\n\n").map_or(text.len(), |p| at + p);
        }
        let from = at + open.len();
        let close = text
            .get(from..self.paragraph_end)
            .and_then(|t| t.match_indices(closers).next());
        let Some((place, close)) = close else {
            self.none_before[kind] = self.paragraph_end;
            return None;
        };
        Some(from + place + close.len())
    }
}
