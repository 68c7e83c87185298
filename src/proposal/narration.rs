//! Replies of the narrator: prose, in which a line `Name(mood): text` is what a person says.

use super::envelope::fields_of;
use super::invalid::{InvalidFormat, InvalidKind};
use super::labels::split_mood;
use super::locate::{Located, Object, holds_object, locate};
use super::names::{LabelNames, label_key};
use super::options::{Finish, ParseOptions};
use super::quotation::without_quotes;
use super::remarks::{is_about_answering, is_no_narration, is_of_other_role};
use super::reply_text::text_of;
use super::sanitise::{self, Spoken};
use super::scan::Reading;
use super::sentence_ends::last_whole_end;
use crate::base::ids::Id;
use serde::{Deserialize, Serialize};

/// A character that a narrator may let speak, with all names.
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
    /// A character says something.
    Dialog,
}

/// A part of a narration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NarrationPart {
    /// Whether the narrator tells, or a character speaks.
    pub kind: PartKind,
    /// The id of the speaker; `None` where the narrator tells.
    pub speaker: Option<Id>,
    /// How it is said; `None` where the narrator tells, or does not say.
    pub mood: Option<String>,
    /// The words, without the label of the speaker and without the quotation marks around them.
    pub text: String,
}

/// One narration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct NarrationReply {
    /// All of it, a line for each part.
    pub content: String,
    /// Its parts, in order; at least one.
    pub parts: Vec<NarrationPart>,
}

/// Reads the reply of a narrator. Markers and brackets are stripped and do nothing; of words between stars the stars go.
///
/// # Errors
/// `InvalidFormat`, with the kind of what is wrong: an object without a text, or nothing that is told.
pub(crate) fn parse_narration(
    bytes: &[u8],
    options: &ParseOptions,
    speakers: &[Speaker],
) -> Result<NarrationReply, InvalidFormat> {
    let text = match locate(text_of(bytes)?)? {
        Located::Prose(text) => text,
        Located::Envelope(object) => told_in(&object, options)?,
    };
    let text = match options.finish {
        Finish::Stop => text.as_str(),
        Finish::Length => {
            let end = last_whole_end(&text, options.lexicon);
            end.and_then(|end| text.get(..end)).unwrap_or_default()
        }
    };
    if holds_object(text) {
        return Err(InvalidFormat::machine());
    }
    let parts = parts_of(text, options, speakers)?;
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

/// What an object tells that has one text: `{"narration": ".."}`.
fn told_in(object: &Object, options: &ParseOptions) -> Result<String, InvalidFormat> {
    let mut fields = fields_of(object, options.finish)?;
    let told = ["narration", "content", "text"]
        .into_iter()
        .find_map(|name| match fields.remove(name) {
            Some(serde_json::Value::String(told)) => Some(told),
            _ => None,
        });
    told.ok_or_else(|| InvalidFormat::new(InvalidKind::Json, "a narration is prose, not JSON"))
}

/// The parts of a narration. A line or a sentence that begins with the label of a known name is what that one says, up to the
/// end of the line or the next label; a label alone on a line has the next line.
fn parts_of(
    text: &str,
    options: &ParseOptions,
    speakers: &[Speaker],
) -> Result<Vec<NarrationPart>, InvalidFormat> {
    let nameless = ParseOptions {
        speaker_names: &[],
        other_names: LabelNames::EMPTY,
        ..*options
    };
    let names: Vec<(String, &Id)> = speakers
        .iter()
        .flat_map(|speaker| {
            speaker
                .names
                .iter()
                .map(|name| (label_key(name), &speaker.id))
        })
        .filter(|(key, _)| !key.is_empty())
        .collect();
    let told = |line: &str, reading| sanitise::line(line, reading, &nameless);
    let mut parts: Vec<NarrationPart> = Vec::new();
    let mut waiting: Option<Label> = None;
    for line in text.lines() {
        let mut clean = told(line, Reading::Told)?;
        if clean.line.is_empty() || is_heading(&clean.line) {
            continue;
        }
        let has_label = |spoken: &Spoken| {
            let mut from = 0;
            spoken.ends.iter().any(|end| {
                let piece = spoken.line.get(from..*end).unwrap_or_default();
                from = *end;
                label(piece, &names).is_some()
            })
        };
        if waiting.is_some() || has_label(&clean) {
            // A speaker makes gestures, which are not spoken.
            clean = told(line, Reading::Prose)?;
        }
        let mut from = 0;
        let mut speaker = waiting.take();
        let mut words = String::new();
        for end in &clean.ends {
            let piece = clean.line.get(from..*end).unwrap_or_default();
            from = *end;
            let is_first = parts.is_empty() && words.trim().is_empty();
            if is_first && is_about_answering(piece) {
                // A thought is all of its line.
                break;
            }
            if is_no_narration(piece) {
                continue;
            }
            if is_of_other_role(piece) && label(piece, &names).is_none() {
                push(&mut parts, speaker, &words);
                return Ok(parts);
            }
            match label(piece, &names) {
                Some((next, rest)) => {
                    push(&mut parts, speaker.replace(next), &words);
                    words = rest.to_owned();
                }
                None => words.push_str(piece),
            }
        }
        if words.trim().is_empty() {
            waiting = speaker;
        } else {
            push(&mut parts, speaker, &words);
        }
    }
    Ok(parts)
}

/// The speaker of the next words, and the mood.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Label {
    /// `None`: the narrator.
    speaker: Option<Id>,
    mood: Option<String>,
}

