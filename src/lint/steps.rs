//! What a scenario's steps, replies and expectations name.

use super::findings::Findings;
use super::patterns::check_one;
use super::place::Place;
use super::report::LintKind::{NoEffect, Unresolved};
use super::worlds::KnownIds;
use crate::base::fixed::Millis;
use crate::base::names::hint;
use crate::engine::ReplySpec;
use crate::format::pointer;
use crate::scenario::spec::{ActionSpec, FieldSpec, MarkerSpec};
use crate::scenario::{Expectation, StepSpec};
use crate::world::{ActionRegistry, WorldValue};

/// The keys of a trace.
const TRACE: [&str; 22] = [
    "scenario",
    "seed",
    "hash",
    "runs",
    "turns",
    "plans",
    "world",
    "world_facts",
    "memory",
    "stream",
    "counters",
    "states",
    "lore",
    "refused",
    "thinking",
    "forgotten",
    "retractions",
    "characters",
    "blocked",
    "groups",
    "news",
    "offers",
];

/// Checks one step, and those that happen while it waits.
pub(super) fn check_step(
    step: &StepSpec,
    cast: &KnownIds,
    registry: &ActionRegistry,
    place: &Place,
    findings: &mut Findings,
) {
    match step {
        StepSpec::Say { to, from, .. } => {
            cast.npc(to, &place.at("/to"), findings);
            if let Some(from) = from {
                cast.somebody(from, &place.at("/from"), findings);
            }
        }
        StepSpec::Ask { npc, from, .. } => {
            cast.npc(npc, &place.at("/npc"), findings);
            if let Some(from) = from {
                cast.somebody(from, &place.at("/from"), findings);
            }
        }
        StepSpec::Trigger { npc, .. }
        | StepSpec::Cancel { npc }
        | StepSpec::Remember { npc, .. }
        | StepSpec::Believe { npc, .. }
        | StepSpec::Forget { npc, .. }
        | StepSpec::Correct { npc, .. }
        | StepSpec::Offer { npc }
        | StepSpec::Retract { npc }
        | StepSpec::Despawn { npc } => cast.npc(npc, &place.at("/npc"), findings),
        StepSpec::Act { actor, .. } => cast.somebody(actor, &place.at("/actor"), findings),
        StepSpec::Do { actor, actions } => {
            cast.somebody(actor, &place.at("/actor"), findings);
            for (i, action) in actions.iter().enumerate() {
                check_action(action, cast, registry, &place.item("/actions", i), findings);
            }
        }
        StepSpec::Turn { persona, .. } => cast.somebody(persona, &place.at("/persona"), findings),
        StepSpec::Place { entity, at } => {
            cast.thing(entity, &place.at("/entity"), findings);
            cast.placement(at, &place.at("/at"), findings);
        }
        StepSpec::SetAttribute { entity, .. } => cast.thing(entity, &place.at("/entity"), findings),
        StepSpec::Marker(MarkerSpec::LocationChange { from, to }) => {
            cast.location(from, place, findings);
            cast.location(to, place, findings);
            if from == to {
                let message = format!(
                    "the change leads from \"{}\" to the same place: the marker is refused",
                    from.escape_debug()
                );
                findings.add(NoEffect, place, message);
            }
        }
        StepSpec::Marker(MarkerSpec::TimeSkip { seconds })
            if Millis::from_seconds(*seconds).is_none_or(|skip| skip.0 < 0) =>
        {
            let message =
                format!("a skip of {seconds} s is refused: write a number of seconds, 0 to 10^12");
            findings.add(NoEffect, place, message);
        }
        StepSpec::SetFlag { name, .. } => cast.set_flag(name, &place.at("/name"), findings),
        StepSpec::SetStanding { group, .. } => cast.group(group, &place.at("/group"), findings),
        StepSpec::Marker(_)
        | StepSpec::Aside { .. }
        | StepSpec::Record { .. }
        | StepSpec::RetractTurn
        | StepSpec::Redo { .. }
        | StepSpec::Pick { .. }
        | StepSpec::Advance { .. }
        | StepSpec::SetWorldFact { .. }
        | StepSpec::Approve { .. }
        | StepSpec::Deny { .. }
        | StepSpec::Regenerate { .. }
        | StepSpec::SwapModel { .. } => {}
    }
    let of_sentences = step.between().into_iter().flatten();
    let of_sentences = of_sentences.map(|(number, inner)| (number.to_string(), inner));
    let of_plan = step.between_steps().into_iter().flatten();
    let of_plan = of_plan.map(|(id, inner)| (id.clone(), inner));
    for (key, inner) in of_sentences.chain(of_plan) {
        let place = place.at(&format!("/between/{key}"));
        for (i, inner) in inner.iter().enumerate() {
            check_step(inner, cast, registry, &place.item("", i), findings);
        }
    }
    for (i, inner) in step.while_waiting().iter().enumerate() {
        check_step(
            inner,
            cast,
            registry,
            &place.item("/while_waiting", i),
            findings,
        );
    }
}

