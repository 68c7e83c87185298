//! The demo program around the seam.

pub mod arguments;
pub mod artifact;
pub mod artifact_rules;
pub mod cli;
pub mod decide;
pub mod gateway;
pub mod generator;
pub mod json;
pub mod order;
pub mod proposal_set;
pub mod records;
pub mod wrapper;
