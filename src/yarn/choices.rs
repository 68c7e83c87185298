//! `<<offers>>` and `<<suggest NPC>>`: what the player can do, and what the player could say.

use super::talk::{character, speaker};
use super::variables::{MOST_CHOICES, set_choices};
use super::wait::{Done, WaitsFor, at_once, fail, wait_for};
use crate::pipeline::steps::snapshot::{Naming, named_actions};
use crate::story::action_rules;
use crate::town::TownCommandsExt;
use crate::world::{May, ProposedAction, WorldView};
use bevy::prelude::*;

/// On a runner: what its dialogue has offered last, each in words and as the typed action that it is.
#[derive(Component, Debug)]
pub(super) struct Offered(pub Vec<(String, ProposedAction)>);

/// What the rulebook lets the player do now; `words` are the names of the actions that count, none for all.
pub(super) fn offers(world: &mut World, runner: Entity, words: &[String]) -> Done {
    match try_offer(world, runner, words) {
        Ok(offered) => {
            let phrases: Vec<String> = offered.iter().map(|(phrase, _)| phrase.clone()).collect();
            set_choices(world, runner, &phrases);
            if let Ok(mut runner) = world.get_entity_mut(runner) {
                runner.insert(Offered(offered));
            }
            at_once()
        }
        Err(why) => {
            set_choices(world, runner, &[]);
            fail(world, runner, &format!("offers {}", words.join(" ")), why)
        }
    }
}

fn try_offer(
    world: &mut World,
    runner: Entity,
    words: &[String],
) -> Result<Vec<(String, ProposedAction)>, String> {
    let speaker = speaker(world, runner)?;
    let rules = action_rules(world);
    let unknown = |name: &&String| {
        !rules
            .registry
            .shapes()
            .any(|shape| shape.name == name.as_str())
    };
    if let Some(name) = words.iter().find(unknown) {
        return Err(format!(
            "no action has the name \"{name}\": write names of actions, as in <<offers move take>>"
        ));
    }
    let view = WorldView::new(world);
    let may = match words.is_empty() {
        true => May::AllButIntroduce,
        false => May::Only(words),
    };
    let can = rules.affordances(&view, &speaker.id, may);
    let naming = Naming {
        rules,
        world: &view,
        lexicon: rules.lexicon,
    };
    let named = named_actions(&can, &naming, "", MOST_CHOICES).into_iter();
    Ok(named.map(|named| (named.phrase, named.action)).collect())
}

/// Asks for lines that the player could say to a character, and waits for them.
pub(super) fn suggest(world: &mut World, runner: Entity, words: &[String]) -> Done {
    let npc = match words {
        [id] => character(world, id),
        _ => None,
    };
    let Some(npc) = npc else {
        set_choices(world, runner, &[]);
        let command = format!("suggest {}", words.join(" "));
        let why = "it takes the id of one character that is in the game and loaded: write <<suggest wizard>>";
        return fail(world, runner, &command, why);
    };
    world.commands().entity(npc).offer_lines();
    world.flush();
    wait_for(world, runner, WaitsFor::Lines(npc))
}
