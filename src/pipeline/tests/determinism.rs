//! Same inputs, same bytes; and what is kept of runs (contract rows P2, P4, P5, G9).

use super::WIZARD;
use crate::base::Digest;
use crate::base::Id;
use crate::base::WorldSeed;
use crate::engine::EngineEvent;
use crate::engine::ScriptedEngine;
use crate::events::RunEnded;
use crate::id;
use crate::pipeline::{AttemptLog, Outcome, PromptBudget, Run, RunHistory, Runs, StateSnapshot};
use crate::testing::{FnEngine, ManualEngine, TestGame};
use crate::world::{
    DisplayName, GameWrite, Kind, Location, PlacedIn, Placement, WorldFacts, WorldFlags, WorldId,
    WorldIndex,
};
use bevy::prelude::*;
use std::collections::BTreeMap;

const THINGS: [(&str, &str); 5] = [
    ("door", "door"),
    ("key", "item"),
    ("chest", "item"),
    ("lamp", "item"),
    ("zebra", "animal"),
];

fn guard(id: &str) -> String {
    format!(
        r#"(id: "{id}", name: "Guard {id}", location: "tower",
            constraints: [(id: "z", kind: Prohibition, severity: Soft, patterns: ["zz"]), (id: "a", kind: Prohibition, severity: Soft, patterns: ["aa"])],
            memories: [(id: "m1", text: "The lamp fell.", age_seconds: 60.0), (id: "m2", text: "The door creaked.", age_seconds: 60.0)],
            beliefs: [(id: "b1", text: "Lamps are safe."), (id: "b2", text: "Doors are not.")])"#
    )
}

/// All attempts of a scene with three guards, by NPC: snapshot, seed, prompt.
fn scene(order: &[usize], reversed: bool) -> BTreeMap<String, Vec<(Digest, u64, String)>> {
    let mut game = TestGame::new(FnEngine::new(|call, _| {
        EngineEvent::whole_reply(if call < 3 { "" } else { "Well." })
    }));
    let world = game.world_mut();
    // Entities that are not judged shift all the numbers.
    if reversed {
        world.spawn_batch(vec![Name::new("noise"); 17]);
    }
    let tower = world
        .spawn((Location::default(), WorldId(id!("tower"))))
        .id();
    let ordered = |mut list: Vec<usize>| {
        if reversed {
            list.reverse();
        }
        list
    };
    for i in ordered((0..THINGS.len()).collect()) {
        let (id, kind) = THINGS[i];
        world.spawn((
            WorldId(Id::new(id).unwrap()),
            Kind(kind.into()),
            DisplayName(format!("The {id}")),
            PlacedIn(tower),
        ));
    }
    for i in ordered(vec![0, 1, 2]) {
        world
            .resource_mut::<WorldFlags>()
            .0
            .insert(format!("flag_{i}"), i == 1);
        world
            .resource_mut::<WorldFacts>()
            .0
            .insert(format!("fact_{i}"), (i as i64).into());
    }
    let ids = ["alpha", "beta", "gamma"];
    let mut guards = BTreeMap::new();
    for i in order {
        guards.insert(ids[*i], game.spawn_npc(&guard(ids[*i])));
    }
    for i in order.iter().rev() {
        game.say(guards[ids[*i]], "Is the lamp by the door?");
    }
    game.run_until_idle();
    let world = game.world_mut();
    let mut found = BTreeMap::new();
    for (run, log) in world.query::<(&Run, &AttemptLog)>().iter(world) {
        let attempts = log
            .0
            .iter()
            .map(|a| (a.snapshot, a.seed, a.prompt.to_string()));
        found.insert(run.npc().to_string(), attempts.collect());
    }
    found
}

#[test]
fn p4_snapshots_seeds_and_prompts_do_not_depend_on_any_order() {
    let one = scene(&[0, 1, 2], false);
    assert_eq!(one.len(), 3);
    assert!(one.values().all(|attempts| attempts.len() == 2));
    for (order, reversed) in [
        ([0, 1, 2], false),
        ([2, 1, 0], false),
        ([1, 2, 0], true),
        ([2, 0, 1], true),
    ] {
        assert_eq!(scene(&order, reversed), one, "{order:?} {reversed}");
    }
    let prompt = &one["alpha"][0].2;
    assert!(
        prompt.contains("The lamp")
            && prompt.contains("The lamp fell.")
            && prompt.contains("fact_2: 2")
    );
}

