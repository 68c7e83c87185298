//! Messages of checks, with placeholders such as `{actor}`.

use super::spec::ActionRole;

/// A placeholder, if any, and the plain text that follows it up to the next one.
pub(crate) struct MessagePart<'a> {
    /// The text in the braces, a known word or not.
    pub placeholder: Option<&'a str>,
    /// Whether there is a `{` before the text that begins no placeholder: it is plain text, too.
    pub brace: bool,
    /// The plain text.
    pub text: &'a str,
}

/// The parts of a message, in order. What is no whole placeholder is plain text.
pub(crate) fn message_parts(message: &str) -> impl Iterator<Item = MessagePart<'_>> {
    let pieces = message.split('{').enumerate();
    pieces.map(|(i, piece)| match piece.split_once('}').filter(|_| i > 0) {
        Some((word, text)) => MessagePart {
            placeholder: Some(word),
            brace: false,
            text,
        },
        None => MessagePart {
            placeholder: None,
            brace: i > 0,
            text: piece,
        },
    })
}

/// The role that a placeholder names; none when there is no such placeholder.
pub(crate) fn placeholder(word: &str) -> Option<ActionRole> {
    match word {
        "actor" => Some(ActionRole::Actor),
        "target" => Some(ActionRole::Target),
        "tool" => Some(ActionRole::Tool),
        "to" => Some(ActionRole::To),
        "here" => Some(ActionRole::Here),
        _ => None,
    }
}

/// The first `{word}` of a message that is none of the roles.
pub(super) fn unknown_placeholder(message: &str) -> Option<&str> {
    message_parts(message)
        .filter_map(|part| part.placeholder)
        .find(|word| placeholder(word).is_none())
}
