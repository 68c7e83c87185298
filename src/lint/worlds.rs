//! Who and what there is, and references to it.

use super::findings::Findings;
use super::place::Place;
use super::report::LintKind::Unresolved;
use crate::base::names::{hint, slip};
use crate::judged_world::state::passage::LEADS_TO;
use crate::world::{PlacementSpec, WorldSpec, WorldValue};
use std::collections::BTreeSet;

/// All characters and things that a file can name.
#[derive(Debug, Clone, Default)]
pub(super) struct KnownIds<'a> {
    /// Nothing where the file describes no world: then places are the game's.
    pub locations: Option<BTreeSet<&'a str>>,
    pub entities: BTreeSet<&'a str>,
    pub npcs: BTreeSet<&'a str>,
    /// The player and the personas, who need no entity to be spoken of.
    pub played: BTreeSet<&'a str>,
    /// The flags that the world lists.
    pub flags: BTreeSet<&'a str>,
    /// The groups of the story.
    pub groups: BTreeSet<&'a str>,
    /// Whether there may be characters that this file cannot know: a story without the files of its characters.
    pub open: bool,
    /// Whether the game has no say in it: a scenario.
    pub complete: bool,
}

impl<'a> KnownIds<'a> {
    /// For a file that others use: the characters with files of their own, and there may be others.
    pub fn shared(npcs: &'a BTreeSet<String>) -> Self {
        Self {
            npcs: npcs.iter().map(String::as_str).collect(),
            open: true,
            ..Self::default()
        }
    }

    /// Whether an id that is not known here is wrong: the file says what there is, or the id is almost a known one.
    pub fn is_sure_of(&self, id: &str) -> bool {
        let described = self.locations.is_some() && !self.open;
        let known = self.entities.iter().chain(&self.npcs).copied();
        self.complete || described || slip(id, known).is_some()
    }

    /// Takes in what a world describes. One that describes only flags leaves places to the game.
    pub(crate) fn with_world(mut self, world: Option<&'a WorldSpec>) -> Self {
        if let Some(world) =
            world.filter(|world| !world.locations.is_empty() || !world.entities.is_empty())
        {
            self.locations = Some(world.locations.keys().map(String::as_str).collect());
            self.entities = world.entities.keys().map(String::as_str).collect();
        }
        if let Some(world) = world {
            self.flags = world.flags.keys().map(String::as_str).collect();
        }
        self
    }

    /// A flag that a step sets: new ones are fine, and one that is almost a flag of the world is not.
    pub fn set_flag(&self, name: &str, place: &Place, findings: &mut Findings) {
        let known = || self.flags.iter().copied();
        if !self.flags.contains(name) && slip(name, known()).is_some() {
            let hint = hint(name, known());
            let message = format!("the world has no flag \"{}\"{hint}", name.escape_debug());
            findings.add(Unresolved, place, message);
        }
    }

    /// The player of a scenario, who need not be in the world, and is not there under almost the same id.
    pub fn player(&self, id: &str, place: &Place, findings: &mut Findings) {
        let known = || self.entities.iter().copied();
        if slip(id, known()).is_some() {
            expect("entity", id, [&self.entities, &self.npcs], place, findings);
        }
    }

    /// A group of the story.
    pub fn group(&self, id: &str, place: &Place, findings: &mut Findings) {
        expect("group", id, [&self.groups], place, findings);
    }

    /// A reference to a location.
    pub fn location(&self, id: &str, place: &Place, findings: &mut Findings) {
        if let Some(locations) = &self.locations {
            expect("location", id, [locations], place, findings);
        }
    }

    /// A reference to an NPC.
    pub fn npc(&self, id: &str, place: &Place, findings: &mut Findings) {
        expect("NPC", id, [&self.npcs], place, findings);
    }

    /// A reference to something in the world: an entity, or an NPC, which is one.
    pub fn thing(&self, id: &str, place: &Place, findings: &mut Findings) {
        expect("entity", id, [&self.entities, &self.npcs], place, findings);
    }

    /// A reference to an actor: an entity, an NPC, the player or a persona.
    pub fn somebody(&self, id: &str, place: &Place, findings: &mut Findings) {
        expect(
            "entity",
            id,
            [&self.entities, &self.npcs, &self.played],
            place,
            findings,
        );
    }

    /// A reference to an actor in a world, who may be a character that the file cannot know.
    fn character(&self, id: &str, place: &Place, findings: &mut Findings) {
        let is_place = self
            .locations
            .as_ref()
            .is_some_and(|known| known.contains(id));
        let known = || self.entities.iter().chain(&self.npcs).copied();
        if !self.open || is_place || slip(id, known()).is_some() {
            self.thing(id, place, findings);
        }
    }

    /// A reference to a possible target of an action: an actor, a thing or a place.
    pub fn anything(&self, id: &str, place: &Place, findings: &mut Findings) {
        let none = BTreeSet::new();
        let locations = self.locations.as_ref().unwrap_or(&none);
        expect(
            "entity",
            id,
            [&self.entities, &self.npcs, &self.played, locations],
            place,
            findings,
        );
    }

    /// A place in the world.
    pub(crate) fn placement(&self, at: &PlacementSpec, place: &Place, findings: &mut Findings) {
        match at {
            PlacementSpec::In(id) => self.location(id, place, findings),
            PlacementSpec::CarriedBy(id) => self.character(id, place, findings),
            PlacementSpec::Offstage => {}
        }
    }
}

