//! Authored lines: triggers for which only the built-in line would be spoken, lines that show nothing, and lines that say
//! what the character must not say.

use super::findings::Findings;
use super::place::{Part, Place};
use super::report::LintKind::{NoEffect, NoFallback, Unprotected, Unresolved};
use crate::authoring::NpcSpec;
use crate::authoring::npc_spec::FallbackSpec;
use crate::base::names::hint;
use crate::format::pointer;
use crate::rules::{ConstraintKind, RuleSeverity, TriggerReason};
use crate::scenario::{ScenarioSpec, StepSpec};
use crate::text::{LookIn, PatternSet, Readings, shows_something};
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

/// Each line: it shows something, and the character may say it. No gate judges an authored line when it is spoken.
pub(super) fn check_lines(npc: &NpcSpec, place: &Place, findings: &mut Findings) {
    let forbidden = forbidden_to(npc);
    for (at, list) in lists_of(npc) {
        let at = place.at(&at);
        for (i, line) in list.iter().enumerate() {
            if !shows_something(line) {
                // A list of only blanks counts as empty, which is another finding.
                if speaks(list) || !line.trim().is_empty() {
                    let message = "this line shows nothing, so that it is never spoken";
                    findings.add(NoEffect, &at.item("", i), message);
                }
                continue;
            }
            if let Some((what, hit)) = said_of(&forbidden, line) {
                let message = format!(
                    "this line says \"{}\", which {what}: authored lines are spoken as they are, and never judged",
                    hit.escape_debug()
                );
                findings.add(Unprotected, &at.item("", i), message);
            }
        }
    }
}

/// All lists of lines of a character, each with its place below the character.
pub(super) fn lists_of(npc: &NpcSpec) -> Vec<(String, &Vec<String>)> {
    let lines = &npc.fallbacks;
    let mut lists = Vec::new();
    for (trigger, list) in &lines.triggers {
        let key = pointer::key(trigger);
        lists.push((format!("/fallbacks/triggers/{key}"), list));
    }
    for (reason, list) in &lines.reasons {
        lists.push((format!("/fallbacks/reasons/{reason:?}"), list));
    }
    for (failure, list) in &lines.failures {
        lists.push((format!("/fallbacks/failures/{failure:?}"), list));
    }
    for (name, list) in [
        ("generic", &lines.generic),
        ("emergency", &lines.emergency),
        ("thinking", &lines.thinking),
    ] {
        lists.push((format!("/fallbacks/{name}"), list));
    }
    lists
}

/// What a character must never say, and how that is told.
fn forbidden_to(npc: &NpcSpec) -> Vec<(String, PatternSet)> {
    let binding = npc
        .constraints
        .iter()
        .enumerate()
        .filter(|(_, constraint)| {
            constraint.kind == ConstraintKind::Prohibition
                && constraint.severity > RuleSeverity::Soft
        });
    let constraints = binding.map(|(i, constraint)| {
        let id = constraint.id_in("constraint", i);
        let what = format!("its prohibition \"{}\" forbids", id.escape_debug());
        (what, constraint.patterns.clone())
    });
    let never = npc.never.iter();
    let never = never.map(|words| {
        (
            format!("its `never` {words:?} forbids"),
            vec![words.clone()],
        )
    });
    let topics = npc.forbidden.iter();
    let hidden = npc.hidden.iter().map(|hidden| &hidden.topic);
    let topics = topics.chain(hidden).map(|topic| {
        (
            format!("its closed topic {topic:?} forbids"),
            vec![topic.clone()],
        )
    });
    // A pattern that does not compile is a load error.
    let compiled = constraints
        .chain(never)
        .chain(topics)
        .filter_map(|(what, patterns)| Some((what, PatternSet::compile(&patterns).ok()?)));
    compiled.collect()
}

fn said_of<'a>(forbidden: &'a [(String, PatternSet)], line: &str) -> Option<(&'a str, String)> {
    let said = Readings::new(line);
    forbidden.iter().find_map(|(what, patterns)| {
        let mut readings = said.folded(LookIn::Written);
        let hit = readings.find_map(|text| patterns.scan(text).first(0).cloned())?;
        Some((what.as_str(), hit.text))
    })
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
    list.iter().any(|line| shows_something(line))
}

#[cfg(test)]
mod tests {
    use crate::lint::{found, kinds, kinds_in};

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
    fn x2_a_line_that_shows_nothing_and_one_that_breaks_a_prohibition_are_told() {
        let of = |fields: &str| kinds_in("a.npc.ron", &format!("(id: \"a\", {fields})"));
        for fields in [
            r#"fallbacks: (generic: ["\u{200b}", "Hm."])"#,
            r#"fallbacks: (generic: ["\u{2800}"], emergency: ["Hm."])"#,
            r#"fallbacks: (triggers: {"gate": [" ", "Halt."]})"#,
            r#"fallbacks: (reasons: {Custom: ["\u{3164}"]}, generic: ["Hm."])"#,
            r#"fallbacks: (failures: {Engine: ["\u{202e}"]}, generic: ["Hm."])"#,
            r#"fallbacks: (thinking: ["\u{ad}"], generic: ["Hm."])"#,
        ] {
            assert_eq!(of(fields), ["no_effect"], "{fields}");
        }
        for fields in [
            r#"forbidden: ["vault"], fallbacks: (generic: ["Ask me of the Vault."])"#,
            r#"forbidden: ["vault"], fallbacks: (thinking: ["The vault .."], generic: ["Hm."])"#,
            r#"hidden: [(topic: "crown*")], fallbacks: (emergency: ["No crowns!"])"#,
            r#"constraints: [(id: "c", kind: Prohibition, severity: Hard, prompt: "Hush.", patterns: ["nightjar"])],
               fallbacks: (triggers: {"gate": ["The n\u{456}ghtjar sings."]})"#,
        ] {
            let found = of(fields);
            assert!(
                found.contains(&"unprotected".to_owned()),
                "{fields}: {found:?}"
            );
        }
        for fields in [
            r#"fallbacks: (generic: ["...", "(He says nothing.)", "👍"])"#,
            r#"forbidden: ["vault"], fallbacks: (generic: ["Of that I do not speak."])"#,
            r#"constraints: [(id: "c", kind: Prohibition, severity: Soft, prompt: "Hush.", patterns: ["hush"])],
               fallbacks: (generic: ["Hush."])"#,
            r#"constraints: [(id: "c", kind: Requirement, severity: Hard, prompt: "Greet.", patterns: ["hello"])],
               fallbacks: (generic: ["Hello."])"#,
        ] {
            assert_eq!(of(fields), [""; 0], "{fields}");
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
