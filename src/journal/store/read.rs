//! Reading a journal: pages of entries, the state, kept texts, and the check of all of it.
//!
//! Rows come one at a time and each must stand after the one before it. That also ends the walk through a hostile file
//! whose pages lead in circles. A page ends after 64 MiB of bodies, and a state of more than 256 MiB is refused, so
//! that no file can ask for more memory.

use super::chain::{Hash, Link, NO_ENTRY, StateSum, stored_hash, text_hash};
use super::error::StoreProblem;
use super::texts::{PACKED_KIND, unpack};
use super::{Entry, MOST_BYTES, StateRow, Verified};
use rusqlite::{Connection, OptionalExtension, Row};
use std::ops::ControlFlow;

/// Where a page of entries ends, in bytes of bodies.
const PAGE_BYTES: usize = 64 << 20;

/// How large a state may be in memory, in bytes.
const MOST_STATE: usize = 256 << 20;

const FROM_START: i64 = i64::MIN;
const NO_LIMIT: i64 = -1;

/// Where records stand, and how.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// As they are written now.
    Current,
    /// In format 1, in a table of that name.
    One(&'static str),
}

/// An entry with the sum of the state after it.
pub(super) struct Record {
    pub entry: Entry,
    pub sum: StateSum,
}

impl Record {
    /// What the entry's hash is made of.
    pub(super) fn link(&self) -> Link<'_> {
        Link {
            sum: self.sum,
            seq: self.entry.seq,
            kind: &self.entry.kind,
            game_ms: self.entry.game_ms,
            subject: self.entry.subject.as_deref(),
            body: &self.entry.body,
        }
    }
}

/// Visits records in order, and finds gaps.
fn walk(
    connection: &Connection,
    layout: Layout,
    (from, limit): (i64, i64),
    mut visit: impl FnMut(Record) -> Result<ControlFlow<()>, StoreProblem>,
) -> Result<(), StoreProblem> {
    let (table, subject) = match layout {
        Layout::Current => ("records", "subject"),
        Layout::One(table) => (table, "NULL"),
    };
    let mut query = connection.prepare_cached(&format!(
        "SELECT seq, kind, game_ms, {subject}, body, state_sum, hash FROM {table} \
         WHERE seq >= ?1 ORDER BY seq LIMIT ?2"
    ))?;
    let mut expected = u64::try_from(from).unwrap_or(0).max(1);
    let mut rows = query.query([from, limit])?;
    loop {
        let step = || -> Result<ControlFlow<()>, StoreProblem> {
            let Some(row) = rows.next()? else {
                return Ok(ControlFlow::Break(()));
            };
            if u64::try_from(row.get::<_, i64>(0)?) != Ok(expected) {
                return Err(StoreProblem::corrupt("an entry is missing"));
            }
            visit(record(connection, layout, expected, row)?)
        }();
        if step
            .map_err(|problem| problem.in_entry(expected))?
            .is_break()
        {
            return Ok(());
        }
        expected += 1;
    }
}

fn record(
    connection: &Connection,
    layout: Layout,
    seq: u64,
    row: &Row<'_>,
) -> Result<Record, StoreProblem> {
    let kind: String = row.get(1)?;
    let mut body: String = row.get(4)?;
    if body.len() > MOST_BYTES {
        return Err(StoreProblem::corrupt("a body is larger than any journal's"));
    }
    if layout == Layout::Current && kind == PACKED_KIND {
        body = unpack(body, |hash| text(connection, hash))?;
    }
    Ok(Record {
        entry: Entry {
            seq,
            kind,
            game_ms: row.get(2)?,
            subject: row.get(3)?,
            body,
            hash: hash_of(row, 6)?,
        },
        sum: StateSum::from_bytes(&hash_of(row, 5)?),
    })
}

fn hash_of(row: &Row<'_>, column: usize) -> Result<Hash, StoreProblem> {
    let bytes = row.get_ref(column)?.as_blob();
    stored_hash(bytes.map_err(|_| StoreProblem::corrupt("a hash is no bytes"))?)
}

/// One page of entries.
pub(super) fn page(
    connection: &Connection,
    from: u64,
    limit: usize,
) -> Result<Vec<Entry>, StoreProblem> {
    // Numbers that no file can reach have an empty page.
    let Ok(from) = i64::try_from(from.max(1)) else {
        return Ok(Vec::new());
    };
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut entries = Vec::new();
    let mut bytes = 0;
    walk(connection, Layout::Current, (from, limit), |record| {
        bytes += record.entry.body.len();
        entries.push(record.entry);
        Ok(if bytes < PAGE_BYTES {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        })
    })?;
    Ok(entries)
}

/// The numbers and times of the entries of a kind.
pub(super) fn of_kind(
    connection: &Connection,
    kind: &str,
) -> Result<Vec<(u64, i64)>, StoreProblem> {
    let mut query = connection
        .prepare_cached("SELECT seq, game_ms FROM records WHERE kind = ?1 ORDER BY seq")?;
    let found = query.query_map([kind], |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))?;
    let found: Result<Vec<(i64, i64)>, _> = found.collect();
    let found = found?.into_iter();
    Ok(found
        .filter_map(|(seq, game_ms)| Some((u64::try_from(seq).ok()?, game_ms)))
        .collect())
}