fn expect<const N: usize>(
    what: &str,
    id: &str,
    known: [&BTreeSet<&str>; N],
    place: &Place,
    findings: &mut Findings,
) {
    if !known.iter().any(|set| set.contains(id)) {
        let hint = hint(id, known.iter().flat_map(|set| set.iter().copied()));
        let message = format!("there is no {what} \"{}\"{hint}", id.escape_debug());
        findings.add(Unresolved, place, message);
    }
}

/// Checks a world's references to itself and its cast.
pub(super) fn check(world: &WorldSpec, cast: &KnownIds, place: &Place, findings: &mut Findings) {
    for (id, location) in &world.locations {
        let place = place.key("/locations", id);
        for (i, next) in location.connected_to.iter().enumerate() {
            cast.location(next, &place.item("/connected_to", i), findings);
        }
    }
    for (id, entity) in &world.entities {
        let place = place.key("/entities", id);
        match &entity.at {
            PlacementSpec::CarriedBy(_) if carries_itself(world, id) => {
                let message = format!("\"{}\" cannot carry itself", id.escape_debug());
                findings.add(Unresolved, &place.at("/at"), message);
            }
            at => cast.placement(at, &place.at("/at"), findings),
        }
        if let Some(WorldValue::Text(key)) = entity.attributes.get("key") {
            cast.thing(key, &place.at("/attributes/key"), findings);
        }
        if let Some(WorldValue::Text(location)) = entity.attributes.get(LEADS_TO) {
            let place = place.key("/attributes", LEADS_TO);
            cast.location(location, &place, findings);
        }
    }
    if let Some(actor) = world
        .turn_of
        .as_ref()
        .filter(|actor| !cast.played.contains(actor.as_str()))
    {
        cast.character(actor, &place.at("/turn_of"), findings);
    }
}

/// Whether an entity is carried by itself, however many others are in between.
fn carries_itself(world: &WorldSpec, id: &str) -> bool {
    let carrier = |of: &str| match world.entities.get(of).map(|entity| &entity.at) {
        Some(PlacementSpec::CarriedBy(carrier)) => Some(carrier.as_str()),
        _ => None,
    };
    let mut above = carrier(id);
    for _ in 0..world.entities.len() {
        if above == Some(id) {
            return true;
        }
        above = above.and_then(carrier);
    }
    false
}

#[cfg(test)]
mod tests {
    use crate::lint::{found, kinds, kinds_in};

    #[test]
    fn x2_worlds_name_what_they_describe() {
        let source = r#"Story(world: (
locations: {"tower": (name: "Tower", connected_to: ["yard", "tower"])},
entities: {
"door": (name: "door", kind: "door", at: In("towr"), attributes: {"key": "kye"}),
"key": (name: "key", kind: "item", at: CarriedBy("tower")),
"bag": (name: "bag", kind: "item", at: CarriedBy("bag")),
"a": (name: "a", kind: "item", at: CarriedBy("b")), "b": (name: "b", kind: "item", at: CarriedBy("a")),
"cup": (name: "cup", kind: "item", at: CarriedBy("wizrad")),
"wizard": (name: "Eldrin", kind: "character", at: Offstage),
"cat": (name: "cat", kind: "animal", at: Offstage),
},
turn_of: "dog"))"#;
        assert_eq!(
            found("x.story.ron", source),
            [
                "2:53: there is no location \"yard\" [unresolved]",
                "4:42: there is no location \"towr\" (did you mean \"tower\"?) [unresolved]",
                "4:74: there is no entity \"kye\" (did you mean \"key\"?) [unresolved]",
                "5:40: there is no entity \"tower\" [unresolved]",
                "6:40: \"bag\" cannot carry itself [unresolved]",
                "7:36: \"a\" cannot carry itself [unresolved]",
                "7:88: \"b\" cannot carry itself [unresolved]",
                "8:40: there is no entity \"wizrad\" (did you mean \"wizard\"?) [unresolved]",
            ]
        );
    }

    #[test]
    fn x2_places_are_known_only_where_a_world_is_described() {
        let npc = "npcs: [(id: \"a\", location: \"tower\")]";
        assert_eq!(kinds(npc), [""; 0]);
        assert_eq!(
            kinds(&format!("{npc}, world: (flags: {{\"night\": true}})")),
            [""; 0]
        );
        assert_eq!(
            kinds(&format!(
                "{npc}, world: (locations: {{\"yard\": (name: \"Yard\")}})"
            )),
            ["unresolved"]
        );
        assert_eq!(
            kinds_in(
                "a.npc.ron",
                "(id: \"a\", location: \"tower\", fallbacks: (generic: [\"Hm.\"]))"
            ),
            [""; 0]
        );
    }

    #[test]
    fn x2_a_door_leads_to_a_location() {
        let world = |to| {
            format!(
                "world: (locations: {{\"yard\": (name: \"Yard\")}}, entities: {{\"door\": (name: \"door\", kind: \"door\", at: In(\"yard\"), attributes: {{\"leads_to\": \"{to}\"}})}})"
            )
        };
        assert_eq!(kinds(&world("yard")), [""; 0]);
        assert_eq!(kinds(&world("yrad")), ["unresolved"]);
    }

    #[test]
    fn x2_an_npc_may_carry_and_be_named() {
        let world = "npcs: [(id: \"a\")], world: (entities: {\"key\": (name: \"key\", kind: \"item\", at: CarriedBy(\"a\"))})";
        assert_eq!(kinds(world), [""; 0]);
    }
}
