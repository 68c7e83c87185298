//! Disguises: a text as a reader sees it who ignores ornaments.
//!
//! A writer who wants a forbidden word to be read, but not to be found, writes `s e c r e t`, `se*cr*et`, `🅂🄴🄲🅁🄴🅃` or
//! `s̶e̶c̶r̶e̶t̶`. Rules that forbid something therefore look in up to three readings of a text: as written,
//! [revealed](reveal()), and [bare] of accents. A hit in any of them counts. What is required must be there as written.
//!
//! | step of [`reveal`] | what it undoes | why it is safe |
//! |---|---|---|
//! | entities | `&#115;` for `s` | a numeric entity is one letter in every renderer |
//! | invisibles | interlinear marks, the object mark, the blank of Braille, default-ignorables | no reader sees them |
//! | overlays | combining strokes, underlines and enclosing marks | they change the looks of a letter, not the letter |
//! | letters in dress | circled, squared, bracketed letters, small capitals, regional indicators that are no flag, signs and digits that UTS 39 takes for a letter | they are read as that letter |
//! | joints | U+2011 and U+2027 between letters | they are hints where to break a line |
//! | markup | stars, underscores, tags, comments, empty brackets between two letters, and marks of emphasis around a word | a renderer shows the word in one piece |
//! | spelling | three or more single letters with the same kind of gaps | read aloud, they are one word |
//!
//! Not undone, since an honest line would suffer or no code could do it: encodings, ciphers, reversal, other languages,
//! typing errors, digits for letters, and one cut in a word ("sec ret").

mod plain;

use self::plain::{SPELLED, begins_markup, is_plain};
use super::fold::{is_ignorable, is_word_char, look_alike};
use super::reading::Reading;
use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup, Script},
};

/// One character on its way through the steps.
#[derive(Debug, Clone, Copy)]
struct Sign {
    c: char,
    start: u32,
    end: u32,
    apart: bool,
}

/// The longest tag or comment between two letters that is looked through, in characters.
const LONGEST_TAG: usize = 1_000;
/// The longest run of ornaments between two letters that is looked through, in characters.
const LONGEST_MARKUP: usize = 2_000;
/// The longest gap between two letters that are spelled, in characters.
const LONGEST_GAP: usize = 8;

/// The text without disguises; `None` where it has none. Linear in its length.
#[must_use]
pub fn reveal(text: &str) -> Option<Reading> {
    if is_plain(text) {
        return None;
    }
    let mut changed = false;
    let signs: Vec<Sign> = text
        .chars()
        .enumerate()
        .map(|(at, c)| Sign {
            c,
            start: at as u32,
            end: at as u32 + 1,
            apart: false,
        })
        .collect();
    let signs = decoded(signs, &mut changed);
    let signs = match signs.iter().all(|sign| sign.c.is_ascii()) {
        true => signs,
        false => undressed(signs, &mut changed),
    };
    let signs = without_markup(signs, &mut changed);
    let signs = joined(signs, &mut changed);
    changed.then(|| reading(&signs))
}

/// The text without accents and strokes on Latin letters; `None` where it has none. Linear in its length.
#[must_use]
pub fn bare(text: &str) -> Option<Reading> {
    if text.is_ascii() {
        return None;
    }
    let mut changed = false;
    let mut signs = Vec::with_capacity(text.len());
    for (at, c) in text.chars().enumerate() {
        let (start, end) = (at as u32, at as u32 + 1);
        let sign = |c| Sign {
            c,
            start,
            end,
            apart: false,
        };
        let on_letter = signs
            .last()
            .is_some_and(|last: &Sign| last.c.is_ascii_alphabetic());
        if on_letter && is_mark(c) {
            changed = true;
        } else if let Some(letter) = bare_letter(c) {
            changed = true;
            signs.push(sign(letter));
        } else {
            signs.push(sign(c));
        }
    }
    changed.then(|| reading(&signs))
}

