//! What of a text is speech: markers, brackets, stage directions, labels and stray white space go.
//!
//! Cutting something out may bring together what was apart, `[INT[x]ENT: ..` for one. So a dialogue is cleaned until
//! it stays as it is, and what still moves after a few rounds loses every sign that could mean anything. A marker
//! that only came to be that way has no effect.
//!
//! Rulings:
//! * Inside double-quoted speech a marker stays, word for word; other brackets and stage directions go there too. A
//!   quotation ends inside its paragraph; a straight quote after a digit is an inch.
//! * A reply that is one quoted string is unquoted first, so a marker inside its quotes is then outside of them.
//! * Brackets may nest; the outer one is stripped, and a marker inside it is read.
//! * A marker without an end takes the rest of the text with it. Any other `[` or `*` without its partner stays,
//!   unless the reply was cut: then it takes the rest of the text with it.
//! * The stars of a stage direction touch its words; `2 * 3`, `2*3*4`, `f*ck` and `f***` are left alone. Of `**bold**` only the
//!   stars go, of `_emphasis_` the underscores; [`stars`](super::stars) says what single stars are.
//! * [`heads`](super::heads) reads the beginnings of lines, such as labels.

use super::heads::Heads;
use super::invalid::InvalidFormat;
use super::labels::{is_list_number, without_line_marks};
use super::marker::Marker;
use super::markup::without_marks;
use super::options::{Finish, ParseOptions};
use super::preambles::{is_assent, is_preamble, leads_to_quotation};
use super::quotation::{Enclosed, enclosed};
use super::remarks::{is_of_program, is_stage_direction};
use super::scan::{Reading, Scan};
use super::sentence_ends::{SentenceEnd, last_whole_end, sentence_ends};
use super::stars::cut_off;
use super::telling::without_telling;
use super::white_space::{normalise, tidy_with};
use crate::text::Lexicon;

/// The spoken words, and where their sentences end.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Spoken {
    /// One line, with nothing but speech in it.
    pub(super) line: String,
    /// The end of each sentence of the line, in order, as byte offsets; the last one is the end of the line.
    pub(super) ends: Vec<usize>,
    /// Whether the reply held words of another one, or thoughts, which are not in the line.
    pub(super) is_broken_off: bool,
}

/// Prose taken apart.
#[derive(Debug, PartialEq)]
pub(super) struct Speech {
    /// The spoken words.
    pub(super) spoken: Spoken,
    /// The markers in the order in which they appear.
    pub(super) markers: Vec<Marker>,
    /// Where a marker without an end began.
    pub(super) unterminated: Option<usize>,
}

/// Rounds of cleaning before every meaningful sign is dropped.
const ROUNDS: usize = 4;

/// Takes prose apart, from which [`locate`](super::locate::locate) has removed what is no text. Of a reply that was cut, what
/// its end left open is dropped.
pub(super) fn prose(text: &str, reading: Reading, options: &ParseOptions) -> Speech {
    let cut = options.finish == Finish::Length;
    let mut text = unquoted(normalise(text), reading, options);
    if let Some(at) = cut_off(&text, options.lexicon).filter(|_| reading == Reading::Prose) {
        text.truncate(at);
    }
    let scan = Scan::new(&text, reading, true, cut, options.lexicon);
    let stripped = scan.apply(&text);
    let places: Vec<usize> = scan.marker_places().collect();
    let (mut spoken, said) = once(&stripped, &places, reading, options);
    spoken = settled(spoken, reading, options);
    let markers = scan.markers.iter().zip(&said.reads);
    let markers = markers
        .filter(|(_, is_read)| **is_read)
        .map(|((kind, from, to), _)| Marker {
            kind: *kind,
            rest: text[*from..*to].to_owned(),
        });
    Speech {
        markers: markers.collect(),
        spoken,
        unterminated: scan.unterminated,
    }
}

/// A dialogue with nothing but speech in it. Cleaning it again changes nothing.
///
/// # Errors
/// A text for machines.
pub(super) fn speech(
    text: &str,
    reading: Reading,
    options: &ParseOptions,
) -> Result<Spoken, InvalidFormat> {
    let line = text.trim_matches(' ');
    if is_plain(line) && !is_stage_direction(line, options) {
        return Ok(Spoken::cut(line.to_owned(), options.lexicon));
    }
    let text = without_marks(text).ok_or_else(InvalidFormat::machine)?;
    let text = unquoted(normalise(&text), reading, options);
    let scan = Scan::new(&text, reading, true, false, options.lexicon);
    let spoken = once(&scan.apply(&text), &[], reading, options).0;
    Ok(settled(spoken, reading, options))
}

