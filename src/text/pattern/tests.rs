//! What patterns hit, and what they do not.

use super::*;
use crate::text::{LookIn, Readings};

fn hit(pattern: &str, text: &str) -> Option<String> {
    let set = PatternSet::compile([pattern]).unwrap();
    set.scan(&FoldedText::new(text))
        .first(0)
        .map(|span| span.text.clone())
}

#[test]
fn g2_words_are_whole() {
    assert!(hit("secret", "my secretary").is_none());
    assert!(hit("hell", "Hello").is_none());
    assert!(hit("secret", "top_secret").is_none());
    assert!(hit("secret", "secret2").is_none());
    assert!(hit("secret", "secret\u{301}ly").is_none());
    for text in [
        "secret's",
        "top-secret",
        "A SECRET!",
        "“secret”",
        "x secretary secret",
    ] {
        assert!(hit("secret", text).is_some(), "{text}");
    }
}

#[test]
fn g2_an_underscore_belongs_to_a_word_only_between_its_signs() {
    for text in [
        "_secret_",
        "__secret__",
        "a _secret",
        "(secret_)",
        "secret_ly x secret",
    ] {
        assert!(hit("secret", text).is_some(), "{text}");
    }
    for text in ["my_secret", "secret_door", "a__secret", "_my_secret_"] {
        assert!(hit("secret", text).is_none(), "{text}");
    }
    assert_eq!(hit("secret*", "_secrets_").as_deref(), Some("secrets"));
    assert_eq!(
        hit("my_secret", "it is my_secret.").as_deref(),
        Some("my_secret")
    );
}

#[test]
fn g2_a_phrase_that_is_spelled_needs_no_spaces() {
    let set = PatternSet::compile(["silver gate"]).unwrap();
    let hit = |text: &str| {
        let readings = Readings::new(text);
        let mut readings = readings.folded(LookIn::Revealed);
        readings.find_map(|text| set.scan(text).first(0).map(|span| span.text.clone()))
    };
    assert_eq!(
        hit("a s-i-l-v-e-r-g-a-t-e b").as_deref(),
        Some("s-i-l-v-e-r-g-a-t-e")
    );
    assert_eq!(
        hit("s i l v e r   g a t e").as_deref(),
        Some("s i l v e r   g a t e")
    );
    assert_eq!(
        hit("s i l  v e r g a t e").as_deref(),
        Some("s i l  v e r g a t e")
    );
    assert_eq!(hit("silvergate"), None);
}

#[test]
fn g2_a_phrase_goes_over_signs_that_end_no_sentence() {
    let hit = |pattern: &str, text: &str| {
        let set = PatternSet::compile([pattern]).unwrap();
        let readings = Readings::new(text);
        let mut readings = readings.folded(LookIn::Bare);
        readings.any(|text| set.places(text).of(PatternId(0), LookIn::Bare).is_some())
    };
    for text in [
        "silver-gate",
        "silver, gate",
        "\"silver\" gate",
        "(silver) gate",
        "silver… gate",
        "silver... gate",
        "silver/gate",
        "silver_gate",
        "silver — gate",
        "silver: gate",
        "silver\u{2011}gate",
        "silver→gate",
        "silver🔥gate",
        "*silver* gate",
        "silver.gate",
        "silver™ gate",
        "sílver-gáte",
        "silver\ngate",
        "silver!gate",
        "s-i-l-v-e-r / g-a-t-e",
    ] {
        assert!(hit("silver gate", text), "{text}");
    }
    for text in [
        "Silver. Gate two!",
        "Silver! Gate it.",
        "Silver? \"Gate\"",
        "银silver。gate",
        "silver gated",
        "quicksilver-gate",
        "silver the gate",
        "silvergate",
        "gate, silver",
    ] {
        assert!(!hit("silver gate", text), "{text}");
    }
    assert!(hit("pay $100 now", "pay $100, now"));
    assert!(hit("the king's plan", "the-king's: plan"));
    assert!(hit("crown jewel*", "crown-jewels"));
    assert!(!hit("north-gate", "north gate"));
    // As it is written, it is another phrase.
    let set = PatternSet::compile(["silver gate"]).unwrap();
    let places = set.places(&FoldedText::new("silver-gate, silver gate"));
    assert_eq!(places.of(PatternId(0), LookIn::Revealed), Some(13..24));
    assert_eq!(places.of(PatternId(0), LookIn::Bare), Some(0..11));
}

