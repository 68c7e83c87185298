//! Replies of the stages that make an intention.
//!
//! Prose is the intention, except the text under the label of a thought: `Thought: .. Intention: ..`. A prose reply that
//! has a thought and nothing that is marked as the intention is refused, because others may not see a thought.

use super::envelope::fields_of;
use super::invalid::{InvalidFormat, InvalidKind};
use super::json_fields::string;
use super::labels::{THOUGHTS, split_label};
use super::locate::{Located, holds_object, locate};
use super::names::label_key;
use super::options::{Finish, ParseOptions};
use super::proposed::ParseWarning;
use super::reply_text::{text_of, whole_sentences};
use super::sanitise;
use super::scan::Reading;
use serde::Serialize;

/// What a persona or a character wants to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct IntentionReply {
    /// What it thinks; `None` when it thinks nothing. No other character sees it, and no gate judges it.
    pub thought: Option<String>,
    /// What it wants to do; not empty.
    pub intention: String,
}

/// Reads the reply of a stage that makes an intention: a JSON object, or prose, which is the intention.
///
/// # Errors
/// `InvalidFormat`, with the kind of what is wrong.
pub(crate) fn parse_intention(
    bytes: &[u8],
    options: &ParseOptions,
) -> Result<(IntentionReply, Vec<ParseWarning>), InvalidFormat> {
    let mut warnings = Vec::new();
    let (thought, intention) = match locate(text_of(bytes)?)? {
        Located::Prose(text) => {
            let (thought, text) = sections(&text);
            let speech = sanitise::prose(&text, Reading::Told, options).spoken;
            let whole = match options.finish {
                Finish::Length => whole_sentences(speech, options)?,
                Finish::Stop => speech,
            };
            let thought = thought.map(|thought| sanitise::speech(&thought, Reading::Told, options));
            (thought.transpose()?.map(|thought| thought.line), whole.line)
        }
        Located::Envelope(object) => {
            let mut fields = fields_of(&object, options.finish)?;
            let thought = string(&mut fields, "thought", "", "the intention")?;
            let intention = string(&mut fields, "intention", "", "the intention")?;
            warnings.extend(
                fields
                    .keys()
                    .take(8)
                    .map(|name| ParseWarning::unknown_field(name)),
            );
            warnings.extend(object.has_trailing_text.then(ParseWarning::trailing_text));
            let clean = |text: String| {
                let spoken = sanitise::speech(&text, Reading::Told, options)?;
                Ok::<_, InvalidFormat>(spoken.line)
            };
            let thought = thought.map(clean).transpose()?;
            (
                thought,
                intention.map(clean).transpose()?.unwrap_or_default(),
            )
        }
    };
    if holds_object(&intention) {
        return Err(InvalidFormat::machine());
    }
    if intention.is_empty() {
        return Err(InvalidFormat::new(
            InvalidKind::NoSpeech,
            "the reply has no intention",
        ));
    }
    let thought = thought.filter(|thought| !thought.is_empty());
    Ok((IntentionReply { thought, intention }, warnings))
}

/// The labels under which a model writes what it wants to do.
const INTENTIONS: [&str; 10] = [
    "intention",
    "intent",
    "intentions",
    "action",
    "actions",
    "i want to",
    "plan",
    "absicht",
    "handlung",
    "意图",
];

/// The thought and the intention of prose whose lines say which is which; all of it is the intention where no line does.
fn sections(text: &str) -> (Option<String>, String) {
    let mut thought: Option<String> = None;
    let (mut intention, mut unmarked) = (None::<String>, String::new());
    let mut is_thought = false;
    for line in text.split_inclusive('\n') {
        let label = split_label(line).map(|(label, rest)| (label_key(label), rest));
        let (part, rest) = match label {
            Some((label, rest)) if THOUGHTS.contains(&label.as_str()) => {
                is_thought = true;
                (thought.get_or_insert_default(), rest)
            }
            Some((label, rest)) if INTENTIONS.contains(&label.as_str()) => {
                is_thought = false;
                (intention.get_or_insert_default(), rest)
            }
            _ if is_thought => (thought.get_or_insert_default(), line),
            _ => (intention.as_mut().unwrap_or(&mut unmarked), line),
        };
        part.push_str(rest);
    }
    match (thought, intention) {
        (None, None) => (None, unmarked),
        (thought, intention) => (thought, intention.unwrap_or(unmarked)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(reply: &str) -> Result<IntentionReply, InvalidKind> {
        let read = parse_intention(reply.as_bytes(), &ParseOptions::default());
        read.map(|(reply, _)| reply).map_err(|error| error.kind)
    }

    fn intends(thought: Option<&str>, intention: &str) -> Result<IntentionReply, InvalidKind> {
        Ok(IntentionReply {
            thought: thought.map(str::to_owned),
            intention: intention.to_owned(),
        })
    }

    #[test]
    fn t3_an_intention_is_an_object_or_prose() {
        let both = r#"{"thought": "He lies.", "intention": "I leave."}"#;
        assert_eq!(read(both), intends(Some("He lies."), "I leave."));
        assert_eq!(
            read(r#"{"thought": null, "intention": "I leave."}"#),
            intends(None, "I leave.")
        );
        assert_eq!(
            read(&format!("```json\n{both}\n```")),
            intends(Some("He lies."), "I leave.")
        );
        assert_eq!(
            read("I leave. [INTENT: move yard]"),
            intends(None, "I leave.")
        );
    }

    #[test]
    fn t3_what_is_no_intention_is_refused() {
        assert_eq!(read(""), Err(InvalidKind::Empty));
        assert_eq!(read(r#"{"thought": "Hm."}"#), Err(InvalidKind::NoSpeech));
        assert_eq!(read(r#"{"intention": 7}"#), Err(InvalidKind::WrongType));
        assert_eq!(read(r#"{"intention": "#), Err(InvalidKind::Json));
    }
}
