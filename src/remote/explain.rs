//! `dramatis/explain`: why a run ended as it did, attempt by attempt.

use super::answer::{MOST, answer, first, read, wrong};
use super::runs::{RunRow, attempts, kept_runs};
use crate::gate::{Failure, MemoryChange, RejectedIntent, RejectedMutation};
use crate::pipeline::{
    ApprovedIntents, AttemptError, AttemptRecord, CallInFlight, ChoiceRecord, HeardSentences,
    MutationReport, RunHistory,
};
use crate::proposal::{InvalidFormat, Proposal, ProposedMutation};
use crate::text::excerpt;
use crate::world::{Intent, JudgedAction, ProposedAction};
use bevy::prelude::*;
use bevy_remote::{BrpError, BrpResult};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    run: String,
}

#[derive(Serialize)]
struct Told<'a> {
    summary: RunRow<'a>,
    attempts: Vec<AttemptRow<'a>>,
    /// What has arrived of a reply that is not whole yet.
    arriving: Option<String>,
    /// What was heard of it so far, sentence by sentence.
    heard: Vec<HeardRow<'a>>,
    /// The actions that were approved, in the order of the reply.
    actions: &'a [Intent],
    /// What became of the changes of memory; `None` before the commit.
    memory: Option<MemoryRow<'a>>,
}

#[derive(Serialize)]
struct AttemptRow<'a> {
    /// Which attempt it is, counted from 0.
    attempt: u32,
    stage: &'static str,
    passed: bool,
    choice: Option<ChoiceRow<'a>>,
    error: Option<AttemptError>,
    error_message: Option<&'a str>,
    /// What the model answered, word for word; `None` before it has answered.
    reply: Option<&'a str>,
    /// What was read out of it.
    read: Option<ReadRow<'a>>,
    failures: &'a [Failure],
    warnings: &'a [Failure],
    rejected_memories: Vec<RejectedRow<'a>>,
    rejected_actions: Vec<RejectedRow<'a>>,
    /// The actions that could be read, each with the rulebook's answer.
    actions: &'a [JudgedAction],
}

/// What a character could choose to do, and what it chose.
#[derive(Serialize)]
struct ChoiceRow<'a> {
    options: &'a [String],
    chosen: Option<&'a Intent>,
    warnings: &'a [Failure],
    error: Option<AttemptError>,
    error_message: Option<&'a str>,
    reply: Option<&'a str>,
}

/// What was read out of a reply, or why it could not be read.
#[derive(Default, Serialize)]
struct ReadRow<'a> {
    line: Option<&'a str>,
    unreadable: Option<String>,
    memories: &'a [ProposedMutation],
    actions: &'a [ProposedAction],
}

/// A memory or an action that was refused, with the rule that did so.
#[derive(Serialize)]
struct RejectedRow<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    rule: &'a str,
    message: &'a str,
}

#[derive(Serialize)]
struct HeardRow<'a> {
    attempt: u32,
    words: &'a str,
    /// Whether an author wrote it: it is the fallback line.
    authored: bool,
}

/// What became of the changes of memory that the reply wanted.
#[derive(Serialize)]
struct MemoryRow<'a> {
    done: &'a [MemoryChange],
    /// Why others failed, one line for each kind.
    failures: &'a [String],
    rejected: Vec<RejectedRow<'a>>,
}

impl<'a> AttemptRow<'a> {
    fn of(attempt: &'a AttemptRecord) -> Self {
        let verdict = attempt.verdict.as_ref();
        Self {
            attempt: attempt.index,
            stage: attempt.stage.snake_case(),
            passed: attempt.passed,
            choice: attempt.choice.as_deref().map(ChoiceRow::of),
            error: attempt.error,
            error_message: attempt.error_message.as_deref(),
            reply: attempt.reply.as_deref(),
            read: attempt.proposal.as_ref().map(ReadRow::of),
            failures: verdict.map_or(&[][..], |verdict| first(&verdict.failures)),
            warnings: verdict.map_or(&[][..], |verdict| first(&verdict.warnings)),
            rejected_memories: verdict.map_or_else(Vec::new, |verdict| {
                rejected_memories(&verdict.rejected_mutations)
            }),
            rejected_actions: verdict.map_or_else(Vec::new, |verdict| {
                let rejected = first(&verdict.rejected_intents).iter();
                rejected.map(RejectedRow::of_action).collect()
            }),
            actions: verdict.map_or(&[][..], |verdict| first(&verdict.actions)),
        }
    }
}

