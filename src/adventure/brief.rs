//! What a stage is told: the variables of its template.

use super::message::{Message, MessageType, Owner};
use super::scene::Cast;
use super::states::StateEntry;
use super::stream::{Stream, TAIL};
use super::views::{ViewOf, Viewer};
use crate::base::ids::Id;
use crate::engine::Role;
use crate::pipeline::steps::prompt::escape;
use crate::proposal::{NarrationPart, PartKind};
use crate::story::lore::LoreEntry;
use serde_json::{Map, Value, json};

/// The most messages that a template gets.
const MAX_MESSAGES: usize = 64;

/// The most messages that a prompt shows as separate messages.
const MAX_HISTORY: usize = 40;

/// How many of them leave at once, so that a server keeps its cache of the others from turn to turn.
const LEAVE_TOGETHER: usize = MAX_HISTORY / 2;

/// The messages of a view, oldest first. The narrations up to `through` are told by a recap, and left out.
pub(super) fn shown<'m>(
    view: &ViewOf,
    stream: &'m Stream,
    staged: &'m [Message],
    through: Option<(u64, u32)>,
) -> Vec<&'m Message> {
    let is_in_recap = |message: &Message| {
        message.kind == MessageType::Narration && Some((message.turn_id, message.seq)) <= through
    };
    let newest_first = staged.iter().rev().chain(stream.live_tail().rev());
    let mut shown: Vec<&Message> = newest_first
        .take(TAIL)
        .filter(|message| view.shows(message) && !is_in_recap(message))
        .collect();
    shown.reverse();
    shown
}

/// The last of these messages, as templates see them: a line each, and one for each part of a narration.
pub(super) fn messages(view: &ViewOf, cast: &Cast, shown: &[&Message]) -> Vec<Value> {
    shown[shown.len().saturating_sub(MAX_MESSAGES)..]
        .iter()
        .flat_map(|message| lines(message, cast, &|part| perceives(view, cast, message, part)))
        .collect()
}

/// The last of these messages as a conversation: what the viewer answered before, in the form in which it is asked to, and
/// what it was told. The viewer is the narrator, or makes intentions.
pub(super) fn history(view: &ViewOf, cast: &Cast, shown: &[&Message]) -> Vec<(Role, String)> {
    let words = &cast.bands.words;
    let mut said = Conversation(Vec::new());
    let mut thought = None;
    for message in shown.iter().skip(away(shown.len())) {
        let told = || narration_lines(view, cast, message).join("\n");
        match message.kind {
            MessageType::Narration if view.viewer == Viewer::Narrator => {
                let actor = message.actor.as_ref();
                let acts = actor.map(|actor| words.say("line_acts", &[("name", cast.name(actor))]));
                said.add(Role::User, acts.as_deref().unwrap_or(words.get("happened")));
                said.add(Role::Assistant, &told());
            }
            MessageType::Narration | MessageType::SceneMarker => said.add(Role::User, &told()),
            // The narrator has the intention that it tells as its input.
            MessageType::Intention if view.viewer == Viewer::Narrator => {}
            MessageType::Intention => {
                if said.0.is_empty() {
                    said.add(Role::User, words.get("happened"));
                }
                // The order of the alphabet is that of the schema.
                let intention = escape(&message.content);
                let reply = json!({"intention": intention, "thought": thought.take()});
                said.add(Role::Assistant, &reply.to_string());
            }
            MessageType::Thought => thought = Some(escape(&message.content)),
            MessageType::System => {}
        }
    }
    said.0
}

/// How many of the `shown` messages, from the oldest on, a prompt leaves out.
fn away(shown: usize) -> usize {
    let too_many = shown.saturating_sub(MAX_HISTORY);
    too_many.div_ceil(LEAVE_TOGETHER) * LEAVE_TOGETHER
}

/// Messages in which user and assistant take turns.
struct Conversation(Vec<(Role, String)>);

