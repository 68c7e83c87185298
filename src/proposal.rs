//! Reply bytes become a [`Proposal`], or a typed [`InvalidFormat`]; nothing else can come of them.
//!
//! This is the room where a reply stops being bytes (contract row G1; SCENARIO.md section 2). It decides what was
//! *said* and what was *asked for*; it judges nothing. Whether a belief may be stored, a door opened or a sentence
//! spoken is the gate's business, so a proposal is still untrusted.
//!
//! A reply has one of two forms with one meaning:
//!
//! * an **envelope**, a JSON object, alone or in one code fence. It is parsed as a whole or refused. It is never
//!   spoken as prose, because a half-read envelope would put machine text into a character's mouth.
//! * **prose with markers**, such as `Come in. [INTENT: open door_1]`.
//!
//! What is removed on the way: byte-order marks, thinking blocks, code fences, stage directions, brackets, the
//! label of a *known* speaker, control characters. What is not: ordinary speech. "Note: bring rope." and "2 * 3"
//! stay as they are.
//!
//! Every pass is linear in the length of the reply, and none recurses over it; the JSON parser does, and the depth
//! is checked before it starts (contract row R1).
//!
//! Rulings that the documents leave open are written where they are made: in [`parse`] and in the files below.

mod envelope;
mod markers;
mod sanitise;
mod scan;

pub use crate::world::action::ProposedAction;

use serde::Serialize;
use serde_json::Value;
use thiserror::Error;

/// The most bytes that a reply may have (contract row G1).
pub const MAX_REPLY_BYTES: usize = 256 * 1024;
/// The deepest nesting that an envelope may have; its outermost object is depth 1 (contract row G1).
pub const MAX_DEPTH: usize = 32;
/// The most warnings that one reply is given; one more says how many were left out (invariant 6).
pub const MAX_WARNINGS: usize = 64;

/// In which of the two forms a reply came (contract row G1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
pub enum ReplyForm {
    /// A JSON object.
    Envelope,
    /// Speech, perhaps with markers.
    Prose,
}

/// Why the engine stopped (SCENARIO.md section 1, `finish`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
pub enum Finish {
    /// It had said all it wanted.
    #[default]
    Stop,
    /// It was cut at its limit: prose loses its unfinished tail, an envelope is refused.
    Length,
}

/// What a reply is read with (contract row G1).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct ParseOptions<'a> {
    /// Why the engine stopped.
    pub finish: Finish,
    /// Names whose leading `Name:` is a label and no speech: the character's own name and id. Compared folded; an
    /// empty name fits nothing.
    pub known_names: &'a [String],
}

/// What a reply proposes: speech, memory changes and actions, all of it still untrusted (contract row G1).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Proposal {
    /// In which form it came.
    pub form: ReplyForm,
    /// What is spoken, one line, with nothing but speech in it. Empty only beside at least one intent.
    pub dialogue: String,
    /// Proposed memory changes, in the order they stand. `EmitWorldIntent` is not among them.
    pub mutations: Vec<ProposedMutation>,
    /// Proposed actions in the order they stand, those of `EmitWorldIntent` after the others.
    pub intents: Vec<ProposedAction>,
    /// The envelope's `plan` object, unread (contract section A).
    pub plan: Option<Value>,
    /// What was ignored.
    pub warnings: Vec<ParseWarning>,
}

/// A proposed change of memory, as written (contract row G6). The gate judges type, ranges and content.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct ProposedMutation {
    /// Its type as written, known or not; empty when there was none.
    pub kind: String,
    /// What it changes: a belief's id, or another character's.
    pub target: Option<String>,
    /// The text, with control characters removed and white space collapsed.
    pub content: Option<String>,
    /// Of an episode. As written: finite, in any range.
    pub significance: Option<f64>,
    /// Of a belief. As written: finite, in any range.
    pub confidence: Option<f64>,
    /// Change of a relationship. As written: finite, not clamped.
    pub affinity: Option<f64>,
    /// Change of a relationship. As written: finite, not clamped.
    pub trust: Option<f64>,
    /// Change of a relationship. As written: finite, not clamped.
    pub familiarity: Option<f64>,
    /// Why it is no mutation at all, such as a marker without content; the gate rejects it as Malformed.
    pub malformed: Option<String>,
}

