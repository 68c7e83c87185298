//! Disguises: a text as a reader sees it who ignores ornaments.
//!
//! A writer who wants a forbidden word to be read, but not to be found, writes `s e c r e t`, `se*cr*et`, `🅂🄴🄲🅁🄴🅃` or
//! `s̶e̶c̶r̶e̶t̶`. Rules that forbid something therefore look in several readings of a text: as written, revealed, and revealed
//! without accents. A hit in any of them counts. What is required must be there as written.
//!
//! First each character becomes what it is seen as, then what comes between the letters goes. So disguises that are worn
//! together come off together.
//!
//! | step | what it undoes | why it is safe |
//! |---|---|---|
//! | entities | `&#115;` for `s` | a numeric entity is one letter in every renderer |
//! | invisibles | what no font draws, marks without a letter, the blank of Braille, the stroke that lengthens Arabic letters | no reader sees more than the letters |
//! | overlays | combining strokes, underlines and enclosing marks | they change the looks of a letter, not the letter |
//! | letters in dress | circled, squared, bracketed letters, small capitals, regional indicators that are no flag, signs and digits that UTS 39 takes for a letter | they are read as that letter |
//! | accents | `é` and `ø`, and what has an accent and else looks like an ASCII letter: `ѐ`, `ά` | only where `LookIn::Bare` asks: in other languages it is another word |
//! | joints | U+2011 and U+2027 between letters | they are hints where to break a line |
//! | numerals | `ⅽ` and `〇` in a word, and no number at its end (`Henryⅴ`) | they are read as that letter |
//! | other letters | a blank comes where signs (`™`, `¹`) or letters of another script touch a word | no reader takes them for a part of it |
//! | markup | tags, comments, empty brackets; stars and underscores between two letters, and marks of emphasis around a word | a renderer shows the word in one piece |
//! | spelling | four or more single letters with anything but letters and digits between them; three where that is the same; three or more pieces of up to three letters with signs, markup or joints and no blanks between them | read aloud, they are one word |
//!
//! Not undone, since an honest line would suffer or no code could do it: encodings, ciphers, reversal, other languages,
//! typing errors, digits for letters, one cut in a word ("sec ret"), and pieces with blanks between them ("nig ht jar").

mod dress;
mod edges;
mod markup;
mod plain;
mod sign;
mod spelled;

use self::dress::{decoded, undressed};
use self::edges::parted;
use self::markup::without_markup;
use self::plain::is_plain;
use self::sign::{Sign, signs_of};
use self::spelled::joined;
use super::reading::{LookIn, Reading};

pub(super) use self::dress::is_unseen;
pub(super) use self::sign::is_mark;

/// The readings of a text without disguises; none where it has no disguise. Linear in its length.
#[must_use]
pub(crate) fn revealed(text: &str) -> Vec<(LookIn, Reading)> {
    let mut readings = Vec::new();
    if is_plain(text) {
        return readings;
    }
    let mut decodes = false;
    let signs = decoded(signs_of(text), &mut decodes);
    if signs.iter().all(|sign| sign.c.is_ascii()) {
        in_pieces(LookIn::Revealed, signs, decodes, &mut readings);
        return readings;
    }
    for look_in in [LookIn::Revealed, LookIn::Bare] {
        let (mut changed, mut bared) = (decodes, false);
        let signs = undressed(&signs, look_in == LookIn::Bare, &mut changed, &mut bared);
        if look_in == LookIn::Revealed || bared {
            in_pieces(look_in, signs, changed || bared, &mut readings);
        }
    }
    readings
}

/// The text without accents and strokes, with plain letters for those in dress.
#[must_use]
pub fn bare(text: &str) -> String {
    let signs = undressed(&signs_of(text), true, &mut false, &mut false);
    signs.iter().map(|sign| sign.c).collect()
}

/// Adds the reading of what is left, in which words are in one piece; where letters are spelled with blanks of several widths,
/// it adds those, too, in which the wider blanks part words.
fn in_pieces(
    look_in: LookIn,
    signs: Vec<Sign>,
    mut changed: bool,
    readings: &mut Vec<(LookIn, Reading)>,
) {
    let signs = without_markup(signs, &mut changed);
    let signs = parted(signs, &mut changed);
    match joined(&signs) {
        joined if !joined.is_empty() => {
            readings.extend(joined.iter().map(|signs| (look_in, reading(signs))));
        }
        _ if changed => readings.push((look_in, reading(&signs))),
        _ => {}
    }
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

#[cfg(test)]
mod tests;
