//! Which of the two forms a reply has, and where its envelope stands (SCENARIO.md section 2, "Envelope").
//!
//! Rulings: a fence is three or more backticks, or tildes if an object follows. A fence that was opened and never
//! closed ends with the text. A fence whose content does not begin with `{` is prose: its backticks and its language
//! are dropped, its text is speech.

use super::invalid::{InvalidFormat, InvalidKind};
use super::json_text::JsonStrings;
use super::thinking::thinking_tag;
use super::white_space::is_blank;

/// What a reply is, once thinking is removed.
#[derive(Debug, PartialEq)]
pub(super) enum Located<'a> {
    /// Prose, with thinking and fences removed.
    Prose(String),
    /// The text of an envelope, from its `{` on.
    Envelope(&'a str),
}

/// Decides between the two forms.
pub(super) fn locate(reply: &str) -> Result<Located<'_>, InvalidFormat> {
    // Same length as the reply, so that places in one are places in the other.
    let lower = reply.to_ascii_lowercase();
    let bytes = reply.as_bytes();
    let mut prose = String::new();
    let mut envelopes: Vec<(&str, usize)> = Vec::new();
    let mut kept_from = 0;
    let mut at = 0;
    let mut begun = false;
    // Whether a fence of prose is open: its end has neither a language nor an object.
    let mut fenced = false;
    while at < bytes.len() {
        if !begun {
            at = reply.len() - reply[at..].trim_start_matches(is_blank).len();
            kept_from = at;
            match bytes.get(at) {
                Some(b'{') => return Ok(Located::Envelope(&reply[at..])),
                None => break,
                Some(_) => begun = true,
            }
        }
        match bytes[at] {
            b'<' => {
                let Some(tag) = thinking_tag(&lower[at..]) else {
                    at += 1;
                    continue;
                };
                prose.push_str(&reply[kept_from..at]);
                if tag.closing {
                    prose.clear();
                    envelopes.clear();
                }
                at = tag.block_end(&lower, at);
                kept_from = at;
                begun = !prose.is_empty() || !envelopes.is_empty();
            }
            mark @ (b'`' | b'~') => {
                let run = bytes[at..].iter().take_while(|b| **b == mark).count();
                if run < 3 {
                    at += run;
                    continue;
                }
                let (mut object, mut prose_from) = fence_content(reply, at + run);
                // The end of a fence has no language; with one, it begins an envelope all the same.
                let named = bytes.get(at + run).is_some_and(u8::is_ascii_alphanumeric);
                if mark == b'`' && fenced && !(named && object.is_some()) {
                    (object, prose_from) = (None, at + run);
                }
                if let Some(start) = object {
                    prose.push_str(&reply[kept_from..at]);
                    let (end, after) = fence_end(bytes, start, mark);
                    envelopes.push((&reply[start..end], prose.len()));
                    at = after;
                    kept_from = at;
                } else if mark == b'`' {
                    prose.push_str(&reply[kept_from..at]);
                    prose.push('\n');
                    fenced = !fenced;
                    at = prose_from;
                    kept_from = at;
                } else {
                    at += run;
                }
            }
            _ => at += 1,
        }
    }
    prose.push_str(&reply[kept_from..]);
    match envelopes.as_slice() {
        [] if prose.chars().all(is_blank) => Err(InvalidFormat::new(
            InvalidKind::Empty,
            "the reply holds nothing but thinking and white space",
        )),
        [] => Ok(Located::Prose(prose)),
        [(json, before)] => {
            let behind = prose.get(*before..).unwrap_or("");
            if behind.trim_start_matches(is_blank).starts_with('{') {
                Err(InvalidFormat::several_envelopes())
            } else {
                Ok(Located::Envelope(json))
            }
        }
        _ => Err(InvalidFormat::several_envelopes()),
    }
}

/// After a fence's opening: where its object begins, if it has one; and where its text begins as prose.
fn fence_content(reply: &str, from: usize) -> (Option<usize>, usize) {
    let rest = &reply[from..];
    let spaced = rest.trim_start_matches([' ', '\t']);
    let named = spaced.trim_start_matches(|c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '.')
    });
    let content = named.trim_start_matches(is_blank);
    let object = content
        .starts_with('{')
        .then(|| reply.len() - content.len());
    let line_ends = named.trim_start_matches([' ', '\t']);
    let alone = line_ends.is_empty() || line_ends.starts_with(['\n', '\r']);
    (
        object,
        if alone {
            reply.len() - named.len()
        } else {
            from
        },
    )
}

/// The end of the content of a fence of `mark`s, and the place after the fence. A fence inside a JSON string is none.
fn fence_end(bytes: &[u8], start: usize, mark: u8) -> (usize, usize) {
    let mut strings = JsonStrings::default();
    let mut at = start;
    while at < bytes.len() {
        if strings.outside(bytes[at]) && bytes[at] == mark {
            let run = bytes[at..].iter().take_while(|b| **b == mark).count();
            if run >= 3 {
                return (at, at + run);
            }
            at += run;
        } else {
            at += 1;
        }
    }
    (bytes.len(), bytes.len())
}
