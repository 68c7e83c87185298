//! The notes next to each row: the target, the least that the same work can cost, and its cost in other systems. We measured the other
//! systems on the same kind of machine (two shared cores), with the same work: a reply of 577 bytes, memories of about 20 words, and a
//! fake model that answers at once.

/// The note for the row with this name.
pub fn beside(name: &str) -> Option<&'static str> {
    let found = KNOWN.iter().find(|(row, _)| *row == name);
    found.map(|(_, known)| *known)
}

const KNOWN: [(&str, &str); 17] = [
    (
        "F1 idle",
        "aim 1.01. bevy_yarnspinner: 1,000 waiting runners add 42 us to a frame",
    ),
    (
        "F2 run",
        "aim: 60 us where an empty frame takes 2.5, which is 24 empty frames. The floor in plain Rust is about 27 us: 13 to retrieve, 3 to scan, 2 to parse, 2 to hash, 7 for the frame. \
         LlamaBrain: 7.0 ms. Concordia, without rules: 8.9 ms. NeMo Guardrails, the 100 patterns alone: 24 ms",
    ),
    ("F2 memories", "LlamaBrain: 792 ms with 10 rules"),
    ("F2 rules", "LlamaBrain: 18.8 ms"),
    (
        "F3 in flight",
        "aim: less than 100 us more for a hundred of them",
    ),
    (
        "F4 10k",
        "LlamaBrain: 72 ms. A scan by the same formula: 390 us. tantivy: 275 us",
    ),
    (
        "F4 100k",
        "aim: less than 1 ms. LlamaBrain: 786 ms. A scan by the same formula: 4.5 ms. tantivy: 1.8 ms",
    ),
    (
        "F4 1M",
        "an inverted index without recency and significance: 9.5 ms",
    ),
    (
        "F4 store",
        "an inverted index: 1.6 to 2.1 us. tantivy: 6 ms until it is found",
    ),
    (
        "P12 sentence",
        "aim: 10 us a sentence where an empty frame takes 2.5, which is 4 empty frames",
    ),
    (
        "R3 regex",
        "a set of 1,000 expressions in plain Rust: 3.4 us for each text",
    ),
    ("T6 scan", "SillyTavern: 824 ms for 10,000 entries"),
    ("W7 hash", "aim 1"),
    (
        "J1 turn",
        "aim 1.15. A row of 4 KB in SQLite (WAL): 25 us, and 4 ms when each is made durable",
    ),
    (
        "J4 replay",
        "aim: 10,000 turns a second where an empty frame takes 2.5 us, which is 40 empty frames a turn",
    ),
    ("J2 bytes", "aim 2.05: half of the 4.1 that it was"),
    ("J3 load", "aim: less than 1 s for 100,000 turns"),
];
