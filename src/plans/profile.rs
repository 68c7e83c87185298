//! Profiles and answers: how much is asked, and what is answered.

use bevy::reflect::Reflect;
use serde::{Deserialize, Serialize};

/// How much a player is asked. The profile in force is the stricter of the one that is set and the game's ceiling.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Profile {
    /// The player is asked about every plan.
    Safe,
    /// The player is asked about plans that are risky or of poor quality. The default.
    #[default]
    Dev,
    /// The player is asked only about risky plans.
    FullAuto,
}

impl Profile {
    /// All profiles, the strictest first.
    pub const ALL: [Self; 3] = [Self::Safe, Self::Dev, Self::FullAuto];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Safe => "SAFE",
            Self::Dev => "DEV",
            Self::FullAuto => "FULL_AUTO",
        }
    }

    /// The next stricter profile; the strictest one returns itself.
    #[must_use]
    pub fn lower(self) -> Self {
        match self {
            Self::Safe | Self::Dev => Self::Safe,
            Self::FullAuto => Self::Dev,
        }
    }

    /// The stricter of two.
    #[must_use]
    pub fn stricter(self, other: Self) -> Self {
        self.min(other)
    }
}

/// What a gate answers. Of several answers the one that is later in this list wins.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Reflect,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Answer {
    /// It has nothing to say.
    Pass,
    /// It may be done.
    Allow,
    /// A player has to be asked.
    Confirm,
    /// It must not be done.
    Deny,
}
