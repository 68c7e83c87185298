//! Passages: where an actor comes out that goes "through the oak door".
//!
//! A thing leads to the location that its attribute `leads_to` names. A door (an entity of the kind `door`) without that
//! attribute leads out of the place by the only way there is; with several ways, a question comes back. The move itself is
//! judged like any other move to that location: the rulebook decides whether a shut door stops it.

use super::value::WorldValue;
use crate::base::ids::Id;
use crate::judged_world::action::FieldKind;
use crate::judged_world::state::WorldRead;
use crate::judged_world::words::reference::UnresolvedReference;
use crate::text::Lexicon;
use crate::text::fold::fold;

/// The attribute of a door or another passage that names the location that it leads to.
pub const LEADS_TO: &str = "leads_to";

/// The kind of things that lead out of a place without saying where to.
const DOOR: &str = "door";

/// A reference of the given kind: the words without "through", the kind of thing that they then name, and whether they began
/// with "through". Only a reference to a place loses its "through".
pub(crate) fn without_through<'w>(
    kind: FieldKind,
    words: &'w str,
    lexicon: &Lexicon,
) -> (FieldKind, &'w str, bool) {
    if kind != FieldKind::Place {
        return (kind, words, false);
    }
    let words = words.trim_start();
    let passages = &lexicon.references.passages;
    let behind = words
        .split_once(char::is_whitespace)
        .filter(|(first, _)| passages.contains(&fold(first)));
    match behind {
        // What one goes through is a thing, or a place that one crosses.
        Some((_, rest)) => (FieldKind::Thing, rest.trim_start(), true),
        None => (kind, words, false),
    }
}

/// The location that a resolved reference to a place means: the place itself, or where the thing leads. A thing that leads
/// nowhere stays as it is, unless an actor goes "through" it.
pub(crate) fn destination(
    world: &dyn WorldRead,
    actor: &str,
    id: &Id,
    through: bool,
) -> Result<Id, UnresolvedReference> {
    if world.is_location(id) {
        return Ok(id.clone());
    }
    if let Some(WorldValue::Text(place)) = world.attribute(id, LEADS_TO)
        && let Ok(place) = Id::new(&place)
        && world.is_location(&place)
    {
        return Ok(place);
    }
    if !through {
        return Ok(id.clone());
    }
    let here = world
        .place_of(actor)
        .filter(|_| world.is_kind(id, DOOR))
        .ok_or(UnresolvedReference::Unresolved)?;
    let ways = world.location(&here).map(|here| here.connected_to);
    let mut ways: Vec<Id> = ways.into_iter().flatten().collect();
    ways.retain(|way| world.is_location(way));
    ways.sort();
    ways.dedup();
    match world.place_of(id) {
        Some(place) if place == here => {}
        // A door of the place next to this one leads there.
        Some(place) if ways.contains(&place) => return Ok(place),
        _ => return Err(UnresolvedReference::Unresolved),
    }
    match ways.len() {
        0 => Err(UnresolvedReference::Unresolved),
        1 => Ok(ways.remove(0)),
        _ => Err(UnresolvedReference::Ambiguous(ways)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;
    use crate::judged_world::WorldState;

    fn world(ways: &[&str], door: &str) -> WorldState {
        let source = format!(
            r#"(
            locations: {{"hall": (name: "Hall", connected_to: {ways:?}), "yard": (name: "Yard", connected_to: ["hall"]),
                         "cellar": (name: "Cellar", connected_to: [])}},
            entities: {{
                "ann": (name: "Ann", kind: "character", at: In("hall")),
                "box": (name: "box", kind: "item", at: In("hall")),
                "door": {door},
            }})"#
        );
        let spec: crate::judged_world::WorldSpec =
            crate::format::error::dialect().from_str(&source).unwrap();
        spec.compile().unwrap()
    }

    fn through(world: &WorldState, thing: &str) -> Result<Id, UnresolvedReference> {
        destination(world, "ann", &Id::new(thing).unwrap(), true)
    }

    const PLAIN: &str = r#"(name: "oak door", kind: "door", at: In("hall"))"#;

    #[test]
    fn w3_a_door_leads_where_its_attribute_says() {
        let door = r#"(name: "oak door", kind: "door", at: In("hall"), attributes: {"leads_to": "cellar"})"#;
        let world = world(&["yard"], door);
        assert_eq!(through(&world, "door"), Ok(id!("cellar")));
        assert_eq!(
            destination(&world, "ann", &id!("door"), false),
            Ok(id!("cellar"))
        );
        assert_eq!(through(&world, "yard"), Ok(id!("yard")));
    }

    #[test]
    fn w3_a_door_leads_out_by_the_only_way() {
        let unresolved = Err(UnresolvedReference::Unresolved);
        assert_eq!(through(&world(&["yard"], PLAIN), "door"), Ok(id!("yard")));
        assert_eq!(
            through(&world(&["yard", "cellar"], PLAIN), "door"),
            Err(UnresolvedReference::Ambiguous(vec![
                id!("cellar"),
                id!("yard")
            ]))
        );
        assert_eq!(through(&world(&[], PLAIN), "door"), unresolved);
        assert_eq!(through(&world(&["gone"], PLAIN), "door"), unresolved);
        // A box is no way out, and going to a door is not going through it.
        assert_eq!(through(&world(&["yard"], PLAIN), "box"), unresolved);
        assert_eq!(
            destination(&world(&["yard"], PLAIN), "ann", &id!("door"), false),
            Ok(id!("door"))
        );
    }

    #[test]
    fn w3_a_door_of_the_next_place_leads_there() {
        let next = |place| format!(r#"(name: "oak door", kind: "door", at: In("{place}"))"#);
        let ways = ["yard", "cellar"];
        assert_eq!(
            through(&world(&ways, &next("cellar")), "door"),
            Ok(id!("cellar"))
        );
        assert_eq!(
            through(&world(&["yard"], &next("cellar")), "door"),
            Err(UnresolvedReference::Unresolved)
        );
    }

    #[test]
    fn w3_only_a_place_is_gone_through() {
        let behind = |words| without_through(FieldKind::Place, words, Lexicon::english());
        assert_eq!(
            behind("through the door"),
            (FieldKind::Thing, "the door", true)
        );
        assert_eq!(behind("Through it"), (FieldKind::Thing, "it", true));
        assert_eq!(
            behind("throughway"),
            (FieldKind::Place, "throughway", false)
        );
        assert_eq!(behind("through"), (FieldKind::Place, "through", false));
        assert_eq!(
            without_through(FieldKind::Thing, "through the door", Lexicon::english()),
            (FieldKind::Thing, "through the door", false)
        );
    }
}
