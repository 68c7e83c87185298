//! Rules made ready to judge: patterns are compiled once per rule set and shared from then on.

use super::condition::{Interaction, holds};
use super::rule_index::RuleIndex;
use super::spec::{
    ConstraintKind, ConstraintSpec, CustomRuleSpec, RuleCondition, RuleSeverity, RuleSpec,
};
use crate::base::canonical::Encoded;
use crate::base::ids::Id;
use crate::format::Problem;
use crate::judged_world::WorldRead;
use crate::text::pattern::{self, Pattern, PatternId, PatternSet};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where a rule comes from. All levels apply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum RuleLevel {
    /// From the story, for every character. Rules in Rust are of this level, too.
    World,
    /// From the character itself.
    Npc,
    /// From the trigger whose id the interaction has.
    Trigger,
}

impl RuleLevel {
    /// The name of the level: `world`, `npc` or `trigger`. It is put before an id that another level has taken.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::World => "world",
            Self::Npc => "npc",
            Self::Trigger => "trigger",
        }
    }
}

/// One pattern: its words, and its place in the automaton of its rule set.
#[derive(Debug, Clone)]
pub(crate) struct PatternRef {
    /// The pattern as its author wrote it.
    pub source: Arc<str>,
    /// The automaton of the rule set that it belongs to.
    pub set: Arc<PatternSet>,
    /// Its number in that automaton. The first hit is looked up under this number.
    pub(crate) id: PatternId,
}

impl PartialEq for PatternRef {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Serialize for PatternRef {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.source)
    }
}

/// Constraints in the order of their evaluation. Copies of the list share it.
pub type ConstraintList = Arc<Encoded<Vec<Arc<Encoded<Constraint>>>>>;

/// A constraint that can be judged.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Constraint {
    /// Its id. Where two levels use one id, the later one is prefixed with its level.
    pub id: String,
    /// Whether it permits, prohibits or requires.
    pub kind: ConstraintKind,
    /// What a violation does to the attempt or the run.
    pub severity: RuleSeverity,
    /// The level that it was written at.
    pub level: RuleLevel,
    /// What it demands, in a sentence for people.
    pub description: String,
    /// What the prompt says: the authored prompt, else the description.
    pub prompt: String,
    /// What it watches for in a reply. Empty: it is only part of the prompt.
    pub patterns: Vec<PatternRef>,
    /// For a permission: the ids of the prohibitions that it lifts. Empty for all others.
    pub lifts: Vec<String>,
    /// The id of the constraint that this one restates. `None`: it was authored, and no retry added it.
    pub restates: Option<String>,
    /// Whether it holds whatever happens: a constraint of a story or a character that no condition and no trigger brings.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub standing: bool,
}

/// Constraints that apply while a condition holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// Its id, unique in its rule set.
    pub id: String,
    /// Rules of higher priority come first; equal ones by id.
    pub priority: i64,
    /// The condition under which it applies.
    pub(crate) when: RuleCondition,
    /// The constraints that apply then; shared with every run that they apply to.
    pub(crate) constraints: Vec<Arc<Encoded<Constraint>>>,
}

/// A rule over the words of a reply.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CustomRule {
    /// Its id, unique in its rule set.
    pub id: String,
    /// True: its pattern must not hit. False: it must.
    pub prohibits: bool,
    /// What a violation does to the attempt or the run.
    pub severity: RuleSeverity,
    /// The level that it was written at.
    pub level: RuleLevel,
    /// The pattern that it looks for in a reply.
    pub pattern: PatternRef,
    /// What it demands, in a sentence for people and for the feedback of a retry.
    pub description: String,
}

/// A topic that a character must not speak of, as a pattern.
pub type Topic = PatternRef;

/// A topic that a character must not speak of until a condition holds.
#[derive(Debug, Clone, PartialEq)]
pub struct HiddenTopic {
    /// The topic, as a pattern: a reply speaks of it where the pattern hits.
    pub(crate) topic: PatternRef,
    /// The condition under which it may be spoken of. `None`: it never may.
    pub(crate) until: Option<RuleCondition>,
}

