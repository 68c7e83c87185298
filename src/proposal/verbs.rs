//! Verbs by which a text tells what a character says or does: "says", "looked up", "nods".

use crate::text::Lexicon;

/// The lexicon of a game, and those that the crate ships: models answer in other languages, too.
pub(super) fn lexicons(own: &Lexicon) -> impl Iterator<Item = &Lexicon> {
    let shipped = Lexicon::all_shipped().map(|(_, lexicon)| lexicon);
    [own].into_iter().chain(shipped)
}

/// Whether a verb of saying or a gesture is at this place.
pub(super) fn is_verb(words: &[String], at: usize, lexicon: &Lexicon) -> bool {
    is_saying(words, at, lexicon) || words.get(at).is_some_and(|word| is_gesture(word, lexicon))
}

/// Whether a verb of saying is at this place.
pub(super) fn is_saying(words: &[String], at: usize, lexicon: &Lexicon) -> bool {
    let pair = words.get(at..at + 2).map(|two| two.join(" "));
    let mut voicing = lexicons(lexicon).map(|lexicon| &lexicon.voicing);
    voicing.any(|voicing| {
        // "sagen sie": several people.
        let is_one = |word: &String| !word.ends_with("en");
        let is = |word: &String| {
            is_one(word) && (voicing.verbs.contains(word) || voicing.tags.contains(word))
        };
        words.get(at).is_some_and(is) || pair.as_ref().is_some_and(is)
    })
}

/// Whether a word is a gesture, or the past form of one: "looked", "smiled", "nodded", "shook".
pub(super) fn is_gesture(word: &str, lexicon: &Lexicon) -> bool {
    let is_listed = |word: &str| lexicon.gestures.iter().any(|gesture| gesture == word);
    let stem = word.strip_suffix("ed").unwrap_or_default();
    let is_past = |stem: &str| !stem.is_empty() && is_listed(&format!("{stem}s"));
    let bare = lexicon
        .bare_forms
        .get(word)
        .map(String::as_str)
        .unwrap_or_default();
    is_listed(word)
        || is_past(stem)
        || is_past(word.strip_suffix('d').unwrap_or_default())
        || is_past(&stem[..stem.len().saturating_sub(usize::from(stem.is_ascii()))])
        || is_past(bare)
}
