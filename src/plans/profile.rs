//! Profiles and answers: how much is asked, and what is answered (contract row A7).

use serde::{Deserialize, Serialize};

/// How much a player is asked. In force is the stricter of the game's ceiling and what is set.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[allow(non_camel_case_types, reason = "the names of the files")]
pub enum Profile {
    /// Everything is asked.
    SAFE,
    /// What is risky or poor is asked. The default.
    #[default]
    DEV,
    /// Only what is risky is asked.
    FULL_AUTO,
}

impl Profile {
    /// All profiles, the strictest first.
    pub const ALL: [Self; 3] = [Self::SAFE, Self::DEV, Self::FULL_AUTO];

    /// Its name in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::SAFE => "SAFE",
            Self::DEV => "DEV",
            Self::FULL_AUTO => "FULL_AUTO",
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
pub enum Answer {
    /// It has nothing to say.
    PASS,
    /// It may be done.
    ALLOW,
    /// A player has to be asked.
    CONFIRM,
    /// It must not be done.
    DENY,
}
