//! Keeps the key out of every message, however a server echoes it.

use crate::engine::EngineError;
use secrecy::{ExposeSecret, SecretString};

/// How many characters of a server's message are kept.
const SHOWN_CHARS: usize = 500;
/// The text that replaces the key.
const MASK: &str = "[redacted]";

/// Knows the key and removes it.
pub(super) struct Redactor {
    key: Option<SecretString>,
}

impl Redactor {
    pub fn new(key: Option<SecretString>) -> Self {
        Self { key }
    }

    /// What a reply is passed through.
    pub fn filter(&self) -> ReplyFilter {
        let key = self.key.clone();
        ReplyFilter {
            key: key.filter(|key| key.expose_secret().len() >= LEAST_KEY),
            held: String::new(),
        }
    }

    /// The error with every text in it cleaned.
    pub fn error(&self, error: EngineError) -> EngineError {
        match error {
            EngineError::Timeout(text) => EngineError::Timeout(self.clean(&text)),
            EngineError::Unreachable(text) => EngineError::Unreachable(self.clean(&text)),
            EngineError::Status { status, message } => EngineError::Status {
                status,
                message: self.clean(&message),
            },
            EngineError::Interrupted(text) => EngineError::Interrupted(self.clean(&text)),
            EngineError::Protocol(text) => EngineError::Protocol(self.clean(&text)),
            EngineError::Recorded { kind, message } => EngineError::Recorded {
                kind,
                message: self.clean(&message),
            },
            plain @ (EngineError::ScriptExhausted
            | EngineError::Expired { .. }
            | EngineError::Oversized { .. }
            | EngineError::NotUtf8) => plain,
        }
    }

    /// `text` without the key, without any bearer token, without control characters (a message may end in a
    /// terminal), cut to 500 characters.
    pub fn clean(&self, text: &str) -> String {
        let mut text = text.to_owned();
        if let Some(key) = &self.key {
            let key = key.expose_secret();
            text = mask(&text, key);
            // As JSON writes it, in a body too broken to be parsed.
            let escaped = serde_json::Value::from(key).to_string();
            let escaped = escaped.trim_matches('"');
            text = mask(&mask(&text, escaped), &escaped.replace('/', "\\/"));
            // A body that was cut may end inside the key.
            let tail = (4..key.len())
                .rev()
                .find(|&n| key.is_char_boundary(n) && text.ends_with(&key[..n]));
            if let Some(n) = tail {
                text.truncate(text.len() - n);
                text.push_str(MASK);
            }
        }
        mask_bearer(&text)
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .take(SHOWN_CHARS)
            .collect()
    }
}

/// A key that is shorter may be a word that a character says, such as the "none" that local servers are given.
const LEAST_KEY: usize = 8;

/// Keeps the key out of a reply that comes in pieces: a server may send back what it was sent.
pub(super) struct ReplyFilter {
    key: Option<SecretString>,
    /// What may be the beginning of the key.
    held: String,
}

impl ReplyFilter {
    /// Lets through the next piece, without the key, and without what may become the key.
    pub fn pass(&mut self, piece: &str) -> String {
        let Some(key) = &self.key else {
            return piece.to_owned();
        };
        let key = key.expose_secret();
        self.held.push_str(piece);
        let mut text = mask(&std::mem::take(&mut self.held), key);
        let tail = (1..key.len()).rev().find(|&n| {
            let start = text.len().checked_sub(n);
            let tail = start.and_then(|start| text.get(start..));
            key.get(..n)
                .zip(tail)
                .is_some_and(|(head, tail)| tail.eq_ignore_ascii_case(head))
        });
        if let Some(n) = tail {
            self.held = text.split_off(text.len() - n);
        }
        text
    }

    /// What was held back and did not become the key.
    pub fn rest(&mut self) -> String {
        std::mem::take(&mut self.held)
    }
}

/// Masks `secret` in `text`, in upper and lower case: a part of the answer may have been folded on its way.
fn mask(text: &str, secret: &str) -> String {
    let (lower, secret) = (text.to_ascii_lowercase(), secret.to_ascii_lowercase());
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    for (start, found) in lower.match_indices(&secret) {
        out.push_str(&text[from..start]);
        out.push_str(MASK);
        from = start + found.len();
    }
    out.push_str(&text[from..]);
    out
}

/// Masks the word after each `bearer`, whatever the case: the key in a shape that we do not know, or someone else's.
fn mask_bearer(text: &str) -> String {
    let lower = text.to_ascii_lowercase();
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    while let Some(found) = lower[from..].find("bearer ") {
        let start = from + found + "bearer ".len();
        let end = text[start..]
            .find(|c: char| c.is_whitespace() || matches!(c, '"' | '\'' | ',' | '<' | '\\'))
            .map_or(text.len(), |n| start + n);
        out.push_str(&text[from..start]);
        if end > start {
            out.push_str(MASK);
        }
        from = end;
    }
    out.push_str(&text[from..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(text: &str) -> String {
        Redactor::new(Some(SecretString::from("sk-a/b\"c123"))).clean(text)
    }

    #[test]
    fn r4_the_key_is_removed_plain_escaped_and_cut() {
        assert_eq!(clean("a sk-a/b\"c123 b"), "a [redacted] b");
        assert_eq!(clean("é SK-A/B\"C123 é"), "é [redacted] é");
        assert_eq!(clean(r#"{"k":"sk-a/b\"c123"}"#), r#"{"k":"[redacted]"}"#);
        assert_eq!(clean(r#"{"k":"sk-a\/b\"c123"}"#), r#"{"k":"[redacted]"}"#);
        assert_eq!(clean("tail sk-a/b"), "tail [redacted]");
    }

    #[test]
    fn r4_a_key_in_a_reply_is_removed_however_it_is_cut() {
        let said = "well, sk-a sk-A/B\"c123 and sk-a/b";
        for size in 1..said.len() {
            let mut filter = Redactor::new(Some(SecretString::from("sk-a/b\"c123"))).filter();
            let mut heard = String::new();
            for piece in said.as_bytes().chunks(size) {
                heard += &filter.pass(std::str::from_utf8(piece).unwrap());
            }
            heard += &filter.rest();
            assert_eq!(heard, "well, sk-a [redacted] and sk-a/b");
        }
        let mut short = Redactor::new(Some(SecretString::from("none"))).filter();
        assert_eq!(short.pass("none of that"), "none of that");
    }

    #[test]
    fn r4_a_bearer_token_is_removed_even_when_it_is_not_ours() {
        let none = Redactor::new(None);
        assert_eq!(
            none.clean("{\"authorization\": \"BEARER abc.def\", x: bearer "),
            "{\"authorization\": \"BEARER [redacted]\", x: bearer "
        );
        assert_eq!(none.clean("é Bearer ñandú é"), "é Bearer [redacted] é");
    }

    #[test]
    fn r1_control_characters_and_length_are_tamed() {
        assert_eq!(clean("a\u{1b}[31m\nb"), "a [31m b");
        assert_eq!(clean(&"é".repeat(900)).chars().count(), 500);
    }
}
