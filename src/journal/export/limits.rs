//! How much an export may hold. The code that writes one and the code that reads one keep to the same limits.

use super::error::ExportError;

/// The version of the format that is written and read. An export of any other version is refused.
pub const VERSION: u64 = 1;
/// The longest line, in bytes, without its line feed: 16 MiB.
pub const MAX_LINE: usize = 16 * 1024 * 1024;
/// The most records that an export may hold.
pub const MAX_RECORDS: u64 = 1_000_000;
/// The most assets that an export may hold.
pub const MAX_ASSETS: u64 = 10_000;
/// The longest file, in bytes: 512 MiB.
pub const MAX_BYTES: u64 = 512 * 1024 * 1024;
/// How deep the JSON of a line may be nested: a parser's stack is not ours to spend.
pub(super) const MAX_DEPTH: usize = 100;
/// How many JSON values all lines may hold: small ones need many times more memory than room in a file.
pub(super) const MAX_VALUES: u64 = 16_000_000;

/// An error when more was found than an export may hold.
pub(super) fn at_most(what: &'static str, found: u64, limit: u64) -> Result<(), ExportError> {
    if found > limit {
        return Err(ExportError::TooMuch { what, limit });
    }
    Ok(())
}