impl Conversation {
    /// Adds to the last message where it has the same role.
    fn add(&mut self, role: Role, text: &str) {
        match self.0.last_mut() {
            _ if text.is_empty() => {}
            Some((last, words)) if *last == role => words.extend(["\n", text]),
            _ => self.0.push((role, text.to_owned())),
        }
    }
}

/// What a view holds of a narration, a line each.
pub(super) fn narration_lines(view: &ViewOf, cast: &Cast, message: &Message) -> Vec<String> {
    let values = lines(message, cast, &|part| perceives(view, cast, message, part));
    let lines = values.iter().filter_map(|value| value["line"].as_str());
    lines.map(str::to_owned).collect()
}

fn perceives(view: &ViewOf, cast: &Cast, message: &Message, part: &NarrationPart) -> bool {
    let senses = view.own.map(|own| cast.senses(own)).unwrap_or_default();
    match (part.kind, &part.speaker) {
        // The narrator knows the facts, even if a character cannot perceive them.
        _ if view.viewer == Viewer::Narrator => true,
        (PartKind::Dialog, Some(speaker)) => !senses.deaf || view.own == Some(speaker),
        _ => !senses.blind || (message.actor.is_some() && message.actor.as_ref() == view.own),
    }
}

fn lines(message: &Message, cast: &Cast, perceives: &dyn Fn(&NarrationPart) -> bool) -> Vec<Value> {
    let owner = match &message.owner {
        Owner::Actor(id) => cast.name(id),
        Owner::Narrator => "narrator",
        Owner::System => "system",
    };
    let line = |text: &str, line: String, more: Value| {
        let mut value = json!({
            "text": escape(text),
            "line": line,
            "owner": owner,
            "type": message.kind,
            "is_narrator": message.owner == Owner::Narrator,
            "is_player": message.owner.actor().is_some_and(|id| cast.personas.contains_key(id)),
            "is_dialog": false,
        });
        if let (Some(all), Some(more)) = (value.as_object_mut(), more.as_object()) {
            all.extend(more.clone());
        }
        value
    };
    let text = escape(&message.content);
    let words = &cast.bands.words;
    let said_of = |entry: &str| words.say(entry, &[("name", owner), ("text", &text)]);
    match message.kind {
        MessageType::Narration => {
            let parts = message
                .parts
                .iter()
                .filter(|part| perceives(part))
                .map(|part| match (part.kind, &part.speaker) {
                    (PartKind::Dialog, Some(speaker)) => {
                        let name = cast.name(speaker);
                        let mood = part.mood.as_ref().map(|mood| format!("({})", escape(mood)));
                        let said =
                            format!("{name}{}: {}", mood.unwrap_or_default(), escape(&part.text));
                        let more =
                            json!({"is_dialog": true, "character": name, "emotion": part.mood});
                        line(&part.text, said, more)
                    }
                    _ => line(&part.text, escape(&part.text), json!({})),
                });
            parts.collect()
        }
        MessageType::Intention => vec![line(&message.content, said_of("line_wanted"), json!({}))],
        MessageType::Thought => vec![line(&message.content, said_of("line_thought"), json!({}))],
        MessageType::SceneMarker => vec![line(
            &message.content,
            words.say("line_scene", &[("scene", &marker_words(&message.content))]),
            json!({}),
        )],
        MessageType::System => Vec::new(),
    }
}

/// A scene marker in words, made of its JSON.
fn marker_words(content: &str) -> String {
    let Ok(Value::Object(fields)) = serde_json::from_str::<Value>(content) else {
        return String::new();
    };
    let word = |value: &Value| {
        value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned)
    };
    let subtype = fields.get("subtype").map(word).unwrap_or_default();
    let more = fields.iter().filter(|(name, _)| *name != "subtype");
    let more: String = more
        .map(|(name, value)| format!(", {name} {}", word(value)))
        .collect();
    escape(&format!("{}{more}", subtype.replace('_', " ")))
}

