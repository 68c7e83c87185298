//! The pipeline: nine components, one file each, in the order in which an interaction goes through them.
//!
//! | # | file | reads | leaves on the run |
//! |---|---|---|---|
//! | 1 | [`interaction`] | a request | [`InteractionContext`] |
//! | 2 | [`expectancy`] | rules, flags, facts | [`ConstraintSet`] |
//! | 3 | [`retrieval`] | the mind, the story | [`RetrievedContext`] |
//! | 4 | [`snapshot`] | all of these | [`StateSnapshot`], frozen and hashed |
//! | 5 | [`prompt`] | the snapshot alone | [`AssembledPrompt`] |
//! | 6 | [`inference`] | the prompt alone | [`Inference`] |
//! | 7 | [`validation`] | the reply, the snapshot, the live world | [`Verdict`](crate::gate::Verdict) |
//! | 8 | [`mutation`] | what was approved | [`MutationReport`], events |
//! | 9 | [`retry`] and [`fallback`] | what failed | [`Outcome`] |
//!
//! A [`run`] is an entity related to its character by [`RunOf`]; its whole state is there at any moment, as components that
//! cannot be changed in place. What comes and goes in a run is kept in sparse sets, so that nothing else is moved for it. Each file holds a pure function with its tests, and a *step* that calls it for one run. One
//! driver takes the runs from step to step, in the order of their numbers, and ends a run that lacks something with a
//! [`RunFault`], so that no run can hang.
//!
//! Beside the components: [`policy`] (how a run goes about it), [`delivery`] (a reply that is heard sentence by sentence), [`attempt`] (what is kept of each attempt), [`outcome`] and [`finish`] (how runs end), [`systems`] (the system sets), [`hook`] (where a journal is called).

pub mod attempt;
pub(crate) mod attempt_log;
mod closed_since;
pub mod crowd;
pub mod default_engine;
pub mod delivery;
pub(crate) mod driver;
pub mod engine_room;
pub mod expectancy;
pub mod fallback;
pub mod finish;
mod hanging;
pub mod heard;
pub mod hook;
pub(crate) mod identify;
pub mod inference;
pub mod interaction;
pub mod kept_affordances;
mod kept_schema;
pub(crate) mod listening;
pub mod mutation;
pub mod outcome;
pub mod overhearing;
pub mod policy;
pub mod prompt;
mod repetition;
pub mod retraction;
pub mod retrieval;
pub mod retry;
pub mod run;
pub(crate) mod sealed;
pub mod snapshot;
pub(crate) mod speaking;
pub mod stage;
pub(crate) mod stage_start;
pub(crate) mod stage_steps;
pub(crate) mod step;
pub mod systems;
pub(crate) mod thinking;
mod too_late;
pub mod validation;
pub(crate) mod waiting_runs;
pub(crate) mod warming;
pub mod watch_engines;

pub use attempt::{
    AttemptError, AttemptFailure, AttemptLog, AttemptOutOfRange, AttemptRecord, ParsedReply,
};
pub use default_engine::set_default_engine;
pub use engine_room::{EngineRoom, WaitsForTurn};
pub use expectancy::ConstraintSet;
pub use finish::RunHistory;
pub use heard::{HeardSentence, HeardSentences};
pub use inference::{CallInFlight, Inference};
pub use interaction::InteractionContext;
pub use mutation::{AppliedChanges, ApprovedIntents, MutationGuards, MutationReport};
pub use outcome::{FallbackTier, Outcome};
pub use overhearing::Overhearing;
pub use policy::{Delivery, DialoguePolicy, Escalation, RunPolicy};
pub use prompt::{AssembledPrompt, CutItem, CutKind, CutReason, PromptBudget, Section};
pub use retraction::{RetractError, Retracted, Retraction, Retractions, retract_line};
pub use retrieval::{RetrievalSummary, RetrievedContext};
pub use run::{ActiveRun, Run, RunOf, RunPhase, Runs};
pub use sealed::SealedInput;
pub use snapshot::StateSnapshot;
pub use stage::{StageForm, StageHost, StageResult, StageSnapshot, StageTask, StepCheck};
pub use step::RunFault;
pub use watch_engines::EngineStatuses;