#[test]
fn g2_phrases_are_told_apart_by_a_word_that_others_have_not() {
    let set = PatternSet::compile(["the old king", "the old queen", "the old"]).unwrap();
    let hits = set.scan(&FoldedText::new("the old queen"));
    let found = [0, 1, 2].map(|at| hits.first(at).map(|span| span.text.as_str()));
    assert_eq!(found, [None, Some("the old queen"), Some("the old")]);
}

#[test]
fn g2_prefixes_and_phrases() {
    assert_eq!(
        hit("assassin*", "The Assassination!").as_deref(),
        Some("Assassination")
    );
    assert!(hit("assassin*", "unassassinated").is_none());
    assert_eq!(
        hit("crown jewel*", "the crown\n  jewels").as_deref(),
        Some("crown\n  jewels")
    );
    assert!(hit("\"crown jewel\"", "crown jewels").is_none());
    assert!(hit("\"crown jewel\"*", "crown jewels").is_some());
}

#[test]
fn g2_sides_that_are_symbols_or_spaceless_scripts_are_free() {
    assert!(hit("$100", "US$100").is_some());
    assert!(hit("$100", "$1000").is_none());
    assert!(hit("🗝", "a🗝b").is_some());
    assert!(hit("魔法", "我魔法师").is_some());
    assert!(hit("เวท", "ใช้เวทมนตร์").is_some());
    assert!(hit("လျှို့ဝှက်", "ဤလျှို့ဝှက်ချက်").is_some());
}

#[test]
fn g2_regular_expressions_run_on_both_layers() {
    for text in ["ѕесrеt", "se\u{200b}cret", "SEСRET"] {
        assert!(hit("/\\bsecret\\b/", text).is_some(), "{text}");
    }
    assert_eq!(
        hit("/comput\\w+/", "A COMPUTER").as_deref(),
        Some("COMPUTER")
    );
    assert_eq!(hit("/\\d{2}/", "room １２").as_deref(), Some("１２"));
    assert!(hit("/x*/", "no such letter").is_none());
}

#[test]
fn g2_a_pattern_hits_whatever_the_shape_of_its_signs() {
    let texts = ["king's plan", "king’s plan", "king\u{2bc}s plan"];
    for pattern in texts.into_iter().chain(["/king's plan/", "/king’s plan/"]) {
        for text in texts {
            let found = hit(pattern, &format!("The {text}, now"));
            assert_eq!(found.as_deref(), Some(text), "{pattern}");
        }
    }
    assert!(hit("king", "the king\u{2bc}s plan").is_some());
    assert!(hit("north-gate", "at the north\u{2011}gate").is_some());
    assert!(hit("north\u{2010}gate", "at the north-gate").is_some());
    assert!(hit("north-gate", "to the north\u{2014}gate or door").is_none());
}

#[test]
fn g2_bad_patterns_are_load_errors() {
    for bad in [
        "",
        "  ",
        "\"\"",
        "*",
        "\u{200b}",
        "a*b",
        "/(/",
        "//",
        "/a{1000}{1000}/",
    ] {
        assert!(parse(bad).is_err(), "{bad:?}");
    }
    assert!(parse(&"x".repeat(1_001)).is_err());
}

#[test]
fn the_earliest_hit_wins_also_where_hits_overlap() {
    let set = PatternSet::compile(["king is dead", "the king", "dead"]).unwrap();
    let hits = set.scan(&FoldedText::new("the king is dead"));
    assert_eq!(hits.first(0).unwrap().start, 4);
    let earliest = (0..3)
        .filter_map(|i| hits.first(i))
        .min_by_key(|span| span.start);
    assert_eq!(earliest.unwrap().text, "the king");
}
