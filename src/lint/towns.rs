//! Routines, groups and gossip.

use super::conditions::never_holds;
use super::findings::Findings;
use super::place::Place;
use super::report::LintKind::{NeverFires, NoEffect, Repeated, Shadowed, Unreachable, Unresolved};
use super::worlds::KnownIds;
use crate::authoring::NpcSpec;
use crate::authoring::routine::{RoutineEntrySpec, without_requests};
use crate::authoring::story_spec::{GroupSpec, LoreSpec};
use crate::base::calendar::TimeOfDay;
use crate::format::Inline;
use crate::rules::RuleCondition;
use crate::world::WorldSpec;
use std::collections::{BTreeMap, BTreeSet};

/// The minutes of a day.
const MINUTES: u16 = 24 * 60;

/// Checks entries by themselves: whether one can hold after those before it.
pub(super) fn check_entries<'a>(
    entries: &[RoutineEntrySpec],
    place: impl Fn(usize) -> Place<'a>,
    findings: &mut Findings,
) {
    // The minutes of the day in which an entry before holds whatever happens.
    let mut taken: BTreeSet<u16> = BTreeSet::new();
    let mut begins: Vec<(&str, &RuleCondition)> = Vec::new();
    for (i, entry) in entries.iter().enumerate() {
        let times = (TimeOfDay::parse(&entry.from), TimeOfDay::parse(&entry.to));
        let (Some(from), Some(to)) = times else {
            continue;
        };
        let minutes: Vec<u16> = (0..MINUTES)
            .filter(|minute| TimeOfDay::is_between(*minute, from, to))
            .collect();
        if never_holds(&without_requests(&entry.when), &[]) {
            let message = "this entry never holds: no request has come when the engine asks it";
            findings.add(NeverFires, &place(i).at("/when"), message);
            continue;
        }
        if minutes.iter().all(|minute| taken.contains(minute)) {
            let message = "entries before this one hold at all its times: it never holds";
            findings.add(Shadowed, &place(i), message.to_owned());
        } else if begins.contains(&(&entry.from, &entry.when)) {
            let message = format!(
                "another entry begins at {} too: the first one counts",
                entry.from
            );
            findings.add(Repeated, &place(i), message);
        }
        begins.push((&entry.from, &entry.when));
        if entry.when == RuleCondition::Always {
            taken.extend(minutes);
        }
    }
}

/// Checks where the routine of a character leads.
pub(super) fn check_places<'a>(
    npc: &NpcSpec,
    place: impl Fn(&str) -> Place<'a>,
    world: Option<&WorldSpec>,
    cast: &KnownIds,
    findings: &mut Findings,
) {
    let Inline::Here(entries) = &npc.routine else {
        return;
    };
    let reached = npc
        .location
        .as_deref()
        .zip(world)
        .map(|(home, world)| reached(world, home));
    for (i, entry) in entries.iter().enumerate() {
        let Some(wanted) = &entry.place else {
            continue;
        };
        let place = place(&format!("/routine/{i}/place"));
        cast.location(wanted, &place, findings);
        let is_known = world.is_some_and(|world| world.locations.contains_key(wanted));
        let is_far = reached
            .as_ref()
            .is_some_and(|reached| !reached.contains(wanted.as_str()));
        if is_known && is_far {
            let home = npc.location.as_deref().unwrap_or_default();
            let message = format!("no way leads from \"{home}\" to \"{wanted}\"");
            findings.add(Unreachable, &place, message);
        }
    }
}

/// The locations to which one can go from there.
fn reached<'a>(world: &'a WorldSpec, from: &'a str) -> BTreeSet<&'a str> {
    let mut reached = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some(here) = open.pop() {
        let location = world.locations.get(here);
        for next in location.iter().flat_map(|location| &location.connected_to) {
            if reached.insert(next) {
                open.push(next);
            }
        }
    }
    reached
}

/// Checks the groups of a story or a scenario.
pub(super) fn check_groups(
    groups: &BTreeMap<String, GroupSpec>,
    lore: &[LoreSpec],
    cast: &KnownIds,
    place: &Place,
    findings: &mut Findings,
) {
    let listed: BTreeSet<&str> = groups
        .values()
        .flat_map(|group| &group.lore)
        .map(String::as_str)
        .collect();
    let of_no_group = || {
        lore.iter()
            .filter(|entry| !listed.contains(entry.key.as_str()))
    };
    for (id, group) in groups {
        let place = place.key("/groups", id);
        if group.members.is_empty() {
            findings.add(NoEffect, &place, "this group has no members".to_owned());
        }
        for (i, member) in group.members.iter().enumerate() {
            if cast.is_sure_of(member) {
                cast.somebody(member, &place.item("/members", i), findings);
            }
        }
        for (i, key) in group.lore.iter().enumerate() {
            let place = place.item("/lore", i);
            let Some(own) = lore.iter().find(|entry| entry.key == *key) else {
                let message = format!("there is no lore \"{}\"", key.escape_debug());
                findings.add(Unresolved, &place, message);
                continue;
            };
            if let Some(same) = of_no_group().find(|entry| says_the_same(entry, own)) {
                let message = format!(
                    "every character knows this: the lore \"{}\" says the same, and no group lists it",
                    same.key.escape_debug()
                );
                findings.add(Repeated, &place, message);
            }
        }
        for other in group.standing.keys() {
            if cast.is_sure_of(other) {
                cast.somebody(other, &place.at("/standing"), findings);
            }
        }
    }
}

