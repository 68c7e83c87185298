//! Ornaments of markup, which a renderer does not show.

use super::plain::begins_markup;
use super::sign::{Sign, is_letter};

/// The longest tag or comment between two letters that is looked through, in characters.
const LONGEST_TAG: usize = 1_000;

/// The longest run of ornaments between two letters that is looked through, in characters.
const LONGEST_MARKUP: usize = 2_000;

/// How far from a word marks of emphasis are looked for, in characters.
const MARKS: usize = 4;

/// Words in one piece that ornaments of markup cut, and without what a renderer does not show.
pub fn without_markup(signs: Vec<Sign>, changed: &mut bool) -> Vec<Sign> {
    if !signs.iter().any(|sign| begins_markup(sign.c)) {
        return signs;
    }
    let mut out: Vec<Sign> = Vec::with_capacity(signs.len());
    let mut at = 0;
    // Whether markup was left out since the last letter.
    let mut cut = false;
    while at < signs.len() {
        let here = signs[at];
        let is_letter_at = |at: usize| signs.get(at).is_some_and(|sign| is_letter(sign.c));
        let skipped = match begins_markup(here.c) {
            false => at,
            true if out.last().is_some_and(|last| is_letter(last.c)) => {
                let end = markup_end(&signs, at);
                if is_letter_at(end) { end } else { at }
            }
            true => at,
        };
        let skipped = match skipped > at {
            true => skipped,
            false => at + hidden(&signs[at..]),
        };
        // Emphasis around a word: "_dead_", "~~dead~~".
        let is_mark = |sign: &&Sign| matches!(sign.c, '*' | '_' | '~' | '`');
        let before = || signs[..at].iter().rev().take(MARKS);
        let after = || signs[at..].iter().take(MARKS);
        let touches = || {
            before()
                .find(|sign| !is_mark(sign))
                .is_some_and(|sign| is_letter(sign.c))
                || after()
                    .find(|sign| !is_mark(sign))
                    .is_some_and(|sign| is_letter(sign.c))
        };
        if skipped > at {
            (*changed, cut) = (true, true);
            at = skipped;
        } else if is_mark(&&here) && touches() {
            (*changed, cut) = (true, true);
            at += 1;
        } else {
            out.push(Sign {
                cut: here.cut || cut,
                ..here
            });
            cut = false;
            at += 1;
        }
    }
    out
}

/// The length of a tag, a comment, an entity or empty brackets at the start of `rest`; 0 where none begins there.
fn hidden(rest: &[Sign]) -> usize {
    let is_tag = || {
        let next = rest.get(1);
        next.is_some_and(|next| next.c.is_ascii_alphabetic() || matches!(next.c, '/' | '!' | '?'))
    };
    match rest[0].c {
        '<' if !is_tag() => 0,
        '*' | '_' | '~' | '`' | '|' | '^' | '\\' => 0,
        _ => piece(rest),
    }
}

/// The length of the ornament at the start of `rest`; 0 where none begins there.
fn piece(rest: &[Sign]) -> usize {
    match rest[0].c {
        '*' | '_' | '~' | '`' | '|' | '^' | '\\' => 1,
        '<' => closed_by(rest, '>', LONGEST_TAG),
        '[' => closed_by(rest, ']', 3),
        '(' => closed_by(rest, ')', 3),
        '{' => closed_by(rest, '}', 3),
        '&' => closed_by(rest, ';', 20),
        _ => 0,
    }
}

/// Where a run of ornaments ends that begins at `at`.
fn markup_end(signs: &[Sign], mut at: usize) -> usize {
    let limit = signs.len().min(at + LONGEST_MARKUP);
    while at < limit {
        match piece(&signs[at..limit]) {
            0 => break,
            len => at += len,
        }
    }
    at
}

/// The length of a piece that `close` ends; 0 where it does not end within `longest` characters, or where a bracket holds
/// something.
fn closed_by(rest: &[Sign], close: char, longest: usize) -> usize {
    // A tag holds no other: so each opening is looked at once.
    let inside = rest
        .iter()
        .skip(1)
        .take(longest)
        .take_while(|sign| close != '>' || sign.c != '<');
    let end = inside
        .into_iter()
        .position(|sign| sign.c == close)
        .map(|at| at + 1);
    let Some(end) = end else { return 0 };
    let inside = &rest[1..end];
    let holds = match close {
        '>' => false,
        ';' => !inside.iter().all(|sign| sign.c.is_ascii_alphanumeric()),
        _ => inside.iter().any(|sign| !sign.c.is_whitespace()),
    };
    if holds { 0 } else { end + 1 }
}
