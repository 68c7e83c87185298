//! A large game: ten thousand characters, of which a thousand have many memories, a hundred runs in flight, and twenty new requests in
//! each frame.

use crate::by_id::tell;
use crate::hall::{LINE, app, character, remember};
use crate::table::{Pair, Table, timed};
use bevy::prelude::*;
use bevy_dramatis::engine::{
    Engine, EngineCall, EngineEvent, EngineIdentity, EngineRequest, ScriptedEngine,
};
use bevy_dramatis::npc::Request;
use bevy_dramatis::prelude::*;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// How many requests each frame adds.
const REQUESTS: usize = 20;
/// The engine answers a call after this many frames, so that a hundred are in flight.
const FRAMES: usize = 5;

type Answer = crossbeam_channel::Sender<EngineEvent>;

/// An engine that answers when the bench tells it to.
#[derive(Clone, Default)]
struct Patient(Arc<Mutex<VecDeque<Answer>>>);

impl Patient {
    /// Answers the oldest calls until this many are left.
    fn answer(&self, left: usize) {
        let Self(waiting) = self;
        let mut waiting = waiting.lock().expect("no thread panicked");
        while waiting.len() > left
            && let Some(call) = waiting.pop_front()
        {
            let reply =
                r#"{"dialogue": "Come in, and shut the door.", "mutations": [], "intents": []}"#;
            // A cancelled call does not receive anything.
            let _ = call.try_send(EngineEvent::Chunk(reply.into()));
            let _ = call.try_send(EngineEvent::Finished(Default::default()));
        }
    }
}

impl Engine for Patient {
    fn identity(&self) -> EngineIdentity {
        ScriptedEngine::silent().identity()
    }

    fn start(&self, _: EngineRequest) -> EngineCall {
        let (sender, receiver) = crossbeam_channel::bounded(2);
        self.0.lock().expect("no thread panicked").push_back(sender);
        EngineCall::new(receiver, ())
    }
}

/// The rows of this file.
pub fn rows(table: &mut Table) {
    let count = table.size(10_000);
    let (who_remember, episodes) = (count / 10, table.size(1_000));
    let rounds = table.rounds(500);
    let what = format!(
        "a frame of {count} characters, {who_remember} with {episodes} memories each, {REQUESTS} new requests and {} in flight / without the plugin",
        REQUESTS * FRAMES
    );
    table.row("S1 scale", &what, || {
        let before = resident();
        let mut busy = game(count, who_remember, episodes);
        let grown = resident().saturating_sub(before);
        let engine = busy.world().resource::<Answers>().0.clone();
        let mut bare = App::new();
        bare.world_mut()
            .spawn_batch((0..count).map(|i| Name::new(format!("npc{i}"))));
        let mut next = 0;
        let mut frame = |app: &mut App| {
            engine.answer(REQUESTS * (FRAMES - 1));
            for _ in 0..REQUESTS {
                next = (next + 1) % who_remember;
                let request = Request::speech("player", "player", LINE);
                tell(app.world_mut(), &format!("npc{next}"), |npc| {
                    npc.interact(request);
                });
            }
            app.update();
        };
        for _ in 0..FRAMES * 2 {
            frame(&mut busy);
        }
        let (mut with, mut without) = (Vec::new(), Vec::new());
        for _ in 0..rounds {
            with.push(timed(|| frame(&mut busy)));
            without.push(timed(|| bare.update()));
        }
        let times = Pair::of(with, without);
        let (ratio, text) = times.row();
        let memory = match grown {
            0 => String::new(),
            grown => format!("; {} MiB", grown >> 20),
        };
        let p99 = times.p99;
        (
            ratio,
            format!("{text}; the slowest hundredth {p99:.1?}{memory}"),
        )
    });
}

/// The engine of a game, which the bench tells when to answer.
#[derive(Resource)]
struct Answers(Patient);

fn game(count: usize, who_remember: usize, episodes: usize) -> App {
    let engine = Patient::default();
    let mut game = app(engine.clone());
    game.insert_resource(Answers(engine));
    for i in 0..count {
        let loaded = LoadedCharacter(character(&format!("npc{i}"), 10));
        let mut npc = game.world_mut().spawn(loaded);
        if i < who_remember {
            npc.insert(remember(episodes));
        }
    }
    game.update();
    game
}

/// How many bytes of memory this process uses; 0 if the system does not say.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = status.split_whitespace().nth(1);
    pages
        .and_then(|pages| pages.parse::<u64>().ok())
        .unwrap_or(0)
        * 4_096
}
