//! Reading a journal: pages of entries, the state, kept texts, and the check of all of it.
//!
//! Rows come one at a time and each must come after the one before it. That also ends the walk through a hostile file whose
//! pages lead in circles. A page ends after 64 MiB of bodies, and a state of more than 512 MiB is refused, so that no file can
//! ask for more memory.

use super::chain::{Hash, Link, NO_ENTRY, StateSum, stored_hash, text_hash};
use super::error::{StoreProblem, within};
use super::texts::{uncompressed, unpack, unquoted};
use super::{Entry, MOST_BYTES, StateRow, Verified};
use rusqlite::{Connection, OptionalExtension, Row};
use std::ops::ControlFlow;

/// Where a page of entries ends, in bytes of bodies.
const PAGE_BYTES: usize = 64 << 20;

/// How large a state may be in memory, in bytes.
pub(super) const MOST_STATE: usize = 512 << 20;

const FROM_START: i64 = i64::MIN;
const NO_LIMIT: i64 = -1;

/// The place and form of records.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// As they are written now.
    Current,
    /// In format 2, in a table of that name.
    Two(&'static str),
    /// In format 1, in a table of that name.
    One(&'static str),
}

impl Layout {
    /// How a file of an older format has them.
    pub(super) fn old(format: u32, table: &'static str) -> Self {
        match format {
            1 => Self::One(table),
            _ => Self::Two(table),
        }
    }

    /// The table, and its columns for the subject and for the length of a body that is not compressed.
    fn columns(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Current => ("records", "subject", "bytes"),
            Self::Two(table) => (table, "subject", "length(CAST(body AS BLOB))"),
            Self::One(table) => (table, "NULL", "length(CAST(body AS BLOB))"),
        }
    }
}

/// A record as it is in its row.
pub(super) struct StoredRecord<'a> {
    /// What its hash is made of.
    pub link: Link<'a>,
    hash: Hash,
}

impl StoredRecord<'_> {
    /// The body as it was given.
    pub(super) fn body(&self, connection: &Connection) -> Result<String, StoreProblem> {
        unpack(self.packed()?, |hash| text(connection, hash))
    }

    fn packed(&self) -> Result<String, StoreProblem> {
        let Link { body, bytes, .. } = self.link;
        uncompressed(body, usize::try_from(bytes).unwrap_or(usize::MAX))
    }
}

/// The form in which the bodies of entries are read.
#[derive(Clone, Copy)]
pub(crate) enum EntryForm {
    /// As they were given.
    Whole,
    /// Hashes replace long texts, where nothing else in them differs. Bodies of kinds for which this is false are not read, and left
    /// empty.
    PackedOf(fn(kind: &str) -> bool),
}

