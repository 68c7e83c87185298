//! Folding: what makes `ＳＥＣＲＥＴ`, `se\u{200b}cret` and `sесret` (with Cyrillic letters) one word.
//!
//! Two layers are kept. The *plain* layer is the text after NFKC and without default-ignorable characters. The *folded* layer
//! is the plain one after full case folding, with letters outside ASCII that UTS 39 maps to one ASCII letter turned into it,
//! with apostrophes and hyphens of all shapes turned into the ASCII one, and with runs of white space made one space. Words
//! and phrases are looked for in the folded layer, regular expressions in both. Both map back to the characters of the
//! original.
//!
//! A layer has at most [`MAX_GROWTH`] times as many characters as the text: a sign that means more characters, such as U+FDFA
//! for a whole phrase, stays as it is, in patterns and in texts. If a whole line would grow beyond that,
//! `FoldedText::is_overgrown` says so, and the gate refuses it.

use super::reading::Reading;
use super::signs::plain_sign;
use crate::base::bytes::all_bytes;
use icu_casemap::CaseMapper;
use icu_normalizer::ComposingNormalizerBorrowed;
use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{
        DefaultIgnorableCodePoint, ExtendedPictographic, GeneralCategory, GeneralCategoryGroup,
        Script,
    },
};
use serde::Serialize;
use unicode_segmentation::UnicodeSegmentation;

/// How many times as many characters as the text a layer may have.
pub const MAX_GROWTH: usize = 4;

/// A stretch of an original text: `start..end` in characters (Unicode scalar values), and its words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct Span {
    /// The index of the first character, from 0.
    pub start: usize,
    /// The index after the last character.
    pub end: usize,
    /// The characters of the span, as they are in the original.
    pub text: String,
}

impl Span {
    /// The span of characters `start..end` of `text`; cut to the text's length.
    #[must_use]
    pub fn of(text: &str, start: usize, end: usize) -> Self {
        let cut: String = text
            .chars()
            .skip(start)
            .take(end.saturating_sub(start))
            .collect();
        Self {
            start,
            end: start + cut.chars().count(),
            text: cut,
        }
    }
}

/// One layer of a folded text: the text, and for each of its bytes the characters of the original it came from.
#[derive(Debug, Clone)]
pub struct Layer {
    text: String,
    /// `None`: byte `i` came from character `i`.
    origin: Option<Vec<(u32, u32)>>,
}

impl Layer {
    /// The text of this layer: what patterns are looked for in.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Turns the places of this layer into places of the text that a reading came from.
    fn lead_back(&mut self, reading: &Reading) {
        let origin = match self.origin.take() {
            Some(origin) => origin,
            None => (0..self.text.len() as u32).map(|at| (at, at + 1)).collect(),
        };
        let back = |(start, end): (u32, u32)| {
            let (start, end) = reading.place(start as usize, end as usize);
            (start as u32, end as u32)
        };
        self.origin = Some(origin.into_iter().map(back).collect());
    }

    /// The characters of the original that bytes `start..end` of this layer came from.
    #[must_use]
    pub fn origin(&self, start: usize, end: usize) -> (usize, usize) {
        let Some(origin) = &self.origin else {
            return (start, end);
        };
        let Some(first) = origin.get(start) else {
            let last = origin.last().map_or(0, |o| o.1 as usize);
            return (last, last);
        };
        let last = if end > start {
            origin[end.min(origin.len()) - 1].1
        } else {
            first.0
        };
        (first.0 as usize, last as usize)
    }
}

/// A text with its two layers.
#[derive(Debug, Clone)]
pub(crate) struct FoldedText {
    original: String,
    plain: Layer,
    folded: Layer,
    is_overgrown: bool,
    /// The bytes of the folded layer at which a word may begin or end although letters touch.
    apart: Vec<usize>,
}

impl FoldedText {
    /// Folds a [reading](Reading) of `original`; spans are places in the original.
    #[must_use]
    pub(crate) fn of_reading(original: &str, reading: &Reading) -> Self {
        let mut folded = Self::new(&reading.text);
        if !reading.apart.is_empty() {
            let layer = &folded.folded;
            let from = |byte: usize| layer.origin(byte, byte + 1).0;
            let ends = (0..layer.text.len()).filter(|byte| {
                let here = from(*byte);
                byte.checked_sub(1)
                    .is_none_or(|before| here != from(before))
                    && u32::try_from(here).is_ok_and(|at| reading.apart.contains(&at))
            });
            folded.apart = ends.collect();
        }
        original.clone_into(&mut folded.original);
        folded.plain.lead_back(reading);
        folded.folded.lead_back(reading);
        folded
    }

