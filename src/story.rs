//! The story that is being played: canon, facts, rules, the rulebook, and the world that it describes.

pub(crate) mod awaited;

use crate::authoring::StoryBook;
use crate::authoring::assets::StoryAsset;
use crate::base::clock::DramatisClock;
use crate::world::{ActionRegistry, ActionRules};
use bevy::prelude::*;
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
    ActionRules {
        book: world.resource::<ActiveStory>().0.rulebook(),
        registry: world.resource::<ActionRegistry>(),
        now: world.resource::<DramatisClock>().game,
        max_introduced: world.resource::<ActiveStory>().0.max_introduced,
        lexicon: &world.resource::<ActiveStory>().0.lexicon,
    }
}

/// The story, loaded. An empty one where none was given.
#[derive(Resource, Debug, Clone, Default)]
pub struct ActiveStory(pub Arc<StoryBook>);
