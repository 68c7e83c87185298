//! The characters of a text on their way through the steps that take disguises off.

use crate::text::fold::{is_word_char, look_alike};
use crate::text::signs::plain_sign;
use icu_normalizer::{ComposingNormalizerBorrowed, DecomposingNormalizerBorrowed};
use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup, Script},
};

/// One character on its way through the steps.
#[derive(Debug, Clone, Copy)]
pub struct Sign {
    pub c: char,
    pub kind: Kind,
    pub start: u32,
    pub end: u32,
    pub apart: bool,
    /// Whether markup or a joint came between it and the letter before it.
    pub cut: bool,
}

/// What two characters must have in common to be parts of one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// No part of any word.
    Gap,
    /// A part of any word: a mark, an ASCII digit.
    Any,
    /// A sign that only its compatibility form makes letters or digits of: `™`, `¹`.
    Sign,
    Letter(Script),
}

/// The characters of a text.
pub fn signs_of(text: &str) -> Vec<Sign> {
    let signs = text.chars().enumerate().map(|(at, c)| Sign {
        c,
        kind: kind(c),
        start: at as u32,
        end: at as u32 + 1,
        apart: false,
        cut: false,
    });
    signs.collect()
}

/// What it must have in common with the characters next to it.
pub fn kind(c: char) -> Kind {
    if c.is_ascii() {
        return match c {
            'a'..='z' | 'A'..='Z' => Kind::Letter(Script::Latin),
            '0'..='9' => Kind::Any,
            _ => Kind::Gap,
        };
    }
    let script = match CodePointMapData::<Script>::new().get(c) {
        Script::Hiragana | Script::Katakana => Script::Han,
        script => script,
    };
    let is_alphabet = matches!(
        script,
        Script::Common | Script::Latin | Script::Greek | Script::Cyrillic
    );
    match CodePointMapData::<GeneralCategory>::new().get(c) {
        GeneralCategory::LetterNumber if numeral_letter(c).is_some() => Kind::Letter(Script::Latin),
        GeneralCategory::OtherNumber
        | GeneralCategory::LetterNumber
        | GeneralCategory::OtherSymbol => match means_letters(c) {
            true => Kind::Sign,
            false => Kind::Gap,
        },
        GeneralCategory::ModifierLetter if plain_sign(c).is_some() => Kind::Gap,
        GeneralCategory::ModifierLetter if is_alphabet && c != 'ー' => Kind::Sign,
        _ if matches!(c, 'ª' | 'º') => Kind::Sign,
        _ if !is_word_char(c) => Kind::Gap,
        _ if script == Script::Common && is_letter(c) => font_kind(c),
        // Digits of full width.
        _ if matches!(script, Script::Common | Script::Inherited) || is_mark(c) => Kind::Any,
        _ => Kind::Letter(script),
    }
}

/// What the letter is that a font of mathematics writes, such as `𝐚`.
fn font_kind(c: char) -> Kind {
    let mut buffer = [0; 4];
    let normal = ComposingNormalizerBorrowed::new_nfkc();
    let normal = normal.normalize(c.encode_utf8(&mut buffer)).chars().next();
    match normal.filter(|normal| *normal != c) {
        Some(normal) => kind(normal),
        None => Kind::Any,
    }
}

/// The letter that a numeral of one letter is seen as: `ⅽ`, and the zero of Han.
pub fn numeral_letter(c: char) -> Option<char> {
    if c.is_ascii()
        || CodePointMapData::<GeneralCategory>::new().get(c) != GeneralCategory::LetterNumber
    {
        return None;
    }
    let mut buffer = [0; 4];
    let apart = DecomposingNormalizerBorrowed::new_nfkd();
    let apart = apart.normalize(c.encode_utf8(&mut buffer));
    let mut letters = apart.chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() => Some(letter),
        _ => look_alike(c),
    }
}

/// Whether a sign is one for letters or digits.
fn means_letters(c: char) -> bool {
    let mut buffer = [0; 4];
    let normal = ComposingNormalizerBorrowed::new_nfkc();
    let normal = normal.normalize(c.encode_utf8(&mut buffer));
    is_word_char(c) || normal.chars().any(char::is_alphanumeric)
}

pub fn is_letter(c: char) -> bool {
    c.is_alphabetic()
}

pub fn is_mark(c: char) -> bool {
    !c.is_ascii()
        && GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(c))
}

/// Whether it is a part of a word; `_` joins words.
pub fn in_word(sign: &Sign) -> bool {
    is_word_char(sign.c) && sign.c != '_'
}
