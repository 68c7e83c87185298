//! `<<offers>>` and `<<suggest NPC>>`: what the player can do, and what the player could say.

use super::talk::{character, speaker};
use super::variables::{MOST_CHOICES, set_choices};
use super::wait::{Done, WaitsFor, at_once, fail, wait_for};
use crate::base::ids::Id;
use crate::story::action_rules;
use crate::town::OfferCommandsExt;
use crate::world::{
    Affordance, May, ProposedAction, References, WorldRead, WorldView, affordances,
};
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
    let can = affordances(&rules, &view, &speaker.id, may);
    let mut offered = Vec::new();
    // What needs words of its own cannot be offered as a phrase.
    let whole = |can: &&Affordance| !can.words.iter().any(|field| field.required);
    for can in can.iter().filter(whole) {
        for ids in can
            .combinations
            .iter()
            .filter(|ids| !is_roundabout(can, ids))
        {
            if offered.len() < MOST_CHOICES {
                offered.push(offer(can, ids, &view));
            }
        }
    }
    Ok(offered)
}

/// Whether an offer names a tool that the action does not need: the rulebook finds the right one. What is used with a tool is
/// another thing than what is used without.
fn is_roundabout(can: &Affordance, ids: &References) -> bool {
    let Some(tool) = can.fields.iter().position(|field| *field == "tool") else {
        return false;
    };
    if can.action == "use" || ids.get(tool).is_none_or(Option::is_none) {
        return false;
    }
    let mut without = ids.clone();
    without[tool] = None;
    can.combinations.contains(&without)
}

/// An action in words, and as it is asked for.
fn offer(can: &Affordance, ids: &References, view: &WorldView) -> (String, ProposedAction) {
    let mut phrase = match can.action {
        "move" => "go to",
        action => action,
    }
    .to_owned();
    let mut action = ProposedAction {
        kind: can.action.to_owned(),
        ..default()
    };
    let about = can.fields.iter().zip(ids);
    for (field, id) in about.filter_map(|(field, id)| Some((*field, id.as_ref()?))) {
        phrase.push_str(match field {
            "tool" => " with ",
            "to" => " to ",
            _ => " ",
        });
        phrase.push_str(&name_of(view, id));
        let value = serde_json::Value::from(id.as_str());
        action.fields.insert(field.to_owned(), value);
    }
    (phrase, action)
}

fn name_of(view: &WorldView, id: &Id) -> String {
    view.name_of(id).unwrap_or_else(|| id.to_string())
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
