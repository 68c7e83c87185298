//! Profiles and answers: how much is asked, and what is answered.

use serde::{Deserialize, Serialize};

/// How much a player is asked. In force is the stricter of the game's ceiling and what is set.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Profile {
    /// Everything is asked.
    Safe,
    /// What is risky or poor is asked. The default.
    #[default]
    Dev,
    /// Only what is risky is asked.
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

/// What a gate answers. The later one beats the earlier.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
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
