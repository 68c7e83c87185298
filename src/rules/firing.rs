//! When a trigger fires by itself: what a writer puts into a file instead of Rust code.

use super::spec::{RuleCondition, TriggerReason};
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::format::Problem;
use crate::judged_world::WorldValue;
use serde::Deserialize;

/// What has to happen for a trigger to fire.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Occasion {
    /// A character or the player comes to a place.
    Entered {
        /// The id of the place.
        place: String,
        /// The id of the actor that comes; `None`: any actor.
        actor: Option<String>,
    },
    /// A character or the player leaves a place.
    Left {
        /// The id of the place.
        place: String,
        /// The id of the actor that leaves; `None`: any actor.
        actor: Option<String>,
    },
    /// An attribute of something changes.
    Attribute {
        /// The id of the thing.
        entity: String,
        /// The name of the attribute.
        name: String,
        /// What it has to become; `None`: anything else than it was.
        becomes: Option<WorldValue>,
    },
    /// A flag of the world changes.
    Flag {
        /// The name of the flag.
        name: String,
        /// What it has to become; `None`: the other.
        becomes: Option<bool>,
    },
    /// A fact of the world changes.
    Fact {
        /// The key of the fact.
        key: String,
        /// What it has to become; `None`: anything else than it was.
        becomes: Option<WorldValue>,
    },
    /// A game time comes.
    Time {
        /// The time, in seconds since the game began: more than 0.
        seconds: f64,
    },
    /// An action was done by any actor: in a character's reply, a turn, or a turn of an adventure.
    Done {
        /// The name of the action, such as `open`.
        action: String,
        /// The id of the actor; `None`: any actor.
        actor: Option<String>,
        /// The id of what it was done to; `None`: anything.
        target: Option<String>,
    },
}

impl Occasion {
    /// Why a character responds to it, as rules and fallback lines may ask.
    #[must_use]
    pub fn reason(&self) -> TriggerReason {
        match self {
            Self::Entered { .. } | Self::Left { .. } => TriggerReason::ZoneTrigger,
            Self::Time { .. } => TriggerReason::TimeTrigger,
            _ => TriggerReason::WorldEvent,
        }
    }
}

/// When a trigger fires by itself, and which characters respond.
///
/// ```ron
/// triggers: [(id: "tower_gate", fires: (
///     on: Entered(place: "gate"), npcs: ["guard"], when: Flag("night"),
///     prompt: "Somebody comes to the gate.", cooldown_seconds: 60.0,
/// ))]
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename = "Firing", deny_unknown_fields)]
pub struct FiringSpec {
    /// What has to happen.
    pub on: Occasion,
    /// The ids of the characters that respond. Left out, those at the place where the actor came or went; needed otherwise.
    #[serde(default)]
    pub npcs: Vec<String>,
    /// What must hold then, for each character that responds; always, where left out.
    #[serde(default)]
    pub(crate) when: RuleCondition,
    /// What the trigger asks of the character.
    pub prompt: Option<String>,
    /// How much game time must pass before it fires again, in seconds; 0 where left out.
    #[serde(default)]
    pub cooldown_seconds: f64,
    /// Whether it fires once in a game.
    #[serde(default)]
    pub once: bool,
}

/// A [`FiringSpec`] that was checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Firing {
    /// The id of its trigger.
    pub trigger: Id,
    /// What has to happen.
    pub on: Occasion,
    /// The time of an [`Occasion::Time`]; the beginning of the game for every other occasion.
    pub at: GameTime,
    /// The characters that respond; empty: those at the place.
    pub npcs: Vec<Id>,
    /// What must hold then.
    pub(crate) when: RuleCondition,
    /// What the trigger asks of the character.
    pub prompt: Option<String>,
    /// How much game time must pass before it fires again.
    pub cooldown: Millis,
    /// Whether it fires once in a game.
    pub once: bool,
}

impl FiringSpec {
    /// Checks it. `base` is its place in the file.
    pub(crate) fn compile(&self, trigger: &Id, base: &str) -> Result<Firing, Vec<Problem>> {
        let mut problems = Vec::new();
        let mut npcs = Vec::new();
        for (i, npc) in self.npcs.iter().enumerate() {
            match Id::new(npc) {
                Ok(id) => npcs.push(id),
                Err(error) => {
                    problems.push(Problem::new(format!("{base}/npcs/{i}"), error.to_string()));
                }
            }
        }
        let has_place = matches!(self.on, Occasion::Entered { .. } | Occasion::Left { .. });
        if self.npcs.is_empty() && !has_place {
            let message = "it must say which characters respond: npcs: [..]";
            problems.push(Problem::new(format!("{base}/npcs"), message));
        }
        let cooldown = Millis::from_seconds(self.cooldown_seconds).filter(|wait| wait.0 >= 0);
        if cooldown.is_none() {
            let message = "it is a number of seconds, 0 to 10^12";
            problems.push(Problem::new(format!("{base}/cooldown_seconds"), message));
        }
        let mut at = GameTime(0);
        if let Occasion::Time { seconds } = self.on {
            match Millis::from_seconds(seconds).filter(|time| time.0 > 0) {
                Some(time) => at = GameTime(time.0),
                None => problems.push(Problem::new(
                    format!("{base}/on"),
                    "a time is a number of seconds, more than 0, at most 10^12",
                )),
            }
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Firing {
            trigger: trigger.clone(),
            on: self.on.clone(),
            at,
            npcs,
            when: self.when.clone(),
            prompt: self.prompt.clone(),
            cooldown: cooldown.unwrap_or_default(),
            once: self.once,
        })
    }
}
