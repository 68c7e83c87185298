//! What a snapshot holds of a crowded room: what matters, and the names of the rest (SCENARIO.md section 7, "Crowds").

use crate::base::ids::Id;
use crate::text::fold::{fold, is_word_char};
use crate::world::EntityView;
use crate::world::name_key::name_key;
use std::collections::BTreeSet;

/// The most things in sight that a snapshot holds, and that are tried as what an action is done to. The rest can still be
/// referred to.
pub const MAX_SEEN: usize = 96;
/// A room of fewer things than this is no crowd: nobody looks for what was mentioned in it.
const SMALL_ROOM: usize = 16;

/// What a character perceives, parted.
#[derive(Debug, Default)]
pub(super) struct Crowd {
    /// What the snapshot holds, sorted by id.
    pub seen: Vec<(Id, EntityView)>,
    /// Of that, what the input or the last exchange speaks of, and who speaks. Empty in a small room.
    pub mentioned: BTreeSet<Id>,
    /// The ids of the rest, in order of the alphabet.
    pub left_out: Vec<Id>,
}

/// Parts what is perceived, sorted by id. `words` are the input and the last exchange; `always` are the ids of who speaks and of
/// the character itself.
pub(super) fn part(perceived: Vec<(Id, EntityView)>, words: &str, always: &[&Id]) -> Crowd {
    if perceived.len() < SMALL_ROOM {
        return Crowd {
            seen: perceived,
            ..Crowd::default()
        };
    }
    let words = fold(words);
    let is_mentioned = |id: &Id, view: &EntityView| {
        let names = [id.as_str(), &view.name].into_iter();
        let mut names = names.chain(view.aliases.iter().map(String::as_str));
        always.contains(&id) || names.any(|name| holds_words(&words, &name_key(name)))
    };
    let mentioned: BTreeSet<Id> = perceived
        .iter()
        .filter(|(id, view)| is_mentioned(id, view))
        .map(|(id, _)| id.clone())
        .take(MAX_SEEN)
        .collect();
    let mut others = MAX_SEEN - mentioned.len();
    let (mut seen, mut left_out) = (Vec::new(), Vec::new());
    for (id, view) in perceived {
        let fits = mentioned.contains(&id) || others > 0;
        others -= usize::from(fits && !mentioned.contains(&id));
        if fits {
            seen.push((id, view));
        } else {
            left_out.push(id);
        }
    }
    Crowd {
        seen,
        mentioned,
        left_out,
    }
}

/// Whether a folded text holds these words as whole words.
fn holds_words(text: &str, words: &str) -> bool {
    !words.is_empty()
        && text.match_indices(words).any(|(start, found)| {
            let before = text[..start].chars().next_back();
            let after = text[start + found.len()..].chars().next();
            ![before, after].into_iter().flatten().any(is_word_char)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    fn barrels(count: usize) -> Vec<(Id, EntityView)> {
        let barrel = |i| {
            let view = EntityView {
                name: format!("barrel number {i}"),
                kind: "item".to_owned(),
                ..EntityView::default()
            };
            (Id::new(format!("barrel_{i:04}")).unwrap(), view)
        };
        (0..count).map(barrel).collect()
    }

    #[test]
    fn p4_of_a_crowd_what_was_mentioned_is_held_and_the_rest_by_id() {
        let player = id!("barrel_1100");
        let crowd = part(barrels(1_200), "Open Barrel Number 777!", &[&player]);
        assert_eq!(crowd.seen.len(), MAX_SEEN);
        assert_eq!(crowd.left_out.len(), 1_200 - MAX_SEEN);
        let mentioned: Vec<&Id> = crowd.mentioned.iter().collect();
        assert_eq!(mentioned, ["barrel_0777", "barrel_1100"]);
        assert_eq!(crowd.seen[0].0, "barrel_0000");
        assert!(crowd.seen.iter().any(|(id, _)| *id == "barrel_0777"));
        assert!(!crowd.left_out.contains(&player));
    }

    #[test]
    fn p4_a_small_room_is_held_whole() {
        let crowd = part(barrels(SMALL_ROOM - 1), "barrel number 3", &[]);
        assert_eq!(
            (crowd.seen.len(), crowd.left_out.len()),
            (SMALL_ROOM - 1, 0)
        );
    }
}
