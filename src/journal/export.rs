//! A session as one file, for a bug report.
//!
//! The file is text, one canonical JSON value a line, each ended by a line feed:
//!
//! | line | what it holds |
//! |---|---|
//! | first | `{"assets":M,"dramatis_export":1,"records":N}` |
//! | one for each asset | `{"asset":hash,"source":{..}}` |
//! | one for each record | `{"body":{..},"game":ms,"kind":name,"seq":number,"subject":id}` |
//! | last | `{"blake3":hash}`, of all bytes before this line |
//!
//! # What is left out
//!
//! Every export is redacted ([`Redaction`]): keys and tokens, headers that carry them, private keys, the key of the environment
//! and the words that the caller names become `[redacted]`, in names and in values, and a file's label keeps no folder when it
//! shows where a person keeps things. A secret in one place is removed in all places. Numbers are not searched, and hashes stay
//! as they are: a hash of a world reveals nothing of it, but confirms a right guess.
//!
//! A record that was changed names the changed fields in its field `redacted`, and is sealed again; an asset that was
//! changed has a new hash wherever it is named. Such a session replays, but what depends on the removed words differs.
//! A session without secrets comes back as it was.
//!
//! # What can go wrong
//!
//! Only what looks like a secret is found by itself. A password that is an ordinary word, or a name, must be given to
//! [`Redaction::also`]. A recording whose records or assets cannot be read is not exported ([`ExportError`]). What a
//! failed export has written until then is no export: its last line is missing, and [`import()`] refuses it.
//!
//! # What may come in
//!
//! [`import`] takes any bytes. It writes no file, opens none, and uses no path from the text: names of files are labels. All
//! sizes are bounded before anything is kept.
//!
//! # Limits
//!
//! | what | limit |
//! |---|---|
//! | records | 1,000,000 ([`MAX_RECORDS`]) |
//! | assets | 10,000 ([`MAX_ASSETS`]) |
//! | a line, without its line feed | 16 MiB ([`MAX_LINE`]) |
//! | the whole file | 512 MiB ([`MAX_BYTES`]) |
//! | JSON values of all lines together | 16,000,000 |
//! | how deep the JSON of a line is nested | 100 levels |
//!
//! The code that writes and the code that reads keep to the same limits.

mod error;
mod finder;
mod import;
mod limits;
mod lines;
mod patterns;
mod position;
mod redact;
mod secrets;
mod view;

pub use error::ExportError;
pub use import::import;
pub use limits::{MAX_ASSETS, MAX_RECORDS, VERSION};
pub use redact::Redaction;

use super::record::Record;
use crate::journal::Recorded;
use limits::at_most;
use lines::{AssetLine, Header, LastLine, RecordLine, Written};
use redact::Redactor;
use std::io::Write;

/// What [`export()`] has written, in numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Exported {
    /// How many records the export holds: all records of the recording.
    pub records: u64,
    /// How many assets the export holds: the sources of stories and characters.
    pub assets: u64,
    /// How many records and assets are not what they were, because something was removed from them or renamed.
    pub redacted: u64,
}

/// Writes a session as one file. The recording is read twice: all secrets in it must be known before the first line is written.
///
/// ```
/// use bevy_dramatis::journal::{Recording, Redaction, export, import};
/// let mut file = Vec::new();
/// let exported = export(&Recording::default(), &mut file, &Redaction::default()).unwrap();
/// assert_eq!(exported.records, 0);
/// assert_eq!(import(&*file).unwrap(), Recording::default());
/// ```
///
/// # Errors
/// See [`ExportError`]. The text written until then is not a valid export: its last line is missing.
pub fn export(
    recording: &dyn Recorded,
    out: &mut dyn Write,
    redaction: &Redaction,
) -> Result<Exported, ExportError> {
    let count = recording.count();
    at_most("records", count, MAX_RECORDS)?;
    let assets = recording.assets().map_err(|_| ExportError::Assets)?;
    at_most("assets", assets.len() as u64, MAX_ASSETS)?;
    let mut finder = redaction.finder();
    for (hash, source) in &assets {
        if source.digest().to_hex() != *hash {
            return Err(ExportError::Assets);
        }
        finder.read_asset(source);
    }
    for seq in 1..=count {
        finder.read_record(&read(recording, seq)?);
    }
    let secrets = finder.into_secrets().map_err(|_| ExportError::Secrets)?;
    let mut redactor = Redactor::new(secrets);
    let (assets, redacted) = redactor.clean_assets(assets);
    let mut exported = Exported {
        records: count,
        assets: assets.len() as u64,
        redacted,
    };
    let mut file = Written::new(out);
    file.line(&Header {
        dramatis_export: VERSION,
        records: exported.records,
        assets: exported.assets,
    })?;
    for (asset, source) in assets {
        file.line(&AssetLine { asset, source })?;
    }
    for seq in 1..=count {
        let (record, changed) = redactor.clean_record(read(recording, seq)?);
        exported.redacted += u64::from(changed);
        file.line(&RecordLine::from(record))?;
    }
    let blake3 = file.hash();
    file.line(&LastLine { blake3 })?;
    file.finish()?;
    Ok(exported)
}

fn read(recording: &dyn Recorded, seq: u64) -> Result<Record, ExportError> {
    let record = recording.record(seq).ok();
    let record = record.filter(|record| record.seq == seq);
    record.ok_or(ExportError::Record(seq))
}
