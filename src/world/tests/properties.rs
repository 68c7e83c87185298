//! Properties of the truth engine over random worlds and storms of actions (rows W2, W6, W7, W8).

use super::support::{action, turn_by, world};
use crate::base::GameTime;
use crate::base::Id;
use crate::id;
use crate::judged_world::change::apply::TurnKey;
use crate::judged_world::rulebook::affordance::tried_actions;
use crate::judged_world::rulebook::turn::Turn;
use crate::judged_world::rulebook::turn::{TurnInput, TurnKind, take_turn};
use crate::world::May;
use crate::world::TurnRecord;
use crate::world::{
    ActionRegistry, ActionRules, Placement, ProposedAction, Rulebook, WorldChange, WorldRead,
    WorldState,
};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use serde_json::{Value, json};
use std::collections::BTreeSet;

fn cases(count: u32) -> ProptestConfig {
    ProptestConfig {
        rng_seed: RngSeed::Fixed(11),
        failure_persistence: None,
        ..ProptestConfig::with_cases(count)
    }
}

const IDS: [&str; 14] = [
    "john", "mary", "bob", "key_1", "key_2", "coin", "statue", "door_1", "box", "hall", "cellar",
    "vault", "nobody", "it",
];

fn id() -> impl Strategy<Value = &'static str> {
    prop::sample::select(&IDS[..])
}

/// Any action, sensible or not, with fields that it may not have.
fn any_action() -> impl Strategy<Value = ProposedAction> {
    const KINDS: [&str; 11] = [
        "move",
        "take",
        "drop",
        "give",
        "open",
        "close",
        "use",
        "speak",
        "introduce",
        "describe",
        "fly",
    ];
    let fields = prop::collection::btree_map(
        prop::sample::select(&["target", "tool", "to", "content", "name", "kind", "actor"][..]),
        prop_oneof![8 => id().prop_map(|id| json!(id)), 1 => Just(json!(null)), 1 => Just(json!(7))],
        0..4,
    );
    let sensible =
        (prop::sample::select(&KINDS[..]), id(), id()).prop_map(|(kind, target, other)| {
            let fields = match kind {
                "give" => json!({"target": target, "to": other}),
                "speak" => json!({"content": target}),
                "describe" => json!({"target": target, "content": other}),
                "introduce" if target.starts_with('k') => {
                    json!({"name": format!("{target} {other}")})
                }
                _ => json!({"target": target}),
            };
            action(kind, fields)
        });
    let wild =
        (prop::sample::select(&KINDS[..]), fields).prop_map(|(kind, fields)| ProposedAction {
            kind: kind.to_owned(),
            fields: fields.into_iter().map(|(k, v)| (k.to_owned(), v)).collect(),
            ..ProposedAction::default()
        });
    prop_oneof![4 => sensible, 1 => wild]
}

