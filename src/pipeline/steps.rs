//! The nine steps of a run, in the order of the table in [`pipeline`](crate::pipeline).

pub(crate) mod choice;
pub(crate) mod expectancy;
pub(crate) mod fallback;
pub(crate) mod inference;
pub(crate) mod interaction;
pub(crate) mod mutation;
pub(crate) mod prompt;
pub(crate) mod retrieval;
pub(crate) mod retry;
pub(crate) mod snapshot;
pub(crate) mod validation;
