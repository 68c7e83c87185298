//! An adventure as data: what a journal and a save keep of it, and of the triggers that have fired.
//!
//! It is parted, so that what a turn adds is all that is written: each message, each entry of lore and each persona is a part of
//! its own. What can be taken back is not kept: a game that was loaded begins again there.

use super::markers::{PendingMarkers, SceneMarker};
use super::mentioned::Mentioned;
use super::message::Message;
use super::recap::{Recap, Recaps};
use super::review::{WaitingCall, WaitingCalls};
use super::states::{Persona, Personas};
use super::stream::Stream;
use super::submit::interrupt;
use super::undo::forget_played;
use super::write_states::add_personas;
use crate::base::canonical::Digest;
use crate::base::ids::Id;
use crate::base::resource_ticks::ResourceTicks;
use crate::base::time::GameTime;
use crate::staging::firing::FiringWatch;
use crate::story::ActiveStory;
use crate::story::lore::{LoreEntry, Lorebook};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// Parts of an adventure by their keys; `None` for one that is no longer there.
pub(crate) type AdventureParts = BTreeMap<String, Option<Value>>;

/// How far an adventure is, apart from its messages, lore and personas.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Progress {
    turns: u64,
    retracted: BTreeSet<u64>,
    /// From which message on a turn does not count, by its number.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    shortened: BTreeMap<u64, u32>,
    markers: Vec<SceneMarker>,
    /// What each actor mentioned lately.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    mentioned: BTreeMap<Id, Vec<Vec<Id>>>,
}

/// What has been written down of an adventure.
#[derive(Debug, Clone, Default)]
pub(crate) struct WrittenAdventure {
    messages: usize,
    /// The hashes of all other parts, by key.
    parts: BTreeMap<String, Digest>,
}

const PROGRESS: &str = "progress";

fn message_key(at: usize) -> String {
    format!("message.{at:09}")
}

/// All parts except messages. Empty for an adventure that has not begun and has changed nothing of its story.
fn parts_of(world: &World) -> BTreeMap<String, Value> {
    let mut parts = BTreeMap::new();
    let mut add = |key: String, part: &dyn erased::Part| {
        parts.insert(key, part.value());
    };
    let stream = world.get_resource::<Stream>();
    let progress = Progress {
        turns: stream.map_or(0, Stream::turns),
        retracted: stream
            .map(|stream| stream.retracted().clone())
            .unwrap_or_default(),
        shortened: stream
            .map(|stream| stream.shortened().clone())
            .unwrap_or_default(),
        markers: world
            .get_resource::<PendingMarkers>()
            .map(|pending| pending.0.clone())
            .unwrap_or_default(),
        mentioned: world
            .get_resource::<Mentioned>()
            .map(|mentioned| mentioned.0.clone())
            .unwrap_or_default(),
    };
    if progress != Progress::default() {
        add(PROGRESS.to_owned(), &progress);
    }
    for entry in world
        .get_resource::<Lorebook>()
        .map(Lorebook::entries)
        .unwrap_or_default()
    {
        // Authored entries that still say what their author wrote come with their story.
        if entry.audience.is_some() || !entry.history.is_empty() {
            add(format!("lore.{}", entry.key), entry);
        }
    }
    let fired = world.get_resource::<FiringWatch>();
    for (trigger, when) in fired.iter().flat_map(|watch| &watch.fired) {
        add(format!("fired.{trigger}"), when);
    }
    for recap in world
        .get_resource::<Recaps>()
        .iter()
        .flat_map(|recaps| recaps.all())
    {
        add(format!("recap.{}", recap.key()), recap);
    }
    for (number, call) in world
        .get_resource::<WaitingCalls>()
        .iter()
        .flat_map(|waiting| waiting.iter())
    {
        add(format!("review.{number:020}"), call);
    }
    for (id, persona) in world
        .get_resource::<Personas>()
        .iter()
        .flat_map(|personas| &personas.0)
    {
        add(format!("persona.{id}"), persona);
    }
    parts
}

/// Values of different types, each as JSON.
mod erased {
    use serde::Serialize;
    use serde_json::Value;

    pub(super) trait Part {
        fn value(&self) -> Value;
    }

    impl<T: Serialize> Part for T {
        fn value(&self) -> Value {
            serde_json::to_value(self).unwrap_or_default()
        }
    }
}

