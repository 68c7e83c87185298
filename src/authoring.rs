//! What a writer writes: RON files and their types, parsed by one pure function that the asset loaders, the
//! scenario runner and the linter share.
//!
//! [The page on files](crate::guide::files) lists every kind of file and every field.
//!
//! Every error names file, line and column. An unknown field is an error, also deep inside an inline part.

pub(crate) mod adventure_settings;
pub(crate) mod asset_source;
pub(crate) mod assets;
pub(crate) mod character;
pub(crate) mod files;
mod language;
pub(crate) mod npc_spec;
pub(crate) mod policy_spec;
pub(crate) mod routine;
pub(crate) mod rulebooks;
pub(crate) mod story_book;
pub(crate) mod story_spec;

pub use adventure_settings::{BandLevels, ExtractEvery, OnExtractorFailure, VoiceSetting};
pub use asset_source::AssetSource;
pub use assets::{AssetError, CharacterAsset, ScriptAsset, StoryAsset};
pub use character::Character;
pub use files::{FileSource, Files, NoFiles};
pub(crate) use npc_spec::{FailureKind, FallbackSpec, NpcSpec};
pub use story_book::StoryBook;
pub(crate) use story_spec::LoreSpec;
pub(crate) use story_spec::StorySpec;
