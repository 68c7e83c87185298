//! How many states of each category an actor may have.

use super::mind::MAX_STATES;
use crate::text::fold::fold;
use thiserror::Error;

/// How many states of a category an actor may have, by category. Others are not limited by category, but by
/// [`MAX_STATES`].
pub const SLOTS: [(&str, usize); 3] = [
    ("core", 3),
    ("persistent", PERSISTENT_SLOTS),
    ("temporal", 10),
];
/// How many persistent states an actor may have.
pub const PERSISTENT_SLOTS: usize = 10;

/// Why a state was not written.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum StateError {
    /// All slots of its category are taken.
    #[error("there are {0} states of the category \"{1}\" already")]
    Full(usize, String),
    /// There is no such category, and the actor has no state of it.
    #[error("there is no category \"{0}\"")]
    UnknownCategory(String),
}

/// Whether an actor that has states of these categories has room for a further one of this category.
///
/// # Errors
/// `StateError` when there is no room for it, or no such category.
pub(crate) fn room_for<'c>(
    categories: impl IntoIterator<Item = &'c str>,
    category: &str,
) -> Result<(), StateError> {
    let wanted = fold(category);
    let (mut all, mut taken) = (0, 0);
    for other in categories {
        all += 1;
        taken += usize::from(fold(other) == wanted);
    }
    let slots = SLOTS.iter().find(|(name, _)| *name == wanted);
    let slots = match slots {
        Some((_, slots)) => *slots,
        None if taken > 0 => MAX_STATES,
        None => return Err(StateError::UnknownCategory(category.to_owned())),
    };
    match taken >= slots || all >= MAX_STATES {
        true => Err(StateError::Full(taken, category.to_owned())),
        false => Ok(()),
    }
}
