//! The journal of a game: one `SQLite` file that says what happened, in order, and what holds now.
//!
//! A file holds entries, which are never changed, and the rows of the current state. One `Commit` adds an entry
//! and changes the rows that it touched, in the same transaction: after a crash, either both are there or
//! neither is. This module knows nothing of the game. Bodies are opaque JSON; kinds and keys are names.
//!
//! # How it is used
//!
//! `Store::create` begins a journal in a new file, `Store::open` goes on writing an existing one, and
//! `Store::read` opens one for reading alone. `Store::commit` writes; `Store::entries`, `Store::state` and
//! `Store::blob` read; `Store::verify` checks the whole file; `Store::copy_to` makes a copy. A game seldom calls
//! them: `JournalPlugin` and `save_game` write, `JournalFile`, `Save` and the command line read.
//!
//! # What the file promises
//!
//! - Every entry holds a hash of itself, of the entry before it and of the whole state after it. So
//!   `Store::verify` finds any byte of an entry, a kept text or a state row that changed after it was written,
//!   and names the first entry that is touched. It is a check against accidents, not a signature: anyone who can
//!   write the file can also write all hashes again, or cut off the last entries together with their changes of
//!   the state. Keep `Store::head` somewhere else to notice that.
//! - With `Durability::Process` a commit survives the death of the program, with `Durability::Power` also the
//!   death of the machine.
//! - A file that is refused is not touched. Files come from other people: their size, their tables and their
//!   texts are bounded before they are believed.
//!
//! # What a reader sees
//!
//! The tables `records`, `state` and `texts` can be read with any `SQLite` tool, also while the game runs. Bodies are compressed
//! with zlib where that pays; `bytes` is how long one is otherwise. The `sqlite3` shell shows them:
//!
//! ```sql
//! SELECT seq, kind, subject, sqlar_uncompress(body, bytes) FROM records;
//! ```
//!
//! In the body of an interaction, long prompt sections and lists of constraints that occurred before are replaced by the hashes
//! of rows in `texts`; everything else is there as it was given.
//!
//! # Threads and processes
//!
//! A `Store` belongs to one thread at a time and blocks: on the disk, and for up to two seconds on another process that
//! writes. Several stores may read one file and several may write it in turn; a commit that does not follow the last entry in
//! the file is refused, whichever store wrote that entry.
//!
//! On Unix, a program must not open a journal's file by other means, not even to copy it, while it has a `Store`
//! of it: closing that handle would drop `SQLite`'s locks. `Store::copy_to` makes copies.
//!
//! # Limits
//!
//! | what | limit |
//! |---|---|
//! | a body, a kept text, a state row | 16 MiB ([`MOST_BYTES`]) |
//! | the kind and the subject of an entry together | 32 KiB |
//! | the whole state, when it is read into memory or copied | 512 MiB |
//! | a page of entries | ends after 64 MiB of bodies |
//! | the file | none, unless `Store::limit_bytes` sets one |
//!
//! Larger values are refused with `StoreProblem::TooLarge`, and a full file with `StoreProblem::Full`. `StoreProblem`
//! lists all other errors.

mod chain;
mod copy;
mod entry;
mod error;
mod header;
mod migrate;
mod read;
mod schema;
mod texts;
mod write;

pub use entry::MOST_BYTES;
pub(crate) use entry::{Commit, Durability, Entry, Head, StateRow, Verified};
pub use error::StoreError;
pub(crate) use error::StoreProblem;

use header::InUse;
pub(super) use read::EntryForm;
use read::Layout;
use rusqlite::Connection;
use rusqlite::config::DbConfig;
use std::fs::File;
use std::path::{Path, PathBuf};
use texts::Packer;

/// An open journal file. `Store::create` and `Store::open` give one that writes, `Store::read` gives one that
/// only reads. Dropping it closes the file.
#[derive(Debug)]
pub(crate) struct Store {
    path: PathBuf,
    writable: bool,
    head: Head,
    limit: Option<u64>,
    connection: Connection,
    packer: Packer,
    // After the connection: fields are dropped in their order.
    _in_use: InUse,
}

impl Store {
    /// Begins a journal in a new file.
    ///
    /// # Errors
    ///
    /// `StoreProblem::AlreadyExists` where there is a file, `StoreProblem::NotFound` where there is no folder for it, and
    /// the errors of the disk. No file is left over then.
    pub fn create(path: &Path, durability: Durability) -> Result<Self, StoreError> {
        File::create_new(path).map_err(|error| StoreProblem::from(error).of(path))?;
        Self::begin(path, durability).map_err(|problem| {
            for ending in ["", "-journal", "-wal", "-shm"] {
                // A file that cannot be removed is no journal, and is refused by name next time.
                let _ = std::fs::remove_file(header::beside(path, ending));
            }
            problem.of(path)
        })
    }

