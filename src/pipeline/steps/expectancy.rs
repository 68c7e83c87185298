//! Component 2, expectancy: which constraints apply.

use super::interaction::InteractionContext;
use crate::authoring::{Character, StoryBook};
use crate::base::canonical::Encoded;
use crate::base::extension::{ExtensionError, ask};
use crate::format::AuthoringError;
use crate::format::error::parse_ron;
use crate::npc::LoadedCharacter;
use crate::pipeline::driver::hook::RunStep;
use crate::pipeline::driver::step::{Step, StepResult, character_component, run_component};
use crate::pipeline::run::{Run, RunPhase};
use crate::rules::compiled::{CompileRules, LevelRules, OpenRules};
use crate::rules::{
    Constraint, ConstraintKind, ConstraintList, CustomRule, Interaction, RuleLevel, RuleSeverity,
    RuleSpec,
};
use crate::story::ActiveStory;
use crate::world::{WorldRead, WorldView};
use bevy::prelude::*;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// The constraints of one interaction, in their total order, with the custom rules that apply. Expectancy
/// puts it on the run; a retry adds to the snapshot's copy, never to this one.
#[derive(Component, Debug, Clone, Default, PartialEq)]
#[component(storage = "SparseSet", immutable)]
pub struct ConstraintSet {
    /// Constraints: those of the character first, then those of rules by priority (highest first), id and level.
    pub(crate) constraints: ConstraintList,
    /// Custom rules of the world, the character and the trigger.
    pub(crate) custom: Vec<CustomRule>,
}

impl ConstraintSet {
    /// The ids of the constraints, in their order, and of the custom rules.
    pub fn ids(&self) -> impl Iterator<Item = &str> {
        let constraints = self.constraints.iter().map(|constraint| &*constraint.id);
        constraints.chain(self.custom.iter().map(|rule| &*rule.id))
    }
}

type RustCondition =
    dyn Fn(&Interaction, &dyn WorldRead) -> std::result::Result<bool, ExtensionError> + Send + Sync;

/// A rule whose condition is written in Rust. If it errs or panics, it is skipped and logged; the other rules go on.
#[derive(Clone)]
pub struct RustRule {
    id: String,
    rules: LevelRules,
    when: Arc<RustCondition>,
}

impl RustRule {
    /// A rule of the world level: `spec` with its own condition, and `when` in addition.
    ///
    /// # Errors
    /// The problems of `spec`, such as a pattern that does not compile.
    pub(crate) fn new(
        spec: &RuleSpec,
        when: impl Fn(&Interaction, &dyn WorldRead) -> std::result::Result<bool, ExtensionError>
        + Send
        + Sync
        + 'static,
    ) -> std::result::Result<Self, Vec<crate::format::Problem>> {
        let mut compile = CompileRules::new(RuleLevel::World).under_a_condition();
        let mut open = OpenRules::default();
        compile.rule(&mut open, spec, "");
        Ok(Self {
            id: spec.id.clone(),
            rules: compile.finish(open)?,
            when: Arc::new(when),
        })
    }

    /// The same, with the rule as it is written in RON.
    ///
    /// ```
    /// use bevy_dramatis::pipeline::RustRule;
    /// let rule = RustRule::from_ron(
    ///     r#"(id: "night_watch", constraints: [(id: "no_entry", kind: Prohibition, severity: Hard,
    ///         description: "Let nobody in at night.", patterns: ["come in"])])"#,
    ///     |_interaction, world| Ok(world.flag("night")),
    /// );
    /// assert!(rule.is_ok());
    /// ```
    ///
    /// # Errors
    /// The problems of the text, with line and column.
    pub fn from_ron(
        ron: &str,
        when: impl Fn(&Interaction, &dyn WorldRead) -> std::result::Result<bool, ExtensionError>
        + Send
        + Sync
        + 'static,
    ) -> std::result::Result<Self, Vec<AuthoringError>> {
        const ORIGIN: &str = "a rule in Rust";
        let spec: RuleSpec = parse_ron(ron.as_bytes(), ORIGIN)?;
        Self::new(&spec, when).map_err(|problems| {
            let problems = problems.iter();
            problems
                .map(|problem| problem.located(ORIGIN, ron))
                .collect()
        })
    }

