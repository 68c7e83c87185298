//! What happens in a turn, told line by line.

use bevy::prelude::*;
use bevy_dramatis::adventure::TurnStatus;
use bevy_dramatis::engine::Stage;
use bevy_dramatis::events::{
    AdventureTurnEnded, AsideAnswered, CommandFailed, Narrated, Retraction,
};
use bevy_dramatis::pipeline::Run;
use bevy_dramatis::prelude::*;

pub fn plugin(app: &mut App) {
    app.add_observer(name_stage)
        .add_observer(tell)
        .add_observer(end_turn)
        .add_observer(|answered: On<AsideAnswered>| {
            let answer = answered.answer.as_deref();
            println!("({})", answer.unwrap_or("There is no answer."));
        })
        .add_observer(|_: On<Retraction>| println!("(It has not happened.)"))
        .add_observer(|failed: On<CommandFailed>| println!("({})", failed.error));
}

fn name_stage(started: On<RunStarted>, runs: Query<&Run>) {
    let what = match runs.get(started.run).map(Run::stage) {
        Ok(Stage::Narrator) => "the narrator tells",
        Ok(Stage::NpcIntent) => "makes up its mind",
        Ok(Stage::PersonaExtractor | Stage::CharacterExtractor) => "is changed by it",
        Ok(Stage::LoreExtractor) => "what is known of the world",
        _ => return,
    };
    println!("  .. {}: {what}", started.npc);
}

/// What Ann perceives is told at once.
fn tell(narrated: On<Narrated>) {
    if narrated.message.audience.contains(&id!("ann")) {
        println!("{}", narrated.message.content);
    }
}

fn end_turn(ended: On<AdventureTurnEnded>) {
    let record = &ended.record;
    if let (TurnStatus::Failed, Some(failure)) = (record.status(), &record.failure) {
        println!("(That has not happened: {}. Try again.)", failure.error);
    }
}
