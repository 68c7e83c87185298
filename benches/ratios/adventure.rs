//! T1, T3 and T6: what a turn of an adventure costs outside of the engine, and that the cost does not grow with the history.

use crate::table::{Pair, Table, pair};
use bevy::prelude::*;
use bevy_dramatis::adventure::{
    AdventureCommandsExt, AdventureSettings, Lorebook, Message, MessageType, Owner, PlayerTurn,
    Stream,
};
use bevy_dramatis::authoring::{NoFiles, StoryBook};
use bevy_dramatis::engine::EngineEvent;
use bevy_dramatis::engine::Stage;
use bevy_dramatis::id;
use bevy_dramatis::npc::LoadedCharacter;
use bevy_dramatis::proposal::{NarrationPart, PartKind};
use bevy_dramatis::testing::{FnEngine, TestGame};
use bevy_dramatis::world::ActionRegistry;
use std::fmt::Write;

/// The rows of this file.
pub fn rows(table: &mut Table) {
    let rounds = table.rounds(300);
    let long = table.size(100_000);
    for (name, short) in [("T1 long", long / 50), ("T1 length", 10)] {
        let what = format!("a turn of 2 characters after {long} messages / after {short}");
        table.row(name, &what, || {
            let [mut a, mut b] = [short, long].map(|messages| tavern(2, messages, 0));
            pair(rounds, || play(&mut b), || play(&mut a)).row()
        });
    }
    let (few, many) = (2, table.size(64).min(64));
    let what = format!("a turn in which {many} act / {few} act, for each stage");
    table.row("T3 cast", &what, || {
        let [mut a, mut b] = [few, many].map(|npcs| tavern(npcs, 100, 0));
        let times = pair(rounds.min(50), || play(&mut b), || play(&mut a));
        per_stage(&times, (3 + 4 * many) as f64 / (3 + 4 * few) as f64)
    });
    let (none, lore) = (10, table.size(10_000));
    let what = format!("a turn with {lore} entries of lore / with {none}");
    table.row("T6 lore", &what, || {
        let [mut a, mut b] = [none, lore].map(|entries| tavern(2, 100, entries));
        pair(rounds, || play(&mut b), || play(&mut a)).row()
    });
    scan(table, lore);
}

fn per_stage(times: &Pair, stages: f64) -> (f64, String) {
    let (ratio, text) = times.row();
    (ratio / stages, text)
}

/// A game with this many characters that act in every turn, this many messages and this many entries of lore.
fn tavern(npcs: usize, messages: usize, lore: usize) -> TestGame {
    let engine = FnEngine::new(|_, request| {
        EngineEvent::whole_reply(match request.stage {
            Stage::Narrator => "It is so, and the fire burns on.",
            Stage::NpcIntent => "I wait and look at the fire.",
            _ => r#"{"calls": []}"#,
        })
    });
    let mut game = TestGame::new(engine);
    game.install_story(
        r#"(world: (locations: {"inn": (name: "Inn")},
            entities: {"player": (name: "Ann", kind: "character", at: In("inn"))}))"#,
    );
    for i in 0..npcs {
        game.spawn_npc(&format!(
            r#"(id: "n{i}", name: "Npc{i}", location: "inn", baked: true)"#
        ));
    }
    // The story opens its own book in the first frame.
    game.frame();
    let world = game.world_mut();
    world.insert_resource(book(lore));
    world.insert_resource(AdventureSettings {
        recap_chars: usize::MAX,
        ..AdventureSettings::default()
    });
    let told = (0..messages).map(|i| {
        let turn_id = i as u64 / 2 + 1;
        let text = format!("In turn {turn_id} a log fell, and a spark flew up the chimney.");
        Message {
            owner: Owner::Narrator,
            kind: MessageType::Narration,
            turn_id,
            seq: 1,
            content: text.clone(),
            place: Some(id!("inn")),
            left: None,
            actor: None,
            audience: (0..npcs)
                .filter_map(|npc| format!("n{npc}").parse().ok())
                .chain([id!("player")])
                .collect(),
            parts: vec![NarrationPart {
                kind: PartKind::Narration,
                speaker: None,
                mood: None,
                text,
            }],
        }
    });
    game.tell(told.collect());
    game
}

fn play(game: &mut TestGame) {
    let before = game.world().resource::<Stream>().turns();
    game.world_mut()
        .commands()
        .play_turn(PlayerTurn::new(id!("player"), "I wait."));
    game.run_until_idle();
    let mut npcs = game.world_mut().query::<&LoadedCharacter>();
    let npcs = npcs.iter(game.world()).count();
    let stream = game.world().resource::<Stream>();
    assert_eq!(stream.turns(), before + 1, "the turn was committed");
    let told = stream.tail().iter().rev();
    let told = told.take_while(|message| message.turn_id > before);
    let told = told.filter(|message| message.kind == MessageType::Narration);
    assert_eq!(told.count(), npcs + 1, "every character acted");
}

/// A book with this many entries, in a story in English.
fn book(lore: usize) -> Lorebook {
    let mut source = String::from("(lore: [");
    for i in 0..lore {
        let _ = write!(
            source,
            "(key: \"entry_{i}\", text: \"What is known of the thing with the number {i}.\",
              keywords: [\"thing{i}\", \"number {i}\"]),"
        );
    }
    source.push_str("])");
    let registry = ActionRegistry::default();
    let story = StoryBook::parse(source.as_bytes(), "bench", &NoFiles, &registry);
    Lorebook::of(&story.expect("the lore is well-formed"))
}

/// One scan of the lorebook over the texts of a turn.
fn scan(table: &mut Table, lore: usize) {
    if !table.wants(&["T6 scan"]) {
        return;
    }
    let rounds = table.rounds(300);
    let large = book(lore);
    let texts: Vec<String> = (0..6)
        .map(|i| {
            format!(
                "Somebody spoke of thing{i} and then the fire burned low, and of number {}00 too. ",
                i + 1
            )
            .repeat(2)
        })
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let found = large.relevant(&texts, |_| true).len();
    let small = book(10);
    let what = format!("a scan of {lore} entries of lore ({found} found) / of 10");
    table.row("T6 scan", &what, || {
        pair(
            rounds,
            || drop(std::hint::black_box(large.relevant(&texts, |_| true))),
            || drop(std::hint::black_box(small.relevant(&texts, |_| true))),
        )
        .row()
    });
}
