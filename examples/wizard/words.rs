//! Actions in words, with names in place of ids.

use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy_dramatis::world::{DisplayName, Intent, TurnRecord, WorldIndex};

/// What things are called.
#[derive(SystemParam)]
pub struct Names<'w, 's> {
    ids: Res<'w, WorldIndex>,
    names: Query<'w, 's, &'static DisplayName>,
}

impl Names<'_, '_> {
    /// An action: "give brass key to the traveller".
    pub fn action(&self, intent: &Intent) -> String {
        let fields = intent.fields().iter();
        let fields = fields.map(|(field, value)| (*field, self.of(&value.to_string())));
        phrase(intent.kind(), fields)
    }

    /// The results of a turn, a line for each action. An action with a question back has no line yet.
    pub fn outcomes(&self, record: &TurnRecord) -> Vec<String> {
        let judged = record.actions.iter().map(|action| {
            let done = action.judgement.is_ok();
            let answer = if done {
                "done"
            } else {
                &action.judgement.message
            };
            format!("{}: {answer}", self.action(&action.intent))
        });
        let asked = record.clarification.as_ref();
        let asked = asked.filter(|asked| !asked.options.is_empty());
        let rejected = record.rejected.iter();
        let rejected = rejected
            .filter(|action| asked.is_none_or(|asked| asked.index != action.index))
            .map(|action| action.message.clone());
        judged.chain(rejected).collect()
    }

    /// The name of a character in the scene; a word for an unknown one where they have no name.
    pub fn of_entity(&self, entity: Entity) -> String {
        let name = self.names.get(entity);
        name.map_or("somebody", |name| name.0.as_str()).to_owned()
    }

    /// The name of a character or a thing; its id where it has no name.
    pub fn of(&self, id: &str) -> String {
        let name = self
            .ids
            .get(id)
            .and_then(|thing| self.names.get(thing).ok());
        name.map_or(id, |name| name.0.as_str()).to_owned()
    }
}

/// An action in words, from the names of what it is about.
pub fn phrase<'a>(kind: &'a str, fields: impl Iterator<Item = (&'a str, String)>) -> String {
    let mut words = if kind == "move" { "go to" } else { kind }.to_owned();
    for (field, name) in fields {
        words.push_str(match field {
            "tool" => " with ",
            "to" => " to ",
            _ => " ",
        });
        words.push_str(&name);
    }
    words
}
