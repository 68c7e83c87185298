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
//! * The stars of a stage direction touch its words; `2 * 3`, `2*3*4` and `f*ck` are left alone. Of `**bold**` only the stars go.
//! * A known speaker's label may have a mood in parentheses.

use super::{markers::Marker, scan::Scan};
use std::borrow::Cow;

/// How brackets are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reading {
    /// In an envelope's dialogue: every bracket is stripped.
    Envelope,
    /// In prose: markers inside double-quoted speech stay.
    Prose,
}

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

/// Stands where something was cut out. No text holds it, since control characters go first.
pub(super) const GAP: char = '\0';
/// Rounds of cleaning before every meaningful sign is dropped.
const ROUNDS: usize = 4;

/// White space and what cannot be seen, as it may stand around an envelope.
pub(super) fn is_blank(c: char) -> bool {
    c.is_whitespace()
        || c.is_control()
        || matches!(
            c,
            '\u{feff}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{ad}'
        )
}

/// A thinking block's tag.
pub(super) struct Tag {
    name: &'static str,
    /// Whether it ends a block.
    pub(super) closing: bool,
    len: usize,
}

/// The tag that `lower`, a text in ASCII lower case, begins with.
pub(super) fn thinking_tag(lower: &str) -> Option<Tag> {
    let rest = lower.strip_prefix('<')?;
    let (closing, rest) = rest.strip_prefix('/').map_or((false, rest), |r| (true, r));
    ["thinking", "think", "thought", "reasoning"]
        .into_iter()
        .find_map(|name| {
            let rest = rest
                .strip_prefix(name)?
                .trim_start_matches(' ')
                .strip_prefix('>')?;
            Some(Tag {
                name,
                closing,
                len: lower.len() - rest.len(),
            })
        })
}

impl Tag {
    /// Where the block that this tag at `start` opens ends; a closing tag is the end itself.
    pub(super) fn block_end(&self, lower: &str, start: usize) -> usize {
        let mut at = start + self.len;
        if self.closing {
            return at;
        }
        while let Some(found) = lower[at..].find("</") {
            at += found;
            match thinking_tag(&lower[at..]) {
                Some(tag) if tag.closing && tag.name == self.name => return at + tag.len,
                _ => at += 2,
            }
        }
        lower.len()
    }
}

/// A text without its thinking blocks. What stands before an end without a beginning is thinking.
pub(super) fn without_thinking(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let lower = text.to_ascii_lowercase();
    let mut out = String::new();
    let (mut kept_from, mut at) = (0, 0);
    while let Some(found) = lower[at..].find('<') {
        at += found;
        let Some(tag) = thinking_tag(&lower[at..]) else {
            at += 1;
            continue;
        };
        out.push_str(&text[kept_from..at]);
        if tag.closing {
            out.clear();
        }
        at = tag.block_end(&lower, at);
        kept_from = at;
    }
    out.push_str(&text[kept_from..]);
    Cow::Owned(out)
}

/// Line ends become `\n`, other white space among the control characters a space; the rest of them vanish.
pub(super) fn normalise(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' if chars.peek() == Some(&'\n') => {}
            '\r' | '\n' | '\u{85}' | '\u{2028}' | '\u{2029}' => out.push('\n'),
            '\t' | '\u{b}' | '\u{c}' => out.push(' '),
            '\u{feff}' => {}
            c if c.is_control() => {}
            c => out.push(c),
        }
    }
    out
}

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
        let cleaned = unlabelled(&cleaned, names).to_owned();
        if cleaned == text {
            return text;
        }
        text = cleaned;
    }
    text.retain(|c| !matches!(c, '[' | ']' | '*' | '<' | '`'));
    unlabelled(&tidy(&text), names).to_owned()
}

/// One line: white space collapsed, and the places where something was cut closed.
pub(super) fn tidy(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut space, mut gap, mut odd_quotes) = (false, false, false);
    let mut last = None;
    for c in text.chars() {
        if c == GAP {
            gap = true;
            continue;
        }
        if c.is_whitespace() {
            space = true;
            continue;
        }
        if let Some(before) = last {
            let words = gap && char::is_alphanumeric(before) && c.is_alphanumeric();
            let closes = matches!(c, '.' | ',' | '!' | '?' | ';' | ':' | '…' | ')' | '”' | '»')
                || c == '"' && odd_quotes;
            let opened = matches!(before, '(' | '“' | '«') || before == '"' && odd_quotes;
            if words || space && !(gap && (closes || opened)) {
                out.push(' ');
            }
        }
        odd_quotes ^= c == '"';
        out.push(c);
        last = Some(c);
        (space, gap) = (false, false);
    }
    out
}

/// A text without the leading labels of known speakers.
fn unlabelled<'a>(text: &'a str, names: &[String]) -> &'a str {
    let mut text = text.trim_start();
    loop {
        // What a label in brackets leaves.
        let rest = text.trim_start_matches([':', '：']).trim_start();
        if rest.len() < text.len() {
            text = rest;
            continue;
        }
        let Some((label, rest)) = text.split_once([':', '：']) else {
            return text;
        };
        if !is_label(label, names) {
            return text;
        }
        text = rest.trim_start();
    }
}

fn is_label(label: &str, names: &[String]) -> bool {
    if label.len() > 512 {
        return false;
    }
    let name = label.trim();
    let plain = match name.strip_suffix(')').and_then(|n| n.rsplit_once('(')) {
        Some((name, _mood)) => name.trim(),
        None => name,
    };
    let fits = |label: &str| {
        let folded = crate::text::fold::fold(label);
        let folded = folded.trim();
        !folded.is_empty()
            && names
                .iter()
                .any(|n| crate::text::fold::fold(n).trim() == folded)
    };
    fits(name) || plain != name && fits(plain)
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
        unlabelled(&tidy(&before), names).is_empty() && kept.all(|(_, c)| c.is_whitespace());
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
