//! The canonical encoding against the one that is made of trees.

use super::*;
use crate::base::canonical::Encoded;
use crate::base::canonical::canonical_json;
use proptest::prelude::*;
use serde_json::{Value, json};

#[derive(serde::Serialize)]
struct Mixed {
    z: Option<u8>,
    a: Kind,
    m: (i64, &'static str),
    kinds: Vec<Kind>,
}

#[derive(serde::Serialize)]
enum Kind {
    Unit,
    One(u64),
    Two(u8, char),
    Named { y: bool, b: () },
}

#[test]
fn structs_and_variants_are_written_as_the_tree_would_be() {
    let kinds = vec![
        Kind::Unit,
        Kind::One(u64::MAX),
        Kind::Two(1, '"'),
        Kind::Named { y: true, b: () },
    ];
    let value = Mixed {
        z: None,
        a: Kind::Named { y: false, b: () },
        m: (i64::MIN, "a\u{1}\n\u{7f}é"),
        kinds,
    };
    let tree = serde_json::to_value(&value).unwrap();
    assert_eq!(to_canonical(&value).unwrap(), canonical_json(&tree));
}

#[test]
fn what_differs_between_platforms_is_refused() {
    assert!(to_canonical(&1.5f64).is_err());
    assert!(to_canonical(&json!({"a": 0.1})).is_err());
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..6)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn any_tree_is_written_alike(value in any_json()) {
        let text = to_canonical(&value).unwrap();
        prop_assert_eq!(&text, &canonical_json(&value));
        for hashing in [Hashing::Whole, Hashing::ByParts] {
            prop_assert_eq!(canonical_digest(&value, hashing).unwrap(), Digest::of_bytes(text.as_bytes()));
        }
    }

    #[test]
    fn a_part_stands_by_its_hash_where_it_is_hashed_by_parts(part in any_json(), other in any_json()) {
        let by = |part: &Value, hashing| {
            let part = Encoded::new(part.clone());
            // Twice: what was kept of the first time changes nothing.
            let both = [canonical_digest(&("x", &part), hashing), canonical_digest(&("x", &part), hashing)];
            both.map(Result::unwrap)
        };
        let whole = Digest::of(&json!(["x", part]));
        prop_assert_eq!(by(&part, Hashing::Whole), [whole, whole]);
        let hash = Digest::of(&part).to_hex();
        let parts = Digest::of(&json!(["x", hash]));
        prop_assert_eq!(by(&part, Hashing::ByParts), [parts, parts]);
        prop_assert_eq!(part == other, by(&part, Hashing::ByParts) == by(&other, Hashing::ByParts));
    }
}