fn reading(signs: &[Sign]) -> Reading {
    Reading {
        text: signs.iter().map(|sign| sign.c).collect(),
        origin: signs.iter().map(|sign| (sign.start, sign.end)).collect(),
        apart: signs
            .iter()
            .enumerate()
            .filter(|(_, sign)| sign.apart)
            .map(|(at, _)| at as u32)
            .collect(),
    }
}

/// Numeric entities become their character.
fn decoded(signs: Vec<Sign>, changed: &mut bool) -> Vec<Sign> {
    if !signs.iter().any(|sign| sign.c == '&') {
        return signs;
    }
    let mut out = Vec::with_capacity(signs.len());
    let mut at = 0;
    while at < signs.len() {
        match entity(&signs[at..]) {
            Some((c, len)) => {
                *changed = true;
                out.push(Sign {
                    c,
                    end: signs[at + len - 1].end,
                    ..signs[at]
                });
                at += len;
            }
            None => {
                out.push(signs[at]);
                at += 1;
            }
        }
    }
    out
}

/// The character of a numeric entity at the start of `signs`, and the entity's length.
fn entity(signs: &[Sign]) -> Option<(char, usize)> {
    let body: String = signs.iter().take(24).map(|sign| sign.c).collect();
    let body = body.strip_prefix("&#")?;
    let (digits, _) = body.split_once(';')?;
    let code = match digits.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    Some((char::from_u32(code)?, digits.chars().count() + 3))
}

/// Without invisible characters, and with plain letters for those in dress.
fn undressed(signs: Vec<Sign>, changed: &mut bool) -> Vec<Sign> {
    let mut out: Vec<Sign> = Vec::with_capacity(signs.len());
    for (at, sign) in signs.iter().enumerate() {
        let c = sign.c;
        if c.is_ascii() {
            out.push(*sign);
        } else if is_ignorable(c)
            || is_unseen(c)
            || is_overlay(c)
            || is_joint(c) && out.last().is_some_and(|last| is_letter(last.c))
        {
            *changed = true;
        } else if let Some(letter) = undressed_letter(c).filter(|_| !is_flag(&signs, at)) {
            *changed = true;
            out.push(Sign { c: letter, ..*sign });
        } else if let Some(letter) = sign_for_letter(c)
            && (out.last().is_some_and(|last| is_letter(last.c))
                || signs.get(at + 1).is_some_and(|next| is_letter(next.c)))
        {
            *changed = true;
            out.push(Sign { c: letter, ..*sign });
        } else {
            out.push(*sign);
        }
    }
    out
}

/// Marks for annotations and embedded objects, and the blank of Braille: nothing is seen of them inside a word.
pub(super) fn is_unseen(c: char) -> bool {
    matches!(c, '\u{fff9}'..='\u{fffc}' | '\u{2800}')
}

/// Hints where a line may or may not be broken.
fn is_joint(c: char) -> bool {
    matches!(c, '\u{2011}' | '\u{2027}')
}

/// Combining marks that strike a letter out, underline or enclose it.
fn is_overlay(c: char) -> bool {
    matches!(c,
        '\u{305}' | '\u{332}' | '\u{333}' | '\u{33f}' | '\u{334}'..='\u{338}' | '\u{347}' | '\u{35f}' | '\u{489}' | '\u{488}'
        | '\u{20d2}' | '\u{20d3}' | '\u{20d8}'..='\u{20da}' | '\u{20dd}'..='\u{20e0}' | '\u{20e2}'..='\u{20e6}' | '\u{20e8}'
        | '\u{20ea}' | '\u{20eb}' | '\u{1ab6}' | '\u{1abe}' | '\u{fe2d}' | '\u{fe2b}')
}

/// The plain letter of one in dress.
fn undressed_letter(c: char) -> Option<char> {
    const SMALL_CAPITALS: &str = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡ-ʏᴢ";
    // Alphabets in order: parenthesised, circled, squared, and both with white letters on black, regional indicators.
    const ALPHABETS: [u32; 8] = [
        0x249c, 0x24b6, 0x24d0, 0x1f110, 0x1f130, 0x1f150, 0x1f170, 0x1f1e6,
    ];
    let code = u32::from(c);
    let letter = |index: u32| char::from_u32(u32::from(b'a') + index);
    if let Some(first) = ALPHABETS
        .iter()
        .find(|first| (**first..**first + 26).contains(&code))
    {
        return letter(code - first);
    }
    if let Some(index) = SMALL_CAPITALS.chars().position(|small| small == c) {
        return letter(index as u32);
    }
    None
}

