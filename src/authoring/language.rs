//! The lexicon that a file names.

use super::files::{FileSource, WithSource};
use crate::format::{AuthoringError, Inline};
use crate::text::Lexicon;
use std::sync::Arc;

/// A lexicon in place or by its path. One that the crate ships is there by its path, wherever the game runs.
///
/// # Errors
/// The place of what is wrong with it.
pub(super) fn load_lexicon<T>(
    sourced: &WithSource<T>,
    lexicon: &Inline<Lexicon>,
    files: &dyn FileSource,
) -> Result<Arc<Lexicon>, AuthoringError> {
    if let Inline::Path(path) = lexicon
        && let Some(shipped) = Lexicon::shipped(path)
        && files.read(path).is_err()
    {
        return Ok(Arc::new(shipped.clone()));
    }
    let part = sourced.part(lexicon, "/lexicon", files)?;
    Ok(Arc::new(part.value))
}
