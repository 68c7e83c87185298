//! Ids: 1-64 characters of `A-Z a-z 0-9 _ - .` (contract row P1).

use thiserror::Error;

/// The most characters that an id may have.
pub const MAX_ID_CHARS: usize = 64;

/// Why a text is not an id.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("\"{}\" is not an id: 1-64 characters of A-Z a-z 0-9 _ - .", .0.chars().take(80).collect::<String>().escape_debug())]
pub struct BadId(pub String);

/// Checks an id.
///
/// # Errors
/// [`BadId`] when it is empty, longer than 64 characters, or holds any other character.
pub fn check_id(id: &str) -> Result<(), BadId> {
    let allowed = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    if id.is_empty() || id.len() > MAX_ID_CHARS || !id.bytes().all(allowed) {
        return Err(BadId(id.to_owned()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p1_ids_have_a_length_and_an_alphabet() {
        assert!(check_id("wizard_001-b.C").is_ok());
        assert!(check_id(&"x".repeat(64)).is_ok());
        for bad in ["", "two words", "é", "a/b", "x\n", &"x".repeat(65)] {
            assert!(check_id(bad).is_err(), "{bad:?}");
        }
    }
}
