//! The message about a call that its run's deadline ended: whether the engine was slow or silent, and how long the reply would
//! have needed.

use crate::base::fixed::Millis;
use crate::engine::{EngineError, Inference};
use crate::npc::limits_of;
use crate::pipeline::driver::step::{RunFault, run_component};
use crate::pipeline::run::Run;
use bevy::prelude::*;

/// How many bytes count as a token, as with a budget of tokens.
const TOKEN_BYTES: u64 = 4;

/// The message about a run whose deadline has ended its call.
pub(in crate::pipeline) fn late_message(
    world: &World,
    entity: Entity,
    arrived: &Inference,
) -> std::result::Result<String, RunFault> {
    let run = run_component::<Run>(world, entity)?;
    let took = run.deadline().since(run.call_started());
    let waited = match run.policy().fault_retries {
        0 => run.call_started().since(run.started()),
        _ => Millis(0),
    };
    let tokens = limits_of(world, run.npc_entity()).reply_tokens;
    Ok(too_late(waited, took, arrived.bytes.len(), tokens))
}

/// `waited`: how long the run had gone on when the call began; `took`: how long the call had then; `bytes`: how many of the reply
/// had come; `tokens`: how many it may have.
fn too_late(waited: Millis, took: Millis, bytes: usize, tokens: u32) -> String {
    let late = EngineError::EXPIRED;
    let took_ms = took.0.max(0).unsigned_abs();
    let before = match waited.0 {
        ..1 => String::new(),
        _ => format!(
            ", which began {} s after the run",
            seconds(waited.0.unsigned_abs())
        ),
    };
    let took = format!("in the {} s of the call{before}", seconds(took_ms));
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    if bytes == 0 || took_ms == 0 {
        return format!(
            "{late}: nothing of the reply came {took}. The engine hangs, or it needs longer to read the prompt: a longer deadline, \
             a shorter prompt or a faster model helps"
        );
    }
    // In thousandths of a token.
    let came = bytes.saturating_mul(1_000) / TOKEN_BYTES;
    let tenths_a_second = came.saturating_mul(10) / took_ms.max(1);
    let needed = u64::from(tokens)
        .saturating_mul(1_000)
        .saturating_mul(took_ms)
        / came.max(1);
    format!(
        "{late}: {bytes} bytes came {took}, about {}.{} tokens a second. At that speed a reply of {tokens} tokens needs {} s: a \
         longer deadline, fewer tokens a reply or a faster model helps",
        tenths_a_second / 10,
        tenths_a_second % 10,
        seconds(needed)
    )
}

fn seconds(milliseconds: u64) -> String {
    format!("{}.{}", milliseconds / 1_000, milliseconds % 1_000 / 100)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p6_a_deadline_says_how_fast_the_engine_was_and_what_the_reply_would_have_needed() {
        let slow = too_late(Millis(0), Millis(30_000), 240, 300);
        assert_eq!(
            slow,
            "the run's deadline passed: 240 bytes came in the 30.0 s of the call, about 2.0 tokens a second. At that speed a \
             reply of 300 tokens needs 150.0 s: a longer deadline, fewer tokens a reply or a faster model helps"
        );
        let second = too_late(Millis(12_340), Millis(17_660), 1, 300);
        assert!(
            second.contains("of the call, which began 12.3 s after the run"),
            "{second}"
        );
        assert!(second.contains("about 0.0 tokens a second"), "{second}");
        let silent = too_late(Millis(0), Millis(30_000), 0, 300);
        assert!(
            silent.contains("nothing of the reply came in the 30.0 s"),
            "{silent}"
        );
    }

    #[test]
    fn r1_no_number_is_too_large_for_it() {
        let _ = too_late(Millis(i64::MAX), Millis(i64::MAX), usize::MAX, u32::MAX);
        let _ = too_late(Millis(i64::MIN), Millis(i64::MIN), 1, 0);
    }
}
