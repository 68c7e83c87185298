//! A line after a `*` is told: a turn of an adventure. The rulebook decides the result, the narrator tells it, and the others
//! who are there may act. The last such turn can be taken back.

mod refusals;

pub use refusals::NotTold;

use crate::cast::PLAYER;
use crate::door::Happens;
use bevy::prelude::*;
use bevy_dramatis::adventure::{AdventureSettings, Persona, Personas, PlayerTurn};
use bevy_dramatis::authoring::OnExtractorFailure;
use bevy_dramatis::engine::Stage;
use bevy_dramatis::events::{Narrated, Retraction};
use bevy_dramatis::pipeline::Run;
use bevy_dramatis::prelude::*;

/// What the narrator knows of the traveller.
const TRAVELLER: &str =
    "A traveller on foot, wet from the road, who hopes for a dry night in the tower.";
/// After a `*` it takes the last turn back.
const UNDO: &str = "undo";

/// Adds turns that are told.
pub fn plugin(app: &mut App) {
    app.insert_resource(AdventureSettings {
        // A turn also counts when no extractor can say how it has changed a character.
        on_extractor_failure: OnExtractorFailure::Degrade,
        ..default()
    })
    .add_plugins(refusals::plugin)
    .add_systems(Startup, describe_traveller)
    .add_observer(tell_on)
    .add_observer(|_: On<Retraction>, mut commands: Commands| {
        commands.trigger(Happens("It has not happened."));
    });
}

/// The narrator tells something that the player perceives.
#[derive(Event)]
pub struct Tells {
    pub text: String,
    /// The run that told it.
    pub run: Option<Entity>,
}

fn describe_traveller(mut personas: ResMut<Personas>) {
    let traveller = Persona {
        description: TRAVELLER.to_owned(),
        ..default()
    };
    personas.0.insert(id!(PLAYER), traveller);
}

/// Begins a turn in which the player wants to do this, or takes the last one back.
pub fn tell(commands: &mut Commands, intention: &str) {
    let intention = intention.trim();
    if intention.eq_ignore_ascii_case(UNDO) {
        commands.retract_turn();
    } else {
        commands.play_turn(PlayerTurn::new(id!(PLAYER), intention));
    }
}

fn tell_on(narrated: On<Narrated>, runs: Query<(Entity, &Run)>, mut commands: Commands) {
    let message = &narrated.message;
    if message.audience.iter().any(|who| *who == PLAYER) {
        let narrators = runs.iter();
        let narrators = narrators.filter(|(_, run)| run.stage() == Stage::Narrator);
        let newest = narrators.max_by_key(|(_, run)| run.number());
        commands.trigger(Tells {
            text: message.content.clone(),
            run: newest.map(|(entity, _)| entity),
        });
    }
}
