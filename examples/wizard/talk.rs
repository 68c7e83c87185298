//! Talking: a line to type in, the last words, and a speech bubble over the wizard's head.

use crate::actions::{self, Actions};
use crate::door::{self, Happens};
use crate::game;
use crate::scene::{GameCamera, HEAD};
use crate::words::Names;
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_dramatis::engine::DefaultEngine;
use bevy_dramatis::pipeline::ApprovedIntents;
use bevy_dramatis::pipeline::InteractionContext;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::WorldIndex;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use std::collections::VecDeque;

/// How many lines are shown.
const LOG: usize = 6;
/// How long a bubble stays, in seconds.
const BUBBLE: f32 = 14.0;

const HINT: &str = "Hello?  or  > take the key  or  ! brew a potion       Enter: say, do or ask   F1: help   F12: inspector";

/// Adds the talk.
pub fn plugin(app: &mut App) {
    app.init_resource::<Talk>()
        .add_systems(EguiPrimaryContextPass, (bubble, line))
        .add_systems(
            Update,
            (
                send,
                fade,
                door::turn_weather.run_if(input_just_pressed(KeyCode::F2)),
            ),
        )
        // The traveller knocks as soon as everything is there.
        .add_systems(
            Last,
            (hint_at_models, game::knock)
                .chain()
                .run_if(dramatis_ready.and_then(run_once)),
        )
        // The bubble grows with each sentence, and the whole line is noted in the end.
        .add_observer(|spoke: On<SpokeSentence>, mut talk: ResMut<Talk>| {
            let before = talk.bubble.take().filter(|_| spoke.index > 0);
            let before = before.map(|(words, _)| words + " ").unwrap_or_default();
            talk.bubble = Some((before + &spoke.sentence, BUBBLE));
        })
        .add_observer(|spoke: On<Spoke>, mut talk: ResMut<Talk>| {
            talk.note(Who::Wizard, &spoke.line);
            talk.bubble = Some((spoke.line.clone(), BUBBLE));
        })
        .add_observer(|thinking: On<ThinkingLine>, mut talk: ResMut<Talk>| {
            talk.bubble = Some((thinking.line.clone(), BUBBLE));
        })
        .add_observer(
            |started: On<RunStarted>, runs: Query<&InteractionContext>, mut talk: ResMut<Talk>| {
                // What was said is noted when it is sent; what happened, now.
                let prompt = runs
                    .get(started.run)
                    .ok()
                    .and_then(|run| run.prompt.clone());
                if let Some(prompt) = prompt {
                    talk.note(Who::Nobody, &prompt);
                }
            },
        )
        .add_observer(
            |ended: On<RunEnded>,
             runs: Query<&ApprovedIntents>,
             names: Names,
             mut talk: ResMut<Talk>| {
                for intent in runs.get(ended.run).iter().flat_map(|done| &done.0) {
                    talk.note(Who::Nobody, &format!("Eldrin: {}", names.action(intent)));
                }
            },
        )
        .add_observer(|happens: On<Happens>, mut talk: ResMut<Talk>| {
            talk.note(Who::Nobody, happens.0);
        });
}

#[derive(Clone, Copy, PartialEq)]
pub enum Who {
    Player,
    Wizard,
    /// It happens, and nobody says it.
    Nobody,
    /// Something does not work.
    Problem,
}

/// What is said and shown.
#[derive(Resource, Default)]
pub struct Talk {
    log: VecDeque<(Who, String)>,
    /// The words over the wizard's head, and for how long yet.
    bubble: Option<(String, f32)>,
    /// What is being typed.
    draft: String,
    /// What was typed and not yet said or done. The UI may be drawn several times a frame: it notes, and `send` acts.
    pub outgoing: Option<String>,
}

impl Talk {
    /// Adds a line to the last words.
    pub fn note(&mut self, who: Who, text: &str) {
        self.log.push_back((who, text.to_owned()));
        if self.log.len() > LOG {
            self.log.pop_front();
        }
    }
}