#[test]
fn p4_a_snapshot_depends_on_what_it_should() {
    let first = |change: fn(&mut TestGame)| {
        let mut game = TestGame::new(FnEngine::always("Well."));
        game.install_story(
            r#"(world_facts: {"weather": "rain"}, world: (locations: {"yard": (name: "Yard")}))"#,
        );
        let wizard = game.spawn_npc(&WIZARD);
        change(&mut game);
        game.talk(wizard, "Hello");
        game.attempts()[0].snapshot
    };
    let base = first(|_| {});
    assert_eq!(base, first(|_| {}));
    let changes: [fn(&mut TestGame); 6] = [
        |game| game.world_mut().resource_mut::<WorldSeed>().0 = 1,
        |game| game.advance(1),
        |game| {
            let mut facts = game.world_mut().resource_mut::<WorldFacts>();
            facts.0.insert("weather".into(), "sun".into());
        },
        |game| {
            let mut flags = game.world_mut().resource_mut::<WorldFlags>();
            flags.0.insert("night".into(), true);
        },
        |game| {
            game.world_mut().spawn(WorldId(id!("ghost")));
        },
        |game| {
            let at = Placement::In(id!("yard"));
            GameWrite::place(id!("wizard"), at)
                .apply(game.world_mut())
                .unwrap();
        },
    ];
    let mut found: Vec<Digest> = changes.into_iter().map(first).chain([base]).collect();
    found.sort_unstable();
    found.dedup();
    assert_eq!(found.len(), 7);
}

/// The world's hash in the newest run's snapshot.
fn world_hash(game: &TestGame) -> String {
    game.last_run::<StateSnapshot>().body().world.clone()
}

#[test]
fn p4_the_worlds_hash_follows_what_happens_while_nobody_talks() {
    let story = r#"(world: (locations: {"tower": (name: "Tower")}, entities: {
        "lamp": (name: "lamp", kind: "item", at: In("tower")),
        "key": (name: "key", kind: "item", at: In("tower")),
    }))"#;
    let now = |writes: &[fn(&mut World)], idle: usize| {
        let mut game = TestGame::new(FnEngine::always("Well."));
        game.install_story(story);
        let wizard = game.spawn_npc("(id: \"wizard\", location: \"tower\")");
        if idle > 0 {
            game.talk(wizard, "Hello");
        }
        for write in writes {
            write(game.world_mut());
            game.frames(idle);
        }
        game.talk(wizard, "Hello");
        world_hash(&game)
    };
    let lift: fn(&mut World) = |world| {
        let write = GameWrite::place(id!("lamp"), Placement::Offstage);
        write.apply(world).unwrap();
    };
    let vanish: fn(&mut World) = |world| {
        let key = world.resource::<WorldIndex>().get("key").unwrap();
        world.despawn(key);
    };
    for writes in [&[lift][..], &[vanish], &[vanish, lift]] {
        assert_eq!(
            now(writes, 5),
            now(writes, 0),
            "a long pause changes nothing"
        );
        assert_ne!(now(writes, 0), now(&[], 0));
    }
}

#[test]
fn p10_seeds_depend_on_world_character_interaction_and_attempt() {
    let mut seeds = Vec::new();
    for world_seed in [0, 1] {
        for id in ["alpha", "beta"] {
            let mut game = TestGame::new(ScriptedEngine::silent());
            game.world_mut().insert_resource(WorldSeed(world_seed));
            let npc = game.spawn_npc(&guard(id));
            for _ in 0..2 {
                game.talk(npc, "Hello");
                seeds.extend(game.attempts().iter().map(|a| a.seed));
            }
        }
    }
    assert!(
        seeds.iter().all(|seed| *seed < 1 << 53),
        "a JSON number holds each without loss"
    );
    let all = seeds.len();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!((all, seeds.len()), (24, 24));
}

