//! Names as they are compared in labels: case, width, look-alikes, accents and an article before them make no difference.

use crate::text::fold::fold;
use bevy::reflect::Reflect;
use icu_normalizer::DecomposingNormalizerBorrowed;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A set of names that begin the lines of people: `Ann: Come in.` Of a name of several words its first and its last word are
/// in it as well, because models call people so.
#[derive(Debug, Clone, Default, PartialEq, Eq, Reflect)]
pub(crate) struct LabelNames {
    keys: BTreeSet<String>,
}

impl LabelNames {
    /// A set without names.
    pub const EMPTY: &'static Self = &Self {
        keys: BTreeSet::new(),
    };

    /// Adds a name.
    pub fn add(&mut self, name: &str) {
        let key = label_key(name);
        let words: Vec<&str> = key.split(' ').collect();
        if let [first, .., last] = words.as_slice() {
            let parts = [first, last]
                .into_iter()
                .filter(|part| part.chars().count() > 2);
            self.keys.extend(parts.map(|part| (*part).to_owned()));
        }
        if !key.is_empty() {
            self.keys.insert(key);
        }
    }

    /// Whether a label with this key is one of the names.
    pub(super) fn has(&self, key: &str) -> bool {
        self.keys.contains(key)
    }
}

impl<'a> FromIterator<&'a str> for LabelNames {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        let mut all = Self::default();
        names.into_iter().for_each(|name| all.add(name));
        all
    }
}

/// Words that may precede a name and are no part of it.
const ARTICLES: [&str; 12] = [
    "the", "a", "an", "der", "die", "das", "le", "la", "el", "il", "lo", "o",
];

/// Whether an article is before the words of a label.
pub(super) fn begins_with_article(label: &str) -> bool {
    let folded = fold(label);
    let mut words = folded.split_whitespace();
    words.next().is_some_and(|word| ARTICLES.contains(&word)) && words.next().is_some()
}

/// The part of a label that is compared.
pub(super) fn label_key(name: &str) -> String {
    let bare: Cow<str> = match name.is_ascii() {
        true => Cow::Borrowed(name),
        false => {
            let apart = DecomposingNormalizerBorrowed::new_nfkd().normalize(name);
            Cow::Owned(
                apart
                    .chars()
                    .filter(|c| !matches!(c, '\u{300}'..='\u{36f}'))
                    .collect(),
            )
        }
    };
    let folded = fold(&bare);
    let mut words: Vec<&str> = folded.split_whitespace().collect();
    if words.len() > 1 && words.first().is_some_and(|word| ARTICLES.contains(word)) {
        words.remove(0);
    }
    words.join(" ")
}

/// Whether a word is one of these names, or a part of one.
pub(super) fn is_name_of(word: &str, names: &[String]) -> bool {
    let key = label_key(word);
    names.iter().any(|name| {
        let name = label_key(name);
        !name.is_empty() && (name == key || name.split(' ').any(|part| part == key))
    })
}

/// The words of a text, folded.
pub(super) fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).map(fold).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn g1_names_are_compared_as_people_read_them() {
        let names: LabelNames = ["Captain Käel Grey", "米拉"].into_iter().collect();
        for label in [
            "captain kael grey",
            "KÄEL",
            "the Captain Kael  Grey",
            "Ｇｒｅｙ",
            "Captain",
            "米拉",
        ] {
            let key = label_key(label);
            let parts = ["captain", "grey", "captain kael grey", "米拉"];
            assert_eq!(names.has(&key), parts.contains(&key.as_str()), "{label}");
        }
        assert!(!names.has(&label_key("")) && !LabelNames::EMPTY.has("the"));
    }
}
