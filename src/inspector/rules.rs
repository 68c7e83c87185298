//! The rules: which were asked for, which have found something and where, and which never did.

use super::marked::colour;
use super::selection::Selection;
use super::theme::{GONE, GOOD, NOTED};
use super::view::{InspectorView, RunView};
use super::widgets::{contains, excerpt, more_ui, recent, search};
use crate::authoring::{Character, StoryBook};
use crate::events::TurnEnded;
use crate::gate::Verdict;
use crate::npc::LoadedCharacter;
use crate::rules::compiled::LevelRules;
use crate::rules::{Constraint, ConstraintKind, CustomRule, PatternRef, RuleSeverity};
use crate::story::ActiveStory;
use crate::world::{ActionRegistry, TurnRecord, WorldIndex};
use bevy::prelude::{Entity, On, ResMut, Resource};
use bevy_egui::egui::{Grid, Label, RichText, ScrollArea, Ui};
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

/// The most rules that are listed at once. Words to look for find the others.
const MOST_RULES: usize = 200;

/// The last turns that actors have taken, oldest first: at most 64. The runs of characters are kept by
/// [`RunHistory`](crate::pipeline::RunHistory).
#[derive(Resource, Debug, Clone, Default)]
pub struct RecentTurns(pub VecDeque<Arc<TurnRecord>>);

impl RecentTurns {
    /// How many are kept.
    pub const MOST: usize = 64;
}

/// Keeps a turn for the panel.
pub(super) fn note_turn(ended: On<TurnEnded>, mut turns: ResMut<RecentTurns>) {
    while turns.0.len() >= RecentTurns::MOST {
        turns.0.pop_front();
    }
    turns.0.push_back(Arc::clone(&ended.record));
}

/// A rule, and what it has found in the runs and turns that are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleRow {
    /// The id of the rule, the constraint, the fact or the check, as its file has it.
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
    /// How many findings it has, in runs and in turns.
    pub found: usize,
    /// Its newest finding in a run; `None` where it has found nothing in one.
    pub last: Option<LastFinding>,
    /// The number of the newest turn in which it has denied something to an actor, and what it said; `None` where there is none.
    pub last_turn: Option<(u64, String)>,
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

