//! Words that are spelled letter by letter, or in short pieces.

use super::plain::{LONGEST_PIECE, SPELLED};
use super::sign::{Kind, Sign, in_word, is_letter};
use std::ops::Range;

/// The longest gap between two letters that are spelled, in characters.
const LONGEST_GAP: usize = 20;

/// A text whose spelled words are in one piece.
pub struct Joined {
    pub in_one: Vec<Sign>,
    /// The same with the wider blanks between spelled letters; `None` where all are equally wide.
    pub in_words: Option<Vec<Sign>>,
    pub changed: bool,
}

/// Words that are spelled letter by letter, or in short pieces, in one piece.
pub fn joined(signs: &[Sign]) -> Joined {
    let (mut in_one, mut in_words) = (Vec::with_capacity(signs.len()), None::<Vec<Sign>>);
    let mut changed = false;
    let mut at = 0;
    while at < signs.len() {
        let Some(Spelled { pieces, end }) = spelled(signs, at) else {
            let (start, end) = (at, after_word(signs, at));
            for out in [Some(&mut in_one), in_words.as_mut()].into_iter().flatten() {
                out.extend_from_slice(&signs[start..end]);
            }
            at = end;
            continue;
        };
        changed = true;
        let blanks = |n: usize| {
            let gap = &signs[pieces[n - 1].end..pieces[n].start];
            gap.iter().filter(|sign| sign.c.is_whitespace()).count()
        };
        let narrowest = (1..pieces.len()).map(blanks).min().unwrap_or_default();
        for (n, piece) in pieces.iter().enumerate() {
            if n > 0 && blanks(n) > narrowest {
                let blank = Sign {
                    c: ' ',
                    ..signs[piece.start - 1]
                };
                in_words.get_or_insert_with(|| in_one.clone()).push(blank);
            }
            // A word may begin and end next to each single letter, but not next to a longer piece.
            let is_single = |n: usize| pieces[n].len() == 1;
            let apart = n == 0 || is_single(n) || is_single(n - 1);
            for out in [Some(&mut in_one), in_words.as_mut()].into_iter().flatten() {
                out.push(Sign {
                    apart,
                    ..signs[piece.start]
                });
                out.extend_from_slice(&signs[piece.start + 1..piece.end]);
            }
        }
        // "n i g h t¹": a footnote is no part of the word.
        let sign = signs.get(end).filter(|next| next.kind == Kind::Sign);
        for out in [Some(&mut in_one), in_words.as_mut()].into_iter().flatten() {
            out.extend(sign.map(|sign| Sign { c: ' ', ..*sign }));
        }
        at = end;
    }
    Joined {
        in_one,
        in_words,
        changed,
    }
}

/// A word that is spelled.
struct Spelled {
    pieces: Vec<Range<usize>>,
    /// The sign after it.
    end: usize,
}

/// The word that is spelled from here on; `None` where none begins here.
fn spelled(signs: &[Sign], at: usize) -> Option<Spelled> {
    let first = short_piece(signs, at)?;
    let collect = |fits: &dyn Fn(&Range<usize>, &Range<usize>) -> bool| {
        let mut pieces = vec![first.clone()];
        while let Some(last) = pieces.last()
            && let Some(next) = next_piece(signs, last.end)
            && fits(last, &next)
        {
            pieces.push(next);
        }
        pieces
    };
    let ornament = |last: &Range<usize>, next: &Range<usize>| {
        let gap = signs[last.end..next.start].iter().map(|sign| sign.c);
        gap.filter(|c| !c.is_whitespace()).collect::<String>()
    };
    let is_tight = |last: &Range<usize>, next: &Range<usize>| {
        let mut gap = signs[last.end..next.start].iter();
        gap.all(|sign| !sign.c.is_whitespace())
    };
    let letters = match first.len() {
        1 => collect(&|_, next| next.len() == 1),
        _ => Vec::new(),
    };
    let cut = collect(&is_tight);
    if cut.len() >= SPELLED && cut.len() > letters.len() {
        let end = cut.last()?.end;
        return Some(Spelled { pieces: cut, end });
    }
    let mut kinds = letters.windows(2).map(|pair| ornament(&pair[0], &pair[1]));
    let kind = kinds.next()?;
    let is_even = kinds.all(|other| other == kind);
    if letters.len() < SPELLED || letters.len() == SPELLED && !is_even {
        return None;
    }
    let end = letters.last()?.end;
    // "J. R. R. Tolkien": the last dot belongs to the initials, and ends no sentence.
    let is_initials =
        is_even && kind == "." && letters.iter().all(|at| signs[at.start].c.is_uppercase());
    let has_dot = signs.get(end).is_some_and(|sign| sign.c == '.');
    Some(Spelled {
        pieces: letters,
        end: end + usize::from(is_initials && has_dot),
    })
}

/// The piece of a word that follows after a gap of spelling.
fn next_piece(signs: &[Sign], from: usize) -> Option<Range<usize>> {
    let rest = signs[from..].iter().take(LONGEST_GAP + 1);
    let gap = rest.take_while(|sign| !in_word(sign)).count();
    let fits = (1..=LONGEST_GAP).contains(&gap);
    short_piece(signs, from + gap).filter(|_| fits)
}

/// A few letters that begin here, with no other part of a word before or after them.
fn short_piece(signs: &[Sign], at: usize) -> Option<Range<usize>> {
    let letters = signs.get(at..)?.iter().take(LONGEST_PIECE + 1);
    let count = letters.take_while(|sign| is_letter(sign.c)).count();
    let end = at + count;
    let touches = |at: Option<usize>| {
        let near = at.and_then(|at| signs.get(at));
        near.is_some_and(|near| in_word(near) && near.kind != Kind::Sign)
    };
    let is_piece = (1..=LONGEST_PIECE).contains(&count);
    (is_piece && !touches(at.checked_sub(1)) && !touches(Some(end))).then_some(at..end)
}

/// The place after the word that begins here, or after one other sign.
fn after_word(signs: &[Sign], at: usize) -> usize {
    let word = signs[at..].iter().take_while(|sign| in_word(sign));
    at + word.count().max(1)
}
