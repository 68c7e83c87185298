//! The steps of the visit.

use bevy_dramatis::base::GameTime;
use bevy_dramatis::inspector::Tab;
use bevy_dramatis::world::WorldState;

/// A step.
#[derive(Clone, Copy)]
pub(super) enum Step {
    /// Something is said, done or asked for; what follows waits for the answer.
    Say(&'static str),
    /// Game time moves on to this; the next step waits for this number of answers.
    Until(GameTime, usize),
    /// A storm rises, or dies down.
    Storm,
    /// The inspector shows a panel, or none.
    Look(Tab),
    Close,
    /// The inspector shows this attempt of the newest run.
    Attempt(usize),
    /// A picture is taken; the name of its file, without `.png`.
    Take(&'static str),
    /// By now this must hold; otherwise the visit ends with an error.
    Check(&'static str, fn(&WorldState) -> bool),
}
