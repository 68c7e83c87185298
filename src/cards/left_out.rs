//! What an import leaves out.

use std::collections::BTreeMap;

/// Something that a file says and the imported files do not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct LeftOut {
    /// The name of the file, as the caller gave it.
    pub file: String,
    /// What was left out.
    pub what: String,
    /// Why it was left out, as a short sentence such as `it is too long`.
    pub why: &'static str,
    /// Whether it is content for the character or its world. False for notes for people.
    pub is_content: bool,
}

/// What is left out of one file: each thing once, with how often it was there.
#[derive(Default)]
pub(super) struct Notes(BTreeMap<(String, &'static str), (usize, bool)>);

impl Notes {
    /// Content of a kind is left out.
    pub(super) fn content(&mut self, what: impl Into<String>, why: &'static str) {
        self.count(what.into(), why, true);
    }

    /// Something for people is left out.
    pub(super) fn note(&mut self, what: impl Into<String>, why: &'static str) {
        self.count(what.into(), why, false);
    }

    pub(super) fn count(&mut self, what: String, why: &'static str, is_content: bool) {
        let (count, _) = self.0.entry((what, why)).or_insert((0, is_content));
        *count += 1;
    }

    pub(super) fn of(self, file: &str) -> impl Iterator<Item = LeftOut> {
        self.0
            .into_iter()
            .map(move |((what, why), (count, is_content))| LeftOut {
                file: file.to_owned(),
                what: match count {
                    1 => what,
                    _ => format!("{what} ({count} times)"),
                },
                why,
                is_content,
            })
    }
}
