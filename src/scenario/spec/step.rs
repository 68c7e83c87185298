//! Steps: what happens in a scenario, one after the other.

use super::action::ActionSpec;
use crate::authoring::npc_spec::provenance;
use crate::base::fixed::Millionths;
use crate::format::literal::Literal;
use crate::memory::Provenance;
use crate::memory::authority::WriteSource;
use crate::rules::TriggerReason;
use crate::world::{PlacementSpec, WorldValue};
use serde::Deserialize;
use std::collections::BTreeMap;

/// One step. A step is over when everything that it caused has ended.
///
/// Ids are looked up when the step is played: an unknown character or entity is listed in the trace under `refused`. An
/// actor that does not exist still takes its turn, and the rulebook judges it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum StepSpec {
    /// An actor says something to a character.
    Say {
        /// The id of the character that hears it.
        to: String,
        /// What is said. More than 2,000 characters are refused.
        text: String,
        /// The id of the speaker; the player when left out. What any other actor says is an `NpcInteraction`
        /// with the speaker's id as a tag.
        from: Option<String>,
        /// Further tags of the interaction, for rules that ask for them.
        #[serde(default)]
        tags: Vec<String>,
        /// The name of the scene, for rules that ask for it.
        scene: Option<String>,
        /// Whether it is whispered, so that only the character that it is said to perceives it. False when left out.
        #[serde(default)]
        whisper: bool,
        /// What the game does right after a sentence was heard, by the number of the sentence in the run,
        /// from 1. Only steps that are allowed in `while_waiting`.
        #[serde(default)]
        between: BTreeMap<u32, Vec<StepSpec>>,
        /// What happens once, after the first prompt has left and before the reply arrives.
        #[serde(default)]
        while_waiting: Vec<StepSpec>,
    },
    /// Something other than speech gives a character a reason to respond.
    Trigger {
        /// The id of the character that should respond.
        npc: String,
        /// Why the character should respond. `PlayerUtterance` is refused here, because this step says no words.
        reason: TriggerReason,
        /// The id of the trigger, whose rules and fallback lines then apply.
        trigger_id: Option<String>,
        /// What the character is told about it.
        prompt: Option<String>,
        /// Tags of the interaction, for rules that ask for them.
        #[serde(default)]
        tags: Vec<String>,
        /// The name of the scene, for rules that ask for it.
        scene: Option<String>,
        /// What the game does right after a sentence was heard, by the number of the sentence in the run,
        /// from 1. Only steps that are allowed in `while_waiting`.
        #[serde(default)]
        between: BTreeMap<u32, Vec<StepSpec>>,
        /// What happens once, after the first prompt has left and before the reply arrives.
        #[serde(default)]
        while_waiting: Vec<StepSpec>,
    },
    /// An actor does what words say. The built-in parser reads them.
    Act {
        /// The id of the actor that takes the turn.
        actor: String,
        /// The words, such as `take the key and open the door`.
        text: String,
    },
    /// An actor does typed actions in one turn. References in them are ids.
    Do {
        /// The id of the actor that takes the turn.
        actor: String,
        /// The actions, judged one after the other in this order. An unknown action or field is a load error.
        actions: Vec<ActionSpec>,
    },
    /// A turn of an adventure. The step is refused when no player plays the persona, or when the intention is empty.
    Turn {
        /// The id of the played character.
        persona: String,
        /// What it says that it does; a model decides when left out.
        intention: Option<String>,
        /// What the played character thinks; nothing when left out.
        thought: Option<String>,
        /// The ids of those to whom it whispers; left out: it does not whisper.
        #[serde(default)]
        whisper_to: Vec<String>,
        /// What the game does right after a narration of the turn was told, by the number of the narration, from 1.
        /// Only steps that are allowed in `while_waiting`.
        #[serde(default)]
        between: BTreeMap<u32, Vec<StepSpec>>,
        /// What happens once, after the first prompt has left and before the reply arrives.
        #[serde(default)]
        while_waiting: Vec<StepSpec>,
    },
    /// Game time and call time move on.
    Advance {
        /// By how many seconds, 0 to 10^12.
        seconds: f64,
    },
    /// The game sets a world fact.
    SetWorldFact {
        /// The key of the world fact. One that is bound to a resource of the game is refused.
        key: String,
        /// The value of the fact from now on.
        value: WorldValue,
    },
    /// The game sets or clears a flag.
    SetFlag {
        /// The name of the flag. A name that the game has not used before makes a new flag.
        name: String,
        /// `true` sets the flag, `false` clears it.
        value: bool,
    },
    /// The standing of a group towards an actor changes. An unknown group is listed under `refused`.
    SetStanding {
        /// The id of the group.
        group: String,
        /// The id of the actor.
        target: String,
        /// The standing from now on, clamped to -1 to 1.
        value: f64,
    },
    /// The game puts an entity somewhere else.
    Place {
        /// The id of the entity. A location cannot be placed: it is refused.
        entity: String,
        /// Where it is from now on.
        at: PlacementSpec,
    },
    /// The game sets an attribute of an entity.
    SetAttribute {
        /// The id of the entity. A location has no attributes: it is refused.
        entity: String,
        /// The name of the attribute. The entity gets it where it lacks it.
        name: String,
        /// The value of the attribute from now on.
        value: WorldValue,
    },
    /// The game gives a character an episode. A write that its `source` has no right to make is listed under `refused`.
    Remember {
        /// The id of the character that remembers it.
        npc: String,
        /// The id of the episode. One that the character has already is refused.
        id: String,
        /// What happened, 1 to 2,000 characters.
        text: String,
        /// On whose authority; the game's, where left out.
        #[serde(default = "of_game")]
        source: WriteSource,
        /// How much it matters, 0 to 1; 0.5 where left out.
        #[serde(default = "half")]
        significance: Millionths,
        /// How the character knows; from its own eyes, where left out.
        #[serde(default, deserialize_with = "provenance")]
        provenance: Provenance,
        /// How long ago it happened, in seconds of game time, 0 to 10^12; 0 where left out.
        #[serde(default)]
        age_seconds: f64,
        /// The ids of those who took part.
        #[serde(default)]
        participants: Vec<String>,
        /// The id of the location where it happened. `None`: it is not known.
        place: Option<String>,
        /// Whether it never makes room for another.
        #[serde(default)]
        pinned: bool,
        /// Whether the character keeps it to itself.
        #[serde(default)]
        private: bool,
    },
    /// The game lets a character believe something.
    Believe {
        /// The id of the character that believes it.
        npc: String,
        /// The id of the belief. One that the character holds already gets another form.
        id: String,
        /// What it believes from now on, 1 to 2,000 characters.
        text: String,
        /// How firmly, 0 to 1; 0.8 where left out.
        #[serde(default = "four_fifths")]
        confidence: Millionths,
        /// On whose authority; the game's, where left out.
        #[serde(default = "of_game")]
        source: WriteSource,
    },
    /// The game takes an episode or a belief away.
    Forget {
        /// The id of the character that forgets it.
        npc: String,
        /// The id of the episode or belief.
        id: String,
        /// On whose authority; the game's, where left out.
        #[serde(default = "of_game")]
        source: WriteSource,
    },
    /// The game tells a character the truth of something that it remembers. It travels as news does.
    Correct {
        /// The id of the character that is told.
        npc: String,
        /// The id of an episode of the character, or of the episode that its news comes from. Any other is listed under `refused`.
        id: String,
        /// The truth, 1 to 2,000 characters.
        text: String,
    },
    /// The engine is asked what the player could say to a character.
    Offer {
        /// The id of the character.
        npc: String,
    },
    /// The last line of a character is taken back.
    Retract {
        /// The id of the character.
        npc: String,
    },
    /// A question outside the story. The engine answers it from the player's own view. It has no effect on the game.
    Aside {
        /// What is asked.
        text: String,
    },
    /// The last turn of the adventure is taken back.
    RetractTurn,
    /// The last turn is played again from the state before it, with another sampling seed.
    Redo {
        /// The number of the turn.
        turn: u64,
    },
    /// Another version of the last turn counts from now on, as it was played.
    Pick {
        /// The number of the turn.
        turn: u64,
        /// Which version, from 0.
        n: usize,
    },
    /// A boundary of the scene: what it says happens at once, and it is the first message of the next turn.
    Marker(MarkerSpec),
    /// A plugin of the game is told something from outside, which a journal records.
    Record {
        /// The name under which the plugin has added it with `add_recorded`. An unknown one is listed in the trace under
        /// `refused`.
        name: String,
        /// What it is told, in the form of the type that it has added.
        input: Literal,
    },
    /// An actor asks a character for something that takes a plan.
    Ask {
        /// The id of the character that is asked.
        npc: String,
        /// What is asked for, in words.
        text: String,
        /// The id of the actor that asks; the player when left out.
        from: Option<String>,
        /// What happens once, after the first prompt has left and before the reply arrives.
        #[serde(default)]
        while_waiting: Vec<StepSpec>,
        /// What the game does right after a step of the plan was carried out, by the id of that step.
        #[serde(default)]
        between: BTreeMap<String, Vec<StepSpec>>,
    },
    /// The player says yes: to what was understood, or to carrying out the plan.
    Approve {
        /// The plan's id: `p1`, `p2`, ...
        plan: String,
        /// What the game does right after a step of the plan was carried out, in addition to what its `Ask` says.
        #[serde(default)]
        between: BTreeMap<String, Vec<StepSpec>>,
    },
    /// The player says no.
    Deny {
        /// The plan's id: `p1`, `p2`, ...
        plan: String,
    },
    /// The player wants another plan for the same wish.
    Regenerate {
        /// The plan's id: `p1`, `p2`, ...
        plan: String,
    },
    /// From now on the engine says that it is another model.
    SwapModel {
        /// The name of its provider; unchanged when left out.
        provider: Option<String>,
        /// Its name; unchanged when left out.
        model: Option<String>,
        /// Its version; unchanged when left out.
        version: Option<String>,
        /// Its hash; unchanged when left out.
        hash: Option<String>,
        /// Whether it claims to obey a JSON schema; unchanged when left out.
        json: Option<bool>,
        /// Whether it claims to deliver replies in chunks; unchanged when left out.
        streaming: Option<bool>,
        /// The longest prompt that it accepts, in characters; unchanged when left out.
        context_chars: Option<usize>,
    },
    /// A character's run ends as Cancelled.
    Cancel {
        /// The id of the character whose run is cancelled. Without a run nothing happens.
        npc: String,
    },
    /// A character is despawned. Its run ends as Cancelled, and its memory stays in the trace.
    Despawn {
        /// The id of the character that leaves the game.
        npc: String,
    },
}