/// Something that was ignored, with the rule that says so. It fails nothing (invariant 7).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ParseWarning {
    /// `unknown_field`, or `unterminated_marker`.
    pub rule: &'static str,
    /// One sentence for the log.
    pub message: String,
}

/// The ways in which a reply can be no proposal (contract row G1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum InvalidKind {
    /// Nothing is left after byte-order marks, thinking blocks and white space.
    Empty,
    /// More than [`MAX_REPLY_BYTES`].
    Oversized,
    /// The bytes are no UTF-8.
    NotUtf8,
    /// Deeper than [`MAX_DEPTH`].
    TooDeep,
    /// The JSON does not parse, or holds a number that no `f64` can hold.
    Json,
    /// A known field is of the wrong JSON type.
    WrongType,
    /// An entry of `mutations` or of the intents is no object.
    NotAnObject,
    /// More than one envelope.
    SeveralEnvelopes,
    /// Text after an unfenced envelope, or after the object in a fence.
    TrailingText,
    /// An envelope without `dialogue`.
    MissingDialogue,
    /// The engine cut the reply, and no whole sentence or no whole envelope is left.
    Truncated,
    /// No word of speech, and no intent that could stand for it.
    NoSpeech,
}

impl InvalidKind {
    /// The name of this kind as a rule id in verdicts and traces.
    #[must_use]
    pub fn rule(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Oversized => "oversized",
            Self::NotUtf8 => "not_utf8",
            Self::TooDeep => "too_deep",
            Self::Json => "json",
            Self::WrongType => "wrong_type",
            Self::NotAnObject => "not_an_object",
            Self::SeveralEnvelopes => "several_envelopes",
            Self::TrailingText => "trailing_text",
            Self::MissingDialogue => "missing_dialogue",
            Self::Truncated => "truncated",
            Self::NoSpeech => "no_speech",
        }
    }
}

/// A reply that is no proposal: of which kind, and why in one sentence (contract row G1).
#[derive(Debug, Clone, PartialEq, Eq, Error, Serialize)]
#[error("{message}")]
pub struct InvalidFormat {
    /// Of which kind.
    pub kind: InvalidKind,
    /// One sentence, fit for feedback to the engine.
    pub message: String,
}

impl InvalidFormat {
    fn new(kind: InvalidKind, message: impl Into<String>) -> Self {
        Self {
            kind,
            message: message.into(),
        }
    }
}

impl Proposal {
    fn empty(form: ReplyForm) -> Self {
        Self {
            form,
            dialogue: String::new(),
            mutations: Vec::new(),
            intents: Vec::new(),
            plan: None,
            warnings: Vec::new(),
        }
    }

    fn warn(&mut self, rule: &'static str, message: String) {
        if self.warnings.len() < MAX_WARNINGS {
            self.warnings.push(ParseWarning { rule, message });
        }
    }

    fn speaks_or_acts(self) -> Result<Self, InvalidFormat> {
        if self.dialogue.is_empty() && self.intents.is_empty() {
            return Err(InvalidFormat::new(
                InvalidKind::NoSpeech,
                "the reply has no dialogue and no intent",
            ));
        }
        Ok(self)
    }
}

