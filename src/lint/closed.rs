//! Conditions that wait for what nothing in the file can bring about.

use super::conditions::literals;
use super::findings::Findings;
use super::level::Level;
use super::place::Place;
use super::report::LintKind::{NeverSet, Unresolved};
use super::worlds::KnownIds;
use crate::base::names::{hint, slip};
use crate::judged_world::rulebook::{ActionEffect, Rulebook};
use crate::rules::{RuleCondition, RuleLevel};
use crate::scenario::StepSpec;
use crate::world::{WorldSpec, WorldValue};
use std::collections::{BTreeMap, BTreeSet};

/// What conditions may ask for, as far as the file knows.
#[derive(Debug)]
pub(super) struct Closed<'a> {
    /// Who and what there is.
    pub cast: &'a KnownIds<'a>,
    /// Flags that are set at first or by something.
    pub flags: BTreeSet<&'a str>,
    /// The values that world facts have at first or take.
    pub facts: BTreeMap<&'a str, Vec<&'a WorldValue>>,
    /// For a scenario: the triggers that are listed, pulled, or have a fallback line.
    pub triggers: BTreeSet<&'a str>,
}

impl<'a> Closed<'a> {
    /// What is known before anything is set.
    pub fn of(cast: &'a KnownIds<'a>) -> Self {
        Self {
            cast,
            flags: BTreeSet::new(),
            facts: BTreeMap::new(),
            triggers: BTreeSet::new(),
        }
    }

    /// Takes in what is set at first, and what rules of the world set.
    pub(crate) fn with_story(
        mut self,
        world: Option<&'a WorldSpec>,
        facts: &'a BTreeMap<String, WorldValue>,
        book: Option<&'a Rulebook>,
    ) -> Self {
        if let Some(world) = world {
            self.flags.extend(world.flags.keys().map(String::as_str));
        }
        for (key, value) in facts {
            self.facts.entry(key).or_default().push(value);
        }
        let effects = book
            .into_iter()
            .flat_map(|book| book.actions.values())
            .flat_map(|action| &action.effects);
        for effect in effects {
            if let ActionEffect::SetFlag(name, _) = effect {
                self.flags.insert(name);
            }
        }
        self
    }

    /// Takes in what the steps of a scenario set.
    pub fn with_steps(mut self, steps: &'a [StepSpec]) -> Self {
        for step in steps.iter().flat_map(|step| step.with_inner()) {
            match step {
                StepSpec::SetFlag { name, .. } => {
                    self.flags.insert(name);
                }
                StepSpec::SetWorldFact { key, value } => {
                    self.facts.entry(key).or_default().push(value)
                }
                StepSpec::Trigger {
                    trigger_id: Some(trigger),
                    ..
                } => {
                    self.triggers.insert(trigger);
                }
                _ => {}
            }
        }
        self
    }

    /// Checks the conditions of a level; `file` is the one that all this is known of.
    pub fn check(&self, level: &Level, file: &str, findings: &mut Findings) {
        // A part with its own file serves other scenes, too.
        let own = |place: &Place| place.file == file;
        for rule in level.rules.iter().filter(|rule| own(&rule.place)) {
            let place = rule.place.at("/when");
            self.check_condition(&rule.value.when, level.level, &place, findings);
        }
        for hidden in level.hidden.iter().filter(|hidden| own(&hidden.place)) {
            let place = hidden.place.at("/until");
            // A secret may outlast the scene: only a slip of the pen is sure.
            for (literal, _) in hidden.value.until.iter().flat_map(literals) {
                self.check_literal(literal, false, level.level, &place, findings);
            }
        }
    }

    /// Checks the conditions of a level whose flags and facts the game sets, too: what is almost a known name is wrong.
    pub fn check_slips(&self, level: &Level, file: &str, findings: &mut Findings) {
        let rules = level.rules.iter();
        let rules = rules.map(|rule| (Some(&rule.value.when), rule.place.at("/when")));
        let hidden = level.hidden.iter();
        let hidden = hidden.map(|hidden| (hidden.value.until.as_ref(), hidden.place.at("/until")));
        for (when, place) in rules.chain(hidden).filter(|(_, place)| place.file == file) {
            for (literal, _) in when.into_iter().flat_map(literals) {
                self.check_literal(literal, false, level.level, &place, findings);
            }
        }
    }

