//! W3, W6 and W7: what it costs to judge one action, and that the cost does not grow with the world.

use crate::table::{Table, pair, pair_with};
use bevy::prelude::*;
use bevy_dramatis::authoring::{NoFiles, StoryBook};
use bevy_dramatis::base::GameTime;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::id;
use bevy_dramatis::staging::StoryCommandsExt;
use bevy_dramatis::testing::{TestGame, world_digest};
use bevy_dramatis::world::May;
use bevy_dramatis::world::{
    ActionRegistry, ActionRules, GameWrite, ProposedAction, Rulebook, WorldView,
};
use std::fmt::Write;
use std::hint::black_box;
use std::sync::Arc;

/// The rows of this file.
pub fn rows(table: &mut Table) {
    let names = ["W6 world", "W6 checks", "W3 name", "W6 offer", "W7 hash"];
    if !table.wants(&names) {
        return;
    }
    let rounds = table.rounds(5_000);
    let (small, large) = (100, table.size(10_000));
    let registry = ActionRegistry::default();
    let (long, short) = (book(200, &registry), book(1, &registry));
    let (mut little, mut big) = (stage(small), stage(large));

    let judge = |world: &World, book: &Rulebook| judged(world, book, &registry, "door");
    let what = format!("judging an action by 200 checks among {large} entities / among {small}");
    table.row(names[0], &what, || {
        pair(rounds, || judge(&big, &long), || judge(&little, &long)).row()
    });
    table.row(names[1], "judging by 200 checks / by 1 check", || {
        pair(rounds, || judge(&big, &long), || judge(&big, &short)).row()
    });
    let name = |world: &World| judged(world, &long, &registry, "the far door");
    let what =
        format!("the same for a thing elsewhere, by its name, among {large} / among {small}");
    table.row(names[2], &what, || {
        pair(rounds, || name(&big), || name(&little)).row()
    });
    let offer = |world: &World| {
        let rules = rules_of(&long, &registry);
        black_box(
            rules
                .affordances(&WorldView::new(world), &id!("ann"), May::All)
                .len(),
        );
    };
    let what = format!("all that an actor can do now, among {large} / among {small}");
    table.row(names[3], &what, || {
        pair(rounds.min(500), || offer(&big), || offer(&little)).row()
    });
    let mut round = 0;
    let mut rehash = |world: &mut World| {
        round += 1;
        let write = GameWrite::attribute(id!("door"), "knocks", round);
        write.apply(world).expect("a door");
        black_box(world_digest(world));
    };
    let what = format!("hashing the world after one change, {large} entities / {small}");
    table.row(names[4], &what, || {
        let rehash = std::cell::RefCell::new(&mut rehash);
        let mut worlds = (&mut big, &mut little);
        pair_with(
            &mut worlds,
            rounds.min(500),
            |(big, _)| (rehash.borrow_mut())(big),
            |(_, little)| (rehash.borrow_mut())(little),
        )
        .row()
    });
}

fn rules_of<'a>(book: &'a Rulebook, registry: &'a ActionRegistry) -> ActionRules<'a> {
    ActionRules {
        book,
        registry,
        now: GameTime(0),
        max_introduced: 64,
        lexicon: bevy_dramatis::text::Lexicon::english(),
    }
}

/// Normalises and judges "open TARGET", where TARGET is a phrase.
fn judged(world: &World, book: &Rulebook, registry: &ActionRegistry, target: &str) {
    let proposed = ProposedAction {
        kind: "open".to_owned(),
        fields: [("target".to_owned(), target.into())].into(),
        ..ProposedAction::default()
    };
    let (rules, judged) = (rules_of(book, registry), WorldView::new(world));
    black_box(rules.judge(&judged, &id!("ann"), Some("open"), vec![proposed]));
}

/// A rulebook whose `open` has this many checks, all of which pass.
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

/// A world with this many entities, of which Ann sees twenty.
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
    let mut game = TestGame::new(ScriptedEngine::silent());
    game.world_mut().commands().install_story(Arc::new(story));
    game.frame();
    std::mem::take(game.world_mut())
}
