//! A journal in a file.

pub(in crate::journal) mod beginning;
pub(crate) mod events;
pub(in crate::journal) mod fresh_file;
pub(crate) mod plugin;
pub(in crate::journal) mod previous_game;
pub(in crate::journal) mod prune;
pub(in crate::journal) mod read_ahead;
pub(crate) mod reader;
pub(in crate::journal) mod writer;
