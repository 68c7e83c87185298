//! Prose: what is speech, what is cut, and what cannot be read.

use super::*;

const MAX_LINE_CHARS: usize = crate::limits::Limits::DEFAULT.reply_chars;

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
    assert_eq!(dialogue(&text).len(), MAX_LINE_CHARS);
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
fn g1_a_line_without_an_end_is_cut_back_to_a_whole_sentence() {
    let options = ParseOptions::default();
    let long = "All is well. ".repeat(20_000);
    for reply in [
        long.clone(),
        serde_json::json!({"dialogue": long}).to_string(),
    ] {
        let Ok(proposal) = parse(
            &reply.as_bytes()[..reply.len().min(MAX_REPLY_BYTES)],
            &options,
        ) else {
            // An envelope of more than 256 KiB is refused whole.
            assert!(reply.starts_with('{'));
            continue;
        };
        let chars = proposal.dialogue.chars().count();
        assert!(
            chars <= MAX_LINE_CHARS && chars > MAX_LINE_CHARS - 20,
            "{chars}"
        );
        assert!(proposal.dialogue.ends_with("All is well."));
        assert_eq!(proposal.warnings[0].rule, "reply_chars");
    }
    let word = parse("ab ".repeat(1_000).as_bytes(), &options).unwrap();
    assert!(word.dialogue.ends_with("ab") && word.dialogue.chars().count() <= MAX_LINE_CHARS);
    let one = parse("x".repeat(5_000).as_bytes(), &options).unwrap();
    assert_eq!(one.dialogue.chars().count(), MAX_LINE_CHARS);
    let short = parse("x".repeat(MAX_LINE_CHARS).as_bytes(), &options).unwrap();
    assert!(short.warnings.is_empty());
}
