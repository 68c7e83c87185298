//! The memory of each character: what it holds, what it would retrieve for a question, and what its runs have changed.

use super::scores;
use super::selection::Selection;
use super::theme::{BAD, GOOD, NOTED};
use super::view::{InspectorView, MindView, RunView};
use super::widgets::{counted, excerpt, is_called, more_ui, part, search, table};
use crate::authoring::Character;
use crate::gate::MemoryChange;
use crate::limits::Limits;
use crate::memory::retrieval::Retrieved;
use crate::memory::retrieval::retrieve;
use crate::memory::{ForgottenEpisode, Provenance};
use crate::npc::{LoadedCharacter, limits_of};
use crate::world::WorldIndex;
use bevy_egui::egui::{self, CollapsingHeader, Label, RichText, ScrollArea, Ui};
use std::fmt;

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
    /// Why it was not done; `None` where it was done.
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

/// Where a belief comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BeliefSource {
    /// A reply of the run with this number proposed it, and the gate has let it pass.
    Run(u64),
    /// The file of the character has it.
    File,
    /// The game wrote it, or a run that is not kept any more.
    Earlier,
    /// The character is not in the game, so its file is not known.
    NotKnown,
}

impl BeliefSource {
    /// Where the character has the text of this belief from, as far as its runs and its file tell.
    #[must_use]
    pub fn of(
        runs: &[RunView],
        character: Option<&Character>,
        npc: &str,
        (id, text): (&str, &str),
    ) -> Self {
        let own = runs.iter().filter(|run| run.run.npc().as_str() == npc);
        let mut writing = own.filter(|run| {
            let done = run.report.iter().flat_map(|report| &report.done);
            done.into_iter().any(|change| match change {
                MemoryChange::TransformBelief {
                    target, content, ..
                } => target.as_str() == id && content == text,
                _ => false,
            })
        });
        if let Some(newest) = writing.next() {
            return Self::Run(newest.run.number());
        }
        let Some(character) = character else {
            return Self::NotKnown;
        };
        match character.first_belief(id) == Some(text) {
            true => Self::File,
            false => Self::Earlier,
        }
    }
}

impl fmt::Display for BeliefSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Run(number) => write!(f, "from run {number}"),
            Self::File => f.write_str("from its file"),
            Self::Earlier => f.write_str("from the game, or an older run"),
            Self::NotKnown => f.write_str("it is not in the game"),
        }
    }
}

/// What a character would retrieve if a speaker said this now; nothing for empty words.
#[must_use]
pub(crate) fn retrieved_for(
    view: &InspectorView,
    mind: &MindView,
    words: &str,
) -> Option<Retrieved> {
    let words = words.trim();
    if words.is_empty() {
        return None;
    }
    let entity = WorldIndex::find(view.world, mind.npc);
    let limits = entity.map_or(Limits::DEFAULT, |entity| limits_of(view.world, entity));
    Some(retrieve(mind.mind, words, view.now, &limits))
}

/// What the newest run of a character that is kept has retrieved, with the number of the run; `None` where it has none.
#[must_use]
pub(crate) fn last_retrieved<'v>(runs: &'v [RunView], npc: &str) -> Option<(u64, &'v Retrieved)> {
    let mut own = runs.iter().filter(|run| run.run.npc().as_str() == npc);
    own.find_map(|run| Some((run.run.number(), &*run.retrieved?.memories)))
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
        ui.weak(counted(view.minds.len(), "character"));
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
            } else if let Some((run, retrieved)) = last_retrieved(&view.runs, mind.npc) {
                let words = format!("What run {run} has remembered");
                CollapsingHeader::new(words)
                    .id_salt("last query")
                    .show(ui, |ui| scores::scores_ui(ui, retrieved));
            }
            mind_ui(ui, view, mind);
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
pub fn mind_ui(ui: &mut Ui, inspector: &InspectorView, view: &MindView) {
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
    header("Episodes", mind.episodes.len()).show(ui, |ui| episodes_ui(ui, inspector, view));
    header("Beliefs", mind.beliefs.iter().len()).show(ui, |ui| beliefs_ui(ui, inspector, view));
    header("Relationships", mind.relationships.iter().len()).show(ui, |ui| {
        for (other, r) in mind.relationships.iter() {
            ui.label(format!(
                "{other}: affinity {}, trust {}, familiarity {}",
                part(r.affinity),
                part(r.trust),
                part(r.familiarity)
            ));
            for cause in mind.relationships.causes(other).rev() {
                let when = inspector.when(cause.time);
                ui.weak(format!("    {when}: {}", excerpt(&cause.text, 300)));
            }
        }
    });
    header("Forgotten", mind.episodes.forgotten().len()).show(ui, |ui| {
        for forgotten in mind.episodes.forgotten().rev() {
            let ForgottenEpisode { episode, why, .. } = forgotten;
            let text = excerpt(&episode.text, 300);
            ui.weak(format!("{} ({}): {text}", episode.id, why.name()));
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

fn episodes_ui(ui: &mut Ui, inspector: &InspectorView, view: &MindView) {
    let now = inspector.now;
    egui::Grid::new("episodes")
        .num_columns(5)
        .striped(true)
        .show(ui, |ui| {
            for heading in [
                "strength",
                "signif.",
                "when",
                "known",
                "episode, newest first",
            ] {
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
                ui.weak(inspector.when(episode.time));
                ui.weak(known_by(&episode.provenance));
                let text = RichText::new(&episode.text);
                let text = if episode.is_active(now, decay) {
                    text
                } else {
                    text.weak().strikethrough()
                };
                ui.add(Label::new(text).wrap()).on_hover_text(format!(
                    "{}\nwith {}",
                    episode.id,
                    episode.participants.join(", ")
                ));
                ui.end_row();
            }
        });
}

/// How an episode is known, in few words.
fn known_by(provenance: &Provenance) -> String {
    match provenance {
        Provenance::Saw => "was there".to_owned(),
        Provenance::ToldBy(who) => format!("told by {who}"),
        Provenance::OverheardFrom(who) => format!("overheard from {who}"),
        Provenance::Inferred => "concluded".to_owned(),
        Provenance::Diary(_) => "from its diary".to_owned(),
    }
}

fn beliefs_ui(ui: &mut Ui, inspector: &InspectorView, view: &MindView) {
    let entity = WorldIndex::find(inspector.world, view.npc);
    let character = entity.and_then(|entity| inspector.world.get::<LoadedCharacter>(entity));
    let character = character.map(|loaded| &*loaded.0);
    egui::Grid::new("beliefs")
        .num_columns(3)
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
                let known = (id.as_str(), belief.text.as_str());
                let source = BeliefSource::of(&inspector.runs, character, view.npc, known);
                ui.weak(source.to_string());
                ui.add(Label::new(text).wrap())
                    .on_hover_text(format!("{id} {note}{history}"));
                ui.end_row();
            }
        });
}
