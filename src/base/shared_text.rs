//! A part of a text that others share.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Deref, Range};
use std::sync::Arc;

/// A part of a text that others share: a copy of it copies no words. It reads as a `str`.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub(crate) struct SharedText {
    whole: Arc<str>,
    range: Range<usize>,
}

impl SharedText {
    /// The bytes of `range` of a text; nothing where it has no such part, or where the part would begin or end within a character.
    #[must_use]
    pub fn part(whole: &Arc<str>, range: Range<usize>) -> Self {
        Self {
            range: whole.get(range.clone()).map_or(0..0, |_| range),
            whole: whole.clone(),
        }
    }
}

impl Deref for SharedText {
    type Target = str;

    fn deref(&self) -> &str {
        &self.whole[self.range.clone()]
    }
}

impl From<&str> for SharedText {
    fn from(text: &str) -> Self {
        Self {
            range: 0..text.len(),
            whole: text.into(),
        }
    }
}

impl From<String> for SharedText {
    fn from(text: String) -> Self {
        text.as_str().into()
    }
}

impl From<SharedText> for String {
    fn from(text: SharedText) -> Self {
        (*text).to_owned()
    }
}

impl PartialEq for SharedText {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for SharedText {}

impl fmt::Debug for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&**self, f)
    }
}

impl fmt::Display for SharedText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::SharedText;
    use std::sync::Arc;

    #[test]
    fn a_part_is_equal_to_the_same_words() {
        let whole: Arc<str> = "You keep the tower. Who knocks?".into();
        let asked = SharedText::part(&whole, 20..31);
        assert_eq!(&*asked, "Who knocks?");
        assert_eq!(asked, SharedText::from("Who knocks?"));
    }

    #[test]
    fn a_part_that_is_not_there_is_empty() {
        let whole: Arc<str> = "größer".into();
        assert_eq!(&*SharedText::part(&whole, 0..2), "gr");
        for (from, to) in [(3, 9), (0, 20), (7, 8), (4, 5)] {
            let part = SharedText::part(&whole, from..to);
            assert_eq!(&*part, whole.get(from..to).unwrap_or_default());
        }
    }
}
