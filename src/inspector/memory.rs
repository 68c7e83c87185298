//! The memory of each character: what it holds, what it would retrieve for a question, and what its runs have changed.

use super::scores;
use super::selection::Selection;
use super::theme::{BAD, GOOD, NOTED};
use super::view::{InspectorView, MindView, RunView};
use super::widgets::{excerpt, is_called, more_ui, part, search, table};
use crate::base::fixed::Millis;
use crate::base::time::GameTime;
use crate::limits::Limits;
use crate::memory::Retrieved;
use crate::memory::retrieval::retrieve;
use crate::npc::limits_of;
use crate::world::WorldIndex;
use bevy_egui::egui::{self, CollapsingHeader, Label, RichText, ScrollArea, Ui};

/// The most characters that are listed at once. Words to look for find the others.
const MOST_MINDS: usize = 100;
/// The most episodes that are listed. The oldest are left out.
const MOST_EPISODES: usize = 200;

/// A change of a mind that a run has made, or wanted to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemoryLogRow {
    /// The number of the run.
    pub run: u64,
    /// What kind of change it is, such as `append_episodic`.
    pub kind: String,
    /// What it says; empty where it says nothing.
    pub content: String,
    /// Why nothing came of it; `None` where it was done.
    pub refused: Option<String>,
}

/// What the runs of a character have changed in its mind, the newest first. It goes back as far as runs are kept.
#[must_use]
pub fn memory_log(runs: &[RunView], npc: &str) -> Vec<MemoryLogRow> {
    let own = runs.iter().filter(|run| run.run.npc().as_str() == npc);
    let rows = own.flat_map(|run| {
        let number = run.run.number();
        let report = run.report.into_iter();
        report.flat_map(move |report| {
            let done = report.done.iter().map(move |change| MemoryLogRow {
                run: number,
                kind: change.kind().name().to_owned(),
                content: change.content().unwrap_or_default().to_owned(),
                refused: None,
            });
            let rejected = report.rejected.iter().map(move |rejected| MemoryLogRow {
                run: number,
                kind: rejected.kind.clone(),
                content: String::new(),
                refused: Some(rejected.message.clone()),
            });
            let failed = report.failures.iter().map(move |failure| MemoryLogRow {
                run: number,
                kind: "failed".to_owned(),
                content: String::new(),
                refused: Some(failure.clone()),
            });
            done.chain(rejected).chain(failed)
        })
    });
    rows.collect()
}

/// What a character would retrieve if somebody said this now; nothing for empty words.
#[must_use]
pub fn retrieved_for(view: &InspectorView, mind: &MindView, words: &str) -> Option<Retrieved> {
    let words = words.trim();
    if words.is_empty() {
        return None;
    }
    let index = view.world.get_resource::<WorldIndex>();
    let entity = index.and_then(|index| index.get(mind.npc));
    let limits = entity.map_or(Limits::DEFAULT, |entity| limits_of(view.world, entity));
    Some(retrieve(mind.mind, words, view.now, &limits))
}

/// Draws the characters and the memory of the chosen one.
pub(super) fn minds_ui(ui: &mut Ui, view: &InspectorView, selection: &mut Selection) {
    let Some(mind) = view.chosen_mind(selection) else {
        ui.weak("There is no character yet.");
        return;
    };
    let is_listed = |mind: &&MindView| is_called(mind, &selection.characters);
    let listed: Vec<&MindView> = view.minds.iter().filter(is_listed).collect();
    ui.horizontal(|ui| {
        search(ui, &mut selection.characters, "id or name");
        ui.weak(format!("{} characters", view.minds.len()));
    });
    ScrollArea::vertical()
        .id_salt("npcs")
        .max_height(100.0)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                for other in listed.iter().take(MOST_MINDS) {
                    let asleep = if other.name.is_none() {
                        " (not spawned)"
                    } else {
                        ""
                    };
                    let label = format!("{}{asleep}", other.npc);
                    if ui.selectable_label(other.npc == mind.npc, label).clicked() {
                        selection.npc = Some(other.npc.to_string());
                    }
                }
                more_ui(ui, listed.len().saturating_sub(MOST_MINDS));
            });
        });
    ui.separator();
    ScrollArea::vertical()
        .id_salt("mind")
        .auto_shrink(false)
        .show(ui, |ui| {
            ui.horizontal(|ui| {
                ui.weak("What would it remember of");
                search(ui, &mut selection.query, "words");
            });
            if let Some(retrieved) = retrieved_for(view, mind, &selection.query) {
                scores::scores_ui(ui, &retrieved);
                ui.separator();
            }
            mind_ui(ui, mind, view.now);
            log_ui(ui, &memory_log(&view.runs, mind.npc));
        });
}

