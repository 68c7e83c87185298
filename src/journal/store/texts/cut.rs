//! Writing: cuts repeated pieces out of a body, and leaves their hashes there.

use super::form::{ATTEMPTS, CONSTRAINTS, MARK, MOST_PARSED, PACKED, PROMPT, QUOTED};
use super::join::unpack;
use super::members::{Members, parsed, write_list};
use crate::journal::store::chain::{Hash, text_hash};
use crate::journal::store::error::StoreProblem;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Shorter pieces stay where they are, since a hash in hexadecimal is as long.
const WORTH_KEEPING: usize = 96;

/// A body with hashes in place of the pieces that were met before, and these pieces.
pub(super) fn cut(
    body: &str,
    has_met: &mut dyn FnMut(&Hash) -> bool,
) -> (String, BTreeMap<Hash, String>) {
    if body.starts_with(MARK) {
        let quoted = format!("{QUOTED}{}}}", Value::from(body));
        return (quoted, BTreeMap::new());
    }
    let cut = cut_body(body, has_met).filter(|(stored, texts)| {
        // The last word has the reading side: there may be spaces, or prompts that are lists already.
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
    let texts = BTreeMap::new();
    let mut cutter = Cutter { has_met, texts };
    let mut stored = String::with_capacity(body.len());
    cutter.put_body(&mut stored, body).ok()?;
    // The mark comes first.
    let stored = format!("{PACKED}{}", stored.strip_prefix('{')?);
    (!cutter.texts.is_empty()).then_some((stored, cutter.texts))
}

struct Cutter<'a> {
    has_met: &'a mut dyn FnMut(&Hash) -> bool,
    texts: BTreeMap<Hash, String>,
}

/// A section of a prompt, of which nothing but its length matters here.
#[derive(Deserialize)]
struct SectionLength {
    /// How long it is, in characters.
    chars: usize,
}

impl Cutter<'_> {
    fn put_body(&mut self, out: &mut String, body: &str) -> Result<(), StoreProblem> {
        let members: Members<'_> = parsed(body)?;
        members.write(out, |out, name, value| {
            if name != ATTEMPTS || !value.starts_with('[') {
                return Ok(self.put_constraints(out, name, value));
            }
            write_list(out, value, |out, attempt| self.put_attempt(out, attempt))?;
            Ok(true)
        })
    }

    fn put_attempt(&mut self, out: &mut String, attempt: &str) -> Result<(), StoreProblem> {
        let members: Members<'_> = parsed(attempt)?;
        let sections = members.0.iter().find(|(name, _)| name == "sections");
        let sections: Option<Vec<SectionLength>> =
            sections.and_then(|(_, sections)| serde_json::from_str(sections.get()).ok());
        members.write(out, |out, name, value| match &sections {
            Some(sections) if name == PROMPT => Ok(self.put_prompt(out, value, sections)),
            _ => Ok(self.put_constraints(out, name, value)),
        })
    }

    /// Puts a reference in the place of a list of constraints that was met before.
    fn put_constraints(&mut self, out: &mut String, name: &str, value: &str) -> bool {
        let is_list = name == CONSTRAINTS && value.starts_with('[');
        let reference = is_list.then(|| self.kept(value)).flatten();
        if let Some(reference) = &reference {
            out.push_str(&reference.to_string());
        }
        reference.is_some()
    }

    /// Puts the pieces of a prompt in its place, unless its sections do not add up to it or none was met before.
    fn put_prompt(&mut self, out: &mut String, prompt: &str, sections: &[SectionLength]) -> bool {
        let prompt = serde_json::from_str::<String>(prompt).ok();
        let pieces = prompt.and_then(|prompt| self.pieces_of(&prompt, sections));
        let is_cut = pieces.is_some();
        if let Some(pieces) = pieces {
            out.push_str(&Value::from(pieces).to_string());
        }
        is_cut
    }

    fn pieces_of(&mut self, prompt: &str, sections: &[SectionLength]) -> Option<Vec<Value>> {
        let mut rest = prompt;
        let mut cut = Vec::new();
        for section in sections {
            let (piece, after) = split_chars(rest, section.chars)?;
            rest = after;
            cut.push(piece);
        }
        if !rest.is_empty() {
            return None;
        }
        let mut pieces = Vec::new();
        let mut inline = String::new();
        for piece in cut {
            let Some(reference) = self.kept(piece) else {
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
        Some(pieces)
    }

    /// The replacement for a piece that occurred before.
    fn kept(&mut self, piece: &str) -> Option<Value> {
        if piece.len() < WORTH_KEEPING {
            return None;
        }
        let hash = text_hash(piece);
        (self.has_met)(&hash).then(|| {
            self.texts.insert(hash, piece.to_owned());
            json!({ "h": blake3::Hash::from_bytes(hash).to_hex().as_str() })
        })
    }
}

/// Splits after `chars` characters, where there are as many.
fn split_chars(text: &str, chars: usize) -> Option<(&str, &str)> {
    let mut ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    text.split_at_checked(ends.nth(chars)?)
}
