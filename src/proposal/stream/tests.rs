//! Replies that come in pieces.

use super::*;
use crate::proposal::LabelNames;
use proptest::prelude::*;

fn names() -> Vec<String> {
    vec!["Eldrin".to_owned(), "St. Tom".to_owned()]
}

fn others() -> &'static LabelNames {
    static OTHERS: std::sync::LazyLock<LabelNames> =
        std::sync::LazyLock::new(|| ["Ann"].into_iter().collect());
    &OTHERS
}

/// All that a reader tells of a reply that comes in these chunks: the sentences, how many actions, and the end.
#[derive(Debug, Clone, PartialEq, Default)]
struct Told {
    /// After each sentence, the line so far.
    lines: Vec<String>,
    /// How many actions and changes of memory were told before each sentence, and in all.
    actions: Vec<usize>,
    /// The actions and changes of memory that were told before the end of the reply.
    acted: Option<Proposal>,
    end: Option<ReplyPart>,
    read: usize,
    whole: Option<Proposal>,
}

fn tell(chunks: &[&[u8]], finish: Finish, schema: bool) -> Told {
    let names = names();
    let options = ParseOptions {
        speaker_names: &names,
        other_names: others(),
        ..ParseOptions::default()
    };
    let mut reader = if schema {
        ReplyReader::with_schema()
    } else {
        ReplyReader::default()
    };
    let mut told = Told::default();
    let mut actions = 0;
    for (number, chunk) in chunks.iter().enumerate() {
        reader.push(chunk);
        if number + 1 == chunks.len() {
            reader.end(finish);
        }
        while let Some(part) = reader.next_part(&options) {
            match part {
                ReplyPart::Action => {
                    actions += 1;
                    told.acted = Some(reader.proposed().clone());
                }
                ReplyPart::Sentence => {
                    told.lines.push(reader.proposed().dialogue.clone());
                    told.actions.push(actions);
                }
                ReplyPart::End => {
                    told.whole = Some(reader.proposed().clone());
                    told.end = Some(part);
                }
                part => {
                    told.end = Some(part);
                    told.read = reader.read_bytes();
                }
            }
        }
    }
    told.actions.push(actions);
    told
}

fn all(text: &str) -> Told {
    tell(&[text.as_bytes()], Finish::Stop, false)
}

/// The sentences that are certain before the reply is over.
fn early(text: &str) -> Vec<String> {
    let names = names();
    let options = ParseOptions {
        speaker_names: &names,
        other_names: others(),
        ..ParseOptions::default()
    };
    let mut reader = ReplyReader::default();
    reader.push(text.as_bytes());
    let mut lines = Vec::new();
    while let Some(part) = reader.next_part(&options) {
        if part == ReplyPart::Sentence {
            lines.push(reader.proposed().dialogue.clone());
        }
    }
    lines
}

