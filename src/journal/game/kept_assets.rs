//! The sources of authored things that a journal's file keeps.

use super::capture::Assets;
use crate::base::canonical::Digest;
use crate::journal::store::{Store, StoreError};

/// The sources of authored things in a file, by these hashes. Missing ones, and hashes of other things, are left out.
pub(in crate::journal) fn assets_of<'a>(
    store: &Store,
    hashes: impl Iterator<Item = &'a str>,
) -> Result<Assets, StoreError> {
    let mut assets = Assets::new();
    for hash in hashes {
        let Some(bytes) = Digest::from_hex(hash) else {
            continue;
        };
        let source = store.blob(&bytes.0)?;
        let source = source.and_then(|text| serde_json::from_str(&text).ok());
        assets.extend(source.map(|source| (hash.to_owned(), source)));
    }
    Ok(assets)
}
