//! Places in files, without a copy of the file for each.

use crate::authoring::files::{FileSource, NextTo, WithSource};
use crate::format::{Inline, SourceText, pointer};
use serde::de::DeserializeOwned;

/// A place in a file, as a JSON pointer.
#[derive(Debug, Clone)]
pub(super) struct Place<'a> {
    pub file: &'a str,
    pub source: &'a SourceText,
    pub pointer: String,
    folder: &'a str,
}

impl<'a> Place<'a> {
    /// The beginning of a value.
    pub fn of<T>(sourced: &'a WithSource<T>) -> Self {
        Self {
            file: &sourced.file,
            source: &sourced.source,
            pointer: sourced.base.clone(),
            folder: &sourced.folder,
        }
    }

    /// The files that this file names.
    pub fn files<'f>(&self, files: &'f dyn FileSource) -> NextTo<'f>
    where
        'a: 'f,
    {
        NextTo {
            folder: self.folder,
            files,
        }
    }

    /// A place below this one; `below` begins with `/`.
    pub fn at(&self, below: &str) -> Self {
        Self {
            pointer: format!("{}{below}", self.pointer),
            ..*self
        }
    }

    /// The entry of a map below this place.
    pub fn key(&self, map: &str, key: &str) -> Self {
        self.at(&format!("{map}/{}", pointer::key(key)))
    }

    /// The element of a list below this place.
    pub fn item(&self, list: &str, index: usize) -> Self {
        self.at(&format!("{list}/{index}"))
    }
}

/// A part of a file that is written here, or in its own file.
pub(super) enum Part<'a, T> {
    Here(&'a T, Place<'a>),
    Elsewhere(Box<WithSource<T>>),
}

impl<'a, T: DeserializeOwned> Part<'a, T> {
    /// The part, unless its file cannot be read: then the loader has complained already.
    pub(crate) fn of(
        inline: &'a Inline<T>,
        place: Place<'a>,
        files: &dyn FileSource,
    ) -> Option<Self> {
        match inline {
            Inline::Here(value) => Some(Self::Here(value, place)),
            Inline::Path(path) => {
                let (file, bytes) = place.files(files).read(path).ok()?;
                let sourced = WithSource::parse(&bytes, &file).ok()?.named(path);
                Some(Self::Elsewhere(Box::new(sourced)))
            }
        }
    }

    /// All readable parts of a list.
    pub(crate) fn list(
        list: &'a [Inline<T>],
        place: &Place<'a>,
        files: &dyn FileSource,
    ) -> Vec<Self> {
        let parts = list.iter().enumerate();
        parts
            .filter_map(|(i, part)| Self::of(part, place.item("", i), files))
            .collect()
    }
}

impl<T> Part<'_, T> {
    pub fn value(&self) -> &T {
        match self {
            Self::Here(value, _) => value,
            Self::Elsewhere(sourced) => &sourced.value,
        }
    }

    pub fn place(&self) -> Place<'_> {
        match self {
            Self::Here(_, place) => place.clone(),
            Self::Elsewhere(sourced) => Place::of(sourced),
        }
    }

    /// Whether it is written here, so that no other file uses it.
    pub fn is_here(&self) -> bool {
        matches!(self, Self::Here(..))
    }
}
