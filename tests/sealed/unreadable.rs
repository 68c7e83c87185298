//! Bytes that are not a proposal set at all: B08 to B10.

use crate::demo::{json, json::Unreadable, proposal_set};
use crate::support::{bytes_of, codes, codes_of, rejected, set_of, status_of_alpha};
use serde_json::json;

/// The source answers empty bytes with `INVALID_PROPOSALS` here and with `NO_PROPOSALS` elsewhere; resolution 3.4.2
/// says `NO_PROPOSALS` at every entry.
#[test]
fn b08_binary_bytes_are_invalid_and_empty_bytes_are_no_proposals() {
    assert_eq!(rejected(b"").0, "NO_PROPOSALS");
    let binary: [&[u8]; 6] = [
        b"GIF89a\x01\x00\x01\x00",
        b"\x7fELF\x02\x01\x01\x00",
        b"\xff\xfe{\x00}\x00",
        b"\xff\xfe{}",
        b"\x00",
        b"{\"schema_version\":\"\xc3\x28\"}",
    ];
    for bytes in binary {
        assert_eq!(rejected(bytes), ("INVALID_PROPOSALS", vec![]), "{bytes:?}");
    }
    assert_eq!(codes_of(b"\xff\xfe{}"), ["NOT_UTF8"]);
}

#[test]
fn b09_broken_json_is_invalid() {
    let broken = [
        "not json",
        r#"{"schema_version":"m1.0""#,
        "[1, 2",
        "{'schema_version':'m1.0'}",
        r#"{"schema_version":"m1.0",}"#,
        "undefined",
        "NaN",
        "Infinity",
        "-Infinity",
        " ",
        "\n",
        r#""\ud800""#,
        "1e999",
    ];
    for text in broken {
        assert_eq!(codes_of(text.as_bytes()), ["NOT_JSON"], "{text}");
    }
}

/// Duplicate keys, NaN inside, a byte order mark, trailing bytes: the source leaves them open, resolution 3.4.12 refuses them.
#[test]
fn b09_json_that_parsers_disagree_about_is_invalid() {
    let good = set_of(vec![status_of_alpha()]).to_string();
    assert!(proposal_set::read(good.as_bytes()).is_ok());
    assert!(proposal_set::read(format!(" {good}\r\n\t").as_bytes()).is_ok());

    let marked = format!("\u{feff}{good}");
    let trailing = [
        format!("{good}{good}"),
        format!("{good}\0"),
        format!("{good},"),
    ];
    let not_a_number = good.replace(r#""raw":"""#, r#""raw":NaN"#);
    for text in trailing.iter().chain([&marked, &not_a_number]) {
        assert_eq!(codes_of(text.as_bytes()), ["NOT_JSON"], "{text}");
    }

    let at_root = good.replacen('{', r#"{"proposals":[],"#, 1);
    let inside = good.replace(r#""target":"alpha""#, r#""target":"beta","target":"alpha""#);
    let escaped = good.replace(
        r#""target":"alpha""#,
        r#""target":"alpha","t\u0061rget":"alpha""#,
    );
    for text in [at_root, inside, escaped] {
        assert_eq!(codes_of(text.as_bytes()), ["DUPLICATE_KEY"], "{text}");
    }
}

/// Limits of resolution 3.4.12.
#[test]
fn b09_json_that_is_too_deep_or_too_large_is_invalid() {
    let nested = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
    assert_eq!(codes_of(nested(32).as_bytes()), ["PROPOSAL_SET_NOT_OBJECT"]);
    assert_eq!(codes_of(nested(33).as_bytes()), ["TOO_DEEP:max=32"]);
    assert_eq!(
        codes_of("[".repeat(1 << 19).as_bytes()),
        ["TOO_DEEP:max=32"]
    );
    let objects = format!("{}1{}", r#"{"a":"#.repeat(33), "}".repeat(33));
    assert_eq!(codes_of(objects.as_bytes()), ["TOO_DEEP:max=32"]);

    let mut set = bytes_of(&set_of(vec![status_of_alpha()]));
    set.resize(1024 * 1024, b' ');
    assert!(proposal_set::read(&set).is_ok());
    set.push(b' ');
    assert_eq!(codes_of(&set), ["TOO_LARGE:max=1048576"]);
}

#[test]
fn b10_a_root_that_is_no_object_is_invalid() {
    for root in [
        json!([]),
        json!([set_of(vec![])]),
        json!("text"),
        json!(7),
        json!(-0.5),
        json!(null),
        json!(true),
    ] {
        assert_eq!(codes(&root), ["PROPOSAL_SET_NOT_OBJECT"], "{root}");
        // The schema alone, without the builder before it, has a separate code.
        assert_eq!(
            proposal_set::validate(&root).unwrap_err().errors,
            ["ROOT_NOT_OBJECT"]
        );
    }
}

#[test]
fn what_is_read_is_what_was_written() {
    let value = json!({ "b": [null, true, -3, 4.5, "ü\n\"\\"], "a": { "z": 1, "y": {} } });
    assert_eq!(
        json::read(json::pretty(value.clone()).as_bytes()),
        Ok(value.clone())
    );
    assert_eq!(json::read(json::line(value.clone()).as_bytes()), Ok(value));
    assert_eq!(json::read(b"{} x"), Err(Unreadable::NotJson));
}

#[test]
fn what_is_written_has_sorted_keys_two_spaces_and_a_newline() {
    let value = json!({ "b": { "d": [], "c": {} }, "a": [1] });
    let pretty = "{\n  \"a\": [\n    1\n  ],\n  \"b\": {\n    \"c\": {},\n    \"d\": []\n  }\n}\n";
    assert_eq!(json::pretty(value.clone()), pretty);
    assert_eq!(json::line(value), "{\"a\":[1],\"b\":{\"c\":{},\"d\":[]}}\n");
}
