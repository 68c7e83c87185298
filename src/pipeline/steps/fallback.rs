//! Component 9, fallback: an authored line, always, when no reply would do.

use super::inference::CallInFlight;
use super::interaction::InteractionContext;
use super::mutation::MutationReport;
use crate::authoring::{FailureKind, FallbackSpec};
use crate::base::canonical::draw;
use crate::base::clock::DramatisClock;
use crate::base::counters::DramatisCounters;
use crate::base::seed::WorldSeed;
use crate::events::Spoke;
use crate::judged_world::change::take_back::ChangedParts;
use crate::memory::Mind;
use crate::npc::{LoadedCharacter, change_mind};
use crate::outbox::Outbox;
use crate::pipeline::driver::hook::RunStep;
use crate::pipeline::driver::step::{RunFault, Serves, Step, StepResult};
use crate::pipeline::listening::heard::{exchange_of_heard, hear_fallback};
use crate::pipeline::run::attempt::{AttemptError, AttemptLog, AttemptRecord};
use crate::pipeline::run::finish::{end_run, free_character, send_end};
use crate::pipeline::run::looking_back::add_exchange;
use crate::pipeline::run::outcome::{FallbackTier, Outcome};
use crate::pipeline::run::retraction::{MindBefore, note_line};
use crate::pipeline::run::said::said_episode;
use crate::pipeline::run::{ActiveRun, Run, RunPhase};
use crate::text::shows_something;
use bevy::prelude::*;

/// The line when no file has an authored one.
pub const BUILT_IN_LINE: &str = "...";

/// Chooses a line: the first tier that has one. Always non-empty. `failure` is what went wrong; `None` where no attempt failed.
#[must_use]
pub fn choose(
    lines: &FallbackSpec,
    context: &InteractionContext,
    failure: Option<FailureKind>,
    recent: &[String],
    no_repeat: usize,
    seed: u64,
) -> (FallbackTier, String) {
    let of_trigger = context
        .trigger_id
        .as_ref()
        .and_then(|id| lines.triggers.get(id.as_str()));
    let of_reason = lines.reasons.get(&context.reason);
    let tiers = [
        (FallbackTier::Trigger, of_trigger),
        (FallbackTier::Reason, of_reason),
        (
            FallbackTier::Failure,
            failure.and_then(|failure| lines.failures.get(&failure)),
        ),
        (FallbackTier::Generic, Some(&lines.generic)),
        (FallbackTier::Emergency, Some(&lines.emergency)),
    ];
    let interaction = context.interaction_count.to_string();
    let keys = ["fallback", context.npc.as_str(), &interaction];
    tiers
        .into_iter()
        .find_map(|(tier, list)| Some((tier, draw_line(list?, recent, no_repeat, seed, &keys)?)))
        .unwrap_or_else(|| (FallbackTier::Builtin, BUILT_IN_LINE.to_owned()))
}

/// What went wrong in an attempt, as authored lines tell it apart. `None` for a prompt that no engine could take.
fn failure_kind(attempt: &AttemptRecord) -> Option<FailureKind> {
    match attempt.error {
        None => Some(FailureKind::Refused),
        Some(AttemptError::Deadline) => Some(FailureKind::Deadline),
        Some(AttemptError::ContextLimit) => None,
        Some(
            AttemptError::Timeout
            | AttemptError::Transport
            | AttemptError::Oversized
            | AttemptError::NotUtf8,
        ) => Some(FailureKind::Engine),
    }
}

/// Draws one line that shows something. The last `no_repeat` lines of `recent` are left out when the list holds more lines than
/// that.
#[must_use]
pub fn draw_line(
    list: &[String],
    recent: &[String],
    no_repeat: usize,
    seed: u64,
    keys: &[&str],
) -> Option<String> {
    let mut spoken: Vec<&String> = Vec::new();
    for line in list.iter().filter(|line| shows_something(line)) {
        // The same line twice is one line.
        if !spoken.contains(&line) {
            spoken.push(line);
        }
    }
    if spoken.len() > no_repeat {
        let surplus = recent.len().saturating_sub(no_repeat);
        spoken.retain(|line| !recent[surplus..].contains(line));
    }
    let count = u64::try_from(spoken.len())
        .ok()
        .filter(|count| *count > 0)?;
    let index = usize::try_from(draw(seed, "line", keys) % count).ok()?;
    spoken.get(index).map(|line| (*line).clone())
}

