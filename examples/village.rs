//! A street of eight people over a day: they go to work, eat, drink and tell one another news, and no model is asked.
//!
//! ```text
//! cargo run -p bevy_dramatis --example village
//! DRAMATIS_URL=http://127.0.0.1:8080 cargo run -p bevy_dramatis --example village
//! ```
//!
//! A minute of the street takes a second. Type `ada: What did you do today?` to ask one of them; the people are in `assets/village`.
//! Without a server a script answers, and the line below it says what the character remembers. Where the input has ended, the day takes
//! five seconds and Dora is asked when it is over.
#![allow(clippy::print_stdout, reason = "an example says what it did")]

use bevy::app::ScheduleRunnerPlugin;
use bevy::prelude::*;
use bevy_dramatis::base::{DramatisClock, ManualClock, Millis};
use bevy_dramatis::events::NewsTold;
use bevy_dramatis::memory::Mind;
use bevy_dramatis::npc::Doing;
use bevy_dramatis::pipeline::RetrievedContext;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::WorldIndex;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::Duration;

const PEOPLE: [&str; 8] = [
    "ada", "bram", "cole", "dora", "edwin", "finn", "gwen", "hal",
];
/// When the street wakes up, in seconds after midnight, as its story says; and when the day is over.
const WAKES: i64 = 20_700;
const DAY_ENDS: i64 = 84_600;

const FRAME: Duration = Duration::from_millis(16);

/// What is typed; its end is no error. And how many times faster than the clock on the wall the street is.
#[derive(Resource)]
struct Typed(Mutex<Receiver<String>>, i64);

fn main() -> AppExit {
    let (sender, typed) = channel();
    std::thread::spawn(move || {
        let lines = std::io::stdin().lines().map_while(Result::ok);
        lines.for_each(|line| drop(sender.send(line)));
    });
    let engine = HttpEngine::from_env().or_scripted("scripts/village.script.ron");
    App::new()
        .add_plugins((
            MinimalPlugins.set(ScheduleRunnerPlugin::run_loop(FRAME)),
            AssetPlugin::default(),
            bevy::log::LogPlugin::default(),
        ))
        .add_plugins(DramatisPlugins::new(engine))
        .insert_resource(ManualClock)
        .insert_resource(Typed(Mutex::new(typed), 60))
        .add_systems(Startup, open)
        .add_systems(Update, (pass.run_if(dramatis_ready), listen).chain())
        .add_observer(|went: On<Applied<MoveTo>>, time: Res<DramatisClock>| {
            say(
                &time,
                &format!("{} goes to the {}", went.actor, went.action.target),
            );
        })
        .add_observer(
            |begun: On<Insert, Doing>, people: Query<(&Name, &Doing)>, time: Res<DramatisClock>| {
                if let Ok((name, doing)) = people.get(begun.entity) {
                    say(&time, &format!("{name} {}", doing.text));
                }
            },
        )
        .add_observer(
            |told: On<NewsTold>, minds: Query<&Mind>, time: Res<DramatisClock>| {
                let mind = minds.get(told.entity).ok();
                let news =
                    mind.and_then(|mind| mind.episodes.iter().rev().find(|news| news.hops() > 0));
                let news = news.map_or("", |news| &news.text);
                say(&time, &format!("{} tells {}: {news}", told.from, told.to));
            },
        )
        .add_observer(|spoke: On<Spoke>| println!("       {}: {}", spoke.npc, spoke.line))
        .add_observer(remembered)
        .run()
}

fn open(mut commands: Commands, assets: Res<AssetServer>) {
    commands.insert_resource(Story(assets.load("village/village.story.ron")));
    commands.spawn(Player);
    for id in PEOPLE {
        commands.spawn((
            Npc(assets.load(format!("village/{id}.npc.ron"))),
            Name::new(id),
        ));
    }
}

/// The street moves on. No time passes in it while one of its people is asked.
fn pass(
    time: Res<Time<Real>>,
    typed: Res<Typed>,
    talking: Query<(), With<Thinking>>,
    mut clock: ResMut<DramatisClock>,
) {
    let passed = Millis::from(time.delta());
    clock.call = clock.call.after(passed);
    if talking.is_empty() && clock.game.0 / 1_000 + WAKES < DAY_ENDS {
        clock.game = clock.game.after(Millis(passed.0 * typed.1));
    }
}

/// Asks the one who is named in a line. When the day is over and the input has ended, Dora is asked.
fn listen(
    mut typed: ResMut<Typed>,
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
        Err(TryRecvError::Disconnected) if typed.1 == 60 => return typed.1 = 12_000,
        Err(TryRecvError::Disconnected) if is_over && typed.1 > 0 => {
            typed.1 = 0;
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

/// What the character that has answered remembers of the day.
fn remembered(
    ended: On<RunEnded>,
    runs: Query<&RetrievedContext>,
    typed: Res<Typed>,
    mut exit: MessageWriter<AppExit>,
) {
    let found = runs
        .get(ended.run)
        .into_iter()
        .flat_map(RetrievedContext::episodes);
    let found: Vec<&str> = found.map(|(_, text)| text).collect();
    println!("       ({} remembers: {})", ended.npc, found.join(" "));
    if typed.1 == 0 {
        exit.write(AppExit::Success);
    }
}

/// A line with the time of day before it.
fn say(time: &DramatisClock, line: &str) {
    let minutes = (time.game.0 / 1_000 + WAKES) / 60;
    println!("{:02}:{:02}  {line}", minutes / 60 % 24, minutes % 60);
}
