//! What of a text is speech: thinking, markers, brackets, stage directions, labels and stray white space go
//! (contract row G1; SCENARIO.md section 2, "Prose with markers").
//!
//! Cutting something out may bring together what was apart, `[INT[x]ENT: ..` for one. So a dialogue is cleaned until
//! it stays as it is, and what still moves after a few rounds loses every sign that could mean anything. A marker
//! that only came to be that way has no effect.
//!
//! Rulings:
//! * Inside double-quoted speech a marker stays, word for word; other brackets and stage directions go there too. A
//!   quotation ends inside its paragraph; a straight quote behind a digit is an inch.
//! * A reply that is one quoted string is unquoted first, so a marker inside its quotes is then outside of them.
//! * Brackets may nest; the outer one is stripped, and a marker inside it is read.
//! * A marker without an end takes the rest of the text with it. Any other `[` or `*` without its partner stays,
//!   unless the reply was cut: then it takes the rest of the text with it.
//! * The stars of a stage direction touch its words; `2 * 3`, `2*3*4` and `f*ck` are left alone. Of `**bold**` only the stars go, of
//!   `_emphasis_` the underscores.
//! * A known speaker's label may have a mood in parentheses.

use super::labels::without_labels;
use super::marker::Marker;
use super::scan::{Reading, Scan};
use super::thinking::without_thinking;
use super::white_space::{normalise, tidy};

/// Prose taken apart.
#[derive(Debug, PartialEq)]
pub(super) struct Speech {
    /// What is spoken.
    pub(super) dialogue: String,
    /// The markers in the order they stand.
    pub(super) markers: Vec<Marker>,
    /// Where a marker without an end began.
    pub(super) unterminated: Option<usize>,
}

/// Rounds of cleaning before every meaningful sign is dropped.
const ROUNDS: usize = 4;

/// Takes prose apart. With `cut`, what the end of the text left open is dropped.
pub(super) fn prose(text: &str, names: &[String], cut: bool) -> Speech {
    let text = normalise(text);
    let mut text = without_thinking(&text).into_owned();
    if let Some((open, close)) = whole_quotation(&text, names) {
        text = text
            .char_indices()
            .filter(|(i, _)| *i != open && *i != close)
            .map(|(_, c)| c)
            .collect();
    }
    let scan = Scan::new(&text, Reading::Prose, true, cut);
    let markers = scan
        .markers
        .iter()
        .map(|(kind, from, to)| Marker {
            kind: *kind,
            rest: text[*from..*to].to_owned(),
        })
        .collect();
    Speech {
        dialogue: settled(tidy(&scan.apply(&text)), Reading::Prose, names),
        markers,
        unterminated: scan.unterminated,
    }
}

/// A dialogue with nothing but speech in it. Cleaning it again changes nothing.
pub(super) fn speech(text: &str, reading: Reading, names: &[String]) -> String {
    settled(normalise(text), reading, names)
}

fn settled(mut text: String, reading: Reading, names: &[String]) -> String {
    for _ in 0..ROUNDS {
        let bare = without_thinking(&text).replace("```", "");
        let cleaned = tidy(&Scan::new(&bare, reading, true, false).apply(&bare));
        let cleaned = without_labels(&cleaned, names).to_owned();
        if cleaned == text {
            return text;
        }
        text = cleaned;
    }
    text.retain(|c| !matches!(c, '[' | ']' | '*' | '_' | '<' | '`'));
    without_labels(&tidy(&text), names).to_owned()
}

