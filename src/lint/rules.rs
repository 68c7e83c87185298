//! Rules that can never fire, do nothing, or say what another one says.

use super::conditions::never_holds;
use super::findings::Findings;
use super::level::{AtPlace, Level};
use super::patterns::{Meaning, all_in};
use super::report::LintKind::{NeverFires, NoEffect, Shadowed, Unresolved};
use crate::base::names::hint;
use crate::rules::{ConstraintKind, ConstraintSpec, RuleSeverity, RuleSpec};
use std::collections::{BTreeMap, BTreeSet};

/// More rules of one condition, or constraints with one pattern, than are compared with each other.
const MAX_COMPARED: usize = 64;

/// Checks the rules of one level. `others` are the other levels of the same file.
pub(super) fn check(level: &Level, others: &[&Level], findings: &mut Findings) {
    for rule in &level.rules {
        // A rule with a file of its own may serve several characters.
        let shared = rule.place.file != level.file;
        let given: &[_] = if shared { &[] } else { &level.given };
        if never_holds(&rule.value.when, given) {
            let message = format!(
                "the rule \"{}\" can never fire: its condition contradicts itself or its place",
                rule.value.id
            );
            findings.add(NeverFires, &rule.place.at("/when"), message);
        }
        if rule.value.constraints.is_empty() {
            let message = format!(
                "the rule \"{}\" has no constraints, and changes nothing",
                rule.value.id
            );
            findings.add(NoEffect, &rule.place, message);
        }
    }
    for hidden in &level.hidden {
        let until = hidden.value.until.as_ref();
        if until.is_some_and(|until| never_holds(until, &level.given)) {
            let message =
                "this condition can never hold: to hide a topic for good, put it into `forbidden`";
            findings.add(NeverFires, &hidden.place.at("/until"), message);
        }
    }
    shadowed_rules(&level.rules, findings);
    shadowed_constraints(level, findings);
    permissions(level, others, findings);
}

fn shadowed_rules(rules: &[AtPlace<RuleSpec>], findings: &mut Findings) {
    let mut order: Vec<&AtPlace<RuleSpec>> = rules
        .iter()
        .filter(|rule| !rule.value.constraints.is_empty())
        .collect();
    order.sort_by(|a, b| {
        let priority = b.value.priority.cmp(&a.value.priority);
        priority.then_with(|| a.value.id.cmp(&b.value.id))
    });
    let mut by_condition: BTreeMap<String, Vec<&RuleSpec>> = BTreeMap::new();
    for rule in order {
        let earlier = by_condition
            .entry(format!("{:?}", rule.value.when))
            .or_default();
        let same = |first: &&&RuleSpec| {
            let (one, other) = (&first.constraints, &rule.value.constraints);
            one.len() == other.len()
                && one
                    .iter()
                    .zip(other)
                    .all(|(one, other)| same_meaning(one, other))
        };
        if let Some(first) = earlier.iter().find(same) {
            let message = format!(
                "the rule \"{}\" is shadowed by \"{}\": both have the same condition and the same constraints",
                rule.value.id, first.id
            );
            findings.add(Shadowed, &rule.place, message);
        } else if earlier.len() < MAX_COMPARED {
            earlier.push(rule.value);
        }
    }
}

/// Whether two constraints differ only in their ids.
fn same_meaning(one: &ConstraintSpec, other: &ConstraintSpec) -> bool {
    one.kind == other.kind
        && one.severity == other.severity
        && words(one) == words(other)
        && one.lifts == other.lifts
        && all_in(&one.patterns, &other.patterns)
        && all_in(&other.patterns, &one.patterns)
}

/// What the prompt says of a constraint.
fn words(spec: &ConstraintSpec) -> &str {
    spec.prompt.as_deref().unwrap_or(&spec.description).trim()
}

