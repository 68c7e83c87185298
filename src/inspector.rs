//! The inspector: a window over the game that shows what every run did, and why.
//!
//! The application adds egui; the inspector draws with it and nothing else:
//!
//! ```no_run
//! use bevy::prelude::*;
//! use bevy_dramatis::inspector::InspectorPlugin;
//! use bevy_dramatis::inspector::bevy_egui::EguiPlugin;
//! use bevy_dramatis::prelude::*;
//!
//! App::new()
//!     .add_plugins((DefaultPlugins, EguiPlugin::default()))
//!     .add_plugins((DramatisPlugins::silent(), InspectorPlugin))
//!     .run();
//! ```
//!
//! A camera that carries egui's primary context must exist; F12, or another key of [`InspectorSettings`], shows and hides the
//! window. It reads, and writes only the answers to plans: closing it changes nothing, and a game can ship without it.
//! While it is closed it keeps the last turns of actors, counts what rules find, and draws nothing; while it is open it reads
//! the runs and the minds, and the rest for the panel that is seen.
//!
//! | panel | what it shows |
//! |---|---|
//! | Runs | live and past runs: the nine outputs in order, attempt by attempt, raw next to read, each failure marked |
//! | Prompt | its sections with their sizes, what had no room, what differs from the prompt before |
//! | Characters | where they are, what they perceive, what they are like, what waits for them |
//! | Memory | what each remembers, what it would remember of a question, what its runs have changed |
//! | World | what is where, and what an actor can do now, or why not |
//! | Stream | the messages of an adventure, as each stage sees them |
//! | Plans | checks, risk, gates, and the buttons for those that wait |
//! | Rules | which were asked for, what each has found and where, and which never did |
//! | Engine | which model serves, how it is doing, what its calls took |
//! | Journal | what was written down, record by record; the world as it was then; what if a reply or a rule had been another one |
//!
//! A game can open it at a place: "what did he just think?"
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_dramatis::inspector::{InspectorSettings, Selection};
//!
//! fn explain(run: Entity, settings: &mut InspectorSettings, selection: &mut Selection) {
//!     selection.show_run(run);
//!     settings.open = true;
//! }
//! # let (mut settings, mut selection) = (InspectorSettings::default(), Selection::default());
//! # explain(Entity::PLACEHOLDER, &mut settings, &mut selection);
//! # assert!(settings.open);
//! ```
//!
//! The journal's panel judges a recorded run once more, with edited replies and rules, without a model and without a change
//! of the game. A game with rules, checks or actions in Rust says so by [`ReplayConfigure`].
//!
//! What a panel shows is computed by plain functions, so that tests need no window.

mod background;
pub(crate) mod characters;
pub(crate) mod dock;
pub(crate) mod engines;
pub(crate) mod journal;
pub(crate) mod marked;
pub(crate) mod memory;
pub(crate) mod past;
pub(crate) mod plans;
pub(crate) mod prompt;
mod reply;
pub(crate) mod rules;
pub(crate) mod run;
pub(crate) mod runs;
mod scores;
mod selection;
mod shown;
pub(crate) mod stream;
mod tab;
pub(crate) mod theme;
pub(crate) mod view;
pub(crate) mod what_if;
mod widgets;
pub(crate) mod world;

pub use ::bevy_egui;
pub(crate) use dock::{InspectorLayout, inspector_ui};
#[cfg(feature = "inspector")]
pub use engines::TokenPrices;
pub use plans::PlanAnswer;
pub use selection::Selection;
pub use tab::Tab;
pub(crate) use view::InspectorView;
pub use what_if::ReplayConfigure;

use crate::pipeline::RunHistory;
use crate::plans::PlanCommandsExt;
use bevy::ecs::system::SystemState;
use bevy::input::ButtonInput;
use bevy::prelude::*;
use bevy_egui::{EguiContexts, EguiPlugin, EguiPrimaryContextPass, egui};

/// Whether the inspector is shown, and which key toggles it.
#[derive(Resource, Debug, Clone, Copy, PartialEq, Eq, Reflect)]
#[reflect(Resource)]
pub struct InspectorSettings {
    /// Whether its window is shown. Default: false.
    pub open: bool,
    /// The key that shows and hides it, F12 by default; `None` where the game does so itself.
    pub key: Option<KeyCode>,
}

impl Default for InspectorSettings {
    fn default() -> Self {
        Self {
            open: false,
            key: Some(KeyCode::F12),
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
            .init_resource::<InspectorLayout>()
            .init_resource::<ReplayConfigure>()
            .init_resource::<engines::ModelChanges>()
            .add_observer(engines::note_model_change)
            .init_resource::<rules::RecentTurns>()
            .init_resource::<rules::FindingCounts>()
            .add_observer(rules::note_turn)
            .add_observer(rules::count_run)
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

/// Draws the window. It may run several times a frame, so it changes nothing but the selection and the layout; what is answered
/// to a plan is sent once.
fn draw(world: &mut World, contexts: &mut SystemState<EguiContexts>) {
    // The context is gone while the window closes.
    let context = contexts
        .get_mut(world)
        .map(|mut contexts| contexts.ctx_mut().cloned());
    let Ok(Ok(context)) = context else {
        return;
    };
    let mut selection = world.remove_resource::<Selection>().unwrap_or_default();
    let mut layout = world
        .remove_resource::<InspectorLayout>()
        .unwrap_or_default();
    let view = InspectorView::of(world);
    let mut open = true;
    let screen = context.content_rect();
    let margin = egui::vec2(12.0, 12.0);
    egui::Window::new("Inspector")
        .open(&mut open)
        .frame(theme::window(&context.global_style()))
        .default_pos(screen.right_top() + egui::vec2(-dock::WIDTH - margin.x, margin.y))
        .default_size([dock::WIDTH, screen.height() - 60.0])
        .constrain(true)
        .show(&context, |ui| {
            inspector_ui(ui, &view, &mut layout, &mut selection)
        });
    let answer = selection.plan_answer.take();
    world.insert_resource(selection);
    world.insert_resource(layout);
    let mut commands = world.commands();
    match answer {
        None => {}
        Some(PlanAnswer::Approve(plan)) => commands.approve_plan(plan),
        Some(PlanAnswer::Deny(plan)) => commands.deny_plan(plan),
        Some(PlanAnswer::Another(plan)) => commands.regenerate_plan(plan),
    }
    world.flush();
    if let Some(mut settings) = world
        .get_resource_mut::<InspectorSettings>()
        .filter(|_| !open)
    {
        settings.open = false;
    }
}

#[cfg(test)]
mod tests;
