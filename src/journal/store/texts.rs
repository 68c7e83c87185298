//! Packing: what prompts repeat from turn to turn is kept once.
//!
//! The body of an interaction holds, for each attempt, the whole prompt and the names and lengths of its
//! sections. Most sections are the same in the next turn. [`pack`] cuts the prompt at the borders of its
//! sections and leaves hashes in place of the long ones; [`unpack`] puts it together again, byte for byte.
//!
//! A packed body begins with a mark, and a given body that happens to begin like it is stored inside a string.
//! So no body can be taken for a packed one, and whatever does not come back identical is stored as it is.

use super::MOST_BYTES;
use super::chain::{Hash, text_hash};
use super::error::StoreProblem;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The kind of entries whose bodies are packed.
pub(super) const PACKED_KIND: &str = "interaction";

/// Shorter pieces stay where they are, since a hash in hexadecimal is as long.
const WORTH_KEEPING: usize = 96;

/// Larger bodies are stored as they are, in bytes. A parsed body takes up to a hundred times its length in
/// memory, and a hostile file can ask for that.
const MOST_PARSED: usize = 1 << 20;

const MARK: &str = r#"{"$packed":"#;
const PACKED: &str = r#"{"$packed":1,"#;
const QUOTED: &str = r#"{"$packed":0,"body":"#;

/// A body as it is stored, and the texts that it refers to.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Packed {
    /// What the record holds.
    pub stored: String,
    /// The pieces that are kept by their hash.
    pub texts: BTreeMap<Hash, String>,
}

impl Packed {
    fn plain(stored: String) -> Self {
        Self {
            stored,
            texts: BTreeMap::new(),
        }
    }
}

/// Makes the stored form of any body, JSON or not.
pub(super) fn pack(body: &str) -> Packed {
    if body.starts_with(MARK) {
        return Packed::plain(format!("{QUOTED}{}}}", Value::from(body)));
    }
    cut_body(body)
        .filter(|packed| {
            // The last word has the reading side: floats, unsorted keys or prompts that are lists already.
            let found = |hash: &Hash| Ok(packed.texts.get(hash).cloned());
            unpack(packed.stored.clone(), found).is_ok_and(|back| back == body)
        })
        .unwrap_or_else(|| Packed::plain(body.to_owned()))
}

fn cut_body(body: &str) -> Option<Packed> {
    // Most bodies that cannot be packed need no parsing.
    if body.len() > MOST_PARSED || body.len() < WORTH_KEEPING || !body.contains(r#""sections":"#) {
        return None;
    }
    let mut value: Value = serde_json::from_str(body).ok()?;
    let mut texts = BTreeMap::new();
    for attempt in value.get_mut("attempts")?.as_array_mut()? {
        let cut = match (attempt.get("prompt"), attempt.get("sections")) {
            (Some(Value::String(prompt)), Some(Value::Array(sections))) => {
                cut_prompt(prompt, sections, &mut texts)
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
    (!texts.is_empty()).then_some(Packed { stored, texts })
}

/// The pieces of a prompt, or nothing where its sections do not add up to it or none is worth keeping.
fn cut_prompt(
    prompt: &str,
    sections: &[Value],
    texts: &mut BTreeMap<Hash, String>,
) -> Option<Value> {
    let mut rest = prompt;
    let mut kept = BTreeMap::new();
    let mut pieces = Vec::new();
    let mut short = String::new();
    for section in sections {
        let chars = usize::try_from(section.get("chars")?.as_u64()?).ok()?;
        let (piece, after) = split_chars(rest, chars)?;
        rest = after;
        if piece.len() < WORTH_KEEPING {
            short.push_str(piece);
            continue;
        }
        if !short.is_empty() {
            pieces.push(json!({ "t": std::mem::take(&mut short) }));
        }
        let hash = text_hash(piece);
        pieces.push(json!({ "h": blake3::Hash::from_bytes(hash).to_hex().as_str() }));
        kept.insert(hash, piece.to_owned());
    }
    if !rest.is_empty() || kept.is_empty() {
        return None;
    }
    if !short.is_empty() {
        pieces.push(json!({ "t": short }));
    }
    texts.append(&mut kept);
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
    let damaged = || StoreProblem::corrupt("a packed body is malformed");
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
    let attempts = value.get_mut("attempts").and_then(Value::as_array_mut);
    let mut joiner = Joiner {
        text,
        // Few bytes can refer to one long text many times.
        left: MOST_BYTES,
    };
    for attempt in attempts.ok_or_else(damaged)? {
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
            let kept;
            let text = match (piece.get("t"), piece.get("h")) {
                (Some(Value::String(text)), None) => text,
                (None, Some(Value::String(hex))) => {
                    let hash = blake3::Hash::from_hex(hex)
                        .map_err(|_| StoreProblem::corrupt("a packed body is malformed"))?;
                    kept = (self.text)(hash.as_bytes())?
                        .ok_or_else(|| StoreProblem::corrupt("a kept text is missing"))?;
                    &kept
                }
                _ => return Err(StoreProblem::corrupt("a packed body is malformed")),
            };
            self.left = self
                .left
                .checked_sub(text.len())
                .ok_or_else(|| StoreProblem::corrupt("a body is larger than any journal's"))?;
            prompt.push_str(text);
        }
        Ok(prompt)
    }
}

#[cfg(test)]
mod tests;