fn shadowed_constraints(level: &Level, findings: &mut Findings) {
    let (all, lifted) = (level.all_constraints(), level.lifted());
    let always = || {
        all.iter()
            .enumerate()
            .filter(|(_, constraint)| constraint.rule.is_none())
    };
    let mut by_pattern: BTreeMap<Meaning, Vec<usize>> = BTreeMap::new();
    for (i, first) in always().filter(|(_, first)| !level.may_be_lifted(first.spec, &lifted)) {
        for pattern in &first.spec.patterns {
            let users = by_pattern.entry(Meaning::of(pattern)).or_default();
            if users.len() < MAX_COMPARED {
                users.push(i);
            }
        }
    }
    for (i, constraint) in all.iter().enumerate() {
        let patterns = constraint.spec.patterns.iter();
        let candidates: BTreeSet<usize> = patterns
            .filter_map(|pattern| by_pattern.get(&Meaning::of(pattern)))
            .flatten()
            .copied()
            .collect();
        // Of two that are equal, the later one is told.
        let shadows = |j: &usize| {
            let first = all[*j].spec;
            *j != i
                && covers(first, constraint.spec)
                && (*j < i || !same_meaning(first, constraint.spec))
        };
        if let Some(j) = candidates.into_iter().find(shadows) {
            let message = format!(
                "the constraint \"{}\" is shadowed by \"{}\", which always applies and asks for the same",
                constraint.spec.id, all[j].spec.id
            );
            findings.add(Shadowed, &constraint.place, message);
        }
    }
}

/// Whether `first`, where it applies, leaves nothing for `second` to do.
fn covers(first: &ConstraintSpec, second: &ConstraintSpec) -> bool {
    let silent = words(second).is_empty() || words(first) == words(second);
    let judged = match second.kind {
        ConstraintKind::Permission => false,
        // Fewer forbidden words of a prohibition, and more ways to meet a requirement, ask for less.
        ConstraintKind::Prohibition => all_in(&second.patterns, &first.patterns),
        ConstraintKind::Requirement => all_in(&first.patterns, &second.patterns),
    };
    first.kind == second.kind
        && first.severity >= second.severity
        && !first.patterns.is_empty()
        && !second.patterns.is_empty()
        && silent
        && judged
}

