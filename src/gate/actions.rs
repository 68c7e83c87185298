//! Judging what a reply wants done (contract row G7). For now: shape, actor and `may`, and the words inside.

use super::verdict::{Failure, FailureReason, RejectedIntent, Verdict};
use super::{Bench, words};
use crate::proposal::ProposedAction;
use crate::rules::RuleSeverity;
use crate::world::action::{ActionError, Intent, normalise};

/// The most intents that one reply may bring.
pub const MAX_INTENTS: usize = 64;

/// Judges each intent. One that cannot be fails the attempt: the character would promise what cannot happen.
pub(super) fn judge(
    bench: &Bench,
    proposed: &[&ProposedAction],
    verdict: &mut Verdict,
) -> Vec<Intent> {
    let mut approved = Vec::new();
    for (index, action) in proposed.iter().enumerate() {
        match normalised(bench, index, action) {
            Ok(intent) => {
                for found in intent
                    .words()
                    .flat_map(|said| words::judge_content(bench, said, true))
                {
                    // A span speaks of the dialogue; the message quotes the words.
                    verdict.add(Failure {
                        span: None,
                        ..found
                    });
                }
                approved.push(intent);
            }
            Err(error) => {
                let code = serde_json::to_value(error.reason()).unwrap_or_default();
                let message = format!(
                    "{} ({}): {error}",
                    code.as_str().unwrap_or_default(),
                    error.rule()
                );
                verdict.rejected_intents.push(RejectedIntent {
                    kind: action.kind.clone(),
                    rule: error.rule().to_owned(),
                    message: message.clone(),
                });
                verdict.add(Failure {
                    reason: FailureReason::ActionRejected,
                    rule: error.rule().to_owned(),
                    severity: RuleSeverity::Hard,
                    span: None,
                    message,
                });
            }
        }
    }
    approved
}

fn normalised(bench: &Bench, index: usize, action: &ProposedAction) -> Result<Intent, ActionError> {
    let bad = |what: String| ActionError::BadFields {
        action: action.kind.chars().take(60).collect(),
        what,
    };
    if let Some(why) = &action.malformed {
        return Err(bad(why.clone()));
    }
    if index >= MAX_INTENTS {
        return Err(bad(format!("comes after {MAX_INTENTS} others")));
    }
    normalise(
        &action.kind,
        &action.fields,
        bench.interaction.npc,
        bench.may,
    )
}