#[test]
fn p12_a_sentence_is_told_when_the_next_one_begins() {
    for (text, lines) in [
        ("Come in. ", vec![]),
        ("Come in. S", vec!["Come in."]),
        ("Come in. s", vec![]),
        ("Come in.\ns", vec!["Come in."]),
        ("Come in. *nods* ", vec![]),
        ("Come in. *nods* Sit. On", vec!["Come in.", "Come in. Sit."]),
        ("Come in. [nods] S", vec!["Come in."]),
        ("Come in. *nods and Sits. Then", vec![]),
        ("I *nod. Then", vec![]),
        ("\"Come in. Sit.", vec![]),
        ("\"Come in. Sit.\" ", vec![]),
        ("\"Come in.\" He sits. \"Go", vec![]),
        ("He says \"come. Sit.\" Then", vec![]),
        ("Eldrin: Come in. S", vec!["Come in."]),
        ("St. Tom: Come in. S", vec!["Come in."]),
        ("<think>One. Two.</think>Come in. S", vec!["Come in."]),
        ("<think>One. Two. Three", vec![]),
        ("Come in. <think>x</think>S", vec!["Come in."]),
        ("Come in. [INTENT: open a", vec![]),
        ("Come in. [INTENT: open a] S", vec!["Come in."]),
        ("国王死了。是", vec!["国王死了。"]),
        ("... (smiles) S", vec![]),
        ("{{char}}: Come in. Sit.", vec![]),
        ("<think>x</think>{{char}}: Come in. Sit.", vec![]),
        ("```\n{{char}}: Come in. Sit.", vec![]),
        ("! ? (laughs)\nH", vec![]),
        ("Eldrin: ! ... H", vec![]),
        ("... Come in. S", vec!["...", "... Come in."]),
        ("Come in. ... (smiles) S", vec!["Come in.", "Come in. ..."]),
        ("```\nCome in. Sit.", vec![]),
        (
            r#"{"intents": [], "mutations": [], "dialogue": "Come in. S"#,
            vec!["Come in."],
        ),
        (
            r#"{"mutations": [], "intents": [], "dialogue": "Come\nin. S"#,
            vec!["Come", "Come in."],
        ),
        (r#"{"intents": [], "dialogue": "Come in. S"#, vec![]),
        (
            r#"{"intents": [], "dialogue": "Come in. Sit."}"#,
            vec!["Come in."],
        ),
        (
            r#"{"dialogue": "Come in. Sit. Yes", "intents": [], "mutations": []}"#,
            vec!["Come in.", "Come in. Sit."],
        ),
        (
            "```json\n{\"intents\": [], \"mutations\": [], \"dialogue\": \"Come in. S",
            vec!["Come in."],
        ),
    ] {
        assert_eq!(early(text), lines, "{text}");
    }
}

#[test]
fn p12_what_is_done_is_told_before_what_is_said_behind_it() {
    let told = all("Come in. [INTENT: open a] Sit. [MEMORY: b] On");
    assert_eq!(told.actions, [1, 2, 2]);
    let told = all(
        r#"{"mutations": [{"type": "EmitWorldIntent", "intent": {"type": "open"}}], "intents": [{"type": "move"}], "dialogue": "Hi. Yes."}"#,
    );
    let whole = told.whole.unwrap();
    assert_eq!(
        (
            whole.intents[0].kind.as_str(),
            whole.intents[1].kind.as_str()
        ),
        ("move", "open")
    );
    assert_eq!(told.actions, [3, 3]);
}

#[test]
fn p12_a_marker_is_read_by_what_comes_before_it() {
    for (text, actions) in [
        (
            "Come in.\nThis response [INTENT: open a] keeps Eldrin's tone.",
            1,
        ),
        ("\n\"Thanks,\" [INTENT: open a] says Ann.", 1),
        ("Come in. (Word [INTENT: open a] count: 7)", 1),
        ("[INTENT: open a] As an AI language model, I cannot.", 1),
        (
            "Come [INTENT: open a] in. I, as an AI language model, cannot.",
            1,
        ),
        ("Hi, as an AI language model [INTENT: open a] I cannot.", 0),
        ("As an AI language model, I cannot. [INTENT: open a]", 0),
        ("As an AI language model, I cannot.\n[INTENT: open a]", 1),
        (
            "As an AI language model. I cannot.\n[INTENT: open a] Sit.",
            1,
        ),
        ("Ann: Hi. [INTENT: open a] Eldrin: Hello.", 0),
        ("Come in. Ann: [INTENT: open a] Hi.", 0),
        ("Come in.\nAnn\n[INTENT: open a] Hi.", 0),
        ("Come in. [INTENT: open a] Ann: Hi.", 1),
        ("Come in. [INTENT: open a", 0),
        ("I nod. Here [INTENT: open a] you go. Welcome. Sit.", 1),
        ("I smile. Take it [INTENT: open a] now! Good.", 1),
        ("Ich nicke. Nimm ihn [INTENT: open a] jetzt! Gut.", 1),
        ("Welcome. [INTENT: open a] ... Come in.", 1),
        ("Welcome. [INTENT: open a] ! Come in.", 1),
        (
            "Welcome! [INTENT: open a] [INTENT: open b] Come [nods] in.",
            2,
        ),
    ] {
        for text in [text.to_owned(), format!("{text} Go. Now.")] {
            let told = all(&text);
            let early = told.actions.last().copied().unwrap_or_default();
            // A reply of which nothing is read is none.
            let whole = told.whole.map_or(0, |whole| whole.intents.len());
            assert_eq!(whole, actions, "{text}");
            // Some texts, as one that begins with a quotation, are read at their end.
            assert!(early <= actions, "{early} actions were told: {text}");
        }
    }
}

#[test]
fn p12_the_character_that_settles_a_failure_is_the_last_one_read() {
    for (text, kind, read) in [
        ("Hi. On. ```json\n{}", InvalidKind::Changed, "Hi. On. ```"),
        (
            "Hi. On</think> Hello.",
            InvalidKind::Changed,
            "Hi. On</think>",
        ),
        (
            r#"{"intents": "open", "dialogue": "A."}"#,
            InvalidKind::WrongType,
            r#"{"intents": ""#,
        ),
        (
            r#"{"intents": [1], "dialogue": "A."}"#,
            InvalidKind::NotAnObject,
            r#"{"intents": [1"#,
        ),
        (
            r#"{"dialogue": "A." "intents": []}"#,
            InvalidKind::Json,
            r#"{"dialogue": "A." ""#,
        ),
        (
            r#"{"intents": []} and so"#,
            InvalidKind::MissingDialogue,
            r#"{"intents": []}"#,
        ),
        (
            r#"{"dialogue": "A."} {"a": 1}"#,
            InvalidKind::SeveralEnvelopes,
            r#"{"dialogue": "A."} {"#,
        ),
        (
            r#"{"dialogue": "A"#,
            InvalidKind::Json,
            r#"{"dialogue": "A"#,
        ),
    ] {
        let told = all(text);
        let Some(ReplyPart::Invalid(error)) = told.end else {
            panic!("{text}: {:?}", told.end);
        };
        assert_eq!((error.kind, &text[..told.read]), (kind, read), "{text}");
    }
    let told = tell(&[b"Hi. On\xff and on"], Finish::Stop, false);
    assert_eq!((told.end, told.read), (Some(ReplyPart::NotUtf8), 6));
    let told = tell(&[b"Hi\xc3"], Finish::Stop, false);
    assert_eq!(told.end, Some(ReplyPart::NotUtf8));
}

#[test]
fn p12_prose_of_an_engine_with_a_schema_waits_for_its_end() {
    let text = "Here it is. So. ```json\n{\"dialogue\": \"Hi. Yes.\"}\n```";
    let told = tell(&[text.as_bytes()], Finish::Stop, true);
    assert_eq!(told.lines, ["Hi."]);
    assert_eq!(
        tell(&[b"Hi. So. Yes."], Finish::Stop, true).lines,
        ["Hi.", "Hi. So."]
    );
}

#[test]
fn p12_a_long_reply_is_read_in_linear_time() {
    for unit in [
        "A. B [",
        "A. \"",
        "*a. ",
        "_A. ",
        "Aa. ",
        "[A]. ",
        "<think>. ",
        "\u{200d}. A",
        "A.\n\n",
    ] {
        let text = unit.repeat(10_000);
        assert!(tell(&[text.as_bytes()], Finish::Stop, false).end.is_some());
        let json = serde_json::json!({"intents": [], "mutations": []}).to_string();
        let json = format!(
            "{},\"dialogue\":{}}}",
            json.trim_end_matches('}'),
            serde_json::json!(text)
        );
        assert!(tell(&[json.as_bytes()], Finish::Stop, false).end.is_some());
    }
}

/// The reply in pieces of one byte, and in pieces cut at these places.
fn chunkings<'a>(bytes: &'a [u8], cuts: &[usize]) -> [Vec<&'a [u8]>; 2] {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
    cuts.extend([0, bytes.len()]);
    cuts.sort_unstable();
    let pieces = cuts
        .windows(2)
        .map(|pair| &bytes[pair[0]..pair[1]])
        .collect();
    [bytes.chunks(1).collect(), pieces]
}

