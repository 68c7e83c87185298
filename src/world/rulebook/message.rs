//! Messages of checks, with placeholders such as `{actor}`.

use super::spec::ActionRole;

/// The parts of a message, each with the placeholder that stands before it: `{word}` and then plain text. What is no
/// whole placeholder is plain text.
pub(in crate::world) fn message_parts(
    message: &str,
) -> impl Iterator<Item = (Option<&str>, &str, bool)> {
    let pieces = message.split('{').enumerate();
    pieces.map(|(i, piece)| match piece.split_once('}').filter(|_| i > 0) {
        Some((word, rest)) => (Some(word), rest, false),
        None => (None, piece, i > 0),
    })
}

/// The role that a placeholder names.
pub(in crate::world) fn placeholder(word: &str) -> Option<ActionRole> {
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
        .filter_map(|(word, ..)| word)
        .find(|word| placeholder(word).is_none())
}
