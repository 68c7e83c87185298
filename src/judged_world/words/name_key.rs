//! The form in which names are compared.

use crate::text::Lexicon;
use crate::text::fold::fold;
use crate::text::twin::twin_key;

/// The form in which the engine compares the names and ids of things, whatever their source: folded (letter case, look-alike
/// letters), white space collapsed, without a leading article or "that".
///
/// A text of only an article keeps it, so that only a blank text has an empty key.
///
/// ```
/// use bevy_dramatis::world::name_key;
/// assert_eq!(name_key("The  Brass Key"), "brass key");
/// assert_eq!(name_key("the"), "the");
/// ```
#[must_use]
pub fn name_key(text: &str) -> String {
    let folded = fold(text);
    let mut key = String::with_capacity(folded.len());
    write_name_key(folded.split_whitespace(), &mut key);
    key
}

/// Whether this is what a name is called: by its [`name_key`], or by its [`twin_key`], which begins with a blank.
pub(crate) fn is_called(name: &str, wanted: &str) -> bool {
    match wanted.starts_with(' ') {
        true => twin_key(name) == wanted,
        false => name_key(name) == wanted,
    }
}

/// Writes the key of a name that consists of these words, which are folded.
pub(crate) fn write_name_key<'w>(words: impl Iterator<Item = &'w str>, key: &mut String) {
    let mut words = words.peekable();
    let lexicon = Lexicon::english();
    let mut leading = lexicon.articles.iter().chain(&lexicon.references.pointing);
    let mut is_article = |word: &&str| leading.any(|article| article == word);
    let first = words.next().unwrap_or_default();
    if !is_article(&first) || words.peek().is_none() {
        key.push_str(first);
    }
    for word in words {
        if !key.is_empty() {
            key.push(' ');
        }
        key.push_str(word);
    }
}
