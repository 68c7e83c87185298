//! The story that is being played: canon, facts, rules, the rulebook, and the world that it describes.

pub(crate) mod awaited;
pub(crate) mod groups;
pub(crate) mod lore;

use crate::authoring::assets::StoryAsset;
use crate::authoring::{Character, StoryBook};
use crate::base::clock::DramatisClock;
use crate::base::ids::Id;
use crate::world::{ActionRegistry, ActionRules};
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The handle of the story's file. Insert it to load and play the story.
///
/// When another handle takes its place, or the file changes, the new story's canon, facts, rules and rulebook count from then
/// on. The world that it describes is added: ids that live already stay as they are.
#[derive(Resource, Debug, Clone, Reflect)]
#[reflect(Resource)]
pub struct Story(pub Handle<StoryAsset>);

/// What actions are judged by in this game now: the story's rulebook, the actions that exist, and the time.
#[must_use]
pub fn action_rules(world: &World) -> ActionRules<'_> {
    Rules::of_game(world).of_actions()
}

/// The authored rules that something is judged by, in the world as it is: those of the game, or others in the place of some. A second
/// opinion is the same judgement by other rules.
#[derive(Clone, Copy)]
pub(crate) struct Rules<'a> {
    /// The world in which it is judged.
    pub world: &'a World,
    story: &'a Arc<StoryBook>,
    /// Files that replace those of characters, by their ids.
    characters: Option<&'a BTreeMap<Id, Arc<Character>>>,
}

impl<'a> Rules<'a> {
    /// The rules of the game.
    pub fn of_game(world: &'a World) -> Self {
        Self {
            world,
            story: &world.resource::<ActiveStory>().0,
            characters: None,
        }
    }

    /// The same with this story, if one is given, and with these files of characters.
    pub fn with(
        self,
        story: Option<&'a Arc<StoryBook>>,
        characters: &'a BTreeMap<Id, Arc<Character>>,
    ) -> Self {
        Self {
            story: story.unwrap_or(self.story),
            characters: Some(characters),
            ..self
        }
    }

    /// Canon, rules, rulebook and language.
    pub fn story(&self) -> &'a StoryBook {
        self.story
    }

    /// The file that a character is judged by; `own` is that of the game.
    pub fn of_character(&self, own: &'a Character) -> &'a Character {
        let other = self.characters.and_then(|others| others.get(&own.id));
        other.map_or(own, |other| other)
    }

    /// What actions are judged by.
    pub fn of_actions(&self) -> ActionRules<'a> {
        ActionRules {
            book: self.story.rulebook(),
            registry: self.world.resource::<ActionRegistry>(),
            now: self.world.resource::<DramatisClock>().game,
            max_introduced: self.story.max_introduced,
            lexicon: &self.story.lexicon,
        }
    }
}

/// The story, loaded. An empty one where none was given.
#[derive(Resource, Debug, Clone, Default)]
pub struct ActiveStory(pub Arc<StoryBook>);
