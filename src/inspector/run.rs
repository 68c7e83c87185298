//! One run: its attempts, and what each of the nine components left; what went in.

use super::marked::colour;
use super::prompt;
use super::reply::{mutation_ui, outcome_ui, reply_ui, verdict_ui};
use super::scores::scores_ui;
use super::selection::Selection;
use super::shown::Shown;
use super::tab::Tab;
use super::theme::{BAD, GOOD};
use super::view::RunView;
use super::widgets::{counted, missing, outcome_colour, rule_link, table};
use crate::rules::ConstraintKind;
use crate::world::{Affordance, Placement};
use bevy_egui::egui::{self, CollapsingHeader, Label, RichText, Ui};

/// Draws the output of one component.
pub type PartUi = fn(&mut Ui, &Shown, &mut Selection);

/// The nine components: heading, whether it is unfolded at first, and what draws it.
pub const PARTS: [(&str, bool, PartUi); 9] = [
    ("1 Interaction", false, interaction_ui),
    ("2 Expectancy", false, constraints_ui),
    ("3 Retrieval", false, retrieved_ui),
    ("4 Snapshot", false, snapshot_ui),
    ("5 Prompt", false, prompt_part_ui),
    ("6 Inference", true, reply_ui),
    ("7 Validation", true, verdict_ui),
    ("8 Mutation", true, mutation_ui),
    ("9 Fallback and outcome", true, outcome_ui),
];

/// Draws a run: its attempts in one line, and below it what each of the nine components left of the chosen one. A click
/// on an attempt chooses it.
pub fn run_ui(ui: &mut Ui, view: &RunView, selection: &mut Selection) {
    let last = view.attempts.len().saturating_sub(1);
    let chosen = selection.attempt.unwrap_or(last).min(last);
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(outcome_colour(view), view.status());
        ui.label(format!("run {}, {}", view.run.number(), view.run.npc()));
        ui.separator();
        for (i, attempt) in view.attempts.iter().enumerate() {
            let colour = if attempt.passed {
                GOOD
            } else if i == last && view.live {
                ui.visuals().text_color()
            } else {
                BAD
            };
            let label = RichText::new(format!("attempt {}", attempt.index)).color(colour);
            if ui.selectable_label(i == chosen, label).clicked() {
                // What is looked at stays, also when another run begins.
                selection.run = Some(view.entity);
                selection.attempt = Some(i);
            }
        }
    });
    let attempt = view.attempts.get(chosen);
    let shown = Shown {
        view,
        attempt,
        is_last: chosen == last,
    };
    for (title, open, part) in PARTS {
        CollapsingHeader::new(RichText::new(title).strong())
            .id_salt(title)
            .default_open(open)
            .show(ui, |ui| part(ui, &shown, selection));
    }
}

fn interaction_ui(ui: &mut Ui, shown: &Shown, _: &mut Selection) {
    let Some(context) = shown.view.context else {
        return missing(ui);
    };
    let or_none = |text: Option<&str>| text.unwrap_or("none").to_owned();
    table(
        ui,
        "interaction",
        &[
            ("Reason", format!("{:?}", context.reason)),
            (
                "Engine",
                or_none(shown.view.engine.map(|engine| &*engine.model)),
            ),
            ("Speaker", or_none(context.speaker.as_deref())),
            ("Heard", or_none(context.input.as_deref())),
            ("Trigger", or_none(context.trigger_id.as_deref())),
            ("What it wants", or_none(context.prompt.as_deref())),
            ("Scene", or_none(context.scene.as_deref())),
            ("Tags", context.tags.join(", ")),
            ("Game time", format!("{} ms", context.game_time.0)),
            ("Interactions before", context.interaction_count.to_string()),
        ],
    );
}

