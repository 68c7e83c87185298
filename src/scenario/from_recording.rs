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
//! - Of a turn of an adventure, stages after the one whose reply is meant may find no reply any more: they fail, and the turn with them.
//! - What a scenario cannot say is an error that names the record: plans, turns of an adventure that were taken back or played again,
//!   an adventure that had begun before, characters that come and go between the runs, runs beside each other, minds that the game has
//!   written.

mod adventure;
mod error;
mod happening;
mod opening;
mod reading;
mod settings;
mod steps;
mod story;
mod text;
mod wish;

pub use error::NoScenario;
pub use wish::ScenarioWish;

use super::spec::ScenarioSpec;
use crate::authoring::files::FileSource;
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
    let ReplyKey { seq, .. } = wish.key;
    let (opening, rest) = Opening::read(recording, seq)?;
    let script = Script::write(&opening, happenings(rest)?, wish)?;
    let attempt = script.attempt;
    let verdict = if wish.passes { "pass" } else { "fail" };
    let npc = &script.npc;
    let mut out = format!(
        "// Record {seq} of a recording: what came of it then, and what is wanted of it.\nScenario(\n"
    );
    let name = format!("{npc}: attempt {attempt} of record {seq} is to {verdict}");
    out.push_str(&format!("    name: {},\n", quoted(&name)));
    out.push_str(&settings::written(&opening.game)?);
    out.push_str(&story::written(&opening, &recording.assets()?, files)?);
    out.push_str(&script.written());
    out.push_str(&format!(
        "    expect: [\n        (at: \"/runs/{}/attempts/{attempt}/passed\", is: {}),\n    ],\n)\n",
        script.run, wish.passes
    ));
    // What was spliced together is checked once: a file may have a form that cannot stand in another one.
    match parse_ron::<ScenarioSpec>(out.as_bytes(), "the scenario") {
        Ok(_) => Ok(out),
        Err(error) => Err(NoScenario::NotRead(error.to_string())),
    }
}