/// Pieces of which replies are made: of prose, and of an envelope's line.
const PIECES: [&str; 82] = [
    "I nod. ",
    "Here ",
    "... ",
    "This response ",
    "As an AI language model ",
    " says Ann.",
    "Sure! ",
    "keeps Eldrin's tone.",
    "A",
    "b",
    ". ",
    "Sit. ",
    "! ",
    "? Yes",
    "…",
    " ",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    "\"",
    "“",
    "”",
    "*",
    "**",
    "_",
    "[",
    "]",
    "[INTENT: open a]",
    "[MEMORY: b. C]",
    "[nods]",
    "(",
    ")",
    "<think>",
    "</think>",
    "<",
    "```",
    "`",
    "{",
    "}",
    "Eldrin:",
    "St. Tom",
    ":",
    "Mr. ",
    "3.5",
    "。",
    "é\u{301}",
    "\u{200d}",
    "Ann:",
    "\nAnn: ",
    " Ann",
    "<|im_end|>",
    "<|im_start|>user\n",
    "<|im_start|>assistant\n",
    "</s>",
    "<br>",
    "<b>",
    "<answer>",
    "[THINK]",
    "[/THINK]",
    "<tool_call>",
    "<musing>",
    "\\n",
    "&amp;",
    "&",
    "\n- ",
    "### ",
    "> ",
    "---",
    "assistant\n",
    "user\n",
    "Thought: ",
    "Answer: ",
    "[Ann]: ",
    "「",
    "」",
    "‘",
    "’",
    "{\"dialogue\": \"Hm.\"}",
    "[map](http://a)",
    "1. ",
    "\n2. ",
];

