//! Reading: puts a body together again, as text. A tree of it would take most of the time of reading a journal.

use super::form::{ATTEMPTS, CONSTRAINTS, MALFORMED, MARK, MOST_PARSED, PACKED, PROMPT, QUOTED};
use super::members::{Members, parsed, write_list};
use crate::journal::store::MOST_BYTES;
use crate::journal::store::chain::Hash;
use crate::journal::store::error::StoreProblem;
use serde::de::IgnoredAny;
use serde_json::Value;

/// Makes the body that was given out of the stored one. `text` looks a kept text up and answers for its hash.
pub(in crate::journal::store) fn unpack(
    stored: String,
    text: impl FnMut(&Hash) -> Result<Option<String>, StoreProblem>,
) -> Result<String, StoreProblem> {
    if !stored.starts_with(MARK) || stored.starts_with(QUOTED) {
        return unquoted(stored);
    }
    let rest = stored.strip_prefix(PACKED).ok_or(MALFORMED)?;
    if rest.len() > MOST_PARSED {
        return Err(MALFORMED);
    }
    let mut joiner = Joiner {
        text,
        // Few bytes can refer to one long text many times.
        left: MOST_BYTES,
    };
    let mut body = String::with_capacity(rest.len() * 4);
    joiner.put_body(&mut body, &format!("{{{rest}"))?;
    if body.len() > MOST_BYTES {
        return Err(StoreProblem::corrupt("a body is larger than any journal's"));
    }
    Ok(body)
}

/// A stored body without the string that may enclose it.
pub(in crate::journal::store) fn unquoted(stored: String) -> Result<String, StoreProblem> {
    let Some(quoted) = stored.strip_prefix(QUOTED) else {
        return Ok(stored);
    };
    parsed(quoted.strip_suffix('}').ok_or(MALFORMED)?)
}

struct Joiner<F> {
    text: F,
    left: usize,
}

impl<F: FnMut(&Hash) -> Result<Option<String>, StoreProblem>> Joiner<F> {
    fn put_body(&mut self, out: &mut String, packed: &str) -> Result<(), StoreProblem> {
        let mut has_attempts = false;
        let members: Members<'_> = parsed(packed)?;
        members.write(out, |out, name, value| {
            if name != ATTEMPTS || !value.starts_with('[') {
                return self.put_constraints(out, name, value);
            }
            has_attempts = true;
            write_list(out, value, |out, attempt| self.put_attempt(out, attempt))?;
            Ok(true)
        })?;
        has_attempts.then_some(()).ok_or(MALFORMED)
    }

    fn put_attempt(&mut self, out: &mut String, attempt: &str) -> Result<(), StoreProblem> {
        if !attempt.starts_with('{') {
            out.push_str(attempt);
            return Ok(());
        }
        let members: Members<'_> = parsed(attempt)?;
        members.write(out, |out, name, value| {
            if name != PROMPT || !value.starts_with('[') {
                return self.put_constraints(out, name, value);
            }
            let prompt = self.join(&parsed::<Vec<Value>>(value)?)?;
            out.push_str(&Value::from(prompt).to_string());
            Ok(true)
        })
    }

    /// Puts the list of constraints in the place of its hash.
    fn put_constraints(
        &mut self,
        out: &mut String,
        name: &str,
        value: &str,
    ) -> Result<bool, StoreProblem> {
        if name != CONSTRAINTS || !value.starts_with('{') {
            return Ok(false);
        }
        let reference: Value = parsed(value)?;
        let hex = reference.get("h").and_then(Value::as_str);
        let list = self.kept(hex.ok_or(MALFORMED)?)?;
        // The text there must be JSON, too.
        parsed::<IgnoredAny>(&list)?;
        out.push_str(&list);
        Ok(true)
    }

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
