//! What a scenario of a record is made of.

use super::text::quoted;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::engine::Stage;
use crate::journal::record::RecordBody;
use crate::journal::{Recorded, ReplayError};
use crate::replay::regate::ReplyKey;
use serde_json::{Map, Value};

/// Which reply or turn of a recording a scenario is about, and what is wanted of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScenarioWish {
    /// The reply. The later attempts of the run, or of the stage, are left out. Of a plan: attempt 0 of the record of the
    /// answer that wrote its steps. The turn of an actor has no reply: attempt 0 of its record.
    pub key: ReplyKey,
    /// The raw reply to use in place of the recorded one. `None`: the recorded one is used. For the turn of an actor it must
    /// be `None`.
    pub reply: Option<String>,
    /// Whether the reply must pass. For the turn of an actor: whether all of its actions must be done. For a plan: whether it
    /// must be carried out without a question to the player.
    pub passes: bool,
}

/// A record with what it says.
pub(super) struct Said {
    pub seq: u64,
    pub game: GameTime,
    pub says: RecordBody<'static>,
    /// All its fields, with the result.
    pub fields: Map<String, Value>,
}

impl Said {
    pub(super) fn read(recording: &dyn Recorded, seq: u64) -> Result<Self, ReplayError> {
        let record = recording.record(seq)?;
        let says = record.read().map_err(|error| ReplayError::Unreadable {
            seq,
            field: error.field,
            why: error.why,
        })?;
        Ok(Self {
            seq,
            game: record.game,
            says,
            fields: record.body,
        })
    }
}

/// What is to happen again.
pub(super) struct Script {
    /// The fields of the scenario that say how it is judged; empty where the beginning says it.
    pub settings: String,
    pub replies: Vec<String>,
    pub steps: Vec<String>,
    pub wished: Wished,
}

/// What a scenario is about, and where its trace will show the result. All numbers count from 0.
pub(super) struct Wished {
    /// The id of the character or actor whose reply or turn it is; `None` for the lore extractor.
    pub npc: Option<Id>,
    pub place: WishedPlace,
}

/// Where a trace shows the result of what a scenario is about.
pub(super) enum WishedPlace {
    /// An attempt of a run.
    Attempt {
        stage: Stage,
        run: usize,
        attempt: u32,
    },
    /// A plan, and the run that wrote its steps.
    Plan { plan: usize, run: usize },
    /// The turn of an actor: how many of its actions were judged, and how many could not be read.
    Turn { judged: usize, rejected: usize },
}

impl Wished {
    /// The name of the scenario.
    pub(super) fn name(&self, wish: &ScenarioWish) -> String {
        let ReplyKey { seq, attempt } = wish.key;
        let verdict = if wish.passes { "pass" } else { "fail" };
        let whose = self.npc.as_ref().map(|npc| format!("{npc}: "));
        let what = match self.place {
            WishedPlace::Attempt {
                stage: Stage::Dialogue,
                ..
            } => format!("attempt {attempt}"),
            WishedPlace::Attempt { stage, .. } => {
                format!("reply {attempt} ({})", stage.snake_case())
            }
            WishedPlace::Plan { .. } => "the plan".to_owned(),
            WishedPlace::Turn { .. } => "the turn".to_owned(),
        };
        let whose = whose.unwrap_or_default();
        format!("{whose}{what} of record {seq} is to {verdict}")
    }

    /// What must be so in the trace. `None`: which of several actions is to fail is not known.
    pub(super) fn expected(&self, passes: bool) -> Option<Vec<String>> {
        let is = |at: String, is: String| format!("(at: {}, is: {is})", quoted(&at));
        // In another order a number would be that of another run.
        let run_is = |run: usize, stage: Stage| {
            let stage = is(format!("/runs/{run}/stage"), quoted(stage.snake_case()));
            let npc = self.npc.iter();
            let npc = npc.map(move |npc| is(format!("/runs/{run}/npc"), quoted(npc)));
            std::iter::once(stage).chain(npc)
        };
        Some(match self.place {
            WishedPlace::Attempt {
                stage,
                run,
                attempt,
            } => {
                let at = format!("/runs/{run}/attempts/{attempt}/passed");
                let passed = is(at, passes.to_string());
                let of_run = run_is(run, stage).filter(|_| stage != Stage::Dialogue);
                of_run.chain([passed]).collect()
            }
            WishedPlace::Plan { plan, run } => {
                // It is carried out without asking, or it is not.
                let becomes = match passes {
                    true => is(format!("/plans/{plan}/decision"), quoted("ALLOW")),
                    false => format!(
                        "(at: \"/plans/{plan}/status\", matches: \"^(pending|denied|rejected)$\")"
                    ),
                };
                run_is(run, Stage::Plan).chain([becomes]).collect()
            }
            WishedPlace::Turn { judged, rejected } if passes => {
                let actions = 0..judged + rejected;
                let result = |action| format!("/turns/0/actions/{action}/result");
                actions
                    .map(|action| is(result(action), quoted("OK")))
                    .collect()
            }
            // An action that could not be read is never done, so this holds under all rules.
            WishedPlace::Turn { rejected, .. } if rejected > 0 => {
                vec![format!("(at: \"/turns/0/rejected\", len: {rejected})")]
            }
            WishedPlace::Turn { judged, .. } if judged > 1 => return None,
            WishedPlace::Turn { .. } => {
                vec!["(at: \"/turns/0/actions/0/result\", matches: \"^([^O]|O[^K])\")".to_owned()]
            }
        })
    }
}
