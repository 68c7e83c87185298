//! The rules: which were asked for, which have found something and where, and which never did.

use super::marked::colour;
use super::selection::{RunFilter, Selection};
use super::theme::{GONE, GOOD, NOTED};
use super::view::{InspectorView, RunView};
use super::widgets::{contains, excerpt, search};
use crate::authoring::{Character, StoryBook};
use crate::base::canonical::Encoded;
use crate::gate::Verdict;
use crate::npc::LoadedCharacter;
use crate::rules::compiled::LevelRules;
use crate::rules::{Constraint, ConstraintKind, CustomRule, PatternRef, RuleSeverity};
use crate::story::ActiveStory;
use crate::world::{ActionRegistry, WorldIndex};
use bevy::prelude::Entity;
use bevy_egui::egui::{Grid, Label, RichText, ScrollArea, Ui};
use std::sync::Arc;

/// A rule, and what it has found in the runs that are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleRow {
    /// Its id.
    pub id: String,
    /// Where it is written: `story`, `trigger tower_gate`, `action open`, a character's id; `built in` for what no file has.
    pub owner: String,
    /// What it does: `never`, `must`, `may`, `topic`, `canon`, or `check` for what judges actions, memories and the form.
    pub kind: &'static str,
    /// What a violation does; `None` where the rule does not say.
    pub severity: Option<RuleSeverity>,
    /// What it demands, in words.
    pub words: String,
    /// What it watches for; of a check, what it asks, as RON.
    pub patterns: Vec<String>,
    /// In how many of the runs it was asked for; `None` where it is not asked for, but always there.
    pub asked: Option<usize>,
    /// How many findings it has.
    pub found: usize,
    /// Its newest finding.
    pub last: Option<LastFinding>,
}

/// Where a rule has found something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LastFinding {
    /// The entity of the run.
    pub run: Entity,
    /// The number of the run.
    pub number: u64,
    /// The index of the attempt in its run.
    pub attempt: usize,
    /// The words that it hit, or what it said of them.
    pub words: String,
}

/// The rules of a story and its characters, and the checks of its rulebook, with what they found in these runs; what was found
/// and stands in no file comes last. Those with most findings come first, then those that were asked for most often.
#[must_use]
pub fn rule_rows(
    story: &StoryBook,
    characters: &[&Character],
    registry: &ActionRegistry,
    runs: &[RunView],
) -> Vec<RuleRow> {
    let mut rows = authored(story, characters);
    rows.extend(checks(story, registry));
    for run in runs {
        count_asked(&mut rows, run);
        for (attempt, record) in run.attempts.iter().enumerate().rev() {
            let Some(verdict) = &record.verdict else {
                continue;
            };
            for (rule, words) in findings(verdict) {
                let row = row_of(&mut rows, rule, run.run.npc());
                row.found += 1;
                row.last.get_or_insert_with(|| LastFinding {
                    run: run.entity,
                    number: run.run.number(),
                    attempt,
                    words: words.to_owned(),
                });
            }
        }
    }
    rows.sort_by_key(|row| std::cmp::Reverse((row.found, row.asked)));
    rows
}

/// Who finds what in a verdict: the rule, with the words that it hit, or else what it says.
fn findings(verdict: &Verdict) -> Vec<(&str, &str)> {
    let words = verdict.failures.iter().chain(&verdict.warnings);
    let words = words.map(|finding| {
        let hit = finding.span.as_ref().map(|span| &*span.text);
        (
            &*finding.rule,
            hit.filter(|hit| !hit.is_empty())
                .unwrap_or(&finding.message),
        )
    });
    let memories = verdict.rejected_mutations.iter();
    let memories = memories.map(|rejected| (&*rejected.rule, &*rejected.message));
    let actions = verdict.actions.iter().filter_map(|action| {
        let rule = action.judgement.rule.as_deref()?;
        Some((rule, &*action.judgement.message))
    });
    // An action that was denied stands among both.
    let unread = verdict.rejected_intents.iter().filter(|rejected| {
        let mut judged = verdict.actions.iter();
        judged.all(|action| action.judgement.rule.as_deref() != Some(&*rejected.rule))
    });
    let unread = unread.map(|rejected| (&*rejected.rule, &*rejected.message));
    words.chain(memories).chain(actions).chain(unread).collect()
}

