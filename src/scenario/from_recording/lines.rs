//! The steps of a scenario, and the replies that they need, as they are written.

use super::text::seconds;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::engine::Stage;

/// What is written of a scenario so far.
pub(super) struct Lines {
    pub steps: Vec<String>,
    pub replies: Vec<String>,
    /// How many runs the trace will have.
    pub runs: usize,
    /// How many turns the trace will have.
    pub turns: usize,
    /// Game time after the steps so far.
    pub now: GameTime,
}

impl Lines {
    /// Nothing yet, at this time.
    pub fn begin(now: GameTime) -> Self {
        Self {
            steps: Vec::new(),
            replies: Vec::new(),
            runs: 0,
            turns: 0,
            now,
        }
    }

    /// Game time moves on to here.
    pub fn advance(&mut self, to: GameTime) {
        let span = Millis(to.0.saturating_sub(self.now.0));
        if span.0 > 0 {
            let step = format!("Advance(seconds: {})", seconds(span));
            self.steps.push(step);
            self.now = to;
        }
    }
}

/// What a scenario is about, and where its trace will show what came of it. All numbers count from 0.
pub(super) struct Wished {
    /// The id of whose reply or turn it is; `None` for the lore extractor.
    pub npc: Option<Id>,
    pub place: WishedPlace,
}

/// Where a trace shows what came of what a scenario is about.
pub(super) enum WishedPlace {
    /// An attempt of a run.
    Attempt {
        stage: Stage,
        run: usize,
        attempt: u32,
    },
    /// A plan, and the run that wrote its steps.
    Plan { plan: usize, run: usize },
    /// The turn of an actor.
    Turn {
        turn: usize,
        actions: RecordedActions,
    },
}

/// What became of the actions of a turn when it was recorded.
pub(super) struct RecordedActions {
    /// How many were judged.
    pub judged: usize,
    /// How many could not be read.
    pub rejected: usize,
}

impl RecordedActions {
    /// How many there were.
    pub fn count(&self) -> usize {
        self.judged + self.rejected
    }
}
