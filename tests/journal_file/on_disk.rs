//! The content of a file, as another reader sees it.

use bevy_dramatis::journal::{JournalFile, Record, Recorded};
use std::path::Path;

/// All records, after checking everything in the file.
pub fn records(path: &Path) -> Vec<Record> {
    let file = JournalFile::open(path).unwrap();
    file.verify().unwrap();
    let all = file.first()..=file.count();
    all.map(|seq| file.record(seq).unwrap()).collect()
}

/// The kinds of all records.
pub fn kinds(path: &Path) -> Vec<&'static str> {
    let records = records(path).into_iter();
    records.map(|record| record.kind.name()).collect()
}

/// The number of the last record.
pub fn head(path: &Path) -> u64 {
    JournalFile::open(path).unwrap().count()
}

/// The rows of the state: kind, key and value.
pub fn state(path: &Path) -> Vec<(String, String, String)> {
    let file = rusqlite::Connection::open(path).unwrap();
    let mut rows = file
        .prepare("SELECT kind, key, value FROM state ORDER BY kind, key")
        .unwrap();
    let read = rows.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    read.unwrap().map(Result::unwrap).collect()
}

/// The value of the row with this key.
pub fn value(path: &Path, key: &str) -> String {
    let found = state(path).into_iter().find(|row| row.1 == key);
    found.unwrap().2
}