fn count_asked(rows: &mut Vec<RuleRow>, run: &RunView) {
    let Some(set) = run.constraints else {
        return;
    };
    let authored = set
        .constraints
        .iter()
        .filter(|constraint| constraint.restates.is_none());
    let constraints = authored.map(|constraint| &*constraint.id);
    let all = constraints.chain(set.custom.iter().map(|rule| &*rule.id));
    let asked: Vec<String> = all.map(str::to_owned).collect();
    for id in asked {
        let row = row_of(rows, &id, run.run.npc());
        row.asked = Some(row.asked.unwrap_or_default() + 1);
    }
}

/// The row of a rule as a run of this character knows it. One that no file has gets a row of its own.
fn row_of<'a>(rows: &'a mut Vec<RuleRow>, id: &str, npc: &str) -> &'a mut RuleRow {
    let own = rows.iter().position(|row| row.id == id && row.owner == npc);
    let at = own.or_else(|| {
        rows.iter()
            .position(|row| row.id == id && !row.is_of_another(npc))
    });
    let at = at.unwrap_or_else(|| {
        rows.push(RuleRow {
            id: id.to_owned(),
            owner: BUILT_IN.to_owned(),
            kind: "check",
            severity: None,
            words: String::new(),
            patterns: Vec::new(),
            asked: None,
            found: 0,
            last: None,
        });
        rows.len() - 1
    });
    &mut rows[at]
}

const BUILT_IN: &str = "built in";
const STORY: &str = "story";
const TRIGGER: &str = "trigger ";
const ACTION: &str = "action ";

impl RuleRow {
    /// Whether it belongs to a character that is not this one.
    fn is_of_another(&self, npc: &str) -> bool {
        let is_place = [TRIGGER, ACTION]
            .iter()
            .any(|place| self.owner.starts_with(place));
        let shared = self.owner == BUILT_IN || self.owner == STORY || is_place;
        !shared && self.owner != npc
    }
}

fn authored(story: &StoryBook, characters: &[&Character]) -> Vec<RuleRow> {
    let canon = story.canon.facts().iter().map(|fact| RuleRow {
        id: fact.id.clone(),
        owner: STORY.to_owned(),
        kind: "canon",
        severity: None,
        words: fact.text.clone(),
        patterns: Vec::new(),
        asked: None,
        found: 0,
        last: None,
    });
    let mut rows: Vec<RuleRow> = canon.collect();
    add_level(&mut rows, STORY, &story.rules);
    for (trigger, rules) in &story.triggers {
        add_level(&mut rows, &format!("{TRIGGER}{trigger}"), rules);
    }
    for character in characters {
        add_level(&mut rows, &character.id, &character.rules);
    }
    rows
}

/// What the rulebook asks before an action is done.
fn checks(story: &StoryBook, registry: &ActionRegistry) -> Vec<RuleRow> {
    let book = story.rulebook();
    let known = registry
        .shapes()
        .filter_map(|shape| Some((shape.name, book.rule(registry, shape.name)?)));
    let rows = known.flat_map(|(action, rule)| {
        rule.checks.iter().map(move |check| RuleRow {
            id: check.id.clone(),
            owner: format!("{ACTION}{action}"),
            kind: "check",
            severity: None,
            words: check.message.clone(),
            patterns: ron::to_string(&check.when).into_iter().collect(),
            asked: None,
            found: 0,
            last: None,
        })
    });
    rows.collect()
}