    fn applies(&self, interaction: &Interaction, world: &dyn WorldRead) -> bool {
        ask(|| (self.when)(interaction, world)).unwrap_or_else(|error| {
            log::error!("the rule \"{}\" was skipped: {error}", self.id);
            false
        })
    }
}

impl fmt::Debug for RustRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RustRule").field(&self.id).finish()
    }
}

/// Rules in Rust, in the order in which they were registered.
#[derive(Resource, Debug, Clone, Default)]
pub(crate) struct RustRules(pub Vec<RustRule>);

/// Finds the constraints that apply. The same interaction, rules and world give the same set.
///
/// Constraints of the character come first, then those of rules: priority descending, then id, then level.
#[must_use]
pub(crate) fn evaluate(
    interaction: &Interaction,
    story: &StoryBook,
    character: &Character,
    rust: &RustRules,
    world: &dyn WorldRead,
) -> ConstraintSet {
    let levels = levels_of(interaction, story, character);
    Applying::find(interaction, &levels, rust, world).into_set()
}

/// The levels of a character's rules: of the story, its own, and of what triggers it.
fn levels_of<'a>(
    interaction: &Interaction,
    story: &'a StoryBook,
    character: &'a Character,
) -> Vec<&'a LevelRules> {
    let trigger = interaction.trigger_id.and_then(|id| story.triggers.get(id));
    let levels = [&story.rules, &character.rules].into_iter().chain(trigger);
    levels.collect()
}

/// As [`evaluate`], without the rules of a character: for what belongs to none, such as a narration.
#[must_use]
pub(crate) fn evaluate_story(
    interaction: &Interaction,
    story: &StoryBook,
    rust: &RustRules,
    world: &dyn WorldRead,
) -> ConstraintSet {
    Applying::find(interaction, &[&story.rules], rust, world).into_set()
}

/// Room for this many rules is made at once; where more apply to an interaction, the list grows.
const ROOM_FOR_RULES: usize = 128;

/// What applies to an interaction, in order, before permissions lift anything of it.
struct Applying<'a> {
    constraints: Vec<&'a Arc<Encoded<Constraint>>>,
    custom: Vec<&'a CustomRule>,
}