fn permissions(level: &Level, others: &[&Level], findings: &mut Findings) {
    let own = level.all_constraints();
    for constraint in &own {
        let spec = constraint.spec;
        if spec.kind != ConstraintKind::Permission {
            if !spec.lifts.is_empty() {
                findings.add(
                    NoEffect,
                    &constraint.place.at("/lifts"),
                    "only a Permission lifts anything",
                );
            }
            continue;
        }
        for (i, lifted) in spec.lifts.iter().enumerate() {
            let place = constraint.place.item("/lifts", i);
            let shown = lifted.escape_debug();
            match own.iter().find(|c| c.spec.id == *lifted) {
                Some(target) if target.spec.kind != ConstraintKind::Prohibition => {
                    findings.add(
                        NoEffect,
                        &place,
                        format!("\"{shown}\" is not a prohibition: nothing is lifted"),
                    );
                }
                Some(target) if target.spec.severity == RuleSeverity::Critical => {
                    findings.add(
                        NoEffect,
                        &place,
                        format!("\"{shown}\" is Critical, and never lifted"),
                    );
                }
                Some(_) => {}
                None if !level.whole => {}
                None if others
                    .iter()
                    .any(|other| other.all_constraints().iter().any(|c| c.spec.id == *lifted)) =>
                {
                    let message = format!(
                        "\"{shown}\" is at another level: a permission lifts only what is at its own, the {} level",
                        level.level.name()
                    );
                    findings.add(NoEffect, &place, message);
                }
                None => {
                    let known = own
                        .iter()
                        .filter(|c| c.spec.kind == ConstraintKind::Prohibition);
                    let hint = hint(lifted, known.map(|c| c.spec.id.as_str()));
                    findings.add(
                        Unresolved,
                        &place,
                        format!("there is no prohibition \"{shown}\" to lift{hint}"),
                    );
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::{found, kinds, kinds_in};

    fn npc(fields: &str) -> Vec<String> {
        kinds(&format!("npcs: [(id: \"a\", {fields})]"))
    }

    const NO_X: &str =
        "(id: \"no_x\", kind: Prohibition, severity: Hard, patterns: [\"x\", \"y\"])";

    #[test]
    fn x2_rules_that_can_never_fire_are_found_with_their_place() {
        let source = "(id: \"a\", fallbacks: (generic: [\"Hm.\"]), rules: [(id: \"r\",\n  when: Not(Always),\n  constraints: [(id: \"c\", kind: Requirement, severity: Soft)])])";
        let lines = found("a.npc.ron", source);
        assert_eq!(lines.len(), 1);
        assert!(
            lines[0].starts_with("2:9: the rule \"r\" can never fire"),
            "{lines:?}"
        );
        assert_eq!(
            npc("hidden: [(topic: \"x\", until: Any([]))]"),
            ["never_fires"]
        );
        let trigger = "triggers: [(id: \"gate\", rules: [(id: \"r\", when: TriggerId(\"door\"), constraints: [(id: \"c\", kind: Requirement, severity: Soft)])])]";
        assert!(kinds(trigger).contains(&"never_fires".to_owned()));
    }

    #[test]
    fn x2_rules_that_do_nothing_or_the_same_are_found() {
        assert_eq!(npc("rules: [(id: \"r\")]"), ["no_effect"]);
        let rule = |id: &str, words: &str| {
            format!(
                "(id: \"{id}\", when: HasTag(\"t\"), constraints: [(id: \"{id}_c\", kind: Requirement, severity: Hard, description: \"{words}\", patterns: [\"w\"])])"
            )
        };
        assert_eq!(
            npc(&format!(
                "rules: [{}, {}]",
                rule("r", "One."),
                rule("s", "One.")
            )),
            ["shadowed"]
        );
        assert_eq!(
            npc(&format!(
                "rules: [{}, {}]",
                rule("r", "One."),
                rule("s", "Two.")
            )),
            [""; 0]
        );
        assert_eq!(
            kinds_in(
                "x.rules.ron",
                &format!("[{}, {}]", rule("r", ""), rule("s", ""))
            ),
            ["shadowed"]
        );
        assert_eq!(kinds_in("x.rules.ron", "(id: \"r\")"), ["no_effect"]);
    }

    #[test]
    fn x2_constraints_that_always_apply_shadow_weaker_ones() {
        let under = |constraint: &str| {
            npc(&format!(
                "constraints: [{NO_X}], rules: [(id: \"r\", when: HasTag(\"t\"), constraints: [{constraint}])]"
            ))
        };
        assert_eq!(
            under("(id: \"c\", kind: Prohibition, severity: Soft, patterns: [\"X\"])"),
            ["shadowed"]
        );
        assert_eq!(
            under("(id: \"c\", kind: Prohibition, severity: Critical, patterns: [\"x\"])"),
            [""; 0]
        );
        assert_eq!(
            under("(id: \"c\", kind: Prohibition, severity: Hard, patterns: [\"z\"])"),
            [""; 0]
        );
        assert_eq!(
            under(
                "(id: \"c\", kind: Prohibition, severity: Hard, prompt: \"No x now.\", patterns: [\"x\"])"
            ),
            [""; 0]
        );
        assert_eq!(
            npc(&format!(
                "constraints: [{NO_X}, (id: \"again\", kind: Prohibition, severity: Hard, patterns: [\"y\", \"x\"])]"
            )),
            ["shadowed"]
        );
        let lifted = format!(
            "constraints: [{NO_X}, (id: \"p\", kind: Permission, severity: Hard, lifts: [\"no_x\"]), (id: \"c\", kind: Prohibition, severity: Soft, patterns: [\"x\"])]"
        );
        assert_eq!(npc(&lifted), [""; 0]);
    }

    #[test]
    fn x2_permissions_lift_something_of_their_own_level() {
        let permission = |lifted: &str| {
            npc(&format!(
                "constraints: [{NO_X}, (id: \"grave\", kind: Prohibition, severity: Critical, patterns: [\"g\"]), (id: \"ask\", kind: Requirement, severity: Soft), (id: \"p\", kind: Permission, severity: Hard, lifts: [\"{lifted}\"])]"
            ))
        };
        assert_eq!(permission("no_x"), [""; 0]);
        assert_eq!(permission("grave"), ["no_effect"]);
        assert_eq!(permission("ask"), ["no_effect"]);
        assert_eq!(permission("no_z"), ["unresolved"]);
        let world = "rules: [(id: \"law\", constraints: [(id: \"w\", kind: Prohibition, severity: Hard, patterns: [\"x\"])])]";
        let npc_permission = "npcs: [(id: \"a\", constraints: [(id: \"p\", kind: Permission, severity: Hard, lifts: [\"w\"])])]";
        assert_eq!(kinds(&format!("{world}, {npc_permission}")), ["no_effect"]);
        assert_eq!(
            npc("constraints: [(id: \"c\", kind: Requirement, severity: Soft, lifts: [\"x\"])]"),
            ["no_effect"]
        );
    }
}