/// The places of the two quotes, if the words of a text are one quoted string.
fn whole_quotation(text: &str, names: &[String]) -> Option<(usize, usize)> {
    let scan = Scan::new(text, Reading::Prose, false, false);
    let mut kept = scan.kept(text);
    let (mut before, mut open) = (String::new(), None);
    for (i, c) in kept.by_ref() {
        if matches!(c, '"' | '“' | '«') {
            open = Some((i, c));
            break;
        }
        before.push(c);
    }
    let (from, opened) = open?;
    let wanted = match opened {
        '“' => '”',
        '«' => '»',
        same => same,
    };
    let (to, _) = kept
        .by_ref()
        .find(|(_, c)| matches!(c, '"' | '“' | '”' | '«' | '»'))
        .filter(|(_, c)| *c == wanted)?;
    let alone =
        without_labels(&tidy(&before), names).is_empty() && kept.all(|(_, c)| c.is_whitespace());
    alone.then_some((from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names() -> Vec<String> {
        vec!["Eldrin".to_owned(), "Old Tom".to_owned(), String::new()]
    }

    /// The dialogue and the number of markers.
    fn said(text: &str) -> (String, usize) {
        let speech = prose(text, &names(), false);
        assert_eq!(
            super::speech(&speech.dialogue, Reading::Prose, &names()),
            speech.dialogue,
            "{text}"
        );
        (speech.dialogue, speech.markers.len())
    }

    #[test]
    fn g1_directions_brackets_and_markers_are_stripped() {
        for (text, dialogue, markers) in [
            ("*smiles* Hello there.", "Hello there.", 0),
            ("Hello *smiles warmly* there.", "Hello there.", 0),
            ("Hello there *smiles*.", "Hello there.", 0),
            ("Hello*waves* there.", "Hello there.", 0),
            ("*sighs*Hello.", "Hello.", 0),
            ("*He opens [INTENT: open a] the door* Go.", "Go.", 1),
            (
                "Hello [smiles] there [nods], friend.",
                "Hello there, friend.",
                0,
            ),
            ("Hello [smiles [a bit] more] there.", "Hello there.", 0),
            (
                "Hello [smiles [INTENT: open a] more] there.",
                "Hello there.",
                1,
            ),
            ("Hello.[INTENT: open a]", "Hello.", 1),
            ("[NOTE: \"a ] b\"] Hello.", "Hello.", 0),
            ("[INTENT: open \"a ] b\"] Hello.", "Hello.", 1),
            ("[MEMORY: a [b] c] d", "c] d", 1),
            (
                "This is **bold** and ***loud***.",
                "This is bold and loud.",
                0,
            ),
            ("f*ck that sh*t", "f*ck that sh*t", 0),
            ("an *unbalanced star", "an *unbalanced star", 0),
            ("* one * two", "* one * two", 0),
            ("5* and *****", "5* and", 0),
            (
                "line one\r\nline\ttwo\u{2028}three\u{7}",
                "line one line two three",
                0,
            ),
            ("a<think>b</think>c <b>d</b>", "ac <b>d</b>", 0),
            ("thought</think>Hello.<reasoning>x", "Hello.", 0),
        ] {
            assert_eq!(said(text), (dialogue.to_owned(), markers), "{text}");
        }
    }

    #[test]
    fn g1_markers_are_inert_in_quoted_speech() {
        for (text, dialogue, markers) in [
            (
                "The sign says \"[INTENT: open a]\" there.",
                "The sign says \"[INTENT: open a]\" there.",
                0,
            ),
            (
                "He says “go [MEMORY: x] now” often.",
                "He says “go [MEMORY: x] now” often.",
                0,
            ),
            (
                "Er sagt „[MEMORY: x]“ oft.",
                "Er sagt „[MEMORY: x]“ oft.",
                0,
            ),
            (
                "Il dit «[MEMORY: x]» hier.",
                "Il dit «[MEMORY: x]» hier.",
                0,
            ),
            (
                "He says \"go *now* [nods] on\" twice.",
                "He says \"go on\" twice.",
                0,
            ),
            (
                "\"One,\" he says. [INTENT: open a] \"Two.\"",
                "\"One,\" he says. \"Two.\"",
                1,
            ),
            (
                "It is 6\" long. [INTENT: open name=\"x\"]",
                "It is 6\" long.",
                1,
            ),
            ("An \"open quote. [INTENT: open a]", "An \"open quote.", 1),
            (
                "An \"open quote.\n\n[INTENT: open a] See \"x\".",
                "An \"open quote. See \"x\".",
                1,
            ),
        ] {
            assert_eq!(said(text), (dialogue.to_owned(), markers), "{text}");
        }
    }

    #[test]
    fn g1_reply_that_is_one_quoted_string_is_unquoted() {
        for (text, dialogue, markers) in [
            ("\"Come in.\"", "Come in.", 0),
            ("“Come in.”", "Come in.", 0),
            (
                "*smiles* \"Come in.\" [nods] [INTENT: open a]",
                "Come in.",
                1,
            ),
            ("\"Come in. [INTENT: open a]\"", "Come in.", 1),
            (
                "\"Come in. [INTENT: introduce name=\"Old Tom\"]\"",
                "Come in.",
                1,
            ),
            ("Eldrin: \"Come in.\"", "Come in.", 0),
            ("\"Eldrin: Come in.\"", "Come in.", 0),
            (
                "\"Come,\" he said. \"Sit.\"",
                "\"Come,\" he said. \"Sit.\"",
                0,
            ),
            ("\"Come in\", he said.", "\"Come in\", he said.", 0),
            ("“Say \"x\"”", "“Say \"x\"”", 0),
            ("\"Come", "\"Come", 0),
        ] {
            assert_eq!(said(text), (dialogue.to_owned(), markers), "{text}");
        }
    }

    #[test]
    fn g1_label_of_a_known_speaker_is_stripped() {
        for (text, dialogue) in [
            ("Eldrin: Come in.", "Come in."),
            ("eldrin : Come in.", "Come in."),
            ("ＥＬＤＲＩＮ： Come in.", "Come in."),
            ("**Eldrin:** Come in.", "Come in."),
            ("**Eldrin**: Come in.", "Come in."),
            ("[Eldrin]: Come in.", "Come in."),
            ("Eldrin (softly): Come in.", "Come in."),
            ("old  tom: Come in.", "Come in."),
            ("Eldrin: Eldrin: Come in.", "Come in."),
            ("*smiles* Eldrin: Come in.", "Come in."),
            ("Ann: Come in.", "Ann: Come in."),
            ("Listen: Eldrin: no.", "Listen: Eldrin: no."),
            ("Eldrin is here: look.", "Eldrin is here: look."),
        ] {
            assert_eq!(said(text).0, dialogue, "{text}");
        }
    }

    #[test]
    fn g1_what_comes_together_by_cutting_is_no_marker() {
        for text in [
            "Hi. [INT[x]ENT: open a",
            "Hi. [INTENT[x]: open a",
            "Hi. [INT*x*ENT: open a]",
            "Hi. [INT<think>x</think>ENT: open a]",
            "Hi. [IN*a*TE[b]NT: open a",
            "Hi. [IN```TENT: open a",
            "Hi. [INT\u{1}ENT: open a",
        ] {
            let (dialogue, _) = said(text);
            assert!(!dialogue.contains("[INTENT"), "{text:?} gives {dialogue:?}");
        }
    }

    #[test]
    fn g1_cut_text_loses_what_it_left_open() {
        for (text, dialogue) in [
            ("Go. [smi", "Go."),
            ("Go. *smi", "Go."),
            ("Go. [INTENT: a", "Go."),
            ("Go. 2 * 3", "Go. 2 * 3"),
        ] {
            assert_eq!(prose(text, &names(), true).dialogue, dialogue);
        }
    }
}