    /// Checks a condition of a level.
    pub(crate) fn check_condition(
        &self,
        when: &RuleCondition,
        level: RuleLevel,
        place: &Place,
        findings: &mut Findings,
    ) {
        for (literal, wanted) in literals(when) {
            self.check_literal(literal, wanted, level, place, findings);
        }
    }

    /// A condition that is not `wanted` may well never hold, unless its name is almost another one.
    fn check_literal(
        &self,
        literal: &RuleCondition,
        wanted: bool,
        level: RuleLevel,
        place: &Place,
        findings: &mut Findings,
    ) {
        match literal {
            RuleCondition::Flag(name) => self.check_flag(name, wanted, place, findings),
            RuleCondition::WorldFact { key, value } => {
                self.check_fact(key, Some(value), wanted, place, findings);
            }
            // A character's own rules ask for itself, or can never fire.
            RuleCondition::Npc(id) if level != RuleLevel::Npc => {
                let npcs = self.cast.npcs.iter().copied();
                if self.cast.complete || slip(id, npcs).is_some() {
                    self.cast.npc(id, place, findings);
                }
            }
            RuleCondition::Relationship { target, .. } if self.cast.is_sure_of(target) => {
                self.cast.somebody(target, place, findings);
            }
            RuleCondition::InGroup(group) | RuleCondition::Standing { group, .. } => {
                let known = self.cast.groups.iter().copied();
                if !self.cast.groups.contains(group.as_str()) {
                    let hint = hint(group, known);
                    let message = format!("there is no group \"{}\"{hint}", group.escape_debug());
                    findings.add(Unresolved, place, message);
                }
            }
            RuleCondition::TriggerId(id)
                if self.cast.complete
                    && level != RuleLevel::Trigger
                    && !self.triggers.contains(id.as_str()) =>
            {
                let slip = slip(id, self.triggers.iter().copied());
                if wanted || slip.is_some() {
                    let hint = hint(id, self.triggers.iter().copied());
                    findings.add(
                        Unresolved,
                        place,
                        format!("there is no trigger \"{}\"{hint}", id.escape_debug()),
                    );
                }
            }
            _ => {}
        }
    }

    /// Checks a flag that is waited for.
    pub fn check_flag(&self, name: &str, wanted: bool, place: &Place, findings: &mut Findings) {
        let declared = self.cast.complete || !self.flags.is_empty();
        if declared && !self.flags.contains(name) {
            let known = self.flags.iter().copied();
            Self::never_set("flag", name, known, wanted, place, findings);
        }
    }

    /// Checks a world fact that is waited for, and the value that it must have, if that matters.
    pub fn check_fact(
        &self,
        key: &str,
        value: Option<&WorldValue>,
        wanted: bool,
        place: &Place,
        findings: &mut Findings,
    ) {
        match (self.facts.get(key), value) {
            (None, _) if self.cast.complete || !self.facts.is_empty() => {
                let known = self.facts.keys().copied();
                Self::never_set("world fact", key, known, wanted, place, findings);
            }
            (Some(values), Some(value))
                if self.cast.complete && wanted && !values.contains(&value) =>
            {
                let message = format!(
                    "the world fact \"{}\" never becomes \"{value}\" in this file",
                    key.escape_debug()
                );
                findings.add(NeverSet, place, message);
            }
            _ => {}
        }
    }

