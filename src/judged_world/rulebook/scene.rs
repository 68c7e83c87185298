//! What a condition may look at: an action in its world. Pure: nothing here writes.

use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::judged_world::action::{Intent, Slot};
use crate::judged_world::rulebook::message::{message_parts, placeholder};
use crate::judged_world::rulebook::spec::{ActionRole, EffectValue};
use crate::judged_world::state::knowledge::is_in_sight;
use crate::judged_world::state::value::WorldValue;
use crate::judged_world::state::{Placement, WorldRead};
use crate::judged_world::words::reference::display_name;
use std::borrow::Cow;

/// An action in its world: all that a condition may look at. A game's own conditions are asked with one, too.
#[derive(Clone, Copy)]
pub struct ActionScene<'a> {
    /// The world as the turn's earlier actions have left it, read only.
    pub world: &'a dyn WorldRead,
    /// The action that is judged. It has been normalised, so that its references are ids.
    pub intent: &'a Intent,
    /// The game time at which the action is judged, in milliseconds.
    pub now: GameTime,
    /// Whether an earlier action of this turn has made a new entity.
    pub spawned: bool,
}

impl<'a> ActionScene<'a> {
    /// The id of the entity or location in a role; nothing where the action lacks it. The id may name nothing that exists.
    #[must_use]
    pub(crate) fn role(&self, role: &ActionRole) -> Option<Cow<'a, str>> {
        let slot = |slot| self.intent.slot(slot).map(Cow::Borrowed);
        match role {
            ActionRole::Actor => Some(Cow::Borrowed(self.intent.actor())),
            ActionRole::Target => slot(Slot::Target),
            ActionRole::Tool => slot(Slot::Tool),
            ActionRole::To => slot(Slot::To),
            ActionRole::Here => self
                .world
                .place_of(self.intent.actor())
                .map(|id| Cow::Owned(id.to_string())),
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

    /// A value of the rulebook in this action; nothing where it names a field that the action lacks.
    #[must_use]
    pub(crate) fn value(&self, value: &EffectValue) -> Option<WorldValue> {
        let field = match value {
            EffectValue::Value(value) => return Some(value.clone()),
            EffectValue::Name => "name",
            EffectValue::Content => "content",
            EffectValue::KindOf => "kind",
        };
        self.intent.fields().get(field).cloned()
    }

    /// Fills in the placeholders of a message, such as `{actor}`: with the name, with the id where there is no name, with nothing
    /// for a role that the action lacks. A thing that the actor does not see keeps the words that the actor used for it, so that a
    /// guess reveals no name.
    #[must_use]
    pub fn fill_in(&self, message: &str) -> String {
        let mut out = String::with_capacity(message.len());
        for part in message_parts(message) {
            let role = part.placeholder.and_then(placeholder);
            if let Some(role) = role
                && let Some(id) = self.role(&role)
            {
                let guessed = self.words_for(&role).filter(|_| !self.sees(&id));
                match guessed {
                    Some(words) => out.push_str(words),
                    None => out.push_str(&display_name(self.world, &id)),
                }
            }
            out.push_str(if part.brace { "{" } else { "" });
            out.push_str(part.text);
        }
        out
    }

    /// The words by which the actor referred to a role.
    fn words_for(&self, role: &ActionRole) -> Option<&str> {
        match role {
            ActionRole::Target => self.intent.words_for(Slot::Target),
            ActionRole::Tool => self.intent.words_for(Slot::Tool),
            ActionRole::To => self.intent.words_for(Slot::To),
            _ => None,
        }
    }

    fn sees(&self, id: &str) -> bool {
        Id::new(id).is_ok_and(|id| is_in_sight(self.world, self.intent.actor(), &id))
    }

    /// An attribute of a role that is a whole number.
    pub(crate) fn number(&self, role: &ActionRole, name: &str) -> Option<i64> {
        match self.world.attribute(&self.role(role)?, name)? {
            WorldValue::Int(number) => Some(number),
            _ => None,
        }
    }

    /// Whether the actor perceives it: it is in the same location, or the actor carries it.
    pub(crate) fn perceives(&self, id: &str) -> bool {
        let actor = self.intent.actor();
        let here = self.world.place_of(actor);
        here.is_some() && here == self.world.place_of(id)
            || self.world.placement(id) == Some(Placement::CarriedBy(actor.clone()))
    }
}
