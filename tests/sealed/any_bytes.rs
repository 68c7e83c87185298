//! For any bytes from an engine there is a decision, the artifact is valid, and a second run gives the same.

use crate::demo::artifact::artifact;
use crate::demo::artifact_rules;
use crate::demo::decide::decide;
use crate::demo::gateway::{Admission, admit};
use crate::support::{bytes_of, route, set_of, status_of_alpha, transition};
use proptest::prelude::*;
use serde_json::{Value, json};

fn holds(bytes: &[u8]) -> Result<(), TestCaseError> {
    let judgement = decide(bytes);
    let made = artifact("run_any", bytes);
    prop_assert_eq!(&made, &artifact("run_any", bytes));
    let Ok(made) = made else {
        return Err(TestCaseError::fail(format!("no artifact: {made:?}")));
    };
    prop_assert_eq!(artifact_rules::read(&made), Ok(judgement.decision.clone()));
    prop_assert_eq!(&judgement, &decide(bytes));
    let admitted = matches!(admit(&made), Ok(Admission::Accepted(_)));
    prop_assert_eq!(admitted, judgement.decision.word() == "ACCEPT");
    Ok(())
}

/// Small JSON made of the schema's words, so that it is almost valid.
fn near_json() -> impl Strategy<Value = Value> {
    let word = prop::sample::select(vec![
        "m1.0",
        "ROUTE_CANDIDATE",
        "STATE_TRANSITION_REQUEST",
        "STATUS_QUERY",
        "STOP_SUBSYSTEM",
        "alpha",
        "graceful",
        "create_payment",
        "pack_order",
        "",
    ]);
    let name = prop::sample::select(vec![
        "schema_version",
        "input",
        "raw",
        "proposals",
        "errors",
        "kind",
        "payload",
        "intent",
        "slots",
        "target",
        "mode",
        "event_token",
        "other",
    ]);
    let leaf = prop_oneof![
        word.prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        "\\PC{0,300}".prop_map(Value::from),
        Just(Value::Null),
    ];
    leaf.prop_recursive(5, 40, 10, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..10).prop_map(Value::from),
            prop::collection::vec((name.clone(), inner), 0..6).prop_map(|fields| {
                let fields = fields
                    .into_iter()
                    .map(|(name, value)| (name.to_owned(), value));
                Value::Object(fields.collect())
            }),
        ]
    })
}

fn near_proposal() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(status_of_alpha()),
        "\\PC{0,20}|create_payment|cancel_order".prop_map(|token| transition(&token)),
        near_json().prop_map(|slots| route("STATUS_QUERY", slots)),
        near_json(),
    ]
}

proptest! {
    #[test]
    fn any_bytes_get_a_valid_artifact(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        holds(&bytes)?;
    }

    #[test]
    fn any_json_gets_a_valid_artifact(value in near_json()) {
        holds(&bytes_of(&value))?;
    }

    #[test]
    fn any_proposals_get_a_valid_artifact(
        proposals in prop::collection::vec(near_proposal(), 0..11),
        raw in near_json(),
        errors in prop::option::of(near_json()),
    ) {
        let mut set = set_of(proposals);
        set["input"] = json!({ "raw": raw });
        if let Some(errors) = errors {
            set["errors"] = errors;
        }
        holds(&bytes_of(&set))?;
    }

    #[test]
    fn any_cut_and_any_flipped_byte_gets_a_valid_artifact(at in any::<prop::sample::Index>(), with in any::<u8>()) {
        let good = bytes_of(&set_of(vec![status_of_alpha()]));
        let at = at.index(good.len());
        holds(&good[..at])?;
        let mut flipped = good;
        flipped[at] ^= with;
        holds(&flipped)?;
    }
}