    /// Folds `text`. Linear in its length.
    #[must_use]
    pub fn new(text: &str) -> Self {
        if text.is_ascii() {
            let folded = ascii_folded(text);
            return Self {
                original: text.to_owned(),
                plain: Layer {
                    text: text.to_owned(),
                    origin: None,
                },
                folded,
                is_overgrown: false,
                apart: Vec::new(),
            };
        }
        let most = text.chars().count() * MAX_GROWTH;
        let mut plain = Builder::with_room_for(most);
        let mut folded = Builder::with_room_for(most);
        let mut at = 0;
        let nfkc = ComposingNormalizerBorrowed::new_nfkc();
        let mut word = Vec::new();
        let mut grown = 0;
        for cluster in text.graphemes(true) {
            let end = at + cluster.chars().count() as u32;
            let whole = nfkc.normalize(cluster);
            let length = whole.chars().count();
            grown += length;
            // An accent that is written as an apostrophe would become a blank and a mark.
            let is_sign = cluster.chars().next().and_then(plain_sign).is_some();
            let stays = is_sign || length > MAX_GROWTH * (end - at) as usize;
            let whole = if stays { cluster.into() } else { whole };
            let seen = seen_as_written(cluster);
            for c in whole.chars() {
                if is_ignorable(c) {
                    continue;
                }
                plain.push(c, at, end);
                let c = plain_sign(c).or(seen).unwrap_or(c);
                if !is_word_char(c) {
                    fold_word(&mut word, &mut folded);
                }
                word.push((c, at, end));
            }
            at = end;
        }
        fold_word(&mut word, &mut folded);
        Self {
            original: text.to_owned(),
            is_overgrown: grown > most || plain.is_full || folded.is_full,
            plain: plain.finish(),
            folded: folded.finish(),
            apart: Vec::new(),
        }
    }

    /// Whether a layer would have more than 4 times the characters of the text: it is not whole then.
    #[must_use]
    pub fn is_overgrown(&self) -> bool {
        self.is_overgrown
    }

    /// Whether a word may begin or end at byte `at` of the folded layer although letters touch: they were apart before.
    #[must_use]
    pub fn is_apart(&self, at: usize) -> bool {
        self.apart.binary_search(&at).is_ok()
    }

    /// The text as it was given.
    #[must_use]
    pub fn original(&self) -> &str {
        &self.original
    }

    /// The layer that regular expressions run on.
    #[must_use]
    pub(crate) fn plain(&self) -> &Layer {
        &self.plain
    }

    /// The layer that words and phrases run on.
    #[must_use]
    pub(crate) fn folded(&self) -> &Layer {
        &self.folded
    }

    #[cfg(test)]
    /// The span of the original for bytes `start..end` of the folded layer.
    #[must_use]
    pub fn span(&self, start: usize, end: usize) -> Span {
        let (start, end) = self.folded.origin(start, end);
        Span::of(&self.original, start, end)
    }
}

/// The folded form of a text, alone.
#[must_use]
pub(crate) fn fold(text: &str) -> String {
    FoldedText::new(text).folded.text
}

fn ascii_folded(text: &str) -> Layer {
    // Nothing is skipped, so that many bytes can be looked at together. All white space has lower codes than the blank.
    let wide = text.as_bytes().windows(2);
    let wide = wide.fold(0, |any, pair| any | u8::from(pair == b"  "));
    if wide == 0 && all_bytes(text, |byte| byte >= b' ') {
        // Nearly every text: nothing moves.
        return Layer {
            text: text.to_ascii_lowercase(),
            origin: None,
        };
    }
    let mut folded = Builder::with_room_for(text.len());
    let mut shifted = false;
    for (i, b) in text.bytes().enumerate() {
        let before = folded.text.len();
        folded.push_collapsing(char::from(b).to_ascii_lowercase(), i as u32, i as u32 + 1);
        shifted |= folded.text.len() == before || is_ignorable(char::from(b));
    }
    let mut layer = folded.finish();
    if !shifted {
        layer.origin = None;
    }
    layer
}

