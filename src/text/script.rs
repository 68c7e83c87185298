//! The scripts that texts are written in.

use super::Lexicon;
use icu_properties::CodePointMapData;
use icu_properties::props::Script;
use std::collections::BTreeMap;

/// The scripts of the letters of a text, letter by letter. Those that Japanese mixes count as one.
pub(crate) fn scripts_of(text: &str) -> impl Iterator<Item = Script> {
    let letters = text.chars().filter(|c| c.is_alphabetic());
    let scripts = letters.map(|c| CodePointMapData::<Script>::new().get(c));
    let scripts = scripts.filter(|script| !matches!(*script, Script::Common | Script::Inherited));
    scripts.map(|script| match script {
        Script::Hiragana | Script::Katakana => Script::Han,
        script => script,
    })
}

/// The script of a language: that of most of its common words. `None` where its lexicon has no such words.
pub(crate) fn script_of_language(lexicon: &Lexicon) -> Option<Script> {
    let words = lexicon
        .negators
        .iter()
        .chain(&lexicon.second_person)
        .chain(&lexicon.own_words)
        .chain(lexicon.stop_words.iter());
    let mut counts: BTreeMap<Script, usize> = BTreeMap::new();
    for script in words.filter_map(|word| script_of_word(word)) {
        *counts.entry(script).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|(_, words)| *words);
    most.map(|(script, _)| script)
}

/// The words of a lexicon are folded, which makes Latin letters of others that look alike.
fn script_of_word(word: &str) -> Option<Script> {
    let other = scripts_of(word).find(|script| *script != Script::Latin);
    other.or_else(|| scripts_of(word).next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m9_the_script_of_a_language_is_that_of_its_words() {
        for lexicon in [Lexicon::english(), Lexicon::german()] {
            assert_eq!(script_of_language(lexicon), Some(Script::Latin));
        }
        let of = |source| script_of_language(&Lexicon::parse(source).unwrap());
        // Folded, half of these letters are Latin.
        let russian = r#"(stop_words: ["не", "где", "я", "а"])"#;
        assert_eq!(of(russian), Some(Script::Cyrillic));
        assert_eq!(of(r#"(stop_words: ["は", "です"])"#), Some(Script::Han));
        assert!(scripts_of("東京タワーです").all(|script| script == Script::Han));
        assert_eq!(script_of_language(&Lexicon::default()), None);
    }
}
