//! What a character can do, kept from one run to the next while nothing differs that it depends on: trying every action on
//! everything in sight is most of the work of a run.

use crate::authoring::StoryBook;
use crate::base::canonical::{Digest, Encoded};
use crate::base::ids::Id;
use crate::judged_world::rulebook::ActionRule;
use crate::judged_world::rulebook::affordance::FreeField;
use crate::story::ActiveStory;
use crate::world::{ActionRegistry, Affordance};
use bevy::ecs::change_detection::Tick;
use bevy::prelude::*;
use serde::Serialize;
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

/// What a character can do now: shared by the snapshots of its runs.
pub(crate) type Affordances = Arc<AffordanceList>;
/// The fields of actions that refer to nothing: shared by the snapshots of a character's runs.
pub type ActionWords = Arc<Encoded<Vec<(&'static str, Vec<FreeField>)>>>;

/// Affordances, with what a prompt says of them. It reads as a list.
#[derive(Debug, Serialize)]
#[serde(transparent)]
pub(crate) struct AffordanceList {
    all: Encoded<Vec<Affordance>>,
    #[serde(skip)]
    words: OnceLock<Box<str>>,
}

impl AffordanceList {
    /// A list of these affordances. What a prompt says of them is written when it is asked for first.
    #[must_use]
    pub fn new(all: Vec<Affordance>) -> Self {
        Self {
            all: Encoded::new(all),
            words: OnceLock::new(),
        }
    }

    /// What a prompt says of them all, made when it is asked for first.
    pub(in crate::pipeline) fn words(&self, make: impl FnOnce(&[Affordance]) -> String) -> &str {
        self.words.get_or_init(|| make(&self.all).into())
    }
}

impl Default for AffordanceList {
    fn default() -> Self {
        Self::new(Vec::new())
    }
}

impl PartialEq for AffordanceList {
    fn eq(&self, other: &Self) -> bool {
        self.all == other.all
    }
}

impl Deref for AffordanceList {
    type Target = [Affordance];

    fn deref(&self) -> &[Affordance] {
        &self.all
    }
}

/// The affordances of a character's last snapshot, with all that they depend on. It is a component of the character.
#[derive(Component)]
pub struct KeptAffordances {
    /// By what actions are judged.
    judged_by: JudgedBy,
    world: Digest,
    may: Option<Vec<String>>,
    left_out: Vec<Id>,
    affordances: Affordances,
    action_words: ActionWords,
}

/// Whose affordances are asked for, and when.
#[derive(Clone, Copy)]
pub(in crate::pipeline) struct Asked<'a> {
    /// The hash of the judged world.
    pub world: Digest,
    /// The actions that the character may propose; `None`: all.
    pub may: Option<&'a [String]>,
    /// The ids of the things that are not tried.
    pub left_out: &'a [Id],
}

/// By which rules actions are judged: the story, and when an action was registered last.
#[derive(Clone)]
struct JudgedBy {
    story: Arc<StoryBook>,
    registered: Tick,
}

impl JudgedBy {
    fn now(world: &World) -> Option<Self> {
        let registry = world.get_resource_ref::<ActionRegistry>()?;
        Some(Self {
            story: world.get_resource::<ActiveStory>()?.0.clone(),
            registered: registry.last_changed(),
        })
    }

    /// Whether the affordances depend on the world alone, whatever else has changed.
    fn asks_the_world_alone(&self, registry: &ActionRegistry) -> bool {
        let rules = self.story.rulebook().actions.values();
        let mut rules = rules.chain(registry.shapes().filter_map(|shape| shape.rule.as_ref()));
        !rules.any(ActionRule::asks_beyond_the_world)
    }
}

impl PartialEq for JudgedBy {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.story, &other.story) && self.registered == other.registered
    }
}

impl KeptAffordances {
    /// Those that were kept of a character, where the same rules still judge.
    pub(in crate::pipeline) fn of(world: &World, npc: Entity) -> Option<&Self> {
        let kept = world.get::<Self>(npc)?;
        let now = JudgedBy::now(world)?;
        (kept.judged_by == now).then_some(kept)
    }

    /// Keeps the affordances; `None` where they depend on more than `asked`.
    pub(in crate::pipeline) fn keep(
        world: &World,
        asked: Asked<'_>,
        affordances: &Affordances,
        action_words: &ActionWords,
    ) -> Option<Self> {
        let judged_by = JudgedBy::now(world)?;
        let alone = judged_by.asks_the_world_alone(world.get_resource::<ActionRegistry>()?);
        alone.then(|| Self {
            judged_by,
            world: asked.world,
            may: asked.may.map(<[String]>::to_vec),
            left_out: asked.left_out.to_vec(),
            affordances: affordances.clone(),
            action_words: action_words.clone(),
        })
    }

    /// Whether these are kept, for the same question.
    pub(in crate::pipeline) fn is(&self, asked: Asked<'_>, affordances: &Affordances) -> bool {
        Arc::ptr_eq(&self.affordances, affordances) && self.answers(asked)
    }

    /// The kept affordances, where the same is asked again.
    pub(in crate::pipeline) fn affordances(&self, asked: Asked<'_>) -> Option<Affordances> {
        self.answers(asked).then(|| self.affordances.clone())
    }

    /// These affordances, with all that is kept of them where they are those of the last time: in another world, one can often
    /// do the same.
    pub(in crate::pipeline) fn or_known(&self, found: Vec<Affordance>) -> Affordances {
        match *found == **self.affordances {
            true => self.affordances.clone(),
            false => Arc::new(AffordanceList::new(found)),
        }
    }

    /// The fields that refer to nothing, of the actions that may be proposed. They do not depend on the world.
    pub(in crate::pipeline) fn action_words(&self, may: Option<&[String]>) -> Option<ActionWords> {
        let same = self.may.as_deref() == may;
        same.then(|| self.action_words.clone())
    }

    fn answers(&self, asked: Asked<'_>) -> bool {
        let Asked {
            world,
            may,
            left_out,
        } = asked;
        self.world == world && self.may.as_deref() == may && self.left_out == left_out
    }
}
