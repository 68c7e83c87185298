//! The facts of `TextWorld` as one of our worlds, and back. `textworld.rulebook.ron` explains the mapping.

use super::actions::parts;
use bevy_dramatis::base::Id;
use bevy_dramatis::world::{EntityView, LocationView, Placement, WorldState, WorldValue};
use std::collections::BTreeSet;

/// Facts such as `in(k_0,c_1)`.
pub type Facts = BTreeSet<String>;

fn id(text: impl AsRef<str>) -> Id {
    Id::new(text).expect("an id")
}

/// The kind of thing that a name of `TextWorld` means: `c` for `c_1`.
fn kind(name: &str) -> &str {
    name.split('_').next().unwrap_or(name)
}

fn spot(of: &str) -> Id {
    id(format!("spot_of_{of}"))
}

/// The facts with this name, each as the text in its brackets.
fn named<'a>(facts: &'a Facts, wanted: &'a str) -> impl Iterator<Item = Vec<&'a str>> {
    let facts = facts.iter().map(|fact| parts(fact));
    facts.filter_map(move |(name, arguments)| (name == wanted).then_some(arguments))
}

fn thing<'w>(world: &'w mut WorldState, name: &str) -> &'w mut EntityView {
    let thing = world.entities.get_mut(name);
    thing.unwrap_or_else(|| panic!("there is no {name}"))
}

fn set(world: &mut WorldState, name: &str, attribute: &str, value: impl Into<WorldValue>) {
    let attributes = &mut thing(world, name).attributes;
    attributes.insert(attribute.to_owned(), value.into());
}

pub fn world_of(facts: &Facts) -> WorldState {
    let mut world = WorldState::default();
    let mut add = |name: &str, kind: &str| {
        let view = EntityView {
            name: name.to_owned(),
            kind: kind.to_owned(),
            ..EntityView::default()
        };
        world.entities.insert(id(name), view);
    };
    let names = facts.iter().flat_map(|fact| parts(fact).1);
    let names: BTreeSet<&str> = names.collect();
    for name in &names {
        match kind(name) {
            "c" | "s" => add(name, kind(name)),
            "P" => add(name, "character"),
            "o" | "k" | "f" => {
                add(name, kind(name));
                add(&spot(name), "spot");
            }
            "r" | "d" | "I" => {}
            _ => panic!("{name} has an unknown kind"),
        }
    }
    let ways = [("north_of", "north", "south"), ("west_of", "west", "east")];
    for (fact, there, back) in ways {
        for ends in named(facts, fact) {
            // "a is north of b": from b, one goes north to a.
            for (from, to, direction) in [(ends[1], ends[0], there), (ends[0], ends[1], back)] {
                let end = format!("{from}-{to}");
                let view = EntityView {
                    name: end.clone(),
                    kind: "way".to_owned(),
                    at: Placement::In(id(from)),
                    ..EntityView::default()
                };
                world.entities.insert(id(&end), view);
                set(&mut world, &end, "direction", direction);
                set(&mut world, &end, "free", false);
                set(&mut world, &end, "key", format!("{to}-{from}"));
                let location = world.locations.entry(id(from)).or_default();
                location.connected_to.push(id(to));
            }
        }
    }
    for name in names.iter().filter(|name| kind(name) == "r") {
        let location = world.locations.entry(id(name));
        location.or_insert_with(LocationView::default).name = (*name).to_owned();
    }
    for name in names
        .iter()
        .filter(|name| ["o", "k", "f"].contains(&kind(name)))
    {
        set(&mut world, name, "key", spot(name).as_str());
    }
    for ends in named(facts, "free") {
        set(
            &mut world,
            &format!("{}-{}", ends[0], ends[1]),
            "free",
            true,
        );
    }
    // From here on the ends of a door identify it.
    let mut doors: Vec<(&str, String)> = Vec::new();
    for link in named(facts, "link") {
        let end = format!("{}-{}", link[0], link[2]);
        thing(&mut world, &end).kind = "d".to_owned();
        set(&mut world, &end, "door", link[1]);
        doors.push((link[1], end));
    }
    let ends_of = |name: &str| {
        let ends = doors.iter().filter(|(door, _)| *door == name);
        let ends: Vec<String> = ends.map(|(_, end)| end.clone()).collect();
        if ends.is_empty() {
            vec![name.to_owned()]
        } else {
            ends
        }
    };
    for state in ["open", "closed", "locked"] {
        for arguments in named(facts, state) {
            for end in ends_of(arguments[0]) {
                set(&mut world, &end, "state", state);
            }
        }
    }
    for matched in named(facts, "match") {
        set(
            &mut world,
            &spot(matched[0]),
            "key",
            ends_of(matched[1]).remove(0),
        );
    }
    for food in named(facts, "edible") {
        set(&mut world, food[0], "edible", true);
    }
    for at in named(facts, "at") {
        thing(&mut world, at[0]).at = Placement::In(id(at[1]));
    }
    for held in named(facts, "in").chain(named(facts, "on")) {
        if held[1] == "I" {
            thing(&mut world, held[0]).at = Placement::CarriedBy(id("P"));
        } else {
            let room = thing(&mut world, held[1]).at.clone();
            thing(&mut world, held[0]).at = room;
            thing(&mut world, &spot(held[0])).at = Placement::CarriedBy(id(held[1]));
        }
    }
    world
}

pub fn facts_of(world: &WorldState) -> Facts {
    let mut facts = Facts::new();
    for (name, view) in &world.entities {
        let attribute =
            |of: &EntityView, name: &str| of.attributes.get(name).map(WorldValue::to_string);
        let mine = |name: &str| attribute(view, name).unwrap_or_default();
        match (view.kind.as_str(), &view.at) {
            ("spot", _) => {}
            ("way" | "d", _) => {
                let (from, to) = name.split_once('-').expect("both rooms");
                match mine("direction").as_str() {
                    "north" => facts.insert(format!("north_of({to},{from})")),
                    "west" => facts.insert(format!("west_of({to},{from})")),
                    _ => false,
                };
                if mine("free") == "true" {
                    facts.insert(format!("free({from},{to})"));
                }
                if view.kind == "d" {
                    let door = mine("door");
                    facts.insert(format!("link({from},{door},{to})"));
                    facts.insert(format!("{}({door})", mine("state")));
                }
            }
            ("o" | "k" | "f", at) => {
                let spot = &world.entities[&spot(name)];
                if let Some(lock) = attribute(spot, "key") {
                    let lock = world.entities.get(lock.as_str()).expect("its lock");
                    let lock = attribute(lock, "door").unwrap_or_else(|| lock.name.clone());
                    facts.insert(format!("match({name},{lock})"));
                }
                if mine("edible") == "true" {
                    facts.insert(format!("edible({name})"));
                }
                facts.insert(match (at, &spot.at) {
                    (Placement::CarriedBy(_), _) => format!("in({name},I)"),
                    (Placement::Offstage, _) => format!("eaten({name})"),
                    (Placement::In(_), Placement::CarriedBy(s)) if kind(s) == "s" => {
                        format!("on({name},{s})")
                    }
                    (Placement::In(_), Placement::CarriedBy(c)) => format!("in({name},{c})"),
                    (Placement::In(room), _) => format!("at({name},{room})"),
                });
            }
            (_, Placement::In(room)) => {
                facts.insert(format!("at({name},{room})"));
                if view.kind == "c" {
                    facts.insert(format!("{}({name})", mine("state")));
                }
            }
            (kind, at) => panic!("{name} of the kind {kind} is {at:?}"),
        }
    }
    facts
}
