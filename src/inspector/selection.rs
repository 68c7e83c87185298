//! What the user looks at: the tab, the run, the attempt, the character, and the text of the searches.

use super::past::Past;
use super::plans::PlanAnswer;
use super::tab::Tab;
use super::what_if::WhatIf;
use crate::adventure::views::Viewer;
use crate::engine::Stage;
use bevy::prelude::*;

/// What the user has chosen to look at. A game can set it, to open the inspector at a place.
#[derive(Resource, Debug, Clone, Default, PartialEq, Eq, Reflect)]
#[reflect(Resource)]
pub struct Selection {
    /// The tab that is brought to the front in the next frame; `None` again after that.
    pub tab: Option<Tab>,
    /// The entity of the run; `None`, and one that is gone: always the newest.
    pub run: Option<Entity>,
    /// The index of the attempt; `None`: always the last.
    pub attempt: Option<usize>,
    /// Which runs are listed.
    #[reflect(ignore)]
    pub(crate) runs: RunFilter,
    /// The id of the character; `None`, and one that is gone: the first.
    pub npc: Option<String>,
    /// Which characters are listed: those whose id or name holds these words; empty: all.
    pub characters: String,
    /// What the chosen character's memory is asked for; empty: nothing.
    pub query: String,
    /// The id of the actor whose actions are shown; `None`, and one that is gone: the first.
    pub actor: Option<String>,
    /// Which things of the world are listed: those whose id, name or kind holds these words; empty: all.
    pub things: String,
    /// Who looks at the stream; `None`: a developer, who sees most.
    #[reflect(ignore)]
    pub(crate) viewer: Option<Viewer>,
    /// The id of the persona or character through whose eyes the stream is shown; `None`: the first one.
    pub viewed_as: Option<String>,
    /// The id of the rule that is shown first; `None`: none.
    pub rule: Option<String>,
    /// Which rules are listed: those whose id, owner or words hold this; empty: all.
    pub rules: String,
    /// Whether only rules without findings are listed.
    pub unused_rules: bool,
    /// The number of the record of the journal that is shown; `None`: always the newest.
    pub record: Option<u64>,
    /// What is tried out with the run of that record.
    #[reflect(ignore)]
    pub(crate) what_if: WhatIf,
    /// The game as it was after a record that was chosen.
    #[reflect(ignore)]
    pub(super) past: Past,
    /// What was answered to a plan just now; the inspector sends it.
    #[reflect(ignore)]
    pub plan_answer: Option<PlanAnswer>,
}

impl Selection {
    /// Shows a run: "what did he just think?" A search among the runs is cleared.
    pub fn show_run(&mut self, run: Entity) {
        self.tab = Some(Tab::Runs);
        self.runs = RunFilter::default();
        self.run = Some(run);
        self.attempt = None;
    }

    /// Shows a rule.
    pub fn show_rule(&mut self, rule: &str) {
        self.tab = Some(Tab::Rules);
        self.rule = Some(rule.to_owned());
        self.rules.clear();
        self.unused_rules = false;
    }

    /// Shows a character's memory.
    pub fn show_memory(&mut self, npc: &str) {
        self.tab = Some(Tab::Memory);
        self.npc = Some(npc.to_owned());
    }
}

/// Which runs are listed. By default all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RunFilter {
    /// Those whose character's id, or what it was told, holds these words, whatever the case; empty: all.
    pub words: String,
    /// Those of the character with this id; `None`: all.
    pub npc: Option<String>,
    /// Those of this stage; `None`: all.
    pub stage: Option<Stage>,
    /// Those with this status; `None`: all.
    pub status: Option<RunStatus>,
}

/// The status of a run, for a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunStatus {
    /// It goes on.
    Live,
    /// It was accepted at once.
    Accepted,
    /// It was accepted after an attempt that failed.
    Retried,
    /// An authored line was spoken instead.
    Fallback,
    /// It was rejected, or failed without a line.
    Failed,
    /// The game has cancelled it before it ended.
    Cancelled,
}
