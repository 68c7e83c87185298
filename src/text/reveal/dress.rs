//! What each character is seen as: without dress, overlays and accents, and nothing where nothing is seen.

use super::sign::{Kind, Sign, is_letter, is_mark, kind};
use crate::text::fold::{is_ignorable, is_word_char, look_alike};
use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_properties::{CodePointMapData, props::Script};

/// Numeric entities become their character.
pub fn decoded(signs: Vec<Sign>, changed: &mut bool) -> Vec<Sign> {
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
                    kind: kind(c),
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

/// Without invisible characters, with plain letters for those in dress, and without accents where `bare` says so.
pub fn undressed(signs: &[Sign], bare: bool, changed: &mut bool, bared: &mut bool) -> Vec<Sign> {
    let mut out: Vec<Sign> = Vec::with_capacity(signs.len());
    // Whether a joint was left out since the last letter.
    let mut cut = false;
    for (at, sign) in signs.iter().enumerate() {
        let c = sign.c;
        let before = out.last().map(|last| last.c);
        let in_word = before.is_some_and(is_word_char);
        let letter = match c.is_ascii() {
            true => None,
            _ if is_ignorable(c)
                || is_unseen(c)
                || is_overlay(c)
                || is_joint(c) && in_word
                || is_mark(c) && !in_word =>
            {
                *changed = true;
                cut |= is_joint(c) || is_unseen(c);
                continue;
            }
            _ if bare && before.is_some_and(|before| is_accent(c, before)) => {
                *bared = true;
                continue;
            }
            _ => undressed_letter(c).filter(|_| !is_flag(signs, at)),
        };
        let touches = || in_word || signs.get(at + 1).is_some_and(|next| is_letter(next.c));
        let sign_for_letter = || sign_for_letter(c).filter(|_| touches());
        let sign = &Sign { cut, ..*sign };
        cut = false;
        if let Some(letter) = letter.or_else(sign_for_letter) {
            *changed = true;
            out.push(Sign {
                c: letter,
                kind: kind(letter),
                ..*sign
            });
        } else if let Some(letter) = bare_letter(c).filter(|_| bare && sign.kind != Kind::Sign) {
            *bared = true;
            out.push(Sign { c: letter, ..*sign });
        } else {
            out.push(*sign);
        }
    }
    out
}

/// The mark for an embedded object, the blank of Braille, the stroke that makes an Arabic letter longer: nothing is read of them
/// inside a word.
pub fn is_unseen(c: char) -> bool {
    matches!(c, '\u{fffc}' | '\u{2800}' | '\u{640}')
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

/// Whether a mark after this character is an ornament of it. The marks that write the vowels of Indic scripts and of Thai, and
/// those that make another kana of one, are none.
fn is_accent(c: char, before: char) -> bool {
    let is_own = || {
        !matches!(c, '\u{3099}' | '\u{309a}')
            && matches!(
                CodePointMapData::<Script>::new().get(c),
                Script::Inherited
                    | Script::Latin
                    | Script::Greek
                    | Script::Cyrillic
                    | Script::Hebrew
                    | Script::Arabic
                    | Script::Syriac
            )
    };
    is_mark(c) && (before.is_ascii_alphabetic() || is_letter(before) && is_own())
}

/// The letter under the accents and strokes of one that is seen as an ASCII letter else.
fn bare_letter(c: char) -> Option<char> {
    if c.is_ascii() || !is_letter(c) {
        return None;
    }
    let mut buffer = [0; 4];
    let apart = DecomposingNormalizerBorrowed::new_nfkd();
    let apart = apart.normalize(c.encode_utf8(&mut buffer));
    let mut letters = apart.chars().filter(|c| !is_mark(*c));
    if let (Some(first), None) = (letters.next(), letters.next())
        && (first.is_ascii_alphabetic() || first != c && look_alike(first).is_some())
    {
        return Some(first);
    }
    if look_alike(c).is_some() {
        // Folding sees to it.
        return None;
    }
    // For Unicode "ø" is not an "o" with an accent, for UTS 39 it is.
    let mut letters =
        unicode_security::confusable_detection::skeleton(&apart).filter(|c| !is_mark(*c));
    let first = letters.next()?;
    (letters.next().is_none() && first.is_ascii_alphabetic()).then_some(first)
}
