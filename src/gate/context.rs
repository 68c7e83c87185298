//! What the gate judges by: the frozen input, the rules, and the live world.

use super::canon::CanonJudge;
use super::custom::CustomChecks;
use crate::base::fixed::Millis;
use crate::rules::{Constraint, CustomRule, Interaction, Topic};
use crate::world::apply::TurnKey;
use crate::world::{ActionRules, EntityView, WorldRead};
use std::sync::Arc;

/// Everything that the gate judges by.
pub struct GateContext<'a> {
    /// The run that an approval will be bound to.
    pub run: u64,
    /// The interaction.
    pub interaction: Interaction<'a>,
    /// The frozen constraints of this attempt.
    pub constraints: &'a [Arc<Constraint>],
    /// Facts that nobody may change.
    pub canon: &'a CanonJudge,
    /// Topics that the character must not speak of.
    pub forbidden: &'a [Topic],
    /// Hidden topics that were closed when the input was frozen.
    pub closed: &'a [Topic],
    /// Custom rules of every level.
    pub custom: &'a [CustomRule],
    /// Custom checks that the game registered.
    pub checks: &'a CustomChecks,
    /// The actions that the character may propose; all where there is no list.
    pub may: Option<&'a [String]>,
    /// The live world.
    pub world: &'a dyn WorldRead,
    /// What actions are judged by.
    pub actions: ActionContext<'a>,
}

/// What the gate judges actions by.
#[derive(Clone)]
pub struct ActionContext<'a> {
    /// The rulebook, the actions and the time.
    pub rules: ActionRules<'a>,
    /// What the ids of newcomers are derived from.
    pub key: TurnKey,
    /// Those who speak here, who may have no entity.
    pub people: &'a [&'a str],
    /// What the character saw when the input was frozen, so that a denial can name what changed since.
    pub seen: SnapshotView<'a>,
}

/// What stood in the frozen input.
#[derive(Debug, Clone, Copy, Default)]
pub struct SnapshotView<'a> {
    /// Entities, by id.
    pub entities: &'a [(String, EntityView)],
    /// The flags that the rulebook asks for, and whether they were set.
    pub flags: &'a [(String, bool)],
    /// Game time.
    pub time: Millis,
}
