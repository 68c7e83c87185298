//! The place of an envelope in a reply.

use super::*;

#[test]
fn g1_envelope_is_found_where_it_stands() {
    let e = r#"{"dialogue": "Hi."}"#;
    for text in [
        e.to_owned(),
        format!("  \n{e}\n "),
        format!("\u{feff}{e}"),
        format!("\u{200b}{e}"),
        format!("<think>{{\"dialogue\": \"no\"}}</think>{e}"),
        format!("<think>a</think>\u{feff} <THINKING>b</Thinking>\n{e}"),
        format!("plan it</think>{e}"),
        format!("{e}<think>done</think>"),
        format!("```json\n{e}\n```"),
        format!("```JSON\n{e}\n```"),
        format!("```\n{e}```"),
        format!("```{e}```"),
        format!("```` json {e} ````"),
        format!("~~~json\n{e}\n~~~"),
        format!("Sure, here it is:\n```json\n{e}\n```\nHope it helps. [INTENT: open door_1]"),
        format!("```json\n{e}"),
        format!("``` is a fence. ```json\n{e}\n```"),
    ] {
        let proposal = ok(&text);
        assert_eq!(proposal.form, ReplyForm::Envelope, "{text:?}");
        assert_eq!(proposal.dialogue, "Hi.", "{text:?}");
        assert!(proposal.intents.is_empty());
    }
}

#[test]
fn g1_fence_and_tag_inside_a_string_are_text() {
    let proposal = ok("```json\n{\"dialogue\": \"Read ```this``` \\\" and } there.\"}\n```");
    assert_eq!(
        proposal.dialogue,
        "Read this\" and } there.".replace("this\"", "this \"")
    );
    assert_eq!(
        ok(r#"{"dialogue": "<think>no</think>Yes."}"#).dialogue,
        "Yes."
    );
}

#[test]
fn g1_broken_envelope_is_never_prose() {
    for text in [
        "{",
        "{}",
        "{\"dialogue\": \"Hi.\"",
        "{smiles} Hello.",
        "{\"dialogue\": \"a\nb\"}",
        "{'dialogue': 'x'}",
        "{\"dialogue\": \"x\",}",
        "```json\n{nope}\n```",
        "Hi. ```\n{\"dialogue\"",
        "{\"dialogue\": \"x\", \"n\": 1e999}",
        "{\"dialogue\": \"x\", \"n\": NaN}",
        "{\"dialogue\": \"\\ud800\"}",
    ] {
        assert!(
            matches!(kind(text), InvalidKind::Json | InvalidKind::MissingDialogue),
            "{text:?}"
        );
    }
    assert_eq!(
        kind("{\"dialogue\": \"x\", \"n\": 1e999}"),
        InvalidKind::Json
    );
}

#[test]
fn g1_there_is_one_envelope() {
    let e = r#"{"dialogue": "Hi."}"#;
    assert_eq!(kind(&format!("{e}{e}")), InvalidKind::SeveralEnvelopes);
    assert_eq!(kind(&format!("{e}\n{{")), InvalidKind::SeveralEnvelopes);
    assert_eq!(
        kind(&format!("```json\n{e}\n```\n```json\n{e}\n```")),
        InvalidKind::SeveralEnvelopes
    );
    assert_eq!(
        kind(&format!("```json\n{e}\n```\n{e}")),
        InvalidKind::SeveralEnvelopes
    );
    assert_eq!(
        kind(&format!("```json\n{e}\n{e}\n```")),
        InvalidKind::SeveralEnvelopes
    );
}

#[test]
fn p15_words_around_an_envelope_are_dropped() {
    let e = r#"{"dialogue": "Hi."}"#;
    for text in [
        format!("Here is my answer:\n{e}"),
        format!("Eldrin: {e}"),
        format!("*nods* {e}"),
        format!("json\n{e}"),
        format!("JSON: {e}"),
        format!("Sure! {e} I hope that helps."),
        format!("<tool_call>{e}</tool_call>"),
        format!("<|tool_call|>{e}"),
        format!("[{e}]"),
        format!("<|im_start|>assistant\n{e}<|im_end|>"),
        format!("{e}</s>"),
        format!("{e} Hello."),
        format!("{e}\n```"),
        format!("```json\n{e} and more\n```"),
        format!("{e}}}"),
        format!("[THINK]{{\"dialogue\": \"No.\"}}[/THINK]{e}"),
        serde_json::json!(e).to_string(),
    ] {
        let proposal = ok(&text);
        assert_eq!(proposal.dialogue, "Hi.", "{text}");
        assert_eq!(proposal.form, ReplyForm::Envelope, "{text}");
    }
    assert_eq!(ok(&format!("{e} Hello.")).warnings[0].rule, "trailing_text");
}

#[test]
fn p15_json_is_never_heard() {
    for text in [
        "Come in. {\"line\": \"x\"}",
        "Come in. {'dialogue': 'x'}",
        "Come in. {dialogue: x}",
        "Come in. {\"a\": {\"b\": 1}",
        "Come in. { “dialogue”: “x” }",
        "{\\\"dialogue\\\": \\\"Come in.\\\"}",
        "{\"dialogue\": \"{\\\"dialogue\\\": \\\"x\\\"}\"}",
        "Come in.\n<tool_call>\n{\"name\": \"open\", \"arguments\": {\"target\": \"door_1\"}}\n</tool_call>",
        "{{\"type\": \"array\"}}",
        "null",
        "true",
        "[]",
        "[\"Come in.\"]",
        "None",
    ] {
        let kind = kind(text);
        assert!(
            matches!(
                kind,
                InvalidKind::Json | InvalidKind::Machine | InvalidKind::MissingDialogue
            ),
            "{text}: {kind:?}"
        );
    }
    for text in [
        "He wrote {sic} in the margin.",
        "42",
        "A set {a, b}: two things.",
        "It is 42.",
        "True.",
        "{{char}} is a word, she says {hm}",
    ] {
        assert!(read(text).is_ok() || text.starts_with('{'), "{text}");
    }
}

#[test]
fn p15_a_whole_object_is_whole_however_the_reply_ended() {
    let options = ParseOptions {
        finish: Finish::Length,
        ..ParseOptions::default()
    };
    for text in [
        "{\"dialogue\": \"Hi.\"}\n\n\n",
        "```json\n{\"dialogue\": \"Hi.\"}\n```\n",
        "Here: {\"dialogue\": \"Hi.\"} and",
        "{\"dialogue\": \"Hi.\"}",
    ] {
        assert_eq!(
            parse(text.as_bytes(), &options).unwrap().dialogue,
            "Hi.",
            "{text}"
        );
    }
    let cut = parse(b"{\"dialogue\": \"Hi", &options).unwrap_err();
    assert_eq!(cut.kind, InvalidKind::Truncated);
}

#[test]
fn g1_fence_without_an_object_is_prose() {
    for text in [
        "```\nCome in.\n```",
        "```text\nCome in.\n```",
        "```Come in.```",
        "``` text\nCome in.",
    ] {
        assert_eq!(ok(text).dialogue, "Come in.", "{text:?}");
    }
}