/// When the resources were changed that hold an adventure.
pub(crate) fn adventure_ticks() -> ResourceTicks {
    ResourceTicks::of([
        World::component_id::<Stream>,
        World::component_id::<PendingMarkers>,
        World::component_id::<Mentioned>,
        World::component_id::<Lorebook>,
        World::component_id::<FiringWatch>,
        World::component_id::<Recaps>,
        World::component_id::<WaitingCalls>,
        World::component_id::<Personas>,
    ])
}

/// What has changed since it was written down last, and is written down now.
pub(crate) fn changed_parts(world: &World, written: &mut WrittenAdventure) -> AdventureParts {
    let mut changed = AdventureParts::new();
    let messages = world
        .get_resource::<Stream>()
        .map(Stream::messages)
        .unwrap_or_default();
    for (at, message) in messages.iter().enumerate().skip(written.messages) {
        changed.insert(message_key(at), serde_json::to_value(message).ok());
    }
    written.messages = messages.len();
    let parts = parts_of(world);
    for key in written.parts.keys() {
        if !parts.contains_key(key) {
            changed.insert(key.clone(), None);
        }
    }
    let mut digests = BTreeMap::new();
    for (key, part) in parts {
        let digest = Digest::of(&part);
        if written.parts.get(&key) != Some(&digest) {
            changed.insert(key.clone(), Some(part));
        }
        digests.insert(key, digest);
    }
    written.parts = digests;
    changed
}

/// All parts, as a save keeps them.
pub(crate) fn all_parts(world: &World) -> BTreeMap<String, Value> {
    let parts = changed_parts(world, &mut WrittenAdventure::default()).into_iter();
    parts.filter_map(|(key, part)| Some((key, part?))).collect()
}

/// Makes parts of an adventure what they are to be. A part that cannot be read is logged and left out.
pub(crate) fn put_parts(world: &mut World, parts: AdventureParts) {
    for (key, part) in parts {
        if let Err(error) = put_part(world, &key, part) {
            log::error!(
                "the part \"{}\" of the adventure cannot be read: {error}",
                key.escape_debug()
            );
        }
    }
}

/// Makes the adventure what was saved: nothing else of it stays, except for the lore and the personas of the story.
pub(crate) fn put_all(world: &mut World, parts: &BTreeMap<String, Value>) {
    // What is being played belongs to the game that goes.
    interrupt(world);
    world.insert_resource(Stream::default());
    world.get_resource_or_init::<PendingMarkers>().0.clear();
    let mut watch = world.get_resource_or_init::<FiringWatch>();
    watch.fired.clear();
    watch.look_anew();
    world.insert_resource(Recaps::default());
    world.insert_resource(WaitingCalls::default());
    world.get_resource_or_init::<Personas>().0.clear();
    world.get_resource_or_init::<Mentioned>().0.clear();
    forget_played(world);
    world.insert_resource(Lorebook::default());
    if let Some(story) = world.get_resource::<ActiveStory>() {
        let story = story.0.clone();
        world.insert_resource(Lorebook::of(&story));
        add_personas(
            &mut world.get_resource_or_init::<Personas>(),
            &story.personas,
        );
    }
    let parts = parts
        .iter()
        .map(|(key, part)| (key.clone(), Some(part.clone())));
    put_parts(world, parts.collect());
}

