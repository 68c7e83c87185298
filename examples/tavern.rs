//! An evening in a tavern: turns of an adventure, with three characters, in the terminal.
//!
//! ```text
//! cargo run -p bevy_dramatis --example tavern
//! DRAMATIS_URL=http://127.0.0.1:8080 cargo run -p bevy_dramatis --example tavern
//! ```
//!
//! Type what you want to do. Each stage is named as it happens, and what the narrator tells is told at once; a turn whose stage
//! fails is withdrawn. Commands:
//!
//! | line | does |
//! |---|---|
//! | `whisper mira: ..` | only Mira hears it |
//! | `ask ..` | a question outside the story, without an effect |
//! | `undo` | takes the last turn back |
//! | `again` | plays the last turn again |
//! | `save`, `load` | keeps the evening in `tavern.save`, and brings it back (with the feature `store`) |
//! | `quit` | ends |
//!
//! Without a server a script answers. If no player types, a short evening plays by itself.
#![allow(clippy::print_stdout, reason = "an example says what it did")]

use bevy::prelude::*;
use bevy_dramatis::adventure::{
    Persona, Personas, PlayerTurn, Stream, TurnStatus, ask_aside, redo_turn, retract_turn,
    submit_turn,
};
use bevy_dramatis::authoring::{NoFiles, StoryBook};
use bevy_dramatis::engine::{ScriptSpec, Stage};
use bevy_dramatis::events::{AdventureTurnEnded, AsideAnswered, Narrated};
use bevy_dramatis::id;
use bevy_dramatis::pipeline::{ActiveRun, Run};
use bevy_dramatis::plugin::EngineSource;
use bevy_dramatis::prelude::*;
use bevy_dramatis::staging::install_world;
use bevy_dramatis::story::ActiveStory;
use bevy_dramatis::world::ActionRegistry;
use std::io::{BufRead, Write, stdin, stdout};
use std::sync::Arc;
use std::thread::sleep;
use std::time::Duration;

const TAVERN: &str = include_str!("../assets/tavern/tavern.story.ron");

const CAST: [&str; 3] = [
    include_str!("../assets/tavern/mira.npc.ron"),
    include_str!("../assets/tavern/tom.npc.ron"),
    include_str!("../assets/tavern/old_ivo.npc.ron"),
];

/// What a model would say, where there is none.
const SCRIPT: &str = include_str!("../assets/tavern/tavern.script.ron");

/// The evening when no player types.
const EVENING: [&str; 5] = [
    "I take the iron key.",
    "whisper mira: I ask whose chest that is.",
    "I open the chest with the key.",
    "undo",
    "ask What do I carry?",
];

fn main() {
    let mut app = App::new();
    app.add_plugins((MinimalPlugins, DramatisPlugins::new(engine())))
        .add_observer(name_stage)
        .add_observer(tell)
        .add_observer(end_turn)
        .add_observer(|answered: On<AsideAnswered>| {
            println!(
                "({})",
                answered.answer.as_deref().unwrap_or("There is no answer.")
            );
        });
    app.finish();
    app.cleanup();
    furnish(app.world_mut());
    let mut typed = stdin().lock().lines();
    let mut nobody = EVENING.iter();
    let mut asked = false;
    println!(
        "The Crooked Tankard. Mira keeps it; Tom and old Ivo drink. There is an oak chest, and an iron key on a table."
    );
    loop {
        print!("> ");
        let _ = stdout().flush();
        let line = match typed.next() {
            Some(Ok(line)) => {
                asked = true;
                line
            }
            _ if asked => break,
            // No player is there: the evening plays by itself.
            _ => match nobody.next() {
                Some(line) => {
                    println!("{line}");
                    (*line).to_owned()
                }
                None => break,
            },
        };
        if !obey(&mut app, line.trim()) {
            break;
        }
    }
    let told = app.world().resource::<Stream>().messages().len();
    println!("\nThe evening has left {told} messages.");
}

/// A server where the environment names one, else the script.
fn engine() -> EngineSource {
    #[cfg(feature = "http")]
    match HttpEngine::from_env().engine() {
        Some(Ok(engine)) => return engine.into(),
        Some(Err(error)) => {
            println!("The environment names no usable server: {error}. The script answers.")
        }
        None => {}
    }
    let script: ScriptSpec = bevy_dramatis::format::parse_ron(SCRIPT.as_bytes(), "the script")
        .expect("it is part of this file");
    ScriptedEngine::new(&script)
        .expect("it is part of this file")
        .into()
}

/// The world, the cast, and who is played.
fn furnish(world: &mut World) {
    let registry = ActionRegistry::default();
    let story = StoryBook::parse(TAVERN.as_bytes(), "tavern.story.ron", &NoFiles, &registry);
    let story = Arc::new(story.expect("it is part of this file"));
    world.insert_resource(ActiveStory(story.clone()));
    install_world(world, &story);
    for npc in CAST {
        let character = LoadedCharacter::from_ron(npc);
        world.spawn(character.expect("it is part of this file"));
    }
    let ann = Persona {
        description: "A traveller, wet and curious.".to_owned(),
        ..default()
    };
    world.resource_mut::<Personas>().0.insert(id!("ann"), ann);
}

/// Does what a line says, and plays until all of it is over. Whether the evening goes on.
fn obey(app: &mut App, line: &str) -> bool {
    let world = app.world_mut();
    match line.split_once(' ').unwrap_or((line, "")) {
        ("", _) => return true,
        ("quit", _) => return false,
        ("undo", _) => match retract_turn(world) {
            Ok(_) => println!("(It has not happened.)"),
            Err(error) => println!("({error})"),
        },
        ("again", _) => {
            let last = world.resource::<Stream>().turns();
            if let Err(error) = redo_turn(world, last) {
                println!("({error})");
            }
        }
        ("ask", question) => ask_aside(world, question),
        #[cfg(feature = "store")]
        ("save", _) => match bevy_dramatis::journal::save_game(world, "tavern.save".as_ref()) {
            Ok(_) => println!("(Saved.)"),
            Err(error) => println!("({error})"),
        },
        #[cfg(feature = "store")]
        ("load", _) => match bevy_dramatis::journal::load_game(world, "tavern.save".as_ref()) {
            Ok(_) => println!("(Loaded.)"),
            Err(error) => println!("({error})"),
        },
        ("whisper", rest) => match rest.split_once(':') {
            Some((name, words)) => {
                let listener = name.trim().to_lowercase();
                match listener.parse() {
                    Ok(listener) => {
                        let mut turn = PlayerTurn::new(id!("ann"), words.trim());
                        turn.whisper_to = vec![listener];
                        submit_turn(world, turn);
                    }
                    Err(error) => println!("({error})"),
                }
            }
            None => println!("(whisper NAME: what you say)"),
        },
        _ => submit_turn(world, PlayerTurn::new(id!("ann"), line)),
    }
    play(app);
    true
}

/// Plays until nothing is left to be done. A server takes its time.
fn play(app: &mut App) {
    let mut quiet = 0;
    while quiet < 3 {
        app.update();
        let mut runs = app.world_mut().query_filtered::<(), With<ActiveRun>>();
        let busy = runs.iter(app.world()).next().is_some();
        quiet = if busy { 0 } else { quiet + 1 };
        if busy {
            sleep(Duration::from_millis(2));
        }
    }
}

fn name_stage(started: On<RunStarted>, runs: Query<&Run>) {
    let stage = runs.get(started.run).map(Run::stage);
    let what = match stage {
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
