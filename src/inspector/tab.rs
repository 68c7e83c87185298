//! The panels by name.

use bevy::prelude::Reflect;

/// The panels of the inspector.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Reflect)]
pub enum Tab {
    /// The runs, live and past, with what each of the nine components left of their attempts.
    #[default]
    Runs,
    /// The prompt of a run: its sections with their sizes, what was cut, and what differs from the one before.
    Prompt,
    /// The characters: their senses and states, and what waits for them.
    Characters,
    /// What each character remembers, and what it would remember of a question.
    Memory,
    /// The judged world: what is where, and what an actor can do now, or why not.
    World,
    /// The messages of an adventure, as each stage sees them.
    Stream,
    /// The plans, with those that wait for an answer.
    Plans,
    /// The rules, and what they have found.
    Rules,
    /// The engines: what they can do, how they are doing, and how long they took.
    Engine,
    /// The records of the journal, one at a time.
    Journal,
}

impl Tab {
    /// All of them, in their first order.
    pub const ALL: [Self; 10] = [
        Self::Runs,
        Self::Prompt,
        Self::Characters,
        Self::Memory,
        Self::World,
        Self::Stream,
        Self::Plans,
        Self::Rules,
        Self::Engine,
        Self::Journal,
    ];

    /// The title of the tab.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Runs => "Runs",
            Self::Prompt => "Prompt",
            Self::Characters => "Characters",
            Self::Memory => "Memory",
            Self::World => "World",
            Self::Stream => "Stream",
            Self::Plans => "Plans",
            Self::Rules => "Rules",
            Self::Engine => "Engine",
            Self::Journal => "Journal",
        }
    }
}
