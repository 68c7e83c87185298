//! What somebody looks at: the tab, the run, the attempt, the NPC.

use super::plans::PlanAnswer;
use bevy::prelude::*;

/// The tabs of the window.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Reflect)]
pub enum Tab {
    /// The runs, live and past, with their attempts.
    #[default]
    Runs,
    /// What each NPC remembers.
    Memory,
    /// The plans, with those that wait for an answer.
    Plans,
    /// The default engine and what it can do, and the counters.
    Engine,
}

/// What somebody has chosen to look at.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource)]
pub struct Selection {
    /// The tab that is open.
    pub tab: Tab,
    /// The entity of the run; `None`: always the newest.
    pub run: Option<Entity>,
    /// The index of the attempt; `None`: always the last.
    pub attempt: Option<usize>,
    /// The id of the NPC; `None`: the first.
    pub npc: Option<String>,
    /// What was answered to a plan just now; the inspector sends it.
    #[reflect(ignore)]
    pub plan_answer: Option<PlanAnswer>,
}
