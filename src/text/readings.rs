//! The readings of one text in which forbidden words are looked for.

use super::fold::FoldedText;
use super::reading::{LookIn, Reading};
use super::reveal::revealed;

/// A text, folded, in each of its readings. A text without disguises and accents has one.
#[derive(Debug, Clone)]
pub(crate) struct Readings {
    written: FoldedText,
    others: Vec<(LookIn, Reading, FoldedText)>,
}

impl Readings {
    /// Reads and folds a text. Linear in its length.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let others = revealed(text).into_iter().map(|(look_in, reading)| {
            let folded = FoldedText::of_reading(text, &reading);
            (look_in, reading, folded)
        });
        let others = others.collect();
        Self {
            written: FoldedText::new(text),
            others,
        }
    }

    /// The text as it is written, folded.
    #[must_use]
    pub fn written(&self) -> &FoldedText {
        &self.written
    }

    /// The readings to look in, the text as written first. Spans of all of them are places in the text as written.
    pub fn folded(&self, look_in: LookIn) -> impl Iterator<Item = &FoldedText> {
        let others = self
            .others
            .iter()
            .filter(move |(kind, ..)| *kind <= look_in);
        std::iter::once(&self.written).chain(others.map(|(.., folded)| folded))
    }

    /// The readings that are not the text as written, unfolded.
    pub(crate) fn others(&self) -> impl Iterator<Item = &Reading> {
        self.others.iter().map(|(_, reading, _)| reading)
    }
}
