//! The rules by which the gate judges the characters that speak in a narration.

use crate::authoring::{Character, StoryBook};
use crate::base::ids::Id;
use crate::gate::canon::CanonJudge;
use crate::gate::{CustomChecks, Speaking, StageRules, VoicedWords};
use crate::memory::Mind;
use crate::npc::LoadedCharacter;
use crate::pipeline::steps::expectancy::{ConstraintSet, RustRules, evaluate};
use crate::pipeline::steps::interaction::InteractionContext;
use crate::rules::{Interaction, Topic, is_closed};
use crate::story::Rules;
use crate::text::Lexicon;
use crate::world::{WorldIndex, WorldRead};
use bevy::prelude::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The language, canon and topics that a character is judged by at this moment.
pub(crate) struct CharacterWords<'a> {
    pub lexicon: &'a Lexicon,
    pub canon: Arc<CanonJudge>,
    /// The topics that it must never speak of, and those that are hidden now.
    pub topics: Vec<Topic>,
}

impl<'a> CharacterWords<'a> {
    pub fn of(
        story: &'a StoryBook,
        character: &'a Character,
        interaction: &Interaction,
        world: &dyn WorldRead,
    ) -> Self {
        let hidden = character.rules.hidden.iter();
        let closed = hidden.filter(|hidden| is_closed(hidden, interaction, world));
        let forbidden = character.rules.forbidden.iter();
        Self {
            lexicon: story.language_of(character),
            canon: story.canon_of(character),
            topics: forbidden
                .chain(closed.map(|hidden| &hidden.topic))
                .cloned()
                .collect(),
        }
    }
}

/// A character to whom a narration gives words, and what it may not say.
pub(crate) struct Speaker<'a> {
    interaction: Interaction<'a>,
    set: ConstraintSet,
    words: CharacterWords<'a>,
    said: Vec<&'a VoicedWords>,
}

/// The speakers of a narration, each with the rules that are in force for it.
pub(crate) fn speakers<'a>(
    rules: &Rules<'a>,
    view: &dyn WorldRead,
    context: &'a InteractionContext,
    said: &'a [VoicedWords],
) -> Vec<Speaker<'a>> {
    let ids: BTreeSet<&Id> = said.iter().map(|words| &words.speaker).collect();
    let (world, story) = (rules.world, rules.story());
    let rust = world.resource::<RustRules>();
    let speaker = |id: &'a Id| {
        let entity = WorldIndex::find(world, id)?;
        let own = &world.get::<LoadedCharacter>(entity)?.0;
        let character = rules.of_character(own);
        let interaction = Interaction {
            npc: id,
            interaction_count: world
                .get::<Mind>(entity)
                .map_or(0, |mind| mind.interactions),
            ..context.conditions()
        };
        Some(Speaker {
            set: evaluate(&interaction, story, character, rust, view),
            words: CharacterWords::of(story, character, &interaction, view),
            interaction,
            said: said.iter().filter(|words| words.speaker == *id).collect(),
        })
    };
    ids.into_iter().filter_map(speaker).collect()
}

impl Speaker<'_> {
    /// What the gate judges its words by.
    pub(crate) fn judged<'a>(
        &'a self,
        run: u64,
        checks: &'a CustomChecks,
        world: &'a dyn WorldRead,
    ) -> Speaking<'a> {
        Speaking {
            rules: StageRules {
                run,
                interaction: self.interaction,
                constraints: &self.set.constraints,
                canon: &self.words.canon,
                topics: &self.words.topics,
                custom: &self.set.custom,
                checks,
                world,
                lexicon: self.words.lexicon,
            },
            words: self.said.clone(),
        }
    }
}
