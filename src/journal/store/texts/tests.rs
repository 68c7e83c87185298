//! Every body comes back, byte for byte.

use super::cut::cut;
use super::form::{MARK, MOST_PARSED};
use super::*;
use crate::journal::store::MOST_BYTES;
use crate::journal::store::chain::text_hash;
use crate::journal::store::error::StoreProblem;
use proptest::prelude::*;
use serde_json::{Value, json};

/// A body that is cut up, and the pieces.
#[derive(Debug, PartialEq, Eq)]
struct Cut {
    stored: String,
    texts: BTreeMap<Hash, String>,
}

/// The body as a packer stores it that has met every piece before.
fn pack(body: &str) -> Cut {
    let (stored, texts) = cut(body, &mut |_| true);
    Cut { stored, texts }
}

fn back(packed: &Cut) -> Result<String, StoreProblem> {
    unpack(packed.stored.clone(), |hash| {
        Ok(packed.texts.get(hash).cloned())
    })
}

fn body(parts: &[&str]) -> String {
    let sections: Vec<Value> = parts
        .iter()
        .map(|part| json!({"name": "s", "chars": part.chars().count()}))
        .collect();
    json!({"attempts": [{"prompt": parts.concat(), "sections": sections, "reply": "hm"}], "npc": "mira"})
        .to_string()
}

#[test]
fn long_sections_are_kept_by_hash_and_short_neighbours_stay_together() {
    let long = "ä".repeat(60);
    let other = "b".repeat(96);
    let given = body(&["a", "", "short", &long, &other, "c", &long]);
    let packed = pack(&given);
    assert_eq!(packed.texts.len(), 2);
    assert_eq!(packed.texts.get(&text_hash(&long)), Some(&long));
    let stored: Value = serde_json::from_str(&packed.stored).unwrap();
    let pieces = stored["attempts"][0]["prompt"].as_array().unwrap();
    assert_eq!(pieces.len(), 5);
    assert_eq!(pieces[0], json!({"t": "ashort"}));
    assert_eq!(back(&packed).unwrap(), given);
}

