//! Whole replies, from bytes to a proposal.

mod changes;
mod corpus;
mod envelope;
mod fences;
mod markers;
mod prose;

use super::scan::Reading;
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
            speaker_names: &names,
            ..ParseOptions::default()
        },
    )
}

fn read(text: &str) -> Result<Proposal, InvalidFormat> {
    finished(text.as_bytes(), Finish::Stop)
}

fn dialogue(text: &str) -> String {
    read(text).expect(text).dialogue
}

fn settled(text: &str, reading: Reading) -> String {
    let names = names();
    let options = ParseOptions {
        speaker_names: &names,
        ..ParseOptions::default()
    };
    sanitise::speech(text, reading, &options).unwrap().line
}

fn kind(text: &str) -> InvalidKind {
    read(text).expect_err(text).kind
}

fn ok(text: &str) -> Proposal {
    read(text).expect(text)
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
    const SIZE: usize = MAX_REPLY_BYTES / 8;
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
            let again = sanitise::prose(&format!("{}.", proposal.dialogue), scan::Reading::Prose, &ParseOptions::default());
            let whole = proposal.dialogue.starts_with(['"', '“', '”', '«']);
            prop_assert!(whole || again.markers.is_empty() && again.unterminated.is_none(), "{:?} of {text:?}", proposal.dialogue);
            let settled = settled(&proposal.dialogue, Reading::Prose);
            prop_assert!(whole || settled == proposal.dialogue, "{settled:?} of {:?} of {text:?}", proposal.dialogue);
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
        let settled = settled(&proposal.dialogue, Reading::Envelope);
        prop_assert!(proposal.dialogue.starts_with('"') || settled == proposal.dialogue, "{settled:?}");
    }
}