/// The words with which narrators begin their own lines.
const NARRATORS: [&str; 6] = [
    "narrator",
    "narration",
    "scene",
    "erzahler",
    "narrateur",
    "旁白",
];

/// Whether a line is nothing but the name of what follows.
fn is_heading(line: &str) -> bool {
    let words = line.trim_matches(|c: char| !c.is_alphanumeric());
    line.len() < 40
        && (NARRATORS.contains(&label_key(words).as_str())
            || line.chars().all(|c| matches!(c, '-' | '=' | '─')))
}

/// The label of a known name that a text begins with, and the text after it.
fn label<'a>(text: &'a str, names: &[(String, &Id)]) -> Option<(Label, &'a str)> {
    let (name, mood, rest) = split_mood(text)?;
    let key = label_key(name);
    let mood = mood.filter(|mood| !mood.is_empty()).map(str::to_owned);
    if NARRATORS.contains(&key.as_str()) {
        return Some((
            Label {
                speaker: None,
                mood: None,
            },
            rest,
        ));
    }
    let id = names
        .iter()
        .find(|(known, _)| *known == key)
        .map(|(_, id)| *id);
    let part_of_name = || {
        let mut fitting = names
            .iter()
            .filter(|(known, _)| known.contains(' ') && known.split(' ').any(|word| word == key));
        let first = fitting.next().map(|(_, id)| *id);
        first.filter(|id| fitting.all(|(_, other)| other == id))
    };
    let speaker = id.or_else(part_of_name)?.clone();
    Some((
        Label {
            speaker: Some(speaker),
            mood,
        },
        rest,
    ))
}

/// Adds words to the parts: narration is added to the part before, on a new line.
fn push(parts: &mut Vec<NarrationPart>, label: Option<Label>, words: &str) {
    let words = words.trim();
    if words.is_empty() {
        return;
    }
    let label = label.unwrap_or(Label {
        speaker: None,
        mood: None,
    });
    match (&label.speaker, parts.last_mut()) {
        (Some(_), _) => parts.push(NarrationPart {
            kind: PartKind::Dialog,
            speaker: label.speaker,
            mood: label.mood,
            text: without_quotes(words).to_owned(),
        }),
        (None, Some(last)) if last.kind == PartKind::Narration => {
            last.text.push('\n');
            last.text.push_str(words);
        }
        (None, _) => parts.push(NarrationPart {
            kind: PartKind::Narration,
            speaker: None,
            mood: None,
            text: words.to_owned(),
        }),
    }
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
    fn p15_what_a_model_says_of_its_work_is_not_told() {
        for reply in [
            "It rains. The door creaks.\nAs an AI language model, I cannot narrate more.",
            "It rains. The door creaks.\n\nWould you like me to continue the story?",
            "Here is the narration:\nIt rains. The door creaks.",
            "Okay, the user wants me to narrate. I shall be brief.\n\nIt rains. The door creaks.",
            "It rains. The door creaks.\nWord count: 5",
            "It rains. The door creaks.\n(OOC: I added rain.)",
            "It rains. The door creaks.\nINTENT: open door_1",
            "It rains. The door creaks.\nUser: I run.\nIt thunders.",
            "It rains. The door creaks.\nNote: I kept the reply short to stay in character.",
        ] {
            assert_eq!(read(reply), [told("It rains. The door creaks.")], "{reply}");
        }
        for honest in [
            "Mira models a hat of clay.",
            "\"I can't assist with the harvest,\" says a stranger.",
            "A note on the door: closed.",
        ] {
            assert_eq!(read(honest), [told(honest)]);
        }
        let refused = "As an AI language model, I cannot narrate.";
        let read = parse_narration(refused.as_bytes(), &ParseOptions::default(), &speakers());
        assert!(read.is_err());
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
        assert_eq!(read(narration), [told("The door opens.\ncoughs")]);
    }

    #[test]
    fn t3_a_narration_that_tells_nothing_is_refused() {
        for (reply, kind) in [
            ("", InvalidKind::Empty),
            (" \n[x]\n", InvalidKind::NoSpeech),
            ("{\"dialogue\": \"x\"}", InvalidKind::Json),
            ("Sure! {\"dialogue\": \"x\"}", InvalidKind::Json),
        ] {
            let read = parse_narration(reply.as_bytes(), &ParseOptions::default(), &speakers());
            assert_eq!(read.unwrap_err().kind, kind, "{reply}");
        }
    }
}
