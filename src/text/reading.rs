//! One reading of a text, and the way back to its characters.

use std::collections::BTreeSet;

/// The readings of a text in which something is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LookIn {
    /// In the text as it is written: what is required must be there exactly so.
    Written,
    /// In that, and in the text without disguises.
    Revealed,
    /// In those, in the text without disguises and accents, and for phrases also with other signs than blanks between their words:
    /// for what is forbidden with severity Hard or Critical.
    Bare,
}

/// A text as a reader sees it, with the way back to the text it was made from.
#[derive(Debug, Clone)]
pub struct Reading {
    /// What is read.
    pub text: String,
    /// For each character of it, the characters `start..end` of the original that it came from.
    pub origin: Vec<(u32, u32)>,
    /// The characters before which a word may begin or end although letters touch: they were apart before.
    pub apart: BTreeSet<u32>,
}

impl Reading {
    /// The characters of the original that characters `start..end` of this reading came from.
    #[must_use]
    pub fn place(&self, start: usize, end: usize) -> (usize, usize) {
        let last = self.origin.last().map_or(0, |origin| origin.1);
        let from = self.origin.get(start).map_or(last, |origin| origin.0);
        let to = end
            .checked_sub(1)
            .and_then(|end| self.origin.get(end))
            .map_or(from, |origin| origin.1);
        (from as usize, to.max(from) as usize)
    }
}
