//! Applying: what an action that may be done changes. The only maker of [`JudgedChange`]s.

pub(crate) mod judged_change;

pub use judged_change::JudgedChange;

use super::overlay::Overlay;
use crate::base::canonical::draw;
use crate::base::ids::Id;
use crate::judged_world::action::Intent;
use crate::judged_world::action::newcomer::newcomer_id;
use crate::judged_world::change::WorldChange;
use crate::judged_world::rulebook::scene::ActionScene;
use crate::judged_world::rulebook::spec::{
    ActionEffect, ActionRole, EffectPlace, EffectValue, ReasonCode,
};
use crate::judged_world::rulebook::validate::{ActionRules, Judgement, validate};
use crate::judged_world::state::value::WorldValue;
use crate::judged_world::state::{MAX_CARRIERS, Placement, WorldRead};

/// The longest name of a new entity, in characters.
const MAX_NAME_CHARS: usize = 64;
/// The kind of a new entity where the action names none.
const DEFAULT_KIND: &str = "character";

/// What the ids of new entities are derived from, so that a replay finds the same ones: the world's seed, and what tells
/// this turn from all others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct TurnKey {
    /// The seed of the world: the number in its `WorldSeed`.
    pub seed: u64,
    /// What no other turn of this world has, such as the turn's number, or a character's id and its interaction's number.
    pub keys: Vec<String>,
}

/// Judges an action on a working copy and, when it may be done, does it there: all of its effects or none.
///
/// `spawned` counts the entities that this turn has made, and is brought up to date; their ids are derived from `key` and
/// that count. An action without a rule, or one of whose effects cannot happen, is denied.
pub(crate) fn apply(
    rules: &ActionRules,
    key: &TurnKey,
    world: &mut Overlay,
    intent: &Intent,
    spawned: &mut usize,
) -> Judgement {
    let judgement = validate(rules, world, intent, *spawned > 0);
    let Some(rule) = rules
        .book
        .rule(rules.registry, intent.kind())
        .filter(|_| judgement.is_ok())
    else {
        return judgement;
    };
    let (length, made) = (world.changes().len(), *spawned);
    for effect in &rule.effects {
        let scene = ActionScene {
            world,
            intent,
            now: rules.now,
            spawned: *spawned > 0,
        };
        match effect_of(effect, &scene, rules, key, *spawned) {
            Ok(Some(change)) => {
                let new = match &change {
                    WorldChange::Spawn { id, .. } => Some(id.clone()),
                    _ => None,
                };
                world.push(JudgedChange::of_action(change));
                if let Some(id) = new {
                    *spawned += 1;
                    give_attributes(world, &id, intent);
                }
            }
            Ok(None) => {}
            Err(denied) => {
                world.truncate(length);
                *spawned = made;
                return denied;
            }
        }
    }
    judgement
}

/// Gives the new entity the attributes that the action names.
fn give_attributes(world: &mut Overlay, id: &Id, intent: &Intent) {
    for (name, value) in intent.attributes() {
        world.push(JudgedChange::of_action(WorldChange::Attribute {
            entity: id.clone(),
            name: name.clone(),
            value: value.clone(),
        }));
    }
}

/// Why the new entity may not come, if so: the world is full, or the entity would get attributes that the rule does not list.
fn refused_newcomer(scene: &ActionScene, rules: &ActionRules) -> Option<Judgement> {
    if scene.world.introduced() >= rules.max_introduced {
        let message = format!("at most {} new entities may come", rules.max_introduced);
        return Some(denied("max_introduced", message));
    }
    let rule = rules.book.rule(rules.registry, scene.intent.kind())?;
    let mut given = scene.intent.attributes().keys();
    let unlisted = given.find(|name| !rule.attributes.contains(*name))?;
    let message = format!("a new entity cannot be given \"{unlisted}\"");
    Some(denied("unlisted_attribute", message))
}

