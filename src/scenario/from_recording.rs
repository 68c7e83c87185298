//! A recorded run, or a turn of an adventure, as a scenario: what went wrong in a game today, as a test of tomorrow (contract row X3).
//!
//! The scenario begins with the world, the story and the characters as the recording had them, plays what happened up to the
//! run or turn with the recorded replies, and says of one reply whether it is to pass. Whoever wants another verdict than today's has a
//! test that fails until the rule is changed.
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
//! - What a scenario cannot say is an error that names the record: plans, turns of an adventure that were taken back or played again,
//!   an adventure that had begun before, recaps, markers, triggers that fire once, characters that come and go between the runs, runs
//!   beside each other, minds that the game has written.

mod adventure;
mod error;
mod happening;
mod opening;
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
use crate::journal::regate::ReplyKey;
use happening::happenings;
use opening::Opening;
use steps::Script;
use text::quoted;

/// The text of a scenario file that plays a recording up to a reply, and expects what is wanted of it. `files` are those that
/// the scenario will find.
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
    let asked = &script.asked;
    let verdict = if wish.passes { "pass" } else { "fail" };
    let whose = asked
        .npc
        .as_ref()
        .map(|npc| format!("{npc}: "))
        .unwrap_or_default();
    let stage = asked.stage;
    let what = match stage {
        Stage::Dialogue => format!("attempt {attempt}"),
        _ => format!("reply {attempt} ({})", stage.snake_case()),
    };
    let mut out = format!(
        "// Record {seq} of a recording: what came of it then, and what is wanted of it.\nScenario(\n"
    );
    let name = format!("{whose}{what} of record {seq} is to {verdict}");
    out.push_str(&format!("    name: {},\n", quoted(&name)));
    out.push_str(&settings::written(&opening.game)?);
    out.push_str(&story::written(&opening, &recording.assets()?, files)?);
    out.push_str(&script.written()?);
    let run = asked.run;
    let mut expected = Vec::new();
    if stage != Stage::Dialogue {
        // In another order the number would be that of another stage.
        expected.push(format!(
            "(at: \"/runs/{run}/stage\", is: \"{}\"),",
            stage.snake_case()
        ));
        let npc = asked.npc.iter();
        expected.extend(npc.map(|npc| format!("(at: \"/runs/{run}/npc\", is: {}),", quoted(npc))));
    }
    expected.push(format!(
        "(at: \"/runs/{run}/attempts/{}/passed\", is: {}),",
        asked.attempt, wish.passes
    ));
    out.push_str(&format!(
        "    expect: [\n        {}\n    ],\n)\n",
        expected.join("\n        ")
    ));
    // What was spliced together is checked once: a file may have a form that cannot stand in another one.
    match parse_ron::<ScenarioSpec>(out.as_bytes(), "the scenario") {
        Ok(_) => Ok(out),
        Err(error) => Err(NoScenario::NotRead(error.to_string())),
    }
}