fn reply() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..24)
        .prop_map(|pieces| pieces.concat())
}

fn envelope() -> impl Strategy<Value = String> {
    let fields = [
        r#""intents": [{"type": "open", "target": "a"}, {"type": "move"}]"#,
        r#""intents": []"#,
        r#""mutations": [{"type": "EmitWorldIntent", "intent": {"type": "take"}}, {"type": "AppendEpisodic", "content": "x"}]"#,
        r#""mutations": []"#,
        r#""mutations": null"#,
        r#""note": {"dialogue": "No. No."}"#,
        r#""dialogueText": null"#,
    ];
    let fields = prop::collection::vec(prop::sample::select(fields.to_vec()), 0..4);
    (
        fields,
        reply(),
        0usize..5,
        prop::sample::select(vec!["", "", "```", "```json\n", "<think>a</think>"]),
        prop::sample::select(vec!["", "", "\n```", " x", "}"]),
    )
        .prop_map(|(mut fields, line, at, before, behind)| {
            let dialogue = format!("\"dialogue\": {}", serde_json::json!(line));
            fields.insert(at.min(fields.len()), &dialogue);
            format!("{before}{{{}}}{behind}", fields.join(", "))
        })
}

fn check(text: &str, cuts: &[usize], finish: Finish, schema: bool) -> Result<(), TestCaseError> {
    let whole = tell(&[text.as_bytes()], finish, schema);
    if !text.is_empty() {
        for chunks in chunkings(text.as_bytes(), cuts) {
            prop_assert_eq!(&tell(&chunks, finish, schema), &whole, "{:?}", text);
        }
    }
    let names = names();
    let options = ParseOptions {
        speaker_names: &names,
        other_names: others(),
        finish,
        ..ParseOptions::default()
    };
    let parsed = parse(text.as_bytes(), &options);
    match &whole.end {
        Some(ReplyPart::End) => {
            let parsed = parsed.map_err(|error| TestCaseError::fail(error.to_string()))?;
            let ends = parsed.sentence_ends();
            let lines: Vec<&str> = ends.iter().map(|end| &parsed.dialogue[..*end]).collect();
            let told: Vec<&str> = whole.lines.iter().map(String::as_str).collect();
            prop_assert!(
                told.iter().all(|line| parsed.dialogue.starts_with(line)),
                "{:?}",
                text
            );
            // Where cleaning once is not enough, the line breaks are lost that have ended sentences.
            if !text.contains(['*', '_', '[', '<', '`', '&', '\\', '-', '#', '>', ':']) {
                // Where the end of the reply was cut off, what is the last sentence then was told already.
                prop_assert!(told.len() + 1 >= lines.len(), "{:?}", text);
                prop_assert_eq!(&told[..], &lines[..told.len()], "{:?}", text);
            }
            // An object that follows, and the end of a thought, take back what was read before them.
            let is_taken_back = ["{", "`", "</think>", "[/THINK]", "<answer>"]
                .iter()
                .any(|mark| text.contains(mark));
            if let Some(acted) = whole.acted.filter(|_| !is_taken_back) {
                prop_assert!(parsed.intents.starts_with(&acted.intents), "{:?}", text);
                prop_assert!(parsed.mutations.starts_with(&acted.mutations), "{:?}", text);
            }
            prop_assert_eq!(whole.whole, Some(parsed));
        }
        // A fence and an object are read as they come; the end of a thought or the beginning of the answer after them would take
        // them back.
        Some(ReplyPart::Invalid(_))
            if text.contains(['`', '{'])
                && ["</think>", "[/THINK]", "<answer>"]
                    .iter()
                    .any(|mark| text.contains(mark)) => {}
        Some(ReplyPart::Invalid(error)) if error.kind != InvalidKind::Changed => {
            prop_assert!(parsed.is_err(), "{:?} {:?}", error, text);
        }
        end => prop_assert!(matches!(end, Some(ReplyPart::Invalid(_))), "{:?}", end),
    }
    Ok(())
}