    /// Begins a journal in a file that is there and holds nothing. Of two programs that do so, one is refused.
    pub(super) fn begin_in_empty(path: &Path, durability: Durability) -> Result<Self, StoreError> {
        Self::begin(path, durability).map_err(|problem| problem.of(path))
    }

    fn begin(path: &Path, durability: Durability) -> Result<Self, StoreProblem> {
        let real = header::real_path(path)?;
        let in_use = header::claim_new(&real)?;
        let connection = schema::connect(&real)?;
        schema::create(&connection)?;
        copy::sync_folder(&real)?;
        Self::writing(path, connection, in_use, durability)
    }

    /// Opens a journal for writing on. One of an older format is migrated first, in one transaction.
    ///
    /// # Errors
    ///
    /// See `StoreProblem`. A file that is refused is unchanged.
    pub fn open(path: &Path, durability: Durability) -> Result<Self, StoreError> {
        Self::open_at(path, durability).map_err(|problem| problem.of(path))
    }

    fn open_at(path: &Path, durability: Durability) -> Result<Self, StoreProblem> {
        let real = header::real_path(path)?;
        let in_use = header::claim(&real)?;
        let mut connection = schema::connect(&real)?;
        // What the log holds is moved into the file only once the file is known to be a journal.
        let keep_log = DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE;
        connection.set_db_config(keep_log, header::has_log(&real))?;
        let format = schema::checked_format(&connection)?;
        if connection.is_readonly("main")? {
            return Err(StoreProblem::ReadOnly);
        }
        if format < schema::FORMAT {
            migrate::in_place(&mut connection)?;
        }
        connection.set_db_config(keep_log, false)?;
        Self::writing(path, connection, in_use, durability)
    }

    fn writing(
        path: &Path,
        connection: Connection,
        in_use: InUse,
        durability: Durability,
    ) -> Result<Self, StoreProblem> {
        let mode: String =
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
        if mode != "wal" {
            return Err(StoreProblem::Io(
                "this file system cannot keep a log".into(),
            ));
        }
        connection.pragma_update(None, "synchronous", durability.pragma())?;
        // A log that grew during a read does not stay large.
        connection.pragma_update(None, "journal_size_limit", 16 << 20)?;
        Self::opened(path, connection, in_use, true)
    }

    /// Opens a journal for reading, also while another process writes it. One of an older format is migrated in a
    /// private copy.
    ///
    /// Entries that a killed program left in the log are read too and stay there. `SQLite` may keep a `-wal` and a `-shm` next
    /// to the file while it is open.
    ///
    /// # Errors
    ///
    /// See `StoreProblem`. A file that is refused is unchanged.
    pub fn read(path: &Path) -> Result<Self, StoreError> {
        Self::read_at(path).map_err(|problem| problem.of(path))
    }

    fn read_at(path: &Path) -> Result<Self, StoreProblem> {
        let real = header::real_path(path)?;
        let in_use = header::claim(&real)?;
        let has_log = header::has_log(&real);
        // Read-only connections leave empty logs on the disk, so this is one that could write and never does.
        let usual = schema::connect(&real).and_then(|connection| {
            connection.set_db_config(DbConfig::SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, has_log)?;
            let format = schema::checked_format(&connection)?;
            Ok((connection, format))
        });
        let (mut connection, format) = match usual {
            // In a folder that takes no files there can be no log, and no writer.
            Err(StoreProblem::Io(_) | StoreProblem::ReadOnly) if !has_log => {
                let connection = schema::connect_immutable(&real)?;
                let format = schema::checked_format(&connection)?;
                (connection, format)
            }
            other => other?,
        };
        if format < schema::FORMAT {
            connection = migrate::in_private(&connection, format)?;
        }
        Self::opened(path, connection, in_use, false)
    }

    fn opened(
        path: &Path,
        connection: Connection,
        in_use: InUse,
        writable: bool,
    ) -> Result<Self, StoreProblem> {
        let end = schema::end_of(&connection)?;
        Ok(Self {
            path: path.to_owned(),
            writable,
            head: end.into(),
            limit: None,
            connection,
            packer: Packer::default(),
            _in_use: in_use,
        })
    }

