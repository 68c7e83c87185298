//! Replies that replace recorded ones, and the verdicts on them.

use crate::base::ids::Id;
use crate::engine::Stage;
use crate::gate::Verdict;
use crate::journal::Recorded;
use crate::journal::record::RecordBody;
use crate::plans::event::PlanInput;
use crate::plans::plan::CallOf;
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeMap;

/// Which reply of a recording is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub(crate) struct ReplyKey {
    /// The number of the record of its run, of the turn of an adventure whose stage it answered, or of the plan whose steps it wrote;
    /// from 1.
    pub seq: u64,
    /// Which attempt of the run, from 0. Of a turn of an adventure: which reply of it, counted through its stages in the order in which
    /// they were asked. Of a plan 0: the reply that passed its checks.
    pub attempt: u32,
}

/// A reply with what was found wrong with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct JudgedReply {
    /// What it says to be heard or told: the spans of the findings count in the characters of this line. Empty when the reply could
    /// not be read, of calls of an extractor, and of the steps of a plan.
    pub line: String,
    /// The findings, with the rules that found them.
    pub verdict: Verdict,
}

/// The verdict on a recorded reply, and the verdict on the text that replaces it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct EditedReply {
    /// Which reply it is.
    pub key: ReplyKey,
    /// The id of the speaker, narrator or planner.
    pub npc: Id,
    /// The recorded reply, with the recorded verdict.
    pub before: JudgedReply,
    /// The text that replaces it, with the verdict of the second opinion. It may be equal to the recorded reply.
    pub after: JudgedReply,
}

/// A text that replaces the reply of an attempt.
pub(super) struct Edit {
    pub key: ReplyKey,
    pub text: String,
    /// Whether it is the recorded reply, byte by byte: then it is judged like one.
    pub is_recorded: bool,
}

/// Which attempt of a stage is meant, as far as that is known when it is judged: in a turn several may be alike, and turns, too.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StageAttempt {
    pub stage: Stage,
    /// Whose intention it makes, resolves or reads.
    pub npc: Option<Id>,
    /// Which attempt of the stage, from 0.
    pub attempt: u32,
}

/// The texts that replace replies of a recording. Several may have the same lookup key: the numbers of their records tell them
/// apart.
#[derive(Default)]
pub(super) struct Edits {
    /// Edits of replies of runs, by the number of the run. Several runs have the same number where a game was loaded meanwhile.
    of_runs: BTreeMap<u64, Vec<Edit>>,
    of_stages: BTreeMap<StageAttempt, Vec<Edit>>,
    /// Edits of plans, by the number of the record.
    of_plans: BTreeMap<u64, Vec<Edit>>,
}

/// What a recorded reply answered.
enum Answered {
    /// The run with this number.
    Run(u64),
    Stage(StageAttempt),
    Plan,
}

impl Edits {
    /// Looks up the replies to replace. Missing ones are left out.
    pub(super) fn find(recording: &dyn Recorded, replies: &BTreeMap<ReplyKey, String>) -> Self {
        let mut found = Self::default();
        for (key, text) in replies {
            let Some((answered, recorded)) = recorded_reply(recording, *key) else {
                continue;
            };
            let edits = match answered {
                Answered::Run(run) => found.of_runs.entry(run).or_default(),
                Answered::Stage(stage) => found.of_stages.entry(stage).or_default(),
                Answered::Plan => found.of_plans.entry(key.seq).or_default(),
            };
            edits.push(Edit {
                key: *key,
                is_recorded: text.as_bytes() == recorded,
                text: text.clone(),
            });
        }
        found
    }

    /// Those for an attempt of the runs that have this number.
    pub(super) fn of_attempt(&self, run: u64, attempt: u32) -> impl Iterator<Item = &Edit> {
        let edits = self.of_runs.get(&run).into_iter().flatten();
        edits.filter(move |edit| edit.key.attempt == attempt)
    }

    /// Those for an attempt of a stage, of all turns.
    pub(super) fn of_stage(&self, attempt: &StageAttempt) -> impl Iterator<Item = &Edit> {
        self.of_stages.get(attempt).into_iter().flatten()
    }

    /// The one for the plan that this record tells of.
    pub(super) fn of_plan(&self, seq: u64) -> Option<&Edit> {
        self.of_plans.get(&seq)?.first()
    }
}

/// What a model wrote as the steps of a plan; `None` when something else has happened to the plan.
pub(crate) fn steps_reply(event: Value) -> Option<String> {
    match serde_json::from_value(event).ok()? {
        PlanInput::Answered {
            of: CallOf::Steps,
            reply,
            ..
        } => Some(reply),
        _ => None,
    }
}

/// The question, and the engine's answer. The replay reports an unreadable record.
fn recorded_reply(recording: &dyn Recorded, key: ReplyKey) -> Option<(Answered, Vec<u8>)> {
    let attempt = usize::try_from(key.attempt).ok()?;
    match recording.record(key.seq).ok()?.read().ok()? {
        RecordBody::Interaction { inputs, .. } => {
            let reply = inputs.replies.into_iter().nth(attempt)?;
            Some((Answered::Run(inputs.run_timeline.run), reply.bytes()))
        }
        RecordBody::AdventureTurn { inputs, .. } => {
            let replies = inputs.stages.into_iter().flat_map(|of| {
                let attempts = (0..).zip(of.replies);
                attempts.map(move |(attempt, reply)| {
                    let npc = of.npc.clone();
                    let stage = of.stage;
                    let asked = StageAttempt {
                        stage,
                        npc,
                        attempt,
                    };
                    (Answered::Stage(asked), reply.bytes())
                })
            });
            replies.into_iter().nth(attempt)
        }
        RecordBody::Plan { inputs, .. } if attempt == 0 => {
            Some((Answered::Plan, steps_reply(inputs.event)?.into_bytes()))
        }
        _ => None,
    }
}
