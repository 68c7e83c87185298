//! Who may write what.

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// How binding a kind of memory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) enum Authority {
    /// A belief, or a relationship: what a character takes to be true. Its authority is 25.
    Belief = 25,
    /// An episode: what a character has lived through. Its authority is 50.
    Episode = 50,
    /// A world fact, which the game sets. Its authority is 75.
    WorldFact = 75,
    /// Canon, which the designer sets. Its authority is 100.
    #[cfg_attr(not(test), expect(dead_code, reason = "no write reaches canon"))]
    Canon = 100,
}

/// Where a write comes from, and how much it may write: a source writes every level that is not higher than its own
/// number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum WriteSource {
    /// A model's words that the gate has not judged. Their authority is 25.
    LlmSuggestion = 25,
    /// A model's words that passed the gate. Their authority is 50.
    ValidatedOutput = 50,
    /// The game. Its authority is 75.
    GameSystem = 75,
    /// The designer. The authority is 100.
    Designer = 100,
}

impl WriteSource {
    /// The name of the source in records, such as `game_system`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LlmSuggestion => "llm_suggestion",
            Self::ValidatedOutput => "validated_output",
            Self::GameSystem => "game_system",
            Self::Designer => "designer",
        }
    }
}

/// A write that was blocked, since its source has too little authority. Nothing was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("{from:?} has no authority to write a {level:?}")]
pub(crate) struct AuthorityError {
    /// The source of the write.
    pub from: WriteSource,
    /// The level that the write aimed at, higher than its source may write.
    pub level: Authority,
}

/// A write needs a source at least as high as the level.
///
/// # Errors
/// `AuthorityError` when it is lower.
pub(crate) fn check_authority(source: WriteSource, level: Authority) -> Result<(), AuthorityError> {
    if (source as u8) < level as u8 {
        return Err(AuthorityError {
            from: source,
            level,
        });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m1_the_matrix() {
        use Authority as A;
        use WriteSource as S;
        let levels = [A::Belief, A::Episode, A::WorldFact, A::Canon];
        for (source, allowed) in [
            (S::LlmSuggestion, 1),
            (S::ValidatedOutput, 2),
            (S::GameSystem, 3),
            (S::Designer, 4),
        ] {
            for (i, level) in levels.into_iter().enumerate() {
                assert_eq!(
                    check_authority(source, level).is_ok(),
                    i < allowed,
                    "{source:?} {level:?}"
                );
            }
        }
    }
}
