//! The dialect that every authored file is written in: RON, with places in errors.
//!
//! This is the ground floor of authoring: it knows no type of any other room.

pub(crate) mod error;
mod field_error;
pub(crate) mod inline;
#[cfg(feature = "json")]
mod json;
#[cfg(any(feature = "cli", fuzzing))]
pub(crate) mod layout;
pub(crate) mod literal;
pub(crate) mod outline;
pub(crate) mod pointer;
mod scanner;
pub(crate) mod source_text;
mod syntax;
pub(crate) mod unique;

pub use error::{AuthoringError, Problem, parse_ron};
pub(crate) use field_error::Name;
pub(crate) use inline::Inline;
pub(crate) use source_text::SourceText;

/// For the fuzz target: a source in the style of `dramatis fmt`.
#[cfg(fuzzing)]
#[doc(hidden)]
pub fn formatted_for_fuzzing(source: &str) -> String {
    layout::formatted(source)
}
