//! The questions of a rulebook, asked of an action and the world it would happen in. Pure: nothing here writes.

use super::action::{Intent, Slot};
use super::reference::{display_name, is_pronoun, key};
use super::registry::ActionRegistry;
use super::rulebook::{ActionCondition, ActionRole, EffectValue, message_parts, placeholder};
use super::state::{Placement, WorldRead};
use super::value::WorldValue;
use crate::base::fixed::Millis;
use std::borrow::Cow;

/// An action in its world: what a condition may look at.
#[derive(Clone, Copy)]
pub struct ActionScene<'a> {
    /// The world as the turn's earlier actions have left it.
    pub world: &'a dyn WorldRead,
    /// The action.
    pub intent: &'a Intent,
    /// Game time.
    pub now: Millis,
    /// Whether an earlier action of this turn has made somebody new.
    pub spawned: bool,
}

impl<'a> ActionScene<'a> {
    /// The id of who or what plays a role; nothing where the action lacks it. The id may name nothing that exists.
    #[must_use]
    pub fn role(&self, role: &ActionRole) -> Option<Cow<'a, str>> {
        let slot = |slot| self.intent.slot(slot).map(Cow::Borrowed);
        match role {
            ActionRole::Actor => Some(Cow::Borrowed(self.intent.actor())),
            ActionRole::Target => slot(Slot::Target),
            ActionRole::Tool => slot(Slot::Tool),
            ActionRole::To => slot(Slot::To),
            ActionRole::Here => self.world.place_of(self.intent.actor()).map(Cow::Owned),
            ActionRole::The(id) => Some(Cow::Owned(id.clone())),
            ActionRole::KeyOf(locked) => {
                let locked = self.role(locked)?;
                match self.world.attribute(&locked, "key")? {
                    WorldValue::Text(key) => Some(Cow::Owned(key)),
                    _ => None,
                }
            }
        }
    }

    /// A word of the action.
    #[must_use]
    pub fn word(&self, word: &EffectValue) -> Option<WorldValue> {
        let field = match word {
            EffectValue::Value(value) => return Some(value.clone()),
            EffectValue::Name => "name",
            EffectValue::Content => "content",
            EffectValue::KindOf => "kind",
        };
        self.intent.fields().get(field).cloned()
    }

    /// Fills in `{actor}` and its like: the name, the id where there is none, nothing for a missing role.
    #[must_use]
    pub fn fill_in(&self, message: &str) -> String {
        let mut out = String::with_capacity(message.len());
        for (word, text, brace) in message_parts(message) {
            let role = word.and_then(placeholder);
            if let Some(id) = role.and_then(|role| self.role(&role)) {
                out.push_str(&display_name(self.world, &id));
            }
            out.push_str(if brace { "{" } else { "" });
            out.push_str(text);
        }
        out
    }

    fn number(&self, role: &ActionRole, name: &str) -> Option<i64> {
        match self.world.attribute(&self.role(role)?, name)? {
            WorldValue::Int(number) => Some(number),
            _ => None,
        }
    }

    /// Whether the actor perceives it: it is in the same location, or the actor carries it.
    fn perceives(&self, id: &str) -> bool {
        let actor = self.intent.actor();
        let here = self.world.place_of(actor);
        here.is_some() && here == self.world.place_of(id)
            || self.world.placement(id) == Some(Placement::CarriedBy(actor.to_owned()))
    }
}

/// Whether a condition holds. One on a role that the action lacks is false.
#[must_use]
pub fn holds(condition: &ActionCondition, scene: &ActionScene, registry: &ActionRegistry) -> bool {
    let world = scene.world;
    let with =
        |role: &ActionRole, ask: &dyn Fn(&str) -> bool| scene.role(role).is_some_and(|id| ask(&id));
    match condition {
        ActionCondition::Exists(role) => with(role, &|id| world.exists(id)),
        ActionCondition::IsLocation(role) => with(role, &|id| world.is_location(id)),
        ActionCondition::Kind(role, kind) => with(role, &|id| world.is_kind(id, kind)),
        ActionCondition::Perceivable(role) => with(role, &|id| scene.perceives(id)),
        ActionCondition::SameLocation(a, b) => with(a, &|a| {
            let place = world.place_of(a);
            place.is_some() && with(b, &|b| world.place_of(b) == place)
        }),
        ActionCondition::Connected(from, to) => with(from, &|from| {
            let roads = world.location(from).map(|from| from.connected_to);
            with(to, &|to| {
                roads.iter().flatten().any(|next| next == to) && world.is_location(to)
            })
        }),
        ActionCondition::Carries(carrier, thing) => with(carrier, &|carrier| {
            with(thing, &|thing| {
                world.placement(thing) == Some(Placement::CarriedBy(carrier.to_owned()))
            })
        }),
        ActionCondition::Unowned(role) => with(role, &|id| {
            matches!(
                world.placement(id),
                Some(Placement::In(_) | Placement::Offstage)
            )
        }),
        ActionCondition::Attribute(role, name, value) => with(role, &|id| {
            world.attribute(id, name).as_ref() == Some(value)
        }),
        ActionCondition::HasAttribute(role, name) => {
            with(role, &|id| world.attribute(id, name).is_some())
        }
        ActionCondition::AtLeast(role, name, least) => {
            scene.number(role, name).is_some_and(|n| n >= *least)
        }
        ActionCondition::AtMost(role, name, most) => {
            scene.number(role, name).is_some_and(|n| n <= *most)
        }
        ActionCondition::Custom(name) => registry.function(name).is_some_and(|ask| ask(scene)),
        ActionCondition::Is(role, wanted) => with(role, &|id| id == wanted),
        ActionCondition::Flag(name) => world.flag(name),
        ActionCondition::TimeBetween(from, to) => from.0 <= scene.now && scene.now <= to.0,
        ActionCondition::ActorsTurn => world
            .turn_of()
            .is_none_or(|holder| holder == scene.intent.actor()),
        ActionCondition::Named(role) => scene.role(role).is_some(),
        ActionCondition::Given(word) => scene.word(word).is_some(),
        ActionCondition::Offstage(role) => {
            with(role, &|id| world.placement(id) == Some(Placement::Offstage))
        }
        ActionCondition::NameFree => match scene.word(&EffectValue::Name) {
            // A pronoun is no name either: what would "it" mean then?
            Some(WorldValue::Text(name)) => {
                !is_pronoun(&name) && world.named(&key(&name)).is_empty()
            }
            _ => false,
        },
        ActionCondition::SpawnedThisTurn => scene.spawned,
        ActionCondition::Not(inner) => !holds(inner, scene, registry),
        ActionCondition::All(list) => list.iter().all(|c| holds(c, scene, registry)),
        ActionCondition::Any(list) => list.iter().any(|c| holds(c, scene, registry)),
    }
}
