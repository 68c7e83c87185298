//! From words and raw fields to an action: parsers, the names of things, references, and what makes an intent.

pub mod imperative;
pub mod name_key;
pub mod normalise;
pub mod parser;
pub mod reference;
