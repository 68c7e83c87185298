//! The constraints of a plan, on their way from the wish to each step.

use crate::base::ids::Id;
use crate::judged_world::action::FieldKind;
use crate::judged_world::words::reference::{Reference, is_pronoun};
use crate::proposal::{PlanConstraintKind, PlanConstraintSpec};
use crate::text::{FoldedText, Lexicon, PatternSet};
use crate::world::{Intent, WorldRead};
use std::sync::Arc;

/// What these words may mean: an id means itself; other words mean the thing or character, and the place, with that name,
/// since a step may be about either. Empty when nothing has the name, or when several things have it. Also empty for a
/// pronoun, because it does not mean the same in the words of the wishing actor and in those of the planning character.
pub(super) fn resolve(
    world: &dyn WorldRead,
    actor: &Id,
    lexicon: &Lexicon,
    words: &str,
) -> Vec<Id> {
    let words = words.trim();
    if let Some(id) = Id::new(words).ok().filter(|id| world.exists(id)) {
        return vec![id];
    }
    if is_pronoun(words, lexicon) {
        return Vec::new();
    }
    let found = [FieldKind::Thing, FieldKind::Place].map(|kind| {
        let reference = Reference {
            actor,
            kind,
            taken: &[],
            mentioned: &[],
            speaker: None,
            known: &[],
            knows: &|_| true,
            lexicon,
            possible: &|_| true,
        };
        reference.resolve(world, words)
    });
    let mut ids: Vec<Id> = found
        .into_iter()
        .filter_map(std::result::Result::ok)
        .collect();
    ids.dedup();
    ids
}

/// A constraint with its id, ready to be compared with steps.
#[derive(Debug, Clone)]
pub(crate) struct PlanConstraint {
    /// Its id: `c1`, `c2`, .., the game's first.
    pub id: String,
    /// What the game or the wish says.
    pub spec: PlanConstraintSpec,
    /// The ids that its target may mean; where the words mean nothing that there is, those words.
    target: Option<std::result::Result<Vec<Id>, String>>,
    pattern: Option<Arc<PatternSet>>,
    is_broken: bool,
}

impl PlanConstraint {
    /// The constraint number `index`, from 0. Its target is looked up as `actor` would refer to it.
    #[must_use]
    pub fn new(
        index: usize,
        spec: &PlanConstraintSpec,
        world: &dyn WorldRead,
        actor: &Id,
        lexicon: &Lexicon,
    ) -> Self {
        let target = spec.target.as_ref().map(|words| {
            let ids = resolve(world, actor, lexicon, words);
            match ids.is_empty() {
                false => Ok(ids),
                true => Err(words.trim().to_owned()),
            }
        });
        let pattern = spec
            .pattern
            .as_ref()
            .map(|pattern| PatternSet::compile([pattern]));
        Self {
            id: format!("c{}", index + 1),
            spec: spec.clone(),
            target,
            is_broken: matches!(pattern, Some(Err(_))),
            pattern: pattern.and_then(std::result::Result::ok).map(Arc::new),
        }
    }

    /// Its kind.
    #[must_use]
    pub fn kind(&self) -> PlanConstraintKind {
        self.spec.kind
    }

    /// Whether it names something that a step can be compared with, and what it names is there.
    #[must_use]
    pub fn can_be_checked(&self) -> bool {
        self.spec.can_be_checked() && !self.is_broken && !matches!(self.target, Some(Err(_)))
    }

    /// Whether a step fits the constraint in everything that the constraint names; `false` for a constraint that names nothing. A
    /// constraint that forbids is also compared with what a step names in addition to its target: who receives something, and what
    /// is used.
    #[must_use]
    pub fn matches(&self, intent: &Intent, why: &str) -> bool {
        if !self.spec.can_be_checked() || self.is_broken {
            return false;
        }
        let action = self.spec.action.as_deref();
        let others = intent
            .references()
            .filter(|_| self.kind() == PlanConstraintKind::MustNot);
        let mut named = intent.target().into_iter().chain(others);
        let target = match &self.target {
            None => true,
            Some(Ok(ids)) => named.any(|named| ids.iter().any(|id| id.as_str() == named)),
            Some(Err(words)) => named.any(|named| named == words),
        };
        let pattern = self.pattern.as_ref().is_none_or(|pattern| {
            let mut words = intent.words().chain([why]);
            words.any(|words| pattern.scan(&FoldedText::new(words)).first(0).is_some())
        });
        action.is_none_or(|action| action == intent.kind()) && target && pattern
    }
}
