//! Beliefs: a prompt shows each with its id before it, so that both are read together.

use super::judge::CanonJudge;
use super::said::Said;

/// The readings of a text with a name or an id before it: `the-king` and `is dead`. The joints of ids are read as spaces.
#[must_use]
pub fn read_together(name: &str, text: &str) -> [String; 2] {
    let words = name.replace(['_', '-', '.'], " ");
    [format!("{words} {text}"), format!("{words}: {text}")]
}

impl CanonJudge {
    /// Whether a belief contradicts at least one fact: its text, its id, or both read together.
    #[must_use]
    pub fn contradicts_belief(&self, id: &str, text: &str) -> bool {
        let together = read_together(id, text);
        let id = read_together(id, "");
        let all = [text].into_iter().chain([id[0].as_str()]);
        all.chain(together.iter().map(String::as_str))
            .any(|words| self.contradicts_any(words, Said::InMemory))
    }
}
