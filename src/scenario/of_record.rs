//! A recorded run, turn or plan as a scenario: what went wrong in a game today, as a test of tomorrow.
//!
//! The scenario begins from the recorded game as it was when the run, turn or plan began. Its one step lets that happen again
//! with the recorded replies, and it says of one reply, or of the turn of an actor, whether it must pass. If you want another
//! verdict than today's, the test fails until you change the rule.
//!
//! # Limits
//!
//! - Characters, and a story, whose files are found and have the recorded text are named by their paths: then the scenario
//!   follows those files. All others are as they were recorded.
//! - Of a turn of an adventure, the stage that the reply belongs to has no further reply. If that reply does not pass, the
//!   stage fails, and so does the turn.
//! - Of a plan's two calls, only the replies that passed the checks are recorded: the scenario has no others. The reply that
//!   wrote its steps passes where the plan is carried out without a question to the player.
//! - The turn of an actor passes where all that it does is done. You cannot ask that one of several actions fails. Words that
//!   an engine has read are read by the built-in parser.
//! - What a scenario cannot say is an error that names the record: other versions of a turn, turns that were interrupted,
//!   runs that began before the recording, goals that no actor asked for, and what happened during the wait for a reply,
//!   except for writes of the game.

mod error;
mod plan;
mod replies;
mod run;
mod script;
mod text;
mod turn;

pub(crate) use error::NoScenario;
pub(crate) use script::ScenarioWish;

use crate::authoring::asset_source::AssetSource;
use crate::authoring::files::FileSource;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::journal::record::RecordBody;
use crate::journal::record::run_timeline::Moment;
use crate::journal::{Recorded, Recording};
use crate::replay::{PastGame, game_after};
use bevy::prelude::App;
use error::NotWritten;
use script::{Said, Script};
use std::fmt::Write;
use text::quoted;

/// A recorded run, turn or plan as a scenario: two files.
#[derive(Debug, Clone)]
pub(crate) struct RecordedScenario {
    /// The game as it was when it began: for [`export`](crate::journal::export()), to the file that the scenario begins from.
    pub beginning: Recording,
    /// The fields of the scenario, except for `from`.
    fields: String,
}

impl RecordedScenario {
    /// The text of the scenario's file. `from`: the path at which it finds the beginning.
    #[must_use]
    pub fn text(&self, from: &str) -> String {
        let from = quoted(from);
        format!("Scenario(\n    from: {from},\n{})\n", self.fields)
    }
}

/// A scenario that plays a recorded run, turn or plan again, up to a reply, and expects what is wanted of it. `files` are
/// those that it will find; `configure` is as in [`replay`](crate::replay::replay).
///
/// # Errors
/// See `NoScenario`.
pub(crate) fn scenario_of(
    recording: &dyn Recorded,
    wish: &ScenarioWish,
    files: &dyn FileSource,
    configure: &dyn Fn(&mut App),
) -> Result<RecordedScenario, NoScenario> {
    let seq = wish.key.seq;
    let said = Said::read(recording, seq)?;
    let refused = |why| match why {
        NotWritten::Unsayable(why) => NoScenario::Record { seq, why },
        NotWritten::NoReply => NoScenario::NoReply(wish.key),
        NotWritten::Recording(error) => NoScenario::Recording(error),
    };
    let began = began(recording, &said, wish).map_err(refused)?;
    let past = game_after(recording, began.after, configure)?;
    if let Some(why) = past.replay.doubt() {
        let at = began.after;
        return Err(NoScenario::Differs { at, why });
    }
    let player = past.game.settings.player();
    let script = script(recording, &said, &began, wish, player.as_ref()).map_err(refused)?;
    let wished = &script.wished;
    let expected = wished.expected(wish.passes);
    let expected = expected.ok_or(NoScenario::Several(seq))?;
    let mut now = past.game.session.game.0;
    let advance = run::advance(&mut now, began.game);
    let steps = advance.into_iter().chain(script.steps).collect();
    let mut fields = format!("    name: {},\n", quoted(&wished.name(wish)));
    fields.push_str(&own_files(&past, files));
    fields.push_str(&script.settings);
    for (field, lines) in [
        ("replies", script.replies),
        ("steps", steps),
        ("expect", expected),
    ] {
        let lines: Vec<String> = lines;
        let lines: String = lines
            .iter()
            .map(|line| format!("        {line},\n"))
            .collect();
        let _ = write!(fields, "    {field}: [\n{lines}    ],\n");
    }
    Ok(RecordedScenario {
        beginning: past.recording(),
        fields,
    })
}

/// The characters, and the story, whose files are found with the recorded text: the scenario follows them.
fn own_files(past: &PastGame, files: &dyn FileSource) -> String {
    let source = |hash: &String| {
        past.assets
            .get(hash)
            .filter(|source| is_there(source, files))
    };
    let mut written = String::new();
    if let Some(story) = past.game.story.as_ref().and_then(source) {
        let _ = writeln!(written, "    story: {},", quoted(&story.file));
    }
    let npcs = past.game.cast.values().filter_map(source);
    let npcs: Vec<String> = npcs.map(|npc| quoted(&npc.file)).collect();
    if !npcs.is_empty() {
        let _ = writeln!(written, "    npcs: [{}],", npcs.join(", "));
    }
    written
}

/// Whether the file of an authored thing has its text.
fn is_there(source: &AssetSource, files: &dyn FileSource) -> bool {
    files
        .read(&source.file)
        .is_ok_and(|(_, bytes)| bytes == source.text.as_bytes())
}

/// When what it tells of began: after which record, and at what time.
fn began(recording: &dyn Recorded, said: &Said, wish: &ScenarioWish) -> Result<Moment, NotWritten> {
    let before = |game: GameTime| Moment {
        after: said.seq.saturating_sub(1),
        game: game.0,
    };
    Ok(match &said.says {
        RecordBody::Interaction { inputs, .. } => run::began(inputs, wish)?,
        RecordBody::AdventureTurn { inputs, .. } => {
            before(inputs.stages.first().map_or(said.game, |stage| stage.at))
        }
        RecordBody::Turn { .. } => before(said.game),
        RecordBody::Plan { inputs, .. } => plan::chain(recording, said, &inputs.plan)?.began,
        _ => return Err(NotWritten::NoReply),
    })
}

/// What is to happen again.
fn script(
    recording: &dyn Recorded,
    said: &Said,
    began: &Moment,
    wish: &ScenarioWish,
    player: Option<&Id>,
) -> Result<Script, NotWritten> {
    match &said.says {
        RecordBody::Interaction { inputs, .. } => {
            run::script(recording, said, began, inputs, wish, player)
        }
        RecordBody::AdventureTurn { inputs, .. } => turn::of_adventure(inputs, wish),
        RecordBody::Turn { inputs, .. } => turn::of_actor(said, &inputs.asked, wish),
        RecordBody::Plan { inputs, .. } => {
            let chain = plan::chain(recording, said, &inputs.plan)?;
            plan::script(recording, said, &chain, wish, player)
        }
        _ => Err(NotWritten::NoReply),
    }
}
