//! What somebody looks at: the tab, the run, the attempt, the NPC.

use bevy::prelude::{Entity, Resource};

/// What the window shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Tab {
    /// The runs.
    #[default]
    Runs,
    /// The memory of each NPC.
    Memory,
    /// The engine and the counters.
    Engine,
}

/// What somebody has chosen to look at.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq)]
pub struct Selection {
    /// The tab.
    pub tab: Tab,
    /// The run; the newest where none is chosen.
    pub run: Option<Entity>,
    /// The attempt; the last where none is chosen.
    pub attempt: Option<usize>,
    /// The NPC; the first where none is chosen.
    pub npc: Option<String>,
}
