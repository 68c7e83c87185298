//! How to recognize a packed body, and where its pieces are.

use crate::journal::store::error::StoreProblem;

/// Larger bodies are not cut up, in bytes: a parsed one takes several times its length in memory, and a hostile file can ask for
/// that.
pub(super) const MOST_PARSED: usize = 1 << 20;

pub(super) const MARK: &str = r#"{"$packed":"#;
pub(super) const PACKED: &str = r#"{"$packed":1,"#;
pub(super) const QUOTED: &str = r#"{"$packed":0,"body":"#;

/// The field of a body and of its attempts that is kept as a whole.
pub(super) const CONSTRAINTS: &str = "constraints";
/// The field of a body that lists its attempts.
pub(super) const ATTEMPTS: &str = "attempts";
/// The field of an attempt that is kept in pieces.
pub(super) const PROMPT: &str = "prompt";

pub(super) const MALFORMED: StoreProblem = StoreProblem::Corrupt {
    what: "a packed body is malformed",
    seq: None,
};
