//! The window: its tabs, the list of runs, the engine.

use super::selection::{Selection, Tab};
use super::view::{InspectorView, RunView};
use super::widgets::{outcome_colour, table};
use super::{minds, plans, run};
use bevy_egui::egui::{Color32, ScrollArea, Ui};

/// The width of the window at first: beside it, a game of 1280 pixels keeps more than half.
pub const WIDTH: f32 = 560.0;

/// Draws everything inside the window. It changes nothing but the selection.
pub fn inspector_ui(ui: &mut Ui, view: &InspectorView, selection: &mut Selection) {
    // Egui's own grey is hard to read over a dark scene.
    ui.visuals_mut().widgets.noninteractive.fg_stroke.color = Color32::from_gray(190);
    ui.horizontal(|ui| {
        ui.selectable_value(&mut selection.tab, Tab::Runs, "Runs");
        ui.selectable_value(&mut selection.tab, Tab::Memory, "Memory");
        ui.selectable_value(&mut selection.tab, Tab::Plans, "Plans");
        ui.selectable_value(&mut selection.tab, Tab::Engine, "Engine");
        ui.separator();
        ui.weak(format!("{}, {}", view.engine.provider, view.engine.model));
    });
    ui.separator();
    match selection.tab {
        Tab::Runs => runs_ui(ui, view, selection),
        Tab::Memory => minds::minds_ui(ui, view, selection),
        Tab::Plans => {
            if let Some(plans) = view.plans {
                selection.plan_answer = plans::plans_ui(ui, plans).or(selection.plan_answer);
            }
        }
        Tab::Engine => engine_ui(ui, view),
    }
}

fn runs_ui(ui: &mut Ui, view: &InspectorView, selection: &mut Selection) {
    if view.runs.is_empty() {
        ui.weak("No character has been spoken to yet.");
        return;
    }
    list_ui(ui, &view.runs, selection);
    ui.separator();
    let chosen = view.runs.iter().find(|r| Some(r.entity) == selection.run);
    if let Some(chosen) = chosen.or(view.runs.first()) {
        ScrollArea::vertical()
            .id_salt("run")
            .auto_shrink(false)
            .show(ui, |ui| run::run_ui(ui, chosen, selection));
    }
}

/// One line for each run. A click looks at a run for good; the first line follows the newest again.
fn list_ui(ui: &mut Ui, runs: &[RunView], selection: &mut Selection) {
    let height = ui.spacing().interact_size.y;
    let newest = |selection: &Selection| selection.run.is_none();
    ScrollArea::vertical()
        .id_salt("runs")
        .max_height(5.0 * (height + ui.spacing().item_spacing.y))
        .auto_shrink([false, true])
        .show_rows(ui, height, runs.len(), |ui, rows| {
            for (i, view) in runs[rows.clone()].iter().enumerate() {
                let is_newest = rows.start + i == 0;
                let chosen = Some(view.entity) == selection.run || (is_newest && newest(selection));
                ui.horizontal(|ui| {
                    ui.colored_label(outcome_colour(view), format!("{:<10}", view.status()));
                    let attempts = match view.attempts.len() {
                        0 | 1 => String::new(),
                        n => format!("  ({n} attempts)"),
                    };
                    let line = format!(
                        "{} {}: {}{attempts}",
                        view.run.number(),
                        view.run.npc(),
                        one_line(view.heard())
                    );
                    if ui.selectable_label(chosen, line).clicked() {
                        selection.run = (!is_newest).then_some(view.entity);
                        selection.attempt = None;
                    }
                });
            }
        });
}

fn one_line(text: &str) -> String {
    const MOST: usize = 48;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    let cut: String = text.chars().take(MOST).collect();
    format!("{cut} ..")
}

fn engine_ui(ui: &mut Ui, view: &InspectorView) {
    let engine = view.engine;
    let capabilities = engine.capabilities;
    let counters = view.counters;
    let version = engine.version.as_deref().unwrap_or("unknown");
    let rows = [
        ("Provider", engine.provider.clone()),
        ("Model", engine.model.clone()),
        ("Version", version.to_owned()),
        (
            "Hash",
            engine.hash.clone().unwrap_or_else(|| "unknown".to_owned()),
        ),
        ("Obeys a JSON schema", capabilities.json.to_string()),
        ("Streams", capabilities.streaming.to_string()),
        (
            "Longest prompt",
            format!("{} characters", capabilities.context_chars),
        ),
    ];
    table(ui, "engine", &rows);
    ui.separator();
    for engine in &view.engines {
        let name = engine.name.unwrap_or("The default engine");
        ui.label(format!("{name}: {}", engine.in_words()));
    }
    ui.separator();
    let rows = [
        ("Engine calls", counters.engine_calls),
        ("Attempts", counters.attempts),
        ("Accepted runs", counters.accepted),
        ("Fallback lines", counters.fallbacks),
        ("Cancelled runs", counters.cancelled),
        ("Refused requests", counters.refused),
        ("Approved intents", counters.intents_approved),
        ("Blocked writes to canon", counters.canon_writes_blocked),
        ("Blocked for authority", counters.authority_blocked),
    ];
    table(ui, "counters", &rows.map(|(name, n)| (name, n.to_string())));
}
