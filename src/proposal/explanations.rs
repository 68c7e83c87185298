//! The reasons of a model for its reply, behind the reply: `Explanation: ..`, "This response keeps the character's tone."

use super::labels::{is_gap, split_label};
use super::names::{is_name_of, label_key, words};
use super::options::ParseOptions;
use super::remarks::is_first_person;

/// The labels under which a model explains its reply.
const LABELS: [&str; 13] = [
    "explanation",
    "explanation of the response",
    "explanation of choices",
    "rationale",
    "reasoning",
    "why this works",
    "justification",
    "constraints followed",
    "key points",
    "erklarung",
    "begrundung",
    "explication",
    "explicacion",
];

/// The labels under which it does so if the text behind them speaks of the reply, or of the speaker by its name.
const NOTES: [&str; 9] = [
    "note",
    "notes",
    "reason",
    "reasons",
    "author's note",
    "hinweis",
    "anmerkung",
    "nota",
    "remarque",
];

const REPLIES: [&str; 7] = [
    "response",
    "reply",
    "answer",
    "dialogue",
    "antwort",
    "reponse",
    "respuesta",
];

/// What is said of a reply.
const OF_REPLY: [&str; 13] = [
    "character",
    "persona",
    "personality",
    "nature",
    "tone",
    "role",
    "constraints",
    "constraint",
    "instructions",
    "charakter",
    "rolle",
    "personnage",
    "personaje",
];

/// Whether a piece behind speech begins the reasons of the model for its reply. All that follows belongs to them.
pub(super) fn is_explanation(piece: &str, begins_line: bool, options: &ParseOptions) -> bool {
    let bare = piece.trim_start_matches(|c: char| is_gap(c) || matches!(c, '(' | '（' | '*' | '_'));
    let is_aside = piece
        .trim_start_matches(is_gap)
        .starts_with(['(', '（', '*']);
    if !begins_line && !is_aside {
        return false;
    }
    let said: Vec<String> = words(bare).iter().map(|word| label_key(word)).collect();
    let has = |list: &[&str]| said.iter().any(|word| list.contains(&word.as_str()));
    let is = |at: usize, list: &[&str]| {
        said.get(at)
            .is_some_and(|word| list.contains(&word.as_str()))
    };
    let names_speaker = said
        .iter()
        .any(|word| is_name_of(word, options.speaker_names));
    let lexicon = options.lexicon;
    let is_speech =
        |word: &String| is_first_person(word, lexicon) || lexicon.second_person.contains(word);
    if said.iter().any(is_speech) {
        return false;
    }
    if let Some((label, _)) = split_label(bare) {
        let key = label_key(label);
        let is_note = NOTES.contains(&key.as_str()) && (names_speaker || has(&OF_REPLY));
        if is_note || LABELS.contains(&key.as_str()) {
            return true;
        }
    }
    // "This response ..", "In this reply, Eldrin .."
    let at = usize::from(is(0, &["in"]));
    let of_reply =
        is(at, &["this", "the", "diese", "dieser", "die", "cette"]) && is(at + 1, &REPLIES);
    // "(A short, in-character reply)"
    let of_aside = is_aside && has(&REPLIES);
    let of_line = is(0, &["this", "the"]) && is(1, &["line"]) && names_speaker;
    of_line || (of_reply || of_aside) && (names_speaker || has(&OF_REPLY))
}
