//! The changed rules.

use super::edits::ReplyKey;
use crate::authoring::{Character, StoryBook};
use crate::base::ids::Id;
use crate::plans::PlanSettings;
use crate::story::Rules;
use bevy::prelude::World;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The rules of a second opinion. Rules that are not given are the recorded ones.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChangedRules {
    /// The canon, rules, custom rules, triggers and rulebook of this story; its world is not looked at.
    pub story: Option<Arc<StoryBook>>,
    /// The rules, topics and actions of these characters, by NPC id; who they are and remember is not looked at.
    pub characters: BTreeMap<Id, Arc<Character>>,
    /// How plans are judged: taxonomy, profile, scope and the game's constraints.
    pub plans: Option<PlanSettings>,
    /// Raw replies that are judged in place of the recorded ones. No file says them.
    pub replies: BTreeMap<ReplyKey, String>,
}

impl ChangedRules {
    /// These rules in a world, with those of the game where these say nothing.
    pub(super) fn in_world<'a>(&'a self, world: &'a World) -> Rules<'a> {
        Rules::of_game(world).with(self.story.as_ref(), &self.characters)
    }
}
