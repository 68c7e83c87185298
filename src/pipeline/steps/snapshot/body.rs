//! What a snapshot holds.

use super::ask::Ask;
use super::kept_affordances::{ActionWords, Affordances};
use crate::authoring::character::Example;
use crate::base::canonical::Hashing;
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::engine::Stage;
use crate::limits::Limits;
use crate::npc::doing::Doing;
use crate::pipeline::steps::interaction::InteractionContext;
use crate::pipeline::steps::prompt::budget::PromptBudget;
use crate::pipeline::steps::retrieval::RetrievedContext;
use crate::rules::ConstraintList;
use crate::sampling::Sampling;
use crate::text::PromptWords;
use crate::world::{EntityView, WorldValue};
use serde::Serialize;
use std::collections::BTreeSet;
use std::sync::Arc;

/// What a snapshot holds: everything that an attempt depends on, and nothing else.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct SnapshotBody {
    /// The role that the run plays.
    pub stage: Stage,
    /// The interaction.
    pub context: InteractionContext,
    /// The name of the character.
    pub name: String,
    /// The text that describes the character.
    pub persona: String,
    /// The actions that it may propose; `None`: all.
    pub may: Option<Vec<String>>,
    /// Few-shot pairs, in the order of the file.
    pub examples: Vec<Example>,
    /// How many of these pairs, from the first on, are those of the trigger. Left out of the hash where there are none.
    #[serde(skip_serializing_if = "crate::base::is_default")]
    pub trigger_examples: usize,
    /// The constraints of this attempt, in the order of their evaluation; those that a retry added come last.
    pub constraints: ConstraintList,
    /// The hidden topics that are closed now, as their patterns are written.
    pub closed_topics: Vec<String>,
    /// The items that were retrieved for the interaction.
    pub retrieved: RetrievedContext,
    /// The name of the place where the character is. Empty, and left out of the hash, where it is in none.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
    /// The things that the character perceives, and itself, sorted by id; of a crowd at most
    /// 64 things, mentioned ones first.
    pub seen: Vec<(Id, EntityView)>,
    /// What those of them do now who have a routine, itself included. Left out of the hash where it is nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) doings: Vec<(Id, Doing)>,
    /// The names of its groups, and the standing of each towards the speaker. Left out of the hash where it belongs to none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub standings: Vec<(String, Millionths)>,
    /// The ids of what else it perceives, in order of the alphabet. Empty but in a crowd.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crowd: Vec<Id>,
    /// Those of the seen things that the input or the last exchange mentions, and the speaker. Empty in a small room. It follows
    /// from the rest.
    #[serde(skip)]
    pub mentioned: BTreeSet<Id>,
    /// The flags that the rulebook asks for, and whether each is set.
    pub flags: Vec<(String, bool)>,
    /// The actions that it can do now, for the prompt's list and the schema's enums.
    pub affordances: Affordances,
    /// The actions that it may propose and that have fields in addition to their references, with those fields: told once, in
    /// the part of the prompt that hardly ever changes.
    pub action_words: ActionWords,
    /// The hash of the judged world, in hexadecimal.
    pub world: String,
    /// The attempt, counted from 0.
    pub attempt: u32,
    /// How many attempts the policy allows.
    pub max_attempts: u32,
    /// The sampling seed, of 53 bits.
    pub seed: u64,
    /// Feedback on the last attempt, a line each; empty for the first attempt.
    pub feedback: Vec<String>,
    /// What attempts before this one have said aloud, from where it goes on. Left out of the hash where nothing was heard.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub said: String,
    /// How much room the prompt has.
    pub budget: PromptBudget,
    /// The most characters of the seen things and possible actions. Left out of the hash where it is the default.
    #[serde(skip_serializing_if = "is_default_surroundings")]
    pub surroundings_chars: usize,
    /// The most characters of a spoken line. Left out of the hash where it is the default.
    #[serde(skip_serializing_if = "is_default_line")]
    pub line_chars: usize,
    /// How much of a line may appear in an earlier one. No prompt tells it, and so it is left out of the hash.
    #[serde(skip)]
    pub(crate) echo: Millionths,
    /// How the model chooses its words: what the character, the story and the limits say.
    pub sampling: Arc<Sampling>,
    /// What the call asks for. Left out of the hash where all is asked for together.
    #[serde(skip_serializing_if = "Ask::is_whole")]
    pub(crate) ask: Ask,
    /// The longest prompt that the engine takes, in characters.
    pub context_chars: usize,
    /// Whether the engine obeys a JSON schema.
    pub json: bool,
    /// The words of the prompt. Left out of the hash where they are English.
    #[serde(skip_serializing_if = "PromptWords::is_english")]
    pub words: PromptWords,
    #[serde(skip)]
    pub(super) world_seed: u64,
    #[serde(skip)]
    pub(super) hashing: Hashing,
}

