//! The pipeline: nine steps, one file each in `steps`, in the order in which an interaction goes through them.
//!
//! | # | step | reads | leaves on the run |
//! |---|---|---|---|
//! | 1 | `interaction` | a request | [`InteractionContext`] |
//! | 2 | `expectancy` | rules, flags, facts | [`ConstraintSet`] |
//! | 3 | `retrieval` | the mind, the story | [`RetrievedContext`] |
//! | 4 | `snapshot` | all of these | `StateSnapshot`, frozen and hashed |
//! | 5 | `prompt` | the snapshot alone | `AssembledPrompt` |
//! | 6 | `inference` | the prompt alone | [`Inference`] |
//! | 7 | `validation` | the reply, the snapshot, the live world | [`Verdict`](crate::gate::Verdict) |
//! | 8 | `mutation` | what was approved | [`MutationReport`], events |
//! | 9 | `retry` and `fallback` | what failed | [`Outcome`] |
//!
//! In the form [`Form::Apart`] an attempt takes the steps 4 to 6 twice: first for the character's action, which the step
//! `choice` judges, and then for its words. A separate run, which `remembering` begins, asks what the character remembers.
//!
//! A `run` is an entity related to its character by `RunOf`; its whole state is there at any moment, as components that cannot
//! be changed in place. Components that come and go in a run are kept in sparse sets, so that no other data is moved for them.
//! Most steps are a pure function with its tests, and a system that calls it for one run. The driver takes the runs from step to
//! step, in the order of their numbers, and ends a run that lacks something with a [`RunFault`], so that no run can hang.
//!
//! | folder | what it holds |
//! |---|---|
//! | `steps` | the nine steps, and `choice` between the two calls of an attempt |
//! | `run` | a run, its attempts, and how it ends |
//! | `driver` | what calls the steps: system sets, and the hooks of a journal |
//! | `listening` | replies that are heard sentence by sentence while they come |
//! | `stage` | runs of stages of an adventure or a plan, which differ in some steps |
//! | `engine_room` | engines: whose turn it is, what calls cost, whether a server is up |
//!
//! [`RunPolicy`] sets the options of a run: how many attempts, how long, with which fallback.

mod background;
pub(crate) mod diary;
pub(crate) mod driver;
pub(crate) mod engine_room;
pub(crate) mod events;
pub(crate) mod listening;
pub(crate) mod remembering;
pub(crate) mod run;
pub(crate) mod stage;
pub(crate) mod steps;

pub use crate::policy::{Delivery, DialoguePolicy, Escalation, Form, RunPolicy};
pub use driver::step::RunFault;
#[cfg(feature = "inspector")]
pub(crate) use engine_room::EngineRoom;
pub(crate) use engine_room::WaitsForTurn;
pub use engine_room::default_engine::EngineCommandsExt;
pub use engine_room::sealed::SealedInput;
pub use engine_room::watch_engines::EngineStatuses;
pub(crate) use listening::heard::HeardSentences;
pub use listening::overhearing::Overhearing;
pub(crate) use run::RunPhase;
pub use run::attempt::{AttemptError, AttemptLog, AttemptRecord};
pub(crate) use run::attempt::{ChoiceRecord, ParsedReply};
pub use run::finish::RunHistory;
pub use run::outcome::{FallbackTier, Outcome};
pub(crate) use run::retraction::Retractions;
pub use run::{ActiveRun, Run, RunOf, Runs};
pub use stage::template::{StageTemplates, TemplateError};
pub use stage::template_files::{TemplateAsset, TemplateFiles};
pub(crate) use stage::{ListCheck, StageForm, StageHost, StageResult, StageSnapshot, StageTask};
pub use steps::expectancy::{ConstraintSet, RustRule};
pub use steps::inference::CallInFlight;
pub(crate) use steps::inference::Inference;
pub use steps::interaction::InteractionContext;
pub use steps::mutation::{AppliedChanges, ApprovedIntents, MutationReport};
pub use steps::prompt::PromptBudget;
pub(crate) use steps::prompt::Section;
#[cfg(any(test, feature = "inspector"))]
pub(crate) use steps::prompt::{AssembledPrompt, CutItem, CutKind};
pub(crate) use steps::retrieval::RetrievalSummary;
pub use steps::retrieval::RetrievedContext;
pub(crate) use steps::snapshot::StateSnapshot;

#[cfg(test)]
mod tests;
