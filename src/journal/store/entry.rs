//! The contents of a journal: commits, entries, and where the file ends.

pub(crate) use crate::journal::game::saved_game::StateRow;

/// The most bytes that a body, a kept text or a state row may have: 16 MiB.
pub const MOST_BYTES: usize = 16 << 20;

/// What goes to disk together: an entry, and what it changed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Commit {
    /// The number of the entry: from 1, without gaps in a file. Any other number than the next one is refused with
    /// `StoreProblem::OutOfOrder`.
    pub seq: u64,
    /// What kind of entry it is, for instance `turn` or `checkpoint`. In bodies of `interaction`, what they repeat is kept once. Kind and
    /// subject together have at most 32 KiB.
    pub kind: String,
    /// When it took effect, in game time, in milliseconds.
    pub game_ms: i64,
    /// The id of the character or actor that the entry is about; `None` when it is about none. It is for people who
    /// look with `sqlite3`.
    pub subject: Option<String>,
    /// The entry itself, as canonical JSON, of at most 16 MiB. It comes back byte for byte, whatever it is.
    pub body: String,
    /// The rows that changed; one without a value is removed. Of two with the same kind and key, the later one holds. A
    /// row has at most 16 MiB.
    pub state: Vec<StateRow>,
    /// A checkpoint: the rows of the state are these, and no others.
    pub replaces_state: bool,
    /// Texts to keep by their BLAKE3 hash, each once in a file and of at most 16 MiB.
    /// `Store::blob` gives them back.
    pub blobs: Vec<String>,
}

/// An entry as it was committed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    /// The number of the entry: from 1, without gaps in a file.
    pub seq: u64,
    /// What kind of entry it is, as it was committed, for instance `turn`.
    pub kind: String,
    /// When it took effect, in game time, in milliseconds.
    pub game_ms: i64,
    /// The id of the character or actor that it is about; `None` when it is about none, and in every entry that was
    /// migrated from format 1.
    pub subject: Option<String>,
    /// The body as it was given.
    pub body: String,
    /// The hash of this entry and, through it, of all before it.
    pub hash: [u8; 32],
}

/// The end of a journal: its last entry. A copy that is kept somewhere else shows whether entries were cut off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Head {
    /// The number of the last entry; 0 in an empty journal.
    pub seq: u64,
    /// Its hash; zeros in an empty journal.
    pub hash: [u8; 32],
}

/// What `Store::verify` went through and found whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Verified {
    /// How many entries the file holds; 0 in an empty journal.
    pub entries: u64,
    /// How long their bodies are together, as they are stored, in bytes.
    pub bytes: u64,
}

/// What a commit survives once it has returned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Durability {
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