#[test]
fn p12_a_marker_behind_an_open_star_is_read_when_it_is_known_whose_it_is() {
    for text in [
        "*Sure! . Ann:[INTENT: open a]",
        "*Come in. Ann: [INTENT: open a]",
        "*Come in. [INTENT: open a]",
        "_Come in. Ann: [INTENT: open a]",
        "*Come in. Ann: [INTENT: open a]* Go on.",
        "Well. *Ann: [INTENT: open a]",
    ] {
        for schema in [false, true] {
            check(text, &[3, 9, 17], Finish::Stop, schema).unwrap();
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3_000, ..ProptestConfig::default() })]

    #[test]
    fn p12_prose_says_the_same_in_whatever_chunks_it_comes(
        text in reply(),
        cuts in prop::collection::vec(0usize..200, 0..6),
        cut: bool,
        schema in prop::bool::weighted(0.2),
    ) {
        check(&text, &cuts, if cut { Finish::Length } else { Finish::Stop }, schema)?;
    }

    #[test]
    fn p12_an_envelope_says_the_same_in_whatever_chunks_it_comes(
        text in envelope(),
        cuts in prop::collection::vec(0usize..200, 0..6),
        schema: bool,
    ) {
        check(&text, &cuts, Finish::Stop, schema)?;
    }

    #[test]
    fn p12_any_bytes_are_read_in_any_chunks(bytes in prop::collection::vec(any::<u8>(), 1..40), cuts in prop::collection::vec(0usize..40, 0..4)) {
        let whole = tell(&[&bytes], Finish::Stop, false);
        for chunks in chunkings(&bytes, &cuts) {
            prop_assert_eq!(&tell(&chunks, Finish::Stop, false), &whole);
        }
    }
}
