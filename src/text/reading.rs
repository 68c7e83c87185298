//! One reading of a text, and the way back to its characters.

use std::collections::BTreeSet;

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
    /// This reading of a text that is itself a reading of another: with the way back to that other one.
    #[must_use]
    pub fn behind(mut self, first: &Self) -> Self {
        let apart = first.apart.iter().filter_map(|at| {
            let place = self.origin.partition_point(|(start, _)| start < at);
            u32::try_from(place).ok()
        });
        self.apart.extend(apart.collect::<Vec<_>>());
        for (start, end) in &mut self.origin {
            let from = first.origin.get(*start as usize).map(|origin| origin.0);
            let to = end
                .checked_sub(1)
                .and_then(|last| first.origin.get(last as usize));
            if let (Some(from), Some((_, to))) = (from, to) {
                (*start, *end) = (from, *to);
            }
        }
        self
    }

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
