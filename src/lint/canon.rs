//! Canon that contradicts itself, and memories that contradict canon.

use super::findings::Findings;
use super::patterns::check_list;
use super::place::Place;
use super::protection;
use super::report::LintKind::{AgainstCanon, NeverMatches, Unresolved};
use crate::authoring::NpcSpec;
use crate::gate::canon::{CanonFact, CanonJudge, CanonSlot, Exclusive, Said};
use crate::memory::Provenance;
use crate::text::{Readings, fold::fold};
use crate::world::WorldValue;
use std::collections::BTreeMap;

/// Checks the canon of a story. `judge` is made of the same facts.
pub(super) fn check(
    facts: &[CanonFact],
    world_facts: &BTreeMap<String, WorldValue>,
    judge: &CanonJudge,
    place: &Place,
    findings: &mut Findings,
) {
    for (i, fact) in facts.iter().enumerate() {
        let place = place.item("/canon", i);
        check_list(
            &fact.contradicted_by,
            &place.at("/contradicted_by"),
            findings,
        );
        if fact.text.trim().is_empty() {
            findings.add(NeverMatches, &place.at("/text"), "this fact says nothing");
        }
        if world_facts.contains_key(&fact.id) {
            let message = format!(
                "\"{}\" is the key of a world fact as well: what aims at one hits both",
                fact.id
            );
            findings.add(Unresolved, &place.at("/id"), message);
        }
        // The judge would refuse a character that says this fact word for word.
        for against in judge.judge(&Readings::new(&fact.text), Said::Aloud) {
            let Some(other) = judge.facts().get(against.fact) else {
                continue;
            };
            let whom = if other.id == fact.id {
                "itself".to_owned()
            } else {
                format!("the fact \"{}\"", other.id)
            };
            let message = format!(
                "this fact, said word for word, contradicts {whom} with \"{}\"",
                against.span.text.escape_debug()
            );
            findings.add(AgainstCanon, &place.at("/text"), message);
        }
        protection::check_fact(fact, i, judge, &place, findings);
        if let Some(slot) = &fact.slot {
            check_slot(slot, &place.at("/slot"), findings);
        }
    }
}

fn check_slot(slot: &CanonSlot, place: &Place, findings: &mut Findings) {
    let same = |text: &str| fold(text.trim());
    if slot.subject.iter().all(|subject| subject.trim().is_empty()) {
        findings.add(
            NeverMatches,
            &place.at("/subject"),
            "a slot without a subject never matches",
        );
    }
    let Exclusive::OneOf(others) = &slot.exclusive else {
        return;
    };
    if others.iter().any(|other| same(other) == same(&slot.value)) {
        let message = format!(
            "the true value \"{}\" is listed among those that contradict it",
            slot.value.escape_debug()
        );
        findings.add(AgainstCanon, &place.at("/exclusive"), message);
    }
    if others.iter().all(|other| other.trim().is_empty()) {
        findings.add(
            NeverMatches,
            &place.at("/exclusive"),
            "OneOf lists no value, so that none contradicts the slot",
        );
    }
}

/// What a character saw or concluded is true; what it was told, overheard or believes need not be.
pub(super) fn check_memories<'a>(
    npc: &NpcSpec,
    place_of: impl Fn(&str) -> Place<'a>,
    judge: &CanonJudge,
    findings: &mut Findings,
) {
    for (i, memory) in npc.memories.iter().enumerate() {
        if matches!(
            memory.provenance,
            Provenance::ToldBy(_) | Provenance::OverheardFrom(_)
        ) {
            continue;
        }
        for against in judge.judge(&Readings::new(&memory.text), Said::InMemory) {
            let Some(fact) = judge.facts().get(against.fact) else {
                continue;
            };
            let message = format!(
                "the memory \"{}\" contradicts the canon fact \"{}\" with \"{}\"",
                memory.id,
                fact.id,
                against.span.text.escape_debug()
            );
            findings.add(
                AgainstCanon,
                &place_of(&format!("/memories/{i}/text")),
                message,
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::{found, kinds};

    #[test]
    fn x2_what_a_character_was_told_or_overheard_may_contradict_canon() {
        let memory = |provenance: &str| {
            kinds(&format!(
                "canon: [(id: \"sky\", text: \"The sky is blue\")], npcs: [(id: \"a\", memories: [(id: \"m\", text: \"The sky is not blue\", provenance: {provenance})])]"
            ))
        };
        assert_eq!(memory("ToldBy(\"bob\")"), [""; 0]);
        assert_eq!(memory("OverheardFrom(\"bob\")"), [""; 0]);
        assert_eq!(memory("Saw"), ["against_canon"]);
    }

    fn canon(fact: &str) -> Vec<String> {
        kinds(&format!("canon: [(id: \"king\", {fact})]"))
    }

    #[test]
    fn x2_canon_does_not_contradict_itself() {
        let text = "text: \"The king is named Arthur\"";
        for fact in [
            "contradicted_by: [\"named arthur\"]",
            "slot: (subject: [\"the king\"], relation: \"is named\", value: \"Bob\")",
        ] {
            assert_eq!(
                canon(&format!("{text}, {fact}")),
                ["against_canon"],
                "{fact}"
            );
        }
        let one_of = |values: &str| {
            canon(&format!(
                "{text}, slot: (subject: [\"the king\"], relation: \"is named\", value: \"Arthur\", exclusive: OneOf([{values}]))"
            ))
        };
        assert!(one_of("\"Bob\", \"arthur \"").contains(&"against_canon".to_owned()));
        assert_eq!(one_of("\"Bob\""), [""; 0]);
        assert_eq!(one_of(""), ["never_matches"]);
        assert_eq!(
            canon(&format!(
                "{text}, contradicted_by: [\"king is called bob\"]"
            )),
            [""; 0]
        );
        assert_eq!(canon("text: \"The dragon does not sleep\""), [""; 0]);
        assert_eq!(canon("text: \"The dragon doesn't sleep\""), [""; 0]);
        let two = "canon: [(id: \"a\", text: \"The sky is blue\"), (id: \"b\", text: \"The sky is not blue\")]";
        assert!(kinds(two).contains(&"against_canon".to_owned()));
        assert_eq!(
            kinds("canon: [(id: \"a\", text: \"It rains\")], world_facts: {\"a\": 1}"),
            ["unresolved"]
        );
    }

    #[test]
    fn x2_what_a_character_saw_agrees_with_canon() {
        let scene = |memory: &str| {
            found(
                "x.scenario.ron",
                &format!(
                    "Scenario(name: \"x\", canon: [(id: \"sky\", text: \"The sky is blue\")], npcs: [(id: \"a\", memories: [\n(id: \"m\", text: \"The sky is not blue\"{memory})])])"
                ),
            )
        };
        let lines = scene("");
        assert_eq!(lines.len(), 1);
        assert!(
            lines[0].starts_with("2:17: the memory \"m\" contradicts the canon fact \"sky\""),
            "{lines:?}"
        );
        assert_eq!(scene(", provenance: ToldBy(\"Bob\")"), [""; 0]);
    }
}
