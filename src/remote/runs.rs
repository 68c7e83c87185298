//! `dramatis/runs`: the runs that are kept, the newest first, those in progress too.

use super::answer::{answer, limit, read, wrong};
use super::memory::mind_of;
use crate::base::ids::Id;
use crate::pipeline::run::attempt_log::AttemptParts;
use crate::pipeline::{AttemptLog, AttemptRecord, FallbackTier, InteractionContext, Outcome, Run};
use crate::rules::TriggerReason;
use crate::text::excerpt;
use bevy::prelude::*;
use bevy_remote::BrpResult;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::cmp::Reverse;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    npc: Option<String>,
    limit: Option<u64>,
}

#[derive(Serialize)]
struct Told<'a> {
    runs: Vec<RunRow<'a>>,
    /// How many older ones there are.
    left_out: usize,
}

/// A run in short.
#[derive(Serialize)]
pub(super) struct RunRow<'a> {
    run: String,
    npc: &'a Id,
    stage: &'static str,
    /// `None` while it goes on.
    outcome: Option<&'static str>,
    /// What it waits for; `None` once it is over.
    phase: Option<String>,
    line: Option<&'a str>,
    /// Where a fallback line comes from.
    fallback: Option<FallbackTier>,
    attempts: usize,
    /// `None` for a stage of an adventure or a plan.
    trigger: Option<TriggerRow<'a>>,
}

/// Why the character responds, and to what.
#[derive(Serialize)]
struct TriggerRow<'a> {
    reason: TriggerReason,
    speaker: Option<&'a Id>,
    heard: Option<&'a str>,
    id: Option<&'a Id>,
    wants: Option<&'a str>,
    scene: Option<&'a str>,
    game_time_ms: i64,
}

impl<'a> RunRow<'a> {
    pub(super) fn of(run: &'a Run, entity: EntityRef<'a>, attempts: usize) -> Self {
        let outcome = entity.get::<Outcome>();
        let context = entity.get::<InteractionContext>();
        Self {
            run: run.number().to_string(),
            npc: run.npc(),
            stage: run.stage().snake_case(),
            outcome: outcome.map(Outcome::name),
            phase: outcome.is_none().then(|| format!("{:?}", run.phase())),
            line: outcome.and_then(Outcome::line),
            fallback: match outcome {
                Some(Outcome::Fallback { tier, .. }) => Some(*tier),
                _ => None,
            },
            attempts,
            trigger: context.map(|context| TriggerRow {
                reason: context.reason,
                speaker: context.speaker.as_ref(),
                heard: context.input.as_deref(),
                id: context.trigger_id.as_ref(),
                wants: context.prompt.as_deref(),
                scene: context.scene.as_deref(),
                game_time_ms: context.game_time.0,
            }),
        }
    }
}

/// The runs that are kept and those in progress, the newest first.
pub(super) fn kept_runs(world: &World) -> Vec<(&Run, EntityRef<'_>)> {
    // Before the first run its component is not known.
    let Some(mut runs) = world.try_query_filtered::<EntityRef, With<Run>>() else {
        return Vec::new();
    };
    let runs = runs.iter(world);
    let mut runs: Vec<(&Run, EntityRef)> = runs
        .filter_map(|entity| Some((entity.get::<Run>()?, entity)))
        .collect();
    runs.sort_unstable_by_key(|(run, _)| Reverse(run.number()));
    runs
}

/// The attempts of a run in order, the one that is under way included.
pub(super) fn attempts<'a>(run: &'a Run, entity: EntityRef<'a>) -> Cow<'a, [AttemptRecord]> {
    let log = entity.get::<AttemptLog>();
    let current = AttemptParts::of(run, entity);
    let over = log.map_or(&[][..], |log| log.0.as_slice());
    match current.record() {
        Some(current) => over.iter().cloned().chain([current]).collect(),
        None => Cow::Borrowed(over),
    }
}

/// Answers `dramatis/runs`.
pub(super) fn tell_runs(In(params): In<Option<Value>>, world: &World) -> BrpResult {
    let form = r#"{"npc": "bram", "limit": 20}; both can be left out"#;
    let asked: Asked = read(params, form)?;
    let most = limit(asked.limit)?;
    let mut runs = kept_runs(world);
    if let Some(npc) = &asked.npc {
        runs.retain(|(run, _)| run.npc().as_str() == npc);
        if runs.is_empty() && mind_of(world, npc).is_none() {
            return Err(wrong(format!(
                "no character has the id \"{}\", and no run of one is kept: send the id in the character's file, or leave npc out",
                excerpt(npc)
            )));
        }
    }
    let left_out = runs.len().saturating_sub(most);
    let rows = runs.into_iter().take(most);
    let rows = rows.map(|(run, entity)| RunRow::of(run, entity, attempts(run, entity).len()));
    answer(&Told {
        runs: rows.collect(),
        left_out,
    })
}
