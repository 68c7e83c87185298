//! Packing: what bodies repeat from turn to turn is kept once, and what is left is compressed.
//!
//! The body of an interaction holds, for each attempt, the whole prompt and the names and lengths of its sections, and the
//! constraints. Most sections are the same in the next turn, and so are the constraints. [`Packer::pack`] cuts the prompt at the
//! borders of its sections and leaves hashes in place of the long pieces that it has met before; [`unpack`] puts the body
//! together again, byte for byte.
//!
//! A packed body begins with a mark, and a given body that happens to begin like it is stored inside a string.
//! So no body can be taken for a packed one, and whatever does not come back identical is stored as it is.
//!
//! The result is compressed with zlib where that pays. Its length beforehand stands beside it, so that
//! `sqlar_uncompress(body, bytes)` of the `sqlite3` shell shows it.

use super::MOST_BYTES;
use super::chain::{Hash, text_hash};
use super::error::StoreProblem;
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The kind of entries whose bodies are packed.
const PACKED_KIND: &str = "interaction";

/// Shorter pieces stay where they are, since a hash in hexadecimal is as long.
const WORTH_KEEPING: usize = 96;

/// Shorter bodies are not compressed.
const WORTH_COMPRESSING: usize = 128;

/// How hard to compress, from 0 to 10: more takes several times as long and saves a few hundredths.
const LEVEL: u8 = 4;

/// How many pieces that occurred once are remembered.
const MOST_MET: usize = 4_096;

/// Larger bodies are not cut up, in bytes. A parsed body takes up to a hundred times its length in
/// memory, and a hostile file can ask for that.
const MOST_PARSED: usize = 1 << 20;

const MARK: &str = r#"{"$packed":"#;
const PACKED: &str = r#"{"$packed":1,"#;
const QUOTED: &str = r#"{"$packed":0,"body":"#;

const MALFORMED: StoreProblem = StoreProblem::Corrupt {
    what: "a packed body is malformed",
    seq: None,
};

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
}

impl Packer {
    /// Makes the stored form of any body, JSON or not.
    pub(super) fn pack(&mut self, kind: &str, body: &str) -> Packed {
        let (text, texts) = match kind {
            PACKED_KIND => cut(body, &mut |hash| self.has_met(hash)),
            _ => (body.to_owned(), BTreeMap::new()),
        };
        let bytes = text.len();
        Packed {
            stored: compressed(text),
            bytes,
            texts,
        }
    }

