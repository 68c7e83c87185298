//! A recorded run, turn or plan as a scenario: what went wrong in a game today, as a test of tomorrow.
//!
//! The scenario begins with the world, the story and the characters as the recording had them, plays what happened up to the
//! run, turn or plan with the recorded replies, and says of one reply, or of the turn of an actor, whether it is to pass. Whoever
//! wants another verdict than today's has a test that fails until the rule is changed.
//!
//! # Limits
//!
//! - The rules are those of the recording. A character whose file is found, and has the recorded text, is named by its path:
//!   then the scenario follows that file. Whatever else is needed stands in the scenario itself.
//! - Each reply is used once, in order. Under other rules an earlier run may need more replies than it needed then.
//! - Authored memories are as old as if all characters had come when the recording began.
//! - Of a turn of an adventure, the stage whose reply is meant finds no further one, where it does not pass: it fails, and the turn
//!   with it. Recaps are not asked for. Characters that always act do so in the order of their ids: the scenario says which stage and
//!   whose it means, and fails where it is another one.
//! - Of a plan's two calls only those replies are recorded that passed the checks: the scenario has no others, and in the place of a
//!   call that failed one that fails. The reply that wrote its steps passes where the plan is carried out without asking anybody.
//! - A plan waits for its player since it was asked for, not since the model has answered.
//! - Ids of what turns and plans introduce are derived from their numbers: after a load they are other ones.
//! - The turn of an actor passes where all that it does is done. Of several actions none can be wished to fail. Words that an engine has
//!   read are read by the built-in parser.
//! - What a scenario cannot say is an error that names the record: turns of an adventure that were taken back or played again, an
//!   adventure that had begun before, recaps, markers, triggers that fire once, characters that come and go between the runs, runs
//!   beside each other or beside a plan, goals that nobody asked for, models that change while a plan is made, what the game changes
//!   between an approval and the first step, settings that change (also the profile of plans, which three failed ones lower), minds
//!   that the game has written, what plugins of the game record after the first run.

mod adventure;
mod error;
mod happening;
mod lines;
mod opening;
mod plans;
mod reading;
mod replies;
mod settings;
mod steps;
mod story;
mod text;
mod wish;

pub use error::NoScenario;
pub use wish::ScenarioWish;

use super::spec::ScenarioSpec;
use crate::authoring::files::FileSource;
use crate::engine::Stage;
use crate::format::parse_ron;
use crate::journal::Recorded;
use crate::replay::regate::ReplyKey;
use happening::happenings;
use lines::{Wished, WishedPlace};
use opening::Opening;
use steps::Script;
use text::quoted;

/// The text of a scenario file that plays a recording up to a reply, or to the turn of an actor, and expects what is wanted of it.
/// `files` are those that the scenario will find.
///
/// # Errors
/// See [`NoScenario`].
pub fn scenario_of(
    recording: &dyn Recorded,
    wish: &ScenarioWish,
    files: &dyn FileSource,
) -> Result<String, NoScenario> {
    let ReplyKey { seq, attempt } = wish.key;
    let (opening, rest) = Opening::read(recording, seq)?;
    let script = Script::write(&opening, happenings(rest)?, wish)?;
    let wished = &script.wished;
    let verdict = if wish.passes { "pass" } else { "fail" };
    let whose = wished
        .npc
        .as_ref()
        .map(|npc| format!("{npc}: "))
        .unwrap_or_default();
    let what = match wished.place {
        WishedPlace::Attempt {
            stage: Stage::Dialogue,
            ..
        } => format!("attempt {attempt}"),
        WishedPlace::Attempt { stage, .. } => format!("reply {attempt} ({})", stage.snake_case()),
        WishedPlace::Plan { .. } => "the plan".to_owned(),
        WishedPlace::Turn { .. } => "the turn".to_owned(),
    };
    let mut out = format!(
        "// Record {seq} of a recording: what came of it then, and what is wanted of it.\nScenario(\n"
    );
    let name = format!("{whose}{what} of record {seq} is to {verdict}");
    out.push_str(&format!("    name: {},\n", quoted(&name)));
    out.push_str(&settings::written(&opening.game)?);
    out.push_str(&story::written(&opening, &recording.assets()?, files)?);
    out.push_str(&script.written()?);
    let expected: String = expected(wished, wish.passes)
        .ok_or(NoScenario::Several(seq))?
        .iter()
        .map(|one| format!("        {one},\n"))
        .collect();
    out.push_str(&format!("    expect: [\n{expected}    ],\n)\n"));
    // What was spliced together is checked once: a file may have a form that cannot stand in another one.
    match parse_ron::<ScenarioSpec>(out.as_bytes(), "the scenario") {
        Ok(_) => Ok(out),
        Err(error) => Err(NoScenario::NotRead(error.to_string())),
    }
}

/// What must be so in the trace. `None`: which of several actions is to fail is not known.
fn expected(wished: &Wished, passes: bool) -> Option<Vec<String>> {
    let is = |at: String, is: String| format!("(at: {}, is: {is})", quoted(&at));
    // In another order a number would be that of another run.
    let run_is = |run: usize, stage: Stage| {
        let stage = is(format!("/runs/{run}/stage"), quoted(stage.snake_case()));
        let npc = wished.npc.iter();
        let npc = npc.map(|npc| is(format!("/runs/{run}/npc"), quoted(npc)));
        [stage].into_iter().chain(npc).collect()
    };
    Some(match &wished.place {
        WishedPlace::Attempt {
            stage,
            run,
            attempt,
        } => {
            let mut expected = match stage {
                Stage::Dialogue => Vec::new(),
                stage => run_is(*run, *stage),
            };
            let at = format!("/runs/{run}/attempts/{attempt}/passed");
            expected.push(is(at, passes.to_string()));
            expected
        }
        WishedPlace::Plan { plan, run } => {
            let mut expected: Vec<String> = run_is(*run, Stage::Plan);
            // It is carried out without asking, or it is not.
            expected.push(match passes {
                true => is(format!("/plans/{plan}/decision"), quoted("ALLOW")),
                false => format!(
                    "(at: \"/plans/{plan}/status\", matches: \"^(pending|denied|rejected)$\")"
                ),
            });
            expected
        }
        WishedPlace::Turn { turn, actions } if passes => {
            let done = (0..actions.count()).map(|action| {
                is(
                    format!("/turns/{turn}/actions/{action}/result"),
                    quoted("OK"),
                )
            });
            done.collect()
        }
        // An action that could not be read is never done, so this holds under all rules.
        WishedPlace::Turn { turn, actions } if actions.rejected > 0 => {
            let rejected = actions.rejected;
            vec![format!("(at: \"/turns/{turn}/rejected\", len: {rejected})")]
        }
        WishedPlace::Turn { actions, .. } if actions.judged > 1 => return None,
        WishedPlace::Turn { turn, .. } => vec![format!(
            "(at: \"/turns/{turn}/actions/0/result\", matches: \"^([^O]|O[^K])\")"
        )],
    })
}
