//! What triggers wait for before they fire by themselves, and which characters respond then.

use super::closed::Closed;
use super::findings::Findings;
use super::known_names::KnownNames;
use super::place::Place;
use super::report::LintKind::Unresolved;
use super::rulebooks::unknown_action;
use crate::judged_world::rulebook::Rulebook;
use crate::rules::RuleLevel;
use crate::rules::firing::{FiringSpec, Occasion};
use crate::world::ActionRegistry;

/// Checks the names in what a trigger waits for.
pub(super) fn check(
    fires: &FiringSpec,
    closed: &Closed,
    uses: &KnownNames,
    rulebook: Option<&Rulebook>,
    registry: &ActionRegistry,
    place: &Place,
    findings: &mut Findings,
) {
    let cast = closed.cast;
    let at = |name: &str| place.at(&format!("/on/{name}"));
    let (actor, target) = match &fires.on {
        Occasion::Entered { place, actor } | Occasion::Left { place, actor } => {
            cast.location(place, &at("place"), findings);
            (actor.as_ref(), None)
        }
        Occasion::Attribute { entity, name, .. } => {
            if cast.is_sure_of(entity) {
                cast.thing(entity, &at("entity"), findings);
            }
            uses.check_awaited(name, rulebook, &at("name"), findings);
            (None, None)
        }
        Occasion::Flag { name, .. } => {
            closed.check_flag(name, true, &at("name"), findings);
            (None, None)
        }
        Occasion::Fact { key, becomes } => {
            closed.check_fact(key, becomes.as_ref(), true, &at("key"), findings);
            (None, None)
        }
        Occasion::Time { .. } => (None, None),
        Occasion::Done {
            action,
            actor,
            target,
        } => {
            if let Some(message) = unknown_action(action, registry) {
                findings.add(Unresolved, &at("action"), message);
            }
            (actor.as_ref(), target.as_ref())
        }
    };
    if let Some(actor) = actor.filter(|id| cast.is_sure_of(id)) {
        cast.somebody(actor, &at("actor"), findings);
    }
    if let Some(target) = target.filter(|id| cast.is_sure_of(id)) {
        cast.anything(target, &at("target"), findings);
    }
    for (i, npc) in fires.npcs.iter().enumerate() {
        let place = place.item("/npcs", i);
        if cast.complete {
            cast.npc(npc, &place, findings);
        } else if cast.is_sure_of(npc) {
            // The game may make a character of an entity.
            cast.thing(npc, &place, findings);
        }
    }
    let when = place.at("/when");
    closed.check_condition(&fires.when, RuleLevel::Trigger, &when, findings);
}

#[cfg(test)]
mod tests {
    use crate::lint::{found, kinds, kinds_in};

    const WORLD: &str = "world: (locations: {\"inn\": (name: \"Inn\")}, entities: {\"lantern\": (name: \"lantern\", kind: \"item\", at: In(\"inn\"), attributes: {\"lit\": true}), \"coin\": (name: \"coin\", kind: \"item\", at: In(\"inn\"))}, flags: {\"dark\": false}), world_facts: {\"weather\": \"rain\"}";

    fn scenario(fires: &str) -> Vec<String> {
        let npcs = "npcs: [(id: \"marla\", fallbacks: (generic: [\"Hm.\"]))]";
        kinds(&format!(
            "{npcs}, {WORLD}, triggers: [(id: \"t\", fires: ({fires}))]"
        ))
    }

    fn story(world: &str, fires: &str) -> Vec<String> {
        let source = format!("Story({world}triggers: [(id: \"t\", fires: ({fires}))])");
        kinds_in("x.story.ron", &source)
    }

