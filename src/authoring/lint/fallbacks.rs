//! Triggers for which only the built-in line would be spoken (contract row P9).

use super::findings::Findings;
use super::names::hint;
use super::place::{Part, Place};
use super::report::LintKind::{NoFallback, Unresolved};
use crate::authoring::NpcSpec;
use crate::authoring::npc_spec::FallbackSpec;
use crate::rules::TriggerReason;
use crate::scenario::{ScenarioSpec, StepSpec};
use std::collections::BTreeSet;

/// A character alone: some line must be there.
pub(super) fn check_npc(npc: &NpcSpec, place: &Place, findings: &mut Findings) {
    let lines = &npc.fallbacks;
    let lists = lines.triggers.values().chain(lines.reasons.values());
    let lists = lists.chain(lines.failures.values());
    let any = lists
        .chain([&lines.generic, &lines.emergency])
        .any(|list| speaks(list));
    if !any {
        let message = format!(
            "the NPC \"{}\" has no fallback line: when no reply will do, it says \"...\"",
            npc.id.escape_debug()
        );
        findings.add(NoFallback, &place.at("/fallbacks"), message);
    }
}

/// The triggers of a scenario, and who gets them.
pub(super) fn check_scenario(
    spec: &ScenarioSpec,
    npcs: &[Part<NpcSpec>],
    place: &Place,
    findings: &mut Findings,
) {
    let mut pulled: BTreeSet<&str> = BTreeSet::new();
    for (i, step) in spec.steps.iter().enumerate() {
        let StepSpec::Trigger {
            npc,
            reason,
            trigger_id: Some(trigger),
            ..
        } = step
        else {
            continue;
        };
        pulled.insert(trigger);
        let Some(hears) = npcs.iter().map(Part::value).find(|other| other.id == *npc) else {
            continue;
        };
        if !has_line(&hears.fallbacks, trigger, Some(*reason)) {
            let message = format!(
                "the NPC \"{}\" has no fallback line for the trigger \"{}\", nor for any {reason:?}",
                npc.escape_debug(),
                trigger.escape_debug()
            );
            findings.add(
                NoFallback,
                &place.item("/steps", i).at("/trigger_id"),
                message,
            );
        }
    }
    for (i, trigger) in spec.triggers.iter().enumerate() {
        let nobody = !npcs
            .iter()
            .any(|npc| has_line(&npc.value().fallbacks, &trigger.id, None));
        if nobody && !npcs.is_empty() && !pulled.contains(trigger.id.as_str()) {
            let message = format!(
                "no NPC has a fallback line for the trigger \"{}\"",
                trigger.id
            );
            findings.add(NoFallback, &place.item("/triggers", i).at("/id"), message);
        }
    }
    known_triggers(spec, npcs, &pulled, place, findings);
}

/// Where the scenario lists its triggers, each that is spoken of is one of them.
fn known_triggers(
    spec: &ScenarioSpec,
    npcs: &[Part<NpcSpec>],
    pulled: &BTreeSet<&str>,
    place: &Place,
    findings: &mut Findings,
) {
    let listed: BTreeSet<&str> = spec
        .triggers
        .iter()
        .map(|trigger| trigger.id.as_str())
        .collect();
    let spoken_for: BTreeSet<&str> = npcs
        .iter()
        .flat_map(|npc| npc.value().fallbacks.triggers.keys().map(String::as_str))
        .collect();
    if listed.is_empty() {
        return;
    }
    for (i, step) in spec.steps.iter().enumerate() {
        if let StepSpec::Trigger {
            trigger_id: Some(trigger),
            ..
        } = step
            && !listed.contains(trigger.as_str())
            && !spoken_for.contains(trigger.as_str())
        {
            let hint = hint(trigger, listed.iter().copied());
            let message = format!(
                "there is no trigger \"{}\" in `triggers`{hint}",
                trigger.escape_debug()
            );
            findings.add(
                Unresolved,
                &place.item("/steps", i).at("/trigger_id"),
                message,
            );
        }
    }
    // A character with a file of its own has lines for other scenes, too.
    for npc in npcs.iter().filter(|npc| npc.is_here()) {
        for trigger in npc.value().fallbacks.triggers.keys() {
            if !listed.contains(trigger.as_str()) && !pulled.contains(trigger.as_str()) {
                let hint = hint(trigger, listed.iter().copied());
                let message = format!("there is no trigger \"{}\"{hint}", trigger.escape_debug());
                findings.add(
                    Unresolved,
                    &npc.place().key("/fallbacks/triggers", trigger),
                    message,
                );
            }
        }
    }
}

