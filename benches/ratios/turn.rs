//! F1, F2 and F3: the cost of idle characters, of one that the player speaks to, and of a hundred that wait for an engine.

use crate::by_id::tell;
use crate::hall::{
    Ready, app, app_with_files, character, hall, hall_of, last_prompt, remember, say,
};
use crate::table::{Pair, Table, pair, ratio, timed};
use bevy::prelude::*;
use bevy_dramatis::base::Digest;
use bevy_dramatis::engine::{
    Engine, EngineCall, EngineEvent, EngineIdentity, EngineRequest, ScriptedEngine,
};
use bevy_dramatis::id;
use bevy_dramatis::npc::Request;
use bevy_dramatis::pipeline::{Delivery, DialoguePolicy, RunPolicy};
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::GameWrite;
use std::hint::black_box;
use std::time::Duration;

/// The rows of this file.
pub fn rows(table: &mut Table) {
    idle(table);
    whole_run(table);
    crowd(table);
    in_flight(table);
    sentences(table);
}

/// F1: idle characters cost nothing.
fn idle(table: &mut Table) {
    let count = table.size(10_000);
    let what = format!("an idle frame with {count} characters that remember / with none");
    let rounds = table.rounds(2_000);
    table.row("F1 idle", &what, || {
        let mut with = app_with_files(ScriptedEngine::silent());
        let mut files = with
            .world_mut()
            .resource_mut::<Assets<bevy_dramatis::authoring::CharacterAsset>>();
        let file = |i: usize| {
            let character = character(&format!("npc{i}"), 0);
            Npc(files.add(bevy_dramatis::authoring::CharacterAsset(character)))
        };
        let npcs: Vec<Npc> = (0..count).map(file).collect();
        for npc in npcs {
            with.world_mut().spawn((remember(3), npc));
        }
        with.update();
        with.update();
        let mut loaded = with.world_mut().query::<&LoadedCharacter>();
        assert_eq!(loaded.iter(with.world()).count(), count);
        let mut without = app_with_files(ScriptedEngine::silent());
        pair(rounds, || with.update(), || without.update()).row()
    });
}

/// F2: a whole run without the engine.
fn whole_run(table: &mut Table) {
    let rounds = table.rounds(2_000);
    let what = "a whole run, 1,000 memories, 100 rules / an empty frame";
    table.row("F2 run", what, || {
        let (mut game, mut empty) = (hall(Ready, 1_000, 100), app(Ready));
        say(&mut game);
        let times = pair(rounds, || say(&mut game), || empty.update());
        last_prompt(&game);
        let (ratio, text) = times.row();
        let slowest = times.p99.as_secs_f64() / times.first.as_secs_f64();
        (
            ratio,
            format!("{text}; the slowest hundredth: {slowest:.1} times the median"),
        )
    });
    table.row("F2 hash", "the same run / hashing its own prompt", || {
        let mut game = hall(Ready, 1_000, 100);
        say(&mut game);
        let prompt = last_prompt(&game);
        let times = pair(
            rounds,
            || say(&mut game),
            || {
                black_box(Digest::of_bytes(prompt.as_bytes()));
            },
        );
        let (ratio, text) = times.row();
        (ratio, format!("{text}; {} bytes", prompt.len()))
    });
    let what = "a whole run after something in sight has changed / an empty frame";
    table.row("F2 changed", what, || {
        let (mut game, mut empty) = (hall(Ready, 1_000, 100), app(Ready));
        let mut knocks = 0;
        let mut times = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            knocks += 1;
            let write = GameWrite::attribute(id!("door_1"), "knocks", knocks);
            write.apply(game.world_mut()).expect("a door");
            times.0.push(timed(|| say(&mut game)));
            times.1.push(timed(|| empty.update()));
        }
        Pair::of(times.0, times.1).row()
    });
    for (name, memories, rules) in [("F2 memories", 100_000, 100), ("F2 rules", 1_000, 1_000)] {
        let (memories, rules) = (table.size(memories), table.size(rules));
        let what = format!("a whole run, {memories} memories, {rules} rules / with 1,000 and 100");
        let rounds = table.rounds(300);
        table.row(name, &what, || {
            let (mut game, mut usual) = (hall(Ready, memories, rules), hall(Ready, 1_000, 100));
            pair(rounds, || say(&mut game), || say(&mut usual)).row()
        });
    }
}

