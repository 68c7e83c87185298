//! A short visit that takes pictures: the smoke test of the window, and the pictures of the docs. It is played in low quality; each
//! picture is taken in the one that is asked for, which takes a processor seconds a frame.

use crate::cast::PLAYER;
use crate::door;
use crate::game::{TOWER, YARD};
use crate::scene::Quality;
use crate::talk::Talk;
use crate::visit::{VISIT_OF_BRYN, has, is, is_in};
use bevy::prelude::*;
use bevy::render::view::screenshot::{Screenshot, save_to_disk};
use bevy_dramatis::base::{DramatisClock, GameTime, ManualClock, Millis};
use bevy_dramatis::events::AdventureTurnEnded;
use bevy_dramatis::inspector::{InspectorSettings, Selection, Tab};
use bevy_dramatis::journal::MemoryJournalPlugin;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{WorldState, WorldView};
use std::path::PathBuf;

/// What happens in the visit, in order.
#[derive(Clone, Copy)]
enum Step {
    /// Something is said, done or asked for; what follows waits for the answer.
    Say(&'static str),
    /// Game time moves on to this; the next step waits for this number of answers.
    Until(GameTime, usize),
    /// A storm rises, or dies down.
    Storm,
    /// The inspector shows a panel, or none.
    Look(Tab),
    Close,
    /// The inspector shows this attempt of the newest run.
    Attempt(usize),
    /// A picture is taken; the name of its file, without `.png`.
    Take(&'static str),
    /// By now this must hold; otherwise the visit ends with an error.
    Check(&'static str, fn(&WorldState) -> bool),
}

use Step::{Attempt, Check, Close, Look, Say, Storm, Take, Until};

const VISIT: &[Step] = &[
    Take("yard"),
    Say("Would you let me in?"),
    Check("the door is open", |world| is(world, "door_1", "open")),
    Say("> go to the tower"),
    Check("the traveller is inside", |world| is_in(world, TOWER)),
    Say("May I borrow the key?"),
    Check("the traveller has the brass key", |world| {
        has(world, PLAYER, "key_1")
    }),
    Take("talk"),
    // Bryn comes in and talks to the wizard, and goes again.
    Until(VISIT_OF_BRYN[0], 3),
    Take("gossip"),
    Until(VISIT_OF_BRYN[1], 0),
    Say("Eldrin, tell me the secret of this tower."),
    Look(Tab::Runs),
    // The one that the gate rejected.
    Attempt(0),
    Take("inspector-runs"),
    Look(Tab::Prompt),
    Take("inspector-prompt"),
    Look(Tab::Characters),
    Take("inspector-characters"),
    Look(Tab::Memory),
    Take("inspector-memory"),
    Look(Tab::Rules),
    Take("inspector-rules"),
    Look(Tab::Engine),
    Take("inspector-engine"),
    Look(Tab::Journal),
    Take("inspector-journal"),
    Say("* I sit down by the fire and warm my hands"),
    Take("room"),
    Look(Tab::Stream),
    Take("inspector-stream"),
    // He has one key, and sees another: the question back.
    Say("> take the key"),
    Look(Tab::World),
    Take("inspector-world"),
    Close,
    Storm,
    Say("> go to the yard"),
    Check("the traveller is outside", |world| is_in(world, YARD)),
    Take("night"),
    Storm,
    Say("> go to the tower"),
    // His plan, with the question whether he may.
    Say("! brew a potion"),
    Take("plan"),
    Look(Tab::Plans),
    Take("inspector-plans"),
];
/// Seconds between an answer and what follows: for the door to swing. A slow machine draws few frames in them.
const PAUSE: f32 = 2.5;
/// Frames between a panel's first and its picture: egui measures first.
const SETTLED: u32 = 4;
/// Frames until everything is drawn in another quality.
const REDRAWN: u32 = 6;
/// No visit takes more seconds.
const LONGEST: f32 = 400.0;

#[derive(Resource)]
struct Visit {
    /// The folder of the pictures.
    folder: PathBuf,
    /// How many steps are done.
    done: usize,
    /// How many answers must come, and have come, before the next step.
    awaited: usize,
    answers: usize,
    /// Seconds since the last answer.
    quiet: f32,
    /// Frames since the last step.
    frames: u32,
    /// The quality in which pictures are taken.
    quality: Quality,
    /// The picture that is to be taken in that quality, and whether it is being taken; `None`: none.
    next_picture: Option<(&'static str, bool)>,
}

/// Lets the app visit the wizard, take pictures of this quality into a folder, and leave: with an error if one is missing.
pub fn take(app: &mut App, folder: PathBuf, quality: Quality) {
    app.add_plugins(MemoryJournalPlugin)
        // Bryn stays in the yard until the visit says so.
        .insert_resource(ManualClock)
        .insert_resource(Quality::Low)
        .insert_resource(Visit {
            folder,
            done: 0,
            // The first is to the knocking.
            awaited: 1,
            answers: 0,
            quiet: 0.0,
            frames: 0,
            quality,
            next_picture: None,
        })
        .add_systems(Update, go_on)
        .add_observer(|_: On<Spoke>, mut visit: ResMut<Visit>| visit.answered())
        .add_observer(|_: On<TurnEnded>, mut visit: ResMut<Visit>| visit.answered())
        .add_observer(|_: On<AdventureTurnEnded>, mut visit: ResMut<Visit>| visit.answered())
        .add_observer(|_: On<PlanQuestion>, mut visit: ResMut<Visit>| visit.answered());
}

impl Visit {
    fn answered(&mut self) {
        self.answers += 1;
        self.quiet = 0.0;
    }

    fn file(&self, name: &str) -> PathBuf {
        self.folder.join(name).with_extension("png")
    }

    fn is_settled(&self) -> bool {
        self.answers >= self.awaited && self.quiet >= PAUSE && self.frames >= SETTLED
    }
}

fn go_on(
    mut commands: Commands,
    mut visit: ResMut<Visit>,
    mut talk: ResMut<Talk>,
    mut selection: ResMut<Selection>,
    mut inspector: ResMut<InspectorSettings>,
    mut quality: ResMut<Quality>,
    mut exit: MessageWriter<AppExit>,
    mut clock: ResMut<DramatisClock>,
    time: Res<Time>,
) {
    if time.elapsed_secs() > LONGEST {
        exit.write(AppExit::error());
        return;
    }
    visit.frames += 1;
    visit.quiet += time.delta_secs();
    match visit.next_picture {
        None => {}
        Some((name, false)) if visit.frames >= REDRAWN => {
            picture(&mut commands, visit.file(name));
            visit.next_picture = Some((name, true));
            return;
        }
        Some((name, true)) if visit.file(name).exists() => {
            quality.set_if_neq(Quality::Low);
            visit.next_picture = None;
        }
        Some(_) => return,
    }
    if !visit.is_settled() {
        return;
    }
    let Some(step) = VISIT.get(visit.done) else {
        // One that is still being taken is waited for.
        let is_there = |step: &Step| match step {
            Take(name) => visit.file(name).exists(),
            _ => true,
        };
        if VISIT.iter().all(is_there) {
            exit.write(AppExit::Success);
        }
        return;
    };
    visit.done += 1;
    visit.frames = 0;
    match *step {
        Say(line) => {
            visit.awaited = visit.answers + 1;
            inspector.open = false;
            talk.outgoing = Some(line.to_owned());
        }
        Until(time, answers) => {
            visit.awaited = visit.answers + answers;
            // A step takes a few seconds.
            clock.game = time.after(Millis(10_000));
        }
        Storm => commands.run_system_cached(door::turn_weather),
        Close => inspector.open = false,
        Look(tab) => {
            inspector.open = true;
            *selection = Selection::default();
            selection.tab = Some(tab);
        }
        Attempt(attempt) => selection.attempt = Some(attempt),
        Check(what, holds) => commands.queue(move |world: &mut World| {
            if !holds(&WorldView::new(world).to_state()) {
                error!("this does not hold: {what}");
                world.write_message(AppExit::error());
            }
        }),
        Take(name) if visit.quality == Quality::Low => picture(&mut commands, visit.file(name)),
        Take(name) => {
            // An old picture must not pass for a new one.
            let _ = std::fs::remove_file(visit.file(name));
            *quality = visit.quality;
            visit.next_picture = Some((name, false));
        }
    }
}

fn picture(commands: &mut Commands, file: PathBuf) {
    // An old picture must not pass for a new one.
    let _ = std::fs::remove_file(&file);
    commands
        .spawn(Screenshot::primary_window())
        .observe(save_to_disk(file));
}
