//! What a player asks for.

use crate::base::ids::Id;

/// What a player submits.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::adventure::PlayerTurn;
/// use bevy_dramatis::prelude::*;
///
/// fn knock(mut commands: Commands) {
///     commands.play_turn(PlayerTurn::new(id!("player"), "I knock at the door."));
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerTurn {
    /// The id of the persona whose turn it is.
    pub persona: Id,
    /// What it wants to do; `None`: a model is asked.
    pub intention: Option<String>,
    /// What it thinks; `None`: nothing, or what the model says. No other actor sees it.
    pub thought: Option<String>,
    /// The ids of those to whom it whispers; empty: it does not whisper.
    pub whisper_to: Vec<Id>,
}

impl PlayerTurn {
    /// A turn of this persona, who wants to do this.
    #[must_use]
    pub fn new(persona: Id, intention: impl Into<String>) -> Self {
        Self {
            persona,
            intention: Some(intention.into()),
            thought: None,
            whisper_to: Vec::new(),
        }
    }
}