/// Collects the patterns of one rule set, then compiles them into one automaton.
///
/// A problem does not stop it: a writer sees all of them at once, in [`CompileRules::problems`] or from
/// [`CompileRules::finish`].
#[derive(Debug)]
pub struct CompileRules {
    level: RuleLevel,
    /// Whether what has no condition in data holds whatever happens.
    stands: bool,
    sources: Vec<Arc<str>>,
    /// As many, unless there is a problem.
    patterns: Vec<Pattern>,
    ids: BTreeSet<(&'static str, String)>,
    /// What is wrong so far, in the order in which it was found.
    pub problems: Vec<Problem>,
}

/// A constraint whose patterns are still numbers.
type Open<T> = (T, Vec<usize>);

/// Rules whose patterns are not compiled yet.
#[derive(Debug, Default)]
pub struct OpenRules {
    constraints: Vec<Open<Constraint>>,
    rules: Vec<(Rule, Vec<Open<Constraint>>)>,
    custom: Vec<(CustomRuleSpec, usize)>,
    topics: Vec<usize>,
    hidden: Vec<(usize, Option<RuleCondition>)>,
}

/// The rules of one level, compiled.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LevelRules {
    /// Constraints that always apply. Only a character has such ones.
    pub(crate) constraints: Vec<Arc<Encoded<Constraint>>>,
    /// Constraints under conditions, in their total order: priority descending, then id.
    rules: Vec<Rule>,
    index: RuleIndex,
    /// Rules over the words of a reply.
    pub(crate) custom: Vec<CustomRule>,
    /// Topics that must never be spoken of. Only a character has such ones.
    pub forbidden: Vec<Topic>,
    /// Topics that must not be spoken of until their condition holds. Only a character has such ones.
    pub hidden: Vec<HiddenTopic>,
}

/// Whether a hidden topic is closed: there is no condition that opens it, or it does not hold.
#[must_use]
pub fn is_closed(hidden: &HiddenTopic, interaction: &Interaction, world: &dyn WorldRead) -> bool {
    !hidden
        .until
        .as_ref()
        .is_some_and(|until| holds(until, interaction, world))
}

impl LevelRules {
    /// All rules under conditions, in their total order.
    #[cfg(feature = "inspector")]
    #[must_use]
    pub fn rules(&self) -> &[Rule] {
        &self.rules
    }

    /// The rules that apply to an interaction, in their total order. What it takes grows with the rules that may apply to it: not
    /// with those that name another character, trigger, scene or tag.
    pub fn applying<'a>(
        &'a self,
        interaction: &'a Interaction,
        world: &'a dyn WorldRead,
    ) -> impl Iterator<Item = &'a Rule> {
        let candidates = self.index.candidates(interaction);
        let rule = move |at: usize| self.rules.get(*candidates.get(at)?);
        let candidates = (0..).map_while(rule);
        candidates.filter(move |rule| holds(&rule.when, interaction, world))
    }
}

impl CompileRules {
    /// Begins a rule set of this level.
    #[must_use]
    pub(crate) fn new(level: RuleLevel) -> Self {
        Self {
            level,
            stands: level != RuleLevel::Trigger,
            sources: Vec::new(),
            patterns: Vec::new(),
            ids: BTreeSet::new(),
            problems: Vec::new(),
        }
    }

    /// The same for rules whose condition is code.
    #[must_use]
    pub fn under_a_condition(self) -> Self {
        Self {
            stands: false,
            ..self
        }
    }

    /// Reads an id of a kind of thing, such as "rule". An id that is badly formed (`None`), or was read for that kind
    /// before, is a problem at `pointer`.
    pub fn claim(&mut self, kind: &'static str, id: &str, pointer: &str) -> Option<Id> {
        let read = Id::new(id)
            .map_err(|error| {
                let problem = Problem::new(format!("{pointer}/id"), error.to_string());
                self.problems.push(problem);
            })
            .ok();
        if !self.ids.insert((kind, id.to_owned())) {
            self.problems.push(Problem::new(
                format!("{pointer}/id"),
                format!("the {kind} \"{}\" is listed twice", id.escape_debug()),
            ));
        }
        read
    }

