//! The game: who is in it, what the player asks for, and what the rulebook leaves to the game. It needs no window.

use crate::tale;
use bevy::prelude::*;
use bevy_dramatis::pipeline::{Delivery, DialoguePolicy, RunPolicy};
use bevy_dramatis::plans::{PlanSettings, Profile};
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{DisplayName, Kind, WorldIndex};

/// What everybody says when there is no model.
pub const SCRIPT: &str = "scripts/wizard.script.ron";
/// The wizard's id, as his file has it.
pub const WIZARD: &str = "wizard_001";
/// The gardener's id, as her file has it.
pub const GARDENER: &str = "gardener_001";
/// The player's id, as the story has it.
pub const PLAYER: &str = "player";
/// The places of the story, by their ids.
pub const TOWER: &str = "tower";
pub const YARD: &str = "yard";
/// Who can be spoken to by name, with the id.
const NAMES: [(&str, &str); 2] = [("Eldrin", WIZARD), ("Bryn", GARDENER)];

/// Adds the cast and the game's own rule.
pub fn plugin(app: &mut App) {
    app.insert_resource(PlanSettings {
        // Every plan is shown before it is carried out.
        profile: Profile::Safe,
        ..PlanSettings::default()
    })
    // What he says is heard sentence by sentence.
    .insert_resource(DialoguePolicy(
        RunPolicy::DIALOGUE.delivered(Delivery::Sentences),
    ))
    .init_resource::<StepPause>()
    .init_resource::<Listener>()
    .add_systems(Startup, cast)
    .add_systems(Update, end_pause)
    .add_observer(read_letters)
    .add_observer(take_time);
}

fn cast(mut commands: Commands, assets: Res<AssetServer>) {
    // The story brings the world: tower and yard, door, keys, chest, and the player. Its rulebook says what can be done.
    commands.insert_resource(Story(assets.load("tower.story.ron")));
    // The wizard is in the world before his file is: the story puts the key into his hands.
    commands.spawn((
        Npc(assets.load("npcs/wizard.npc.ron")),
        WorldId(id!(WIZARD)),
        DisplayName("Eldrin".to_owned()),
        Kind("character".to_owned()),
    ));
    // Her file says all of the gardener: who she is, and that she is in the yard.
    commands.spawn(Npc(assets.load("npcs/gardener.npc.ron")));
}

/// How long the wizard takes for each step of a plan, in seconds.
const STEP_SECONDS: f32 = 1.5;

/// The id of the character to whom the player speaks, if no name says otherwise. The scene may set it to who is near.
#[derive(Resource)]
pub struct Listener(pub &'static str);

impl Default for Listener {
    fn default() -> Self {
        Self(WIZARD)
    }
}

/// The player says something, asks for something, or lets something be told: others fall silent.
#[derive(Event)]
pub struct PlayerSpeaks;

/// A line of the player: after a `>` it is an action, after a `*` it is told, after a `!` it is a wish that the wizard plans
/// for. Any other line is said to a character.
pub fn enter(
    In(line): In<String>,
    mut commands: Commands,
    ids: Res<WorldIndex>,
    listener: Res<Listener>,
) {
    let line = line.trim();
    let Some(player) = ids.get(PLAYER) else {
        return;
    };
    if let Some(action) = line.strip_prefix('>') {
        commands.entity(player).act(action);
        return;
    }
    commands.trigger(PlayerSpeaks);
    if let Some(intention) = line.strip_prefix('*') {
        let intention = intention.to_owned();
        commands.queue(move |world: &mut World| tale::tell(world, &intention));
        return;
    }
    if let Some(wish) = line.strip_prefix('!') {
        if let Some(wizard) = ids.get(WIZARD) {
            commands.entity(wizard).ask_plan(wish.trim());
        }
        return;
    }
    let to = named(line).unwrap_or(listener.0);
    if let Some(to) = ids.get(to) {
        commands.entity(to).hear(player, line);
    }
}

/// To whom a line is said that begins with a name and a comma: "Bryn, what grows here?"
fn named(line: &str) -> Option<&'static str> {
    let (name, _) = line.split_once(',')?;
    let is_called = |(called, _): &&(&str, &str)| called.eq_ignore_ascii_case(name.trim());
    NAMES.iter().find(is_called).map(|(_, id)| *id)
}

/// Not only words make a character respond: the traveller knocks.
pub fn knock(mut commands: Commands, ids: Res<WorldIndex>) {
    if let Some(wizard) = ids.get(WIZARD) {
        commands.entity(wizard).interact(Request {
            trigger_id: Some("tower_gate".to_owned()),
            prompt: Some("Somebody knocks at the tower door.".to_owned()),
            ..Request::new(TriggerReason::ZoneTrigger)
        });
    }
}

/// The rulebook has opened the chest, for any actor. Only this game knows that letters are in it: they are about the crown,
/// so from now on the wizard may speak of it.
fn read_letters(opened: On<Applied<Open>>, mut writes: GameWrites) {
    if opened.action.target == "chest_1" {
        writes.set_flag("crowned", true);
    }
}

/// The plan whose step the wizard is busy with, and for how many seconds yet. `None`: he is not.
#[derive(Resource, Default)]
struct StepPause(Option<(PlanId, f32)>);

/// A step takes its time: the plan is held until it is over.
fn take_time(
    done: On<StepDone>,
    mut pause: ResMut<StepPause>,
    mut commands: Commands,
    plans: Res<Plans>,
) {
    // After the last step there is nothing to hold.
    if plans
        .get(done.plan)
        .is_none_or(|plan| plan.status.is_over())
    {
        return;
    }
    pause.0 = Some((done.plan, STEP_SECONDS));
    commands.hold_plan(done.plan, true);
}

fn end_pause(
    mut pause: ResMut<StepPause>,
    mut commands: Commands,
    time: Res<Time>,
    plans: Res<Plans>,
) {
    let Some((plan, left)) = &mut pause.0 else {
        return;
    };
    *left -= time.delta_secs();
    if *left <= 0.0 {
        // It may be over: then there is nothing to hold.
        if plans.get(*plan).is_some_and(|plan| !plan.status.is_over()) {
            commands.hold_plan(*plan, false);
        }
        pause.0 = None;
    }
}