/// A line of a narration, from which [`locate`](super::locate::locate) has removed what is no text.
///
/// # Errors
/// A text for machines.
pub(super) fn line(
    text: &str,
    reading: Reading,
    options: &ParseOptions,
) -> Result<Spoken, InvalidFormat> {
    let text = without_marks(text).ok_or_else(InvalidFormat::machine)?;
    let text = normalise(&text);
    let scan = Scan::new(&text, reading, true, false, options.lexicon);
    let stripped = scan.apply(&text);
    let stripped = without_line_marks(stripped.trim_start());
    let ends = sentence_ends(stripped, options.lexicon);
    let places: Vec<usize> = ends.iter().map(|place| place.end).collect();
    let (line, ends) = tidy_with(stripped, &places);
    Ok(Spoken::new(line, ends))
}

/// A text without the quotation marks around all of it, and without what tells who says it.
fn unquoted(text: String, reading: Reading, options: &ParseOptions) -> String {
    let Enclosed::Whole(open, close) = enclosed(&text, reading, options) else {
        let told = (reading != Reading::Told).then(|| without_telling(&text, reading, options));
        return told.flatten().unwrap_or(text);
    };
    // `As Eldrin, I would say: "Come in."`
    let from = match leads_to_quotation(&text[..open]) {
        true => open,
        false => 0,
    };
    let inner = text
        .char_indices()
        .filter(|(i, _)| *i >= from && *i != open && *i != close);
    inner.map(|(_, c)| c).collect()
}

/// Whether a text has no sign that could mean anything but speech, and no white space to collapse: most lines have none.
fn is_plain(text: &str) -> bool {
    let is_word = |c| match c {
        '*' | ':' | '<' | '[' | ']' | '_' | '`' | '&' | '\\' | '|' | '(' | '"' => false,
        '!'..='~' | 'À'..='ɏ' | '–' | '—' | '‘' | '’' | '…' => true,
        _ => false,
    };
    let mut last = ' ';
    let mut chars = text.chars();
    let is_line = chars.all(|c| {
        let before = std::mem::replace(&mut last, c);
        is_word(c) || c == ' ' && before != ' '
    });
    if is_of_program(text) {
        return false;
    }
    // A mark of a list, a heading, a quotation around all of it.
    let is_begun = text.starts_with(['-', '+', '#', '>', '"', '“', '”', '‘', '\'', '=']);
    is_line && last != ' ' && !is_begun
}

/// Whether cleaning a line again changes nothing.
pub(super) fn is_settled(line: &str, reading: Reading, options: &ParseOptions) -> bool {
    is_plain(line) || again(line, reading, options).line == line
}

/// The parts of a stripped text that are said.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// Its pieces without their heads.
    pub(super) text: String,
    /// Where each piece ends in that text, and whether white space parts it from the next one.
    pub(super) ends: Vec<(usize, bool)>,
    /// For each marker, whether it is the speaker's. What comes behind a marker changes nothing, so that a reply that still
    /// comes gives the same.
    pub(super) reads: Vec<bool>,
    /// Whether a part of the text is not the speaker's.
    is_broken_off: bool,
}