/// The constraints of the attempt; before the first one, those that were found.
fn constraints_ui(ui: &mut Ui, shown: &Shown, selection: &mut Selection) {
    let Shown { view, attempt, .. } = *shown;
    let Some(found) = view.constraints else {
        return missing(ui);
    };
    let latest = view.snapshot.map(|snapshot| &snapshot.body().constraints);
    let authored = |id: &str| {
        let latest = latest.into_iter().flat_map(|latest| latest.iter());
        let mut all = found.constraints.iter().chain(latest);
        all.rfind(|c| c.id == id)
    };
    let rows = attempt.map_or(&found.constraints, |attempt| &attempt.constraints);
    egui::Grid::new("constraints")
        .num_columns(4)
        .striped(true)
        .show(ui, |ui| {
            for constraint in rows.iter() {
                let severity = constraint.severity;
                ui.colored_label(colour(severity), format!("{severity:?}"));
                ui.label(match constraint.kind {
                    ConstraintKind::Permission => "may",
                    ConstraintKind::Prohibition => "never",
                    ConstraintKind::Requirement => "must",
                });
                let authored = authored(&constraint.id);
                // One that a retry adds says again what another one says.
                let restated = authored.and_then(|c| c.restates.as_deref());
                rule_link(ui, restated.unwrap_or(&constraint.id), selection);
                ui.add(Label::new(authored.map_or("", |c| &c.prompt)).wrap());
                ui.end_row();
            }
            for rule in &found.custom {
                ui.colored_label(colour(rule.severity), format!("{:?}", rule.severity));
                ui.label(if rule.prohibits { "never" } else { "must" });
                rule_link(ui, &rule.id, selection);
                ui.add(Label::new(&rule.description).wrap());
                ui.end_row();
            }
        });
    if rows.is_empty() && found.custom.is_empty() {
        ui.weak("Nothing is asked of the reply.");
    }
}

fn retrieved_ui(ui: &mut Ui, shown: &Shown, _: &mut Selection) {
    let Some(retrieved) = shown.view.retrieved else {
        return missing(ui);
    };
    scores_ui(ui, &retrieved.memories);
    for (id, text) in retrieved.canon.iter() {
        ui.label(format!("canon {id}: {text}"));
    }
    for (key, value) in &retrieved.world_facts {
        ui.label(format!("fact {key}: {value}"));
    }
    ui.weak(counted(retrieved.exchanges.len(), "exchange"));
}

fn snapshot_ui(ui: &mut Ui, shown: &Shown, _: &mut Selection) {
    let Shown {
        view,
        attempt,
        is_last,
        ..
    } = *shown;
    let Some(attempt) = attempt else {
        return missing(ui);
    };
    let mut rows = vec![
        ("Id", attempt.snapshot.to_hex()),
        (
            "Attempt",
            format!(
                "{} of {}",
                attempt.index + 1,
                view.run.policy().max_attempts
            ),
        ),
        ("Seed", attempt.seed.to_string()),
    ];
    // Only the last attempt's snapshot is kept whole.
    if let Some(body) = view.snapshot.filter(|_| is_last).map(|s| s.body()) {
        let npc = &body.context.npc;
        let others = body.seen.iter().filter(|(id, _)| id != npc);
        let seen = others.map(|(id, thing)| {
            let carried = thing.at == Placement::CarriedBy(npc.clone());
            format!("{id}{}", if carried { " (carried)" } else { "" })
        });
        let actions = body.affordances.iter().flat_map(Affordance::lines);
        rows.push(("World", body.world.clone()));
        rows.push(("Perceives", seen.collect::<Vec<_>>().join(", ")));
        rows.push(("Can do", actions.collect::<Vec<_>>().join("\n")));
        rows.push(("Feedback", body.feedback.join("\n")));
    }
    table(ui, "snapshot", &rows);
}

fn prompt_part_ui(ui: &mut Ui, shown: &Shown, selection: &mut Selection) {
    let Some(attempt) = shown.attempt else {
        return missing(ui);
    };
    prompt::bar_ui(ui, attempt);
    let cut = match attempt.cut.len() {
        0 => String::new(),
        n => format!(", with {n} that had no room"),
    };
    if ui.link(format!("the whole prompt{cut}")).clicked() {
        selection.tab = Some(Tab::Prompt);
        selection.run = Some(shown.view.entity);
        let attempts = shown.view.attempts.iter();
        selection.attempt = attempts
            .into_iter()
            .position(|one| one.index == attempt.index);
    }
}
