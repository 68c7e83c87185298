//! Component 9, fallback: an authored line, always, when no reply would do (contract row P9).

use super::interaction::InteractionContext;
use super::mutation::MutationReport;
use super::run::{ActiveRun, AttemptLog, HeldPhases, Outcome, Run, RunPhase, end_run};
use crate::authoring::FallbackSpec;
use crate::base::canonical::draw;
use crate::base::seed::WorldSeed;
use crate::events::{Outbox, Outgoing, Spoke};
use crate::gate::Verdict;
use crate::memory::Mind;
use crate::npc::LoadedCharacter;
use bevy::prelude::*;
use serde::Serialize;

/// What is said when nobody authored anything.
pub const BUILT_IN_LINE: &str = "...";

/// Where a fallback line comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FallbackTier {
    /// The trigger's own lines.
    Trigger,
    /// The lines for the interaction's reason.
    Reason,
    /// Lines for any reason.
    Generic,
    /// Lines for when nothing else is left.
    Emergency,
    /// The built-in last line.
    Builtin,
}

/// Chooses a line: the first tier that has one. Always non-empty.
#[must_use]
pub fn choose(
    lines: &FallbackSpec,
    context: &InteractionContext,
    recent: &[String],
    seed: u64,
) -> (FallbackTier, String) {
    let of_trigger = context
        .trigger_id
        .as_ref()
        .and_then(|id| lines.triggers.get(id));
    let of_reason = lines.reasons.get(&context.reason);
    let tiers = [
        (FallbackTier::Trigger, of_trigger),
        (FallbackTier::Reason, of_reason),
        (FallbackTier::Generic, Some(&lines.generic)),
        (FallbackTier::Emergency, Some(&lines.emergency)),
    ];
    let interaction = context.interaction_count.to_string();
    let keys = ["fallback", context.npc.as_str(), &interaction];
    tiers
        .into_iter()
        .find_map(|(tier, list)| Some((tier, draw_line(list?, recent, seed, &keys)?)))
        .unwrap_or_else(|| (FallbackTier::Builtin, BUILT_IN_LINE.to_owned()))
}

/// Draws one line that is not blank. Lines in `recent` are left out when the list holds more lines than that.
#[must_use]
pub fn draw_line(list: &[String], recent: &[String], seed: u64, keys: &[&str]) -> Option<String> {
    let mut spoken: Vec<&String> = Vec::new();
    for line in list.iter().filter(|line| !line.trim().is_empty()) {
        // The same line twice is one line.
        if !spoken.contains(&line) {
            spoken.push(line);
        }
    }
    if spoken.len() > crate::memory::mind::FALLBACK_MEMORY {
        spoken.retain(|line| !recent.contains(line));
    }
    let count = u64::try_from(spoken.len())
        .ok()
        .filter(|count| *count > 0)?;
    let index = usize::try_from(draw(seed, "line", keys) % count).ok()?;
    spoken.get(index).map(|line| (*line).clone())
}

/// Ends each run for which no attempt can follow: with a line where its policy has one.
pub(crate) fn speak_fallbacks(
    world: &mut World,
    failed: &mut QueryState<(Entity, &Run), With<ActiveRun>>,
) {
    let mut ending: Vec<(u64, Entity)> = failed
        .iter(world)
        .filter(|(_, run)| run.phase == RunPhase::Failed && run.no_retry)
        .filter(|(entity, _)| !HeldPhases::holds(world.get(*entity), RunPhase::Failed))
        .map(|(entity, run)| (run.number, entity))
        .collect();
    ending.sort_unstable();
    for (_, entity) in ending {
        let sealed = world
            .get::<Run>(entity)
            .is_some_and(|run| run.policy.sealed);
        let nothing = if sealed {
            Outcome::Rejected
        } else {
            Outcome::Failed
        };
        let outcome = end_without_reply(world, entity).unwrap_or(nothing);
        end_run(world, entity, outcome);
    }
}

fn end_without_reply(world: &mut World, entity: Entity) -> Option<Outcome> {
    let run = world.get::<Run>(entity)?.clone();
    // What the last attempt's judges rejected alone is worth knowing; nothing of it was executed.
    let last = world
        .get::<AttemptLog>(entity)?
        .0
        .last()
        .and_then(|record| record.verdict.clone());
    let rejected = last
        .map(
            |Verdict {
                 rejected_mutations, ..
             }| rejected_mutations,
        )
        .unwrap_or_default();
    world.entity_mut(entity).insert(MutationReport {
        rejected,
        ..MutationReport::default()
    });
    if !run.policy.fallback {
        return None;
    }
    let persona = world.get::<LoadedCharacter>(run.npc_entity)?.0.clone();
    let context = world.get::<InteractionContext>(entity)?.clone();
    let seed = world.resource::<WorldSeed>().0;
    let mut mind = world.get_mut::<Mind>(run.npc_entity)?;
    let recent: Vec<String> = mind.recent_fallbacks.iter().cloned().collect();
    let (tier, line) = choose(&persona.fallbacks, &context, &recent, seed);
    mind.note_fallback(&line);
    mind.interactions += 1;
    world
        .resource_mut::<Outbox>()
        .0
        .push(Outgoing::Spoke(Spoke {
            entity: run.npc_entity,
            npc: run.npc,
            run: entity,
            line: line.clone(),
            fallback: true,
        }));
    Some(Outcome::Fallback { line, tier })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::fixed::Millis;
    use crate::rules::TriggerReason;

    fn context(reason: TriggerReason, trigger: Option<&str>, count: u64) -> InteractionContext {
        InteractionContext {
            reason,
            npc: "a".into(),
            speaker: None,
            input: None,
            game_time: Millis(0),
            scene: None,
            tags: Vec::new(),
            trigger_id: trigger.map(str::to_owned),
            prompt: None,
            interaction_count: count,
        }
    }

    fn lines(words: &[&str]) -> Vec<String> {
        words.iter().map(|w| (*w).to_owned()).collect()
    }

    #[test]
    fn p9_tiers_come_in_order_and_the_last_is_built_in() {
        let mut spec = FallbackSpec::default();
        let say = |spec: &FallbackSpec, context: &InteractionContext| choose(spec, context, &[], 7);
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
        let mut mind = Mind::default();
        for count in 0..50 {
            let recent: Vec<String> = mind.recent_fallbacks.iter().cloned().collect();
            let line = draw_line(&list, &recent, 1, &[&count.to_string()]).unwrap();
            assert!(!recent.contains(&line));
            mind.note_fallback(&line);
        }
        let few = lines(&["1", "2"]);
        assert!(
            draw_line(&few, &few, 1, &[]).is_some(),
            "few lines may repeat"
        );
    }
}
