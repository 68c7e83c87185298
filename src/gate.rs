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
mod context;
pub mod custom;
pub mod mutations;
pub mod verdict;
pub mod words;

pub use approved::{Approvals, Approved, Line, MemoryChange};
pub use canon::{CanonFact, CanonJudge};
pub use context::{ActionContext, GateContext, SnapshotView};
pub use custom::{CustomCheck, CustomChecks};
pub use verdict::{Failure, FailureReason, RejectedIntent, RejectedMutation, Rejection, Verdict};

use crate::proposal::{InvalidFormat, Proposal};

/// Judges a reply. Failures of all judges are combined; nothing is approved unless all pass.
#[must_use]
pub fn judge(
    context: &GateContext,
    reply: &Result<Proposal, InvalidFormat>,
) -> (Verdict, Approvals) {
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
    verdict.add_all(words::judge_constraints(context.constraints, &dialogue));
    verdict.add_all(words::judge_canon(context.canon, &proposal.dialogue));
    verdict.add_all(words::judge_knowledge(context, &dialogue));
    let memories = mutations::judge(context, &proposal.mutations, &mut verdict);
    let emitted = mutations::judge_emitted(context, &proposal.intents, &mut verdict);
    let intents = actions::judge(context, &emitted, &mut verdict);
    verdict.add_all(words::judge_custom(context.custom, &dialogue));
    verdict.add_all(
        context
            .checks
            .judge(&proposal.dialogue, &context.interaction, context.world),
    );

    let approvals = Approvals::new(context.run, &proposal.dialogue, memories, intents);
    verdict.close(approvals)
}
