//! What a reply is read with (contract row G1).

use serde::Serialize;

/// Why the engine stopped (SCENARIO.md section 1, `finish`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize)]
pub enum Finish {
    /// It had said all it wanted.
    #[default]
    Stop,
    /// It was cut at its limit: prose loses its unfinished tail, an envelope is refused.
    Length,
}

/// What a reply is read with (contract row G1).
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub struct ParseOptions<'a> {
    /// Why the engine stopped.
    pub finish: Finish,
    /// Names whose leading `Name:` is a label and no speech: the character's own name and id. Compared folded; an
    /// empty name fits nothing.
    pub known_names: &'a [String],
}
