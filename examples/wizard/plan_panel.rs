//! The wizard's plan, plainly: what he would do, step by step, how risky it is, why he asks, and the question. The inspector
//! shows the same plan with every check, factor and gate.

use crate::style::{self, action_button, glass};
use crate::talk::{Talk, Who};
use crate::words::Names;
use bevy::prelude::*;
use bevy_dramatis::inspector::PlanAnswer;
use bevy_dramatis::pipeline::Run;
use bevy_dramatis::plans::{Answer, Plan, PlanStatus, PlanStep, Risk};
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::ReasonCode;
use bevy_egui::{EguiContexts, EguiPrimaryContextPass, egui};
use std::collections::BTreeSet;

/// How long a plan that is over is shown, in seconds.
const LINGER: f32 = 10.0;

/// Adds the panel.
pub fn plugin(app: &mut App) {
    app.init_resource::<Shown>()
        .add_systems(EguiPrimaryContextPass, panel)
        .add_systems(Update, answer)
        .add_observer(note_question)
        .add_observer(
            |done: On<StepDone>, plans: Res<Plans>, mut talk: ResMut<Talk>| {
                let plan = plans.get(done.plan);
                let step =
                    plan.and_then(|plan| plan.steps.iter().find(|step| step.id == done.step));
                if let Some(step) = step {
                    talk.note(Who::Nobody, &format!("Eldrin at work: {}", step.why));
                }
            },
        )
        .add_observer(ended);
}

/// The panel shows the newest plan.
#[derive(Resource, Default)]
struct Shown {
    /// How many seconds it is still shown, once the plan is over.
    left: f32,
    /// What was clicked and not yet done.
    answer: Option<PlanAnswer>,
    /// The plan that the player does not want to replace with another one.
    dismissed: Option<PlanId>,
}

/// The line in the log leads to the run that wrote the plan.
fn note_question(
    question: On<PlanQuestion>,
    plans: Res<Plans>,
    runs: Query<(Entity, &Run)>,
    mut talk: ResMut<Talk>,
) {
    if question.status != PlanStatus::Pending {
        return;
    }
    let written = plans.get(question.plan).and_then(|plan| plan.runs.last());
    let run = runs.iter().find(|(_, run)| Some(&run.number()) == written);
    let line = "Eldrin has a plan, and asks whether he may.";
    talk.add(Who::Nobody, line, run.map(|(entity, _)| entity));
}

fn ended(
    ended: On<PlanEnded>,
    plans: Res<Plans>,
    mut shown: ResMut<Shown>,
    mut talk: ResMut<Talk>,
) {
    shown.left = LINGER;
    // What the rulebook said of the step that failed. The panel shows the rest.
    let steps = plans.get(ended.plan).map(|plan| &plan.steps);
    let why = steps.and_then(|steps| steps.iter().find_map(|step| step.message.as_deref()));
    let line = match why {
        Some(why) => format!("{}: {why}.", in_words(ended.status)),
        None => format!("{}.", in_words(ended.status)),
    };
    talk.note(Who::Nobody, &line);
}

/// How far a plan has come, or how it has ended.
fn in_words(status: PlanStatus) -> &'static str {
    match status {
        PlanStatus::Done => "It is done",
        PlanStatus::RolledBack => "Eldrin stops and puts everything back",
        PlanStatus::Denied => "The plan may not be carried out",
        PlanStatus::Rejected => "Eldrin knows no plan for that",
        PlanStatus::Expired => "The plan waited too long: things are no longer as they were",
        PlanStatus::Blocked => "The plan was made by another model",
        PlanStatus::Running | PlanStatus::Ready => "Eldrin is at work",
        _ => "Nothing comes of the plan",
    }
}

fn panel(
    mut contexts: EguiContexts,
    plans: Res<Plans>,
    names: Names,
    mut shown: ResMut<Shown>,
) -> Result {
    let Some(plan) = plans.iter().next_back() else {
        return Ok(());
    };
    let waits_for_another = plan.asks_for_another() && shown.dismissed != Some(plan.id);
    let is_past = plan.status.is_over() && shown.left <= 0.0 && !waits_for_another;
    if plan.status == PlanStatus::Planning || is_past {
        return Ok(());
    }
    let ctx = contexts.ctx_mut()?;
    egui::Window::new("Eldrin's plan")
        .default_pos([920.0, 20.0])
        .default_width(330.0)
        .collapsible(false)
        .frame(glass())
        .show(ctx, |ui| {
            shown.answer = plan_ui(ui, plan, &names).or(shown.answer);
            if waits_for_another {
                match another_ui(ui, plan) {
                    Some(true) => shown.answer = Some(PlanAnswer::Another(plan.id)),
                    Some(false) => {
                        shown.dismissed = Some(plan.id);
                        shown.left = 0.0;
                    }
                    None => {}
                }
            }
        });
    Ok(())
}

