//! The schema m1.0, row by row: B11 to B16 and B44.

use crate::support::{bytes_of, codes, rejected, route, set_of, status_of_alpha, transition};
use serde_json::{Value, json};

/// A good set with one field set to something else.
fn with(pointer: &str, name: &str, value: Value) -> Value {
    let mut set = set_of(vec![route("STOP_SUBSYSTEM", json!({ "target": "beta" }))]);
    set.pointer_mut(pointer).unwrap()[name] = value;
    set
}

fn without(pointer: &str, name: &str) -> Value {
    let mut set = set_of(vec![route("STOP_SUBSYSTEM", json!({ "target": "beta" }))]);
    let object = set.pointer_mut(pointer).unwrap().as_object_mut().unwrap();
    object.remove(name).unwrap();
    set
}

#[test]
fn b11_another_schema_version_and_none_are_told_apart() {
    let expected = ["INVALID_SCHEMA_VERSION:expected=m1.0"];
    for version in [
        json!("m2.0"),
        json!("M1.0"),
        json!("m1.0 "),
        json!(1.0),
        json!(null),
    ] {
        assert_eq!(codes(&with("", "schema_version", version)), expected);
    }
    let missing = without("", "schema_version");
    assert_eq!(codes(&missing), ["MISSING_REQUIRED_FIELD:schema_version"]);
}

#[test]
fn b12_input_and_proposals_missing_or_of_the_wrong_kind() {
    assert_eq!(
        codes(&without("", "input")),
        ["MISSING_REQUIRED_FIELD:input"]
    );
    assert_eq!(
        codes(&without("", "proposals")),
        ["MISSING_REQUIRED_FIELD:proposals"]
    );
    for wrong in [json!("text"), json!([]), json!(null), json!(3)] {
        assert_eq!(codes(&with("", "input", wrong)), ["INPUT_NOT_OBJECT"]);
    }
    for wrong in [json!("text"), json!({}), json!(null), json!(3)] {
        assert_eq!(
            codes(&with("", "proposals", wrong)),
            ["PROPOSALS_NOT_ARRAY"]
        );
    }
}

#[test]
fn b13_an_unknown_field_at_any_level_is_invalid() {
    let levels = [
        ("", "UNEXPECTED_ROOT_FIELDS:extra"),
        ("/input", "UNEXPECTED_INPUT_FIELDS:extra"),
        ("/proposals/0", "PROPOSAL_0_UNEXPECTED_FIELDS:extra"),
        (
            "/proposals/0/payload",
            "PROPOSAL_0_PAYLOAD_UNEXPECTED_FIELDS:extra",
        ),
        (
            "/proposals/0/payload/slots",
            "PROPOSAL_0_SLOTS_UNEXPECTED_FIELDS:extra",
        ),
    ];
    for (pointer, code) in levels {
        assert_eq!(codes(&with(pointer, "extra", json!(null))), [code]);
    }
    let mut step = transition("create_payment");
    step["payload"]["slots"] = json!({});
    assert_eq!(
        codes(&set_of(vec![step])),
        ["PROPOSAL_0_PAYLOAD_UNEXPECTED_FIELDS:slots"]
    );
}

#[test]
fn b13_unknown_names_are_sorted() {
    let mut set = set_of(vec![]);
    for name in ["zeta", "alpha", "Mid"] {
        set[name] = json!(1);
    }
    assert_eq!(codes(&set), ["UNEXPECTED_ROOT_FIELDS:Mid,alpha,zeta"]);
}

#[test]
fn b14_an_unknown_word_is_named_by_its_code() {
    let payload = "/proposals/0/payload";
    let slots = "/proposals/0/payload/slots";
    let unknown = [
        (
            with("/proposals/0", "kind", json!("FOO")),
            "PROPOSAL_0_INVALID_KIND:FOO",
        ),
        (
            with(payload, "intent", json!("DESTROY")),
            "PROPOSAL_0_INVALID_INTENT:DESTROY",
        ),
        (
            with(slots, "target", json!("delta")),
            "PROPOSAL_0_INVALID_TARGET:delta",
        ),
        (
            with(slots, "mode", json!("soft")),
            "PROPOSAL_0_INVALID_MODE:soft",
        ),
        // The schema folds no case and trims nothing: that would repair the set.
        (
            with(slots, "target", json!("Alpha")),
            "PROPOSAL_0_INVALID_TARGET:Alpha",
        ),
        (
            with(slots, "target", json!("alpha ")),
            "PROPOSAL_0_INVALID_TARGET:alpha ",
        ),
    ];
    for (set, code) in unknown {
        assert_eq!(codes(&set), [code]);
    }
}

#[test]
fn b14_a_code_names_no_more_than_a_piece_of_what_it_found() {
    let long = "ü".repeat(5000);
    let set = with("/proposals/0", "kind", json!(long));
    let expected = format!("PROPOSAL_0_INVALID_KIND:{}", "ü".repeat(128));
    assert_eq!(codes(&set), [expected]);
}

#[test]
fn b15_raw_text_has_at_most_4096_characters() {
    // The limit counts characters, not bytes.
    for letter in ["a", "ü", "\u{1f9d9}"] {
        let set = |chars: usize| {
            let mut set = set_of(vec![]);
            set["input"]["raw"] = letter.repeat(chars).into();
            set
        };
        assert_eq!(rejected(&bytes_of(&set(4096))).0, "NO_PROPOSALS");
        assert_eq!(codes(&set(4097)), ["INPUT_RAW_TOO_LONG:max=4096"]);
    }
}

#[test]
fn b16_errors_are_at_most_16_of_at_most_256_characters() {
    let set = |errors: Vec<String>| {
        let mut set = set_of(vec![]);
        set["errors"] = errors.into();
        set
    };
    let entries = |count: usize| vec!["E".to_owned(); count];
    assert_eq!(rejected(&bytes_of(&set(entries(16)))).0, "NO_PROPOSALS");
    assert_eq!(codes(&set(entries(17))), ["TOO_MANY_ERROR_ENTRIES:max=16"]);
    assert_eq!(
        rejected(&bytes_of(&set(vec!["ü".repeat(256)]))).0,
        "NO_PROPOSALS"
    );
    let long = set(vec!["fine".into(), "ü".repeat(257)]);
    assert_eq!(codes(&long), ["ERROR_ENTRY_1_TOO_LONG:max=256"]);
}

/// A rule of the contract (no confidence downstream), which the closed schema enforces.
#[test]
fn b44_a_proposal_that_carries_a_confidence_is_invalid() {
    let mut sure = status_of_alpha();
    sure["confidence"] = json!(0.99);
    assert_eq!(
        codes(&set_of(vec![sure])),
        ["PROPOSAL_0_UNEXPECTED_FIELDS:confidence"]
    );
    for pointer in [
        "",
        "/input",
        "/proposals/0/payload",
        "/proposals/0/payload/slots",
    ] {
        let found = codes(&with(pointer, "confidence", json!(0.99)));
        assert!(found[0].ends_with("FIELDS:confidence"), "{found:?}");
    }
}
