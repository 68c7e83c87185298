//! Replies of the stages that make an intention (SCENARIO.md section 2, "Stage replies").

use super::envelope::one_object;
use super::invalid::{InvalidFormat, InvalidKind};
use super::json_fields::string;
use super::locate::{Located, locate};
use super::options::{Finish, ParseOptions};
use super::proposed::ParseWarning;
use super::reply_text::{text_of, whole_sentences};
use super::sanitise;
use super::scan::Reading;
use serde::Serialize;

/// What a persona or a character wants to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct IntentionReply {
    /// What it thinks; `None` when it thinks nothing. Nobody else sees it, and nobody judges it.
    pub thought: Option<String>,
    /// What it wants to do; not empty.
    pub intention: String,
}

/// Reads the reply of a stage that makes an intention: a JSON object, or prose, which is the intention.
///
/// # Errors
/// [`InvalidFormat`], with the kind of what is wrong.
pub fn parse_intention(
    bytes: &[u8],
    options: &ParseOptions,
) -> Result<(IntentionReply, Vec<ParseWarning>), InvalidFormat> {
    let mut warnings = Vec::new();
    let (thought, intention) = match locate(text_of(bytes)?)? {
        Located::Prose(text) => {
            let speech = sanitise::prose(&text, options).spoken;
            let whole = match options.finish {
                Finish::Length => whole_sentences(speech, options)?,
                Finish::Stop => speech,
            };
            (None, whole.line)
        }
        Located::Envelope(json) => {
            let mut fields = one_object(json, options.finish)?;
            let thought = string(&mut fields, "thought", "", "the intention")?;
            let intention = string(&mut fields, "intention", "", "the intention")?;
            warnings.extend(
                fields
                    .keys()
                    .take(8)
                    .map(|name| ParseWarning::unknown_field(name)),
            );
            let clean = |text: String| sanitise::speech(&text, Reading::Envelope, options).line;
            (thought.map(clean), intention.map(clean).unwrap_or_default())
        }
    };
    if intention.is_empty() {
        return Err(InvalidFormat::new(
            InvalidKind::NoSpeech,
            "the reply has no intention",
        ));
    }
    let thought = thought.filter(|thought| !thought.is_empty());
    Ok((IntentionReply { thought, intention }, warnings))
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