struct Builder {
    text: String,
    origin: Vec<(u32, u32)>,
    /// How many characters still fit.
    room: usize,
    is_full: bool,
}

impl Builder {
    fn with_room_for(room: usize) -> Self {
        Self {
            text: String::new(),
            origin: Vec::new(),
            room,
            is_full: false,
        }
    }

    fn push(&mut self, c: char, start: u32, end: u32) {
        let Some(room) = self.room.checked_sub(1) else {
            self.is_full = true;
            return;
        };
        self.room = room;
        self.text.push(c);
        self.origin.resize(self.text.len(), (start, end));
    }

    fn push_collapsing(&mut self, c: char, start: u32, end: u32) {
        if !c.is_whitespace() {
            self.push(c, start, end);
        } else if self.text.ends_with(' ') {
            if let Some(last) = self.origin.last_mut() {
                last.1 = end;
            }
        } else {
            self.push(' ', start, end);
        }
    }

    fn finish(self) -> Layer {
        Layer {
            text: self.text,
            origin: Some(self.origin),
        }
    }
}

/// Folds a word together with the characters before it, and empties it.
///
/// Some capitals look like an ASCII letter while their small letter does not (Cyrillic "Н"). In a word that also has
/// ASCII letters, or letters of a further script that look like them, they count as what they look like; in a word of their
/// own script they fold like all others, so that case makes no difference there.
fn fold_word(word: &mut Vec<(char, u32, u32)>, folded: &mut Builder) {
    let mut alike = word.iter().map(|(c, ..)| *c);
    let scripts = CodePointMapData::<Script>::new();
    let mixed = word.iter().any(|(c, ..)| c.is_ascii_alphabetic()) || {
        let first = alike.find(|c| letter_look_alike(*c).is_some());
        let first = first.map(|c| scripts.get(c));
        alike.any(|c| letter_look_alike(c).is_some() && Some(scripts.get(c)) != first)
    };
    for (c, start, end) in word.drain(..) {
        match letter_look_alike(c).filter(|_| mixed) {
            Some(seen) => folded.push_collapsing(seen, start, end),
            None => fold_char(c, |f| folded.push_collapsing(f, start, end)),
        }
    }
}

/// The letter as it is written, where NFKC would turn it into one that looks like another ASCII letter: the lunate sigma
/// looks like "c", but the sigma that NFKC makes of it does not.
fn seen_as_written(cluster: &str) -> Option<char> {
    let mut chars = cluster.chars();
    let c = chars.next().filter(|c| !c.is_ascii())?;
    let seen = letter_look_alike(c).filter(|_| chars.next().is_none())?;
    let normal = ComposingNormalizerBorrowed::new_nfkc().normalize(cluster);
    (!normal.is_ascii() && normal != cluster).then_some(seen)
}

/// Full case folding of one character, then its ASCII look-alike if it is a letter that has one.
fn fold_char(c: char, mut out: impl FnMut(char)) {
    if c.is_ascii() {
        out(c.to_ascii_lowercase());
        return;
    }
    let mut buffer = [0; 4];
    let folded = CaseMapper::new().fold_string(c.encode_utf8(&mut buffer));
    for f in folded.chars() {
        out(letter_look_alike(f).unwrap_or(f));
    }
}

/// The ASCII letter that UTS 39 takes a letter outside ASCII for, in lower case.
fn letter_look_alike(c: char) -> Option<char> {
    c.is_alphabetic().then(|| look_alike(c)).flatten()
}

/// The ASCII letter that UTS 39 takes a character outside ASCII for, in lower case.
pub(super) fn look_alike(c: char) -> Option<char> {
    if c.is_ascii() {
        return None;
    }
    let mut buffer = [0; 4];
    let mut skeleton = unicode_security::confusable_detection::skeleton(c.encode_utf8(&mut buffer));
    let first = skeleton.next()?;
    (skeleton.next().is_none() && first.is_ascii_alphabetic()).then(|| first.to_ascii_lowercase())
}

/// Characters that no font draws: joiners, soft hyphens, variation selectors, tags, marks of format, those for private use, and
/// what is no character. Emoji that are to come are drawn.
#[must_use]
pub fn is_ignorable(c: char) -> bool {
    if c.is_ascii() {
        return false;
    }
    match CodePointMapData::<GeneralCategory>::new().get(c) {
        GeneralCategory::Format | GeneralCategory::PrivateUse => true,
        GeneralCategory::Unassigned => !CodePointSetData::new::<ExtendedPictographic>().contains(c),
        // The head of a note that is not drawn.
        _ => c == '\u{1d159}' || CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c),
    }
}