/// States as templates see them.
pub(super) fn state_values<'s>(
    cast: &Cast,
    states: impl Iterator<Item = &'s StateEntry>,
) -> Vec<Value> {
    states
        .map(|state| {
            json!({
                "label": escape(&state.label),
                "category": escape(&state.category),
                "level": state.level,
                "band": cast.bands.word(state.level),
                "is_subconscious": !state.is_manifest(),
                "is_manifest": state.is_manifest(),
                "is_dominant": state.level >= 16,
                "is_definitive": state.level >= 21,
            })
        })
        .collect()
}

/// An actor as templates see it. `hidden` says whether latent states may be told.
pub(super) fn person(
    cast: &Cast,
    name: &str,
    description: &str,
    states: &[StateEntry],
    hidden: bool,
) -> Value {
    let manifest = state_values(cast, states.iter().filter(|state| state.is_manifest()));
    let mut person = json!({"name": name, "description": description, "states": manifest});
    if let Some(fields) = person.as_object_mut().filter(|_| hidden) {
        fields.insert(
            "all_states".to_owned(),
            state_values(cast, states.iter()).into(),
        );
    }
    person
}

/// What each actor at a place is like, a line each.
pub(super) fn summary(cast: &Cast, here: &[Id], states: &dyn Fn(&Id) -> Vec<StateEntry>) -> String {
    let lines = here.iter().map(|id| {
        let manifest: Vec<String> = states(id)
            .iter()
            .filter(|state| state.is_manifest())
            .map(|state| format!("{} {}", cast.bands.word(state.level), escape(&state.label)))
            .collect();
        match manifest.is_empty() {
            true => format!("{}: {}", cast.name(id), cast.bands.words.get("no_states")),
            false => format!("{}: {}", cast.name(id), manifest.join("; ")),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Lore as templates see it: as one text, and entry by entry.
pub(super) fn lore_value(entries: &[&LoreEntry]) -> Value {
    let text: Vec<String> = entries
        .iter()
        .map(|entry| format!("[{}] {}", entry.title, entry.text))
        .collect();
    let text: Vec<String> = text.iter().map(|line| escape(line)).collect();
    let entries: Vec<Value> = entries
        .iter()
        .map(|entry| json!({"key": escape(&entry.key), "title": escape(&entry.title), "text": escape(&entry.text)}))
        .collect();
    json!({"text": text.join("\n"), "entries": entries})
}

/// Puts variables together; those that are empty are left out, so that a template can ask for them.
pub(super) fn variables(fields: impl IntoIterator<Item = (&'static str, Value)>) -> Value {
    let is_empty = |value: &Value| match value {
        Value::Null | Value::Bool(false) => true,
        Value::String(text) => text.is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        _ => false,
    };
    let fields = fields.into_iter().filter(|(_, value)| !is_empty(value));
    let fields: Map<String, Value> = fields
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    Value::Object(fields)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p5_messages_leave_together_and_the_beginning_stays_for_a_while() {
        assert_eq!([0, 1, 40].map(away), [0, 0, 0]);
        assert_eq!([41, 50, 60].map(away), [20, 20, 20]);
        assert_eq!([61, 80, 81].map(away), [40, 40, 60]);
        assert!((0..500).all(|shown| shown - away(shown) <= MAX_HISTORY));
    }

    #[test]
    fn p5_user_and_assistant_take_turns() {
        let mut said = Conversation(Vec::new());
        for (role, text) in [
            (Role::User, "a"),
            (Role::User, "b"),
            (Role::User, ""),
            (Role::Assistant, "c"),
        ] {
            said.add(role, text);
        }
        let expected = [
            (Role::User, "a\nb".to_owned()),
            (Role::Assistant, "c".to_owned()),
        ];
        assert_eq!(said.0, expected);
    }
}
