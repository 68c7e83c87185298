//! Which of the two forms a reply has, and where its envelope is.
//!
//! Rulings:
//! * An object at the beginning of a reply or of a fence is an envelope. So is, anywhere in prose, an object that begins with a
//!   key: the words before it (a label, a stage direction, "Here is my answer:", the tag of a tool call) are dropped, and so is
//!   what follows it, with a warning. JSON is never heard: an object that does not parse is refused.
//! * An object inside a JSON string is the object that the string holds.
//! * An object without its `{`, as a front end leaves it that has written the beginning for the model, is that object.
//! * A fence is three or more backticks, or tildes if an object follows. A fence that was opened and never closed ends with the
//!   text. Of a fence without an object the backticks and the language are dropped; its text is speech.

use super::invalid::{InvalidFormat, InvalidKind};
use super::json_text::JsonStrings;
use super::markup::{Markup, Turn, is_free_of_marks};
use super::white_space::is_blank;
use std::borrow::Cow;

/// What a reply is, once what models write around it is removed.
#[derive(Debug, PartialEq)]
pub(super) enum Located<'a> {
    /// Prose, without fences.
    Prose(String),
    /// An envelope.
    Envelope(Object<'a>),
}

/// A JSON object in a reply.
#[derive(Debug, PartialEq)]
pub(super) struct Object<'a> {
    /// From its `{` on, up to its `}` or, where that is missing, the end of the reply.
    pub(super) json: Cow<'a, str>,
    /// Whether text after it was dropped.
    pub(super) has_trailing_text: bool,
}

/// Decides between the two forms.
pub(super) fn locate(reply: &str) -> Result<Located<'_>, InvalidFormat> {
    let found = locate_any(reply)?;
    match &found {
        Located::Prose(text) if text.chars().all(is_blank) => Err(InvalidFormat::new(
            InvalidKind::Empty,
            "the reply holds nothing but thinking and white space",
        )),
        Located::Prose(text) if is_json_value(text) => Err(InvalidFormat::machine()),
        _ => Ok(found),
    }
}

/// Decides between the two forms, also where the prose is nothing, or a number alone.
pub(super) fn locate_any(reply: &str) -> Result<Located<'_>, InvalidFormat> {
    Ok(match in_string(reply) {
        None => find(reply)?,
        Some(inner) => match find(&inner)? {
            Located::Envelope(object) => Located::Envelope(Object {
                json: Cow::Owned(object.json.into_owned()),
                ..object
            }),
            Located::Prose(text) => Located::Prose(text),
        },
    })
}

/// What a reply holds that is one JSON string with an object inside.
fn in_string(reply: &str) -> Option<String> {
    let text = reply.trim_matches(is_blank);
    if !text.starts_with('"') || !text.contains('{') {
        return None;
    }
    let inner = serde_json::from_str::<String>(text).ok()?;
    inner
        .trim_start_matches(is_blank)
        .starts_with('{')
        .then_some(inner)
}

/// Whether a text is a JSON value and no speech: `null`, `true`, `[]`. A number is an answer.
fn is_json_value(text: &str) -> bool {
    let text = text.trim_matches(is_blank);
    text.len() < 64
        && (text == "None"
            || text == "undefined"
            || serde_json::from_str::<serde_json::Value>(text)
                .is_ok_and(|value| !value.is_string() && !value.is_number()))
}

fn find(reply: &str) -> Result<Located<'_>, InvalidFormat> {
    if is_free_of_marks(reply) && !reply.contains(['{', '`', '~']) {
        return prose_or_rest(reply.to_owned());
    }
    let mut markup = Markup::default();
    let mut prose = String::with_capacity(reply.len());
    let mut object: Option<Object> = None;
    let mut at = 0;
    let mut has_ended = false;
    while let Some(c) = reply.get(at..).and_then(|rest| rest.chars().next()) {
        let rest = &reply[at..];
        if c == '{' && markup.is_read() && is_object(&prose, rest, object.is_some()) {
            if object.is_some() {
                return Err(InvalidFormat::several_envelopes());
            }
            let len = object_len(rest);
            object = Some(Object {
                json: Cow::Borrowed(&rest[..len]),
                has_trailing_text: false,
            });
            // The text before it is no speech.
            markup.end(&mut prose);
            prose.clear();
            markup.see();
            at += len;
            continue;
        }
        at += c.len_utf8();
        match markup.take(c, &mut prose) {
            Some(Turn::Clear) => {
                prose.clear();
                object = None;
            }
            Some(Turn::End) => {
                has_ended = true;
                break;
            }
            Some(Turn::Machine) if object.is_some() => {}
            // The tag of a tool call may come before an object.
            Some(Turn::Machine) if holds_object(&reply[at..]) => {}
            Some(Turn::Machine) => return Err(InvalidFormat::machine()),
            Some(Turn::Unsure) | None => {}
        }
    }
    if !has_ended {
        markup.end(&mut prose);
    }
    Ok(match object {
        Some(object) => {
            let behind = prose.replace("```", "").replace("~~~", "");
            let behind = behind.trim_matches(is_blank);
            Located::Envelope(Object {
                has_trailing_text: !behind.is_empty(),
                ..object
            })
        }
        None => return prose_or_rest(without_fences(prose)),
    })
}