impl<'a> Applying<'a> {
    fn find(
        interaction: &'a Interaction,
        levels: &[&'a LevelRules],
        rust: &'a RustRules,
        world: &'a dyn WorldRead,
    ) -> Self {
        let rust = rust
            .0
            .iter()
            .filter(|rule| rule.applies(interaction, world));
        let all = levels.iter().copied().chain(rust.map(|rule| &rule.rules));
        let mut rules: Vec<&crate::rules::Rule> = Vec::with_capacity(ROOM_FOR_RULES);
        rules.extend(all.flat_map(|level| level.applying(interaction, world)));
        // Stable: rules alike in priority and id stay in the order of their levels.
        rules.sort_by(|a, b| b.priority.cmp(&a.priority).then_with(|| a.id.cmp(&b.id)));
        let of_levels = || levels.iter().map(|level| &level.constraints);
        let of_rules = || rules.iter().map(|rule| &rule.constraints);
        let count = of_levels().chain(of_rules()).map(Vec::len).sum();
        let mut constraints = Vec::with_capacity(count);
        constraints.extend(of_levels().chain(of_rules()).flatten());
        Self {
            constraints,
            custom: levels.iter().flat_map(|level| &level.custom).collect(),
        }
    }

    fn into_set(self) -> ConstraintSet {
        ConstraintSet {
            constraints: self.finished(),
            custom: self.custom(),
        }
    }

    /// The constraints that are left, each with its own id.
    fn finished(&self) -> ConstraintList {
        let constraints = self.constraints.iter();
        let mut constraints: Vec<_> = constraints.map(|one| Arc::clone(one)).collect();
        lift(&mut constraints);
        let mut seen = BTreeSet::new();
        let repeated = repeats(&constraints, |constraint| &constraint.id);
        for constraint in constraints.iter_mut().filter(|_| repeated) {
            if let Some(id) = told_apart(&mut seen, &constraint.id, constraint.level) {
                let renamed = Constraint {
                    id,
                    ..Constraint::clone(constraint)
                };
                *constraint = Arc::new(Encoded::new(renamed));
            }
        }
        Arc::new(Encoded::new(constraints))
    }

    /// The custom rules, each with its own id.
    fn custom(&self) -> Vec<CustomRule> {
        let mut custom: Vec<CustomRule> = self.custom.iter().copied().cloned().collect();
        let mut seen = BTreeSet::new();
        let repeated = repeats(&custom, |rule| &rule.id);
        for rule in custom.iter_mut().filter(|_| repeated) {
            if let Some(id) = told_apart(&mut seen, &rule.id, rule.level) {
                rule.id = id;
            }
        }
        custom
    }
}

/// A permission lifts the prohibitions of its own level that it names, never a Critical one.
fn lift(constraints: &mut Vec<Arc<Encoded<Constraint>>>) {
    let lifted: BTreeSet<(RuleLevel, String)> = constraints
        .iter()
        .filter(|c| c.kind == ConstraintKind::Permission)
        .flat_map(|c| c.lifts.iter().map(|id| (c.level, id.clone())))
        .collect();
    if lifted.is_empty() {
        return;
    }
    constraints.retain(|c| {
        c.kind != ConstraintKind::Prohibition
            || c.severity == RuleSeverity::Critical
            || !lifted.contains(&(c.level, c.id.clone()))
    });
}

/// Whether one of these ids comes twice. In most games none does.
fn repeats<T>(all: &[T], id: impl Fn(&T) -> &str) -> bool {
    let mut order: Vec<u32> = (0..).take(all.len()).collect();
    let id_of = |place: &u32| id(&all[*place as usize]);
    order.sort_unstable_by(|a, b| id_of(a).cmp(id_of(b)));
    order.windows(2).any(|two| id_of(&two[0]) == id_of(&two[1]))
}

/// An id that would repeat is prefixed with its level.
fn told_apart(seen: &mut BTreeSet<String>, id: &str, level: RuleLevel) -> Option<String> {
    if seen.insert(id.to_owned()) {
        return None;
    }
    let prefixed = format!("{}.{id}", level.name());
    seen.insert(prefixed.clone());
    Some(prefixed)
}

/// The rules that applied to the last run of a character, and the resulting list with its known hash. Most runs repeat them.
#[derive(Component)]
struct LastConstraints {
    /// The rules that applied, as they are in their files.
    applied: Vec<Arc<Encoded<Constraint>>>,
    /// The resulting list.
    finished: ConstraintList,
}

impl LastConstraints {
    fn came_of(&self, applying: &Applying) -> bool {
        let pairs = self.applied.iter().zip(&applying.constraints);
        self.applied.len() == applying.constraints.len()
            && pairs.into_iter().all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

/// The step: finds the constraints of a run.
pub(crate) struct FindConstraints;

impl Step for FindConstraints {
    const PHASE: RunPhase = RunPhase::Expectancy;
    const READS: Option<RunStep> = Some(RunStep::Expectancy);
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        let run = run_component::<Run>(world, entity)?;
        let character = character_component::<LoadedCharacter>(world, run)?;
        let context = run_component::<InteractionContext>(world, entity)?;
        let (interaction, story) = (context.conditions(), &world.resource::<ActiveStory>().0);
        let levels = levels_of(&interaction, story, &character.0);
        let (rust, view) = (world.resource::<RustRules>(), WorldView::new(world));
        let applying = Applying::find(&interaction, &levels, rust, &view);
        let custom = applying.custom();
        let npc = run.npc_entity();
        let last = world.get::<LastConstraints>(npc);
        let last = last.filter(|last| last.came_of(&applying));
        let (constraints, news) = match last {
            Some(last) => (last.finished.clone(), None),
            None => {
                let finished = applying.finished();
                let applied = applying.constraints.iter();
                let news = LastConstraints {
                    applied: applied.map(|one| Arc::clone(one)).collect(),
                    finished: finished.clone(),
                };
                (finished, Some(news))
            }
        };
        if let (Some(news), Ok(mut npc)) = (news, world.get_entity_mut(npc)) {
            npc.insert(news);
        }
        world.entity_mut(entity).insert(ConstraintSet {
            constraints,
            custom,
        });
        Ok(RunPhase::Retrieval)
    }
}