fn of_game() -> WriteSource {
    WriteSource::GameSystem
}

fn half() -> Millionths {
    Millionths(500_000)
}

fn four_fifths() -> Millionths {
    Millionths(800_000)
}

impl StepSpec {
    /// The steps that happen while this step's first call is in flight, in order.
    #[must_use]
    pub fn while_waiting(&self) -> &[StepSpec] {
        match self {
            Self::Say { while_waiting, .. }
            | Self::Trigger { while_waiting, .. }
            | Self::Ask { while_waiting, .. }
            | Self::Turn { while_waiting, .. } => while_waiting,
            _ => &[],
        }
    }

    /// What happens right after each narration of this turn, or after each sentence that was heard of this run, by its number,
    /// from 1.
    #[must_use]
    pub fn between(&self) -> Option<&BTreeMap<u32, Vec<StepSpec>>> {
        match self {
            Self::Turn { between, .. }
            | Self::Say { between, .. }
            | Self::Trigger { between, .. } => Some(between),
            _ => None,
        }
    }

    /// The player says something to a character.
    #[cfg(feature = "cli")]
    #[must_use]
    pub(crate) fn say(to: &str, text: &str) -> Self {
        Self::Say {
            to: to.to_owned(),
            text: text.to_owned(),
            from: None,
            tags: Vec::new(),
            scene: None,
            whisper: false,
            while_waiting: Vec::new(),
            between: BTreeMap::new(),
        }
    }

