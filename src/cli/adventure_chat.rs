//! `dramatis chat` of a scenario with personas: each line is a turn of its adventure.

use super::lines;
use super::output::print_line;
use crate::adventure::aside::ask_aside;
use crate::adventure::aside_of;
use crate::adventure::markers::{current_persona, set_marker};
use crate::adventure::submit::submit_turn;
use crate::adventure::undo::{redo_turn, retract_last_npc, retract_turn};
use crate::adventure::{PlayerTurn, SceneMarker, Stream, TurnStatus};
use crate::base::ids::Id;
use crate::engine::Stage;
use crate::events::{AdventureTurnEnded, AsideAnswered, Narrated, RequestRefused, RunStarted};
use crate::pipeline::run::retraction::{Retracted, Retraction};
use crate::pipeline::{ActiveRun, Run};
use bevy::prelude::*;
use std::time::Duration;

/// How long the terminal sleeps between two frames.
const FRAME: Duration = Duration::from_millis(5);
/// More frames than any deadline takes.
const MAX_FRAMES: usize = 1_000_000;
/// After this number of frames without a run, nothing more comes.
const QUIET_FRAMES: usize = 3;

/// Reads lines from standard input until it ends, and plays each as a turn of the persona.
pub(super) fn play(mut app: App, persona: &Id) -> u8 {
    print_line(&format!(
        "You play {persona}. Type what you want to do; /whisper NAME: .., /ask .., /undo, /rewind, /again, /end. No model reads ((doubled parentheses))."
    ));
    app.add_observer(name_stage)
        .add_observer(tell)
        .add_observer(end)
        .add_observer(|refused: On<RequestRefused>| print_line(&format!("  ({})", refused.error)))
        .add_observer(|answered: On<AsideAnswered>| {
            let answer = answered.answer.as_deref();
            print_line(&format!("  ({})", answer.unwrap_or("there is no answer")));
        });
    lines::obey_each(|line| {
        if let Err(message) = obey(app.world_mut(), persona, line.trim()) {
            print_line(&format!("  ({message})"));
        }
        wait(&mut app);
    })
}

/// Does what a line says. The error is for the player.
fn obey(world: &mut World, persona: &Id, line: &str) -> Result<(), String> {
    if let Some(aside) = aside_of(line) {
        return match aside.to_lowercase().as_str() {
            "end scene" => end_scene(world, persona),
            "rewind last npc" => rewind(world),
            _ => Ok(()),
        };
    }
    let Some(command) = line.strip_prefix('/') else {
        submit_turn(world, PlayerTurn::new(persona.clone(), line));
        return Ok(());
    };
    let (name, rest) = command.split_once(' ').unwrap_or((command, ""));
    match name {
        "undo" => {
            let taken_back = retract_turn(world).map_err(|error| error.to_string())?;
            print_line("  (the last turn has not happened)");
            print_kept(&taken_back);
        }
        "rewind" => rewind(world)?,
        "end" => end_scene(world, persona)?,
        "again" => {
            let last = world.get_resource_or_init::<Stream>().turns();
            redo_turn(world, last).map_err(|error| error.to_string())?;
        }
        "ask" => ask_aside(world, rest),
        "whisper" => {
            let (whom, words) = rest
                .split_once(':')
                .ok_or_else(|| "/whisper NAME: what you say".to_owned())?;
            let whom = Id::new(whom.trim()).map_err(|error| error.to_string())?;
            let mut turn = PlayerTurn::new(persona.clone(), words.trim());
            turn.whisper_to = vec![whom];
            submit_turn(world, turn);
        }
        _ => return Err(format!("there is no command \"/{}\"", name.escape_debug())),
    }
    Ok(())
}

fn end_scene(world: &mut World, persona: &Id) -> Result<(), String> {
    set_marker(world, persona, SceneMarker::SceneClose).map_err(|error| error.to_string())?;
    print_line("  (the scene is over)");
    Ok(())
}

/// Takes back what the last character did in the last turn.
fn rewind(world: &mut World) -> Result<(), String> {
    let taken_back = retract_last_npc(world, None).map_err(|error| error.to_string())?;
    if let Retracted::Act { npc, .. } = &taken_back.what {
        print_line(&format!("  (what {npc} did last has not happened)"));
    }
    print_kept(&taken_back);
    Ok(())
}

fn print_kept(taken_back: &Retraction) {
    for kept in &taken_back.kept {
        print_line(&format!("  ({kept} stays: it has changed since)"));
    }
}

/// Runs frames until nothing is left to be done.
fn wait(app: &mut App) {
    let mut quiet = 0;
    for _ in 0..MAX_FRAMES {
        app.update();
        let mut runs = app.world_mut().query_filtered::<(), With<ActiveRun>>();
        match runs.iter(app.world()).next() {
            Some(()) => {
                quiet = 0;
                std::thread::sleep(FRAME);
            }
            None => quiet += 1,
        }
        if quiet >= QUIET_FRAMES {
            return;
        }
    }
}

fn name_stage(started: On<RunStarted>, runs: Query<&Run>) {
    let Ok(stage) = runs.get(started.run).map(Run::stage) else {
        return;
    };
    match stage {
        Stage::LoreExtractor | Stage::Recap => {
            print_line(&format!("  .. {}", stage.snake_case()));
        }
        _ => print_line(&format!("  .. {}: {}", stage.snake_case(), started.npc)),
    }
}

/// What the player perceives is told at once.
fn tell(narrated: On<Narrated>, mut commands: Commands) {
    let message = narrated.message.clone();
    commands.queue(move |world: &mut World| {
        let persona = current_persona(world);
        if message.audience.contains(&persona) {
            print_line(&message.content);
        }
    });
}

fn end(ended: On<AdventureTurnEnded>) {
    let record = &ended.record;
    for action in &record.actions {
        let intent = &action.intent;
        let what: Vec<&str> = intent.references().collect();
        print_line(&format!(
            "  [{} {} {}: {}] {}",
            intent.actor(),
            intent.kind(),
            what.join(" "),
            action.judgement.result,
            action.judgement.message
        ));
    }
    if let (TurnStatus::Failed, Some(failure)) = (record.status(), &record.failure) {
        print_line(&format!("  (that has not happened: {})", failure.error));
    }
}
