//! The entities that actions bring into the world: how their ids are told apart, and how many there may be.

use crate::base::ids::{BadId, Id};

/// How many entities actions may bring into a world that does not say otherwise.
pub const MAX_INTRODUCED: usize = 64;

/// The beginning of the ids of entities that an action has brought.
const INTRODUCED: &str = "e-";

/// The id of a new entity, from a number that was drawn for it.
pub(crate) fn newcomer_id(drawn: u64) -> Result<Id, BadId> {
    Id::new(format!("{INTRODUCED}{drawn:016x}"))
}

/// Whether an action has brought the entity with this id: it is `e-` and 16 hexadecimal digits. So the engine stores nothing
/// for this, and a save tells it, too.
pub(crate) fn is_newcomer(id: &str) -> bool {
    let digits = id.strip_prefix(INTRODUCED).unwrap_or_default();
    digits.len() == 16
        && digits
            .bytes()
            .all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newcomers_are_known_by_their_ids() {
        for drawn in [0, 1, u64::MAX] {
            assert!(is_newcomer(&newcomer_id(drawn).unwrap()));
        }
        for id in ["e-1", "elf", "e-000000000000000g", "e-00000000000000001"] {
            assert!(!is_newcomer(id), "{id}");
        }
    }
}
