//! An evening in a tavern: turns of an adventure, with three characters, in the terminal.
//!
//! ```text
//! cargo run -p bevy_dramatis --example tavern
//! DRAMATIS_URL=http://127.0.0.1:8080 cargo run -p bevy_dramatis --example tavern
//! ```
//!
//! Type what you want to do. Each stage is named as it happens, and what the narrator tells is told at once; a turn whose stage
//! fails is withdrawn. `whisper mira: ..` is heard by Mira alone, `ask ..` is a question outside the story, and `undo` takes the last
//! turn back. Without a server a script answers. If no player types, a short evening plays by itself.
#![allow(clippy::print_stdout, reason = "an example says what it did")]

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy_dramatis::adventure::{AdventureCommandsExt, Persona, Personas, PlayerTurn, TurnStatus};
use bevy_dramatis::engine::Stage;
use bevy_dramatis::events::{
    AdventureTurnEnded, AsideAnswered, CommandFailed, Narrated, Retraction,
};
use bevy_dramatis::pipeline::Run;
use bevy_dramatis::prelude::*;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

const CAST: [&str; 3] = ["mira", "tom", "old_ivo"];

/// The evening when no player types.
const EVENING: [&str; 5] = [
    "I take the iron key.",
    "whisper mira: I ask whose chest that is.",
    "I open the chest with the key.",
    "undo",
    "ask What do I carry?",
];

/// What the player types, and whether a turn is being told.
#[derive(Resource)]
struct Evening(Mutex<Receiver<String>>, bool);

fn main() -> AppExit {
    let (sender, typed) = channel();
    std::thread::spawn(move || {
        let mut lines = std::io::stdin().lines().map_while(Result::ok).peekable();
        if lines.peek().is_none() {
            let _ = EVENING.map(|line| sender.send(line.to_owned()));
        }
        lines.for_each(|line| drop(sender.send(line)));
    });
    let engine = HttpEngine::from_env().or_scripted("tavern/tavern.script.ron");
    App::new()
        .add_plugins((
            MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(Duration::from_millis(2))),
            AssetPlugin::default(),
            bevy::log::LogPlugin::default(),
        ))
        .add_plugins(DramatisPlugins::new(engine))
        .insert_resource(Evening(Mutex::new(typed), false))
        .add_systems(Startup, furnish)
        .add_systems(Update, (obey.run_if(dramatis_ready), say_why_refused))
        .add_observer(name_stage)
        .add_observer(tell)
        .add_observer(end_turn)
        .add_observer(
            |answered: On<AsideAnswered>, mut evening: ResMut<Evening>| {
                println!(
                    "({})",
                    answered.answer.as_deref().unwrap_or("There is no answer.")
                );
                evening.1 = false;
            },
        )
        .add_observer(|_: On<Retraction>| println!("(It has not happened.)"))
        .add_observer(|failed: On<CommandFailed>| println!("({})", failed.error))
        .run()
}

/// The world, the cast, and who is played.
fn furnish(mut commands: Commands, assets: Res<AssetServer>, mut personas: ResMut<Personas>) {
    println!(
        "The Crooked Tankard. Mira keeps it; Tom and old Ivo drink. There is an oak chest, and an iron key on a table."
    );
    commands.insert_resource(Story(assets.load("tavern/tavern.story.ron")));
    for id in CAST {
        commands.spawn(Npc(assets.load(format!("tavern/{id}.npc.ron"))));
    }
    let ann = Persona {
        description: "A traveller, wet and curious.".to_owned(),
        ..default()
    };
    personas.0.insert(id!("ann"), ann);
}

/// Does what the next line says, when the last turn is over.
fn obey(mut evening: ResMut<Evening>, mut commands: Commands, mut exit: MessageWriter<AppExit>) {
    if evening.1 {
        return;
    }
    let line = match evening.0.get_mut().map(|typed| typed.try_recv()) {
        Ok(Ok(line)) => line.trim().to_owned(),
        Ok(Err(TryRecvError::Empty)) => return,
        _ => {
            exit.write(AppExit::Success);
            return;
        }
    };
    println!("\n> {line}");
    let mut turn = PlayerTurn::new(id!("ann"), &*line);
    match line.split_once(' ').unwrap_or((&line, "")) {
        ("undo", _) => return commands.retract_turn(),
        ("ask", question) => {
            evening.1 = true;
            return commands.ask_aside(question);
        }
        ("whisper", rest) => {
            let (name, words) = rest.split_once(':').unwrap_or_default();
            match name.trim().to_lowercase().parse() {
                Ok(listener) => turn.whisper_to = vec![listener],
                Err(_) => return println!("(whisper NAME: what you say)"),
            }
            turn.intention = Some(words.trim().to_owned());
        }
        _ => {}
    }
    evening.1 = true;
    commands.play_turn(turn);
}

/// A turn that is refused has no entity, so no observer hears of it, but there is a message.
fn say_why_refused(mut refused: MessageReader<RequestRefused>, mut evening: ResMut<Evening>) {
    for refused in refused.read() {
        println!("({})", refused.error);
        evening.1 = false;
    }
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

fn end_turn(ended: On<AdventureTurnEnded>, mut evening: ResMut<Evening>) {
    let record = &ended.record;
    if let (TurnStatus::Failed, Some(failure)) = (record.status(), &record.failure) {
        println!("(That has not happened: {}. Try again.)", failure.error);
    }
    evening.1 = false;
}
