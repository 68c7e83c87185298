//! A replay detects every change of a recording and names what was changed (contract row J4).

use super::changes::*;
use super::concurrency;
use bevy::prelude::*;
use bevy_dramatis::authoring::{NoFiles, StoryBook};
use bevy_dramatis::base::GameTime;
use bevy_dramatis::journal::{Record, RecordKind, Recording, ReplayError};
use bevy_dramatis::memory::Mind;
use bevy_dramatis::npc::LoadedCharacter;
use bevy_dramatis::pipeline::PromptBudget;
use bevy_dramatis::plugin::PipelineSystems;
use bevy_dramatis::replay::replay;
use bevy_dramatis::scenario::{Scenario, record};
use bevy_dramatis::story::ActiveStory;
use bevy_dramatis::testing::change_mind;
use bevy_dramatis::world::{ActionRegistry, WorldFlags};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Words, retries, memories, actions of two characters and of the player; a cancelled run, one with a character that leaves, a refused
/// request; writes before and during runs.
const HALL: &str = r##"Scenario(
    name: "a busy hall",
    seed: 7,
    policy: Custom((max_attempts: 2, escalation: Full)),
    world: (
        locations: {"hall": (name: "the hall", connected_to: ["cellar"]), "cellar": (name: "cellar", connected_to: ["hall"])},
        entities: {
            "player": (name: "Ann", kind: "character", at: In("hall")),
            "guard": (name: "Bram", kind: "character", at: In("hall")),
            "mira": (name: "Mira", kind: "character", at: In("hall")),
            "key": (name: "brass key", kind: "item", at: In("hall"), attributes: {"takeable": true}),
            "box": (name: "box", kind: "item", at: In("hall"), attributes: {"openable": true}),
        },
    ),
    canon: [(id: "sky", text: "The sky is blue")],
    world_facts: {"weather": "rain"},
    npcs: [
        (
            id: "guard", name: "Bram", location: "hall", persona: "A guard.", forbidden: ["assassin*"],
            hidden: [(topic: "crown*", until: Flag("crowned"))],
            constraints: [
                (id: "no_secret", kind: Prohibition, severity: Hard, patterns: ["secret"]),
                (id: "ask_name", kind: Requirement, severity: Soft, patterns: ["who"]),
            ],
            memories: [(id: "m1", text: "Ann brought bread.", significance: 0.8, age_seconds: 60.0)],
            beliefs: [(id: "b1", text: "Ann is kind.", confidence: 0.6)],
            fallbacks: (generic: ["Hm.", "Move along."], thinking: ["Let me see."]),
        ),
        (id: "mira", name: "Mira", location: "hall", may: ["take", "give"], fallbacks: (generic: ["..."])),
    ],
    replies: [
        Say("It is a secret."),
        Say(r#"{"dialogue": "Who asks for bread?", "mutations": [
            {"type": "AppendEpisodic", "content": "Ann asked for bread."},
            {"type": "AppendEpisodic", "content": "Ann asked for an assassin."},
            {"type": "TransformRelationship", "target": "player", "content": "liked", "affinity": 0.1}
        ], "intents": [{"type": "open", "target": "box"}]}"#),
        Say(r#"{"dialogue": "Mine!", "intents": [{"type": "take", "target": "the moon"}]}"#),
        Say(r#"{"dialogue": "Mine now!", "intents": [{"type": "take", "target": "key"}]}"#),
        Say("Too late."),
        Say("Gone."),
    ],
    steps: [
        SetFlag(name: "night", value: true),
        Say(to: "guard", text: "Have you any bread?", while_waiting: [SetWorldFact(key: "weather", value: "sun")]),
        Say(to: "nobody", text: "Hello?"),
        Say(to: "mira", text: "Take it.", while_waiting: [
            Advance(seconds: 3.0),
            SetAttribute(entity: "box", name: "locked", value: true),
        ]),
        Act(actor: "player", text: "take the key and close the box"),
        Do(actor: "player", actions: [Move(target: "cellar"), Take(target: "key")]),
        Say(to: "guard", text: "Hello?", while_waiting: [Place(entity: "box", at: In("cellar")), Cancel(npc: "guard")]),
        Say(to: "mira", text: "Hello?", while_waiting: [Despawn(npc: "mira")]),
    ],
)"##;

