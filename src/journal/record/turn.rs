//! Turns of actors.

use super::fields::{input_fields, output_fields};
use super::hashes::BeforeAfter;
use crate::base::ids::Id;
use crate::judged_world::action::ProposedAction;
use crate::judged_world::rulebook::turn::{
    Clarification, JudgedAction, RejectedAction, TurnKind, TurnRecord,
};
use crate::world::JudgedChange;
use serde::{Deserialize, Serialize};

/// What an actor was asked to do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AskedTurn {
    /// The form in which it came: words, or typed actions.
    pub kind: TurnKind,
    /// The id of the actor that takes the turn.
    pub actor: Id,
    /// The words; `None` for typed actions.
    pub text: Option<String>,
    /// The actions, as the words were parsed. They are fed in just as they are, fractions included.
    pub parsed: Vec<ProposedAction>,
}

input_fields! {
    /// The inputs of a turn: what a replay is fed with.
    pub struct TurnInputs {
        inputs {
            /// What the actor was asked to do.
            asked: AskedTurn = "asked",
        }
    }
}

impl From<&TurnRecord> for TurnInputs {
    fn from(record: &TurnRecord) -> Self {
        Self {
            asked: AskedTurn {
                kind: record.kind,
                actor: record.actor.clone(),
                text: record.text.clone(),
                parsed: record.parsed.clone(),
            },
        }
    }
}

output_fields! {
    /// The results of a turn, which a replay must find again.
    pub struct TurnOutputs<'a> {
        /// The number of the turn, from 1.
        id: u64 = "id",
        /// The id of the actor that took the turn.
        actor: &'a str = "actor",
        /// Actions that could not be read, in order; the rulebook was not asked about them.
        rejected: &'a [RejectedAction] = "rejected",
        /// The first reference that was unclear; `None` when all were clear.
        clarification: Option<&'a Clarification> = "clarification",
        /// Actions that were judged, in order, each with its answer.
        actions: &'a [JudgedAction] = "actions",
        /// What the actions changed, in order.
        changes: &'a [JudgedChange] = "changes",
        /// The hash of the rulebook, in hexadecimal.
        rulebook: String = "rulebook",
        /// The hash of the judged world, before and after the turn.
        world: BeforeAfter = "world",
    }
}

impl<'a> TurnOutputs<'a> {
    /// The results of this turn, which changed the hash of the world like this.
    pub(crate) fn of(record: &'a TurnRecord, world: BeforeAfter) -> Self {
        Self {
            id: record.id,
            actor: &record.actor,
            rejected: &record.rejected,
            clarification: record.clarification.as_ref(),
            actions: &record.actions,
            changes: &record.changes,
            rulebook: record.rulebook.to_hex(),
            world,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::fields::ASKED;
    use super::*;

    #[test]
    fn j1_the_fractions_of_what_was_asked_are_kept() {
        assert_eq!(
            <TurnInputs as crate::journal::record::fields::ReadFields>::INPUTS,
            [ASKED]
        );
    }
}