/// The step: ends a run for which no attempt can follow.
pub(crate) struct SpeakFallback;

impl Step for SpeakFallback {
    const PHASE: RunPhase = RunPhase::Fallback;
    const READS: Option<RunStep> = None;
    const SERVES: Serves = Serves::All;
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        end_by_policy(world, entity);
        Ok(RunPhase::Ended)
    }
}

/// Ends a run that nothing was accepted of as its policy says: with an authored line where it has a fallback. It needs
/// nothing but the run itself: what the run or its character has lost is done without.
pub(crate) fn end_by_policy(world: &mut World, entity: Entity) {
    let Some(run) = world.get::<Run>(entity).cloned() else {
        return;
    };
    // What the judges rejected alone in the last attempt is worth knowing; nothing of it was executed.
    let last = world.get::<AttemptLog>(entity).and_then(|log| log.0.last());
    let verdict = last.and_then(|record| record.verdict.as_ref());
    let rejected = verdict.map(|verdict| verdict.rejected_mutations.clone());
    world.entity_mut(entity).insert(MutationReport {
        rejected: rejected.unwrap_or_default(),
        ..MutationReport::default()
    });
    let context = world.get::<InteractionContext>(entity).cloned();
    let outcome = speak_by_policy(world, &run, Some(entity), context.as_ref());
    end_run(world, entity, outcome);
}

/// Speaks the authored line that the policy of a run names, if it names one, and says how the run ends.
fn speak_by_policy(
    world: &mut World,
    run: &Run,
    entity: Option<Entity>,
    context: Option<&InteractionContext>,
) -> Outcome {
    if run.policy().sealed {
        return Outcome::Rejected;
    }
    if !run.policy().fallback {
        return Outcome::Failed;
    }
    let npc = run.npc_entity();
    let lines = world.get::<LoadedCharacter>(npc).map(|c| c.0.clone());
    let mind = world.get::<Mind>(npc);
    let recent = mind.into_iter().flat_map(|mind| &mind.recent_fallbacks);
    let recent: Vec<String> = recent.cloned().collect();
    let no_repeat = mind.map_or(0, |mind| mind.kept.fallbacks);
    let seed = world
        .get_resource::<WorldSeed>()
        .copied()
        .unwrap_or_default();
    let last = entity.and_then(|run| world.get::<AttemptLog>(run)?.0.last());
    let failure = last.and_then(failure_kind);
    let (tier, line) = match (lines, context) {
        (Some(character), Some(context)) => {
            let lines = &character.fallbacks;
            choose(lines, context, failure, &recent, no_repeat, seed.0)
        }
        _ => (FallbackTier::Builtin, BUILT_IN_LINE.to_owned()),
    };
    let mut counters = world.get_resource_or_init::<DramatisCounters>();
    match failure {
        Some(FailureKind::Engine) => counters.fallbacks_engine += 1,
        Some(FailureKind::Deadline) => counters.fallbacks_deadline += 1,
        Some(FailureKind::Refused) => counters.fallbacks_refused += 1,
        None => {}
    }
    let before = MindBefore::of(world, npc, std::iter::empty());
    let exchange = entity.and_then(|run| {
        let exchange = exchange_of_heard(world, run)?;
        let episode = said_episode(world, run, &exchange);
        Some((exchange, episode))
    });
    let now = world.get_resource_or_init::<DramatisClock>().game;
    change_mind(world, npc, |mind| {
        mind.note_fallback(&line);
        mind.interactions += 1;
        if let Some((exchange, episode)) = exchange {
            add_exchange(mind, run, exchange, episode, now);
        }
    });
    let line = entity
        .and_then(|run| hear_fallback(world, run, &line))
        .unwrap_or(line);
    if let (Some(before), Some(run)) = (before, entity) {
        note_line(world, run, before, ChangedParts::default());
    }
    let spoke = Spoke {
        entity: npc,
        npc: run.npc().clone(),
        run: entity,
        line: line.clone(),
        fallback: true,
    };
    world.get_resource_or_init::<Outbox>().tell(spoke);
    Outcome::Fallback { line, tier }
}

/// If a game takes the [`ActiveRun`] of a run before it has ended, no system would find the run: it ends as its policy says.
pub(crate) fn on_active_run_removed(removed: On<Remove, ActiveRun>, mut commands: Commands) {
    let entity = removed.entity;
    commands.queue(move |world: &mut World| {
        let phase = world.get::<Run>(entity).map(Run::phase);
        if phase.is_some_and(|phase| phase != RunPhase::Ended) {
            end_with_fault(world, entity, RunFault::RunComponent("ActiveRun"));
        }
    });
}

