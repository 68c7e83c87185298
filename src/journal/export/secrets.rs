//! Finds what looks like a secret in a text, and removes it.
//!
//! A secret is looked for in the text, in the text without its escapes (a reply is often JSON by itself), and, once it is
//! known, without line ends and invisible characters, in upper and lower case, and in parts.

use super::patterns::{MASK, like_a_token, suspects};
use super::view::View;
use aho_corasick::{AhoCorasick, BuildError};
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

/// A part of a known secret with at least this number of bytes is removed everywhere: a text may be cut inside the secret.
const PART: usize = 10;
/// The most parts of a secret that are known. Of a longer secret, they are parts of its beginning.
const MAX_PARTS: usize = 4_096;
/// Collects the secrets of a recording before any is removed: what is announced in one place is removed in all.
#[derive(Default)]
pub(super) struct FoundSecrets {
    words: BTreeSet<String>,
}

impl FoundSecrets {
    /// A word that is a secret everywhere.
    pub fn add(&mut self, word: &str) {
        let views = View::all(word);
        self.words
            .extend(views.iter().take(1).map(|view| view.squeezed().text));
    }

    /// The value of a field whose name says that it is secret.
    pub fn add_named(&mut self, text: &str) {
        if like_a_token(text) {
            self.add(text);
        }
    }

    /// What looks like a secret in a text.
    pub fn search(&mut self, text: &str) {
        for view in View::all(text) {
            for range in suspects(&view.text) {
                // A short word, and one of letters only, is no secret unless the caller says so.
                for word in view.text[range].split([' ', '\n', '\r', '\t', '/']) {
                    self.add_named(word);
                }
            }
        }
    }

    pub fn into_secrets(self) -> Result<Secrets, BuildError> {
        let mut parts = HashSet::new();
        for word in &self.words {
            for run in word.split_whitespace() {
                parts.extend(
                    run.as_bytes()
                        .windows(PART)
                        .take(MAX_PARTS)
                        .map(<[u8]>::to_vec),
                );
            }
        }
        // The words of a longer one are found by its parts, unless there is white space between them.
        let whole = |word: &&String| word.len() < PART || word.contains(char::is_whitespace);
        let whole: Vec<&String> = self.words.iter().filter(whole).collect();
        let whole = (!whole.is_empty())
            .then(|| AhoCorasick::new(whole))
            .transpose()?;
        Ok(Secrets { whole, parts })
    }
}

/// Knows what is secret, and removes it.
pub(super) struct Secrets {
    whole: Option<AhoCorasick>,
    parts: HashSet<Vec<u8>>,
}

impl Secrets {
    /// The text without its secrets; nothing when it has none.
    pub fn clean(&self, text: &str) -> Option<String> {
        let mut found = Vec::new();
        for view in View::all(text) {
            found.extend(
                suspects(&view.text)
                    .into_iter()
                    .map(|range| view.origin(&range)),
            );
            if self.whole.is_some() || !self.parts.is_empty() {
                let squeezed = view.squeezed();
                let known = self.known(&squeezed.text);
                found.extend(known.into_iter().map(|range| squeezed.origin(&range)));
            }
        }
        let from_escape = found
            .into_iter()
            .map(|range| before_escape(text, range.start)..range.end);
        let mut out = String::new();
        let mut from = 0;
        for range in merged(from_escape.collect()) {
            out.push_str(&text[from..range.start]);
            out.push_str(MASK);
            from = range.end;
        }
        out.push_str(&text[from..]);
        (out != text).then_some(out)
    }

    fn known(&self, text: &str) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        if let Some(whole) = &self.whole {
            found.extend(whole.find_overlapping_iter(text).map(|hit| hit.range()));
        }
        if !self.parts.is_empty() {
            for (i, part) in text.as_bytes().windows(PART).enumerate() {
                if self.parts.contains(part) {
                    found.push(i..i + PART);
                }
            }
        }
        found
    }
}

/// Ranges in order, those that touch as one.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut merged: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match merged.last_mut() {
            Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
            _ => merged.push(range),
        }
    }
    merged
}