/// The rules of a story and its characters, and the checks of its rulebook, with what they found in these runs, the newest of
/// which comes first, and in these turns, the newest of which comes last; what was found and stands in no file comes last. Those with most findings come first, then those that were asked for most often.
#[must_use]
pub fn rule_rows(
    story: &StoryBook,
    characters: &[&Character],
    registry: &ActionRegistry,
    runs: &[RunView],
    turns: &VecDeque<Arc<TurnRecord>>,
) -> Vec<RuleRow> {
    let mut rows = authored(story, characters);
    rows.extend(checks(story, registry));
    let mut rows = Rows::from(rows);
    for run in runs {
        count_asked(&mut rows, run);
        for (attempt, record) in run.attempts.iter().enumerate().rev() {
            let Some(verdict) = &record.verdict else {
                continue;
            };
            for (rule, words) in findings(verdict) {
                let row = rows.of(rule, run.run.npc(), || RuleRow::built_in(rule));
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
    for turn in turns.iter().rev() {
        for judgement in turn.actions.iter().map(|action| &action.judgement) {
            if let Some(check) = &judgement.rule {
                let row = rows.of(check, &turn.actor, || RuleRow::built_in(check));
                row.found += 1;
                row.last_turn
                    .get_or_insert_with(|| (turn.id, judgement.message.clone()));
            }
        }
    }
    let mut rows = rows.rows;
    rows.sort_by_key(|row| Reverse((row.found, row.asked)));
    rows
}

/// Rows, with those of each id.
struct Rows {
    rows: Vec<RuleRow>,
    by_id: BTreeMap<String, Vec<usize>>,
}

impl From<Vec<RuleRow>> for Rows {
    fn from(rows: Vec<RuleRow>) -> Self {
        let mut by_id: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for (at, row) in rows.iter().enumerate() {
            by_id.entry(row.id.clone()).or_default().push(at);
        }
        Self { rows, by_id }
    }
}

impl Rows {
    /// The row of a rule as a run of this character knows it: its own, else one that all have. One that no file has any more
    /// gets a row of its own.
    fn of(&mut self, id: &str, npc: &str, new: impl FnOnce() -> RuleRow) -> &mut RuleRow {
        let known = self.by_id.get(id).map_or(&[][..], Vec::as_slice);
        let rows = &self.rows;
        let mut own = known.iter().filter(|at| rows[**at].owner == npc);
        let mut shared = known.iter().filter(|at| !rows[**at].is_of_another(npc));
        let at = own.next().or_else(|| shared.next()).copied();
        let at = at.unwrap_or_else(|| {
            let at = self.rows.len();
            self.rows.push(new());
            self.by_id.entry(id.to_owned()).or_default().push(at);
            at
        });
        &mut self.rows[at]
    }
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

fn count_asked(rows: &mut Rows, run: &RunView) {
    let Some(set) = run.constraints else {
        return;
    };
    let npc = run.run.npc();
    let authored = set
        .constraints
        .iter()
        .filter(|constraint| constraint.restates.is_none());
    for constraint in authored {
        let row = rows.of(&constraint.id, npc, || {
            RuleRow::of_constraint(constraint, npc)
        });
        row.asked = Some(row.asked.unwrap_or_default() + 1);
    }
    for rule in &set.custom {
        let row = rows.of(&rule.id, npc, || RuleRow::of_custom(rule, npc));
        row.asked = Some(row.asked.unwrap_or_default() + 1);
    }
}

const BUILT_IN: &str = "built in";
const STORY: &str = "story";
const TRIGGER: &str = "trigger ";
const ACTION: &str = "action ";

impl RuleRow {
    /// A row without anything found. `asked` is for those that are not always there.
    fn new(id: &str, owner: &str, kind: &'static str) -> Self {
        Self {
            id: id.to_owned(),
            owner: owner.to_owned(),
            kind,
            severity: None,
            words: String::new(),
            patterns: Vec::new(),
            asked: None,
            found: 0,
            last: None,
            last_turn: None,
        }
    }

    /// A rule that no file has.
    fn built_in(id: &str) -> Self {
        Self::new(id, BUILT_IN, "check")
    }

    fn of_constraint(constraint: &Constraint, owner: &str) -> Self {
        let kind = match constraint.kind {
            ConstraintKind::Permission => "may",
            ConstraintKind::Prohibition => "never",
            ConstraintKind::Requirement => "must",
        };
        Self {
            severity: Some(constraint.severity),
            words: constraint.prompt.clone(),
            patterns: sources(&constraint.patterns),
            asked: Some(0),
            ..Self::new(&constraint.id, owner, kind)
        }
    }

    fn of_custom(rule: &CustomRule, owner: &str) -> Self {
        let kind = if rule.prohibits { "never" } else { "must" };
        Self {
            severity: Some(rule.severity),
            words: rule.description.clone(),
            patterns: vec![rule.pattern.source.to_string()],
            asked: Some(0),
            ..Self::new(&rule.id, owner, kind)
        }
    }

    /// Whether it belongs to a character that is not this one.
    fn is_of_another(&self, npc: &str) -> bool {
        let is_place = [TRIGGER, ACTION]
            .iter()
            .any(|place| self.owner.starts_with(place));
        let shared = self.owner == BUILT_IN || self.owner == STORY || is_place;
        !shared && self.owner != npc
    }
}

fn sources(patterns: &[PatternRef]) -> Vec<String> {
    patterns.iter().map(|p| p.source.to_string()).collect()
}

fn authored(story: &StoryBook, characters: &[&Character]) -> Vec<RuleRow> {
    let canon = story.canon.facts().iter().map(|fact| RuleRow {
        words: fact.text.clone(),
        ..RuleRow::new(&fact.id, STORY, "canon")
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
            words: check.message.clone(),
            patterns: ron::to_string(&check.when).into_iter().collect(),
            ..RuleRow::new(&check.id, &format!("{ACTION}{action}"), "check")
        })
    });
    rows.collect()
}

fn add_level(rows: &mut Vec<RuleRow>, owner: &str, level: &LevelRules) {
    let topic = |topic: &PatternRef, words: &str| RuleRow {
        words: words.to_owned(),
        patterns: vec![topic.source.to_string()],
        ..RuleRow::new(topic.source.as_ref(), owner, "topic")
    };
    let conditional = level.rules().iter().flat_map(|rule| &rule.constraints);
    let constraints = level.constraints.iter().chain(conditional);
    rows.extend(constraints.map(|constraint| RuleRow::of_constraint(constraint, owner)));
    let custom = level.custom.iter();
    rows.extend(custom.map(|rule| RuleRow::of_custom(rule, owner)));
    let forbidden = level.forbidden.iter();
    rows.extend(forbidden.map(|one| topic(one, "never spoken of")));
    let hidden = level.hidden.iter().map(|hidden| &hidden.topic);
    rows.extend(hidden.map(|one| topic(one, "not spoken of until its time has come")));
}

/// All rules of the game, with what they found in the runs and turns that are kept.
fn read(view: &InspectorView) -> Vec<RuleRow> {
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
    let no_turns = VecDeque::new();
    let turns = view.world.get_resource::<RecentTurns>();
    let turns = turns.map_or(&no_turns, |turns| &turns.0);
    rule_rows(story, &characters, registry, &view.runs, turns)
}

/// Draws the rules.
pub(super) fn rules_ui(ui: &mut Ui, view: &InspectorView, selection: &mut Selection) {
    let rows = recent(ui, "rules", (), || read(view));
    ui.horizontal_wrapped(|ui| {
        search(ui, &mut selection.rules, "id, owner or words");
        let never = rows.iter().filter(|row| row.found == 0).count();
        ui.weak(format!(
            "{} rules, {never} of which found nothing in the last {} runs",
            rows.len(),
            view.runs.len()
        ));
        ui.checkbox(&mut selection.unused_rules, "list only these");
    });
    let chosen = selection.rule.clone();
    let is_chosen = |row: &&RuleRow| Some(&row.id) == chosen.as_ref();
    // The one that somebody looks for comes first; some have no file, and no row before they find something.
    let unknown = chosen
        .iter()
        .filter(|_| !rows.iter().any(|row| is_chosen(&row)))
        .map(|id| RuleRow {
            words: "It stands in no file, and has found nothing in these runs.".to_owned(),
            ..RuleRow::built_in(id)
        });
    let unknown: Vec<RuleRow> = unknown.collect();
    let (first, others): (Vec<&RuleRow>, Vec<&RuleRow>) = rows.iter().partition(is_chosen);
    let is_listed = |row: &&RuleRow| {
        contains(&selection.rules, [&*row.id, &*row.owner, &*row.words])
            && (row.found == 0 || !selection.unused_rules)
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
                selection.attempt = Some(last.attempt);
            }
        }
        if let Some((turn, words)) = &row.last_turn {
            ui.weak(format!("turn {turn}: {}", excerpt(words, 120)));
        }
    });
    ui.end_row();
}
