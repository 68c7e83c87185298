//! Thousands of runs against a server that misbehaves: every run ends with a line, and nothing accumulates (contract rows R1, R3).
//! `DRAMATIS_SOAK_RUNS=10000` makes the test longer.

use crate::by_id::tell;
use crate::config;
use crate::fault_server::*;
use crate::heard::{listen, take_heard};
use crate::resident::resident_pages;
use bevy::prelude::*;
use bevy_dramatis::authoring::{Character, NoFiles};
use bevy_dramatis::engine::HttpEngine;
use bevy_dramatis::events::{RunEnded, Spoke};
use bevy_dramatis::npc::Request;
use bevy_dramatis::pipeline::{Delivery, DialoguePolicy, RunPolicy};
use bevy_dramatis::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const RUNS: usize = 2_000;
const CROWD: usize = 50;

#[test]
fn r3_thousands_of_runs_against_a_server_that_misbehaves_all_end() {
    let longer = std::env::var("DRAMATIS_SOAK_RUNS");
    let runs = longer.map_or(RUNS, |runs| runs.parse().unwrap());
    let turn = AtomicUsize::new(0);
    let server = FaultServer::start_on_for(0, 4 * runs, move |seen: &Seen| {
        // Most answers are quick; one in 500 never comes.
        match turn.fetch_add(1, Ordering::Relaxed) % 500 {
            499 => hang_in_the_middle(seen),
            nth => match nth % 7 {
                0 => cut(seen),
                1 => garbage(seen),
                2 => html(seen),
                3 => error(503, "application/json", "{}"),
                4 => events(delta("Half. And th") + "data: [DONE]\n\n"),
                _ => good(seen),
            },
        }
    });
    let engine = HttpEngine::new(config(&server.url()).with_breaker(None)).unwrap();
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, DramatisPlugins::new(engine)))
        .insert_resource(DialoguePolicy(RunPolicy {
            deadline: Duration::from_secs(3),
            ..RunPolicy::DIALOGUE.delivered(Delivery::Sentences)
        }));
    for n in 0..CROWD {
        let ron = format!(r#"(id: "npc_{n}", fallbacks: (generic: ["Hm."]))"#);
        let character = Character::parse(ron.as_bytes(), "npc.ron", &NoFiles).unwrap();
        app.world_mut().spawn(LoadedCharacter(Arc::new(character)));
    }
    listen::<RunEnded>(app.world_mut());
    listen::<Spoke>(app.world_mut());
    app.finish();
    app.cleanup();
    app.update();
    let (mut asked, mut ended, mut spoken) = (0, 0, 0);
    let mut early = None;
    let mut last = Instant::now();
    let mut idle: Vec<String> = (0..CROWD).map(|n| format!("npc_{n}")).collect();
    while ended < runs {
        while asked < runs
            && let Some(npc) = idle.pop()
        {
            let request = Request::speech("player", "player", "Hello?");
            tell(app.world_mut(), &npc, |npc| {
                npc.interact(request);
            });
            asked += 1;
        }
        app.update();
        let before = ended;
        let over = take_heard::<RunEnded>(app.world_mut());
        idle.extend(over.iter().map(|run| run.npc.to_string()));
        ended = asked + idle.len() - CROWD;
        spoken += take_heard::<Spoke>(app.world_mut()).len();
        if ended > before {
            last = Instant::now();
        }
        assert!(
            last.elapsed() < Duration::from_secs(60),
            "{ended} of {runs} have ended"
        );
        if early.is_none() && ended >= runs / 4 {
            early = resident_pages();
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    assert_eq!(spoken, runs, "every run ends with a line");
    if let (Some(early), Some(late)) = (early, resident_pages()) {
        // 32 MiB: what an allocator keeps varies by less than that, runs that never go away would take more.
        assert!(
            late < early + 8_192,
            "memory grew from {early} to {late} pages"
        );
    }
}
