//! Words that are spelled letter by letter, or in short pieces.

use super::plain::{LONGEST_PIECE, SPELLED};
use super::sign::{Kind, Sign, in_word, is_letter};
use crate::text::fold::look_alike;
use icu_properties::props::Script;
use std::collections::BTreeSet;
use std::ops::Range;

/// The longest gap between two letters that are spelled, in characters.
const LONGEST_GAP: usize = 20;

/// The text with its spelled words in one piece; where the blanks between their letters are of several widths, also with those
/// that are wider than the narrowest, and with the widest alone. Nothing where no word is spelled.
pub fn joined(signs: &[Sign]) -> Vec<Vec<Sign>> {
    let parts = parts(signs);
    let widths = parts.iter().filter_map(|part| match part {
        Part::Spelled(word) => Some(word.widths(signs)),
        Part::Other(_) => None,
    });
    let Some(most) = widths.map(|widths| widths.len()).max() else {
        return Vec::new();
    };
    let mut readings = vec![in_one_piece(signs, &parts, |_| None)];
    if most > 1 {
        readings.push(in_one_piece(signs, &parts, |widths| widths.get(1)));
    }
    if most > 2 {
        readings.push(in_one_piece(signs, &parts, |widths| widths.last()));
    }
    readings
}

/// A part of a text.
enum Part {
    Spelled(Spelled),
    Other(Range<usize>),
}

fn parts(signs: &[Sign]) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = 0;
    while at < signs.len() {
        let part = match spelled(signs, at) {
            Some(word) => Part::Spelled(word),
            None => Part::Other(at..after_word(signs, at)),
        };
        at = match &part {
            Part::Spelled(word) => word.end,
            Part::Other(place) => place.end,
        };
        parts.push(part);
    }
    parts
}

/// The text with its spelled words in one piece. `word_gap`: of the widths of the blanks in such a word, the narrowest one that parts
/// words; `None`: none does.
fn in_one_piece(
    signs: &[Sign],
    parts: &[Part],
    word_gap: impl Fn(&[usize]) -> Option<&usize>,
) -> Vec<Sign> {
    let mut out = Vec::with_capacity(signs.len());
    for part in parts {
        let word = match part {
            Part::Other(place) => {
                out.extend_from_slice(&signs[place.clone()]);
                continue;
            }
            Part::Spelled(word) => word,
        };
        let widths = word.widths(signs);
        let gap = word_gap(&widths).copied().unwrap_or(usize::MAX);
        let before = word.pieces[0].start.checked_sub(1).map(|at| signs[at]);
        // "¹n i g h t¹": a footnote is no part of the word.
        let blank = |sign: Sign| (sign.kind == Kind::Sign).then_some(Sign { c: ' ', ..sign });
        out.extend(before.and_then(blank));
        for (n, piece) in word.pieces.iter().enumerate() {
            if n > 0 && word.blanks(signs, n) >= gap {
                out.push(Sign {
                    c: ' ',
                    ..signs[piece.start - 1]
                });
            }
            // A word may begin and end next to each single letter, but not next to a longer piece.
            let is_single = |n: usize| word.pieces[n].len() == 1;
            let apart = n == 0 || is_single(n) || is_single(n - 1);
            out.push(Sign {
                apart,
                ..signs[piece.start]
            });
            out.extend_from_slice(&signs[piece.start + 1..piece.end]);
        }
        out.extend(signs.get(word.end).copied().and_then(blank));
    }
    out
}

/// A word that is spelled.
struct Spelled {
    pieces: Vec<Range<usize>>,
    /// The sign after it.
    end: usize,
}

impl Spelled {
    /// How many blanks are before piece `n`.
    fn blanks(&self, signs: &[Sign], n: usize) -> usize {
        let gap = &signs[self.pieces[n - 1].end..self.pieces[n].start];
        gap.iter().filter(|sign| sign.c.is_whitespace()).count()
    }

    /// The widths of the blanks between its pieces, each once, the narrowest first.
    fn widths(&self, signs: &[Sign]) -> Vec<usize> {
        let widths: BTreeSet<usize> = (1..self.pieces.len())
            .map(|n| self.blanks(signs, n))
            .collect();
        widths.into_iter().collect()
    }
}

/// The word that is spelled from here on; `None` where none begins here.
fn spelled(signs: &[Sign], at: usize) -> Option<Spelled> {
    let first = short_piece(signs, at)?;
    let collect = |fits: &dyn Fn(&Range<usize>, &Range<usize>) -> bool| {
        let mut pieces = vec![first.clone()];
        while let Some(last) = pieces.last()
            && let Some(next) = next_piece(signs, last.end)
            && are_of_one_word(&signs[last.start], &signs[next.start])
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
    let is_cut = signs.get(from).is_some_and(|sign| sign.cut);
    let fits = (usize::from(!is_cut)..=LONGEST_GAP).contains(&gap);
    short_piece(signs, from + gap).filter(|_| fits)
}

/// A few letters that begin here, with no other part of a word before or after them that markup does not cut off.
fn short_piece(signs: &[Sign], at: usize) -> Option<Range<usize>> {
    let letters = signs.get(at..)?.iter().take(LONGEST_PIECE + 1);
    let letters = letters
        .enumerate()
        .take_while(|(n, sign)| is_letter(sign.c) && (*n == 0 || !sign.cut));
    let end = at + letters.count();
    let touches = |before: Option<usize>| {
        let before = before.map(|before| (signs.get(before), signs.get(before + 1)));
        let Some((Some(before), Some(after))) = before else {
            return false;
        };
        let is_part = |sign: &Sign| in_word(sign) && sign.kind != Kind::Sign;
        is_part(before) && is_part(after) && !after.cut
    };
    let is_piece = (1..=LONGEST_PIECE).contains(&(end - at));
    (is_piece && !touches(at.checked_sub(1)) && !touches(Some(end - 1))).then_some(at..end)
}

/// Whether two letters may be of one word: of one script, or both seen as Latin letters.
fn are_of_one_word(one: &Sign, other: &Sign) -> bool {
    let is_latin = |sign: &Sign| match sign.kind {
        Kind::Letter(Script::Latin) | Kind::Any => true,
        _ => look_alike(sign.c).is_some(),
    };
    one.kind == other.kind || is_latin(one) && is_latin(other)
}

/// The place after the word that begins here, or after one other sign.
fn after_word(signs: &[Sign], at: usize) -> usize {
    let is_sign = |sign: &Sign| sign.kind == Kind::Sign;
    let word = signs[at..].iter();
    let word = word.take_while(|sign| in_word(sign) && is_sign(sign) == is_sign(&signs[at]));
    at + word.count().max(1)
}
