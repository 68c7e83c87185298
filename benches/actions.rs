//! The truth engine's speed: what judging one action costs, and that it does not grow with the world. Each ratio compares
//! two things in one run, so that a noisy machine disturbs both alike.
#![allow(clippy::print_stdout, reason = "a bench prints its figures")]

use bevy::prelude::*;
use bevy_dramatis::authoring::{NoFiles, StoryBook};
use bevy_dramatis::base::time::GameTime;
use bevy_dramatis::id;
use bevy_dramatis::story::install_world;
use bevy_dramatis::world::May;
use bevy_dramatis::world::apply::TurnKey;
use bevy_dramatis::world::refresh::{refresh, world_digest};
use bevy_dramatis::world::tracker::WorldTracker;
use bevy_dramatis::world::{
    ActionRegistry, ActionRules, GameWrite, ProposedAction, Rulebook, Turn, WorldView, affordances,
};
use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

fn main() {
    let quick = !std::env::args().any(|argument| argument == "--bench");
    let rounds = if quick { 3 } else { 5_000 };
    let (small, large) = (100, if quick { 1_000 } else { 10_000 });
    println!(
        "median ratios over {rounds} rounds; the other side of each ratio ran in the same loop\n"
    );
    let registry = ActionRegistry::default();
    let (long, short) = (book(200, &registry), book(1, &registry));
    let (mut little, mut big) = (stage(small), stage(large));

    let judge = |world: &World, book: &Rulebook| judged(world, book, &registry, "door");
    let (a, b) = pair(rounds, || judge(&big, &long), || judge(&little, &long));
    report(
        &format!("W6  judging a deed by 200 checks among {large} entities / among {small}"),
        a,
        b,
    );
    let (a, b) = pair(rounds, || judge(&big, &long), || judge(&big, &short));
    report("W6  the same by 200 checks / by 1 check", a, b);
    let name = |world: &World| judged(world, &long, &registry, "the far door");
    let (a, b) = pair(rounds, || name(&big), || name(&little));
    report(
        &format!("W3  the same, for a thing elsewhere, by its name, among {large} / among {small}"),
        a,
        b,
    );
    let offer = |world: &World| {
        let rules = rules(&long, &registry);
        black_box(affordances(&rules, &WorldView::new(world), &id!("ann"), May::All).len());
    };
    let (a, b) = pair(rounds.min(500), || offer(&big), || offer(&little));
    report(
        &format!("W6  all that an actor can do now, among {large} / among {small}"),
        a,
        b,
    );
    let mut round = 0;
    let mut rehash = |world: &mut World| {
        round += 1;
        let write = GameWrite::attribute(id!("door"), "knocks", round);
        write.apply(world).unwrap_or_default();
        black_box(world_digest(world));
    };
    let mut rehash_twice = |world: &mut World| rehash(world);
    let mut times = (Vec::new(), Vec::new());
    for _ in 0..rounds.min(500) {
        times.0.push(timed(|| rehash_twice(&mut big)));
        times.1.push(timed(|| rehash_twice(&mut little)));
    }
    report(
        &format!("W7  hashing the world after one change, {large} entities / {small}"),
        median(times.0),
        median(times.1),
    );
}

fn report(what: &str, a: Duration, b: Duration) {
    println!(
        "{what}: {:.2} ({a:?} / {b:?})",
        a.as_secs_f64() / b.as_secs_f64()
    );
}

fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

fn pair(rounds: usize, mut one: impl FnMut(), mut two: impl FnMut()) -> (Duration, Duration) {
    let times: Vec<(Duration, Duration)> = (0..rounds)
        .map(|_| (timed(&mut one), timed(&mut two)))
        .collect();
    let (first, second) = times.into_iter().unzip();
    (median(first), median(second))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn rules<'a>(book: &'a Rulebook, registry: &'a ActionRegistry) -> ActionRules<'a> {
    ActionRules {
        book,
        registry,
        now: GameTime(0),
        max_introduced: 64,
        lexicon: bevy_dramatis::text::Lexicon::english(),
    }
}

/// Normalises and judges "open TARGET".
fn judged(world: &World, book: &Rulebook, registry: &ActionRegistry, target: &str) {
    let judged = WorldView::new(world);
    let mut turn = Turn::new(
        rules(book, registry),
        TurnKey::default(),
        &judged,
        Vec::new(),
    );
    let proposed = ProposedAction {
        kind: "open".to_owned(),
        fields: [("target".to_owned(), target.into())].into(),
        ..ProposedAction::default()
    };
    let intent = turn.normalise(&proposed, &id!("ann"), May::All, &[]);
    black_box(intent.map(|intent| turn.apply(&intent))).ok();
}

/// A rulebook whose `open` has this many checks, which all hold.
fn book(checks: usize, registry: &ActionRegistry) -> Rulebook {
    let mut source = String::from("Rulebook(id: \"bench\", actions: {\"open\": (checks: [");
    for i in 0..checks {
        let condition = match i % 4 {
            0 => format!("Not(Attribute(Target, \"a{i}\", true))"),
            1 => "Exists(Target)".to_owned(),
            2 => "Any([Perceivable(Target), Not(Carries(Actor, Target))])".to_owned(),
            _ => "Not(AtLeast(Target, \"weight\", 9))".to_owned(),
        };
        let _ = write!(source, "(id: \"c{i}\", when: {condition}, else: LOCKED),");
    }
    source.push_str("], effects: [SetAttribute(Target, \"open\", true)])})");
    Rulebook::parse(source.as_bytes(), "bench", registry)
        .unwrap_or_else(|_| Rulebook::shipped().clone())
}

/// A world with this many entities, twenty of them in sight of Ann.
fn stage(entities: usize) -> World {
    let mut source = String::from(
        "(world: (locations: {\"hall\": (name: \"Hall\"), \"field\": (name: \"Field\")}, entities: {\
         \"ann\": (name: \"Ann\", kind: \"character\", at: In(\"hall\")),\
         \"door\": (name: \"door\", kind: \"door\", at: In(\"hall\"), attributes: {\"weight\": 5}),\
         \"far\": (name: \"far door\", kind: \"door\", at: In(\"field\")),",
    );
    for i in 0..entities {
        let place = if i < 20 { "hall" } else { "field" };
        let _ = write!(
            source,
            "\"e{i}\": (name: \"stone {i}\", kind: \"item\", at: In(\"{place}\"), attributes: {{\"weight\": 1}}),"
        );
    }
    source.push_str("}))");
    let registry = ActionRegistry::default();
    let story =
        StoryBook::parse(source.as_bytes(), "bench", &NoFiles, &registry).unwrap_or_default();
    let mut world = World::new();
    world.init_resource::<WorldTracker>();
    install_world(&mut world, &story);
    refresh(&mut world);
    world
}