    fn never_set<'k>(
        what: &str,
        name: &str,
        known: impl Iterator<Item = &'k str> + Clone,
        wanted: bool,
        place: &Place,
        findings: &mut Findings,
    ) {
        if wanted || slip(name, known.clone()).is_some() {
            let hint = hint(name, known);
            let message = format!(
                "nothing here sets the {what} \"{}\"{hint}",
                name.escape_debug()
            );
            findings.add(NeverSet, place, message);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::{kinds, kinds_in};

    fn rule(when: &str) -> String {
        format!(
            "(id: \"r\", when: {when}, constraints: [(id: \"c\", kind: Requirement, severity: Soft)])"
        )
    }

    #[test]
    fn x2_a_scenario_sets_the_flags_and_facts_that_its_rules_ask_for() {
        let scene = |when: &str, rest: &str| {
            kinds(&format!(
                "npcs: [(id: \"a\", rules: [{}])], {rest}",
                rule(when)
            ))
        };
        let none = [""; 0];
        assert_eq!(scene("Flag(\"night\")", ""), ["never_set"]);
        assert_eq!(
            scene("All([Scene(\"x\"), Any([Flag(\"night\")])])", ""),
            ["never_set"]
        );
        assert_eq!(
            scene("Flag(\"night\")", "world: (flags: {\"night\": true})"),
            none
        );
        assert_eq!(
            scene(
                "Flag(\"night\")",
                "steps: [SetFlag(name: \"night\", value: true)]"
            ),
            none
        );
        assert_eq!(
            scene(
                "Flag(\"night\")",
                "steps: [Say(to: \"a\", text: \"x\", while_waiting: [SetFlag(name: \"night\", value: true)])]"
            ),
            none
        );
        assert_eq!(
            scene(
                "Flag(\"night\")",
                "rulebook: Rulebook(id: \"r\", actions: {\"open\": (effects: [SetFlag(\"night\", true)])})"
            ),
            none
        );
        assert_eq!(scene("Not(Flag(\"night\"))", ""), none);
        assert_eq!(
            scene("Not(Flag(\"nihgt\"))", "world: (flags: {\"night\": true})"),
            ["never_set"]
        );
        let snow = "WorldFact(key: \"weather\", value: \"snow\")";
        assert_eq!(scene(snow, ""), ["never_set"]);
        assert_eq!(
            scene(snow, "world_facts: {\"weather\": \"rain\"}"),
            ["never_set"]
        );
        assert_eq!(
            scene(
                snow,
                "world_facts: {\"weather\": \"rain\"}, steps: [SetWorldFact(key: \"weather\", value: \"snow\")]"
            ),
            none
        );
    }

    #[test]
    fn x2_a_secret_may_outlast_a_scene_but_not_by_a_slip_of_the_pen() {
        let hidden = "npcs: [(id: \"a\", hidden: [(topic: \"x\", until: Flag(\"crowned\"))])]";
        assert_eq!(kinds(hidden), [""; 0]);
        assert_eq!(
            kinds(&format!("{hidden}, world: (flags: {{\"crownd\": false}})")),
            ["never_set"]
        );
    }

    #[test]
    fn x2_a_story_that_lists_its_flags_lists_all() {
        let story = |flags: &str| {
            kinds_in(
                "x.story.ron",
                &format!(
                    "Story(world: (flags: {{{flags}}}), rules: [{}])",
                    rule("Flag(\"night\")")
                ),
            )
        };
        assert_eq!(story(""), [""; 0]);
        assert_eq!(story("\"night\": false"), [""; 0]);
        assert_eq!(story("\"day\": true"), ["never_set"]);
        let facts = format!(
            "Story(world_facts: {{\"weather\": \"rain\"}}, rules: [{}])",
            rule("WorldFact(key: \"weather\", value: \"snow\")")
        );
        assert_eq!(kinds_in("x.story.ron", &facts), [""; 0]);
        assert_eq!(
            kinds_in(
                "a.npc.ron",
                &format!(
                    "(id: \"a\", fallbacks: (generic: [\"Hm.\"]), rules: [{}])",
                    rule("Flag(\"x\")")
                )
            ),
            [""; 0]
        );
    }

    #[test]
    fn x2_conditions_name_npcs_and_triggers_of_the_scene() {
        let world = |when: &str| {
            kinds(&format!(
                "npcs: [(id: \"a\", fallbacks: (triggers: {{\"gatehouse\": [\"Halt.\"]}}))], rules: [{}]",
                rule(when)
            ))
        };
        assert_eq!(world("Npc(\"a\")"), [""; 0]);
        assert_eq!(world("Npc(\"b\")"), ["unresolved"]);
        assert_eq!(world("Not(Npc(\"b\"))"), ["unresolved"]);
        assert_eq!(world("TriggerId(\"gatehouse\")"), [""; 0]);
        assert_eq!(world("TriggerId(\"door\")"), ["unresolved"]);
        assert_eq!(world("Not(TriggerId(\"door\"))"), [""; 0]);
        assert_eq!(world("Not(TriggerId(\"gatehuose\"))"), ["unresolved"]);
    }
}
