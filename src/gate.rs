//! The gate: deterministic judges of a proposal, and the only maker of [`Approved`] values (contract rows G1-G9).
//!
//! A reply is parsed into a [`Proposal`], which nobody trusts. [`judge`] looks at it from every side and answers
//! with a [`Verdict`], which says why, and with [`Approvals`], which are what may happen. A failed verdict
//! approves nothing. The same proposal, frozen input and world give the same verdict.
//!
//! The judges stand in the order in which their failures are listed: [`words`] (constraints), [`canon`],
//! knowledge (in [`words`]), [`mutations`], [`actions`], custom rules (in [`words`] and [`custom`]).

pub mod actions;
pub mod approved;
pub mod canon;
pub mod custom;
pub mod mutations;
pub mod verdict;
pub mod words;

pub use approved::{Approvals, Approved, Line, MemoryChange};
pub use canon::{CanonFact, CanonJudge};
pub use custom::{CustomCheck, CustomChecks};
pub use verdict::{Failure, FailureReason, RejectedIntent, RejectedMutation, Rejection, Verdict};

use crate::base::fixed::Millis;
use crate::proposal::{InvalidFormat, Proposal};
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

/// Judges a reply. Failures of all judges are combined; nothing is approved unless all pass.
#[must_use]
pub fn judge(bench: &GateContext, reply: &Result<Proposal, InvalidFormat>) -> (Verdict, Approvals) {
    let mut verdict = Verdict::default();
    let proposal = match reply {
        Ok(proposal) => proposal,
        Err(error) => {
            verdict.add(Failure::invalid_format(error));
            return verdict.close(Approvals::default());
        }
    };
    verdict
        .warnings
        .extend(proposal.warnings.iter().map(Failure::parse_warning));

    let dialogue = words::Text::new(&proposal.dialogue);
    verdict.add_all(words::judge_constraints(bench.constraints, &dialogue));
    verdict.add_all(words::judge_canon(bench.canon, &proposal.dialogue));
    verdict.add_all(words::judge_knowledge(bench, &dialogue));
    let memories = mutations::judge(bench, &proposal.mutations, &mut verdict);
    let emitted = mutations::judge_emitted(bench, &proposal.intents, &mut verdict);
    let intents = actions::judge(bench, &emitted, &mut verdict);
    verdict.add_all(words::judge_custom(bench.custom, &dialogue));
    verdict.add_all(
        bench
            .checks
            .judge(&proposal.dialogue, &bench.interaction, bench.world),
    );

    let approvals = Approvals::new(bench.run, &proposal.dialogue, memories, intents);
    verdict.close(approvals)
}
