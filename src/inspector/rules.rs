//! The rules: which were asked for, which have found something and where, and which never did.

mod counts;
mod findings;
mod rows;

pub use counts::FindingCounts;
pub(super) use counts::count_run;
pub use rows::{PatternRow, RuleRow, rule_rows};

use super::marked::colour;
use super::selection::Selection;
use super::theme::{GONE, GOOD, NOTED};
use super::view::InspectorView;
use super::widgets::{and_more_ui, contains, counted, excerpt, more_ui, recent, search};
use crate::authoring::{Character, StoryBook};
use crate::events::TurnEnded;
use crate::npc::LoadedCharacter;
use crate::story::ActiveStory;
use crate::world::{ActionRegistry, TurnRecord, WorldIndex};
use bevy::prelude::{On, ResMut, Resource};
use bevy_egui::egui::{Grid, Label, RichText, ScrollArea, Ui};
use std::collections::VecDeque;
use std::sync::Arc;

/// The most rules that are listed at once. Words to look for find the others.
const MOST_RULES: usize = 200;
/// The most patterns of a rule that are shown.
const MOST_PATTERNS: usize = 12;

/// The last turns that actors have taken, oldest first: at most 64. The runs of characters are kept by
/// [`RunHistory`](crate::pipeline::RunHistory).
#[derive(Resource, Debug, Clone, Default)]
pub struct RecentTurns(pub VecDeque<Arc<TurnRecord>>);

impl RecentTurns {
    /// How many are kept.
    pub const MOST: usize = 64;
}

/// Keeps a turn for the panel, and counts what was denied in it.
pub(super) fn note_turn(
    ended: On<TurnEnded>,
    mut turns: ResMut<RecentTurns>,
    mut counts: ResMut<FindingCounts>,
) {
    let judged = ended.record.actions.iter().map(|action| &action.judgement);
    for rule in judged.filter_map(|judgement| judgement.rule.as_ref()) {
        counts.add(&ended.actor, rule);
    }
    while turns.0.len() >= RecentTurns::MOST {
        turns.0.pop_front();
    }
    turns.0.push_back(Arc::clone(&ended.record));
}

/// All rules of the game, with what they found in the runs and turns that are kept.
fn read(view: &InspectorView) -> Vec<RuleRow> {
    let none = StoryBook::default();
    let story = view
        .world
        .get_resource::<ActiveStory>()
        .map_or(&none, |story| &*story.0);
    let characters = view.minds.iter().filter_map(|mind| {
        let entity = WorldIndex::find(view.world, mind.npc)?;
        Some(&*view.world.get::<LoadedCharacter>(entity)?.0)
    });
    let characters: Vec<&Character> = characters.collect();
    let none = ActionRegistry::default();
    let registry = view.world.get_resource().unwrap_or(&none);
    let no_turns = VecDeque::new();
    let turns = view.world.get_resource::<RecentTurns>();
    let turns = turns.map_or(&no_turns, |turns| &turns.0);
    let none = FindingCounts::default();
    let counts = view.world.get_resource().unwrap_or(&none);
    rule_rows(story, &characters, registry, &view.runs, turns, counts)
}

