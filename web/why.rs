//! Why a character said a line: each attempt of the last runs, and what the gate found in it, in sentences.

use crate::page::{Asked, show};
use crate::words::Names;
use bevy::prelude::*;
use bevy_dramatis::pipeline::{
    AppliedChanges, AttemptLog, AttemptRecord, ConstraintSet, InteractionContext, MutationReport,
    Outcome, RetrievedContext, Run, RunHistory,
};
use bevy_dramatis::prelude::*;
use serde_json::{Value, json};

/// The number of runs that the page explains.
const RUNS: usize = 8;

pub fn plugin(app: &mut App) {
    app.add_observer(|asked: On<Asked>, mut commands: Commands| {
        if asked.what == "why" {
            commands.run_system_cached(explain);
        }
    })
    .add_observer(|_: On<RunEnded>, mut commands: Commands| {
        commands.run_system_cached(explain);
    });
}

fn explain(
    history: Res<RunHistory>,
    names: Names,
    runs: Query<(
        &Run,
        &Outcome,
        &InteractionContext,
        &AttemptLog,
        Option<&ConstraintSet>,
        Option<&RetrievedContext>,
        Option<&MutationReport>,
        Option<&AppliedChanges>,
    )>,
) {
    let last = history.iter().rev().filter_map(|run| runs.get(run).ok());
    let told = last.take(RUNS).map(|run| {
        let (run, outcome, context, attempts, constraints, retrieved, report, changes) = run;
        let mut lines = Vec::new();
        lines.push(match (&context.input, &context.prompt) {
            (Some(words), _) => format!("Heard: “{words}”"),
            (None, Some(prompt)) => format!("Happened: {prompt}"),
            (None, None) => format!("Reason: {:?}", context.reason),
        });
        let rules = constraints.map_or(0, |set| set.ids().count());
        let retrieved = retrieved.map(RetrievedContext::summary).unwrap_or_default();
        let count = |what: &str| retrieved[what].as_array().map_or(0, Vec::len);
        let (canon, memories) = (count("canon"), count("episodes") + count("beliefs"));
        lines.push(format!(
            "Before the model was asked: {rules} rules apply, {canon} facts of canon, {memories} memories."
        ));
        lines.extend(attempts.0.iter().flat_map(attempt));
        lines.push(match outcome {
            Outcome::Accepted { .. } => "Outcome: accepted.".to_owned(),
            Outcome::Fallback { tier, .. } => {
                format!("Outcome: no attempt would do, so an authored line was said ({tier:?}).")
            }
            outcome => format!("Outcome: {}.", outcome.name()),
        });
        let done = report.map_or(0, |report| report.done.len());
        let changed = changes.map_or(0, |changes| changes.0.len());
        lines.push(format!("Changed: {changed} things of the world, {done} of memory."));
        let title = format!("{}, run {}", names.of(run.npc()), run.number());
        json!({"title": title, "lines": lines})
    });
    show("why", Value::Array(told.collect()));
}

/// An attempt: the reply, and what the gate found in it.
fn attempt(attempt: &AttemptRecord) -> Vec<String> {
    let number = attempt.index + 1;
    let chars = attempt.prompt.chars().count();
    let mut lines = vec![match (&attempt.reply, &attempt.error_message) {
        (Some(reply), _) => format!("Attempt {number} (a prompt of {chars} characters): {reply}"),
        (None, Some(error)) => format!("Attempt {number}: no reply: {error}"),
        (None, None) => format!("Attempt {number}: no reply."),
    }];
    if let Some(verdict) = &attempt.verdict {
        for failure in &verdict.failures {
            let (severity, rule) = (failure.severity, &failure.rule);
            lines.push(format!(
                "Refused by {rule} ({severity:?}): {}",
                failure.message
            ));
        }
        for (_, why) in verdict.rejected() {
            lines.push(format!("Refused alone: {why}"));
        }
        for warning in &verdict.warnings {
            lines.push(format!("Noted by {}: {}", warning.rule, warning.message));
        }
        if verdict.passed {
            lines.push("The gate let it pass.".to_owned());
        }
    }
    lines
}