/// Whether two entries of lore say the same in the same words.
fn says_the_same(one: &LoreSpec, other: &LoreSpec) -> bool {
    let words = |entry: &LoreSpec| {
        let words = entry.text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| !word.is_empty()).map(str::to_lowercase);
        words.collect::<Vec<_>>()
    };
    words(one) == words(other)
}

/// Checks whether news can reach any character of a scenario.
pub(super) fn check_gossip(characters: usize, place: &Place, findings: &mut Findings) {
    if characters < 2 {
        let message = "there are no two characters who could tell one another news";
        findings.add(NoEffect, &place.at("/gossip"), message.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::{kinds, kinds_in};

    #[test]
    fn x2_a_routine_that_cannot_be_lived_is_found() {
        let world = "world: (locations: {\"a\": (name: \"a\", connected_to: [\"b\"]), \"b\": (name: \"b\"), \"c\": (name: \"c\")})";
        let found = |routine: &str| {
            let npc = "id: \"eve\", location: \"a\", fallbacks: (generic: [\"Hm.\"])";
            kinds(&format!("{world}, npcs: [({npc}, routine: [{routine}])]"))
        };
        for (wrong, routine) in [
            (
                "unresolved",
                "(from: \"06:00\", to: \"12:00\", place: \"d\")",
            ),
            (
                "unreachable",
                "(from: \"06:00\", to: \"12:00\", place: \"c\")",
            ),
            (
                "shadowed",
                "(from: \"06:00\", to: \"12:00\"), (from: \"12:00\", to: \"06:00\"), (from: \"07:00\", to: \"08:00\")",
            ),
            (
                "repeated",
                "(from: \"06:00\", to: \"12:00\"), (from: \"06:00\", to: \"18:00\")",
            ),
            (
                "never_fires",
                "(from: \"06:00\", to: \"12:00\", when: HasTag(\"rain\"))",
            ),
            (
                "never_fires",
                "(from: \"06:00\", to: \"12:00\", when: All([Npc(\"eve\"), Trigger(Custom)]))",
            ),
        ] {
            assert_eq!(found(routine), [wrong], "{routine}");
        }
        for right in [
            "(from: \"06:00\", to: \"12:00\", place: \"b\")",
            // A layer over another one is no mistake.
            "(from: \"12:00\", to: \"13:00\"), (from: \"06:00\", to: \"18:00\")",
            "(from: \"06:00\", to: \"18:00\", when: Not(HasTag(\"rain\")))",
            "(from: \"06:00\", to: \"18:00\", when: InteractionCount(min: Some(1))), (from: \"06:00\", to: \"18:00\")",
        ] {
            assert!(found(right).is_empty(), "{right}: {:?}", found(right));
        }
        let file = "[(from: \"06:00\", to: \"12:00\"), (from: \"06:00\", to: \"12:00\")]";
        assert_eq!(kinds_in("day.routine.ron", file), ["shadowed"]);
    }

    #[test]
    fn x2_a_group_that_names_what_is_not_there_is_found() {
        let generic = "fallbacks: (generic: [\"Hm.\"])";
        let npcs = format!("npcs: [(id: \"eve\", {generic}), (id: \"bram\", {generic})]");
        let found = |fields: &str| kinds(&format!("{npcs}, {fields}"));
        let rule = "constraints: [(id: \"c\", kind: Requirement, severity: Soft, description: \"You are polite.\")]";
        for (wrong, fields) in [
            ("no_effect", "groups: {\"g\": ()}"),
            ("unresolved", "groups: {\"g\": (members: [\"evi\"])}"),
            (
                "unresolved",
                "groups: {\"g\": (members: [\"eve\"], lore: [\"oath\"])}",
            ),
            (
                "repeated",
                "lore: [(key: \"a\", text: \"The well is dry.\", keywords: [\"well\"]), (key: \"b\", text: \"The well is dry\", keywords: [\"well\"])], groups: {\"g\": (members: [\"eve\"], lore: [\"a\"])}",
            ),
            (
                "unresolved",
                "groups: {\"g\": (members: [\"eve\"], standing: {\"pleyer\": 0.5})}",
            ),
            (
                "unresolved",
                &format!(
                    "rules: [(id: \"r\", when: InGroup(\"h\"), {rule})], groups: {{\"g\": (members: [\"eve\"])}}"
                ),
            ),
        ] {
            assert_eq!(found(fields), [wrong], "{fields}");
        }
        for right in [
            "groups: {\"g\": (members: [\"eve\"], standing: {\"player\": 0.5})}, gossip: ()",
            // Two groups may know the same.
            "lore: [(key: \"a\", text: \"The well is dry.\", keywords: [\"well\"])], groups: {\"g\": (members: [\"eve\"], lore: [\"a\"]), \"h\": (members: [\"bram\"], lore: [\"a\"])}",
            &format!(
                "rules: [(id: \"r\", when: InGroup(\"g\"), {rule})], groups: {{\"g\": (members: [\"eve\"])}}"
            ),
        ] {
            assert!(found(right).is_empty(), "{right}: {:?}", found(right));
        }
        let alone = kinds(&format!("npcs: [(id: \"eve\", {generic})], gossip: ()"));
        assert_eq!(alone, ["no_effect"]);
    }
}