fn log_ui(ui: &mut Ui, log: &[MemoryLogRow]) {
    let header = CollapsingHeader::new(format!("Changes by the last runs ({})", log.len()));
    header.id_salt("changes").show(ui, |ui| {
        for row in log {
            ui.horizontal_wrapped(|ui| {
                ui.weak(format!("run {}", row.run));
                match &row.refused {
                    None => ui.colored_label(GOOD, &row.kind),
                    Some(_) => ui.colored_label(BAD, &row.kind),
                };
                ui.label(excerpt(row.refused.as_ref().unwrap_or(&row.content), 300));
            });
        }
    });
}

/// Draws all that one character has for itself.
pub fn mind_ui(ui: &mut Ui, view: &MindView, now: GameTime) {
    let mind = view.mind;
    table(
        ui,
        "mind",
        &[
            ("Name", view.name.unwrap_or("(not spawned)").to_owned()),
            ("Interactions", mind.interactions.to_string()),
            ("Waiting requests", view.waiting.to_string()),
        ],
    );
    let header = |name: &str, count: usize| {
        CollapsingHeader::new(format!("{name} ({count})"))
            .id_salt(name)
            .default_open(count > 0)
    };
    header("Episodes", mind.episodes.len()).show(ui, |ui| episodes_ui(ui, view, now));
    header("Beliefs", mind.beliefs.iter().len()).show(ui, |ui| beliefs_ui(ui, view));
    header("Relationships", mind.relationships.iter().len()).show(ui, |ui| {
        for (other, r) in mind.relationships.iter() {
            ui.label(format!(
                "{other}: affinity {}, trust {}, familiarity {}",
                part(r.affinity),
                part(r.trust),
                part(r.familiarity)
            ));
        }
    });
    header("Exchanges", mind.exchanges.len()).show(ui, |ui| {
        for exchange in mind.exchanges.iter().rev() {
            // What happened has no speaker.
            ui.weak(match exchange.speaker.as_str() {
                "" => exchange.heard.clone(),
                speaker => format!("{speaker}: {}", exchange.heard),
            });
            ui.label(&exchange.answered);
        }
    });
    header("States", mind.states.len()).show(ui, |ui| {
        for (label, category, level) in &mind.states {
            ui.label(format!("{label} ({category}): {level}"));
        }
    });
    header("Last fallback lines", mind.recent_fallbacks.len()).show(ui, |ui| {
        for line in mind.recent_fallbacks.iter().rev() {
            ui.label(line);
        }
    });
}

fn episodes_ui(ui: &mut Ui, view: &MindView, now: GameTime) {
    egui::Grid::new("episodes")
        .num_columns(4)
        .striped(true)
        .show(ui, |ui| {
            for heading in ["strength", "signif.", "age", "episode, newest first"] {
                ui.weak(heading);
            }
            ui.end_row();
            let decay = view.mind.episodes.decay();
            let episodes: Vec<_> = view.mind.episodes.iter().collect();
            for episode in episodes.into_iter().rev().take(MOST_EPISODES) {
                let strength = if episode.pinned {
                    "pinned".to_owned()
                } else {
                    part(episode.strength(now, decay))
                };
                ui.monospace(strength);
                ui.monospace(part(episode.significance));
                ui.monospace(age(now.since(episode.time)));
                let text = RichText::new(&episode.text);
                let text = if episode.is_active(now, decay) {
                    text
                } else {
                    text.weak().strikethrough()
                };
                ui.add(Label::new(text).wrap()).on_hover_text(format!(
                    "{}\n{}\nwith {:?}",
                    episode.id, episode.provenance, episode.participants
                ));
                ui.end_row();
            }
        });
}

fn beliefs_ui(ui: &mut Ui, view: &MindView) {
    egui::Grid::new("beliefs")
        .num_columns(2)
        .striped(true)
        .show(ui, |ui| {
            for (id, belief) in view.mind.beliefs.iter() {
                ui.monospace(part(belief.confidence));
                let text = RichText::new(format!("{id}: {}", belief.text));
                let (text, note) = if belief.contradicts_canon {
                    (text.color(NOTED), "It contradicts canon.")
                } else {
                    (text, "")
                };
                let history: String = belief
                    .history
                    .iter()
                    .rev()
                    .map(|(text, confidence, _)| format!("\nbefore: {} {text}", part(*confidence)))
                    .collect();
                ui.add(Label::new(text).wrap())
                    .on_hover_text(format!("{id} {note}{history}"));
                ui.end_row();
            }
        });
}

fn age(span: Millis) -> String {
    let seconds = span.0 / 1_000;
    match seconds {
        0..=119 => format!("{seconds} s"),
        120..=7_199 => format!("{} min", seconds / 60),
        _ => format!("{} h", seconds / 3_600),
    }
}
