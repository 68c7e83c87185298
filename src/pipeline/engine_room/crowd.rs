//! What a snapshot holds of a crowded room: what matters, and the names of the rest.

use crate::base::ids::Id;
use crate::judged_world::words::name_key::write_name_key;
use crate::text::fold::{fold, is_word_char};
use crate::world::{EntityView, WorldRead};
use std::collections::BTreeSet;

/// The most things in sight that a snapshot holds, and that are tried as what an action is done to. The rest can still be
/// referred to.
pub const MAX_SEEN: usize = 64;
/// The most words of a name that is looked for.
const MAX_NAME_WORDS: usize = 4;
/// The most words of a speech in which the code looks for names.
const MAX_WORDS: usize = 200;
/// A room of fewer things than this is no crowd: the code does not look for mentioned things in it.
const SMALL_ROOM: usize = 16;

/// What a character perceives, parted.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct Crowd {
    /// What the snapshot holds, sorted by id.
    pub seen: Vec<(Id, EntityView)>,
    /// Those of `seen` that the input or the last exchange mentions, and the speaker. Empty in a small room.
    pub mentioned: BTreeSet<Id>,
    /// The ids of the rest, in order of the alphabet.
    pub left_out: Vec<Id>,
}

/// Splits what a character perceives, including itself. `words` are the input and the last exchange, `speaker` is the speaker.
pub(in crate::pipeline) fn part(
    world: &dyn WorldRead,
    npc: &Id,
    words: &str,
    speaker: Option<&Id>,
) -> Crowd {
    let mut ids = world.near(npc);
    ids.push(npc.clone());
    // The character perceives the speaker, seen or not.
    let speaks_here =
        |id: &&Id| world.place_of(id).is_some() && world.place_of(id) == world.place_of(npc);
    ids.extend(speaker.filter(speaks_here).cloned());
    ids.sort_unstable();
    ids.dedup();
    let mut crowd = Crowd::default();
    if ids.len() >= SMALL_ROOM {
        let mentioned = named_in(world, words);
        let always = [npc].into_iter().chain(speaker);
        let mentioned = mentioned.iter().chain(always);
        let mentioned = mentioned.filter(|id| ids.binary_search(id).is_ok());
        crowd.mentioned = mentioned.take(MAX_SEEN).cloned().collect();
        let mut others = MAX_SEEN - crowd.mentioned.len();
        ids.retain(|id| {
            let fits = crowd.mentioned.contains(id) || others > 0;
            if !fits {
                crowd.left_out.push(id.clone());
            } else if !crowd.mentioned.contains(id) {
                others -= 1;
            }
            fits
        });
    }
    let views = ids.into_iter().filter_map(|id| {
        let view = world.entity(&id)?;
        Some((id, view))
    });
    crowd.seen = views.collect();
    crowd
}

/// The ids of everything that some words of a text name, in the order in which they come up.
pub(in crate::pipeline) fn named_in(world: &dyn WorldRead, text: &str) -> Vec<Id> {
    let folded = fold(text);
    let words: Vec<&str> = folded
        .split_whitespace()
        .map(|word| word.trim_matches(|c| !is_word_char(c)))
        .filter(|word| !word.is_empty())
        .take(MAX_WORDS)
        .collect();
    let mut named = Vec::new();
    let mut key = String::new();
    for start in 0..words.len() {
        for end in start + 1..=words.len().min(start + MAX_NAME_WORDS) {
            key.clear();
            write_name_key(words[start..end].iter().copied(), &mut key);
            for id in world.named(&key) {
                if !named.contains(&id) {
                    named.push(id);
                }
            }
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;
    use crate::world::{LocationView, Placement, WorldState};

    fn barrels(count: usize) -> WorldState {
        let mut world = WorldState::default();
        world
            .locations
            .insert(id!("cellar"), LocationView::default());
        for i in 0..count {
            let view = EntityView {
                name: format!("barrel number {i}"),
                kind: "item".to_owned(),
                at: Placement::In(id!("cellar")),
                ..EntityView::default()
            };
            let id = Id::new(format!("barrel_{i:04}")).unwrap();
            world.entities.insert(id, view);
        }
        world
    }

    #[test]
    fn p4_of_a_crowd_what_was_mentioned_is_held_and_the_rest_by_id() {
        let (npc, player) = (id!("barrel_1150"), id!("barrel_1100"));
        let words = "Open the Barrel Number 777, and barrel_0900!";
        let crowd = part(&barrels(1_200), &npc, words, Some(&player));
        assert_eq!(crowd.seen.len(), MAX_SEEN);
        assert_eq!(crowd.left_out.len(), 1_200 - MAX_SEEN);
        let mentioned: Vec<&Id> = crowd.mentioned.iter().collect();
        let expected = ["barrel_0777", "barrel_0900", "barrel_1100", "barrel_1150"];
        assert_eq!(mentioned, expected);
        assert_eq!(crowd.seen[0].0, "barrel_0000");
        assert!(
            expected
                .iter()
                .all(|id| crowd.seen.iter().any(|(seen, _)| seen == id))
        );
        assert!(!crowd.left_out.contains(&player));
    }

    #[test]
    fn p4_a_small_room_is_held_whole() {
        let world = barrels(SMALL_ROOM - 1);
        let crowd = part(&world, &id!("barrel_0000"), "barrel number 3", None);
        assert_eq!(
            (crowd.seen.len(), crowd.left_out.len()),
            (SMALL_ROOM - 1, 0)
        );
        assert!(crowd.mentioned.is_empty());
    }
}