    #[test]
    fn x2_triggers_of_a_scenario_wait_for_what_there_is() {
        for (kind, wrong) in [
            ("unresolved", "on: Entered(place: \"mill\")"),
            ("unresolved", "on: Left(place: \"inn\", actor: \"marlo\")"),
            (
                "unresolved",
                "on: Attribute(entity: \"lamp\", name: \"lit\"), npcs: [\"marla\"]",
            ),
            (
                "unknown_attribute",
                "on: Attribute(entity: \"lantern\", name: \"wet\"), npcs: [\"marla\"]",
            ),
            (
                "unknown_attribute",
                "on: Attribute(entity: \"lantern\", name: \"opne\"), npcs: [\"marla\"]",
            ),
            ("never_set", "on: Flag(name: \"night\"), npcs: [\"marla\"]"),
            ("never_set", "on: Fact(key: \"mood\"), npcs: [\"marla\"]"),
            (
                "never_set",
                "on: Fact(key: \"weather\", becomes: \"snow\"), npcs: [\"marla\"]",
            ),
            (
                "unresolved",
                "on: Done(action: \"juggle\"), npcs: [\"marla\"]",
            ),
            (
                "unresolved",
                "on: Done(action: \"give\", actor: \"hero\"), npcs: [\"marla\"]",
            ),
            (
                "unresolved",
                "on: Done(action: \"give\", target: \"coins\"), npcs: [\"marla\"]",
            ),
            ("unresolved", "on: Time(seconds: 1.0), npcs: [\"coin\"]"),
            (
                "unresolved",
                "on: Time(seconds: 1.0), npcs: [\"marla\"], when: Npc(\"marlo\")",
            ),
            (
                "unresolved",
                "on: Time(seconds: 1.0), npcs: [\"marla\"], when: Relationship(target: \"hero\", field: Trust, at_least: 0.2)",
            ),
        ] {
            assert_eq!(scenario(wrong), [kind], "{wrong}");
        }
        for right in [
            "on: Entered(place: \"inn\", actor: \"player\")",
            "on: Left(place: \"inn\", actor: \"marla\"), when: Not(Flag(\"dark\"))",
            "on: Attribute(entity: \"lantern\", name: \"lit\", becomes: false), npcs: [\"marla\"]",
            "on: Attribute(entity: \"marla\", name: \"open\"), npcs: [\"marla\"]",
            "on: Flag(name: \"dark\"), npcs: [\"marla\"], when: Npc(\"marla\")",
            "on: Fact(key: \"weather\"), npcs: [\"marla\"]",
            "on: Fact(key: \"weather\", becomes: \"rain\"), npcs: [\"marla\"]",
            "on: Done(action: \"give\", actor: \"player\", target: \"coin\"), npcs: [\"marla\"]",
            "on: Done(action: \"move\", target: \"inn\"), npcs: [\"marla\"]",
            "on: Time(seconds: 1.0), npcs: [\"marla\"], when: Relationship(target: \"player\", field: Trust, at_least: 0.2)",
        ] {
            assert_eq!(scenario(right), [""; 0], "{right}");
        }
    }

    #[test]
    fn x2_what_the_steps_and_the_rulebook_set_may_be_waited_for() {
        let scene = |rest: &str| {
            kinds(&format!(
                "npcs: [(id: \"marla\", fallbacks: (generic: [\"Hm.\"]))], {WORLD}, {rest}, triggers: [
                (id: \"s\", fires: (on: Flag(name: \"late\"), npcs: [\"marla\"])),
                (id: \"t\", fires: (on: Attribute(entity: \"lantern\", name: \"wet\"), npcs: [\"marla\"]))]"
            ))
        };
        assert_eq!(scene("steps: []"), ["never_set", "unknown_attribute"]);
        let set = "SetFlag(name: \"late\", value: true), SetAttribute(entity: \"lantern\", name: \"wet\", value: true)";
        assert_eq!(scene(&format!("steps: [{set}]")), [""; 0]);
        let between =
            format!("steps: [Say(to: \"marla\", text: \"Hello?\", between: {{1: [{set}]}})]");
        assert_eq!(scene(&between), [""; 0]);
        let effects = "SetFlag(\"late\", true), SetAttribute(Target, \"wet\", true)";
        assert_eq!(
            scene(&format!(
                "rulebook: (id: \"r\", actions: {{\"use\": (effects: [{effects}])}})"
            )),
            [""; 0]
        );
    }

    #[test]
    fn x2_what_a_trigger_of_a_story_waits_for_the_game_may_bring() {
        let world = format!("{WORLD}, ");
        for wrong in [
            "on: Entered(place: \"mill\")",
            "on: Done(action: \"take\", target: \"lanterns\"), npcs: [\"marla\"]",
            "on: Done(action: \"juggle\"), npcs: [\"marla\"]",
            "on: Time(seconds: 1.0), npcs: [\"lanterns\"]",
        ] {
            assert_eq!(story(&world, wrong), ["unresolved"], "{wrong}");
        }
        // A story without the files of its characters does not know who there is; one without a world, what there is.
        let others = "on: Done(action: \"take\", actor: \"kael\", target: \"smith\"), npcs: [\"marla\"], when: Npc(\"marla\")";
        assert_eq!(story(&world, others), [""; 0]);
        for any in [
            others,
            "on: Entered(place: \"mill\", actor: \"kael\")",
            "on: Attribute(entity: \"lamp\", name: \"lit\"), npcs: [\"marla\"]",
            "on: Flag(name: \"late\"), npcs: [\"marla\"]",
            "on: Fact(key: \"mood\"), npcs: [\"marla\"]",
        ] {
            assert_eq!(story("", any), [""; 0], "{any}");
        }
    }

    #[test]
    fn x2_a_wrong_id_of_a_trigger_is_told_at_its_place() {
        let source = "Story(world: (locations: {\"inn\": (name: \"Inn\")}, entities: {\"lantern\": (name: \"lantern\", kind: \"item\", at: In(\"inn\"))}),
triggers: [(id: \"t\", fires: (on: Done(action: \"take\", target: \"lanterns\"), npcs: [\"marla\"]))])";
        assert_eq!(
            found("x.story.ron", source),
            ["2:63: there is no entity \"lanterns\" (did you mean \"lantern\"?) [unresolved]"]
        );
    }
}
