//! The text that an authored thing was compiled from. The engine keeps it with the thing, so that a record can be replayed
//! without the files. [`Character`](super::Character) and [`StoryBook`](super::StoryBook) say how the engine compiles them
//! from it again.

use super::files::{FileSource, MemoryFiles, WithSource};
use crate::base::canonical::{Digest, canonical_json};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What an `AssetSource` is the source of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum AssetKind {
    /// A character: the text of a `.npc.ron` file.
    Npc,
    /// A story: the text of a `.story.ron` file.
    Story,
}

/// The text of a file, with those of the files that it names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AssetSource {
    /// Whether a character or a story was compiled from it.
    pub(crate) kind: AssetKind,
    /// The name by which errors call the file.
    pub file: String,
    /// Its text. Where the thing is a part of a file, the text of that part.
    pub text: String,
    /// The texts of the files that it names, by the path as written.
    pub parts: BTreeMap<String, String>,
}

impl AssetSource {
    /// The source of a parsed value: its file, or the part of the file that holds it.
    pub(crate) fn of<T>(kind: AssetKind, sourced: &WithSource<T>, read: &ReadFiles) -> Self {
        let whole = || &**sourced.source;
        let text = match sourced.base.as_str() {
            "" => whole(),
            base => sourced.source.slice(base).unwrap_or_else(whole),
        };
        Self {
            kind,
            file: sourced.file.clone(),
            text: text.to_owned(),
            parts: read.parts(),
        }
    }

    /// The same with another text: the text of a story that is part of a file of another kind.
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

    /// The files that it names, as they were read.
    pub(super) fn files(&self) -> MemoryFiles {
        let parts = self.parts.iter();
        MemoryFiles(
            parts
                .map(|(path, text)| (path.clone(), text.clone().into_bytes()))
                .collect(),
        )
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