/// Whether `c` belongs to a word: a letter, digit, mark, or `_`.
#[must_use]
pub fn is_word_char(c: char) -> bool {
    if c.is_ascii() {
        return c.is_ascii_alphanumeric() || c == '_';
    }
    c.is_alphanumeric()
        || GeneralCategoryGroup::Mark.contains(CodePointMapData::<GeneralCategory>::new().get(c))
}

/// Whether `c` belongs to a script that writes words without spaces between them: Han, kana, and the scripts whose lines are
/// broken with a dictionary alone (class SA of UAX 14).
#[must_use]
pub fn is_spaceless(c: char) -> bool {
    !c.is_ascii()
        && matches!(
            CodePointMapData::<Script>::new().get(c),
            Script::Han
                | Script::Hiragana
                | Script::Katakana
                | Script::Thai
                | Script::Lao
                | Script::Khmer
                | Script::Myanmar
                | Script::TaiLe
                | Script::NewTaiLue
                | Script::TaiTham
                | Script::TaiViet
                | Script::Ahom
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g2_letters_of_many_scripts_in_one_word_are_what_they_look_like() {
        // Armenian, Lydian, and a Coptic capital whose small letter looks like none.
        assert_eq!(fold("ռ𐤬Ⲧ"), "not");
        assert_ne!(fold("Ⲧ"), "t");
    }

    #[test]
    fn g2_folding_joins_case_width_and_look_alikes() {
        for text in [
            "SECRET",
            "se\u{3f2}ret",
            "SE\u{3f9}RET",
            "sec\u{ab81}et",
            "ＳＥＣＲＥＴ",
            "se\u{200b}cr\u{ad}et",
            "ѕесrеt",
            "𝐬ecret",
        ] {
            assert_eq!(fold(text), "secret", "{text:?}");
        }
        assert_eq!(fold("STRASSE"), fold("straße"));
        // Capitals that only as capitals look alike count in a word of mixed scripts, and there alone.
        assert_eq!(fold("NIGНTJAR, Μaud"), "nightjar, maud");
        assert_eq!(fold("НЕТ"), fold("нет"));
    }

    #[test]
    fn g2_ascii_is_never_changed_but_in_case() {
        assert_eq!(fold("m1lk 0Il|"), "m1lk 0il|");
    }

    #[test]
    fn white_space_collapses_and_spans_find_the_way_back() {
        let text = FoldedText::new("A  big\n\t SÉCRET!");
        let at = text.folded().text().find("s\u{e9}cret").unwrap();
        assert_eq!(text.folded().text(), "a big s\u{e9}cret!");
        let span = text.span(at, at + "s\u{e9}cret".len());
        assert_eq!(
            (span.start, span.end, span.text.as_str()),
            (9, 15, "SÉCRET")
        );

        let text = FoldedText::new("one  two");
        assert_eq!(text.span(4, 7).text, "two");
        let text = FoldedText::new("plain words");
        assert_eq!(text.span(6, 11).start, 6);
    }

    #[test]
    fn g2_no_text_folds_to_more_than_four_times_its_length() {
        let phrases = "\u{fdfa}".repeat(1_000);
        let folded = FoldedText::new(&phrases);
        assert!(folded.is_overgrown());
        for layer in [folded.plain(), folded.folded()] {
            assert!(layer.text().chars().count() <= 4_000);
        }
        // The code still finds what comes after such signs.
        assert!(
            FoldedText::new(&format!("{phrases} secret"))
                .folded()
                .text()
                .ends_with("secret")
        );
        // In honest text such a sign is one among many.
        let honest = "The prophet \u{fdfa} said so.";
        assert!(!FoldedText::new(honest).is_overgrown());
        assert!(!FoldedText::new(&"\u{390}\u{fb03}\u{1f82}".repeat(100)).is_overgrown());
    }

    #[test]
    fn a_cluster_that_folds_to_several_letters_maps_to_itself() {
        let text = FoldedText::new("x ﬁre");
        let at = text.folded().text().find("fire").unwrap();
        assert_eq!(text.span(at, at + 4).text, "ﬁre");
    }
}
