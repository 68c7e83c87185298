//! The tables of a journal, and the connections that they are read through.
//!
//! A file holds exactly the tables of its format, compared word for word; what holds anything else is no journal.
//! Connections are made for files that come from other people: without triggers and views, with rows of bounded length,
//! and with a cache whose size the file does not choose.

use super::chain::{Hash, NO_ENTRY, StateSum, stored_hash};
use super::entry::{Head, MOST_BYTES};
use super::error::StoreProblem;
use rusqlite::config::DbConfig;
use rusqlite::limits::Limit;
use rusqlite::{Connection, OpenFlags, OptionalExtension};
use std::path::Path;
use std::time::Duration;

/// "DRMT", for `file` and for every program that asks what this is.
pub(super) const APPLICATION_ID: u32 = 0x4452_4D54;

/// The format that is written.
pub(super) const FORMAT: u32 = 3;

/// How large the pages of a new file are. A record of a talk takes some 2 KB, and what fits into a page no more stays empty: of
/// `SQLite`'s usual 4 KB that is a third.
const PAGE_BYTES: u32 = 16_384;

/// How long to wait while another process writes.
const BUSY_TIMEOUT: Duration = Duration::from_secs(2);

/// Besides its text, a row holds hashes, names and `SQLite`'s own header.
const ROW_EXTRA: usize = 1 << 16;

// `bytes` tells how long a body is that is not compressed: `sqlar_uncompress(body, bytes)` of the `sqlite3` shell shows any.
const RECORDS: &str = "CREATE TABLE records(seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, \
    game_ms INTEGER NOT NULL, subject TEXT, body BLOB NOT NULL, bytes INTEGER NOT NULL, \
    state_sum BLOB NOT NULL, hash BLOB NOT NULL)";
// `seq` is the row's own number, which ends every key of an index anyway.
const BY_SUBJECT: &str =
    "CREATE INDEX records_by_subject ON records(subject) WHERE subject IS NOT NULL";
const STATE: &str = "CREATE TABLE state(kind TEXT, key TEXT, value TEXT NOT NULL, \
    PRIMARY KEY(kind, key)) WITHOUT ROWID";
const TEXTS: &str = "CREATE TABLE texts(hash BLOB PRIMARY KEY, text TEXT NOT NULL) WITHOUT ROWID";
/// Format 2 compressed nothing.
const RECORDS_2: &str = "CREATE TABLE records(seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, \
    game_ms INTEGER NOT NULL, subject TEXT, body TEXT NOT NULL, state_sum BLOB NOT NULL, hash BLOB NOT NULL)";
/// Format 1 had no subjects and kept every text where it was used.
const RECORDS_1: &str = "CREATE TABLE records(seq INTEGER PRIMARY KEY, kind TEXT NOT NULL, \
    game_ms INTEGER NOT NULL, body TEXT NOT NULL, state_sum BLOB NOT NULL, hash BLOB NOT NULL)";

/// All that a file of a format may hold, in the order of their names.
fn expected(format: u32) -> &'static [(&'static str, &'static str)] {
    match format {
        1 => &[("records", RECORDS_1), ("state", STATE)],
        2 => &[
            ("records", RECORDS_2),
            ("records_by_subject", BY_SUBJECT),
            ("state", STATE),
            ("texts", TEXTS),
        ],
        _ => &[
            ("records", RECORDS),
            ("records_by_subject", BY_SUBJECT),
            ("state", STATE),
            ("texts", TEXTS),
        ],
    }
}

/// Opens an existing file. What the file says about itself is not trusted.
pub(super) fn connect(path: &Path) -> Result<Connection, StoreProblem> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    harden(Connection::open_with_flags(path, flags)?)
}

/// Opens a file that no program can change, without any other file next to it.
pub(super) fn connect_immutable(path: &Path) -> Result<Connection, StoreProblem> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_NO_MUTEX
        | OpenFlags::SQLITE_OPEN_URI;
    harden(Connection::open_with_flags(immutable_uri(path), flags)?)
}

/// A private database that is deleted when it is closed, on disk where it grows.
pub(super) fn connect_private() -> Result<Connection, StoreProblem> {
    harden(Connection::open("")?)
}

fn immutable_uri(path: &Path) -> String {
    let mut uri = String::from("file:");
    let path = path.to_string_lossy();
    if cfg!(windows) {
        uri.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => {
                uri.push(char::from(byte));
            }
            b'\\' if cfg!(windows) => uri.push('/'),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri.push_str("?immutable=1");
    uri
}

fn harden(connection: Connection) -> Result<Connection, StoreProblem> {
    let most = i32::try_from(MOST_BYTES + ROW_EXTRA).unwrap_or(i32::MAX);
    connection.set_limit(Limit::SQLITE_LIMIT_LENGTH, most)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_DEFENSIVE, true)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_TRIGGER, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_VIEW, false)?;
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_TRUSTED_SCHEMA, false)?;
    connection.busy_timeout(BUSY_TIMEOUT)?;
    // A file names its own cache size, and a hostile one names any. Negative: in KiB.
    connection.execute_batch(
        "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA foreign_keys = OFF; \
         PRAGMA cache_size = -8192;",
    )?;
    Ok(connection)
}