    /// The words that this step says to a character; `None` for a step of another kind.
    #[cfg(feature = "cli")]
    #[must_use]
    pub(crate) fn said(&self) -> Option<&str> {
        match self {
            Self::Say { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The character that this step makes speak; `None` for a step of another kind.
    #[must_use]
    pub fn speaker(&self) -> Option<&str> {
        match self {
            Self::Say { to, .. } => Some(to),
            Self::Trigger { npc, .. } => Some(npc),
            _ => None,
        }
    }

    /// What happens right after each step of a plan, by the step's id.
    #[must_use]
    pub fn between_steps(&self) -> Option<&BTreeMap<String, Vec<StepSpec>>> {
        match self {
            Self::Ask { between, .. } | Self::Approve { between, .. } => Some(between),
            _ => None,
        }
    }

    /// This step, and the steps that happen during it.
    pub(crate) fn with_inner(&self) -> impl Iterator<Item = &StepSpec> {
        let between = self.between().into_iter().flat_map(BTreeMap::values);
        let of_plan = self.between_steps().into_iter().flat_map(BTreeMap::values);
        std::iter::once(self)
            .chain(self.while_waiting())
            .chain(between.chain(of_plan).flatten())
    }

    /// Whether this step is allowed in the `between` of a plan.
    #[must_use]
    pub fn is_allowed_between_steps(&self) -> bool {
        matches!(
            self,
            Self::SetFlag { .. }
                | Self::SetWorldFact { .. }
                | Self::SetAttribute { .. }
                | Self::SetStanding { .. }
                | Self::Place { .. }
                | Self::SwapModel { .. }
                | Self::Despawn { .. }
        )
    }

    /// Whether this step is allowed in the `while_waiting` of another one.
    #[must_use]
    pub fn is_allowed_while_waiting(&self) -> bool {
        match self {
            Self::Say {
                while_waiting,
                between,
                ..
            } => while_waiting.is_empty() && between.is_empty(),
            Self::SetWorldFact { .. }
            | Self::SetFlag { .. }
            | Self::SetAttribute { .. }
            | Self::SetStanding { .. }
            | Self::Place { .. }
            | Self::Advance { .. }
            | Self::Cancel { .. }
            | Self::Despawn { .. } => true,
            _ => false,
        }
    }
}

/// A marker in an adventure.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum MarkerSpec {
    /// The played character goes to another location.
    LocationChange {
        /// The id of the location that it leaves.
        from: String,
        /// The id of the location that it enters.
        to: String,
    },
    /// Game time moves on, and call time does not.
    TimeSkip {
        /// By how many seconds of game time.
        seconds: f64,
    },
    /// A scene begins.
    SceneOpen,
    /// A scene ends.
    SceneClose,
}
