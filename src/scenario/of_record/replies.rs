//! What an engine answered, as a scenario writes it.

use super::error::{NotWritten, Unsayable};
use super::text::reply;
use crate::journal::record::RecordedReply;

/// What an engine answered; `None` where it was not asked. `only`: the calls that it answers, as fields of a reply; empty for
/// all.
pub(super) fn answer(recorded: &RecordedReply, only: &str) -> Result<Option<String>, Unsayable> {
    match (&recorded.error, &recorded.text) {
        (Some((kind, _)), _) => match kind.as_str() {
            "ContextLimit" => Ok(None),
            "Timeout" | "Transport" | "Oversized" | "NotUtf8" => {
                Ok(Some(format!("Fail((kind: {kind}{}))", behind(only))))
            }
            _ => Err("its time was over"),
        },
        (None, _) if recorded.pending => Err("its run was ended while the engine was asked"),
        (None, Some(text)) => Ok(Some(said(text, recorded.cut, only))),
        (None, None) => Err("its reply is not a text"),
    }
}

/// The reply that a scenario is about: the recorded one, or another text, which is a whole reply whatever the recorded one was.
pub(super) fn wished(
    recorded: &RecordedReply,
    other: Option<&str>,
    only: &str,
) -> Result<Option<String>, NotWritten> {
    if recorded.error.is_some() || recorded.pending {
        return Err(NotWritten::NoReply);
    }
    Ok(
        match other.filter(|text| text.as_bytes() != recorded.bytes()) {
            Some(text) => Some(said(text, false, only)),
            None => answer(recorded, only)?,
        },
    )
}

/// A text as a reply to the calls that `only` says.
pub(super) fn said(text: &str, is_cut: bool, only: &str) -> String {
    let text = reply(text);
    let finish = if is_cut { ", finish: Length" } else { "" };
    match (only, is_cut) {
        ("", false) => format!("Say({text})"),
        _ => format!("Reply((text: {text}{finish}{}))", behind(only)),
    }
}

/// The fields, ready to follow another field: with a comma before them, or nothing where there are no fields.
fn behind(fields: &str) -> String {
    match fields {
        "" => String::new(),
        fields => format!(", {fields}"),
    }
}
