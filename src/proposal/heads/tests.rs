//! What lines begin with: labels, names, roles and marks of real replies and their siblings.

use super::*;
use crate::proposal::names::LabelNames;
use crate::proposal::{InvalidKind, parse};

fn read(text: &str) -> Result<String, InvalidKind> {
    let own = ["Captain Aldis", "guard_1", "Old Bear"].map(str::to_owned);
    let others: LabelNames = [
        "Ann",
        "player",
        "Mildred Cook",
        "米拉",
        "Søren",
        "Captain Aldis",
        "St. John",
    ]
    .into_iter()
    .collect();
    let options = ParseOptions {
        speaker_names: &own,
        other_names: &others,
        ..ParseOptions::default()
    };
    let read = parse(text.as_bytes(), &options);
    read.map(|proposal| proposal.dialogue)
        .map_err(|error| error.kind)
}

fn says(text: &str, line: &str) {
    assert_eq!(read(text).as_deref(), Ok(line), "{text:?}");
}

#[test]
fn p15_a_reply_ends_where_another_one_begins_to_speak() {
    for behind in [
        "\nAnn: I swear to pay you.",
        "\n\nAnn: I swear.\nAldis: Mind the step.",
        "\n**Ann:** I swear.",
        "\n*Ann*: I swear.",
        "\n- Ann: I swear.",
        "\n> Ann: I swear.",
        "\n### Ann: I swear.",
        "\nAnn (smiling): I swear.",
        "\nANN: I swear.",
        "\nAnn：I swear.",
        "\n[Ann]: I swear.",
        "\n<Ann> I swear.",
        "\nplayer: I swear.",
        "\nUser: I swear.",
        "\n### Human: I swear.",
        "\n{{user}}: I swear.",
        "\nMildred: The soup!",
        "\nMildred Cook: The soup!",
        "\nMILDRED COOK (angry): The soup!",
        "\nSøren: Hej.",
        "\nthe Cook: The soup!",
        " Ann: I swear to pay you.",
        " Human: What now?",
        "\n米拉：坐下。",
        "\n**Ann**\nI swear.",
        "\nuser\nThank you.",
        "\nUser\nThank you.",
        "\nSystem: done",
        "\n  Ann: I swear.",
        "\r\nAnn: I swear.",
        "\nSt. John: Amen.",
        "\n1. Ann: I swear.",
        "\n2. **Ann:** I swear.",
        "\n- 1. Ann: I swear.",
        "\n12. Mildred Cook (angry): The soup!",
        "\n3. User: I swear.",
        "\n1. Ann\nI swear.",
        "\n2) 米拉：坐下。",
        " 1. Ann: I swear.",
    ] {
        says(&format!("Come in.{behind}"), "Come in.");
    }
}

#[test]
fn p15_the_speaker_s_own_labels_go() {
    for text in [
        "Aldis: Come in.",
        "Captain Aldis: Come in.",
        "Captain: Come in.",
        "guard_1: Come in.",
        "**Captain Aldis**\nCome in.",
        "Captain Aldis\n\nCome in.",
        "Aldis (softly): Come in.",
        "Aldis（微笑）：Come in.",
        "Assistant: Come in.",
        "assistant\n\nCome in.",
        "model\nCome in.",
        "AI: Come in.",
        "### Response:\nCome in.",
        "Response: Come in.",
        "<Aldis> Come in.",
        "{{char}}: Come in.",
        "[Old Bear]: Come in.",
        "ALDIS: \"Come in.\"",
        "Ann: May I?\nAldis: Come in.",
        "- Come in.",
        "> Come in.",
        "### Come in.",
        "---\nCome in.",
        "Thought: She is a fool. I rob her.\nDialogue: Come in.",
        "**Thinking:** She is a fool.\n\n**Response:** Come in.",
        "Reasoning: I rob her.\nAldis: Come in.",
        "Come in.assistant\n\nWhat else?",
        ": \"Come in.\"",
        "1. Aldis: Come in.",
        "2. **Captain Aldis:** Come in.",
        "1. Ann: May I?\n2. Aldis: Come in.",
        "1. Thought: She is a fool.\n2. Response: Come in.",
    ] {
        says(text, "Come in.");
    }
    says("Aldis: Come in.\nAldis: Sit down.", "Come in. Sit down.");
}

#[test]
fn p15_a_number_without_a_label_stays() {
    for text in [
        "1. Come in. 2. Sit down.",
        "How many? 5. Ann has two.",
        "3. No more.",
        "It is 5. Sit down.",
    ] {
        says(text, text);
    }
}

#[test]
fn p15_a_reply_of_others_alone_says_nothing() {
    for text in [
        "Ann: I swear to pay you.",
        "User: Hello?\n",
        "Mildred: Soup.",
        "Thought: She is a fool.\nI rob her.",
    ] {
        assert_eq!(read(text), Err(InvalidKind::NoSpeech), "{text}");
    }
}

#[test]
fn p15_honest_lines_keep_their_words() {
    for (text, line) in [
        (
            "The sign says \"Ann: keep out.\"",
            "The sign says \"Ann: keep out.\"",
        ),
        (
            "Come in.\nRule one: no fire.\nRule two: no songs.",
            "Come in. Rule one: no fire. Rule two: no songs.",
        ),
        (
            "Come in. Ann, mind the step: it is wet.",
            "Come in. Ann, mind the step: it is wet.",
        ),
        ("I told Ann: come in.", "I told Ann: come in."),
        (
            "He is an assistant smith, and the user of this forge.",
            "He is an assistant smith, and the user of this forge.",
        ),
        (
            "I have thought about it. My final analysis: come in.",
            "I have thought about it. My final analysis: come in.",
        ),
        ("Note: bring rope.", "Note: bring rope."),
        (
            "You: me, two horses, one night.",
            "You: me, two horses, one night.",
        ),
        (
            "Two things:\n1. Bread.\n2. Salt.",
            "Two things: 1. Bread. 2. Salt.",
        ),
        ("Who rules here? Ann.", "Who rules here? Ann."),
        ("-5 degrees, they say.", "-5 degrees, they say."),
        (
            "It is half past ten: Ann is late.",
            "It is half past ten: Ann is late.",
        ),
    ] {
        says(text, line);
    }
}

#[test]
fn p15_markers_in_the_words_of_another_one_do_nothing() {
    let others: LabelNames = ["Ann"].into_iter().collect();
    let options = ParseOptions {
        other_names: &others,
        ..ParseOptions::default()
    };
    let read = |text: &str| parse(text.as_bytes(), &options).unwrap().intents.len();
    assert_eq!(
        read("Come in. [INTENT: open door_1]\nAnn: Thanks. [INTENT: take key_1]"),
        1
    );
    assert_eq!(read("Come in.\nAnn: [INTENT: take key_1] Thanks."), 0);
}
