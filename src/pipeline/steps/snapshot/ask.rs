//! What one call asks a model for: all in one reply, or what the character does and what it says apart.

use crate::base::ids::Id;
use crate::engine::Stage;
use crate::judged_world::state::senses::Senses;
use crate::limits::Limits;
use crate::proposal::ProposedAction;
use crate::world::WorldRead;
use serde::Serialize;
use std::sync::Arc;

/// What a call asks for.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub(crate) enum Ask {
    /// Words, memories and actions in one reply.
    #[default]
    Whole,
    /// Which of these the character does, or nothing.
    Choice(Arc<[NamedAction]>),
    /// What the character says aloud, and nothing else.
    Words(Arc<Words>),
    /// What the character remembers of the exchanges in the prompt.
    Memories,
    /// What the character writes in its diary about the episodes in the prompt.
    Diary,
}

impl Ask {
    pub(in crate::pipeline) fn is_whole(&self) -> bool {
        *self == Self::Whole
    }

    /// What a character is asked first that can do this: to choose, where there is something to choose from, else for its words.
    pub(super) fn of_options(options: Vec<NamedAction>, words: Words) -> Self {
        match options.is_empty() {
            true => Self::Words(words.into()),
            false => Self::Choice(options.into()),
        }
    }

    /// The stage of the call; where no words are asked for, of the one before.
    pub(crate) fn stage(&self) -> Stage {
        match self {
            Self::Whole => Stage::Dialogue,
            Self::Choice(_) => Stage::Decide,
            Self::Words(words) if words.mute => Stage::Decide,
            Self::Words(_) => Stage::Speak,
            Self::Memories => Stage::Remember,
            Self::Diary => Stage::Diary,
        }
    }

    /// What the words are asked for with; `None` where more than words are asked for.
    pub(crate) fn words(&self) -> Option<&Words> {
        match self {
            Self::Words(words) => Some(words),
            Self::Whole | Self::Choice(_) | Self::Memories | Self::Diary => None,
        }
    }
}

/// Something that a character can do now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct NamedAction {
    /// The action as a phrase, such as "open the oak door with the brass key". No two options of one call have the same phrase.
    pub phrase: String,
    /// The action. It is judged like one that a reply proposes.
    pub action: ProposedAction,
}

/// The known facts when a character is asked for its words alone.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub(crate) struct Words {
    /// What the character does with them. `None`: nothing.
    pub does: Option<NamedAction>,
    /// What the character wanted to do, and why it cannot. `None`: nothing was refused.
    pub refused: Option<Refused>,
    /// Whether it cannot speak, so that no words are asked for.
    pub mute: bool,
    /// The most sentences that it says.
    pub sentences: u32,
}

impl Words {
    /// How words are asked for in this world, where nothing is done with them.
    pub(in crate::pipeline) fn now(world: &dyn WorldRead, npc: &Id, limits: &Limits) -> Self {
        Self {
            mute: Senses::of(world, npc).mute,
            sentences: limits.sentences,
            ..Self::default()
        }
    }
}

/// Something that a character chose and cannot do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Refused {
    /// The action as a phrase, such as "open the oak door".
    pub phrase: String,
    /// Why not, for the character.
    pub why: String,
}
