//! What a turn of an adventure costs outside of the engine, and that it does not grow with what has happened: each ratio
//! compares two things in one run, so that a noisy machine disturbs both alike.
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use bevy::prelude::*;
use bevy_dramatis::adventure::{
    AdventureSettings, Lorebook, Message, MessageType, Owner, PlayerTurn, Stream, submit_turn,
};
use bevy_dramatis::authoring::story_spec::LoreSpec;
use bevy_dramatis::engine::Stage;
use bevy_dramatis::id;
use bevy_dramatis::npc::LoadedCharacter;
use bevy_dramatis::proposal::{NarrationPart, PartKind};
use bevy_dramatis::testing::{FnEngine, TestGame, fill_stream, whole_reply};
use std::time::{Duration, Instant};

fn main() {
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let rounds = if quick { 3 } else { 300 };
    println!(
        "median ratios over {rounds} rounds; the other side of each ratio ran in the same loop\n"
    );
    let (short, long) = (10, if quick { 1_000 } else { 100_000 });
    let [mut a, mut b] = [long / 50, long].map(|messages| tavern(2, messages, 0));
    report(
        &format!(
            "T1  a turn of 2 characters after {long} messages / after {}",
            long / 50
        ),
        pair(rounds, || play(&mut b), || play(&mut a)),
        1,
    );
    let [mut a, mut b] = [short, long].map(|messages| tavern(2, messages, 0));
    report(
        &format!("T1  a turn of 2 characters after {long} messages / after {short}"),
        pair(rounds, || play(&mut b), || play(&mut a)),
        1,
    );
    let (few, many) = (2, if quick { 8 } else { 64 });
    let [mut a, mut b] = [few, many].map(|npcs| tavern(npcs, 100, 0));
    report(
        &format!("T3  a turn in which {many} act / {few} act, for each stage"),
        pair(rounds.min(50), || play(&mut b), || play(&mut a)),
        (3 + 4 * many) / (3 + 4 * few),
    );
    let (none, lore) = (10, if quick { 500 } else { 10_000 });
    let [mut a, mut b] = [none, lore].map(|entries| tavern(2, 100, entries));
    report(
        &format!("T6  a turn with {lore} entries of lore / with {none}"),
        pair(rounds, || play(&mut b), || play(&mut a)),
        1,
    );
    scan(rounds, lore);
}

/// Times two closures in turn, and gives the medians.
fn pair(rounds: usize, mut one: impl FnMut(), mut two: impl FnMut()) -> (Duration, Duration) {
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let start = Instant::now();
        one();
        first.push(start.elapsed());
        let start = Instant::now();
        two();
        second.push(start.elapsed());
    }
    (median(first), median(second))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn report(what: &str, (a, b): (Duration, Duration), per: usize) {
    #[allow(clippy::cast_precision_loss, reason = "a small number")]
    let ratio = a.as_secs_f64() / b.as_secs_f64() / per as f64;
    println!("{what}: {ratio:.2}   ({a:.1?} / {b:.1?})");
}

/// A game with so many characters who act in every turn, messages, and entries of lore.
fn tavern(npcs: usize, messages: usize, lore: usize) -> TestGame {
    let engine = FnEngine::new(|_, request| {
        whole_reply(match request.stage {
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
    world.insert_resource(Lorebook::new(&entries(lore)));
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
    fill_stream(world, told.collect());
    game
}

fn play(game: &mut TestGame) {
    let before = game.world().resource::<Stream>().turns();
    submit_turn(game.world_mut(), PlayerTurn::new(id!("player"), "I wait."));
    game.run_until_idle();
    let mut npcs = game.world_mut().query::<&LoadedCharacter>();
    let npcs = npcs.iter(game.world()).count();
    let stream = game.world().resource::<Stream>();
    assert_eq!(stream.turns(), before + 1, "the turn was committed");
    let told = stream.tail().iter().rev();
    let told = told.take_while(|message| message.turn_id > before);
    let told = told.filter(|message| message.kind == MessageType::Narration);
    assert_eq!(told.count(), npcs + 1, "everybody acted");
}

fn entries(count: usize) -> Vec<LoreSpec> {
    let entry = |i: usize| LoreSpec {
        key: format!("entry_{i}"),
        title: None,
        text: format!("What is known of the thing with the number {i}."),
        keywords: vec![format!("thing{i}"), format!("number {i}")],
        fixed: false,
    };
    (0..count).map(entry).collect()
}

/// One scan of the lorebook over the texts of a turn.
fn scan(rounds: usize, lore: usize) {
    let book = Lorebook::new(&entries(lore));
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
    let found = book.relevant(&texts, |_| true).len();
    let small = Lorebook::new(&entries(10));
    let (a, b) = pair(
        rounds,
        || drop(std::hint::black_box(book.relevant(&texts, |_| true))),
        || drop(std::hint::black_box(small.relevant(&texts, |_| true))),
    );
    report(
        &format!("T6  a scan of {lore} entries ({found} found) / of 10"),
        (a, b),
        1,
    );
}
