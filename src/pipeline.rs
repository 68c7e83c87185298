//! The corridor: nine components, one file each, in the order in which a thought walks them.
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
//! | 9 | [`fallback`] and [`retry`] | what failed | [`Outcome`] |
//!
//! A run is an entity related to its NPC by [`RunOf`]; its whole state is there at any moment. [`run`] holds its
//! phases and its end. The files are a functional core (pure functions with tests) under a thin shell of systems.

pub mod expectancy;
pub mod fallback;
pub mod hook;
pub mod inference;
pub mod interaction;
pub mod mutation;
pub mod prompt;
pub mod retrieval;
pub mod retry;
pub mod run;
pub mod snapshot;
pub mod validation;

pub use expectancy::ConstraintSet;
pub use fallback::FallbackTier;
pub use inference::Inference;
pub use interaction::InteractionContext;
pub use mutation::{ApprovedIntents, MutationGuards, MutationReport};
pub use prompt::{AssembledPrompt, PromptBudget, Section};
pub use retrieval::RetrievedContext;
pub use retry::Escalation;
pub use run::{
    AttemptError, AttemptLog, AttemptRecord, Outcome, Run, RunHistory, RunOf, RunPhase, RunPolicy,
    Runs,
};
pub use snapshot::StateSnapshot;