#[derive(Debug, Clone)]
struct Storm(Vec<(bool, &'static str, Vec<ProposedAction>)>);

fn storm() -> impl Strategy<Value = Storm> {
    let turn = (
        any::<bool>(),
        prop::sample::select(&["john", "mary", "bob", "nobody"][..]),
        prop::collection::vec(any_action(), 0..5),
    );
    prop::collection::vec(turn, 1..25).prop_map(Storm)
}

fn inputs(storm: &Storm) -> Vec<TurnInput> {
    let turns = storm.0.iter().enumerate();
    turns
        .map(|(i, (typed, actor, actions))| TurnInput {
            id: i as u64 + 1,
            kind: if *typed { TurnKind::Do } else { TurnKind::Act },
            actor: Id::new(actor).unwrap(),
            text: None,
            parsed: actions.clone(),
        })
        .collect()
}

fn play(inputs: Vec<TurnInput>) -> (WorldState, Vec<TurnRecord>) {
    let mut world = world();
    let registry = ActionRegistry::default();
    let records = inputs
        .into_iter()
        .map(|input| turn_by(&mut world, Rulebook::shipped(), &registry, input))
        .collect();
    (world, records)
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn w7_storms_keep_the_world_sane(storm in storm()) {
        let (after, records) = play(inputs(&storm));
        let before = world();
        let spawned: usize = records
            .iter()
            .flat_map(|record| &record.changes)
            .filter(|change| matches!(change.change(), WorldChange::Spawn { .. }))
            .count();
        prop_assert_eq!(after.entities.len(), before.entities.len() + spawned);
        prop_assert_eq!(&after.locations, &before.locations);
        for (id, entity) in &after.entities {
            // Each entity is in one place, and that place is there.
            let holders = after
                .entities
                .keys()
                .chain(after.locations.keys())
                .filter(|holder| after.contents(holder).contains(id))
                .count();
            match &entity.at {
                Placement::In(place) => prop_assert!(after.locations.contains_key(place)),
                Placement::CarriedBy(holder) => prop_assert!(after.entities.contains_key(holder)),
                Placement::Offstage => {}
            }
            prop_assert_eq!(holders, usize::from(entity.at != Placement::Offstage));
            // No actor ends up inside what it carries.
            let mut above = id.clone();
            for _ in 0..after.entities.len() {
                match after.placement(&above) {
                    Some(Placement::CarriedBy(holder)) => above = holder,
                    _ => break,
                }
                prop_assert_ne!(&above, id);
            }
        }
        for record in &records {
            // Every action is answered; words that ask for nothing are, too.
            let asked = record.parsed.len().max(usize::from(record.kind == TurnKind::Act));
            prop_assert_eq!(record.actions.len() + record.rejected.len(), asked);
        }
    }

    #[test]
    fn w8_a_trace_replays_to_the_same_world(storm in storm()) {
        let (after, records) = play(inputs(&storm));
        // From what the records say was asked, and from what they say was changed.
        let asked = records.iter().map(|record| TurnInput {
            id: record.id,
            kind: record.kind,
            actor: record.actor.clone(),
            text: record.text.clone(),
            parsed: record.parsed.clone(),
        });
        let (again, same) = play(asked.collect());
        prop_assert_eq!(again.digest(), after.digest());
        prop_assert_eq!(&same, &records);
        let mut installed = world();
        for record in &records {
            installed.install(&record.changes);
        }
        prop_assert_eq!(installed.digest(), after.digest());
    }

    #[test]
    fn w2_judging_never_writes_and_what_is_denied_changes_nothing(storm in storm()) {
        let registry = ActionRegistry::default();
        let rules = ActionRules { book: Rulebook::shipped(), registry: &registry, now: GameTime(0), max_introduced: 64, lexicon: crate::text::Lexicon::english() };
        let mut world = world();
        for record in play(inputs(&storm)).1 {
            let before = world.digest();
            // The same turn without the actions that were denied makes the same changes.
            let key = TurnKey { seed: 3, keys: vec!["t".to_owned()] };
            let mut all = Turn::new(rules, key.clone(), &world, Vec::new());
            let allowed: Vec<_> = record
                .actions
                .iter()
                .filter(|action| all.apply(&action.intent).is_ok())
                .map(|action| &action.intent)
                .collect();
            let changes = all.into_changes();
            // Judging and applying on a copy leave the world itself as it was.
            prop_assert_eq!(world.digest(), before);
            let mut few = Turn::new(rules, key, &world, Vec::new());
            for intent in allowed {
                prop_assert!(few.apply(intent).is_ok());
            }
            prop_assert_eq!(few.into_changes(), changes.clone());
            world.install(&changes);
        }
    }

    #[test]
    fn w6_what_is_offered_is_accepted_and_what_is_accepted_is_offered(storm in storm()) {
        let (world, _) = play(inputs(&storm));
        let registry = ActionRegistry::default();
        let rules = ActionRules { book: Rulebook::shipped(), registry: &registry, now: GameTime(0), max_introduced: 64, lexicon: crate::text::Lexicon::english() };
        for actor in &[id!("john"), id!("mary"), id!("bob")] {
            let offered = rules.affordances(&world, actor, May::All);
            // What is tried and allowed is what is offered, and what is denied names the check.
            let tried = tried_actions(&rules, &world, actor, May::All);
            for tried in tried.iter().filter(|tried| !tried.judgement.is_ok()) {
                prop_assert!(tried.judgement.rule.is_some() && !tried.judgement.message.is_empty());
            }
            let allowed: BTreeSet<_> = tried
                .into_iter()
                .filter(|tried| tried.judgement.is_ok())
                .map(|tried| (tried.action, tried.references.into_iter().map(|(_, id)| id).collect::<Vec<_>>()))
                .collect();
            let named: BTreeSet<_> = offered
                .iter()
                .flat_map(|offer| offer.combinations.iter().map(|ids| {
                    (offer.action, ids.iter().flatten().cloned().collect::<Vec<_>>())
                }))
                .collect();
            prop_assert_eq!(allowed, named);
            for affordance in &offered {
                for schema in affordance.schemas() {
                    for drawn in draw_all(&schema) {
                        let mut turn = Turn::new(rules, TurnKey::default(), &world, Vec::new());
                        let intent = turn.normalise(&drawn, actor, May::All, &[]);
                        prop_assert!(intent.is_ok(), "{} {:?}: {:?}", actor, drawn, intent);
                        let judged = turn.apply(&intent.unwrap());
                        prop_assert!(judged.is_ok(), "{} {:?}: {:?}", actor, drawn, judged);
                    }
                }
            }
            // Every action with one reference that the rulebook allows is offered.
            for kind in ["move", "take", "drop", "open", "close"] {
                for id in world.entities.keys().chain(world.locations.keys()) {
                    let action = action(kind, json!({"target": id}));
                    let input = TurnInput {
                        id: 1, kind: TurnKind::Do, actor: actor.clone(), text: None, parsed: vec![action],
                    };
                    let record = take_turn(&rules, TurnKey::default(), &world, input, &mut Vec::new());
                    let named = offered.iter().any(|a| {
                        a.action == kind && a.combinations.iter().any(|action| action[0].as_ref() == Some(id))
                    });
                    prop_assert_eq!(record.actions[0].judgement.is_ok(), named, "{} {} {}", actor, kind, id);
                }
            }
        }
    }
}

/// Every action that a schema of one intent accepts, with one text where words are free.
fn draw_all(schema: &Value) -> Vec<ProposedAction> {
    let properties = schema["properties"].as_object().unwrap();
    let required = schema["required"].as_array().unwrap();
    let mut drawn = vec![ProposedAction::default()];
    for (name, property) in properties {
        let mut choices: Vec<Option<Value>> = Vec::new();
        if !required.contains(&json!(name)) {
            choices.push(None);
        }
        if let Some(constant) = property.get("const") {
            choices.push(Some(constant.clone()));
        } else if let Some(ids) = property.get("enum") {
            choices.extend(ids.as_array().unwrap().iter().cloned().map(Some));
        } else if name == "attributes" {
            choices.extend([None, Some(json!({"takeable": true}))]);
        } else {
            let text = if name == "kind" {
                "cat"
            } else {
                "Somebody Else"
            };
            choices.push(Some(json!(text)));
        }
        drawn = drawn
            .iter()
            .flat_map(|begun| {
                choices.iter().map(move |choice| {
                    let mut next = begun.clone();
                    match choice {
                        Some(kind) if name == "type" => {
                            next.kind = kind.as_str().unwrap().to_owned()
                        }
                        Some(value) => {
                            next.fields.insert(name.clone(), value.clone());
                        }
                        None => {}
                    }
                    next
                })
            })
            .collect();
    }
    drawn
}