/// Checks what an action refers to. That it has these fields the loader has seen already.
fn check_action(
    action: &ActionSpec,
    cast: &KnownIds,
    registry: &ActionRegistry,
    place: &Place,
    findings: &mut Findings,
) {
    let name = action.name();
    let fields = registry
        .shape(&name)
        .into_iter()
        .flat_map(|shape| &shape.fields);
    for field in fields.filter(|field| field.kind.is_reference()) {
        if let Some(FieldSpec::Value(WorldValue::Text(id))) = action.fields.get(field.name) {
            cast.anything(id, &place.at(&format!("/{}", field.name)), findings);
        }
    }
}

/// Checks the replies of an engine. A script may speak for characters that it does not know.
pub(super) fn check_replies(
    replies: &[ReplySpec],
    cast: &KnownIds,
    place: &Place,
    findings: &mut Findings,
) {
    for (i, reply) in replies.iter().enumerate() {
        let place = place.item("", i);
        let (npc, keyword) = match reply {
            ReplySpec::Say(_) => continue,
            ReplySpec::Reply(reply) => (&reply.npc, &reply.keyword),
            ReplySpec::Fail(fail) => (&fail.npc, &None),
        };
        if let Some(npc) = npc
            && cast.is_sure_of(npc)
            && !cast.played.contains(npc.as_str())
        {
            cast.npc(npc, &place.at("/npc"), findings);
        }
        if let Some(keyword) = keyword {
            check_one(keyword, &place.at("/keyword"), findings);
        }
    }
}

