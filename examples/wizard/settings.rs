//! Settings: F3 shows and hides them. What is chosen counts at once.

mod apply;
mod choices;

use self::apply::apply;
use self::choices::{BUDGETS, CALLS, Choice, DELIVERIES, FORMS, PROFILES, QUALITIES};
use crate::cast;
use crate::problems::{Server, reason};
use crate::scene::Quality;
use bevy::ecs::system::SystemParam;
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_dramatis::authoring::ScriptAsset;
use bevy_dramatis::engine::{DefaultEngine, EngineStatus};
use bevy_dramatis::npc::NpcBudget;
use bevy_dramatis::pipeline::{Delivery, DialoguePolicy, EngineStatuses, Form, PromptBudget};
use bevy_dramatis::plans::{PlanSettings, Profile};
use bevy_dramatis::prelude::*;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use std::env::var;

/// Adds the settings.
pub fn plugin(app: &mut App) {
    app.init_resource::<Settings>()
        .add_systems(
            Update,
            (
                toggle.run_if(input_just_pressed(KeyCode::F3)),
                apply.run_if(|settings: Res<Settings>| settings.wish.is_some()),
            ),
        )
        .add_systems(
            EguiPrimaryContextPass,
            window.run_if(|settings: Res<Settings>| settings.open),
        )
        .add_observer(say_why_not);
}

/// A profile cannot always be chosen.
fn say_why_not(failed: On<CommandFailed>, mut settings: ResMut<Settings>) {
    if failed.command == "set_profile" {
        settings.problem = Some(format!("Not now: {}.", reason(&failed.error)));
    }
}

/// What is typed and not used yet, and what was chosen and not done yet. The window may be drawn several times a frame:
/// it notes, and `apply` acts.
#[derive(Resource)]
struct Settings {
    open: bool,
    /// Whether a server is to answer, or the script.
    server: bool,
    url: String,
    model: String,
    wish: Option<Wish>,
    /// Why the last wish was not granted.
    problem: Option<String>,
    /// The authored lines, for a game that began with a server.
    script: Handle<ScriptAsset>,
}

#[derive(Clone, Copy)]
enum Wish {
    Engine,
    Budget(PromptBudget),
    Calls(Option<u32>),
    Profile(Profile),
    Delivery(Delivery),
    Form(Option<Form>),
    Quality(Quality),
}

impl FromWorld for Settings {
    fn from_world(world: &mut World) -> Self {
        let url = var("DRAMATIS_URL").ok();
        // An address with an `@` or a `?` may hold a secret; no engine takes it.
        let url = url.filter(|url| !url.is_empty() && !url.contains(['@', '?']));
        let model = var("DRAMATIS_MODEL").ok();
        Self {
            open: false,
            server: false,
            url: url.unwrap_or_else(|| "http://127.0.0.1:8080".to_owned()),
            model: model.unwrap_or_else(|| "default".to_owned()),
            wish: None,
            problem: None,
            script: world.resource::<AssetServer>().load(cast::SCRIPT),
        }
    }
}

fn toggle(mut settings: ResMut<Settings>, engine: Res<DefaultEngine>) {
    settings.open = !settings.open;
    settings.server = engine.identity.provider != "scripted";
    settings.problem = None;
}

/// How things are now.
#[derive(SystemParam)]
struct Now<'w, 's> {
    engine: Res<'w, DefaultEngine>,
    statuses: Res<'w, EngineStatuses>,
    server: Res<'w, Server>,
    budget: Res<'w, PromptBudget>,
    calls: Query<'w, 's, &'static NpcBudget>,
    plans: Res<'w, PlanSettings>,
    policy: Res<'w, DialoguePolicy>,
    quality: Res<'w, Quality>,
}

fn window(mut contexts: EguiContexts, mut settings: ResMut<Settings>, now: Now) -> Result {
    let mut open = true;
    egui::Window::new("Settings")
        .open(&mut open)
        .collapsible(false)
        .resizable(false)
        .default_pos([20.0, 20.0])
        .default_width(420.0)
        .show(contexts.ctx_mut()?, |ui| {
            engine_ui(ui, &mut settings);
            ui.label(status(&now));
            ui.separator();
            let calls = now.calls.iter().next();
            let calls = calls.and_then(|budget| budget.0.calls);
            let profile = now.plans.profile_in_force();
            let (delivery, form) = (now.policy.0.delivery, now.policy.0.form);
            let wish = [
                choose(ui, "Room for memories", *now.budget, &BUDGETS).map(Wish::Budget),
                choose(ui, "Calls in a minute", calls, &CALLS).map(Wish::Calls),
                choose(ui, "Plans", profile, &PROFILES).map(Wish::Profile),
                choose(ui, "Speech", delivery, &DELIVERIES).map(Wish::Delivery),
                choose(ui, "Answers", form, &FORMS).map(Wish::Form),
                choose(ui, "Picture", *now.quality, &QUALITIES).map(Wish::Quality),
            ];
            settings.wish = wish.into_iter().flatten().next().or(settings.wish);
            if let Some(problem) = &settings.problem {
                ui.colored_label(egui::Color32::LIGHT_RED, problem);
            }
        });
    settings.open = open;
    Ok(())
}

/// Who answers: nothing happens before the button is pressed.
fn engine_ui(ui: &mut egui::Ui, settings: &mut Settings) {
    ui.radio_value(
        &mut settings.server,
        false,
        "The characters speak authored lines",
    );
    ui.radio_value(
        &mut settings.server,
        true,
        "A model on a server speaks for them",
    );
    ui.add_enabled_ui(settings.server, |ui| {
        for (name, text) in [
            ("Address", &mut settings.url),
            ("Model", &mut settings.model),
        ] {
            ui.horizontal(|ui| {
                ui.label(name);
                ui.add(egui::TextEdit::singleline(text).char_limit(300));
            });
        }
        ui.weak("A key is read from the environment variable DRAMATIS_API_KEY alone.");
    });
    if ui.button("Use it").clicked() {
        settings.wish = Some(Wish::Engine);
    }
}

/// A list to choose from, with what the choice means. Returns the new choice; `None` when it is the current one.
fn choose<T: Copy + PartialEq>(
    ui: &mut egui::Ui,
    name: &str,
    now: T,
    choices: &[Choice<T>],
) -> Option<T> {
    let known = choices.iter().find(|(value, ..)| *value == now);
    let (_, label, meaning) = known.copied().unwrap_or((now, "as the game has it", ""));
    let mut chosen = now;
    egui::ComboBox::from_label(name)
        .selected_text(label)
        .show_ui(ui, |ui| {
            for (value, label, _) in choices {
                ui.selectable_value(&mut chosen, *value, *label);
            }
        });
    ui.weak(meaning);
    (chosen != now).then_some(chosen)
}

/// How the engine is doing, in one line.
fn status(now: &Now) -> String {
    let identity = &now.engine.identity;
    match now.statuses.of(None) {
        EngineStatus::Starting(why) => format!("The server is starting: {why}."),
        EngineStatus::Down(why) => format!("The server does not answer: {why}."),
        EngineStatus::Ready if identity.provider == "scripted" => {
            "The authored lines are ready.".to_owned()
        }
        EngineStatus::Ready => match now.server.trouble() {
            Some(trouble) => format!("{trouble}."),
            None => format!("The model \"{}\" is ready.", identity.model),
        },
    }
}
