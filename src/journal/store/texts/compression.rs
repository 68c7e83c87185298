//! Compressing bodies, with zlib.

use super::form::MALFORMED;
use crate::journal::store::MOST_BYTES;
use crate::journal::store::error::StoreProblem;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use std::cell::RefCell;
use std::fmt;

/// Shorter bodies are not compressed.
const WORTH_COMPRESSING: usize = 128;

/// How hard to compress, from 0 to 9: more takes longer and saves a few hundredths.
const LEVEL: u32 = 6;

/// A zlib stream gives at most this many times its own length in bytes, and a few more.
const MOST_RATIO: usize = 1_032;

/// Compresses one body after the other: its tables are larger than most bodies, and are kept.
pub(super) struct Compressor(Compress);

impl Default for Compressor {
    fn default() -> Self {
        Self(Compress::new(Compression::new(LEVEL), true))
    }
}

impl fmt::Debug for Compressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Compressor")
    }
}

impl Compressor {
    /// The text, compressed where that pays.
    pub fn compressed(&mut self, text: String) -> Vec<u8> {
        let text = text.into_bytes();
        if text.len() < WORTH_COMPRESSING {
            return text;
        }
        // What saves little only takes time to read, and is given up when it has no room left.
        let mut compressed = Vec::with_capacity(text.len() - text.len() / 8);
        self.0.reset();
        let end = self
            .0
            .compress_vec(&text, &mut compressed, FlushCompress::Finish);
        match end {
            Ok(Status::StreamEnd) => compressed,
            _ => text,
        }
    }
}

thread_local! {
    /// Kept, since making one takes longer than what most bodies need it for.
    static DECOMPRESS: RefCell<Decompress> = RefCell::new(Decompress::new(true));
}

/// What a record holds, not compressed. `bytes` is how long that is.
pub(in crate::journal::store) fn uncompressed(
    stored: &[u8],
    bytes: usize,
) -> Result<String, StoreProblem> {
    if bytes > MOST_BYTES {
        return Err(StoreProblem::corrupt("a body is larger than any journal's"));
    }
    let text = match stored.len() == bytes {
        true => stored.to_vec(),
        false => inflated(stored, bytes).ok_or(MALFORMED)?,
    };
    String::from_utf8(text).map_err(|_| MALFORMED)
}

fn inflated(stored: &[u8], bytes: usize) -> Option<Vec<u8>> {
    if bytes > stored.len().saturating_mul(MOST_RATIO) {
        return None;
    }
    // One more, so that a body that is longer than it says is found out.
    let mut text = Vec::with_capacity(bytes + 1);
    DECOMPRESS.with_borrow_mut(|decompress| {
        decompress.reset(true);
        let end = decompress.decompress_vec(stored, &mut text, FlushDecompress::Finish);
        let is_whole = matches!(end, Ok(Status::StreamEnd)) && text.len() == bytes;
        is_whole.then_some(text)
    })
}