/// Visits records in order, and finds gaps.
fn walk(
    connection: &Connection,
    layout: Layout,
    (from, limit): (i64, i64),
    mut visit: impl FnMut(StoredRecord<'_>) -> Result<ControlFlow<()>, StoreProblem>,
) -> Result<(), StoreProblem> {
    let (table, subject, bytes) = layout.columns();
    let mut query = connection.prepare_cached(&format!(
        "SELECT seq, kind, game_ms, {subject}, body, {bytes}, state_sum, hash FROM {table} \
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
            visit(stored_record(expected, row)?)
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

fn stored_record<'a>(seq: u64, row: &'a Row<'_>) -> Result<StoredRecord<'a>, StoreProblem> {
    let body = row.get_ref(4)?.as_bytes().map_err(|_| WRONG_TYPE)?;
    let bytes = u64::try_from(row.get::<_, i64>(5)?).unwrap_or(u64::MAX);
    if body.len() > MOST_BYTES || bytes > MOST_BYTES as u64 {
        return Err(StoreProblem::corrupt("a body is larger than any journal's"));
    }
    Ok(StoredRecord {
        link: Link {
            sum: StateSum::from_bytes(&hash_of(row, 6)?),
            seq,
            kind: row.get_ref(1)?.as_str().map_err(|_| WRONG_TYPE)?,
            game_ms: row.get(2)?,
            subject: row.get_ref(3)?.as_str_or_null().map_err(|_| WRONG_TYPE)?,
            body,
            bytes,
        },
        hash: hash_of(row, 7)?,
    })
}

const WRONG_TYPE: StoreProblem = StoreProblem::Corrupt {
    what: "a column holds another type",
    seq: None,
};

fn hash_of(row: &Row<'_>, column: usize) -> Result<Hash, StoreProblem> {
    let bytes = row.get_ref(column)?.as_blob();
    stored_hash(bytes.map_err(|_| StoreProblem::corrupt("a hash is no bytes"))?)
}

/// One page of entries.
pub(super) fn page(
    connection: &Connection,
    from: u64,
    limit: usize,
    form: EntryForm,
) -> Result<Vec<Entry>, StoreProblem> {
    // Numbers that no file can reach have an empty page.
    let Ok(from) = i64::try_from(from.max(1)) else {
        return Ok(Vec::new());
    };
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let mut entries = Vec::new();
    let mut bytes = 0;
    walk(connection, Layout::Current, (from, limit), |record| {
        let Link {
            seq,
            kind,
            game_ms,
            subject,
            ..
        } = record.link;
        let body = match form {
            EntryForm::Whole => record.body(connection)?,
            EntryForm::PackedOf(is_wanted) if is_wanted(kind) => unquoted(record.packed()?)?,
            EntryForm::PackedOf(_) => String::new(),
        };
        bytes += body.len();
        entries.push(Entry {
            seq,
            kind: kind.to_owned(),
            game_ms,
            subject: subject.map(str::to_owned),
            body,
            hash: record.hash,
        });
        Ok(if bytes < PAGE_BYTES {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        })
    })?;
    Ok(entries)
}

/// The numbers and times of the entries of these kinds, in order.
pub(super) fn of_kinds(
    connection: &Connection,
    kinds: &[&str],
) -> Result<Vec<(u64, i64)>, StoreProblem> {
    let places = vec!["?"; kinds.len()].join(", ");
    let mut query = connection.prepare_cached(&format!(
        "SELECT seq, game_ms FROM records WHERE kind IN ({places}) ORDER BY seq"
    ))?;
    let kinds = rusqlite::params_from_iter(kinds);
    let found = query.query_map(kinds, |row| Ok((row.get::<_, i64>(0)?, row.get(1)?)))?;
    let found: Result<Vec<(i64, i64)>, _> = found.collect();
    let found = found?.into_iter();
    Ok(found
        .filter_map(|(seq, game_ms)| Some((u64::try_from(seq).ok()?, game_ms)))
        .collect())
}

/// Begins a read transaction. From now on the connection sees the file as it is at this moment.
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
        within("a state", bytes, MOST_STATE)?;
        rows.push(StateRow {
            kind: kind.to_owned(),
            key: key.to_owned(),
            value: Some(value.to_owned()),
        });
        Ok(())
    })?;
    Ok(rows)
}

/// Refuses a file whose state has more bytes than that, as [`state`] counts them: it could not be loaded.
pub(super) fn fits(connection: &Connection, most: usize) -> Result<(), StoreProblem> {
    let bytes: i64 = connection.query_row(
        "SELECT coalesce(sum(octet_length(kind) + octet_length(key) + octet_length(value) + ?1), 0) FROM state",
        [size_of::<StateRow>() as i64],
        |row| row.get(0),
    )?;
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    within("a state", bytes, most)
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
        verified.entries = record.link.seq;
        verified.bytes += record.link.body.len() as u64;
        Ok(())
    })?;
    let mut found = StateSum::default();
    match layout {
        Layout::Current => walk_texts(connection, |hash, _| {
            found.add_text(hash);
            Ok(())
        })?,
        // The sums of older formats are those of the state alone.
        Layout::Two(_) => walk_texts(connection, |_, _| Ok(()))?,
        Layout::One(_) => {}
    }
    walk_state(connection, |kind, key, value| {
        found.add(kind, key, value);
        Ok(())
    })?;
    if found != sum {
        let wrong = StoreProblem::corrupt("the state or a kept text does not match the last entry");
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
    mut visit: impl FnMut(&StoredRecord<'_>) -> Result<(), StoreProblem>,
) -> Result<StateSum, StoreProblem> {
    let mut previous = NO_ENTRY;
    let mut sum = StateSum::default();
    walk(connection, layout, (FROM_START, NO_LIMIT), |record| {
        let link = record.link;
        let hash = match layout {
            Layout::Current => link.hash(&previous),
            Layout::Two(_) => {
                let body = record.body(connection)?;
                let body = body.as_bytes();
                Link { body, ..link }.hash_2(&previous)
            }
            Layout::One(_) => link.hash_1(&previous),
        };
        if hash != record.hash {
            return Err(StoreProblem::corrupt("an entry does not match its hash"));
        }
        (previous, sum) = (hash, link.sum);
        visit(&record)?;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok(sum)
}

/// Visits all kept texts in the order of their hashes, and checks each.
pub(super) fn walk_texts(
    connection: &Connection,
    mut visit: impl FnMut(&Hash, &str) -> Result<(), StoreProblem>,
) -> Result<(), StoreProblem> {
    let mut query = connection.prepare("SELECT hash, text FROM texts ORDER BY hash")?;
    let mut rows = query.query([])?;
    let mut last = None;
    while let Some(row) = rows.next()? {
        let hash = hash_of(row, 0)?;
        if last.is_some_and(|last| last >= hash) {
            return Err(StoreProblem::corrupt("the kept texts are out of order"));
        }
        let text = row.get_ref(1)?.as_str().map_err(|_| WRONG_TEXT)?;
        if text_hash(text) != hash {
            return Err(WRONG_TEXT);
        }
        visit(&hash, text)?;
        last = Some(hash);
    }
    Ok(())
}