/// Reads a whole reply (contract row G1; SCENARIO.md section 2).
///
/// Total: any bytes give a proposal or an error, in linear time, with no panic. The bytes are those of all chunks
/// joined, so where a chunk ended, also inside a character, makes no difference.
///
/// Rulings: a cut reply ([`Finish::Length`]) that is an envelope is refused even if its object happens to be whole.
/// Of prose that was cut, markers that are whole are kept also where they stand behind the last whole sentence.
/// What stands before a thinking block's end without a beginning is thinking.
///
/// # Errors
///
/// [`InvalidFormat`], with the kind of what is wrong.
pub fn parse(bytes: &[u8], options: &ParseOptions) -> Result<Proposal, InvalidFormat> {
    if bytes.len() > MAX_REPLY_BYTES {
        return Err(InvalidFormat::new(
            InvalidKind::Oversized,
            format!(
                "the reply has {} bytes, more than {MAX_REPLY_BYTES}",
                bytes.len()
            ),
        ));
    }
    let text = std::str::from_utf8(bytes).map_err(|e| {
        InvalidFormat::new(
            InvalidKind::NotUtf8,
            format!("the reply is no UTF-8 at byte {}", e.valid_up_to()),
        )
    })?;
    match envelope::locate(text)? {
        envelope::Located::Prose(text) => prose(&text, options),
        envelope::Located::Envelope(json) => envelope::read(json, options),
    }
}

fn prose(text: &str, options: &ParseOptions) -> Result<Proposal, InvalidFormat> {
    let cut = options.finish == Finish::Length;
    let speech = sanitise::prose(text, options.known_names, cut);
    let mut proposal = Proposal::empty(ReplyForm::Prose);
    for marker in &speech.markers {
        markers::read(marker, &mut proposal);
    }
    if let Some(start) = speech.unterminated {
        proposal.warn(
            "unterminated_marker",
            format!(
                "the marker that begins at byte {start} of the text has no end and was dropped"
            ),
        );
    }
    proposal.dialogue = if cut {
        whole_sentences(&speech.dialogue, options.known_names)?
    } else {
        speech.dialogue
    };
    proposal.speaks_or_acts()
}