/// The letter that UTS 39 takes a digit or sign for; letters are looked at when a text is folded.
fn sign_for_letter(c: char) -> Option<char> {
    (!c.is_alphabetic()).then(|| look_alike(c)).flatten()
}

/// Whether a regional indicator is one of exactly two, which are a flag.
fn is_flag(signs: &[Sign], at: usize) -> bool {
    let indicates = |sign: &&Sign| matches!(sign.c, '\u{1f1e6}'..='\u{1f1ff}');
    let before = signs[..at]
        .iter()
        .rev()
        .take(2)
        .take_while(indicates)
        .count();
    let from = signs[at..].iter().take(3).take_while(indicates).count();
    from > 0 && before + from == 2
}

/// Words in one piece that ornaments of markup cut.
fn without_markup(signs: Vec<Sign>, changed: &mut bool) -> Vec<Sign> {
    if !signs.iter().any(|sign| begins_markup(sign.c)) {
        return signs;
    }
    let mut out: Vec<Sign> = Vec::with_capacity(signs.len());
    let mut at = 0;
    while at < signs.len() {
        let here = signs[at];
        if begins_markup(here.c) && out.last().is_some_and(|last| is_letter(last.c)) {
            let end = markup_end(&signs, at);
            if signs.get(end).is_some_and(|next| is_letter(next.c)) {
                *changed = true;
                at = end;
                continue;
            }
        }
        // Emphasis around a word: "_dead_".
        let touches = |at: Option<usize>| {
            at.and_then(|at| signs.get(at))
                .is_some_and(|sign| is_letter(sign.c))
        };
        if matches!(here.c, '*' | '_' | '~' | '`')
            && (touches(at.checked_sub(1)) || touches(Some(at + 1)))
        {
            *changed = true;
            at += 1;
            continue;
        }
        out.push(here);
        at += 1;
    }
    out
}

