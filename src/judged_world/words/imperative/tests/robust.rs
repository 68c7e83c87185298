//! Whatever the text, no panic, and no more than a bounded answer.

use crate::judged_world::words::imperative::tests::{frames, parse};
use crate::judged_world::words::imperative::{MAX_ACTIONS, parse_imperatives};
use crate::text::lexicon::{Imperatives, Lexicon};

#[test]
fn w9_no_text_panics_and_the_output_is_bounded() {
    let pieces = [
        "and ",
        "then ",
        "open ",
        "take",
        " the key",
        "\"",
        "“",
        "”",
        "‘",
        "’",
        "[",
        "]",
        "{",
        "}",
        ",",
        ".",
        "?",
        "!",
        "…",
        ":",
        "\n",
        " to ",
        "with ",
        "say ",
        "tell ",
        "give ",
        "pick ",
        "up ",
        "İ",
        "ß",
        "🗝",
        "e\u{301}",
        "\u{200b}",
        "\u{0}",
        "Mr",
        "3.5",
        "don't ",
        "if ",
        "use ",
        "as ",
        "describe ",
        "introduce ",
        "named ",
        "me ",
        "Eldrin ",
        "from ",
        "cast ",
        "pray ",
        "-",
        "I ",
        "please ",
    ];
    let mut seed = 7_u64;
    let mut next = |n: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let mut texts: Vec<String> = pieces
        .iter()
        .map(|piece| piece.repeat(2_000 / piece.chars().count()))
        .collect();
    texts.push("take the key. ".repeat(143));
    texts.push("take the key and ".repeat(117));
    texts.push("pick a ".repeat(285));
    for _ in 0..2_000 {
        let len = next(60);
        texts.push((0..len).map(|_| pieces[next(pieces.len())]).collect());
    }
    for text in &texts {
        let actions = parse(text);
        assert!(actions.len() <= MAX_ACTIONS, "{text}");
        for action in actions {
            assert!(
                !action.kind.is_empty() && action.kind.chars().count() <= 60,
                "{text}"
            );
            assert!(!action.kind.contains(char::is_control), "{text}");
            assert!(
                action
                    .fields
                    .values()
                    .all(|v| v.as_str().is_some_and(|v| v.len() <= text.len() + 1))
            );
        }
    }
    // Names of what is near change nothing of that.
    let names = [
        "key and open",
        "take. the\"",
        "\"",
        "pick up ",
        "[",
        "}]",
        "me to",
        "e\u{301} ,",
    ];
    for text in &texts {
        let words = &Lexicon::english().imperatives;
        let actions = parse_imperatives(text, words, &frames(), &names);
        assert!(actions.len() <= MAX_ACTIONS, "{text}");
        assert!(
            actions.iter().all(|action| !action.kind.is_empty()),
            "{text}"
        );
    }
    // Without any words, all is unknown.
    for text in &texts {
        let actions = parse_imperatives(text, &Imperatives::default(), &[], &[]);
        assert!(actions.len() <= MAX_ACTIONS, "{text}");
    }
}