#[test]
fn what_cannot_come_back_identical_is_stored_as_it_is() {
    let long = "x".repeat(200);
    let unsorted =
        format!(r#"{{"z":1,"attempts":[{{"prompt":"{long}","sections":[{{"chars":200}}]}}]}}"#);
    let spaced = body(&[&long]).replace("[{", "[ {");
    let wrong = body(&[&long]).replace(":200", ":201");
    let listed = json!({"attempts": [
        {"prompt": [{"t": "a"}], "sections": [{"chars": 1}]},
        {"prompt": long, "sections": [{"chars": 200}]},
    ]})
    .to_string();
    assert_eq!(back(&pack(&unsorted)).unwrap(), unsorted);
    for given in [&spaced, &wrong, &listed, "", "{", "nonsense"] {
        let packed = pack(given);
        let texts = BTreeMap::new();
        let stored = given.to_string();
        assert_eq!(packed, Cut { stored, texts });
        assert_eq!(back(&packed).unwrap(), *given);
    }
}

#[test]
fn a_body_that_looks_packed_comes_back_as_it_was() {
    let long = "x".repeat(200);
    let once = pack(&body(&[&long]));
    let twice = pack(&once.stored);
    assert_ne!(twice.stored, once.stored);
    assert_eq!(back(&twice).unwrap(), once.stored);
    let thrice = pack(&twice.stored);
    assert_eq!(back(&thrice).unwrap(), twice.stored);
}

#[test]
fn what_occurs_once_stays_and_what_occurs_again_is_kept() {
    let (stable, once) = ("s".repeat(200), "o".repeat(200));
    let constraints = json!([
        ["no_secrets_of_the_tower", "Prohibition", "Critical"],
        ["be_brief_when_you_answer", "Requirement", "Soft"]
    ]);
    let body = |last: &str| {
        let prompt = format!("{stable}{last}");
        let sections = json!([{"chars": 200}, {"chars": last.len()}]);
        let attempt = json!({"constraints": constraints, "prompt": prompt, "sections": sections});
        json!({"attempts": [attempt], "constraints": null}).to_string()
    };
    let mut packer = Packer::default();
    let mut kept = BTreeMap::new();
    let mut lengths = Vec::new();
    for last in [&once, "a", "b"] {
        let packed = packer.pack(PACKED_KIND, &body(last));
        lengths.push(packed.bytes);
        kept.extend(packed.texts);
        let stored = uncompressed(&packed.stored, packed.bytes).unwrap();
        let found = |hash: &Hash| Ok(kept.get(hash).cloned());
        assert_eq!(unpack(stored, found).unwrap(), body(last));
    }
    let texts: Vec<&String> = kept.values().collect();
    assert_eq!(texts.len(), 2, "{texts:?}");
    assert!(texts.contains(&&stable) && texts.contains(&&constraints.to_string()));
    assert_eq!(lengths[1], lengths[2]);
    let other = packer.pack("turn", &body("c"));
    assert_eq!(other.texts, BTreeMap::new());
}

#[test]
fn a_compressed_body_that_lies_is_refused() {
    let text = "It rained, and rained, and rained. ".repeat(20);
    let packed = Packer::default().pack("turn", &text);
    assert!(packed.stored.len() < text.len() / 4);
    assert_eq!(uncompressed(&packed.stored, packed.bytes).unwrap(), text);
    let bomb = Compressor::default().compressed("0".repeat(1 << 20));
    for (stored, bytes) in [
        (&packed.stored, packed.bytes - 1),
        (&packed.stored, packed.bytes + 1),
        (&packed.stored, 0),
        (&packed.stored, usize::MAX),
        (&bomb, 1 << 19),
        (&b"nonsense".to_vec(), 9),
        (&vec![0xff], 1),
    ] {
        assert!(uncompressed(stored, bytes).is_err(), "{bytes}");
    }
}

#[test]
fn hostile_bodies_are_refused() {
    let hash = blake3::Hash::from_bytes(text_hash("x")).to_hex();
    let refers = format!(r#"{{"h":"{hash}"}}"#);
    let bomb = format!(
        r#"{{"$packed":1,"attempts":[{{"prompt":[{}]}}]}}"#,
        vec![refers.as_str(); 100].join(",")
    );
    let long = "y".repeat(MOST_BYTES / 50);
    let mut read = 0;
    let answer = unpack(bomb.clone(), |_| {
        read += 1;
        Ok(Some(long.clone()))
    });
    assert!(read < 60, "it stops where the body is too large");
    assert_eq!(
        answer,
        Err(StoreProblem::corrupt("a body is larger than any journal's"))
    );
    assert_eq!(
        unpack(bomb, |_| Ok(None)),
        Err(StoreProblem::corrupt("a kept text is missing"))
    );
    let deep = format!(r#"{{"$packed":1,"attempts":{}"#, "[".repeat(100_000));
    let large = format!(
        r#"{{"$packed":1,"attempts":[{}"#,
        "0,".repeat(MOST_PARSED / 2)
    );
    let large = format!("{large}0]}}");
    for stored in [
        r#"{"$packed":"#,
        r#"{"$packed":2,"a":1}"#,
        r#"{"$packed":1,}"#,
        r#"{"$packed":1,"attempts":{}}"#,
        r#"{"$packed":1,"attempts":[{"prompt":[{"h":"00"}]}]}"#,
        r#"{"$packed":1,"attempts":[{"prompt":[{"h":"00","t":""}]}]}"#,
        r#"{"$packed":1,"attempts":[{"prompt":["a"]}]}"#,
        r#"{"$packed":0,"body":1}"#,
        r#"{"$packed":0,"body":"a"#,
        &deep,
        &large,
    ] {
        let answer = unpack(stored.to_owned(), |_| Ok(Some(String::new())));
        assert_eq!(
            answer,
            Err(StoreProblem::corrupt("a packed body is malformed")),
            "{:.60}",
            stored
        );
    }
}

fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        "\\PC{0,12}",
        "[a-zäß日\\\\\"\n]{90,130}",
        Just("long and stable ".repeat(10)),
    ]
}

fn attempt() -> impl Strategy<Value = Value> {
    let sections = proptest::collection::vec((piece(), 0_u8..12), 0..6);
    let honest = sections.prop_map(|parts| {
        let prompt: String = parts.iter().map(|(text, _)| text.as_str()).collect();
        let sections: Vec<Value> = parts
            .iter()
            .map(|(text, off)| {
                // One section in twelve lies about its length.
                json!({"name": "s", "chars": text.chars().count() + usize::from(*off == 0)})
            })
            .collect();
        json!({"prompt": prompt, "sections": sections})
    });
    let listed = proptest::collection::vec(
        prop_oneof![
            piece().prop_map(|text| json!({ "t": text })),
            piece().prop_map(|text| {
                json!({"h": blake3::Hash::from_bytes(text_hash(&text)).to_hex().as_str()})
            }),
            Just(json!("loose")),
        ],
        0..4,
    )
    .prop_map(|pieces| json!({"prompt": pieces, "sections": [{"chars": 3}]}));
    prop_oneof![6 => honest, 1 => listed, 1 => Just(json!(7.25e-12)), 1 => Just(json!({}))]
}

fn some_body() -> impl Strategy<Value = String> {
    let attempts = proptest::collection::vec(attempt(), 0..4);
    let extra = prop_oneof![
        4 => Just(None),
        1 => (-1_i64..3).prop_map(|n| Some(("$packed", json!(n)))),
        1 => "\\PC{0,20}".prop_map(|text| Some(("body", json!(text)))),
        1 => any::<f64>().prop_map(|n| Some(("n", json!(n)))),
    ];
    (attempts, extra).prop_map(|(attempts, extra)| {
        let mut body = json!({"attempts": attempts});
        if let Some((key, value)) = extra {
            body[key] = value;
        }
        body.to_string()
    })
}

proptest! {
    #[test]
    fn every_body_comes_back(given in some_body()) {
        let packed = pack(&given);
        prop_assert_eq!(back(&packed).unwrap(), given.clone());
        // And so does its stored form, which is the nastiest body there is.
        let again = pack(&packed.stored);
        prop_assert_eq!(back(&again).unwrap(), packed.stored);
    }

    #[test]
    fn any_text_comes_back(given in "(\\{\"\\$packed\":)?[01]?\\PC{0,40}") {
        prop_assert_eq!(back(&pack(&given)).unwrap(), given);
    }

    #[test]
    fn no_stored_text_panics(rest in "[01]?,?\\PC{0,60}") {
        let _ = unpack(format!("{MARK}{rest}"), |_| Ok(None));
    }
}
