//! The words that an authored thing was compiled from, kept beside it, so that a record can be replayed without the
//! files (contract row J4).

use super::files::{FileSource, MemoryFiles, Sourced};
use super::{Character, StoryBook};
use crate::base::canonical::{Digest, canonical_json};
use crate::format::{AuthoringError, outline};
use crate::world::ActionRegistry;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What an [`AssetSource`] is the source of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AssetKind {
    /// A character.
    Npc,
    /// A story.
    Story,
}

/// A file's words, with those of the files that it names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssetSource {
    /// What it is the source of.
    pub kind: AssetKind,
    /// The file's name.
    pub file: String,
    /// Its words; of a part of a file, those of the part.
    pub text: String,
    /// The words of the files that it names, by path.
    pub parts: BTreeMap<String, String>,
}

impl AssetSource {
    /// The source of a parsed value: its file, or the part of the file in which it stands.
    pub(crate) fn of<T>(kind: AssetKind, sourced: &Sourced<T>, read: &ReadFiles) -> Self {
        let whole = || &*sourced.source;
        let text = match sourced.base.as_str() {
            "" => whole(),
            base => outline::slice(&sourced.source, base).unwrap_or_else(whole),
        };
        Self {
            kind,
            file: sourced.file.clone(),
            text: text.to_owned(),
            parts: read.parts(),
        }
    }

    /// The same, told in these words: a story that stands in a file of another kind.
    pub(crate) fn retold(&self, text: String) -> Self {
        Self {
            text,
            ..self.clone()
        }
    }

    /// Its canonical encoding: what a journal keeps.
    #[must_use]
    pub fn encoded(&self) -> String {
        canonical_json(&json!(self))
    }

    /// The hash of its canonical encoding.
    #[must_use]
    pub fn digest(&self) -> Digest {
        Digest::of_bytes(self.encoded().as_bytes())
    }

    fn files(&self) -> MemoryFiles {
        let parts = self.parts.iter();
        MemoryFiles(
            parts
                .map(|(path, text)| (path.clone(), text.clone().into_bytes()))
                .collect(),
        )
    }

    /// The character that it is the source of.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn character(&self) -> Result<Character, Vec<AuthoringError>> {
        Character::parse(self.text.as_bytes(), &self.file, &self.files())
    }

    /// The story that it is the source of.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn story(&self, registry: &ActionRegistry) -> Result<StoryBook, Vec<AuthoringError>> {
        StoryBook::parse(self.text.as_bytes(), &self.file, &self.files(), registry)
    }
}

/// Files that remember what was read.
pub(crate) struct ReadFiles<'a> {
    files: &'a dyn FileSource,
    read: RefCell<BTreeMap<String, String>>,
}

impl<'a> ReadFiles<'a> {
    pub(crate) fn new(files: &'a dyn FileSource) -> Self {
        Self {
            files,
            read: RefCell::default(),
        }
    }

    fn parts(&self) -> BTreeMap<String, String> {
        self.read.borrow().clone()
    }
}

impl FileSource for ReadFiles<'_> {
    fn read(&self, path: &str) -> Result<(String, Vec<u8>), String> {
        let (file, bytes) = self.files.read(path)?;
        let text = String::from_utf8_lossy(&bytes).into_owned();
        self.read.borrow_mut().insert(path.to_owned(), text);
        Ok((file, bytes))
    }
}