/// A run in a cellar with 1,000 things in sight and 100 carried, against one with three.
fn crowd(table: &mut Table) {
    let rounds = table.rounds(200);
    let cellar = |things: usize, carried: usize| {
        let item = |name: String, i: usize, at: &str| {
            format!(
                "\"{name}\": (name: \"thing number {i}\", kind: \"item\", at: {at}, attributes: {{\"takeable\": true}}),"
            )
        };
        let seen = (0..things).map(|i| item(format!("thing_{i}"), i, "In(\"cellar\")"));
        let held = (0..carried).map(|i| item(format!("held_{i}"), i, "CarriedBy(\"npc\")"));
        let entities: String = seen.chain(held).collect();
        let story = format!(
            "(world: (locations: {{\"cellar\": (name: \"Cellar\")}}, entities: {{\"npc\": (name: \"Odo\", kind: \"character\", at: In(\"cellar\")), {entities}}}))"
        );
        hall_of(Ready, &story, 3, 1)
    };
    let say = |app: &mut App| {
        let request = Request::speech("player", "player", "Give me thing number 77.");
        tell(app.world_mut(), "npc", |npc| {
            npc.interact(request);
        });
        app.update();
    };
    let what = "a run among 1,000 things with 100 more carried / among three";
    table.row("F2 crowd", what, || {
        let (mut full, mut small) = (cellar(1_000, 100), cellar(2, 1));
        pair(rounds, || say(&mut full), || say(&mut small)).row()
    });
}

/// An engine that never answers.
struct Silent;

impl Engine for Silent {
    fn identity(&self) -> EngineIdentity {
        ScriptedEngine::silent().identity()
    }

    fn start(&self, _: EngineRequest) -> EngineCall {
        let (sender, receiver) = crossbeam_channel::bounded(1);
        EngineCall::new(receiver, sender)
    }
}

/// F3: 100 runs in flight.
fn in_flight(table: &mut Table) {
    let rounds = table.rounds(2_000);
    let stage = |count: usize| {
        let mut app = app(Silent);
        for i in 0..100 {
            app.world_mut().spawn((
                remember(3),
                LoadedCharacter(character(&format!("npc{i}"), 10)),
            ));
        }
        app.update();
        for i in 0..count {
            tell(app.world_mut(), &format!("npc{i}"), |npc| {
                npc.interact(Request::speech("player", "player", "Hello?"));
            });
        }
        app.update();
        app
    };
    let what = "a frame with 100 runs in flight / with none";
    table.row("F3 in flight", what, || {
        let (mut busy, mut calm) = (stage(100), stage(0));
        let times = pair(rounds, || busy.update(), || calm.update());
        let added = times.first.saturating_sub(times.second);
        let (ratio, text) = times.row();
        (ratio, format!("{text}; they added {added:.1?}"))
    });
}

/// An engine that says this many sentences.
struct Talks(usize);

impl Engine for Talks {
    fn identity(&self) -> EngineIdentity {
        ScriptedEngine::silent().identity()
    }

    fn start(&self, _: EngineRequest) -> EngineCall {
        let Self(sentences) = self;
        let line: String = (0..*sentences)
            .map(|i| format!("The rain of day {i} has been at my letters, traveller. "))
            .collect();
        let reply = format!("{{\"intents\": [], \"mutations\": [], \"dialogue\": \"{line}\"}}");
        EngineCall::ready([
            EngineEvent::Chunk(reply.into()),
            EngineEvent::Finished(Default::default()),
        ])
    }
}

/// How long an empty frame takes next to a whole run, which leaves little of the frame's data in the processor's caches, as in F2. It
/// tells how fast the machine is for which the targets are given.
pub fn empty_frame() -> Duration {
    let (mut game, mut empty) = (hall(Ready, 1_000, 100), app(Ready));
    pair(300, || say(&mut game), || empty.update()).second
}

/// P12: what it costs to judge a line sentence by sentence.
fn sentences(table: &mut Table) {
    const SENTENCES: usize = 9;
    let rounds = table.rounds(1_000);
    let what = format!("a run whose {SENTENCES} sentences are judged one by one / as a whole");
    table.row("P12 sentence", &what, || {
        let game = |delivery: Delivery| {
            let mut game = hall(Talks(SENTENCES), 1_000, 100);
            game.insert_resource(DialoguePolicy(RunPolicy::DIALOGUE.delivered(delivery)));
            say(&mut game);
            game
        };
        let (mut parts, mut whole) = (game(Delivery::Sentences), game(Delivery::Whole));
        let times = pair(
            rounds,
            || {
                say(&mut parts);
                for _ in 0..SENTENCES + 2 {
                    parts.update();
                }
            },
            || {
                say(&mut whole);
                for _ in 0..SENTENCES + 2 {
                    whole.update();
                }
            },
        );
        last_prompt(&parts);
        last_prompt(&whole);
        let added = times.first.saturating_sub(times.second);
        let each = added / u32::try_from(SENTENCES).unwrap_or(1);
        let (times_longer, text) = times.row();
        let frames = ratio(each, empty_frame());
        let text = format!("{text}; {each:.1?} a sentence, as long as {frames:.1} empty frames");
        (times_longer, text)
    });
}