fn whole_sentences(text: &str, names: &[String]) -> Result<String, InvalidFormat> {
    let end = crate::text::sentence::last_whole_sentence_end(text, crate::text::Lexicon::english());
    match end
        .and_then(|end| text.get(..end))
        .map(|kept| sanitise::speech(kept, sanitise::Reading::Prose, names))
    {
        Some(kept) if !kept.is_empty() => Ok(kept),
        _ => Err(InvalidFormat::new(
            InvalidKind::Truncated,
            "the reply was cut before its first whole sentence ended",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names() -> Vec<String> {
        vec!["Eldrin".to_owned(), "wizard_001".to_owned()]
    }

    fn finished(bytes: &[u8], finish: Finish) -> Result<Proposal, InvalidFormat> {
        let names = names();
        parse(
            bytes,
            &ParseOptions {
                finish,
                known_names: &names,
            },
        )
    }

    fn read(text: &str) -> Result<Proposal, InvalidFormat> {
        finished(text.as_bytes(), Finish::Stop)
    }

    fn dialogue(text: &str) -> String {
        read(text).expect(text).dialogue
    }

    fn kind(text: &str) -> InvalidKind {
        read(text).expect_err(text).kind
    }

    #[test]
    fn g1_plain_prose_is_its_own_dialogue() {
        for text in [
            "Hello there.",
            "You can pass, if you want.",
            "Note: bring rope.",
            "Remember: the stair is steep.",
            "no punctuation at the end",
            "It costs 3.50, says Dr. Brown.",
            "2 * 3 is 6, and 2*3*4 is 24",
            "a lone [ stays",
            "She said \"come in\" and left.",
            "Wait... what?",
            "don't forget: example answer",
            "Нет, друг.",
            "a < b, b > c",
            "so sorry~~~",
        ] {
            let proposal = read(text).expect(text);
            assert_eq!(proposal.dialogue, text);
            assert_eq!(proposal.form, ReplyForm::Prose);
            assert!(
                proposal.intents.is_empty()
                    && proposal.mutations.is_empty()
                    && proposal.warnings.is_empty()
            );
        }
    }

    #[test]
    fn g1_nothing_is_empty() {
        for text in [
            "",
            " ",
            "\n\t ",
            "\u{feff}",
            "<think>hm",
            "<THINKING> all of it",
            "<think>a</think> ",
            "``` ```",
        ] {
            assert_eq!(kind(text), InvalidKind::Empty, "{text:?}");
        }
    }

    #[test]
    fn g1_no_words_and_no_intent_is_no_speech() {
        for text in [
            "*smiles*",
            "[nods]",
            "[MEMORY: Ann asked.]",
            "Eldrin:",
            "a</think>[x]",
            "[NOTE: x]",
        ] {
            assert_eq!(kind(text), InvalidKind::NoSpeech, "{text:?}");
        }
    }

    #[test]
    fn g1_intent_alone_needs_no_words() {
        let proposal = read("[INTENT: open door_1]").expect("an intent");
        assert_eq!(
            (proposal.dialogue.as_str(), proposal.intents.len()),
            ("", 1)
        );
    }

    #[test]
    fn g1_size_has_a_limit() {
        let text = "a".repeat(MAX_REPLY_BYTES);
        assert_eq!(dialogue(&text).len(), MAX_REPLY_BYTES);
        assert_eq!(kind(&(text + "a")), InvalidKind::Oversized);
    }

    #[test]
    fn g1_bytes_must_be_utf8() {
        for bytes in [
            &b"\xff"[..],
            b"ok \xc3",
            b"{\"dialogue\": \"\xed\xa0\x80\"}",
        ] {
            assert_eq!(
                finished(bytes, Finish::Stop).expect_err("no UTF-8").kind,
                InvalidKind::NotUtf8
            );
        }
    }

    #[test]
    fn g1_cut_prose_ends_with_its_last_whole_sentence() {
        for (text, kept) in [
            ("I can help. But first you need to the", "I can help."),
            ("First. Second. Incomplete", "First. Second."),
            ("Come in. [INTENT: open do", "Come in."),
            ("Come in. [smi", "Come in."),
            ("Come in. *smiles warm. And", "Come in."),
            ("Come in.", "Come in."),
        ] {
            let proposal = finished(text.as_bytes(), Finish::Length).expect(text);
            assert_eq!(proposal.dialogue, kept);
            assert!(proposal.intents.is_empty());
        }
    }

    #[test]
    fn g1_cut_prose_keeps_whole_markers() {
        let proposal =
            finished(b"Come in. [INTENT: open door_1] And th", Finish::Length).expect("a sentence");
        assert_eq!(
            (proposal.dialogue.as_str(), proposal.intents.len()),
            ("Come in.", 1)
        );
    }

    #[test]
    fn g1_cut_reply_without_a_whole_part_is_truncated() {
        for text in [
            "I will find the",
            "[INTENT: open door_1] I wi",
            "[INTENT: open door_1]",
            "{\"dialogue\": \"Come",
            "{\"dialogue\": \"Come in.\"}",
            "Sure.\n```json\n{\"dialogue\": \"Come in.",
        ] {
            let kind = finished(text.as_bytes(), Finish::Length)
                .expect_err(text)
                .kind;
            assert_eq!(kind, InvalidKind::Truncated, "{text:?}");
        }
    }

    #[test]
    fn g1_unterminated_marker_is_dropped_with_a_warning() {
        let proposal = read("Come in. [INTENT: open door_1").expect("speech");
        assert_eq!(proposal.dialogue, "Come in.");
        assert!(proposal.intents.is_empty());
        assert_eq!(proposal.warnings[0].rule, "unterminated_marker");
    }

    #[test]
    fn g1_markers_and_envelope_mean_the_same() {
        let prose = read(
            "Come in. [INTENT: open door_1 tool=key_1] [BELIEF: id=trust_ann confidence=0.8 Ann is honest]",
        );
        let envelope = read(
            r#"{"dialogue": "Come in.", "intents": [{"type": "open", "target": "door_1", "tool": "key_1"}],
                "mutations": [{"type": "TransformBelief", "target": "trust_ann", "confidence": 0.8, "content": "Ann is honest"}]}"#,
        );
        let (prose, envelope) = (prose.expect("prose"), envelope.expect("an envelope"));
        assert_eq!(prose.form, ReplyForm::Prose);
        assert_eq!(
            Proposal {
                form: ReplyForm::Envelope,
                ..prose
            },
            envelope
        );
    }

    #[test]
    fn g1_hostile_lengths_come_to_an_end() {
        const SIZE: usize = MAX_REPLY_BYTES / 4;
        for part in [
            "[",
            "]",
            "[[",
            "[INTENT:",
            "[MEMORY: \"",
            "*",
            "*a ",
            "**a",
            "\"",
            "“",
            "“a\n\n",
            "```",
            "```a ",
            "<think>",
            "</think>",
            "<think",
            "</",
            "a\"[MEMORY:\"",
            "[a*",
            "{",
            "[x]",
            "\"[INTENT: a]",
            ":",
            "Eldrin:",
            "Eldrin: [",
            "\n\n\"",
            " ",
            "[a:",
            "~~~",
            "<",
            "``` ",
            "[INTENT: a k=\"",
            "\u{feff}",
            "a=\"",
            "a=“ ",
        ] {
            let text = part.repeat(SIZE / part.len());
            for text in [
                text.clone(),
                format!("a{text}"),
                format!("[INTENT: a {text}]"),
                format!("x <think>{text}"),
            ] {
                let text = &text[..text.floor_char_boundary(SIZE)];
                let _ = read(text);
                let _ = finished(text.as_bytes(), Finish::Length);
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn g1_any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400), cut: bool) {
            let _ = finished(&bytes, if cut { Finish::Length } else { Finish::Stop });
        }

        #[test]
        fn g1_any_mix_of_signs_speaks_no_marker(
            parts in prop::collection::vec(prop::sample::select(vec![
                "[", "]", "INTENT", "memory", ":", " open door_1", "*", "**", "\"", "“", "”", " ", "\n\n", "a", "x.", "<think>",
                "</think>", "```", "{", "}", "Eldrin:", "\u{1}", "[INTENT: open door_1]", "6\"", "(", ")", "=", "é",
            ]), 0..40),
            cut: bool,
        ) {
            let text = parts.concat();
            if let Ok(proposal) = finished(text.as_bytes(), if cut { Finish::Length } else { Finish::Stop }) {
                let again = sanitise::prose(&format!("{}.", proposal.dialogue), &[], false);
                let whole = proposal.dialogue.starts_with(['"', '“', '«']);
                prop_assert!(whole || again.markers.is_empty() && again.unterminated.is_none(), "{:?} of {text:?}", proposal.dialogue);
                let settled = sanitise::speech(&proposal.dialogue, sanitise::Reading::Prose, &names());
                prop_assert_eq!(&settled, &proposal.dialogue);
                prop_assert!(!proposal.dialogue.contains(|c: char| c.is_control()));
            }
        }

        #[test]
        fn g1_chunk_boundaries_make_no_difference(text in "\\PC{0,60}", at in 0usize..80) {
            let bytes = text.as_bytes();
            let (first, second) = bytes.split_at(at.min(bytes.len()));
            let joined = [first, second].concat();
            prop_assert_eq!(finished(&joined, Finish::Stop), finished(bytes, Finish::Stop));
        }

        #[test]
        fn g1_any_envelope_dialogue_comes_out_settled(said in "[\\[\\]*\"a: .`<é\n]{0,40}") {
            let json = serde_json::json!({"dialogue": said, "intents": [{"type": "open"}]}).to_string();
            let proposal = read(&json).expect("an envelope");
            let settled = sanitise::speech(&proposal.dialogue, sanitise::Reading::Envelope, &names());
            prop_assert_eq!(&settled, &proposal.dialogue);
        }
    }
}