/// Makes the tables in an empty file.
///
/// In one transaction, and before the switch to a WAL: so the file itself says what it is from its first
/// byte on, even if the program is killed before anything is moved from the WAL.
pub(super) fn create(connection: &Connection) -> Result<(), StoreProblem> {
    connection.pragma_update(None, "page_size", PAGE_BYTES)?;
    let tx = connection.unchecked_transaction()?;
    create_tables(&tx, |_| true)?;
    tx.pragma_update(None, "application_id", APPLICATION_ID)?;
    tx.pragma_update(None, "user_version", FORMAT)?;
    Ok(tx.commit()?)
}

/// Makes the tables and indexes of the format that is written, as far as they are wanted.
pub(super) fn create_tables(
    connection: &Connection,
    wanted: impl Fn(&str) -> bool,
) -> Result<(), StoreProblem> {
    for (name, sql) in expected(FORMAT) {
        if wanted(name) {
            connection.execute_batch(sql)?;
        }
    }
    Ok(())
}

/// The format of an open file, which holds exactly the tables of that format.
///
/// Asked again after the header, because a WAL may hold a newer first page.
pub(super) fn checked_format(connection: &Connection) -> Result<u32, StoreProblem> {
    let format: u32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if format == 0 {
        return Err(StoreProblem::corrupt("its format has no number"));
    }
    if format > FORMAT {
        return Err(StoreProblem::Newer {
            found: format,
            known: FORMAT,
        });
    }
    let expected = expected(format);
    let mut query =
        connection.prepare("SELECT type, name, sql FROM sqlite_schema ORDER BY name LIMIT ?1")?;
    let mut rows = query.query([i64::try_from(expected.len() + 1).unwrap_or(i64::MAX)])?;
    let mut found = 0;
    while let Some(row) = rows.next()? {
        let (kind, name) = (row.get_ref(0)?, row.get_ref(1)?);
        let sql = row.get_ref(2)?;
        // Word for word: a foreign view, trigger, default or check has no place in a journal.
        let known = expected.iter().any(|(its_name, its_sql)| {
            let its_kind: &[u8] = if its_sql.starts_with("CREATE INDEX") {
                b"index"
            } else {
                b"table"
            };
            kind.as_bytes() == Ok(its_kind)
                && name.as_bytes() == Ok(its_name.as_bytes())
                && sql.as_bytes() == Ok(its_sql.as_bytes())
        });
        if !known {
            return Err(StoreProblem::NotAJournal {
                what: "it holds tables, views or triggers that no journal has",
            });
        }
        found += 1;
    }
    if found != expected.len() {
        return Err(StoreProblem::NotAJournal {
            what: "a journal's tables are missing",
        });
    }
    Ok(format)
}

/// The end of the chain.
#[derive(Clone, Copy, Debug)]
pub(super) struct End {
    pub seq: u64,
    pub sum: StateSum,
    pub hash: Hash,
}

impl From<End> for Head {
    fn from(end: End) -> Self {
        Self {
            seq: end.seq,
            hash: end.hash,
        }
    }
}

/// The last entry as the file has it now.
pub(super) fn end_of(connection: &Connection) -> Result<End, StoreProblem> {
    let mut query = connection
        .prepare_cached("SELECT seq, state_sum, hash FROM records ORDER BY seq DESC LIMIT 1")?;
    let last = query
        .query_row([], |row| {
            Ok((
                row.get::<_, i64>(0)?,
                row.get::<_, Vec<u8>>(1)?,
                row.get::<_, Vec<u8>>(2)?,
            ))
        })
        .optional()?;
    let Some((seq, sum, hash)) = last else {
        return Ok(End {
            seq: 0,
            sum: StateSum::default(),
            hash: NO_ENTRY,
        });
    };
    let seq = u64::try_from(seq).unwrap_or(0);
    if seq == 0 {
        return Err(StoreProblem::corrupt("an entry has an impossible number"));
    }
    let read = || -> Result<End, StoreProblem> {
        Ok(End {
            seq,
            sum: StateSum::from_bytes(&stored_hash(&sum)?),
            hash: stored_hash(&hash)?,
        })
    };
    read().map_err(|problem| problem.in_entry(seq))
}

/// Bounds the size of the file.
pub(super) fn limit_bytes(connection: &Connection, bytes: u64) -> Result<(), StoreProblem> {
    let page: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    let page = page.unsigned_abs();
    // SQLite counts pages in 32 bits, the last two of which it keeps for itself.
    let pages = (bytes / page.max(1)).clamp(1, u64::from(u32::MAX - 2));
    let most = i64::try_from(pages).unwrap_or(i64::MAX);
    connection.pragma_update_and_check(None, "max_page_count", most, |_| Ok(()))?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_names_survive_a_uri() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a b%41?mode=rw#ä.dramatis");
        let plain = Connection::open(&path).unwrap();
        create(&plain).unwrap();
        plain
            .execute("INSERT INTO state VALUES('k', 'a', 'v')", [])
            .unwrap();
        drop(plain);
        let read = connect_immutable(&path).unwrap();
        assert_eq!(checked_format(&read), Ok(FORMAT));
        let rows: i64 = read
            .query_row("SELECT count(*) FROM state", [], |row| row.get(0))
            .unwrap();
        assert_eq!(rows, 1);
        let written = read.execute("DELETE FROM state", []).unwrap_err();
        assert_eq!(StoreProblem::from(written), StoreProblem::ReadOnly);
    }
}
