//! The questions of a rulebook, asked of a deed and the world it would happen in. Pure: nothing here writes.

use super::action::{Intent, Slot};
use super::reference::{display_name, is_pronoun, key};
use super::registry::ActionRegistry;
use super::rulebook::{DeedCondition, DeedRole, DeedWord, message_parts, placeholder};
use super::state::{Placement, WorldRead};
use super::value::WorldValue;
use crate::fixed::Millis;
use std::borrow::Cow;

/// A deed in its world: what a condition may look at.
#[derive(Clone, Copy)]
pub struct DeedScene<'a> {
    /// The world as the turn's earlier deeds have left it.
    pub world: &'a dyn WorldRead,
    /// The deed.
    pub intent: &'a Intent,
    /// Game time.
    pub now: Millis,
    /// Whether an earlier deed of this turn has made somebody new.
    pub spawned: bool,
}

impl<'a> DeedScene<'a> {
    /// The id of who or what plays a role; nothing where the action lacks it. The id may name nothing that exists.
    #[must_use]
    pub fn role(&self, role: &DeedRole) -> Option<Cow<'a, str>> {
        let slot = |slot| self.intent.slot(slot).map(Cow::Borrowed);
        match role {
            DeedRole::Actor => Some(Cow::Borrowed(self.intent.actor())),
            DeedRole::Target => slot(Slot::Target),
            DeedRole::Tool => slot(Slot::Tool),
            DeedRole::To => slot(Slot::To),
            DeedRole::Here => self.world.place_of(self.intent.actor()).map(Cow::Owned),
            DeedRole::The(id) => Some(Cow::Owned(id.clone())),
            DeedRole::KeyOf(locked) => {
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
    pub fn word(&self, word: &DeedWord) -> Option<WorldValue> {
        let field = match word {
            DeedWord::Value(value) => return Some(value.clone()),
            DeedWord::Name => "name",
            DeedWord::Content => "content",
            DeedWord::KindOf => "kind",
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

    fn number(&self, role: &DeedRole, name: &str) -> Option<i64> {
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
pub fn holds(condition: &DeedCondition, scene: &DeedScene, registry: &ActionRegistry) -> bool {
    let world = scene.world;
    let with =
        |role: &DeedRole, ask: &dyn Fn(&str) -> bool| scene.role(role).is_some_and(|id| ask(&id));
    match condition {
        DeedCondition::Exists(role) => with(role, &|id| world.exists(id)),
        DeedCondition::IsLocation(role) => with(role, &|id| world.is_location(id)),
        DeedCondition::Kind(role, kind) => with(role, &|id| world.is_kind(id, kind)),
        DeedCondition::Perceivable(role) => with(role, &|id| scene.perceives(id)),
        DeedCondition::SameLocation(a, b) => with(a, &|a| {
            let place = world.place_of(a);
            place.is_some() && with(b, &|b| world.place_of(b) == place)
        }),
        DeedCondition::Connected(from, to) => with(from, &|from| {
            let roads = world.location(from).map(|from| from.connected_to);
            with(to, &|to| {
                roads.iter().flatten().any(|next| next == to) && world.is_location(to)
            })
        }),
        DeedCondition::Carries(carrier, thing) => with(carrier, &|carrier| {
            with(thing, &|thing| {
                world.placement(thing) == Some(Placement::CarriedBy(carrier.to_owned()))
            })
        }),
        DeedCondition::Unowned(role) => with(role, &|id| {
            matches!(
                world.placement(id),
                Some(Placement::In(_) | Placement::Offstage)
            )
        }),
        DeedCondition::Attribute(role, name, value) => with(role, &|id| {
            world.attribute(id, name).as_ref() == Some(value)
        }),
        DeedCondition::HasAttribute(role, name) => {
            with(role, &|id| world.attribute(id, name).is_some())
        }
        DeedCondition::AtLeast(role, name, least) => {
            scene.number(role, name).is_some_and(|n| n >= *least)
        }
        DeedCondition::AtMost(role, name, most) => {
            scene.number(role, name).is_some_and(|n| n <= *most)
        }
        DeedCondition::Custom(name) => registry.function(name).is_some_and(|ask| ask(scene)),
        DeedCondition::Is(role, wanted) => with(role, &|id| id == wanted),
        DeedCondition::Flag(name) => world.flag(name),
        DeedCondition::TimeBetween(from, to) => from.0 <= scene.now && scene.now <= to.0,
        DeedCondition::ActorsTurn => world
            .turn_of()
            .is_none_or(|holder| holder == scene.intent.actor()),
        DeedCondition::Named(role) => scene.role(role).is_some(),
        DeedCondition::Given(word) => scene.word(word).is_some(),
        DeedCondition::Offstage(role) => {
            with(role, &|id| world.placement(id) == Some(Placement::Offstage))
        }
        DeedCondition::NameFree => match scene.word(&DeedWord::Name) {
            // A pronoun is no name either: what would "it" mean then?
            Some(WorldValue::Text(name)) => {
                !is_pronoun(&name) && world.named(&key(&name)).is_empty()
            }
            _ => false,
        },
        DeedCondition::SpawnedThisTurn => scene.spawned,
        DeedCondition::Not(inner) => !holds(inner, scene, registry),
        DeedCondition::All(list) => list.iter().all(|c| holds(c, scene, registry)),
        DeedCondition::Any(list) => list.iter().any(|c| holds(c, scene, registry)),
    }
}
