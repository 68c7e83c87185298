//! What a writer writes: RON files and their types, parsed by one pure function that the asset loaders, the
//! scenario runner and the linter share (contract row X1).
//!
//! | ending | written as | becomes |
//! |---|---|---|
//! | `.npc.ron` | [`NpcSpec`] | [`Character`] |
//! | `.story.ron` | [`StorySpec`] | [`StoryBook`] |
//! | `.rules.ron` | one [`crate::rules::RuleSpec`] | part of these |
//! | `.rulebook.ron` | [`crate::judged_world::rulebook::Rulebook`] | itself |
//! | `.script.ron` | [`crate::engine::ScriptSpec`] | [`crate::engine::ScriptedEngine`] |
//! | `.scenario.ron` | [`crate::scenario::ScenarioSpec`] | a played scene |
//!
//! Every error names file, line and column. An unknown field is an error, also deep inside an inline part.

pub mod adventure_settings;
pub mod asset_source;
pub mod assets;
pub mod character;
pub mod files;
mod language;
pub mod npc_spec;
pub mod policy_spec;
pub mod story_book;
pub mod story_spec;

pub use asset_source::{AssetKind, AssetSource};
pub use character::Character;
pub use files::{FileSource, Files, MemoryFiles, NoFiles};
pub use npc_spec::{FailureKind, FallbackSpec, NpcSpec};
pub use story_book::StoryBook;
pub use story_spec::StorySpec;