    /// Writes all of `commits` in one transaction: afterwards all of them are in the file, or none is.
    ///
    /// # Errors
    ///
    /// `StoreProblem::OutOfOrder` where the numbers do not follow the last entry in the file,
    /// `StoreProblem::TooLarge`, `StoreProblem::ReadOnly` after `Store::read`, `StoreProblem::Full`,
    /// `StoreProblem::Busy` and the rest. No part of any commit is there then, and the store can still be used.
    pub fn commit(&mut self, commits: &[Commit]) -> Result<(), StoreError> {
        if !self.writable {
            return Err(StoreProblem::ReadOnly.of(&self.path));
        }
        if commits.is_empty() {
            return Ok(());
        }
        self.head = write::commit(&mut self.connection, &mut self.packer, commits)
            .map_err(|problem| problem.of(&self.path))?
            .into();
        Ok(())
    }

    /// The most bytes that the file may have, rounded down to pages; what it has already stays. Beyond that a commit ends
    /// with `StoreProblem::Full`.
    ///
    /// # Errors
    ///
    /// When `SQLite` refuses the limit.
    pub fn limit_bytes(&mut self, bytes: u64) -> Result<(), StoreError> {
        if self.limit == Some(bytes) {
            return Ok(());
        }
        schema::limit_bytes(&self.connection, bytes).map_err(|problem| problem.of(&self.path))?;
        self.limit = Some(bytes);
        Ok(())
    }

    /// The last entry, as of opening or of this store's last commit.
    #[must_use]
    pub fn head(&self) -> Head {
        self.head
    }

    /// Entries in order, beginning with number `from`: a page of at most `limit`.
    ///
    /// A page also ends after 64 MiB of bodies, so only an empty one is the end.
    ///
    /// # Errors
    ///
    /// `StoreProblem::Corrupt` where an entry is missing or cannot be put together. Hashes are checked by
    /// `Store::verify` only.
    pub fn entries(&self, from: u64, limit: usize) -> Result<Vec<Entry>, StoreError> {
        self.page(from, limit, EntryForm::Whole)
    }

    /// The same, with bodies in this form.
    pub(super) fn page(
        &self,
        from: u64,
        limit: usize,
        form: EntryForm,
    ) -> Result<Vec<Entry>, StoreError> {
        let page = read::page(&self.connection, from, limit, form);
        page.map_err(|problem| problem.of(&self.path))
    }

    /// Where the file lies, as it was opened.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The numbers and game times of the entries of these kinds, in order.
    ///
    /// # Errors
    ///
    /// When the file cannot be read.
    pub fn of_kinds(&self, kinds: &[&str]) -> Result<Vec<(u64, i64)>, StoreError> {
        read::of_kinds(&self.connection, kinds).map_err(|problem| problem.of(&self.path))
    }

    /// From now on this store sees the file as it is now, whatever others write.
    pub(super) fn hold_still(&self) -> Result<(), StoreError> {
        read::hold_still(&self.connection).map_err(|problem| problem.of(&self.path))
    }

    /// All rows of the current state, sorted by kind and key. Each has a value.
    ///
    /// # Errors
    ///
    /// `StoreProblem::TooLarge` where the state is larger than 512 MiB, and `StoreProblem::Corrupt`.
    pub fn state(&self) -> Result<Vec<StateRow>, StoreError> {
        read::state(&self.connection).map_err(|problem| problem.of(&self.path))
    }

    /// A text that was kept, by its BLAKE3 hash; `None` when the file holds no text with that hash.
    ///
    /// # Errors
    ///
    /// `StoreProblem::Corrupt` where the text does not have that hash.
    pub fn blob(&self, hash: &[u8; 32]) -> Result<Option<String>, StoreError> {
        read::text(&self.connection, hash).map_err(|problem| problem.of(&self.path))
    }

    /// Goes through the whole file: its structure, the chain of all entries, every kept text, and the state against
    /// the sum in the last entry.
    ///
    /// # Errors
    ///
    /// `StoreProblem::Corrupt`, with the first entry that is touched where one can be named.
    pub fn verify(&self) -> Result<Verified, StoreError> {
        read::verify(&self.connection, Layout::Current).map_err(|problem| problem.of(&self.path))
    }

    /// Writes a complete copy, as one file without a log, in place of whatever `path` holds.
    ///
    /// The copy is made under another name in the same folder, and is on the disk before it takes the place.
    ///
    /// # Errors
    ///
    /// `StoreProblem::Busy` where there is a log next to `path`: a program has that journal open, or was killed and left
    /// entries in the log. `StoreProblem::TooLarge` where the state is larger than 512 MiB, since the copy could not be loaded. On every
    /// error, `path` is as it was; the error names `path`.
    pub fn copy_to(&self, path: &Path) -> Result<(), StoreError> {
        copy::copy(&self.connection, path).map_err(|problem| problem.of(path))
    }
}

#[cfg(test)]
mod tests;
