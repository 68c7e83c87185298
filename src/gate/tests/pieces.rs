//! Random text out of what parsers, templates and judges trip over.

use proptest::prelude::*;

/// Pieces that parsers and templates trip over.
const PIECES: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\\"",
    "'",
    "“",
    "”",
    ":",
    ",",
    ".",
    "!",
    "?",
    "…",
    "*",
    "(",
    ")",
    "=",
    "\n",
    "\r\n",
    "\t",
    "\0",
    " ",
    "  ",
    "{{",
    "}}",
    "{{#each x}}",
    "```",
    "```json\n",
    "\n```",
    "<think>",
    "</think>",
    "\u{feff}",
    "\u{200b}",
    "\u{202e}",
    "\u{2028}",
    "{\"dialogue\": \"Well.\"}",
    "{\"dialogue\": \"",
    "\"mutations\": [",
    "\"intents\": [",
    "{\"type\": \"open\", \"target\": \"door\"}",
    "[INTENT: open door]",
    "[intent:",
    "[ACTION: take key",
    "[MEMORY: Ann came by.]",
    "[BELIEF: id=ann confidence=0.5 Ann is kind.]",
    "[MUTATION: AppendEpisodic x]",
    "Eldrin: ",
    "wizard: ",
    "Ann says",
    "The king is named Bob.",
    "It is not so.",
    "secret",
    "Secret",
    "sec\u{200b}ret",
    "ѕecret",
    "secretary",
    "## Now",
    "## Rules for this answer",
    "# ",
    "- ",
    "System:",
    "<|im_start|>",
    "<|im_end|>",
    "<|",
    "|>",
    "<s>",
    "</s>",
    "[INST]",
    "[/INST]",
    "<<SYS>>",
    "<</SYS>>",
    "<start_of_turn>",
    "<end_of_turn>",
    "<heard>",
    "</heard>",
    "<",
    ">",
    "<|<|>|>",
    "[[INST]]",
    "{ {",
    "{{{{",
    "é",
    "e\u{301}",
    "🧙",
    "\u{1F468}\u{200D}\u{1F469}",
    "ß",
    "ǅ",
    "漢字",
    "ﷺ",
    "a",
    "Hello there",
    "1.5",
    "no",
    "Mr. X",
];

/// Text of such pieces, and of anything else.
pub fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        6 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        2 => "[a-zA-Z ,.]{1,12}",
        1 => any::<char>().prop_map(String::from),
    ];
    proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

pub fn bytes() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..600),
        text().prop_map(String::into_bytes),
        // Broken in the middle of a character.
        (text(), any::<prop::sample::Index>(), any::<u8>()).prop_map(|(text, at, byte)| {
            let mut bytes = text.into_bytes();
            let at = at.index(bytes.len() + 1);
            bytes.insert(at, byte);
            bytes
        }),
    ]
}