/// Prose, or what is left of an object whose beginning is missing.
fn prose_or_rest<'a>(prose: String) -> Result<Located<'a>, InvalidFormat> {
    let text = prose.trim_matches(is_blank);
    let json = if is_unopened(text) {
        let end = if text.ends_with('}') { "" } else { "}" };
        format!("{{{text}{end}")
    } else if !text.contains('{') && ends_object(text) {
        let json = format!("{{\"dialogue\": \"{text}");
        if serde_json::from_str::<serde::de::IgnoredAny>(&json).is_err() {
            return Err(InvalidFormat::machine());
        }
        json
    } else {
        return Ok(Located::Prose(prose));
    };
    Ok(Located::Envelope(Object {
        json: Cow::Owned(json),
        has_trailing_text: false,
    }))
}

/// Whether a text begins with a key in quotation marks and its colon: `"dialogue": ..`
pub(super) fn is_unopened(text: &str) -> bool {
    text.starts_with('"') && begins_with_known_key(&format!("{{{text}"))
}

/// Whether a text ends as an object does. A smiley does not.
fn ends_object(text: &str) -> bool {
    let inner = text.strip_suffix('}').unwrap_or_default();
    inner.trim_end_matches(is_blank).ends_with(['"', ']']) || inner.ends_with('\n')
}

/// Whether an object begins with this `{`, after this prose.
fn is_object(prose: &str, rest: &str, is_second: bool) -> bool {
    if begins_with_key(rest) {
        return true;
    }
    // `{{char}}: Come in.`
    let is_macro = rest
        .strip_prefix("{{")
        .is_some_and(|inner| inner.starts_with(char::is_alphabetic));
    !is_macro && (prose.chars().all(is_blank) || !is_second && opens_fence(prose))
}

/// Whether the text holds an object with a key.
pub(super) fn holds_object(text: &str) -> bool {
    text.match_indices('{')
        .any(|(at, _)| begins_with_key(&text[at..]))
}

/// Whether `{` and a key follow, however it is quoted.
pub(super) fn begins_with_key(rest: &str) -> bool {
    key_of(rest).is_some()
}

/// The same, of a key that our forms have.
fn begins_with_known_key(rest: &str) -> bool {
    key_of(rest).is_some_and(|is_known| is_known)
}

/// Whether the key that follows `{` is one of our forms; `None` where no key follows.
fn key_of(rest: &str) -> Option<bool> {
    const KEYS: [&str; 22] = [
        "dialogue",
        "dialogueText",
        "mutations",
        "proposedMutations",
        "intents",
        "worldIntents",
        "plan",
        "thought",
        "intention",
        "calls",
        "steps",
        "intent",
        "confidence",
        "actions",
        "choice",
        "response",
        "reply",
        "text",
        "content",
        "name",
        "arguments",
        "lines",
    ];
    let inner = rest.strip_prefix('{')?;
    let inner = inner.trim_start_matches(is_blank);
    let bare = inner.trim_start_matches('\\');
    let is_quoted = bare.starts_with(['"', '\'', '“', '”', '`']);
    let bare = bare.trim_start_matches(['"', '\'', '“', '”', '`']);
    let key = bare
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '$')))
        .next()
        .unwrap_or_default();
    let behind = bare.get(key.len()..).unwrap_or_default();
    let behind = behind
        .trim_start_matches(|c| is_blank(c) || matches!(c, '\\' | '"' | '\'' | '“' | '”' | '`'));
    let is_known = KEYS.contains(&key);
    let is_key = behind.starts_with([':', '：']) && !key.is_empty() && (is_quoted || is_known);
    is_key.then_some(is_known)
}

/// The length of the object that the text begins with: up to the `}` that closes it, or all of the text.
fn object_len(text: &str) -> usize {
    let mut strings = JsonStrings::default();
    let mut depth = 0_usize;
    for (at, byte) in text.bytes().enumerate() {
        if !strings.outside(byte) {
            continue;
        }
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth == 0 {
            return at + 1;
        }
    }
    text.len()
}

/// Whether the prose ends with the opening of a fence and its language.
fn opens_fence(prose: &str) -> bool {
    let text = prose.trim_end_matches(is_blank);
    let bare = text
        .trim_end_matches(is_of_language)
        .trim_end_matches([' ', '\t']);
    bare.ends_with("```") || bare.ends_with("~~~")
}

fn is_of_language(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '.')
}

/// Prose without its fences: the backticks and the language go, and the text stays.
fn without_fences(prose: String) -> String {
    if !prose.contains("```") {
        return prose;
    }
    let mut out = String::with_capacity(prose.len());
    let mut rest = prose.as_str();
    let mut is_open = false;
    while let Some(at) = rest.find("```") {
        out.push_str(&rest[..at]);
        out.push('\n');
        let content = rest[at..].trim_start_matches('`');
        is_open = !is_open;
        let spaced = content.trim_start_matches([' ', '\t']);
        let named = spaced.trim_start_matches(is_of_language);
        let line_ends = named.trim_start_matches([' ', '\t']);
        let is_alone = line_ends.is_empty() || line_ends.starts_with(['\n', '\r']);
        rest = if is_open && is_alone { named } else { content };
    }
    out.push_str(rest);
    out
}