/// Checks what a scenario expects.
pub(super) fn check_expectation(
    expectation: &Expectation,
    cast: &KnownIds,
    place: &Place,
    findings: &mut Findings,
) {
    let Some(at) = &expectation.at else {
        return;
    };
    let mut keys = at.split('/').skip(1).map(pointer::unkey);
    match (keys.next().as_deref(), keys.next()) {
        (Some("memory"), Some(npc)) if expectation.absent != Some(true) => {
            cast.npc(&npc, &place.at("/at"), findings);
        }
        (Some(key), _) if !TRACE.contains(&key) => {
            let hint = hint(key, TRACE);
            let message = format!("a trace has no \"{}\"{hint}", key.escape_debug());
            findings.add(Unresolved, &place.at("/at"), message);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::{found, kinds, kinds_in};

    const CAST: &str = "npcs: [(id: \"guard\")], personas: [(id: \"hero\")], world: (locations: {\"yard\": (name: \"Yard\")}, entities: {\"key\": (name: \"key\", kind: \"item\", at: In(\"yard\"))})";

    fn step(step: &str) -> Vec<String> {
        kinds(&format!("{CAST}, steps: [{step}]"))
    }

    #[test]
    fn x2_a_marker_that_is_refused_is_found() {
        assert_eq!(step("Marker(TimeSkip(seconds: -5.0))"), ["no_effect"]);
        assert_eq!(
            step("Marker(LocationChange(from: \"yard\", to: \"yard\"))"),
            ["no_effect"]
        );
        assert_eq!(step("Marker(TimeSkip(seconds: 1.5))"), [""; 0]);
    }

    #[test]
    fn x2_steps_name_somebody() {
        for wrong in [
            "Say(to: \"gaurd\", text: \"Hello?\")",
            "Say(to: \"key\", text: \"Hello?\")",
            "Say(to: \"guard\", from: \"smith\", text: \"Hello?\")",
            "Say(to: \"guard\", text: \"Hello?\", while_waiting: [Despawn(npc: \"smith\")])",
            "Say(to: \"guard\", text: \"Hello?\", between: {1: [Despawn(npc: \"smith\")]})",
            "Trigger(npc: \"smith\", reason: Custom)",
            "Ask(npc: \"smith\", text: \"x\")",
            "Act(actor: \"smith\", text: \"look\")",
            "Do(actor: \"player\", actions: [Take(target: \"kye\")])",
            "Do(actor: \"player\", actions: [Use(target: \"key\", tool: \"rod\")])",
            "Do(actor: \"player\", actions: [Speak(content: \"x\", to: \"smith\")])",
            "Turn(persona: \"villain\", intention: \"x\")",
            "Place(entity: \"key\", at: In(\"tower\"))",
            "Place(entity: \"key\", at: CarriedBy(\"yard\"))",
            "Place(entity: \"rod\", at: Offstage)",
            "SetAttribute(entity: \"rod\", name: \"open\", value: true)",
            "Marker(LocationChange(from: \"yard\", to: \"tower\"))",
        ] {
            assert_eq!(step(wrong), ["unresolved"], "{wrong}");
        }
        for right in [
            "Say(to: \"guard\", text: \"Hello?\")",
            "Say(to: \"guard\", from: \"player\", text: \"Hello?\")",
            "Say(to: \"guard\", from: \"key\", text: \"Hello?\")",
            "Despawn(npc: \"guard\"), Say(to: \"guard\", text: \"Hello?\")",
            "Turn(persona: \"hero\", intention: \"x\")",
            "Do(actor: \"hero\", actions: [Move(target: \"yard\"), Take(target: \"key\"), Give(target: \"key\", to: \"guard\"), Introduce(name: \"Tom\")])",
            "Place(entity: \"guard\", at: In(\"yard\"))",
            "Marker(TimeSkip(seconds: 5.0))",
        ] {
            assert_eq!(step(right), [""; 0], "{right}");
        }
    }

    #[test]
    fn x2_replies_go_to_somebody() {
        assert_eq!(
            kinds(&format!(
                "{CAST}, replies: [Reply((text: \"Hm.\", npc: \"smith\"))]"
            )),
            ["unresolved"]
        );
        assert_eq!(
            kinds(&format!(
                "{CAST}, replies: [Fail((kind: Timeout, npc: \"smith\"))]"
            )),
            ["unresolved"]
        );
        assert_eq!(
            kinds(&format!(
                "{CAST}, replies: [Reply((text: \"Hm.\", npc: \"hero\")), Reply((text: \"Hm.\", npc: \"guard\"))]"
            )),
            [""; 0]
        );
        assert_eq!(
            kinds_in(
                "x.script.ron",
                "Script(replies: [Reply((text: \"Hm.\", npc: \"smith\"))])"
            ),
            [""; 0]
        );
        assert_eq!(
            kinds_in(
                "x.script.ron",
                "Script(replies: [Reply((text: \"Hm.\", keyword: \"/^$/\"))])"
            ),
            ["never_matches"]
        );
    }

    #[test]
    fn x2_expectations_look_where_something_can_be() {
        let expect = |expectation: &str| kinds(&format!("{CAST}, expect: [{expectation}]"));
        assert_eq!(
            expect("(at: \"/run/0/outcome\", is: \"Accepted\")"),
            ["unresolved"]
        );
        assert_eq!(
            expect("(at: \"/memory/smith/episodes\", len: 0)"),
            ["unresolved"]
        );
        for right in [
            "(at: \"\", absent: false)",
            "(at: \"/runs/0/outcome\", is: ())",
            "(at: \"/memory/guard/episodes\", len: 0)",
            "(at: \"/memory/smith\", absent: true)",
        ] {
            assert_eq!(expect(right), [""; 0], "{right}");
        }
        let lines = found(
            "x.scenario.ron",
            "Scenario(name: \"x\",\n  expect: [(at: \"/counter/attempts\", is: 1)])",
        );
        assert_eq!(
            lines,
            ["2:17: a trace has no \"counter\" (did you mean \"counters\"?) [unresolved]"]
        );
    }
}