/// Draws the rules.
pub(super) fn rules_ui(ui: &mut Ui, view: &InspectorView, selection: &mut Selection) {
    let rows = recent(ui, "rules", (), || read(view));
    ui.horizontal_wrapped(|ui| {
        search(ui, &mut selection.rules, "id, owner or words");
        let never = rows.iter().filter(|row| !row.has_found()).count();
        ui.weak(format!(
            "{}, {never} of which have found nothing yet",
            counted(rows.len(), "rule")
        ));
        ui.checkbox(&mut selection.unused_rules, "list only these");
    });
    let chosen = selection.rule.clone();
    let is_chosen = |row: &&RuleRow| Some(&row.id) == chosen.as_ref();
    // The rule that the user looks for comes first; some have no file, and no row before they find something.
    let unknown = chosen
        .iter()
        .filter(|_| !rows.iter().any(|row| is_chosen(&row)))
        .map(|id| RuleRow {
            words: "It is in no file, and has found nothing in these runs.".to_owned(),
            ..RuleRow::built_in(id)
        });
    let unknown: Vec<RuleRow> = unknown.collect();
    let (first, others): (Vec<&RuleRow>, Vec<&RuleRow>) = rows.iter().partition(is_chosen);
    let is_listed = |row: &&RuleRow| {
        contains(&selection.rules, [&*row.id, &*row.owner, &*row.words])
            && !(selection.unused_rules && row.has_found())
    };
    let listed = unknown.iter().chain(first).chain(others).filter(is_listed);
    let listed: Vec<&RuleRow> = listed.collect();
    // Another rule is shown from the top.
    ScrollArea::vertical()
        .id_salt(("rules", &chosen))
        .auto_shrink(false)
        .show(ui, |ui| {
            Grid::new("rules")
                .num_columns(4)
                .striped(true)
                .show(ui, |ui| {
                    for heading in [
                        "asked",
                        "found",
                        "rule",
                        "what it says, and where it last hit",
                    ] {
                        ui.weak(heading);
                    }
                    ui.end_row();
                    for row in listed.iter().take(MOST_RULES) {
                        row_ui(ui, row, selection);
                    }
                });
            more_ui(ui, listed.len().saturating_sub(MOST_RULES));
        });
}

/// A pattern, with how often it has hit. A click shows where it did last.
fn pattern_ui(ui: &mut Ui, pattern: &PatternRow, selection: &mut Selection) {
    let text = excerpt(&pattern.source, 200);
    let Some(last) = &pattern.last else {
        ui.label(RichText::new(text).monospace().weak());
        return;
    };
    let text = RichText::new(format!("{text} ({})", pattern.found)).monospace();
    let link = ui.link(text.color(NOTED));
    if link
        .on_hover_text(format!(
            "run {}: {}",
            last.number,
            excerpt(&last.words, 120)
        ))
        .clicked()
    {
        selection.show_run(last.run);
        selection.attempt = Some(last.attempt);
    }
}

fn row_ui(ui: &mut Ui, row: &RuleRow, selection: &mut Selection) {
    match row.asked {
        Some(0) => ui.colored_label(GONE, "0"),
        Some(asked) => ui.colored_label(GOOD, asked.to_string()),
        None => ui.weak("always"),
    };
    match (row.found, row.in_all) {
        (0, 0) => ui.colored_label(GONE, "0"),
        (found, all) if all > found as u64 => ui.colored_label(NOTED, format!("{found} of {all}")),
        (found, _) => ui.colored_label(NOTED, found.to_string()),
    }
    .on_hover_text("in the runs that are kept, of all since the game began");
    ui.vertical(|ui| {
        let name = RichText::new(&row.id);
        let is_chosen = Some(&row.id) == selection.rule.as_ref();
        ui.label(if is_chosen {
            name.strong().underline()
        } else {
            name
        });
        ui.horizontal(|ui| {
            ui.weak(&row.owner);
            ui.weak(row.kind);
            if let Some(severity) = row.severity {
                ui.colored_label(colour(severity), format!("{severity:?}"));
            }
        });
    });
    ui.vertical(|ui| {
        if !row.words.is_empty() {
            ui.add(Label::new(excerpt(&row.words, 300)).wrap());
        }
        ui.horizontal_wrapped(|ui| {
            for pattern in row.patterns.iter().take(MOST_PATTERNS) {
                pattern_ui(ui, pattern, selection);
            }
            and_more_ui(ui, row.patterns.len().saturating_sub(MOST_PATTERNS));
        });
        if let Some(last) = &row.last {
            let words = format!("run {}: {}", last.number, excerpt(&last.words, 120));
            if ui.link(words).clicked() {
                selection.show_run(last.run);
                selection.attempt = Some(last.attempt);
            }
        }
        if let Some((turn, words)) = &row.last_turn {
            ui.weak(format!("turn {turn}: {}", excerpt(words, 120)));
        }
    });
    ui.end_row();
}
