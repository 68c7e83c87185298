//! Replies of the narrator: prose, in which a line `Name(mood): text` is what somebody says (SCENARIO.md section 2).

use super::invalid::{InvalidFormat, InvalidKind};
use super::locate::{Located, locate};
use super::options::{Finish, ParseOptions};
use super::reply_text::text_of;
use super::sanitise;
use super::scan::Reading;
use super::sentence_ends::last_whole_end;
use crate::base::ids::Id;
use crate::text::fold::fold;
use serde::{Deserialize, Serialize};

/// Somebody whom a narrator may let speak, with all names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Speaker {
    /// The id of the persona or character.
    pub id: Id,
    /// Its name and other names.
    pub names: Vec<String>,
}

/// What a part of a narration is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartKind {
    /// The narrator tells.
    Narration,
    /// Somebody says something.
    Dialog,
}

/// A part of a narration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NarrationPart {
    /// Whether the narrator tells, or somebody speaks.
    pub kind: PartKind,
    /// The id of who speaks; `None` where the narrator tells.
    pub speaker: Option<Id>,
    /// How it is said; `None` where the narrator tells, or does not say.
    pub mood: Option<String>,
    /// The words, without the label of who speaks and without the quotation marks around them.
    pub text: String,
}

/// One narration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NarrationReply {
    /// All of it, a line for each part.
    pub content: String,
    /// Its parts, in order; at least one.
    pub parts: Vec<NarrationPart>,
}

/// The longest label of a line that somebody says, in bytes.
const MAX_LABEL: usize = 200;

/// Reads the reply of a narrator. Markers and brackets are stripped and do nothing.
///
/// # Errors
/// [`InvalidFormat`], with the kind of what is wrong: an envelope, or nothing that is told.
pub fn parse_narration(
    bytes: &[u8],
    options: &ParseOptions,
    speakers: &[Speaker],
) -> Result<NarrationReply, InvalidFormat> {
    let text = match locate(text_of(bytes)?)? {
        Located::Prose(text) => text,
        Located::Envelope(_) => {
            return Err(InvalidFormat::new(
                InvalidKind::Json,
                "a narration is prose, not JSON",
            ));
        }
    };
    let text = match options.finish {
        Finish::Stop => text.as_str(),
        Finish::Length => {
            let end = last_whole_end(&text, options.lexicon);
            end.and_then(|end| text.get(..end)).unwrap_or_default()
        }
    };
    let nameless = ParseOptions {
        speaker_names: &[],
        ..*options
    };
    let mut parts: Vec<NarrationPart> = Vec::new();
    for line in text.lines() {
        let line = sanitise::speech(line, Reading::Prose, &nameless).line;
        if line.is_empty() {
            continue;
        }
        match (said(&line, speakers), parts.last_mut()) {
            (Some(said), _) => parts.push(said),
            (None, Some(last)) if last.kind == PartKind::Narration => {
                last.text.push('\n');
                last.text.push_str(&line);
            }
            (None, _) => parts.push(NarrationPart {
                kind: PartKind::Narration,
                speaker: None,
                mood: None,
                text: line,
            }),
        }
    }
    if parts.is_empty() {
        let kind = match options.finish {
            Finish::Stop => InvalidKind::NoSpeech,
            Finish::Length => InvalidKind::Truncated,
        };
        return Err(InvalidFormat::new(kind, "the narration tells nothing"));
    }
    let lines: Vec<String> = parts.iter().map(|part| line_of(part, speakers)).collect();
    Ok(NarrationReply {
        content: lines.join("\n"),
        parts,
    })
}

/// A part as a line of text: what is said has its speaker's first name in front.
fn line_of(part: &NarrationPart, speakers: &[Speaker]) -> String {
    let Some(id) = &part.speaker else {
        return part.text.clone();
    };
    let speaker = speakers.iter().find(|speaker| speaker.id == *id);
    let name = speaker.and_then(|speaker| speaker.names.first());
    let name = name.map_or(id.as_str(), String::as_str);
    match &part.mood {
        Some(mood) => format!("{name}({mood}): {}", part.text),
        None => format!("{name}: {}", part.text),
    }
}

