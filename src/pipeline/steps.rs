//! The nine steps of a run, in the order of the table in [`pipeline`](crate::pipeline).

pub mod expectancy;
pub mod fallback;
pub mod inference;
pub mod interaction;
pub mod mutation;
pub mod prompt;
pub mod retrieval;
pub mod retry;
pub mod snapshot;
pub mod validation;