fn put_part(
    world: &mut World,
    key: &str,
    part: Option<Value>,
) -> std::result::Result<(), serde_json::Error> {
    match (key.split_once('.'), part) {
        (Some(("message", _)), Some(part)) => {
            let message: Message = serde_json::from_value(part)?;
            world.get_resource_or_init::<Stream>().put(message);
        }
        (Some(("lore", key)), part) => {
            let entry: Option<LoreEntry> = part.map(serde_json::from_value).transpose()?;
            world.get_resource_or_init::<Lorebook>().put(key, entry);
        }
        (Some(("recap", key)), part) => {
            let recap: Option<Recap> = part.map(serde_json::from_value).transpose()?;
            world.get_resource_or_init::<Recaps>().put(key, recap);
        }
        (Some(("fired", trigger)), part) => {
            let when: Option<GameTime> = part.map(serde_json::from_value).transpose()?;
            let trigger: Id = serde_json::from_value(Value::String(trigger.to_owned()))?;
            let mut watch = world.get_resource_or_init::<FiringWatch>();
            match when {
                Some(when) => watch.fired.insert(trigger, when),
                None => watch.fired.remove(&trigger),
            };
        }
        (Some(("review", number)), part) => {
            let call: Option<WaitingCall> = part.map(serde_json::from_value).transpose()?;
            match number.parse() {
                Ok(number) => world
                    .get_resource_or_init::<WaitingCalls>()
                    .put(number, call),
                Err(_) => log::error!("\"{}\" is not the number of a call", number.escape_debug()),
            }
        }
        (Some(("persona", id)), part) => {
            let persona: Option<Persona> = part.map(serde_json::from_value).transpose()?;
            let mut personas = world.get_resource_or_init::<Personas>();
            let id: Id = serde_json::from_value(Value::String(id.to_owned()))?;
            match persona {
                Some(persona) => personas.0.insert(id, persona),
                None => personas.0.remove(&id),
            };
        }
        (None, part) if key == PROGRESS => {
            let progress: Progress = part
                .map(serde_json::from_value)
                .transpose()?
                .unwrap_or_default();
            world.get_resource_or_init::<Stream>().go_on_from(
                progress.turns,
                progress.retracted,
                progress.shortened,
            );
            world.get_resource_or_init::<PendingMarkers>().0 = progress.markers;
            world.get_resource_or_init::<Mentioned>().0 = progress.mentioned;
        }
        _ => log::error!("an adventure has no part \"{}\"", key.escape_debug()),
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::adventure::recap::RecapViewer;
    use crate::authoring::{NoFiles, StoryBook};
    use crate::id;
    use crate::proposal::ToolCall;
    use crate::world::ActionRegistry;
    use std::sync::Arc;

    fn world() -> World {
        let story = r#"(personas: [(id: "ann", description: "A traveller.")])"#;
        let story = StoryBook::parse(
            story.as_bytes(),
            "a.story.ron",
            &NoFiles,
            &ActionRegistry::default(),
        );
        let mut world = World::new();
        world.insert_resource(ActiveStory(Arc::new(story.unwrap())));
        world
    }

    #[test]
    fn j3_a_save_brings_back_what_was_found_out_and_what_has_fired() {
        let mut played = world();
        played.get_resource_or_init::<Recaps>().push(Recap {
            viewers: [RecapViewer::Narrator(None), RecapViewer::Actor(id!("ann"))].into(),
            sources: vec![(1, 2), (2, 2)],
            goes_on_from: None,
            text: "It rained.".to_owned(),
        });
        let waiting = WaitingCall {
            turn_id: 3,
            seq: 1,
            npc: None,
            call: ToolCall::LoreUpsert {
                key: "well".to_owned(),
                text: "It is dry.".to_owned(),
                title: None,
                keywords: Vec::new(),
                confidence: None,
            },
            audience: vec![id!("ann")],
        };
        played
            .get_resource_or_init::<WaitingCalls>()
            .push(waiting.clone());
        played
            .get_resource_or_init::<FiringWatch>()
            .fired
            .insert(id!("gate"), GameTime(7));
        let parts = all_parts(&played);
        let mut loaded = world();
        loaded
            .get_resource_or_init::<FiringWatch>()
            .fired
            .insert(id!("later"), GameTime(9));
        put_all(&mut loaded, &parts);
        let recaps: Vec<&Recap> = loaded.resource::<Recaps>().all().collect();
        assert_eq!((recaps.len(), recaps[0].through()), (1, (2, 2)));
        let calls: Vec<_> = loaded.resource::<WaitingCalls>().iter().collect();
        assert_eq!(calls, [(0, &waiting)]);
        let fired: Vec<&Id> = loaded.resource::<FiringWatch>().fired.keys().collect();
        assert_eq!(fired, [&id!("gate")], "what came later is forgotten");
        assert_eq!(
            all_parts(&loaded)["recap.000000002.000000002.n"]["text"],
            "It rained."
        );
    }

    #[test]
    fn j3_a_save_from_before_a_persona_was_written_takes_it_from_the_story() {
        let mut loaded = world();
        put_all(&mut loaded, &BTreeMap::new());
        let personas = &loaded.resource::<Personas>().0;
        assert_eq!(personas[&id!("ann")].description, "A traveller.");
    }
}