/// The change that an effect is in this scene. One whose role or field the action lacks is none.
fn effect_of(
    effect: &ActionEffect,
    scene: &ActionScene,
    rules: &ActionRules,
    key: &TurnKey,
    spawned: usize,
) -> Result<Option<WorldChange>, Judgement> {
    let world = scene.world;
    match effect {
        ActionEffect::SetAttribute(role, name, value) => {
            let (Some(entity), Some(value)) = (entity_in(scene, role)?, scene.value(value)) else {
                return Ok(None);
            };
            Ok(Some(WorldChange::Attribute {
                entity,
                name: name.clone(),
                value,
            }))
        }
        ActionEffect::AddAttribute(role, name, amount) => {
            let Some(entity) = entity_in(scene, role)? else {
                return Ok(None);
            };
            let before = match world.attribute(&entity, name) {
                None => 0,
                Some(WorldValue::Int(number)) => number,
                Some(_) => {
                    let message = format!("{name} of {entity} is not a number");
                    return Err(denied("not_a_number", message));
                }
            };
            let after = before.checked_add(*amount).ok_or_else(|| {
                denied(
                    "overflow",
                    format!("{name} of {entity} would be out of range"),
                )
            })?;
            Ok(Some(WorldChange::Attribute {
                entity,
                name: name.clone(),
                value: WorldValue::Int(after),
            }))
        }
        ActionEffect::Place(role, place) => {
            let Some(entity) = entity_in(scene, role)? else {
                return Ok(None);
            };
            let at = placement(scene, place)?;
            if let Placement::CarriedBy(holder) = &at
                && is_inside(world, holder, &entity)
            {
                let message = format!("{entity} cannot be put into itself");
                return Err(denied("circular", message));
            }
            Ok(Some(WorldChange::Place { entity, at }))
        }
        ActionEffect::SetFlag(name, value) => Ok(Some(WorldChange::Flag {
            name: name.clone(),
            value: *value,
        })),
        ActionEffect::Spawn(name, kind, place) => {
            let Some(WorldValue::Text(name)) = scene.value(name) else {
                return Ok(None);
            };
            if name.chars().count() > MAX_NAME_CHARS || name.chars().any(char::is_control) {
                let message = "a name is at most 64 characters in one line".to_owned();
                return Err(denied("bad_name", message));
            }
            let kind = match (scene.value(kind), kind) {
                (Some(WorldValue::Text(kind)), _) => kind,
                (None, EffectValue::KindOf) => DEFAULT_KIND.to_owned(),
                _ => return Ok(None),
            };
            if let Some(refused) = refused_newcomer(scene, rules) {
                return Err(refused);
            }
            let at = placement(scene, place)?;
            let id = new_id(world, key, spawned)?;
            Ok(Some(WorldChange::Spawn { id, name, kind, at }))
        }
    }
}

fn denied(rule: &str, message: String) -> Judgement {
    Judgement::denied(ReasonCode::InvalidTarget, rule, message)
}

/// The entity in a role. One that is named and does not exist cannot be changed.
fn entity_in(scene: &ActionScene, role: &ActionRole) -> Result<Option<Id>, Judgement> {
    let Some(id) = scene.role(role) else {
        return Ok(None);
    };
    let there = scene.world.placement(&id).is_some();
    match Id::new(&id) {
        Ok(id) if there => Ok(Some(id)),
        _ => Err(Judgement::denied(
            ReasonCode::NotFound,
            "no_entity",
            format!("there is no {id} to change"),
        )),
    }
}

fn placement(scene: &ActionScene, place: &EffectPlace) -> Result<Placement, Judgement> {
    let nowhere = || denied("no_place", "there is no place for it".to_owned());
    match place {
        EffectPlace::Offstage => Ok(Placement::Offstage),
        EffectPlace::In(role) => scene
            .role(role)
            .filter(|id| scene.world.is_location(id))
            .and_then(|id| Id::new(id).ok())
            .map(Placement::In)
            .ok_or_else(nowhere),
        EffectPlace::CarriedBy(role) => scene
            .role(role)
            .filter(|id| scene.world.placement(id).is_some())
            .and_then(|id| Id::new(id).ok())
            .map(Placement::CarriedBy)
            .ok_or_else(nowhere),
    }
}

/// Whether `inner` is `outer`, or is carried by it, however deep.
fn is_inside(world: &dyn WorldRead, inner: &Id, outer: &Id) -> bool {
    let mut last = inner.clone();
    for _ in 0..=MAX_CARRIERS {
        if last == *outer {
            return true;
        }
        match world.placement(&last) {
            Some(Placement::CarriedBy(holder)) => last = holder,
            _ => return false,
        }
    }
    // In a world that is already wrong, the loop must still end.
    true
}

/// An id for a new entity, never random.
fn new_id(world: &dyn WorldRead, key: &TurnKey, spawned: usize) -> Result<Id, Judgement> {
    const TRIES: usize = 16;
    let mut keys: Vec<&str> = key.keys.iter().map(String::as_str).collect();
    let counted = spawned.to_string();
    keys.push(&counted);
    let id = (0..TRIES).find_map(|attempt| {
        let attempt = attempt.to_string();
        let mut keys = keys.clone();
        keys.push(&attempt);
        let drawn = draw(key.seed, "spawn", &keys);
        newcomer_id(drawn).ok().filter(|id| !world.exists(id))
    });
    id.ok_or_else(|| denied("no_id", "there is no free id for it".to_owned()))
}