fn add_level(rows: &mut Vec<RuleRow>, owner: &str, level: &LevelRules) {
    let sources = |patterns: &[PatternRef]| patterns.iter().map(|p| p.source.to_string()).collect();
    let constraint = |constraint: &Arc<Encoded<Constraint>>| RuleRow {
        id: constraint.id.clone(),
        owner: owner.to_owned(),
        kind: match constraint.kind {
            ConstraintKind::Permission => "may",
            ConstraintKind::Prohibition => "never",
            ConstraintKind::Requirement => "must",
        },
        severity: Some(constraint.severity),
        words: constraint.prompt.clone(),
        patterns: sources(&constraint.patterns),
        asked: Some(0),
        found: 0,
        last: None,
    };
    let custom = |rule: &CustomRule| RuleRow {
        id: rule.id.clone(),
        owner: owner.to_owned(),
        kind: if rule.prohibits { "never" } else { "must" },
        severity: Some(rule.severity),
        words: rule.description.clone(),
        patterns: vec![rule.pattern.source.to_string()],
        asked: Some(0),
        found: 0,
        last: None,
    };
    let topic = |topic: &PatternRef, words: &str| RuleRow {
        id: topic.source.to_string(),
        owner: owner.to_owned(),
        kind: "topic",
        severity: None,
        words: words.to_owned(),
        patterns: vec![topic.source.to_string()],
        asked: None,
        found: 0,
        last: None,
    };
    let conditional = level.rules().iter().flat_map(|rule| &rule.constraints);
    rows.extend(level.constraints.iter().chain(conditional).map(constraint));
    rows.extend(level.custom.iter().map(custom));
    rows.extend(
        level
            .forbidden
            .iter()
            .map(|one| topic(one, "never spoken of")),
    );
    let hidden = level.hidden.iter().map(|hidden| &hidden.topic);
    rows.extend(hidden.map(|one| topic(one, "not spoken of until its time has come")));
}

/// Draws the rules.
pub(super) fn rules_ui(ui: &mut Ui, view: &InspectorView, selection: &mut Selection) {
    let none = StoryBook::default();
    let story = view
        .world
        .get_resource::<ActiveStory>()
        .map_or(&none, |story| &*story.0);
    let index = view.world.get_resource::<WorldIndex>();
    let characters = view.minds.iter().filter_map(|mind| {
        let entity = index?.get(mind.npc)?;
        Some(&*view.world.get::<LoadedCharacter>(entity)?.0)
    });
    let characters: Vec<&Character> = characters.collect();
    let none = ActionRegistry::default();
    let registry = view.world.get_resource().unwrap_or(&none);
    let mut rows = rule_rows(story, &characters, registry, &view.runs);
    if rows.is_empty() {
        ui.weak("There are no rules: neither the story nor a character has any.");
        return;
    }
    ui.horizontal_wrapped(|ui| {
        search(ui, &mut selection.rules, "id, owner or words");
        let never = rows.iter().filter(|row| row.found == 0).count();
        ui.weak(format!(
            "{} rules, {never} of which found nothing in the last {} runs",
            rows.len(),
            view.runs.len()
        ));
    });
    rows.retain(|row| contains(&selection.rules, [&*row.id, &*row.owner, &*row.words]));
    // The one that somebody looks for comes first.
    rows.sort_by_key(|row| Some(&row.id) != selection.rule.as_ref());
    ScrollArea::vertical()
        .id_salt("rules")
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
                    for row in &rows {
                        row_ui(ui, row, selection);
                    }
                });
        });
}

fn row_ui(ui: &mut Ui, row: &RuleRow, selection: &mut Selection) {
    match row.asked {
        Some(0) => ui.colored_label(GONE, "0"),
        Some(asked) => ui.colored_label(GOOD, asked.to_string()),
        None => ui.weak("always"),
    };
    match row.found {
        0 => ui.colored_label(GONE, "0"),
        found => ui.colored_label(NOTED, found.to_string()),
    };
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
        if !row.patterns.is_empty() {
            let patterns = excerpt(&row.patterns.join("  "), 200);
            ui.add(Label::new(RichText::new(patterns).monospace().weak()).wrap());
        }
        if let Some(last) = &row.last {
            let words = format!("run {}: {}", last.number, excerpt(&last.words, 120));
            if ui.link(words).clicked() {
                selection.show_run(last.run);
                selection.runs = RunFilter::default();
                selection.attempt = Some(last.attempt);
            }
        }
    });
    ui.end_row();
}
