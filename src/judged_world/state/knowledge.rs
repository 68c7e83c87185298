//! What an actor knows of without perceiving it.
//!
//! An actor must not learn anything by guessing. So a reference to a thing that it has neither seen nor been told of gets the
//! same answer as a reference to a thing that does not exist, and a message about a thing out of its sight uses the words that
//! the actor wrote.

use super::senses::Senses;
use crate::base::ids::Id;
use crate::judged_world::state::{MAX_CARRIERS, Placement, WorldRead};
use crate::text::fold::{fold, is_spaceless, is_word_char};

/// Whether an actor sees it: it is near, a character nearby carries it, or it is the place where the actor is or one that can
/// be reached from there.
pub(crate) fn is_in_sight(world: &dyn WorldRead, actor: &str, id: &Id) -> bool {
    if world.is_location(id) {
        let here = world.place_of(actor);
        let exits = here.as_ref().and_then(|here| world.location(here));
        return here.as_ref() == Some(id)
            || exits.is_some_and(|here| here.connected_to.contains(id));
    }
    let near = world.near(actor);
    if near.contains(id) {
        return true;
    }
    match world.placement(id) {
        Some(Placement::CarriedBy(carrier)) => {
            near.contains(&carrier) && !is_hidden(world, actor, id)
        }
        _ => false,
    }
}

/// Whether something is invisible, or an invisible actor carries it.
pub(crate) fn is_carried_unseen(world: &dyn WorldRead, actor: &str, id: &Id) -> bool {
    let mut held = id.clone();
    for _ in 0..=MAX_CARRIERS {
        if is_hidden(world, actor, &held) {
            return true;
        }
        match world.placement(&held) {
            Some(Placement::CarriedBy(carrier)) if *carrier != *actor => held = carrier,
            _ => return false,
        }
    }
    true
}

fn is_hidden(world: &dyn WorldRead, actor: &str, id: &str) -> bool {
    id != actor && Senses::of(world, id).invisible
}

/// Whether one of these texts names it: by its id, its name or an alias, as whole words.
pub(crate) fn is_named_in(world: &dyn WorldRead, id: &Id, texts: &[&str]) -> bool {
    let (name, aliases) = match world.entity(id) {
        Some(entity) => (Some(entity.name), entity.aliases),
        None => (world.name_of(id), Vec::new()),
    };
    let names = [id.to_string()].into_iter().chain(name).chain(aliases);
    let names: Vec<String> = names
        .map(|name| fold(name.trim()))
        .filter(|name| !name.is_empty())
        .collect();
    texts.iter().any(|text| {
        let text = fold(text);
        names.iter().any(|name| stands_in(name, &text))
    })
}

fn stands_in(name: &str, text: &str) -> bool {
    let joins = |a: Option<char>, b: Option<char>| {
        let joins = |c: char| is_word_char(c) && !is_spaceless(c);
        a.is_some_and(joins) && b.is_some_and(joins)
    };
    text.match_indices(name).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + name.len()..]);
        !joins(before.chars().next_back(), name.chars().next())
            && !joins(name.chars().next_back(), behind.chars().next())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t13_a_name_stands_in_a_text_as_whole_words() {
        for (name, text) in [
            ("crown", "the crown!"),
            ("golden crown", "a golden crown's"),
            ("国王", "我看着国王的剑"),
            ("crown_1", "take crown_1"),
        ] {
            assert!(stands_in(name, text), "{name}");
        }
        for (name, text) in [("crown", "crowned"), ("own", "the crown"), ("crown", "")] {
            assert!(!stands_in(name, text), "{name}");
        }
    }
}