/// Every fault of an engine, a missed deadline, and settings, minds, stories and a character that the game changes.
const FAULTS: &str = r#"Scenario(
    name: "nothing works",
    policy: Custom((max_attempts: 2)),
    world: (locations: {"hall": (name: "the hall")}),
    npcs: [
        (id: "guard", location: "hall", fallbacks: (generic: ["Hm."]),
         constraints: [(id: "no_secret", kind: Prohibition, severity: Hard, patterns: ["secret"])]),
        (id: "mira", location: "hall"),
    ],
    replies: [
        Fail((kind: Timeout)), Fail((kind: NotUtf8)),
        Say("One."), Say("Two."),
        Reply((text: "A secret.", delay_seconds: 20.0)), Reply((text: "A stone.", delay_seconds: 20.0)),
        Reply((chunks: ["Th", "ree."])),
    ],
    steps: [
        Say(to: "guard", text: "Hello?"),
        SetFlag(name: "mind", value: true),
        Say(to: "guard", text: "Hello?", while_waiting: [SetFlag(name: "settings", value: true)]),
        SetFlag(name: "story", value: true),
        SetFlag(name: "persona", value: true),
        Say(to: "guard", text: "Hello?", while_waiting: [SetFlag(name: "persona", value: false)]),
        Say(to: "guard", text: "Hello?"),
        Advance(seconds: 1.0),
        Say(to: "mira", text: "Hello?"),
    ],
)"#;

/// What the game does on its own when a flag is set.
fn meddle(world: &mut World, mut done: Local<BTreeSet<&'static str>>) {
    let flags = world.resource::<WorldFlags>().0.clone();
    let mut due = |flag| flags.contains_key(flag) && done.insert(flag);
    if due("mind") {
        let mut minds = world.query_filtered::<Entity, With<Mind>>();
        let minds: Vec<Entity> = minds.iter(world).collect();
        for npc in minds {
            change_mind(world, npc, |mind| mind.interactions += 10);
        }
    }
    if due("settings") {
        world.insert_resource(PromptBudget::MINIMAL);
    }
    if due("story") {
        let source =
            r#"(world_facts: {"weather": "fog"}, canon: [(id: "sea", text: "The sea is deep")])"#;
        let registry = ActionRegistry::default();
        let book =
            StoryBook::parse(source.as_bytes(), "new.story.ron", &NoFiles, &registry).unwrap();
        world.insert_resource(ActiveStory(Arc::new(book)));
    }
    if due("persona") {
        let source =
            r#"(id: "guard", name: "Old Bram", location: "hall", fallbacks: (generic: ["Hrm."]))"#;
        let persona = LoadedCharacter::from_ron(source).unwrap();
        let mut guards = world.query::<(Entity, &LoadedCharacter)>();
        let guard = guards
            .iter(world)
            .find(|(_, persona)| persona.0.id == "guard");
        let guard = guard.map(|(entity, _)| entity).unwrap();
        world.entity_mut(guard).insert(persona);
    }
}

fn scene(source: &str) -> Recording {
    let registry = ActionRegistry::default();
    let scenario =
        Scenario::parse(source.as_bytes(), "a.scenario.ron", &NoFiles, &registry).unwrap();
    let (_, recording) = record(&scenario, &|app| {
        app.add_systems(Update, meddle.before(PipelineSystems::Interaction));
    });
    recording
}

fn nothing(_: &mut App) {}

/// The recordings that the test changes, each with what its replay needs.
fn recordings() -> Vec<(Recording, fn(&mut App))> {
    vec![
        (scene(HALL), nothing),
        (scene(FAULTS), nothing),
        (concurrency::recorded(1, 24), concurrency::configure),
    ]
}

/// The first error of a replay: which record, and which field, if it names one.
fn first_said(recording: &Recording, configure: fn(&mut App)) -> Option<(u64, Option<String>)> {
    match replay(recording, &configure) {
        Ok(report) => {
            let first = report.divergences.first();
            assert_eq!(first.is_none(), report.holds(), "{report:?}");
            first.map(|first| (first.seq, Some(first.field.clone())))
        }
        Err(ReplayError::NoCheckpoint) => Some((1, None)),
        Err(ReplayError::Missing(seq) | ReplayError::Asset { seq, .. }) => Some((seq, None)),
        Err(ReplayError::Unreadable { seq, field, .. }) => Some((seq, Some(format!("/{field}")))),
        Err(error) => panic!("{error}"),
    }
}

type Case = (usize, Recording, u64, Vec<String>, String);

/// Plays every case and lists those whose change the replay did not name.
fn unnoticed(recordings: &[(Recording, fn(&mut App))], cases: &[Case]) -> Vec<String> {
    let check = |(which, changed, seq, fields, what): &Case| {
        let said = first_said(changed, recordings[*which].1);
        let named = said.as_ref().is_some_and(|(found, field)| {
            found == seq
                && field
                    .as_ref()
                    .is_none_or(|field| fields.is_empty() || fields.contains(field))
        });
        (!named)
            .then(|| format!("recording {which}, record {seq}: {what}: {said:?}, not {fields:?}"))
    };
    let half = cases.len().div_ceil(2);
    std::thread::scope(|scope| {
        let parts = cases.chunks(half.max(1));
        let threads: Vec<_> = parts
            .map(|part| scope.spawn(move || part.iter().filter_map(check).collect::<Vec<_>>()))
            .collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap())
            .collect()
    })
}

fn assert_all_noticed(recordings: &[(Recording, fn(&mut App))], cases: &[Case]) {
    let wrong = unnoticed(recordings, cases);
    let shown = wrong[..wrong.len().min(25)].join("\n");
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{shown}",
        wrong.len(),
        cases.len()
    );
}

