//! The memory of each NPC.

use super::marked::NOTED;
use super::selection::Selection;
use super::view::{InspectorView, MindView};
use super::widgets::{part, table};
use crate::base::fixed::Millis;
use crate::base::time::GameTime;
use bevy_egui::egui::{self, CollapsingHeader, Label, RichText, ScrollArea, Ui};

/// Draws the NPCs and the memory of the chosen one.
pub fn minds_ui(ui: &mut Ui, view: &InspectorView, selection: &mut Selection) {
    let chosen = |mind: &&MindView| Some(mind.npc) == selection.npc.as_deref();
    let Some(mind) = view.minds.iter().find(chosen).or(view.minds.first()) else {
        ui.weak("There is no character yet.");
        return;
    };
    ScrollArea::vertical()
        .id_salt("npcs")
        .max_height(100.0)
        .auto_shrink([false, true])
        .show(ui, |ui| {
            ui.horizontal_wrapped(|ui| {
                for other in &view.minds {
                    let asleep = if other.name.is_none() {
                        " (not spawned)"
                    } else {
                        ""
                    };
                    let label = format!("{}{asleep}", other.npc);
                    if ui.selectable_label(other.npc == mind.npc, label).clicked() {
                        selection.npc = Some(other.npc.to_owned());
                    }
                }
            });
        });
    ui.separator();
    ScrollArea::vertical()
        .id_salt("mind")
        .auto_shrink(false)
        .show(ui, |ui| mind_ui(ui, mind, view.now));
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
            ui.weak(format!("{}: {}", exchange.speaker, exchange.heard));
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
            for episode in episodes.into_iter().rev() {
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