fn send(mut commands: Commands, mut talk: ResMut<Talk>) {
    if let Some(text) = talk.outgoing.take() {
        talk.note(Who::Player, &text);
        talk.bubble = None;
        commands.run_system_cached_with(game::enter, text);
    }
}

/// Without a model the wizard knows what is written in his script, and says so of himself.
fn hint_at_models(engine: Res<DefaultEngine>, mut talk: ResMut<Talk>) {
    if engine.identity.provider == "scripted" {
        talk.note(
            Who::Nobody,
            "Eldrin speaks authored lines. Name a server in DRAMATIS_URL, and a model speaks for him: see the README.",
        );
    }
}

fn fade(mut talk: ResMut<Talk>, time: Res<Time>) {
    if let Some((_, left)) = &mut talk.bubble {
        *left -= time.delta_secs();
        if *left <= 0.0 {
            talk.bubble = None;
        }
    }
}

/// The words over the wizard's head; dots while he thinks.
fn bubble(
    mut contexts: EguiContexts,
    talk: Res<Talk>,
    ids: Res<WorldIndex>,
    wizards: Query<(&GlobalTransform, Has<Thinking>)>,
    camera: Single<(&Camera, &GlobalTransform), With<GameCamera>>,
) -> Result {
    let wizard = ids.get(game::WIZARD).and_then(|id| wizards.get(id).ok());
    let Some((place, thinking)) = wizard else {
        return Ok(());
    };
    let words = match &talk.bubble {
        Some((words, _)) => words.as_str(),
        None if thinking => "...",
        None => return Ok(()),
    };
    let (camera, eye) = *camera;
    let Ok(point) = camera.world_to_viewport(eye, place.translation() + HEAD) else {
        return Ok(());
    };
    egui::Area::new("bubble".into())
        .fixed_pos([point.x, point.y])
        .pivot(egui::Align2::CENTER_BOTTOM)
        .order(egui::Order::Background)
        .interactable(false)
        .show(contexts.ctx_mut()?, |ui| {
            egui::Frame::new()
                .fill(egui::Color32::from_rgb(250, 246, 232))
                .corner_radius(12)
                .inner_margin(egui::Margin::symmetric(14, 10))
                .show(ui, |ui| {
                    ui.set_max_width(300.0);
                    let words = egui::RichText::new(words).size(17.0);
                    ui.label(words.color(egui::Color32::from_rgb(40, 32, 24)));
                });
        });
    Ok(())
}

/// The last words, what can be chosen, and the line to type in.
fn line(
    mut contexts: EguiContexts,
    mut talk: ResMut<Talk>,
    mut actions: ResMut<Actions>,
) -> Result {
    let ctx = contexts.ctx_mut()?;
    egui::Window::new("talk")
        .title_bar(false)
        .resizable(false)
        .anchor(egui::Align2::LEFT_BOTTOM, [12.0, -12.0])
        .show(ctx, |ui| {
            ui.set_width(620.0);
            for (who, text) in &talk.log {
                let (name, colour) = match who {
                    Who::Player => ("You: ", egui::Color32::LIGHT_BLUE),
                    Who::Wizard => ("Eldrin: ", egui::Color32::from_rgb(240, 220, 160)),
                    Who::Nobody => ("", egui::Color32::GRAY),
                    Who::Problem => ("", egui::Color32::LIGHT_RED),
                };
                ui.colored_label(colour, format!("{name}{text}"));
            }
            actions::question(ui, &mut actions);
            actions::menu(ui, &mut actions);
            let edit = egui::TextEdit::singleline(&mut talk.draft)
                .hint_text(HINT)
                .char_limit(bevy_dramatis::npc::MAX_INPUT_CHARS)
                .desired_width(f32::INFINITY);
            let edit = ui.add(edit);
            let entered = edit.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter));
            if entered && !talk.draft.trim().is_empty() {
                talk.outgoing = Some(std::mem::take(&mut talk.draft));
            }
            // Whoever types, types here.
            if entered || ui.memory(|memory| memory.focused().is_none()) {
                edit.request_focus();
            }
        });
    Ok(())
}