    /// Whether a piece was there before. What occurs once alone is not worth a row of its own.
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

fn compressed(text: String) -> Vec<u8> {
    let text = text.into_bytes();
    if text.len() < WORTH_COMPRESSING {
        return text;
    }
    let compressed = compress_to_vec_zlib(&text, LEVEL);
    // What saves little only takes time to read.
    if compressed.len() < text.len() - text.len() / 8 {
        compressed
    } else {
        text
    }
}

/// What a record holds, not compressed. `bytes` is how long that is.
pub(super) fn uncompressed(stored: &[u8], bytes: usize) -> Result<String, StoreProblem> {
    let damaged = || MALFORMED;
    if bytes > MOST_BYTES {
        return Err(StoreProblem::corrupt("a body is larger than any journal's"));
    }
    let text = match stored.len() == bytes {
        true => stored.to_vec(),
        false => decompress_to_vec_zlib_with_limit(stored, bytes).map_err(|_| damaged())?,
    };
    if text.len() != bytes {
        return Err(damaged());
    }
    String::from_utf8(text).map_err(|_| damaged())
}

/// A body with hashes in place of the pieces that were met before, and these pieces.
fn cut(body: &str, has_met: &mut dyn FnMut(&Hash) -> bool) -> (String, BTreeMap<Hash, String>) {
    if body.starts_with(MARK) {
        let quoted = format!("{QUOTED}{}}}", Value::from(body));
        return (quoted, BTreeMap::new());
    }
    let cut = cut_body(body, has_met).filter(|(stored, texts)| {
        // The last word has the reading side: floats, unsorted keys or prompts that are lists already.
        let found = |hash: &Hash| Ok(texts.get(hash).cloned());
        unpack(stored.clone(), found).is_ok_and(|back| back == body)
    });
    cut.unwrap_or_else(|| (body.to_owned(), BTreeMap::new()))
}

fn cut_body(
    body: &str,
    has_met: &mut dyn FnMut(&Hash) -> bool,
) -> Option<(String, BTreeMap<Hash, String>)> {
    // Most bodies that cannot be packed need no parsing.
    if body.len() > MOST_PARSED || body.len() < WORTH_KEEPING || !body.contains(r#""sections":"#) {
        return None;
    }
    let mut value: Value = serde_json::from_str(body).ok()?;
    let mut texts = BTreeMap::new();
    let mut kept = |piece: &str| -> Option<Value> {
        if piece.len() < WORTH_KEEPING {
            return None;
        }
        let hash = text_hash(piece);
        has_met(&hash).then(|| {
            texts.insert(hash, piece.to_owned());
            json!({ "h": blake3::Hash::from_bytes(hash).to_hex().as_str() })
        })
    };
    let mut keep_list = |of: &mut Value| {
        if let Some(list) = of.get_mut(CONSTRAINTS)
            && list.is_array()
            && let Some(reference) = kept(&list.to_string())
        {
            *list = reference;
        }
    };
    keep_list(&mut value);
    for attempt in value.get_mut("attempts")?.as_array_mut()? {
        keep_list(attempt);
    }
    for attempt in value.get_mut("attempts")?.as_array_mut()? {
        let cut = match (attempt.get("prompt"), attempt.get("sections")) {
            (Some(Value::String(prompt)), Some(Value::Array(sections))) => {
                cut_prompt(prompt, sections, &mut kept)
            }
            _ => None,
        };
        if let (Some(pieces), Some(prompt)) = (cut, attempt.get_mut("prompt")) {
            *prompt = pieces;
        }
    }
    let packed = value.to_string();
    // Spliced as text, so that the mark stands first whatever order the map keeps.
    let stored = format!("{PACKED}{}", packed.strip_prefix('{')?);
    (!texts.is_empty()).then_some((stored, texts))
}

/// The field of a body and of its attempts that is kept as a whole.
const CONSTRAINTS: &str = "constraints";

/// The pieces of a prompt, or nothing where its sections do not add up to it or none is kept.
fn cut_prompt(
    prompt: &str,
    sections: &[Value],
    kept: &mut impl FnMut(&str) -> Option<Value>,
) -> Option<Value> {
    let mut rest = prompt;
    let mut cut = Vec::new();
    for section in sections {
        let chars = usize::try_from(section.get("chars")?.as_u64()?).ok()?;
        let (piece, after) = split_chars(rest, chars)?;
        rest = after;
        cut.push(piece);
    }
    if !rest.is_empty() {
        return None;
    }
    let mut pieces = Vec::new();
    let mut inline = String::new();
    for piece in cut {
        let Some(reference) = kept(piece) else {
            inline.push_str(piece);
            continue;
        };
        if !inline.is_empty() {
            pieces.push(json!({ "t": std::mem::take(&mut inline) }));
        }
        pieces.push(reference);
    }
    if pieces.is_empty() {
        return None;
    }
    if !inline.is_empty() {
        pieces.push(json!({ "t": inline }));
    }
    Some(Value::Array(pieces))
}

/// Splits after `chars` characters, where there are as many.
fn split_chars(text: &str, chars: usize) -> Option<(&str, &str)> {
    let mut chunk_ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    text.split_at_checked(chunk_ends.nth(chars)?)
}

/// Makes the body that was given out of the stored one. `text` looks a kept text up and answers for its hash.
pub(super) fn unpack(
    stored: String,
    text: impl FnMut(&Hash) -> Result<Option<String>, StoreProblem>,
) -> Result<String, StoreProblem> {
    let damaged = || MALFORMED;
    if !stored.starts_with(MARK) {
        return Ok(stored);
    }
    if let Some(quoted) = stored.strip_prefix(QUOTED) {
        let quoted = quoted.strip_suffix('}').ok_or_else(damaged)?;
        return serde_json::from_str(quoted).map_err(|_| damaged());
    }
    let rest = stored.strip_prefix(PACKED).ok_or_else(damaged)?;
    if rest.len() > MOST_PARSED {
        return Err(damaged());
    }
    let mut value: Value = serde_json::from_str(&format!("{{{rest}")).map_err(|_| damaged())?;
    let mut joiner = Joiner {
        text,
        // Few bytes can refer to one long text many times.
        left: MOST_BYTES,
    };
    joiner.fill_in(&mut value)?;
    let attempts = value.get_mut("attempts").and_then(Value::as_array_mut);
    for attempt in attempts.ok_or_else(damaged)? {
        joiner.fill_in(attempt)?;
        if let Some(prompt) = attempt.get_mut("prompt")
            && let Value::Array(pieces) = prompt
        {
            *prompt = Value::String(joiner.join(pieces)?);
        }
    }
    let body = value.to_string();
    if body.len() > MOST_BYTES {
        return Err(StoreProblem::corrupt("a body is larger than any journal's"));
    }
    Ok(body)
}

struct Joiner<F> {
    text: F,
    left: usize,
}

impl<F: FnMut(&Hash) -> Result<Option<String>, StoreProblem>> Joiner<F> {
    fn join(&mut self, pieces: &[Value]) -> Result<String, StoreProblem> {
        let mut prompt = String::new();
        for piece in pieces {
            match (piece.get("t"), piece.get("h")) {
                (Some(Value::String(text)), None) => {
                    self.count(text)?;
                    prompt.push_str(text);
                }
                (None, Some(Value::String(hex))) => prompt.push_str(&self.kept(hex)?),
                _ => return Err(MALFORMED),
            }
        }
        Ok(prompt)
    }

    /// Puts the list of constraints in the place of its hash.
    fn fill_in(&mut self, of: &mut Value) -> Result<(), StoreProblem> {
        let Some(list) = of.get_mut(CONSTRAINTS).filter(|list| list.is_object()) else {
            return Ok(());
        };
        let hex = list.get("h").and_then(Value::as_str).ok_or(MALFORMED)?;
        let text = self.kept(hex)?;
        if text.len() > MOST_PARSED {
            return Err(MALFORMED);
        }
        *list = serde_json::from_str(&text).map_err(|_| MALFORMED)?;
        Ok(())
    }

    fn kept(&mut self, hex: &str) -> Result<String, StoreProblem> {
        let hash = blake3::Hash::from_hex(hex).map_err(|_| MALFORMED)?;
        let text = (self.text)(hash.as_bytes())?;
        let text = text.ok_or_else(|| StoreProblem::corrupt("a kept text is missing"))?;
        self.count(&text)?;
        Ok(text)
    }

    fn count(&mut self, text: &str) -> Result<(), StoreProblem> {
        let left = self.left.checked_sub(text.len());
        self.left =
            left.ok_or_else(|| StoreProblem::corrupt("a body is larger than any journal's"))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
