//! `dramatis/affordances`: what the rulebook allows an actor now, as typed actions and as phrases.

use super::answer::{MOST, answer, first, read, wrong};
use crate::base::clock::DramatisClock;
use crate::base::ids::Id;
use crate::judged_world::rulebook::affordance::{FreeField, References};
use crate::npc::LoadedCharacter;
use crate::pipeline::steps::snapshot::{NamedAction, Naming, named_actions};
use crate::story::{ActiveStory, action_rules};
use crate::text::excerpt;
use crate::world::{ActionRegistry, Affordance, May, WorldIndex, WorldRead, WorldView};
use bevy::prelude::*;
use bevy_remote::{BrpError, BrpResult};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    actor: String,
}

#[derive(Serialize)]
struct Told<'a> {
    actor: &'a Id,
    /// Every action that may be done, in order of the names.
    actions: Vec<ActionRow<'a>>,
    /// What can be done without words, as a character is asked to choose among it.
    phrases: Vec<PhraseRow<'a>>,
    left_out: LeftOut,
}

/// How many there are of each that the answer leaves out.
#[derive(Serialize)]
struct LeftOut {
    actions: usize,
    phrases: usize,
}

#[derive(Serialize)]
struct ActionRow<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    /// The ways in which it may be done, as a reply would propose them.
    ways: Vec<Way<'a>>,
    /// Its fields that refer to nothing. A way needs those that are required.
    words: Vec<WordRow>,
    /// How many more ways there are.
    left_out: usize,
}

/// An action with the ids of what it is done to.
#[derive(Serialize)]
struct Way<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    #[serde(flatten)]
    references: BTreeMap<&'static str, &'a Id>,
}

#[derive(Serialize)]
struct WordRow {
    field: &'static str,
    /// What it may hold, such as `text or null`.
    value: String,
    required: bool,
    /// Whether the action has it only where it refers to nothing.
    alone: bool,
}

#[derive(Serialize)]
struct PhraseRow<'a> {
    phrase: &'a str,
    action: NamedRow<'a>,
}

#[derive(Serialize)]
struct NamedRow<'a> {
    #[serde(rename = "type")]
    kind: &'a str,
    #[serde(flatten)]
    fields: &'a BTreeMap<String, Value>,
}

impl<'a> ActionRow<'a> {
    fn of(can: &'a Affordance) -> Self {
        let ways = first(&can.combinations).iter();
        Self {
            kind: can.action,
            ways: ways.map(|ids| Way::of(can, ids)).collect(),
            words: first(&can.words).iter().map(WordRow::of).collect(),
            left_out: can.combinations.len().saturating_sub(MOST),
        }
    }
}

impl<'a> Way<'a> {
    fn of(can: &Affordance, ids: &'a References) -> Self {
        let references = can.fields.iter().zip(ids);
        let references = references.filter_map(|(field, id)| Some((*field, id.as_ref()?)));
        Self {
            kind: can.action,
            references: references.collect(),
        }
    }
}

impl WordRow {
    fn of(field: &FreeField) -> Self {
        Self {
            field: field.name,
            value: field.in_words(),
            required: field.required,
            alone: field.alone,
        }
    }
}

impl<'a> PhraseRow<'a> {
    fn of(named: &'a NamedAction) -> Self {
        Self {
            phrase: &named.phrase,
            action: NamedRow {
                kind: &named.action.kind,
                fields: &named.action.fields,
            },
        }
    }
}

fn no_such_actor(asked: &str) -> BrpError {
    wrong(format!(
        "no actor in the judged world has the id \"{}\": send the id of a character, or that of the player if its entity has a \
         WorldId. A place cannot act",
        excerpt(asked)
    ))
}

/// Answers `dramatis/affordances`.
pub(super) fn tell_affordances(In(params): In<Option<Value>>, world: &World) -> BrpResult {
    let asked: Asked = read(params, r#"{"actor": "bram"}"#)?;
    let is_judged = world.contains_resource::<ActiveStory>()
        && world.contains_resource::<ActionRegistry>()
        && world.contains_resource::<DramatisClock>();
    if !is_judged {
        return Err(wrong(
            "the game has no rulebook by which actions are judged: add DramatisPlugins",
        ));
    }
    let judged = WorldView::new(world);
    let actor = Id::new(&asked.actor).ok();
    let Some(actor) = actor.filter(|actor| judged.entity(actor).is_some()) else {
        return Err(no_such_actor(&asked.actor));
    };
    let entity = WorldIndex::find(world, &actor);
    let character = entity.and_then(|entity| world.get::<LoadedCharacter>(entity));
    let character = character.map(|loaded| &*loaded.0);
    let may = May::of_character(character.and_then(|character| character.may.as_deref()));
    let rules = action_rules(world);
    let can = rules.affordances(&judged, &actor, may);
    let lexicon = character.and_then(|character| character.lexicon.as_deref());
    let naming = Naming {
        rules,
        world: &judged,
        lexicon: lexicon.unwrap_or(rules.lexicon),
    };
    let named = named_actions(&can, &naming, "", usize::MAX);
    answer(&Told {
        actor: &actor,
        actions: first(&can).iter().map(ActionRow::of).collect(),
        phrases: first(&named).iter().map(PhraseRow::of).collect(),
        left_out: LeftOut {
            actions: can.len().saturating_sub(MOST),
            phrases: named.len().saturating_sub(MOST),
        },
    })
}
