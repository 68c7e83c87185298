//! A plan: the player asks a porter for something that takes two steps. The rules look at each step, the player says yes, and the
//! steps are done one after another.
//!
//! ```text
//! cargo run -p bevy_dramatis --example plan
//! ```
#![allow(clippy::print_stdout, reason = "an example says what it did")]

use bevy::prelude::*;
use bevy_dramatis::plans::{PlanCharacterExt, PlanCommandsExt, PlanSettings, Plans, Profile};
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{Attributes, DisplayName, Location};

const ODO: &str = r#"(id: "odo", name: "Odo", persona: "You are the porter of the hall.",
    fallbacks: (generic: ["Hm."]))"#;

/// What a model answers: first what it understood, and how sure it is; then the steps.
const UNDERSTOOD: &str =
    r#"{"intent": "fetch", "confidence": 0.9, "context": {"thing": "rope", "to": "player"}}"#;
const STEPS: &str = r#"{"steps": [
    {"id": "s1", "action": {"type": "take", "target": "rope"}, "why": "it lies there"},
    {"id": "s2", "needs": ["s1"], "action": {"type": "give", "target": "rope", "to": "player"}, "why": "she wants it"}
]}"#;

fn main() -> AppExit {
    App::new()
        .add_plugins((
            MinimalPlugins,
            DramatisPlugins::new(ScriptedEngine::saying([UNDERSTOOD, STEPS])),
        ))
        // Every plan waits for the player.
        .insert_resource(PlanSettings {
            profile: Profile::Safe,
            ..default()
        })
        .add_systems(Startup, setup)
        .add_observer(answer)
        .add_observer(|done: On<StepDone>| println!("(done: {})", done.step))
        .add_observer(|ended: On<PlanEnded>, mut exit: MessageWriter<AppExit>| {
            println!("(the plan is {:?})", ended.status);
            exit.write(AppExit::Success);
        })
        .run()
}

fn setup(mut commands: Commands) -> Result {
    let hall = commands
        .spawn((WorldId(id!("hall")), Location::default()))
        .id();
    let takeable = Attributes([("takeable".to_owned(), true.into())].into());
    let rope = DisplayName("rope".to_owned());
    commands.spawn((WorldId(id!("rope")), rope, takeable, PlacedIn(hall)));
    commands.spawn((WorldId(id!("player")), Player, PlacedIn(hall)));
    let odo = LoadedCharacter::from_ron(ODO)?;
    println!("player: Bring me the rope.");
    commands
        .spawn((odo, PlacedIn(hall)))
        .ask_plan("Bring me the rope.");
    Ok(())
}

/// The player is asked. A game shows the steps and waits for a click.
fn answer(question: On<PlanQuestion>, plans: Res<Plans>, mut commands: Commands) {
    for step in plans
        .get(question.plan)
        .into_iter()
        .flat_map(|plan| &plan.steps)
    {
        println!("(planned: {}, since {})", step.intent.kind(), step.why);
    }
    println!("player: Yes.");
    commands.approve_plan(question.plan);
}