    /// Takes a pattern in; a bad one is a problem and counts as one that never hits.
    fn pattern(&mut self, source: &str, pointer: &str) -> usize {
        match pattern::parse(source) {
            Ok(pattern) => self.patterns.push(pattern),
            Err(error) => self.problems.push(Problem::new(pointer, error.to_string())),
        }
        self.sources.push(source.into());
        self.sources.len() - 1
    }

    fn constraint(&mut self, spec: &ConstraintSpec, id: String, pointer: &str) -> Open<Constraint> {
        self.claim("constraint", &id, pointer);
        let patterns = spec
            .patterns
            .iter()
            .enumerate()
            .map(|(i, source)| self.pattern(source, &format!("{pointer}/patterns/{i}")))
            .collect();
        let constraint = Constraint {
            id,
            kind: spec.kind,
            severity: spec.severity,
            level: self.level,
            description: spec.description.clone(),
            prompt: spec
                .prompt
                .clone()
                .unwrap_or_else(|| spec.description.clone()),
            patterns: Vec::new(),
            lifts: spec.lifts.clone(),
            restates: None,
            standing: false,
        };
        (constraint, patterns)
    }

    /// Adds constraints that always apply. `pointer` is the place of their list.
    pub(crate) fn constraints(
        &mut self,
        open: &mut OpenRules,
        specs: &[ConstraintSpec],
        pointer: &str,
    ) {
        for (i, spec) in specs.iter().enumerate() {
            let id = spec.id_in("constraint", i);
            let mut constraint = self.constraint(spec, id, &format!("{pointer}/{i}"));
            constraint.0.standing = self.stands;
            open.constraints.push(constraint);
        }
    }

    /// Adds a rule. `pointer` is its place.
    pub(crate) fn rule(&mut self, open: &mut OpenRules, spec: &RuleSpec, pointer: &str) {
        self.claim("rule", &spec.id, pointer);
        let is_standing = self.stands && spec.when == RuleCondition::Always;
        let rule = Rule {
            id: spec.id.clone(),
            priority: spec.priority,
            when: spec.when.clone(),
            constraints: Vec::new(),
        };
        let constraints = spec
            .constraints
            .iter()
            .enumerate()
            .map(|(i, constraint)| {
                let id = constraint.id_in(&spec.id, i);
                let place = format!("{pointer}/constraints/{i}");
                let mut constraint = self.constraint(constraint, id, &place);
                constraint.0.standing = is_standing;
                constraint
            })
            .collect();
        open.rules.push((rule, constraints));
    }

    /// Adds custom rules. `pointer` is the place of their list; a `Permission` among them is a problem.
    pub fn custom_rules(&mut self, open: &mut OpenRules, specs: &[CustomRuleSpec], pointer: &str) {
        for (i, spec) in specs.iter().enumerate() {
            let place = format!("{pointer}/{i}");
            self.claim("custom rule", &spec.id, &place);
            if spec.kind == ConstraintKind::Permission {
                self.problems.push(Problem::new(
                    format!("{place}/kind"),
                    "a custom rule is a Prohibition or a Requirement",
                ));
            }
            let pattern = self.pattern(&spec.pattern, &format!("{place}/pattern"));
            open.custom.push((spec.clone(), pattern));
        }
    }

    /// Adds a topic. `until` is `None` for one that is always forbidden, `Some` with the condition for a hidden one, which may
    /// itself be `None`: then it stays hidden.
    pub(crate) fn topic(
        &mut self,
        open: &mut OpenRules,
        topic: &str,
        until: Option<Option<&RuleCondition>>,
        pointer: &str,
    ) {
        let pattern = self.pattern(topic, pointer);
        match until {
            None => open.topics.push(pattern),
            Some(until) => open.hidden.push((pattern, until.cloned())),
        }
    }

