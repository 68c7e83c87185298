//! The plugin of adventures.

use super::aside::{AskingAside, answer_asides};
use super::markers::PendingMarkers;
use super::orchestrator::advance_turns;
use super::recap::Recaps;
use super::recap_call::{MakingRecap, keep_recaps};
use super::review::WaitingCalls;
use super::states::{CurrentStates, Personas};
use super::stream::Stream;
use super::told_turn::{
    EndedTurns, TellingTurn, TurnNarration, begin_telling, end_telling, note_ended, some_have_ended,
};
use super::tools::ToolRegistry;
use super::turn::{AdventureTurn, EndedTurn};
use super::write_states::{add_personas, on_states_let_go, on_states_written, show_persona_states};
use crate::authoring::adventure_settings::AdventureSettings;
use crate::pipeline::StageHost;
use crate::pipeline::driver::systems::{AdvanceSystems, PipelineSystems, ResultSystems};
use crate::settings::add_resource;
use crate::story::ActiveStory;
use crate::story::lore::Lorebook;
use bevy::ecs::intern::Interned;
use bevy::ecs::schedule::ScheduleLabel;
use bevy::prelude::*;

/// Adventure turns. Part of [`DramatisPlugins`](crate::plugin::DramatisPlugins); a game without them disables it there.
pub struct AdventurePlugin(Interned<dyn ScheduleLabel>);

impl AdventurePlugin {
    pub(crate) fn new(schedule: Interned<dyn ScheduleLabel>) -> Self {
        Self(schedule)
    }
}

impl Plugin for AdventurePlugin {
    fn build(&self, app: &mut App) {
        add_resource::<TurnNarration>(app, "tell_turns");
        app.init_resource::<AdventureSettings>()
            .init_resource::<Lorebook>()
            .init_resource::<PendingMarkers>()
            .init_resource::<Personas>()
            .init_resource::<Recaps>()
            .init_resource::<ToolRegistry>()
            .init_resource::<WaitingCalls>()
            .init_resource::<EndedTurns>()
            .init_resource::<Stream>()
            .register_type::<TurnNarration>()
            .register_type::<CurrentStates>()
            .add_observer(on_states_written)
            .add_observer(on_states_let_go)
            .add_observer(note_ended)
            .add_systems(
                self.0,
                (
                    open_adventure
                        .run_if(resource_exists_and_changed::<ActiveStory>)
                        .before(PipelineSystems::Interaction),
                    go_on
                        .run_if(any_with_component::<StageHost>)
                        .in_set(AdvanceSystems::Adventures),
                    (
                        begin_telling.run_if(some_have_ended),
                        forget_ended.run_if(any_with_component::<EndedTurn>),
                        show_persona_states.run_if(resource_exists_and_changed::<Personas>),
                    )
                        .chain()
                        .after(ResultSystems),
                ),
            );
    }
}

/// Takes everything on that waits for stages. One system, since each costs something in every frame.
fn go_on(
    world: &mut World,
    turns: &mut QueryState<Entity, With<AdventureTurn>>,
    telling: &mut QueryState<(Entity, &'static TellingTurn)>,
    asking: &mut QueryState<(Entity, &'static AskingAside)>,
    recaps: &mut QueryState<(Entity, &'static MakingRecap)>,
) {
    advance_turns(world, turns);
    end_telling(world, telling);
    answer_asides(world, asking);
    keep_recaps(world, recaps);
}

/// A story that was loaded brings its lore, its settings and its personas. A persona that is played already stays as it is.
fn open_adventure(
    story: Res<ActiveStory>,
    mut book: ResMut<Lorebook>,
    mut settings: ResMut<AdventureSettings>,
    mut personas: ResMut<Personas>,
) {
    *book = book.reopened(&story.0);
    if let Some(own) = story.0.adventure {
        *settings = own;
    }
    add_personas(&mut personas, &story.0.personas);
}

/// Despawns turns that are over, once all observers have been told.
fn forget_ended(ended: Query<Entity, With<EndedTurn>>, mut commands: Commands) {
    for turn in &ended {
        commands.entity(turn).try_despawn();
    }
}