/// Whether a prompt says where its character is. In a recording of an older version, which hashed snapshots as a whole, none did.
pub(super) fn tells_place(hashing: Hashing) -> bool {
    hashing != Hashing::Whole
}

impl SnapshotBody {
    /// The texts that the character was given: its description, the knowledge of all characters, and the words to it. Its own
    /// words and memories are not among them, because a model writes those.
    #[must_use]
    pub fn told(&self) -> Vec<&str> {
        let context = &self.context;
        let mut told = vec![self.persona.as_str()];
        told.extend(
            [&context.input, &context.prompt]
                .into_iter()
                .flatten()
                .map(String::as_str),
        );
        told.extend(
            self.retrieved
                .exchanges
                .iter()
                .map(|exchange| exchange.heard.as_str()),
        );
        told.extend(self.retrieved.canon.iter().map(|(_, text)| text.as_str()));
        let facts = self.retrieved.world_facts.iter();
        told.extend(facts.filter_map(|(_, fact)| match fact {
            WorldValue::Text(text) => Some(text.as_str()),
            _ => None,
        }));
        let examples = self.examples.iter();
        told.extend(examples.flat_map(|example| [example.player.as_str(), example.npc.as_str()]));
        told
    }

    /// What one of those that it perceives does now, or itself; `None`: its routine says nothing of it.
    pub(crate) fn doing(&self, id: &Id) -> Option<&Doing> {
        let doing = self.doings.iter().find(|(other, _)| other == id);
        doing.map(|(_, doing)| doing)
    }

    /// The scene that the prompt names; `None` where the request names none.
    #[must_use]
    pub fn scene(&self) -> Option<&str> {
        let scene = self.context.scene.as_deref();
        scene.filter(|_| tells_place(self.hashing))
    }

    /// The ids of the characters that this one can speak of, without itself: those nearby, and the speaker. In order of the
    /// alphabet.
    #[must_use]
    pub fn known_characters(&self) -> Vec<&Id> {
        let near = self
            .seen
            .iter()
            .filter(|(_, view)| view.kind == "character");
        let mut known: Vec<&Id> = near
            .map(|(id, _)| id)
            .chain(&self.context.speaker)
            .collect();
        known.retain(|id| **id != self.context.npc);
        known.sort_unstable();
        known.dedup();
        known
    }

    /// Texts at which a reply in prose ends, because another speaker begins: the speaker of the input first, then those who are
    /// near. In JSON no line begins so.
    pub(in crate::pipeline) fn stops(&self) -> Vec<String> {
        let is_prose = match self.ask {
            Ask::Whole => !self.json,
            Ask::Choice(_) | Ask::Memories | Ask::Diary => false,
            Ask::Words(_) => true,
        };
        if !is_prose {
            return Vec::new();
        }
        let is_other = |id: &Id, name: &str| {
            let is_a_name = !name.trim().is_empty() && !name.contains(['\n', '\r', ':']);
            *id != self.context.npc && name != self.name && is_a_name
        };
        let people = self.seen.iter().filter(|(id, view)| {
            let speaks = view.kind == "character" || self.context.speaker.as_ref() == Some(id);
            speaks && is_other(id, &view.name)
        });
        let mut people: Vec<_> = people.collect();
        people.sort_by_key(|(id, _)| self.context.speaker.as_ref() != Some(id));
        let names = people
            .into_iter()
            .map(|(_, view)| format!("\n{}:", view.name));
        names.take(MAX_STOPS).collect()
    }
}

/// The most words that end a reply; more are refused by some servers.
const MAX_STOPS: usize = 4;

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_default_surroundings(chars: &usize) -> bool {
    *chars == Limits::DEFAULT.surroundings_chars
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_default_line(chars: &usize) -> bool {
    *chars == Limits::DEFAULT.reply_chars
}
