//! L1: a town in which a thousand characters follow their routines and tell each other news.

use crate::table::{Pair, Table, timed};
use bevy::prelude::*;
use bevy_dramatis::authoring::{NoFiles, StoryBook};
use bevy_dramatis::base::{CallTime, DramatisClock, GameTime, ManualClock, Millis};
use bevy_dramatis::memory::Mind;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::ActionRegistry;
use std::fmt::Write;
use std::sync::Arc;
use std::time::Instant;

/// One in this many characters has news to tell.
const NEWS: usize = 20;
const HOUR: i64 = 3_600_000;

/// The rows of this file.
pub fn rows(table: &mut Table) {
    let names = ["L1 frame", "L1 days"];
    if !table.wants(&names) {
        return;
    }
    let (count, places) = (table.size(1_000), 60);
    let rounds = table.rounds(2_000);
    let what = format!(
        "a frame of {count} characters with routines and news in {places} places / without the plugin"
    );
    table.row(names[0], &what, || {
        let mut busy = town(count, places);
        let mut bare = App::new();
        bare.world_mut()
            .spawn_batch((0..count).map(|i| Name::new(format!("npc{i}"))));
        let (mut with, mut without) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            // A game that runs at the pace of its clock.
            with.push(timed(|| pass(&mut busy, 16)));
            without.push(timed(|| bare.update()));
        }
        let times = Pair::of(with, without);
        let (ratio, text) = times.row();
        (
            ratio,
            format!("{text}; the slowest hundredth {:.1?}", times.p99),
        )
    });
    let days = if table.rounds(100) < 100 { 1 } else { 7 };
    let what = format!(
        "{days} days of {count} characters with routines and news, hour by hour / of a tenth of them"
    );
    table.row(names[1], &what, || {
        let mut live = town(count, places);
        let mut few = town(count / 10, places);
        let took = |app: &mut App| {
            // The first frame of an app sets it up.
            pass(app, HOUR);
            let began = Instant::now();
            for _ in 0..days * 24 {
                pass(app, HOUR);
            }
            began.elapsed()
        };
        let (with, without) = (took(&mut live), took(&mut few));
        let mut told = live.world_mut().query::<&Mind>();
        let told: usize = told
            .iter(live.world())
            .map(|mind| mind.episodes.len())
            .sum();
        let ratio = with.as_secs_f64() / without.as_secs_f64().max(1e-9);
        (
            ratio,
            format!("{with:.2?} / {without:.2?}; {told} memories"),
        )
    });
}

/// Advances the time and plays a frame.
fn pass(app: &mut App, millis: i64) {
    let mut clock = app.world_mut().resource_mut::<DramatisClock>();
    clock.game = clock.game.after(Millis(millis));
    clock.call = clock.call.after(Millis(millis.min(16)));
    app.update();
}

/// A town: places in a grid, and characters that sleep, work and drink in some of them.
fn town(count: usize, places: usize) -> App {
    let side = 10;
    let id = |place: usize| format!("p{place}");
    let mut world = String::new();
    for place in 0..places {
        let near = [
            place + 1,
            place.wrapping_sub(1),
            place + side,
            place.wrapping_sub(side),
        ];
        let near = near.into_iter().filter(|other| *other < places);
        let near: Vec<String> = near.map(|other| format!("\"{}\"", id(other))).collect();
        let _ = write!(
            world,
            "\"{0}\": (name: \"{0}\", connected_to: [{1}]), ",
            id(place),
            near.join(", ")
        );
    }
    let story = format!("Story(gossip: (), world: (locations: {{{world}}}))");
    let npcs: Vec<String> = (0..count)
        .map(|i| {
            let (home, work, inn) = (id(i % places), id(i * 7 % places), id(i * 13 % 6 * side));
            let memory = match i % NEWS {
                0 => format!("(id: \"seen\", text: \"You saw the fire of house {i}.\", significance: 0.9)"),
                _ => String::new(),
            };
            format!(
                "Npc(id: \"npc{i}\", name: \"Npc {i}\", location: \"{home}\", memories: [{memory}], routine: [
                    (from: \"22:00\", to: \"06:00\", place: \"{home}\", doing: \"sleeps\", done: \"slept\"),
                    (from: \"06:00\", to: \"12:00\", place: \"{work}\", doing: \"works\", done: \"worked\"),
                    (from: \"12:00\", to: \"13:00\", place: \"{inn}\", doing: \"eats\", done: \"ate\"),
                    (from: \"13:00\", to: \"18:00\", place: \"{work}\", doing: \"works\", done: \"worked\"),
                    (from: \"18:00\", to: \"22:00\", place: \"{inn}\", doing: \"drinks\", done: \"drank\"),
                ])"
            )
        })
        .collect();
    app_of(&story, &npcs)
}

fn app_of(story: &str, npcs: &[String]) -> App {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::silent())
        .insert_resource(ManualClock)
        .insert_resource(DramatisClock {
            game: GameTime(0),
            call: CallTime(0),
        });
    let story = StoryBook::parse(
        story.as_bytes(),
        "town",
        &NoFiles,
        &ActionRegistry::default(),
    );
    let story = Arc::new(story.expect("a town"));
    app.world_mut().commands().install_story(story);
    app.world_mut().flush();
    for npc in npcs {
        app.world_mut()
            .spawn(LoadedCharacter::from_ron(npc).expect("a character"));
    }
    app.finish();
    app.update();
    app
}
