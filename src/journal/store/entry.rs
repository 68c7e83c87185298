//! What goes into a journal, and what comes out.

pub use crate::journal::saved_game::StateRow;

/// The most bytes that a body, a kept text or a state row may have: 16 MiB.
pub const MOST_BYTES: usize = 16 << 20;

/// What goes to disk together: an entry, and what it changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Commit {
    /// The number of the entry: from 1, without gaps in a file.
    pub seq: u64,
    /// What kind of entry it is, for instance `turn` or `checkpoint`. Bodies of `interaction` are packed.
    pub kind: String,
    /// The time in the game, in milliseconds.
    pub game_ms: i64,
    /// An NPC's or actor's id, for people who look with `sqlite3`.
    pub subject: Option<String>,
    /// The entry itself, as canonical JSON. It comes back byte for byte, whatever it is.
    pub body: String,
    /// The rows that changed. Of two with the same kind and key, the later one holds.
    pub state: Vec<StateRow>,
    /// A checkpoint: the rows of the state are these, and no others.
    pub replaces_state: bool,
    /// Texts to keep by their BLAKE3 hash, each once in a file.
    pub blobs: Vec<String>,
}

/// An entry as it was committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its number, from 1.
    pub seq: u64,
    /// Its kind.
    pub kind: String,
    /// The time in the game, in milliseconds.
    pub game_ms: i64,
    /// Whom it is about.
    pub subject: Option<String>,
    /// The body as it was given.
    pub body: String,
    /// The hash of this entry and, through it, of all before it.
    pub hash: [u8; 32],
}

/// The end of a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Head {
    /// The number of the last entry; 0 in an empty journal.
    pub seq: u64,
    /// Its hash; zeros in an empty journal.
    pub hash: [u8; 32],
}

/// What [`Store::verify`](super::Store::verify) went through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verified {
    /// How many entries there are.
    pub entries: u64,
    /// How long their bodies are together, unpacked, in bytes.
    pub bytes: u64,
}

/// What a commit survives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Durability {
    /// The death of the program. When the machine loses power, the last commits may be lost, all or nothing each.
    #[default]
    Process,
    /// The loss of power too. Every commit waits for the disk.
    Power,
}

impl Durability {
    /// The name of this in SQL.
    pub(super) fn pragma(self) -> &'static str {
        match self {
            Self::Process => "NORMAL",
            Self::Power => "FULL",
        }
    }
}
