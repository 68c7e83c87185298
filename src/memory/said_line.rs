//! A line that a character has said.

use crate::text::word_runs::WordRuns;
use std::fmt;
use std::sync::{Arc, OnceLock};

/// How many of its last lines a mind keeps.
pub(crate) const SAID_LINES: usize = 20;

/// A line that was heard of a character, which it should not say again soon. Its words are read once, when the next line is compared
/// with it.
pub(crate) struct SaidLine {
    text: Arc<str>,
    runs: OnceLock<Vec<u64>>,
}

impl SaidLine {
    pub fn new(text: Arc<str>) -> Self {
        Self {
            text,
            runs: OnceLock::new(),
        }
    }

    /// As it was heard.
    pub fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// The hashes of its runs of words, sorted.
    pub fn runs(&self) -> &[u64] {
        self.runs.get_or_init(|| {
            let mut runs: Vec<u64> = WordRuns::of(&self.text).hashes().collect();
            runs.sort_unstable();
            runs
        })
    }
}

impl fmt::Debug for SaidLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}
