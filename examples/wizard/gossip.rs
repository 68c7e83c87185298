//! Bryn's visits. Her routine (`assets/npcs/gardener.npc.ron`) leads her in and out, and the rulebook judges each of her steps:
//! nothing is written here for that. While she visits, she says something, and the two talk for a few lines, character to
//! character.

mod answers;
mod lines;
mod pair;
mod progress;

pub use progress::Gossip;

use crate::cast::GARDENER;
use crate::door::Happens;
use bevy::prelude::*;
use bevy_dramatis::events::GameLoaded;
use bevy_dramatis::npc::Doing;
use bevy_dramatis::world::WorldIndex;
use progress::Step;

/// How many lines are said in a visit, the opening included.
pub const MOST_LINES: u8 = 4;
/// What her routine says that she does while she visits.
const VISITS: &str = "visits Eldrin";
/// Seconds in which she has walked up to him; else there is no talk this time.
const WALKS_UP: f32 = 20.0;

/// Adds the talks of her visits.
pub fn plugin(app: &mut App) {
    app.init_resource::<Gossip>()
        .add_plugins((lines::plugin, answers::plugin))
        .add_observer(come_or_go)
        .add_observer(|_: On<GameLoaded>, mut gossip: ResMut<Gossip>| gossip.step = None);
}

/// A character says a line that is not an answer to a line: it has no run, and no other event tells of it.
#[derive(Event)]
pub struct Says {
    pub who: Entity,
    pub to: Entity,
    pub line: String,
}

/// She has arrived where her routine leads her.
fn come_or_go(
    begun: On<Insert, Doing>,
    doings: Query<&Doing>,
    ids: Res<WorldIndex>,
    mut gossip: ResMut<Gossip>,
    mut commands: Commands,
) {
    if ids.get(GARDENER) != Some(begun.entity) {
        return;
    }
    let visits = doings
        .get(begun.entity)
        .is_ok_and(|doing| doing.text == VISITS);
    let did = std::mem::replace(&mut gossip.visits, visits);
    if visits && !did {
        commands.trigger(Happens("Bryn comes in."));
        gossip.goes_to(Step::WalkingUp, WALKS_UP);
    } else if did && !visits {
        commands.trigger(Happens("Bryn goes back to her herbs."));
    }
}
