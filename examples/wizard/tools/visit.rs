//! The scripted visit: what happens in it, and what must hold in between.

mod holds;
mod script;

pub use holds::{has, is, is_in};
pub use script::VISIT;

use bevy_dramatis::adventure::Stream;
use bevy_dramatis::base::GameTime;
use bevy_dramatis::world::WorldState;

/// Bryn comes in at eight in the evening, an hour of the tower's day after the beginning (`assets/tower.story.ron`), and goes an
/// hour later.
pub const VISIT_OF_BRYN: [GameTime; 2] = [GameTime(75_000), GameTime(150_000)];

/// A step of the visit.
pub enum Step {
    /// The traveller knocks.
    Knock,
    /// The traveller says something, or does something after a `>`.
    Enter(&'static str),
    /// The traveller was asked which one is meant, and answers with its id.
    Answer(&'static str),
    /// A storm rises, and throws the bar as soon as the wizard thinks; or it dies down.
    Weather,
    /// The traveller asks for something that takes a plan, and says yes to it; and what is taken away meanwhile.
    Wish(&'static str, Option<&'static str>),
    /// Bryn comes in, talks with the wizard, and goes again.
    BrynComesIn,
    /// The traveller does something, and it is told.
    Tell(&'static str),
    /// What was told last is taken back.
    Undo,
    /// By now the stream must hold this.
    CheckTale(&'static str, fn(&Stream) -> bool),
    /// By now this must hold.
    Check(&'static str, fn(&WorldState) -> bool),
}
