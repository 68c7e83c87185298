//! The differences between the world now and the world then.

use super::super::world::in_words;
use crate::world::WorldState;
use std::collections::{BTreeMap, BTreeSet};

/// The differences between the world now and the world then, a line for each: things that have come, gone, moved or
/// got other attributes, flags, facts, and whose turn it is.
#[must_use]
pub fn differences(then: &WorldState, now: &WorldState) -> Vec<String> {
    let mut lines = Vec::new();
    for id in keys(&then.entities, &now.entities) {
        match (then.entities.get(id), now.entities.get(id)) {
            (Some(before), Some(after)) => {
                if before.at != after.at {
                    let (was, is) = (in_words(then, &before.at), in_words(now, &after.at));
                    lines.push(format!("{id}: {was}, now {is}"));
                }
                for name in keys(&before.attributes, &after.attributes) {
                    let (was, is) = (before.attributes.get(name), after.attributes.get(name));
                    add_change(&mut lines, &format!("{id}, {name}"), was, is);
                }
            }
            (Some(before), None) => {
                lines.push(format!("{id}: {}, now gone", in_words(then, &before.at)));
            }
            (None, Some(after)) => {
                lines.push(format!("{id}: not there, now {}", in_words(now, &after.at)));
            }
            (None, None) => {}
        }
    }
    for key in keys(&then.flags, &now.flags) {
        add_change(&mut lines, key, then.flags.get(key), now.flags.get(key));
    }
    for key in keys(&then.facts, &now.facts) {
        add_change(&mut lines, key, then.facts.get(key), now.facts.get(key));
    }
    let (was, is) = (then.turn_of.as_ref(), now.turn_of.as_ref());
    add_change(&mut lines, "whose turn it is", was, is);
    lines
}

/// The keys of both, each once, in order.
fn keys<'a, K: Ord, V>(one: &'a BTreeMap<K, V>, other: &'a BTreeMap<K, V>) -> BTreeSet<&'a K> {
    one.keys().chain(other.keys()).collect()
}

fn add_change<V: PartialEq + ToString>(
    lines: &mut Vec<String>,
    what: &str,
    was: Option<&V>,
    is: Option<&V>,
) {
    if was != is {
        let words = |value: Option<&V>| value.map_or("not set".to_owned(), ToString::to_string);
        lines.push(format!("{what}: {}, now {}", words(was), words(is)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;
    use crate::world::{EntityView, Placement};

    #[test]
    fn i3_what_is_otherwise_than_it_was_is_told() {
        let thing = |at, open: Option<bool>| EntityView {
            at,
            attributes: open
                .map(|open| ("open".to_owned(), open.into()))
                .into_iter()
                .collect(),
            ..EntityView::default()
        };
        let nowhere = || Placement::Offstage;
        let then = WorldState {
            entities: [
                (id!("key"), thing(Placement::In(id!("tower")), None)),
                (id!("door"), thing(nowhere(), Some(false))),
                (id!("ghost"), thing(nowhere(), None)),
                (id!("cat"), thing(nowhere(), None)),
            ]
            .into(),
            flags: [("late".into(), true)].into(),
            ..WorldState::default()
        };
        let mut now = then.clone();
        now.entities
            .insert(id!("key"), thing(Placement::CarriedBy(id!("wizard")), None));
        now.entities
            .insert(id!("door"), thing(nowhere(), Some(true)));
        now.entities.remove("ghost");
        now.entities.insert(id!("dog"), thing(nowhere(), None));
        now.flags.clear();
        assert_eq!(
            differences(&then, &now),
            [
                "dog: not there, now nowhere",
                "door, open: false, now true",
                "ghost: nowhere, now gone",
                "key: in tower, now carried by wizard",
                "late: true, now not set",
            ]
        );
        assert!(differences(&then, &then).is_empty());
    }
}