/// What somebody says, where a line is that.
fn said(line: &str, speakers: &[Speaker]) -> Option<NarrationPart> {
    let colon = line.find(':').filter(|colon| *colon <= MAX_LABEL)?;
    let (label, text) = (line[..colon].trim(), line[colon + 1..].trim());
    let (name, mood) = match label
        .strip_suffix(')')
        .and_then(|label| label.split_once('('))
    {
        Some((name, mood)) => (name.trim(), Some(mood.trim().to_owned())),
        None => (label, None),
    };
    let name = fold(name);
    let is_named = |speaker: &&Speaker| speaker.names.iter().any(|known| fold(known) == name);
    let speaker = speakers
        .iter()
        .find(is_named)
        .filter(|_| !name.is_empty())?;
    let text = unquoted(text);
    (!text.is_empty()).then(|| NarrationPart {
        kind: PartKind::Dialog,
        speaker: Some(speaker.id.clone()),
        mood: mood.filter(|mood| !mood.is_empty()),
        text: text.to_owned(),
    })
}

/// Without the quotation marks around all of it.
fn unquoted(text: &str) -> &str {
    for (open, close) in [('"', '"'), ('“', '”'), ('„', '“'), ('«', '»')] {
        let inner = text
            .strip_prefix(open)
            .and_then(|text| text.strip_suffix(close));
        if let Some(inner) = inner.filter(|inner| !inner.contains([open, close])) {
            return inner.trim();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    fn speakers() -> Vec<Speaker> {
        vec![Speaker {
            id: id!("ivo"),
            names: vec!["Ivo".to_owned(), "Old Ivo".to_owned()],
        }]
    }

    fn read(reply: &str) -> Vec<(Option<String>, Option<String>, String)> {
        let read = parse_narration(reply.as_bytes(), &ParseOptions::default(), &speakers());
        let parts = read.unwrap().parts.into_iter();
        parts
            .map(|part| (part.speaker.map(String::from), part.mood, part.text))
            .collect()
    }

    fn told(text: &str) -> (Option<String>, Option<String>, String) {
        (None, None, text.to_owned())
    }

    fn spoken(mood: Option<&str>, text: &str) -> (Option<String>, Option<String>, String) {
        (
            Some("ivo".to_owned()),
            mood.map(str::to_owned),
            text.to_owned(),
        )
    }

    #[test]
    fn t1_lines_of_known_names_are_parts() {
        assert_eq!(read("A line."), [told("A line.")]);
        let both = "It rains.\nIvo(calm): B";
        assert_eq!(read(both), [told("It rains."), spoken(Some("calm"), "B")]);
        assert_eq!(read("ivo(calm): B"), [spoken(Some("calm"), "B")]);
        assert_eq!(read("Zed(calm): B"), [told("Zed(calm): B")]);
        assert_eq!(read("old ivo: x (y) z."), [spoken(None, "x (y) z.")]);
        assert_eq!(read("N\nIvo(a): D\nN\nIvo(b): D\nN").len(), 5);
        assert_eq!(read("One.\nTwo.\nThree.").len(), 1);
        assert_eq!(read("Ivo(low): \"Hush.\""), [spoken(Some("low"), "Hush.")]);
    }

    #[test]
    fn t1_markers_and_brackets_of_a_narrator_do_nothing() {
        let narration = "The door opens. [INTENT: open door_1] [aside]\n*coughs*";
        assert_eq!(read(narration), [told("The door opens.")]);
    }

    #[test]
    fn t3_a_narration_that_tells_nothing_is_refused() {
        for (reply, kind) in [
            ("", InvalidKind::Empty),
            (" \n[x]\n", InvalidKind::NoSpeech),
            ("{\"dialogue\": \"x\"}", InvalidKind::Json),
        ] {
            let read = parse_narration(reply.as_bytes(), &ParseOptions::default(), &speakers());
            assert_eq!(read.unwrap_err().kind, kind, "{reply}");
        }
    }
}
