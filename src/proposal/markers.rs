//! The contents of a marker.
//!
//! Rulings: for a built-in action the pairs are those of its own fields and `actor`; an action that a game may have registered
//! takes a pair of any name, because only the normaliser knows its fields. `speak` has no target, so all its bare words are
//! content. Where a pair has named the target, the first bare word begins the content. A key that is given twice is malformed. A
//! comma or semicolon after a bare value does not belong to it.

use super::marker::{Marker, MarkerKind};
use super::marker_words::MarkerWords;
use super::mutation::{self, ProposedMutation};
use super::mutation_kind::MutationKind;
use super::proposed::Proposal;
use crate::judged_world::action::{ProposedAction, action_key};
use serde_json::Value;
use std::collections::BTreeSet;

/// Adds what a marker proposes. One that cannot be read is added as malformed.
pub(super) fn read(marker: &Marker, proposal: &mut Proposal) {
    let mut words = MarkerWords(&marker.rest);
    match marker.kind {
        MarkerKind::Action => proposal.intents.push(action(words)),
        MarkerKind::Memory => proposal.mutations.push(propose(
            MutationKind::AppendEpisodic.to_string(),
            &["significance"],
            words,
        )),
        MarkerKind::Belief => proposal.mutations.push(propose(
            MutationKind::TransformBelief.to_string(),
            &["id", "confidence"],
            words,
        )),
        MarkerKind::Mutation => {
            let kind = words.word().unwrap_or_default();
            if MutationKind::from_name(&kind) == Some(MutationKind::EmitWorldIntent) {
                // What follows is the intent: `type=open target=door_1`, or as in an INTENT marker.
                let first = words.pair(Some(&["target"]));
                let mut intent = action(words);
                if let Some((key, value)) = first {
                    intent.put(key, value);
                }
                let target = intent.fields.get("target").and_then(Value::as_str);
                proposal.intents.push(ProposedAction {
                    emit_target: target.map(str::to_owned),
                    ..intent
                });
            } else {
                let keys: Vec<&str> = mutation::fields(MutationKind::from_name(&kind)).collect();
                proposal.mutations.push(propose(kind, &keys, words));
            }
        }
    }
}

/// The fields of a built-in action; `None` for one that is not built in.
fn action_keys(kind: &str) -> Option<&'static [&'static str]> {
    Some(match kind {
        "move" | "take" | "drop" | "close" => &["target", "actor"],
        "give" => &["target", "to", "actor"],
        "open" | "use" => &["target", "tool", "actor"],
        "speak" => &["content", "to", "actor"],
        "introduce" => &["target", "name", "kind", "actor"],
        "describe" => &["target", "content", "actor"],
        _ => return None,
    })
}

fn action(mut words: MarkerWords) -> ProposedAction {
    let named = words.pair(Some(&["type", "intentType"]));
    let mut action = ProposedAction {
        kind: named
            .map(|(_, kind)| kind)
            .or_else(|| words.word())
            .unwrap_or_default(),
        ..ProposedAction::default()
    };
    if action.kind.is_empty() {
        action.malformed = Some("a marker without content".to_owned());
        return action;
    }
    let kind = action_key(&action.kind);
    let keys = action_keys(&kind);
    loop {
        if let Some((key, value)) = words.pair(keys) {
            action.put(key, value);
        } else if kind == "speak" || action.fields.contains_key("target") || words.at_pair() {
            break;
        } else if let Some(word) = words.word() {
            action.put("target", word);
        } else {
            break;
        }
    }
    if let Some(content) = words.content() {
        action.put("content", content);
    }
    action
}

impl ProposedAction {
    fn put(&mut self, key: &str, value: String) {
        if self
            .fields
            .insert(key.to_owned(), Value::String(value))
            .is_some()
        {
            self.malformed = Some(format!("{key} is given twice"));
        }
    }
}

fn propose(kind: String, keys: &[&str], mut words: MarkerWords) -> ProposedMutation {
    let mut read = ProposedMutation {
        malformed: kind
            .is_empty()
            .then(|| "a marker without content".to_owned()),
        kind,
        ..ProposedMutation::default()
    };
    let mut seen = BTreeSet::new();
    while let Some((key, value)) = words.pair(Some(keys)) {
        if !seen.insert(key) {
            read.malformed = Some(format!("{key} is given twice"));
        }
        match key {
            "id" | "target" => read.target = Some(value),
            "content" => read.content = Some(value),
            _ => {
                let number = value.parse::<f64>().ok().filter(|n| n.is_finite());
                if number.is_none() {
                    read.malformed = Some(format!("{key} is no number"));
                }
                if let Some(slot) = read.number_mut(key) {
                    *slot = number;
                }
            }
        }
    }
    match (words.content(), read.content.is_some()) {
        (Some(_), true) => read.malformed = Some("content is given twice".to_owned()),
        (Some(content), false) => read.content = Some(content),
        (None, _) => {}
    }
    if read.content.as_deref().is_none_or(|c| c.trim().is_empty()) {
        read.content = None;
        read.malformed
            .get_or_insert_with(|| "a marker without content".to_owned());
    }
    read
}