/// Begins a transaction that reads, and takes its view of the file.
pub(super) fn hold_still(connection: &Connection) -> Result<(), StoreProblem> {
    if connection.is_autocommit() {
        connection.execute_batch("BEGIN")?;
    }
    connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
    Ok(())
}

/// All rows of the state.
pub(super) fn state(connection: &Connection) -> Result<Vec<StateRow>, StoreProblem> {
    let mut rows = Vec::new();
    let mut bytes = 0;
    walk_state(connection, |kind, key, value| {
        bytes += kind.len() + key.len() + value.len() + size_of::<StateRow>();
        if bytes > MOST_STATE {
            return Err(StoreProblem::TooLarge {
                what: "a state",
                bytes: bytes as u64,
                most: MOST_STATE as u64,
            });
        }
        rows.push(StateRow {
            kind: kind.to_owned(),
            key: key.to_owned(),
            value: Some(value.to_owned()),
        });
        Ok(())
    })?;
    Ok(rows)
}

/// Visits the rows of the state in order.
pub(super) fn walk_state(
    connection: &Connection,
    mut visit: impl FnMut(&str, &str, &str) -> Result<(), StoreProblem>,
) -> Result<(), StoreProblem> {
    let mut query =
        connection.prepare_cached("SELECT kind, key, value FROM state ORDER BY kind, key")?;
    let mut rows = query.query([])?;
    let mut last: Option<(String, String)> = None;
    while let Some(row) = rows.next()? {
        let name: (String, String) = (row.get(0)?, row.get(1)?);
        if last.as_ref().is_some_and(|last| *last >= name) {
            return Err(StoreProblem::corrupt("the state is out of order"));
        }
        let value: String = row.get(2)?;
        visit(&name.0, &name.1, &value)?;
        last = Some(name);
    }
    Ok(())
}

/// A kept text, checked against its hash.
pub(super) fn text(connection: &Connection, hash: &Hash) -> Result<Option<String>, StoreProblem> {
    let mut query = connection.prepare_cached("SELECT text FROM texts WHERE hash = ?1")?;
    let found: Option<String> = query.query_row([hash], |row| row.get(0)).optional()?;
    match found {
        Some(text) if text_hash(&text) != *hash => Err(WRONG_TEXT),
        found => Ok(found),
    }
}

const WRONG_TEXT: StoreProblem = StoreProblem::Corrupt {
    what: "a kept text does not match its hash",
    seq: None,
};

/// Checks everything that a file says about itself, in one snapshot of it.
pub(super) fn verify(connection: &Connection, layout: Layout) -> Result<Verified, StoreProblem> {
    // A transaction of the caller is a snapshot already.
    let snapshot = match connection.is_autocommit() {
        true => Some(connection.unchecked_transaction()?),
        false => None,
    };
    let mut verified = Verified {
        entries: 0,
        bytes: 0,
    };
    let sum = verify_chain(connection, layout, |record| {
        verified.entries = record.entry.seq;
        verified.bytes += record.entry.body.len() as u64;
        Ok(())
    })?;
    if layout == Layout::Current {
        verify_texts(connection)?;
    }
    let mut found = StateSum::default();
    walk_state(connection, |kind, key, value| {
        found.add(kind, key, value);
        Ok(())
    })?;
    if found != sum {
        let wrong = StoreProblem::corrupt("the state does not match the last entry");
        return Err(wrong.in_entry(verified.entries));
    }
    // Last, since it cannot name an entry. It finds what no query reads: the index, and pages used twice.
    let structure: String =
        connection.query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))?;
    if structure != "ok" {
        return Err(StoreProblem::corrupt("SQLite finds it malformed"));
    }
    drop(snapshot);
    Ok(verified)
}

/// Visits all records and checks each against the one before; returns the last sum of the state.
pub(super) fn verify_chain(
    connection: &Connection,
    layout: Layout,
    mut visit: impl FnMut(Record) -> Result<(), StoreProblem>,
) -> Result<StateSum, StoreProblem> {
    let mut previous = NO_ENTRY;
    let mut sum = StateSum::default();
    walk(connection, layout, (FROM_START, NO_LIMIT), |record| {
        let link = record.link();
        let hash = match layout {
            Layout::Current => link.hash(&previous),
            Layout::One(_) => link.hash_1(&previous),
        };
        if hash != record.entry.hash {
            return Err(StoreProblem::corrupt("an entry does not match its hash"));
        }
        (previous, sum) = (hash, record.sum);
        visit(record)?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(sum)
}

fn verify_texts(connection: &Connection) -> Result<(), StoreProblem> {
    let mut query = connection.prepare("SELECT hash, text FROM texts ORDER BY hash")?;
    let mut rows = query.query([])?;
    let mut last = None;
    while let Some(row) = rows.next()? {
        let hash = hash_of(row, 0)?;
        if last.is_some_and(|last| last >= hash) {
            return Err(StoreProblem::corrupt("the kept texts are out of order"));
        }
        let text = row.get_ref(1)?.as_str();
        if text.map(text_hash) != Ok(hash) {
            return Err(WRONG_TEXT);
        }
        last = Some(hash);
    }
    Ok(())
}
