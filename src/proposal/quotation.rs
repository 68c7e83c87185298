//! Quotation marks: which belong together, and whether a whole text is in one pair.

use super::heads::are_only_labels;
use super::options::ParseOptions;
use super::quotation_marks::{PAIRS, is_double};
use super::scan::{Reading, Scan};

/// Whether the words of a text are one quoted string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Enclosed {
    /// They are not.
    No,
    /// They may be: the closing mark has not come, or only white space after it.
    Open,
    /// They are, between the marks at these bytes.
    Whole(usize, usize),
}

/// Whether the words of a text, without its markers, directions and leading labels, are one quoted string.
pub(super) fn enclosed(text: &str, reading: Reading, options: &ParseOptions) -> Enclosed {
    if !text.contains(|c| PAIRS.iter().any(|(open, _)| *open == c)) {
        return Enclosed::No;
    }
    let scan = Scan::new(text, reading, false, false, options.lexicon);
    enclosed_in(scan.kept(text), options)
}

/// The same of the characters of a text that are kept.
pub(super) fn enclosed_in(
    kept: impl Iterator<Item = (usize, char)>,
    options: &ParseOptions,
) -> Enclosed {
    let kept: Vec<(usize, char)> = kept.collect();
    let opens = |c: char| PAIRS.iter().find(|(open, _)| *open == c);
    // "Here's the reply: ..": an apostrophe opens nothing.
    let is_apostrophe = |at: usize, c: char| {
        !is_double(c)
            && at
                .checked_sub(1)
                .is_some_and(|before| kept[before].1.is_alphanumeric())
    };
    let Some((at, (_, closers))) = kept
        .iter()
        .enumerate()
        .filter(|(at, (_, c))| !is_apostrophe(*at, *c))
        .find_map(|(at, (_, c))| opens(*c).map(|pair| (at, pair)))
    else {
        return Enclosed::No;
    };
    let before: String = kept[..at].iter().map(|(_, c)| *c).collect();
    if !are_only_labels(&before, options) {
        return Enclosed::No;
    }
    let (open, mark) = kept[at];
    let is_word = |at: usize| kept.get(at).is_some_and(|(_, c)| c.is_alphanumeric());
    for (i, (place, c)) in kept.iter().enumerate().skip(at + 1) {
        let counts = match is_double(mark) {
            true => is_double(*c),
            // An apostrophe closes nothing.
            false => closers.contains(c) && !(is_word(i - 1) && is_word(i + 1)),
        };
        if !counts {
            continue;
        }
        let is_last = kept[i + 1..].iter().all(|(_, c)| c.is_whitespace());
        return match is_last && closers.contains(c) && i > at + 1 {
            true => Enclosed::Whole(open, *place),
            false => Enclosed::No,
        };
    }
    Enclosed::Open
}

/// A line without the quotation marks around all of it.
pub(super) fn without_quotes(line: &str) -> &str {
    let chars = line.char_indices();
    match enclosed_in(chars, &ParseOptions::default()) {
        Enclosed::Whole(open, close) => {
            let inner = line.get(open..close).unwrap_or_default();
            let mut inner = inner.chars();
            inner.next();
            inner.as_str().trim()
        }
        Enclosed::No | Enclosed::Open => line,
    }
}