    /// Compiles all patterns into one automaton.
    ///
    /// # Errors
    /// All problems met, when there is one.
    pub fn finish(mut self, open: OpenRules) -> Result<LevelRules, Vec<Problem>> {
        if !self.problems.is_empty() {
            return Err(self.problems);
        }
        let set = match PatternSet::of(self.patterns) {
            Ok(set) => Arc::new(set),
            Err(error) => {
                self.problems.push(Problem::new("", error.to_string()));
                return Err(self.problems);
            }
        };
        let pattern = |index: usize| PatternRef {
            source: self.sources[index].clone(),
            set: set.clone(),
            id: PatternId(u32::try_from(index).unwrap_or(u32::MAX)),
        };
        let close = |(mut constraint, patterns): Open<Constraint>| {
            constraint.patterns = patterns.into_iter().map(pattern).collect();
            Arc::new(Encoded::new(constraint))
        };
        let mut rules: Vec<Rule> = open
            .rules
            .into_iter()
            .map(|(rule, constraints)| Rule {
                constraints: constraints.into_iter().map(close).collect(),
                ..rule
            })
            .collect();
        rules.sort_by(|a, b| b.priority.cmp(&a.priority).then(a.id.cmp(&b.id)));
        let custom = open.custom.into_iter().map(|(spec, index)| CustomRule {
            id: spec.id,
            prohibits: spec.kind == ConstraintKind::Prohibition,
            severity: spec.severity,
            level: self.level,
            pattern: pattern(index),
            description: spec.description,
        });
        let hidden = open.hidden.into_iter().map(|(index, until)| HiddenTopic {
            topic: pattern(index),
            until,
        });
        Ok(LevelRules {
            constraints: open.constraints.into_iter().map(close).collect(),
            index: RuleIndex::new(rules.iter().map(|rule| &rule.when)),
            rules,
            custom: custom.collect(),
            forbidden: open.topics.into_iter().map(pattern).collect(),
            hidden: hidden.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constraint(id: &str, patterns: &[&str]) -> ConstraintSpec {
        ConstraintSpec {
            id: id.into(),
            kind: ConstraintKind::Prohibition,
            severity: RuleSeverity::Hard,
            description: String::new(),
            prompt: None,
            patterns: patterns.iter().map(|p| (*p).to_owned()).collect(),
            lifts: Vec::new(),
        }
    }

    #[test]
    fn g2_one_automaton_serves_a_whole_rule_set() {
        let mut compile = CompileRules::new(RuleLevel::Npc);
        let mut open = OpenRules::default();
        compile.constraints(
            &mut open,
            &[constraint("a", &["x", "y"]), constraint("b", &["z"])],
            "/c",
        );
        compile.topic(&mut open, "t*", None, "/forbidden/0");
        let rules = compile.finish(open).unwrap();
        let sets: Vec<&Arc<PatternSet>> = rules
            .constraints
            .iter()
            .flat_map(|c| &c.patterns)
            .chain(&rules.forbidden)
            .map(|p| &p.set)
            .collect();
        assert_eq!(sets.len(), 4);
        assert!(sets.iter().all(|set| Arc::ptr_eq(set, sets[0])));
    }

    #[test]
    fn x1_every_problem_is_told_with_its_place() {
        let mut compile = CompileRules::new(RuleLevel::World);
        let mut open = OpenRules::default();
        let specs = [
            constraint("a", &["ok", "/(/"]),
            constraint("a", &[]),
            constraint("b b", &[""]),
        ];
        compile.constraints(&mut open, &specs, "/constraints");
        let places: Vec<String> = compile
            .finish(open)
            .unwrap_err()
            .into_iter()
            .map(|p| p.pointer)
            .collect();
        assert_eq!(
            places,
            [
                "/constraints/0/patterns/1",
                "/constraints/1/id",
                "/constraints/2/id",
                "/constraints/2/patterns/0"
            ]
        );
    }

    #[test]
    fn p2_rules_stand_in_their_total_order() {
        let mut compile = CompileRules::new(RuleLevel::World);
        let mut open = OpenRules::default();
        for (id, priority) in [("b", 1), ("a", 1), ("z", 9)] {
            let spec = RuleSpec {
                id: id.into(),
                priority,
                when: RuleCondition::Always,
                constraints: Vec::new(),
            };
            compile.rule(&mut open, &spec, "/rules");
        }
        let rules = compile.finish(open).unwrap();
        let order: Vec<&str> = rules.rules.iter().map(|r| r.id.as_str()).collect();
        assert_eq!(order, ["z", "a", "b"]);
    }
}