impl<'a> ChoiceRow<'a> {
    fn of(choice: &'a ChoiceRecord) -> Self {
        let call = choice.call.as_ref();
        Self {
            options: first(&choice.options),
            chosen: choice.chosen.as_ref(),
            warnings: first(&choice.warnings),
            error: call.and_then(|call| call.error),
            error_message: call.and_then(|call| call.error_message.as_deref()),
            reply: call.and_then(|call| call.reply.as_deref()),
        }
    }
}

impl<'a> ReadRow<'a> {
    fn of(proposal: &'a std::result::Result<Proposal, InvalidFormat>) -> Self {
        match proposal {
            Ok(proposal) => Self {
                line: Some(&proposal.dialogue),
                unreadable: None,
                memories: first(&proposal.mutations),
                actions: first(&proposal.intents),
            },
            Err(error) => Self {
                unreadable: Some(error.to_string()),
                ..Self::default()
            },
        }
    }
}

impl<'a> RejectedRow<'a> {
    fn of_memory(rejected: &'a RejectedMutation) -> Self {
        Self {
            kind: &rejected.kind,
            rule: &rejected.rule,
            message: &rejected.message,
        }
    }

    fn of_action(rejected: &'a RejectedIntent) -> Self {
        Self {
            kind: &rejected.kind,
            rule: &rejected.rule,
            message: &rejected.message,
        }
    }
}

fn rejected_memories(rejected: &[RejectedMutation]) -> Vec<RejectedRow<'_>> {
    let rejected = first(rejected).iter();
    rejected.map(RejectedRow::of_memory).collect()
}

fn heard(heard: &HeardSentences) -> Vec<HeardRow<'_>> {
    let heard = heard.iter().take(MOST);
    let rows = heard.map(|sentence| HeardRow {
        attempt: sentence.attempt,
        words: &sentence.words,
        authored: sentence.authored,
    });
    rows.collect()
}

fn no_such_run(world: &World, asked: &str) -> BrpError {
    let asked = excerpt(asked);
    let kept = world.get_resource::<RunHistory>();
    let kept = kept.map_or(0, |history| history.cap);
    wrong(format!(
        "no run with the number \"{asked}\" is kept: the game keeps those in progress and the last {kept} that are over \
         (RunHistory::cap). dramatis/runs lists them"
    ))
}

/// Answers `dramatis/explain`.
pub(super) fn explain_run(In(params): In<Option<Value>>, world: &World) -> BrpResult {
    let form = r#"{"run": "12"}, with a number from dramatis/runs as a text"#;
    let asked: Asked = read(params, form)?;
    let mut runs = kept_runs(world).into_iter();
    let Some((run, entity)) = runs.find(|(run, _)| run.number().to_string() == asked.run) else {
        return Err(no_such_run(world, &asked.run));
    };
    let attempts = attempts(run, entity);
    let left_out = attempts.len().saturating_sub(MOST);
    let arriving = entity.get::<CallInFlight>().map(CallInFlight::arrived);
    let intents = entity.get::<ApprovedIntents>();
    let report = entity.get::<MutationReport>();
    answer(&Told {
        summary: RunRow::of(run, entity, attempts.len()),
        attempts: attempts.iter().skip(left_out).map(AttemptRow::of).collect(),
        arriving: arriving.map(|bytes| String::from_utf8_lossy(bytes).into_owned()),
        heard: entity.get::<HeardSentences>().map_or_else(Vec::new, heard),
        actions: intents.map_or(&[][..], |intents| first(&intents.0)),
        memory: report.map(|report| MemoryRow {
            done: first(&report.done),
            failures: first(&report.failures),
            rejected: rejected_memories(&report.rejected),
        }),
    })
}