/// Reads the pieces of a stripped text. `markers`: the places in it where markers were. `is_over`: the text after the last end
/// is a piece, too.
pub(super) fn said(
    text: &str,
    ends: &[SentenceEnd],
    markers: &[usize],
    heads: &mut Heads,
    is_over: bool,
    options: &ParseOptions,
) -> Said {
    let mut said = Said::default();
    let mut markers = markers.iter().peekable();
    let mut from = 0;
    let last = is_over.then_some((text.len(), text.len()));
    let mut pieces = ends
        .iter()
        .map(|place| (place.end, place.next))
        .chain(last)
        .peekable();
    while let Some((end, next)) = pieces.next() {
        let between = text.get(end..next).unwrap_or_default();
        let piece = text.get(from..end).unwrap_or_default();
        while let Some(place) = markers.next_if(|place| **place < next || next == text.len()) {
            let before = text.get(from..*place).unwrap_or_default();
            said.reads.push(heads.reads_behind(before, options));
        }
        // "Sure! Here's the reply:"
        let agrees = !heads.has_said() && is_assent(piece);
        if (is_list_number(piece) || agrees)
            && let Some((end, behind)) = pieces.peek()
        {
            let follows = text.get(next..*end).unwrap_or_default();
            let ends_line = text
                .get(*end..*behind)
                .is_some_and(|gap| gap.contains('\n'));
            let is_headed = match agrees {
                true => {
                    ends_line && is_preamble(follows)
                        || heads.is_headed_by_speaker(follows, options)
                }
                false => heads.is_headed(follows, ends_line, options),
            };
            if is_headed {
                from = next;
                continue;
            }
        }
        if let Some((start, stop)) = heads.take(piece, between.contains('\n'), options) {
            said.text
                .push_str(piece.get(start..stop).unwrap_or_default());
            let is_parted = between.contains(char::is_whitespace);
            said.ends.push((said.text.len(), is_parted));
            said.text.push_str(between);
        } else if !heads.is_speaking() {
            said.is_broken_off = true;
        }
        from = next;
    }
    said
}

fn heads_of(reading: Reading) -> Heads {
    match reading {
        Reading::Told => Heads::of_told(),
        Reading::Envelope | Reading::Prose => Heads::default(),
    }
}

/// A line once more without all that is no speech.
fn again(text: &str, reading: Reading, options: &ParseOptions) -> Spoken {
    let bare = without_marks(text).unwrap_or_default().replace("```", "");
    // What was around the quotation marks may have gone only now: `"Come in." (9 words)`.
    let bare = unquoted(bare, reading, options);
    let scan = Scan::new(&bare, reading, true, false, options.lexicon);
    once(&scan.apply(&bare), &[], reading, options).0
}

/// What a stripped text says.
fn once(text: &str, markers: &[usize], reading: Reading, options: &ParseOptions) -> (Spoken, Said) {
    let ends = sentence_ends(text, options.lexicon);
    let mut heads = heads_of(reading);
    let said = said(text, &ends, markers, &mut heads, true, options);
    let places: Vec<usize> = said.ends.iter().map(|(end, _)| *end).collect();
    let (line, ends) = tidy_with(&said.text, &places);
    let spoken = Spoken {
        is_broken_off: said.is_broken_off,
        ..Spoken::new(line, ends)
    };
    (spoken, said)
}

/// Strips what was read once until nothing changes any more. Its sentences are those of the text; where stripping
/// again has joined separate parts, they are those of the new line.
fn settled(spoken: Spoken, reading: Reading, options: &ParseOptions) -> Spoken {
    let is_broken_off = spoken.is_broken_off;
    Spoken {
        is_broken_off,
        ..settled_line(spoken, reading, options)
    }
}

fn settled_line(spoken: Spoken, reading: Reading, options: &ParseOptions) -> Spoken {
    let mut cleaned = again(&spoken.line, reading, options).line;
    if cleaned == spoken.line {
        return spoken;
    }
    for _ in 0..ROUNDS {
        let next = again(&cleaned, reading, options).line;
        if next == cleaned {
            return Spoken::cut(cleaned, options.lexicon);
        }
        cleaned = next;
    }
    cleaned.retain(|c| !matches!(c, '[' | ']' | '*' | '_' | '<' | '`' | '［' | '【'));
    Spoken::cut(
        once(&cleaned, &[], reading, options).0.line,
        options.lexicon,
    )
}

impl Spoken {
    /// A line with the ends of its sentences, but the last.
    fn new(line: String, ends: impl IntoIterator<Item = usize>) -> Self {
        let mut kept: Vec<usize> = Vec::new();
        for end in ends.into_iter().chain([line.len()]) {
            let from = kept.last().copied().unwrap_or_default();
            if line
                .get(from..end)
                .is_some_and(|piece| !piece.trim().is_empty())
            {
                kept.push(end);
            }
        }
        Self {
            line,
            ends: kept,
            is_broken_off: false,
        }
    }