#[test]
fn j4_whatever_is_changed_in_a_record_is_named() {
    let recordings = recordings();
    let mut kinds = BTreeSet::new();
    let mut cases: Vec<Case> = Vec::new();
    for (which, (recording, configure)) in recordings.iter().enumerate() {
        let report = replay(recording, configure).unwrap();
        assert!(
            report.holds() && report.skipped.is_empty(),
            "{which}: {report:?}"
        );
        for record in &recording.records {
            kinds.insert(record.kind);
            for change in chosen(record) {
                let mut changed = recording.clone();
                let index = usize::try_from(record.seq).unwrap() - 1;
                change.make(&mut changed.records[index].body);
                assert_ne!(changed.records[index], *record);
                let what = format!("{:?} of {:?}", change.how, change.path);
                cases.push((which, changed, record.seq, change.named(record), what));
            }
        }
    }
    assert_eq!(kinds.len(), 11, "every kind of record comes up: {kinds:?}");
    assert!(cases.len() > 600, "{}", cases.len());
    assert_all_noticed(&recordings, &cases);
}

#[test]
fn j4_whatever_is_changed_beside_a_body_is_named() {
    let recordings = recordings();
    let mut cases: Vec<Case> = Vec::new();
    for (which, (recording, _)) in recordings.iter().enumerate() {
        for record in &recording.records {
            let index = usize::try_from(record.seq).unwrap() - 1;
            let mut add = |what: &str, seq: u64, change: &dyn Fn(&mut Vec<Record>)| {
                let mut changed = recording.clone();
                change(&mut changed.records);
                let fields = vec![format!("/{what}")];
                cases.push((which, changed, seq, fields, format!("another {what}")));
            };
            add("seq", record.seq, &|records| records[index].seq += 1);
            add("game", record.seq, &|records| {
                records[index].game = GameTime(-7)
            });
            add("subject", record.seq, &|records| {
                let other = match record.subject {
                    Some(_) => None,
                    None => Some("guard".to_owned()),
                };
                records[index].subject = other;
            });
            let other = match record.kind {
                RecordKind::Mind => RecordKind::Left,
                _ => RecordKind::Mind,
            };
            add("kind", record.seq, &|records| records[index].kind = other);
            // The last record may be missing: a recording can end anywhere.
            if index + 1 < recording.records.len() {
                add("seq", record.seq, &|records| drop(records.remove(index)));
                add("seq", record.seq, &|records| records.swap(index, index + 1));
            }
            add("seq", record.seq + 1, &|records| {
                records.insert(index, record.clone())
            });
        }
    }
    assert!(cases.len() > 300, "{}", cases.len());
    assert_all_noticed(&recordings, &cases);
}

#[test]
fn j4_a_source_that_is_not_what_was_recorded_is_not_used() {
    let recordings = recordings();
    let mut cases: Vec<Case> = Vec::new();
    for (which, (recording, _)) in recordings.iter().enumerate() {
        for hash in recording.assets.keys() {
            let names_it = |record: &&Record| record.encoded().contains(hash.as_str());
            let seq = recording.records.iter().find(names_it).unwrap().seq;
            let mut add = |what: &str, change: &dyn Fn(&mut Recording)| {
                let mut changed = recording.clone();
                change(&mut changed);
                cases.push((which, changed, seq, Vec::new(), format!("{what} of {hash}")));
            };
            add("the text", &|changed| {
                changed.assets.get_mut(hash).unwrap().text.push(' ');
            });
            add("the file", &|changed| {
                changed.assets.get_mut(hash).unwrap().file.push('x');
            });
            add("all", &|changed| drop(changed.assets.remove(hash)));
        }
    }
    assert!(cases.len() > 20, "{}", cases.len());
    assert_all_noticed(&recordings, &cases);
}

/// A recording must not lack anything: neither an output nor an input nor a seal.
#[test]
fn j4_each_record_has_all_of_its_fields_and_a_seal_for_each_input() {
    let mut fields = BTreeSet::new();
    for (recording, _) in recordings() {
        for record in &recording.records {
            assert_eq!(record.broken_seal(), None);
            let known: BTreeSet<&str> = record.body.keys().map(String::as_str).collect();
            for field in record.kind.outputs() {
                assert!(known.contains(field), "{field} of {}", record.kind.name());
                fields.insert((record.kind, *field));
            }
            for field in record.kind.inputs() {
                let mut bare = record.clone();
                bare.body.remove(*field);
                bare.body["seals"].as_object_mut().unwrap().remove(*field);
                assert_eq!(bare.broken_seal().as_deref(), Some(*field));
                fields.insert((record.kind, *field));
            }
        }
    }
    let kinds = fields.iter().map(|(kind, _)| *kind);
    assert_eq!(kinds.collect::<BTreeSet<_>>().len(), 11, "{fields:?}");
}