#[test]
fn p4_what_happens_in_the_world_does_not_reach_a_frozen_snapshot() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    game.install_story(r#"(world_facts: {"weather": "rain"})"#);
    let wizard = game.spawn_npc(&WIZARD);
    game.say(wizard, "Hello");
    game.frame();
    game.world_mut()
        .resource_mut::<WorldFacts>()
        .0
        .insert("weather".into(), "sun".into());
    engine.last_call().reply("The secret.");
    game.frames(2);
    let retry = &engine.last_call().request.messages;
    assert!(retry.iter().any(|m| m.content.contains("weather: rain")));
    assert!(retry.iter().all(|m| !m.content.contains("weather: sun")));
}

#[test]
fn a_bounded_number_of_runs_is_kept() {
    let mut game = TestGame::new(FnEngine::always("Well."));
    game.world_mut().resource_mut::<RunHistory>().cap = 3;
    let wizard = game.spawn_npc(&WIZARD);
    for _ in 0..10 {
        game.talk(wizard, "Hello");
    }
    let world = game.world_mut();
    let mut kept: Vec<u64> = world.query::<&Run>().iter(world).map(Run::number).collect();
    kept.sort_unstable();
    assert_eq!(kept, [7, 8, 9]);
    assert_eq!(game.runs().len(), 3);
    assert_eq!(game.world().get::<Runs>(wizard).unwrap().iter().count(), 3);
}

#[derive(Resource, Default)]
struct Whole(Vec<bool>);

#[test]
fn every_run_is_whole_when_its_end_is_told() {
    let mut game = TestGame::new(FnEngine::always("Well."));
    game.app.init_resource::<Whole>();
    game.app.add_observer(
        |ended: On<RunEnded>, runs: Query<(&Outcome, &AttemptLog)>, mut whole: ResMut<Whole>| {
            whole.0.push(runs.contains(ended.run));
        },
    );
    let crowd: Vec<Entity> = (0..100)
        .map(|i| game.spawn_npc(&format!("(id: \"npc_{i:03}\")")))
        .collect();
    for npc in crowd {
        game.say(npc, "Hello");
    }
    game.run_until_idle();
    let whole = &game.world().resource::<Whole>().0;
    assert_eq!(whole.len(), 100);
    let missing = whole.iter().filter(|whole| !**whole).count();
    assert_eq!(missing, 0, "runs are gone before their end is told");
}

#[test]
fn runs_of_one_frame_start_in_the_order_of_their_requests() {
    let mut game = TestGame::new(FnEngine::always("Well."));
    let ids = ["c", "a", "d", "b"];
    let crowd = ids.map(|id| game.spawn_npc(&format!("(id: \"{id}\")")));
    for i in [2, 0, 3, 1] {
        game.say(crowd[i], "Hello");
    }
    game.run_until_idle();
    let world = game.world_mut();
    let mut all = world.query::<&Run>();
    let runs = all
        .iter(world)
        .map(|run| (run.number(), run.npc().to_string()));
    let mut runs: Vec<(u64, String)> = runs.collect();
    runs.sort();
    let found: Vec<&str> = runs.iter().map(|(_, id)| id.as_str()).collect();
    assert_eq!(found, ["d", "c", "b", "a"]);
}

#[test]
fn p4_an_entity_that_stays_out_of_the_world_is_not_in_its_hash() {
    let hash = |twice: bool| {
        let mut game = TestGame::new(FnEngine::always("Well."));
        game.world_mut()
            .spawn((WorldId(id!("lamp")), Kind("item".into())));
        if twice {
            game.world_mut()
                .spawn((WorldId(id!("lamp")), Kind("ghost".into())));
        }
        let wizard = game.spawn_npc(&WIZARD);
        game.talk(wizard, "Hello");
        world_hash(&game)
    };
    assert_eq!(hash(true), hash(false));
}

#[test]
fn p5_an_invalid_budget_falls_back_to_the_default() {
    let prompt = |budget: PromptBudget| {
        let mut game = TestGame::new(FnEngine::always("Well."));
        game.world_mut().insert_resource(budget);
        let wizard = game.spawn_npc(&WIZARD);
        game.talk(wizard, "Hello");
        game.attempts()[0].prompt.to_string()
    };
    let usual = prompt(PromptBudget::DEFAULT);
    for chars in [0, usize::MAX] {
        assert_eq!(
            prompt(PromptBudget {
                chars,
                ..PromptBudget::DEFAULT
            }),
            usual
        );
    }
}
