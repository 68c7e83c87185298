//! Where an envelope stands in a reply.

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
        "{}}",
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
            matches!(
                kind(text),
                InvalidKind::Json | InvalidKind::MissingDialogue | InvalidKind::TrailingText
            ),
            "{text:?}"
        );
    }
    assert_eq!(
        kind("{\"dialogue\": \"x\", \"n\": 1e999}"),
        InvalidKind::Json
    );
}

#[test]
fn g1_one_envelope_and_nothing_after_it() {
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
    assert_eq!(kind(&format!("{e} Hello.")), InvalidKind::TrailingText);
    assert_eq!(kind(&format!("{e}\n```")), InvalidKind::TrailingText);
    assert_eq!(
        kind(&format!("```json\n{e} and more\n```")),
        InvalidKind::TrailingText
    );
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