/// Whether something authored is spoken. Without a reason: whether something may be.
fn has_line(lines: &FallbackSpec, trigger: &str, reason: Option<TriggerReason>) -> bool {
    let of_trigger = lines.triggers.get(trigger);
    let of_reason = lines
        .reasons
        .iter()
        .filter(|(of, _)| reason.is_none_or(|reason| reason == **of))
        .map(|(_, list)| list);
    of_trigger
        .into_iter()
        .chain(of_reason)
        .chain([&lines.generic, &lines.emergency])
        .any(|list| speaks(list))
}

fn speaks(list: &[String]) -> bool {
    list.iter().any(|line| !line.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use crate::authoring::lint::{found, kinds, kinds_in};

    fn pulled(fallbacks: &str) -> Vec<String> {
        kinds(&format!(
            "npcs: [(id: \"a\", fallbacks: ({fallbacks}))], steps: [Trigger(npc: \"a\", reason: ZoneTrigger, trigger_id: \"gate\")]"
        ))
    }

    #[test]
    fn x2_a_trigger_needs_a_line_of_some_tier() {
        assert_eq!(pulled(""), ["no_fallback"]);
        assert_eq!(pulled("thinking: [\"Hm.\"]"), ["no_fallback"]);
        assert_eq!(pulled("generic: [\" \"]"), ["no_fallback"]);
        assert_eq!(pulled("reasons: {Custom: [\"Hm.\"]}"), ["no_fallback"]);
        assert_eq!(pulled("triggers: {\"door\": [\"Hm.\"]}"), ["no_fallback"]);
        for tier in [
            "triggers: {\"gate\": [\"Hm.\"]}",
            "reasons: {ZoneTrigger: [\"Hm.\"]}",
            "generic: [\"Hm.\"]",
            "emergency: [\"Hm.\"]",
        ] {
            assert_eq!(pulled(tier), [""; 0], "{tier}");
        }
    }

    #[test]
    fn x2_a_listed_trigger_needs_a_line_too() {
        assert_eq!(
            kinds("triggers: [(id: \"gate\")], npcs: [(id: \"a\")]"),
            ["no_fallback"]
        );
        assert_eq!(
            kinds(
                "triggers: [(id: \"gate\")], npcs: [(id: \"a\"), (id: \"b\", fallbacks: (generic: [\"Hm.\"]))]"
            ),
            [""; 0]
        );
        assert_eq!(kinds("triggers: [(id: \"gate\")]"), [""; 0]);
    }

    #[test]
    fn x2_a_character_needs_some_line() {
        assert_eq!(kinds_in("a.npc.ron", "(id: \"a\")"), ["no_fallback"]);
        assert_eq!(
            kinds_in(
                "a.npc.ron",
                "(id: \"a\", fallbacks: (triggers: {\"x\": [\"Hm.\"]}))"
            ),
            [""; 0]
        );
    }

    #[test]
    fn x2_triggers_that_are_not_listed_are_unresolved() {
        let scenario = "Scenario(name: \"x\", triggers: [(id: \"gate\")], npcs: [(id: \"a\", fallbacks: (triggers: {\"gaet\": [\"Halt.\"]}, generic: [\"Hm.\"]))],\nsteps: [Trigger(npc: \"a\", reason: Custom, trigger_id: \"gat\")])";
        assert_eq!(
            found("x.scenario.ron", scenario),
            [
                "1:95: there is no trigger \"gaet\" (did you mean \"gate\"?) [unresolved]",
                "2:55: there is no trigger \"gat\" in `triggers` (did you mean \"gate\"?) [unresolved]",
            ]
        );
    }
}
