//! The people of the street are asked what is typed.

use crate::{DAY_ENDS, Pace, WAKES};
use bevy::prelude::*;
use bevy_dramatis::base::DramatisClock;
use bevy_dramatis::pipeline::RetrievedContext;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::WorldIndex;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, TryRecvError, channel};

/// What is typed; its end is no error.
#[derive(Resource)]
struct Typed(Mutex<Receiver<String>>);

pub fn plugin(app: &mut App) {
    let (sender, typed) = channel();
    std::thread::spawn(move || {
        let lines = std::io::stdin().lines().map_while(Result::ok);
        lines.for_each(|line| drop(sender.send(line)));
    });
    app.insert_resource(Typed(Mutex::new(typed)))
        .add_systems(Update, listen.run_if(dramatis_ready))
        .add_observer(refused)
        .add_observer(remembered);
}

/// Asks the one who is named in a line. When the day is over and the input has ended, Dora is asked.
fn listen(
    typed: Res<Typed>,
    mut pace: ResMut<Pace>,
    people: Res<WorldIndex>,
    player: Single<Entity, With<Player>>,
    time: Res<DramatisClock>,
    mut commands: Commands,
) {
    let line = typed
        .0
        .lock()
        .map_or(Err(TryRecvError::Empty), |typed| typed.try_recv());
    let is_over = time.game.0 / 1_000 + WAKES >= DAY_ENDS;
    let line = match line {
        Ok(line) => line,
        Err(TryRecvError::Disconnected) if pace.0 == 60 => return pace.0 = 12_000,
        Err(TryRecvError::Disconnected) if is_over && pace.0 > 0 => {
            pace.0 = 0;
            "dora: What did you do today?".to_owned()
        }
        Err(_) => return,
    };
    let asked = line
        .split_once(':')
        .and_then(|(name, words)| Some((people.get(name.trim())?, words)));
    match asked {
        Some((npc, words)) => {
            println!("       you: {}", words.trim());
            commands.entity(npc).hear(*player, words.trim());
        }
        None => println!("Write a name, a colon and your words, as in `ada: Good morning!`"),
    }
}

fn refused(refused: On<RequestRefused>) {
    println!("       ({} is not asked: {})", refused.npc, refused.error);
}

/// What the character that has answered remembers of the day.
fn remembered(
    ended: On<RunEnded>,
    runs: Query<&RetrievedContext>,
    pace: Res<Pace>,
    mut exit: MessageWriter<AppExit>,
) {
    let found = runs
        .get(ended.run)
        .into_iter()
        .flat_map(RetrievedContext::episodes);
    let found: Vec<&str> = found.map(|(_, text)| text).collect();
    println!("       ({} remembers: {})", ended.npc, found.join(" "));
    if pace.0 == 0 {
        exit.write(AppExit::Success);
    }
}