/// Draws a plan. What was clicked; `None`: nothing.
fn plan_ui(ui: &mut egui::Ui, plan: &Plan, names: &Names) -> Option<PlanAnswer> {
    ui.colored_label(style::PLAYER, format!("You: {}", plan.text()));
    if plan.steps.is_empty()
        && let Some(wish) = plan.understood()
    {
        ui.colored_label(style::NPC, format!("He understands: {wish}"));
    }
    let next = plan.next_step().map(|step| &step.id);
    for (number, step) in (1..).zip(&plan.steps) {
        let is_next = plan.status == PlanStatus::Running && next == Some(&step.id);
        step_ui(ui, number, step, is_next, names);
    }
    if let Some(risk) = &plan.risk {
        ui.horizontal(|ui| {
            ui.colored_label(style::NOBODY, "Risk");
            let share = risk.points as f32 / Risk::MAX as f32;
            let words = format!("{} of {}", risk.points, Risk::MAX);
            let bar = egui::ProgressBar::new(share).desired_width(140.0);
            ui.add(bar.text(words));
        });
    }
    if !plan.status.is_waiting() {
        ui.colored_label(style::NPC, format!("{}.", in_words(plan.status)));
        return None;
    }
    models_ui(ui, plan);
    for why in whys(plan) {
        ui.colored_label(style::NOBODY, why);
    }
    ui.colored_label(
        style::HINT,
        match plan.status {
            PlanStatus::Asking => "Is this what you meant?",
            _ => "May he?",
        },
    );
    let mut answer = None;
    ui.horizontal(|ui| {
        for (words, chosen) in [
            ("Yes", PlanAnswer::Approve(plan.id)),
            ("No", PlanAnswer::Deny(plan.id)),
            ("Another plan", PlanAnswer::Another(plan.id)),
        ] {
            if action_button(ui, None, words).clicked() {
                answer = Some(chosen);
            }
        }
    });
    answer
}

/// Which model made a plan, and which serves now, where that is another one.
fn models_ui(ui: &mut egui::Ui, plan: &Plan) {
    if plan.model_now.is_none() {
        return;
    }
    for (words, model) in [("Made by", &plan.model), ("Now", &plan.model_now)] {
        if let Some(model) = model {
            let version = model.version.iter();
            let version: String = version
                .map(|version| format!(", version {version}"))
                .collect();
            let line = format!("{words}: {} of {}{version}", model.model, model.provider);
            ui.colored_label(style::NOBODY, line);
        }
    }
}

/// Asks whether another plan is made. `None`: nothing was clicked.
fn another_ui(ui: &mut egui::Ui, plan: &Plan) -> Option<bool> {
    models_ui(ui, plan);
    let mut answer = None;
    ui.horizontal(|ui| {
        for (words, again) in [("Another plan", true), ("Cancel", false)] {
            if action_button(ui, None, words).clicked() {
                answer = Some(again);
            }
        }
    });
    answer
}

fn step_ui(ui: &mut egui::Ui, number: usize, step: &PlanStep, is_next: bool, names: &Names) {
    let colour = match step.result {
        Some(ReasonCode::Ok) => style::HINT,
        Some(_) => style::PROBLEM,
        None if is_next => style::NPC,
        None => egui::Color32::from_gray(215),
    };
    let what = names.action(&step.intent);
    ui.colored_label(colour, format!("{number}. {what}"));
    if !step.why.is_empty() {
        let why = egui::RichText::new(&step.why).small().color(style::NOBODY);
        ui.add(egui::Label::new(why).wrap());
    }
    if let Some(message) = &step.message {
        ui.colored_label(style::PROBLEM, message);
    }
}

/// Why he asks, each reason once.
fn whys(plan: &Plan) -> BTreeSet<String> {
    let gates = plan.decision.iter().flat_map(|decision| &decision.gates);
    let asking = gates.filter(|gate| gate.result == Answer::Confirm);
    let reasons = asking.filter_map(|gate| gate.reason.as_deref());
    reasons.map(why).collect()
}

/// What a gate's reason means to a player.
fn why(reason: &str) -> String {
    let words = match reason {
        "safe_asks" | "profile" => "He asks about every plan (F3).",
        "high_risk" => "It is risky.",
        "moderate_quality" => "It could be a better plan.",
        "boundary" => "It touches what nobody should touch unasked.",
        "unchecked_constraint" => "Not all that you asked for can be checked.",
        rule => return format!("A rule wants it: {rule}."),
    };
    words.to_owned()
}

fn answer(mut shown: ResMut<Shown>, mut commands: Commands, time: Res<Time>) {
    shown.left -= time.delta_secs();
    match shown.answer.take() {
        None => {}
        Some(PlanAnswer::Approve(plan)) => commands.approve_plan(plan),
        Some(PlanAnswer::Deny(plan)) => commands.deny_plan(plan),
        Some(PlanAnswer::Another(plan)) => commands.regenerate_plan(plan),
    }
}
