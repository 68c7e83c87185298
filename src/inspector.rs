//! The inspector: a window over the game that shows what every run did, and why (contract row I3; feature
//! `inspector`).
//!
//! The application adds egui; the inspector draws with it and nothing else:
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_dramatis::inspector::{InspectorPlugin, bevy_egui::EguiPlugin};
//! use bevy_dramatis::prelude::*;
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, EguiPlugin::default()))
//!     .add_plugins((DramatisPlugins::silent(), InspectorPlugin))
//!     .run();
//! ```
//!
//! A camera that carries egui's primary context must exist; F1, or another key of [`InspectorSettings`], shows and
//! hides the window. It reads and never writes: closing it changes nothing, and a game can ship without it.
//!
//! The views of [`view`] are plain borrows of a run's components, and everything that draws is a function of them, so
//! that tests need no window.

pub mod marked;
pub mod minds;
pub mod plans;
mod reply;
pub mod run;
mod selection;
mod shown;
pub mod view;
mod widgets;
pub mod window;

pub use bevy_egui;
pub use plans::{PlanAnswer, plan_ui, plans_ui};
pub use selection::{Selection, Tab};
pub use shown::{Parsed, Shown};
pub use view::{EngineView, InspectorView, MindView, RunView};
pub use widgets::outcome_colour;
pub use window::inspector_ui;

use crate::base::clock::DramatisClock;
use crate::base::counters::DramatisCounters;
use crate::engine::{DefaultEngine, Engines};
use crate::memory::{DormantMinds, Mind};
use crate::npc::{LoadedCharacter, RequestQueue};
use crate::pipeline::{EngineRoom, EngineStatuses, RunHistory};
use crate::plans::{PlanCommandsExt, Plans};
use bevy::ecs::system::SystemParam;
use bevy::input::ButtonInput;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass, egui};
use view::RunParts;

/// Whether the inspector is shown, and which key toggles it.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Resource)]
pub struct InspectorSettings {
    /// Whether its window is shown. Default: false.
    pub open: bool,
    /// The key that shows and hides it, F1 by default; `None` where the game does so itself.
    pub key: Option<KeyCode>,
}

impl Default for InspectorSettings {
    fn default() -> Self {
        Self {
            open: false,
            key: Some(KeyCode::F1),
        }
    }
}

/// Adds the inspector. The application adds `EguiPlugin`; where it does not, an error is logged and nothing is drawn.
#[derive(Debug, Clone, Copy, Default)]
pub struct InspectorPlugin;

impl Plugin for InspectorPlugin {
    fn build(&self, app: &mut App) {
        app.register_type::<InspectorSettings>()
            .register_type::<Selection>()
            .init_resource::<InspectorSettings>()
            .init_resource::<Selection>()
            .add_systems(PreUpdate, toggle.after(bevy::input::InputSystems))
            .add_systems(
                EguiPrimaryContextPass,
                draw.run_if(|settings: Res<InspectorSettings>| settings.open)
                    .run_if(resource_exists::<RunHistory>),
            );
    }

    fn finish(&self, app: &mut App) {
        if !app.is_plugin_added::<EguiPlugin>() {
            log::error!(
                "the inspector draws with egui, which the application adds: \
                 app.add_plugins(bevy_dramatis::inspector::bevy_egui::EguiPlugin::default());"
            );
        }
    }
}

fn toggle(mut settings: ResMut<InspectorSettings>, keys: Option<Res<ButtonInput<KeyCode>>>) {
    let pressed = |key| keys.as_ref().is_some_and(|keys| keys.just_pressed(key));
    if settings.key.is_some_and(pressed) {
        settings.open = !settings.open;
    }
}

/// Everything that the inspector reads.
#[derive(SystemParam)]
struct Inspected<'w, 's> {
    runs: Query<'w, 's, RunParts>,
    minds: Query<
        'w,
        's,
        (
            &'static LoadedCharacter,
            &'static Mind,
            &'static RequestQueue,
        ),
    >,
    dormant: Res<'w, DormantMinds>,
    counters: Res<'w, DramatisCounters>,
    engine: Res<'w, DefaultEngine>,
    engines: Option<Res<'w, Engines>>,
    statuses: Option<Res<'w, EngineStatuses>>,
    room: Option<Res<'w, EngineRoom>>,
    clock: Res<'w, DramatisClock>,
    plans: Option<Res<'w, Plans>>,
}

impl Inspected<'_, '_> {
    fn engines(&self) -> impl Iterator<Item = EngineView<'_>> {
        let named = self.engines.iter().flat_map(|engines| engines.names());
        let names = std::iter::once(None).chain(named.map(Some));
        let (statuses, room) = (self.statuses.as_deref(), self.room.as_deref());
        names.map(move |name| EngineView::new(name, statuses, room))
    }

    fn view(&self) -> InspectorView<'_> {
        let spawned = self
            .minds
            .iter()
            .map(|(character, mind, queue)| MindView::spawned(&character.0, mind, queue.len()));
        let dormant = self
            .dormant
            .iter()
            .map(|(id, mind)| MindView::dormant(id, mind));
        InspectorView::new(
            self.runs.iter().map(RunView::from),
            spawned.chain(dormant),
            &self.engine.identity,
            *self.counters,
            self.clock.game,
        )
        .with_plans(self.plans.as_deref())
        .with_engines(self.engines())
    }
}

/// Draws the window. It may run several times a frame, so it changes nothing but the selection; what is answered to a plan is
/// sent once.
fn draw(
    mut contexts: EguiContexts,
    inspected: Inspected,
    mut settings: ResMut<InspectorSettings>,
    mut selection: ResMut<Selection>,
    mut commands: Commands,
) {
    // The context is gone while the window closes.
    let Ok(ctx) = contexts.ctx_mut() else {
        return;
    };
    let view = inspected.view();
    let mut open = settings.open;
    let screen = ctx.content_rect();
    egui::Window::new("Inspector")
        .open(&mut open)
        .default_pos(screen.right_top() + egui::vec2(-window::WIDTH - 30.0, 10.0))
        .default_size([window::WIDTH, screen.height() - 80.0])
        .constrain(true)
        .show(ctx, |ui| inspector_ui(ui, &view, &mut selection));
    match selection.plan_answer.take() {
        None => {}
        Some(PlanAnswer::Approve(plan)) => commands.approve_plan(plan),
        Some(PlanAnswer::Deny(plan)) => commands.deny_plan(plan),
        Some(PlanAnswer::Another(plan)) => commands.regenerate_plan(plan),
    }
    if !open {
        settings.open = false;
    }
}

#[cfg(test)]
mod tests;
