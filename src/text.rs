//! Text as the gate sees it: folding with a way back to the original, patterns, sentences, and the lexicon.
//!
//! Nothing here knows of characters, worlds or engines. Everything is a pure function of its input.

pub mod controls;
pub mod fold;
pub mod lexicon;
pub mod pattern;
pub mod sentence;
pub mod words;

pub use controls::without_controls;
pub use fold::{FoldedText, Span};
pub use lexicon::Lexicon;
pub use pattern::{PatternError, PatternId, PatternSet};