/// Ends a run that could not go on, and keeps on it why.
pub(crate) fn end_with_fault(world: &mut World, entity: Entity, fault: RunFault) {
    if let Some(run) = world.get::<Run>(entity) {
        let (npc, phase) = (run.npc(), run.phase());
        log::error!("{npc}: the run could not go on in phase {phase:?}: {fault}");
    }
    if let Ok(mut run) = world.get_entity_mut(entity) {
        run.insert(fault);
    }
    end_by_policy(world, entity);
}

/// A run that a game removes before it has ended still frees its character and ends as its policy says.
pub(crate) fn on_run_removed(removed: On<Remove, Run>, runs: Query<&Run>, mut commands: Commands) {
    let entity = removed.entity;
    let Ok(run) = runs.get(entity).cloned() else {
        return;
    };
    if run.phase() == RunPhase::Ended {
        return;
    }
    commands.queue(move |world: &mut World| {
        log::error!(
            "{}: its run was removed in phase {:?}, before it had ended",
            run.npc(),
            run.phase()
        );
        if let Ok(mut left) = world.get_entity_mut(entity) {
            left.remove::<(ActiveRun, CallInFlight)>();
        }
        let (npc, npc_id) = (run.npc_entity(), run.npc().to_owned());
        let here = world.get::<LoadedCharacter>(npc).is_some();
        let outcome = if here {
            speak_by_policy(world, &run, None, None)
        } else {
            Outcome::Cancelled
        };
        free_character(world, npc, entity);
        // The game gets no event for a run in the background.
        if !run.stage().is_background() {
            send_end(world, npc, npc_id, entity, outcome);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::time::GameTime;
    use crate::id;
    use crate::rules::TriggerReason;

    fn context(reason: TriggerReason, trigger: Option<&str>, count: u64) -> InteractionContext {
        InteractionContext {
            reason,
            npc: id!("a"),
            speaker: None,
            input: None,
            game_time: GameTime(0),
            scene: None,
            tags: Vec::new(),
            trigger_id: trigger.map(|id| crate::base::ids::Id::new(id).unwrap()),
            prompt: None,
            interaction_count: count,
            whisper: false,
        }
    }

    fn lines(words: &[&str]) -> Vec<String> {
        words.iter().map(|w| (*w).to_owned()).collect()
    }

    #[test]
    fn p9_tiers_come_in_order_and_the_last_is_built_in() {
        let mut spec = FallbackSpec::default();
        let say = |spec: &FallbackSpec, context: &InteractionContext| {
            choose(spec, context, None, &[], 3, 7)
        };
        let gate = context(TriggerReason::ZoneTrigger, Some("gate"), 0);
        assert_eq!(
            say(&spec, &gate),
            (FallbackTier::Builtin, BUILT_IN_LINE.into())
        );
        spec.emergency = lines(&["e"]);
        assert_eq!(say(&spec, &gate).0, FallbackTier::Emergency);
        spec.generic = lines(&["  ", "g"]);
        assert_eq!(say(&spec, &gate), (FallbackTier::Generic, "g".into()));
        spec.reasons
            .insert(TriggerReason::ZoneTrigger, lines(&["r"]));
        assert_eq!(say(&spec, &gate).0, FallbackTier::Reason);
        spec.triggers.insert("gate".into(), lines(&["t"]));
        assert_eq!(say(&spec, &gate).0, FallbackTier::Trigger);
        spec.triggers.insert("gate".into(), lines(&[" "]));
        assert_eq!(say(&spec, &gate).0, FallbackTier::Reason);
    }

    #[test]
    fn p9_more_lines_than_are_remembered_never_repeat_soon() {
        let list = lines(&["1", "2", "3", "4"]);
        let mut mind = Mind::empty();
        for count in 0..50 {
            let recent: Vec<String> = mind.recent_fallbacks.iter().cloned().collect();
            let line = draw_line(&list, &recent, 3, 1, &[&count.to_string()]).unwrap();
            assert!(!recent.contains(&line));
            mind.note_fallback(&line);
        }
        let few = lines(&["1", "2"]);
        assert!(
            draw_line(&few, &few, 3, 1, &[]).is_some(),
            "few lines may repeat"
        );
    }
}
