//! Deeds in words, with names in place of ids.

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
    /// A deed: "give brass key to the traveller".
    pub fn deed(&self, intent: &Intent) -> String {
        let fields = intent.fields().iter();
        let fields = fields.map(|(field, value)| (*field, self.name(&value.to_string())));
        phrase(intent.kind(), fields)
    }

    /// What came of a turn, a line for each deed. What is asked back has no line yet.
    pub fn outcomes(&self, record: &TurnRecord) -> Vec<String> {
        let judged = record.actions.iter().map(|deed| {
            let done = deed.judgement.is_ok();
            let answer = if done {
                "done"
            } else {
                &deed.judgement.message
            };
            format!("{}: {answer}", self.deed(&deed.intent))
        });
        let asked = record.clarification.as_ref();
        let asked = asked.filter(|asked| !asked.options.is_empty());
        let rejected = record.rejected.iter();
        let rejected = rejected
            .filter(|deed| asked.is_none_or(|asked| asked.index != deed.index))
            .map(|deed| deed.message.clone());
        judged.chain(rejected).collect()
    }

    fn name(&self, id: &str) -> String {
        let name = self
            .ids
            .get(id)
            .and_then(|thing| self.names.get(thing).ok());
        name.map_or(id, |name| name.0.as_str()).to_owned()
    }
}

/// A deed in words, from the names of what it is about.
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
