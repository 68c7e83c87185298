//! The rules as rows: where each is written, how often it was asked for, and what it has found.

use super::super::view::RunView;
use super::counts::FindingCounts;
use super::findings::{Finding, findings};
use crate::authoring::{Character, StoryBook};
use crate::rules::compiled::LevelRules;
use crate::rules::{Constraint, ConstraintKind, CustomRule, PatternRef, RuleSeverity};
use crate::text::{FoldedText, PatternSet};
use crate::world::{ActionRegistry, TurnRecord};
use bevy::prelude::Entity;
use std::cmp::Reverse;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

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
    pub patterns: Vec<PatternRow>,
    /// In how many of the runs it was asked for; `None` where it is not asked for, but always there.
    pub asked: Option<usize>,
    /// How many findings it has, in the runs and turns that are kept.
    pub found: usize,
    /// How many it has had since the game began.
    pub in_all: u64,
    /// Its newest finding in a run; `None` where it has found nothing in one.
    pub last: Option<LastFinding>,
    /// The number of the newest turn in which it has denied something to an actor, and what it said; `None` where there is none.
    pub last_turn: Option<(u64, String)>,
}

/// A pattern of a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatternRow {
    /// The pattern as its author wrote it.
    pub source: String,
    /// How many of the words that its rule has hit are hit by this pattern. Two patterns may hit the same words.
    pub found: usize,
    /// Where it has hit last; `None`: nowhere in the runs that are kept.
    pub last: Option<LastFinding>,
}

impl PatternRow {
    /// A pattern that has hit nothing.
    fn new(source: impl Into<String>) -> Self {
        Self {
            source: source.into(),
            found: 0,
            last: None,
        }
    }
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

/// The rules of a story and its characters, and the checks of its rulebook, with what they found in these runs (the newest
/// first) and in these turns (the newest last); `counts` says what they have found since the game began. Rules that found
/// something and are in no file come last. Those with most findings come first, then those that were asked for most often.
#[must_use]
pub fn rule_rows(
    story: &StoryBook,
    characters: &[&Character],
    registry: &ActionRegistry,
    runs: &[RunView],
    turns: &VecDeque<Arc<TurnRecord>>,
    counts: &FindingCounts,
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
            for Finding {
                rule,
                words,
                is_hit,
            } in findings(verdict)
            {
                let row = rows.of(rule, run.run.npc(), || RuleRow::built_in(rule));
                row.found += 1;
                let finding = LastFinding {
                    run: run.entity,
                    number: run.run.number(),
                    attempt,
                    words: words.to_owned(),
                };
                if is_hit {
                    row.count_patterns(&finding);
                }
                row.last.get_or_insert(finding);
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
    for ((who, rule), count) in &counts.0 {
        let row = rows.of(rule, who, || RuleRow::built_in(rule));
        row.in_all = row.in_all.saturating_add(*count);
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
    /// Whether it has ever found something.
    #[must_use]
    pub fn has_found(&self) -> bool {
        self.found > 0 || self.in_all > 0
    }

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
            in_all: 0,
            last: None,
            last_turn: None,
        }
    }

    /// A rule that no file has.
    pub(super) fn built_in(id: &str) -> Self {
        Self::new(id, BUILT_IN, "check")
    }

    /// Counts which of its patterns hit these words. What a check asks is not a pattern.
    fn count_patterns(&mut self, finding: &LastFinding) {
        let sources = self.patterns.iter().map(|pattern| &pattern.source);
        // Each was compiled when its file was loaded.
        let Some(set) = PatternSet::compile(sources)
            .ok()
            .filter(|_| self.kind != "check")
        else {
            return;
        };
        let hits = set.scan(&FoldedText::new(&finding.words));
        for (at, pattern) in self.patterns.iter_mut().enumerate() {
            if hits.first(at).is_some() {
                pattern.found += 1;
                pattern.last.get_or_insert_with(|| finding.clone());
            }
        }
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
            patterns: vec![PatternRow::new(&*rule.pattern.source)],
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

fn sources(patterns: &[PatternRef]) -> Vec<PatternRow> {
    let sources = patterns.iter().map(|pattern| &*pattern.source);
    sources.map(PatternRow::new).collect()
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
            patterns: ron::to_string(&check.when)
                .into_iter()
                .map(PatternRow::new)
                .collect(),
            ..RuleRow::new(&check.id, &format!("{ACTION}{action}"), "check")
        })
    });
    rows.collect()
}

fn add_level(rows: &mut Vec<RuleRow>, owner: &str, level: &LevelRules) {
    let topic = |topic: &PatternRef, words: &str| RuleRow {
        words: words.to_owned(),
        patterns: vec![PatternRow::new(&*topic.source)],
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
