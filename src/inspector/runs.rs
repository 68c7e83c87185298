//! Runs, live and past: which ones are listed, and the chosen one.

use super::run;
use super::selection::{RunFilter, RunStatus, Selection};
use super::view::{InspectorView, RunView};
use super::widgets::{contains, excerpt, outcome_colour, search};
use crate::engine::Stage;
use bevy::prelude::Entity;
use bevy_egui::egui::{ComboBox, ScrollArea, Ui};

impl RunStatus {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Live,
        Self::Accepted,
        Self::Retried,
        Self::Fallback,
        Self::Failed,
        Self::Cancelled,
    ];

    /// The status of a run.
    #[must_use]
    pub fn of(run: &RunView) -> Self {
        use crate::pipeline::Outcome;
        match run.outcome {
            None => Self::Live,
            Some(Outcome::Accepted { .. }) if run.attempts.len() > 1 => Self::Retried,
            Some(Outcome::Accepted { .. }) => Self::Accepted,
            Some(Outcome::Fallback { .. }) => Self::Fallback,
            Some(Outcome::Rejected | Outcome::Failed) => Self::Failed,
            Some(Outcome::Cancelled) => Self::Cancelled,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Live => "in flight",
            Self::Accepted => "accepted at once",
            Self::Retried => "accepted after a retry",
            Self::Fallback => "fallback",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }
}

impl RunFilter {
    /// Whether a run is listed.
    #[must_use]
    pub fn shows(&self, run: &RunView) -> bool {
        let npc = run.run.npc().as_str();
        self.npc.as_ref().is_none_or(|own| own == npc)
            && self.stage.is_none_or(|stage| run.run.stage() == stage)
            && self
                .status
                .is_none_or(|status| RunStatus::of(run) == status)
            && contains(&self.words, [npc, run.told()])
    }
}

/// Draws the list of runs, and below it what each of the nine components left of the chosen one.
pub(super) fn runs_ui(ui: &mut Ui, view: &InspectorView, selection: &mut Selection) {
    if view.runs.is_empty() {
        ui.weak("No character has been spoken to yet. Speak to one, and its run appears here.");
        return;
    }
    filter_ui(ui, view, &mut selection.runs);
    let listed: Vec<&RunView> = view
        .runs
        .iter()
        .filter(|run| selection.runs.shows(run))
        .collect();
    if listed.is_empty() {
        ui.weak("No run is like that.");
        return;
    }
    let newest = view.runs.first().map(|run| run.entity);
    list_ui(ui, &listed, newest, selection);
    ui.separator();
    let chosen = listed.iter().find(|run| Some(run.entity) == selection.run);
    if let Some(chosen) = chosen.or(listed.first()) {
        ScrollArea::vertical()
            .id_salt("run")
            .auto_shrink(false)
            .show(ui, |ui| run::run_ui(ui, chosen, selection));
    }
}

fn filter_ui(ui: &mut Ui, view: &InspectorView, filter: &mut RunFilter) {
    ui.horizontal_wrapped(|ui| {
        search(ui, &mut filter.words, "who, or what was said");
        let mut npcs: Vec<&str> = view.runs.iter().map(|run| run.run.npc().as_str()).collect();
        npcs.sort_unstable();
        npcs.dedup();
        let words = filter.npc.as_deref().unwrap_or("all characters").to_owned();
        ComboBox::from_id_salt("npc")
            .selected_text(words)
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut filter.npc, None, "all characters");
                for npc in npcs {
                    ui.selectable_value(&mut filter.npc, Some(npc.to_owned()), npc);
                }
            });
        let words = filter.status.map_or("all outcomes", RunStatus::words);
        ComboBox::from_id_salt("status")
            .selected_text(words)
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut filter.status, None, "all outcomes");
                for status in RunStatus::ALL {
                    ui.selectable_value(&mut filter.status, Some(status), status.words());
                }
            });
        let mut stages: Vec<Stage> = view.runs.iter().map(|run| run.run.stage()).collect();
        stages.sort_unstable();
        stages.dedup();
        let words = filter.stage.map_or("all stages", Stage::snake_case);
        ComboBox::from_id_salt("stage")
            .selected_text(words)
            .show_ui(ui, |ui| {
                ui.selectable_value(&mut filter.stage, None, "all stages");
                for stage in stages {
                    ui.selectable_value(&mut filter.stage, Some(stage), stage.snake_case());
                }
            });
    });
}

/// One line for each run. A click looks at a run for good; one at the newest follows the newest again.
fn list_ui(ui: &mut Ui, runs: &[&RunView], newest: Option<Entity>, selection: &mut Selection) {
    let height = ui.spacing().interact_size.y;
    let is_listed = runs.iter().any(|run| Some(run.entity) == selection.run);
    ScrollArea::vertical()
        .id_salt("runs")
        .max_height(5.0 * (height + ui.spacing().item_spacing.y))
        .auto_shrink([false, true])
        .show_rows(ui, height, runs.len(), |ui, rows| {
            for (i, view) in runs[rows.clone()].iter().enumerate() {
                let is_first = rows.start + i == 0;
                let chosen = Some(view.entity) == selection.run || (is_first && !is_listed);
                ui.horizontal(|ui| {
                    ui.colored_label(outcome_colour(view), format!("{:<10}", view.status()));
                    let attempts = match view.attempts.len() {
                        0 | 1 => String::new(),
                        n => format!("  ({n} attempts)"),
                    };
                    let stage = match view.run.stage() {
                        Stage::Dialogue => String::new(),
                        stage => format!(" ({})", stage.snake_case()),
                    };
                    let line = format!(
                        "{} {}{stage}: {}{attempts}",
                        view.run.number(),
                        view.run.npc(),
                        excerpt(view.told(), 48)
                    );
                    if ui.selectable_label(chosen, line).clicked() {
                        selection.run = (Some(view.entity) != newest).then_some(view.entity);
                        selection.attempt = None;
                    }
                });
            }
        });
}
