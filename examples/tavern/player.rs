//! What the player types becomes turns, whispers, questions and their retraction.

use bevy::prelude::*;
use bevy_dramatis::adventure::{AdventureCommandsExt, PlayerTurn};
use bevy_dramatis::events::{AdventureTurnEnded, AsideAnswered};
use bevy_dramatis::prelude::*;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

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

pub fn plugin(app: &mut App) {
    let (sender, typed) = channel();
    std::thread::spawn(move || {
        let mut lines = std::io::stdin().lines().map_while(Result::ok).peekable();
        if lines.peek().is_none() {
            let _ = EVENING.map(|line| sender.send(line.to_owned()));
        }
        lines.for_each(|line| drop(sender.send(line)));
    });
    app.insert_resource(Evening(Mutex::new(typed), false))
        .add_systems(Update, obey.run_if(dramatis_ready))
        .add_observer(|_: On<AdventureTurnEnded>, mut evening: ResMut<Evening>| evening.1 = false)
        .add_observer(|_: On<AsideAnswered>, mut evening: ResMut<Evening>| evening.1 = false)
        .add_observer(
            |refused: On<RequestRefused>, mut evening: ResMut<Evening>| {
                println!("({})", refused.error);
                evening.1 = false;
            },
        );
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
