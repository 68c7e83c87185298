//! From words and raw fields to an action: parsers, the names of things, references, and what makes an intent.

pub(crate) mod imperative;
pub(crate) mod name_key;
pub(crate) mod normalise;
pub(crate) mod parser;
pub(crate) mod reference;