/// Half an escape is none: a backslash before the removed text goes, too.
fn before_escape(text: &str, start: usize) -> usize {
    let slashes = text.as_bytes()[..start].iter().rev();
    let slashes = slashes.take_while(|byte| **byte == b'\\').count();
    // Two backslashes are an escaped one, and belong to the text before.
    start - slashes % 2
}

#[cfg(test)]
mod tests {
    use super::*;

    fn secrets(words: &[&str]) -> Secrets {
        let mut found = FoundSecrets::default();
        words.iter().for_each(|word| found.add(word));
        found.into_secrets().unwrap()
    }

    fn clean(text: &str) -> String {
        secrets(&[]).clean(text).unwrap_or_else(|| text.to_owned())
    }

    #[test]
    fn r4_what_looks_like_a_secret_goes() {
        let cases = [
            ("Bearer abc123.def", "Bearer [redacted]"),
            (
                "authorization: Basic dTpw",
                "authorization: Basic [redacted]",
            ),
            (
                "Authorization: Bearer abcdefgh;",
                "Authorization: Bearer [redacted];",
            ),
            ("use sk-hunter2, Odo", "use [redacted], Odo"),
            ("?api_key=abc&x=1", "?api_key=[redacted]&x=1"),
            (r#"{"api_key": "a b c"}"#, r#"{"api_key": "[redacted]"}"#),
            (
                r#"{\"api_key\": \"a b\"}"#,
                r#"{\"api_key\": \"[redacted]\"}"#,
            ),
            ("http://ann:pass@host/x", "http://ann:[redacted]@host/x"),
            (
                "x-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----y",
                "x[redacted]y",
            ),
            (r"x-----BEGIN PRIVATE KEY-----\nMIIE", "x[redacted]"),
            ("AKIAIOSFODNN7EXAMPLE", "[redacted]"),
            ("d41d8cd98f00b204e9800998ecf8427e", "[redacted]"),
            ("(4f+Zk2Qw9LmN8bVc7Xa6Sd5Fg4Hj3Kl2)", "([redacted])"),
            (r"\u0073k-hunter2", "[redacted]"),
            (r"a\nsk-hunter2", r"a\n[redacted]"),
        ];
        for (text, expected) in cases {
            assert_eq!(clean(text), expected, "{text}");
            assert_eq!(clean(expected), expected, "a second time");
        }
    }

    #[test]
    fn r4_what_is_only_told_stays() {
        for text in [
            "The bearer may ask for them: 7-3-9.",
            "The standard bearer approaches; the task-master waits.",
            "an_emitted_intent_cannot_aim_at_a_fact_of_2_kinds",
            "assets/scenarios/adversarial/keep/level-12-room-34/keep.rulebook.ron",
            "TheQuickBrownFoxJumpsOverTheLazyDog1",
            "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
            "The password is swordfish, and the key is under the mat.",
            "00000000000000000000000000000000",
        ] {
            assert_eq!(secrets(&[]).clean(text), None, "{text}");
        }
    }

    #[test]
    fn r4_a_known_word_goes_in_every_form_and_in_part() {
        let secrets = secrets(&["hunter2", "Correct-Horse/Battery", "two \"words\""]);
        for (text, expected) in [
            ("xHUNTER2x", "x[redacted]x"),
            ("hun\nter2", "[redacted]"),
            ("hun\u{200b}ter2 é", "[redacted] é"),
            (r"h\u0075nter2", "[redacted]"),
            ("é correct-horse/batt", "é [redacted]"),
            (r"correct-horse\/battery!", "[redacted]!"),
            (r#"say two \"words\" now"#, "say [redacted] now"),
            (r"\\hunter2", r"\\[redacted]"),
            ("hunter2hunter2", "[redacted]"),
        ] {
            assert_eq!(secrets.clean(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(secrets.clean("a correct horse, a hunter"), None);
    }

    #[test]
    fn r4_what_is_announced_once_is_known() {
        let mut found = FoundSecrets::default();
        found.search("api_key=Wolf7moon");
        found.search("api_key=please");
        let secrets = found.into_secrets().unwrap();
        assert_eq!(
            secrets.clean("open wolf7moon please").unwrap(),
            "open [redacted] please"
        );
    }
}