/// Where a run of ornaments ends that begins at `at`.
fn markup_end(signs: &[Sign], mut at: usize) -> usize {
    let limit = signs.len().min(at + LONGEST_MARKUP);
    while at < limit {
        let rest = &signs[at..limit];
        let len = match rest[0].c {
            '*' | '_' | '~' | '`' | '|' | '^' | '\\' => 1,
            '<' => closed_by(rest, '>', LONGEST_TAG),
            '[' => closed_by(rest, ']', 3),
            '(' => closed_by(rest, ')', 3),
            '{' => closed_by(rest, '}', 3),
            '&' => closed_by(rest, ';', 20),
            _ => 0,
        };
        if len == 0 {
            break;
        }
        at += len;
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

/// Words that are spelled letter by letter, in one piece.
fn joined(signs: Vec<Sign>, changed: &mut bool) -> Vec<Sign> {
    let single = |at: usize| {
        let letter = |at: Option<usize>| {
            at.and_then(|at| signs.get(at))
                .is_some_and(|sign| is_word_char(sign.c) && sign.c != '_')
        };
        signs[at].c.is_alphabetic() && !letter(at.checked_sub(1)) && !letter(Some(at + 1))
    };
    let mut out: Vec<Sign> = Vec::with_capacity(signs.len());
    let mut at = 0;
    while at < signs.len() {
        if !single(at) {
            out.push(signs[at]);
            at += 1;
            continue;
        }
        let mut letters = vec![at];
        // All gaps of a spelled word are of one kind.
        let ornament = |from: usize, to: usize| {
            let gap = signs[from + 1..to].iter().map(|sign| sign.c);
            gap.filter(|c| !c.is_whitespace()).collect::<String>()
        };
        let mut kind: Option<String> = None;
        while let Some(next) =
            next_letter(&signs, *letters.last().unwrap_or(&at)).filter(|next| single(*next))
        {
            let gap = ornament(*letters.last().unwrap_or(&at), next);
            if let Some(kind) = kind.as_ref().filter(|kind| **kind != gap) {
                // "a s.e.c.r.e.t": what has ornaments belongs together, not what has blanks.
                if kind.is_empty() {
                    letters.pop();
                }
                break;
            }
            kind = Some(gap);
            letters.push(next);
        }
        let last = letters.last().copied().unwrap_or(at);
        if letters.len() < SPELLED {
            out.extend_from_slice(&signs[at..=last]);
        } else {
            *changed = true;
            let blanks = |from: usize, to: usize| {
                signs[from + 1..to]
                    .iter()
                    .filter(|sign| sign.c.is_whitespace())
                    .count()
            };
            // A wider gap than the narrowest parts two words.
            let gaps = letters.windows(2).map(|pair| blanks(pair[0], pair[1]));
            let narrowest = gaps.min().unwrap_or_default();
            for (n, &letter) in letters.iter().enumerate() {
                let before = n.checked_sub(1).and_then(|n| letters.get(n));
                if let Some(&before) = before.filter(|before| blanks(**before, letter) > narrowest)
                {
                    out.push(Sign {
                        c: ' ',
                        ..signs[before + 1]
                    });
                }
                out.push(Sign {
                    apart: true,
                    ..signs[letter]
                });
            }
        }
        at = last + 1;
        // "J. R. R. Tolkien": the last dot belongs to the initials, and ends no sentence.
        let is_initials = letters.len() >= SPELLED
            && kind.as_deref() == Some(".")
            && letters.iter().all(|letter| signs[*letter].c.is_uppercase());
        at += usize::from(is_initials && signs.get(at).is_some_and(|sign| sign.c == '.'));
    }
    out
}

/// The letter that follows one after a gap of spelling.
fn next_letter(signs: &[Sign], letter: usize) -> Option<usize> {
    let gap = signs[letter + 1..]
        .iter()
        .take(LONGEST_GAP + 1)
        .take_while(|sign| is_gap(sign.c))
        .count();
    (1..=LONGEST_GAP)
        .contains(&gap)
        .then_some(letter + 1 + gap)
        .filter(|next| *next < signs.len())
}

fn is_gap(c: char) -> bool {
    (c.is_whitespace() && c != '\n')
        || matches!(
            c,
            '.' | '-'
                | '_'
                | '*'
                | '/'
                | '|'
                | ','
                | '~'
                | '+'
                | '='
                | ':'
                | ';'
                | '\''
                | '"'
                | '·'
                | '‧'
                | '•'
                | '–'
                | '—'
                | '‐'
                | '‑'
                | '…'
                | '∙'
                | '⋅'
                | '・'
                | '°'
                | '’'
        )
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic()
}

pub(super) fn is_mark(c: char) -> bool {
    !c.is_ascii()
        && GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(c))
}

/// The ASCII letter under the accents and strokes of a letter.
fn bare_letter(c: char) -> Option<char> {
    if c.is_ascii() || CodePointMapData::<Script>::new().get(c) != Script::Latin {
        return None;
    }
    let mut buffer = [0; 4];
    let apart = DecomposingNormalizerBorrowed::new_nfkd();
    let apart = apart.normalize(c.encode_utf8(&mut buffer));
    let mut letters = apart.chars().filter(|c| !is_mark(*c));
    if let (Some(first), None) = (letters.next(), letters.next())
        && first.is_ascii_alphabetic()
    {
        return Some(first);
    }
    // For Unicode "ø" is not an "o" with an accent, for UTS 39 it is.
    let mut letters =
        unicode_security::confusable_detection::skeleton(&apart).filter(|c| !is_mark(*c));
    let first = letters.next()?;
    (letters.next().is_none() && first.is_ascii_alphabetic()).then_some(first)
}

#[cfg(test)]
mod tests;