    /// A line, cut into its sentences.
    pub(super) fn cut(line: String, lexicon: &Lexicon) -> Self {
        let ends = sentence_ends(&line, lexicon);
        Self::new(line, ends.into_iter().map(|place| place.end))
    }

    /// The line without the text after its last whole sentence; empty where there is none.
    pub(super) fn whole_sentences(mut self, lexicon: &Lexicon) -> Self {
        let last = self.ends.iter().rev().nth(1).copied().unwrap_or_default();
        if last_whole_end(&self.line, lexicon).is_none_or(|end| end <= last) {
            self.ends.pop();
            self.line.truncate(last);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::super::locate::{Located, locate};
    use super::*;
    use proptest::prelude::*;

    fn names() -> Vec<String> {
        vec!["Eldrin".to_owned(), "Old Tom".to_owned(), String::new()]
    }

    /// The dialogue and the number of markers.
    fn said(text: &str) -> (String, usize) {
        let names = names();
        let options = ParseOptions {
            speaker_names: &names,
            ..ParseOptions::default()
        };
        let Located::Prose(text) = locate(text).unwrap() else {
            panic!("{text}");
        };
        let speech = prose(&text, Reading::Prose, &options);
        let again = super::speech(&speech.spoken.line, Reading::Prose, &options).unwrap();
        assert_eq!(again.line, speech.spoken.line, "{text}");
        (speech.spoken.line, speech.markers.len())
    }

    proptest! {
        /// What needs no cleaning is found to need none.
        #[test]
        fn g1_a_plain_line_is_what_cleaning_it_leaves(
            text in "[A-Za-z]{0,4}([A-Da-dé,.!?;\"'() …—:*_<>~`\\[\\]\n]|Dr\\. |\\. |  ){0,24}",
        ) {
            let names = vec!["ab".to_owned()];
            let options = ParseOptions { speaker_names: &names, ..ParseOptions::default() };
            for reading in [Reading::Prose, Reading::Envelope] {
                if !is_plain(text.trim_matches(' ')) {
                    continue;
                }
                let scan = Scan::new(&text, reading, true, false, options.lexicon);
                let once = once(&scan.apply(&text), &[], reading, &options).0;
                let cleaned = settled(once, reading, &options);
                prop_assert_eq!(super::speech(&text, reading, &options).unwrap(), cleaned);
            }
        }
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
            ("1 * one * two", "1 * one * two", 0),
            ("5* and *****", "5* and", 0),
            (
                "line one\r\nline\ttwo\u{2028}three\u{7}",
                "line one line two three",
                0,
            ),
            ("a<think>b</think>c <b>d</b>", "ac d", 0),
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
                "He says \"go now on\" twice.",
                0,
            ),
            (
                "\"One,\" he says. [INTENT: open a] \"Two.\"",
                "One. Two.",
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
            ("\"Come,\" he said. \"Sit.\"", "Come. Sit.", 0),
            ("\"Come in\", he said.", "Come in.", 0),
            (
                "\"Come in\", the drunk said.",
                "\"Come in\", the drunk said.",
                0,
            ),
            ("“Say \"x\"”", "“Say \"x\"”", 0),
            ("\"Come", "\"Come", 0),
        ] {
            assert_eq!(said(text), (dialogue.to_owned(), markers), "{text}");
        }
    }

    #[test]
    fn p15_a_german_novel_says_what_its_speaker_says() {
        let names = names();
        let options = ParseOptions {
            speaker_names: &names,
            lexicon: Lexicon::german(),
            ..ParseOptions::default()
        };
        for (text, dialogue) in [
            (
                "„Komm herein“, sagt Eldrin. „Setz dich.“",
                "Komm herein. Setz dich.",
            ),
            (
                "»Komm herein«, sagte er leise, »und setz dich.«",
                "Komm herein und setz dich.",
            ),
            ("Er nickt. „Der König ist hier.“", "Der König ist hier."),
            ("„Nie“, sagte sie zu mir.", "„Nie“, sagte sie zu mir."),
        ] {
            let said = prose(text, Reading::Prose, &options).spoken.line;
            assert_eq!(said, dialogue, "{text}");
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
            let options = ParseOptions {
                finish: Finish::Length,
                ..ParseOptions::default()
            };
            assert_eq!(prose(text, Reading::Prose, &options).spoken.line, dialogue);
        }
    }
}
