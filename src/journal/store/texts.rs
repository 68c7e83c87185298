//! Packing: what bodies repeat from turn to turn is kept once, and what is left is compressed.
//!
//! The body of an interaction holds, for each attempt, the whole prompt and the names and lengths of its sections, and the
//! constraints. Most sections are the same in the next turn, and so are the constraints. [`Packer::pack`] cuts the prompt at the
//! borders of its sections and leaves hashes in place of the long pieces that it has met before; [`unpack`] puts the body
//! together again, byte for byte.
//!
//! A packed body begins with a mark, and a given body that happens to begin like it is stored inside a string. So no body can be
//! taken for a packed one, and a body that would not come back identical is stored as it is.
//!
//! The result is compressed with zlib where that pays. Its uncompressed length is next to it, so that `sqlar_uncompress(body,
//! bytes)` of the `sqlite3` shell shows it.

mod compression;
mod cut;
mod form;
mod join;
mod members;

pub(super) use compression::uncompressed;
pub(super) use join::{unpack, unquoted};

use self::compression::Compressor;
use self::cut::cut;
use super::chain::Hash;
use std::collections::{BTreeMap, BTreeSet};

/// The kind of entries whose bodies are packed.
const PACKED_KIND: &str = "interaction";

/// How many pieces that occurred once are remembered.
const MOST_MET: usize = 4_096;

/// A body as it is stored, and the texts that it refers to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Packed {
    /// What the record holds.
    pub stored: Vec<u8>,
    /// How long that is when it is not compressed. Where it is as long as what the record holds, that is not compressed.
    pub bytes: usize,
    /// The pieces that are kept by their hash.
    pub texts: BTreeMap<Hash, String>,
}

/// Packs one body after the other, and remembers what it has met.
#[derive(Debug, Default)]
pub(super) struct Packer {
    met: BTreeSet<Hash>,
    compressor: Compressor,
}

impl Packer {
    /// Makes the stored form of any body, JSON or not.
    pub(super) fn pack(&mut self, kind: &str, body: &str) -> Packed {
        let (text, texts) = match kind {
            PACKED_KIND => cut(body, &mut |hash| self.has_met(hash)),
            _ => (body.to_owned(), BTreeMap::new()),
        };
        Packed {
            bytes: text.len(),
            stored: self.compressor.compressed(text),
            texts,
        }
    }

    /// Whether a piece was there before. A piece that occurs only once is not worth a row.
    fn has_met(&mut self, hash: &Hash) -> bool {
        if self.met.contains(hash) {
            return true;
        }
        if self.met.len() >= MOST_MET {
            self.met.clear();
        }
        self.met.insert(*hash);
        false
    }
}

#[cfg(test)]
mod tests;
