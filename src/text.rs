//! Text as the gate sees it: folding with a way back to the original, patterns, sentences, and the lexicon.
//!
//! Nothing here knows of characters, worlds or engines. Everything is a pure function of its input.
//!
//! Authors write patterns in four forms (SCENARIO.md section 1, "Patterns"):
//!
//! | pattern | hits |
//! |---|---|
//! | `secret` | the whole word, whatever its case, width or look-alike letters |
//! | `assassin*` | every word that begins so |
//! | `crown jewels` | these words one after the other, with any white space between them |
//! | `/o+ps/` | a regular expression, case-insensitive |
//!
//! ```
//! use bevy_dramatis::text::{FoldedText, PatternSet};
//!
//! let patterns = PatternSet::compile(["secret", "assassin*", "crown jewels"])?;
//! let hits = patterns.scan(&FoldedText::new("A ＳＥＣＲＥＴ of assassins"));
//! assert_eq!(hits.first(0).map(|span| span.start), Some(2));
//! assert_eq!(hits.first(1).map(|span| span.text.as_str()), Some("assassins"));
//! assert_eq!(hits.first(2), None);
//! # Ok::<(), bevy_dramatis::text::PatternError>(())
//! ```

pub mod controls;
pub mod excerpt;
pub mod fold;
pub mod lexicon;
pub mod pattern;
pub mod prompt_words;
pub mod reading;
pub mod readings;
pub mod reveal;
pub mod sentence;
pub mod words;

pub use controls::{is_visible, without_controls};
pub use excerpt::{excerpt, name_excerpt};
pub use fold::{FoldedText, Span};
pub use lexicon::Lexicon;
pub use pattern::{PatternError, PatternId, PatternSet};
pub use prompt_words::PromptWords;
pub use reading::Reading;
pub use readings::{LookIn, Readings};
pub use reveal::{bare, reveal};
