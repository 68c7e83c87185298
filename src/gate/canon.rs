//! Canon: what is settled about the world, and what speaks against it.
//!
//! A dialogue is judged clause by clause. Disguised words are also judged as a reader would read them
//! (`Readings`). The check reads words, not meanings: it is as good as its
//! [`Lexicon`](crate::text::Lexicon). For what it cannot see, an author adds a pattern in `contradicted_by`.

mod answer;
mod assertion;
mod belief;
mod clause;
mod ellipsis;
mod exempt;
mod fact;
mod fronted;
mod grammar;
mod hit;
mod judge;
mod matcher;
mod negation;
mod parsed;
mod pronoun;
mod quote;
mod said;
mod sentence;
mod slot;
mod speaker;
mod tags;
mod token;
mod verdict;
mod view;
mod word;

#[cfg(test)]
mod tests;

pub use belief::read_together;
pub(crate) use fact::{CanonFact, CanonSlot, Exclusive};
#[cfg(test)]
use judge::ContradictionKind;
pub(crate) use judge::{CanonJudge, Contradiction, OutOfReach};
pub(super) use quote::{quoted_characters, straighten_apostrophes};
pub(crate) use said::Said;
