//! The hash of the judged world as a sum, so that a change costs no more than the thing that it changes.

use crate::base::canonical::{Digest, DigestSum, Hashing, canonical_digest};
use crate::base::ids::Id;
use crate::judged_world::state::value::WorldValue;
use crate::judged_world::state::{EntityView, LocationView, Placement};
use serde::Serialize;
use std::collections::BTreeMap;

/// The hash of a world: `things` is the sum of the digests of its entities and locations.
#[must_use]
pub fn world_digest(
    things: DigestSum,
    flags: &BTreeMap<String, bool>,
    facts: &BTreeMap<String, WorldValue>,
    turn_of: Option<&str>,
) -> Digest {
    #[derive(Serialize)]
    struct World<'a> {
        entities: [u64; 4],
        facts: &'a BTreeMap<String, WorldValue>,
        flags: &'a BTreeMap<String, bool>,
        turn_of: Option<&'a str>,
    }
    digest(&World {
        entities: things.lanes(),
        facts,
        flags,
        turn_of,
    })
}

/// The hash of something that has a canonical form.
fn digest(value: &impl Serialize) -> Digest {
    canonical_digest(value, Hashing::Whole).unwrap_or_else(|_| Digest::of_bytes(b""))
}

/// The digest of an entity: all that rules may know of it, and its id.
#[must_use]
pub fn entity_digest(id: &str, view: &EntityView) -> Digest {
    #[derive(Serialize)]
    struct Entity<'a> {
        aliases: &'a [String],
        entity: View<'a>,
        id: &'a str,
    }
    #[derive(Serialize)]
    struct View<'a> {
        at: At<'a>,
        attributes: &'a BTreeMap<String, WorldValue>,
        kind: &'a str,
        name: &'a str,
    }
    #[derive(Serialize)]
    #[serde(rename_all = "snake_case")]
    enum At<'a> {
        In(&'a Id),
        CarriedBy(&'a Id),
        Offstage,
    }
    digest(&Entity {
        aliases: &view.aliases,
        entity: View {
            at: match &view.at {
                Placement::In(place) => At::In(place),
                Placement::CarriedBy(holder) => At::CarriedBy(holder),
                Placement::Offstage => At::Offstage,
            },
            attributes: &view.attributes,
            kind: &view.kind,
            name: &view.name,
        },
        id,
    })
}

/// The digest of a location: all that rules may know of it, and its id.
#[must_use]
pub fn location_digest(id: &str, view: &LocationView) -> Digest {
    #[derive(Serialize)]
    struct Location<'a> {
        id: &'a str,
        name: &'a str,
        roads: &'a [Id],
    }
    digest(&Location {
        id,
        name: &view.name,
        roads: &view.connected_to,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;
    use serde_json::json;

    #[test]
    fn w7_a_digest_is_that_of_the_form_of_traces() {
        for at in [
            Placement::In(id!("hall")),
            Placement::CarriedBy(id!("ann")),
            Placement::Offstage,
        ] {
            let view = EntityView {
                name: "Key \"k\"".to_owned(),
                aliases: vec!["b".to_owned(), "a".to_owned()],
                kind: "item".to_owned(),
                at,
                attributes: [
                    ("worn".to_owned(), 3.into()),
                    ("is".to_owned(), true.into()),
                ]
                .into(),
            };
            let form = json!({"id": "key", "entity": view.to_json(), "aliases": view.aliases});
            assert_eq!(entity_digest("key", &view), Digest::of(&form));
        }
        let place = LocationView {
            name: "Hall".to_owned(),
            connected_to: vec![id!("yard"), id!("attic")],
        };
        let form = json!({"id": "hall", "name": "Hall", "roads": ["yard", "attic"]});
        assert_eq!(location_digest("hall", &place), Digest::of(&form));
    }
}
