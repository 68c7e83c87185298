//! The forms in which a narrator may write the name of a speaker.

use crate::proposal::Speaker;
use crate::text::fold::fold;
use crate::text::{Lexicon, bare};
use std::collections::BTreeMap;

/// The fewest letters of a part of a name that may replace the whole name.
const SHORTEST_PART: usize = 3;

/// Speakers with further forms of their names, after the names that they have: the id, each name without its article and
/// without accents, and the first and the last word of a longer name. A form that may mean two speakers is left out.
pub(super) fn with_forms(mut speakers: Vec<Speaker>, lexicon: &Lexicon) -> Vec<Speaker> {
    let mut forms: Vec<Vec<String>> = speakers
        .iter()
        .map(|speaker| {
            let names = speaker.names.iter();
            let own = names.flat_map(|name| forms_of(name, lexicon));
            [speaker.id.to_string()].into_iter().chain(own).collect()
        })
        .collect();
    // Who has a form: a name that is written so wins over a form of another one.
    let mut owners: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, (speaker, forms)) in speakers.iter().zip(&forms).enumerate() {
        for form in speaker.names.iter().chain(forms) {
            let owners = owners.entry(fold(form)).or_default();
            if owners.last() != Some(&at) {
                owners.push(at);
            }
        }
    }
    for (at, speaker) in speakers.iter_mut().enumerate() {
        for form in std::mem::take(&mut forms[at]) {
            let is_own = owners
                .get(&fold(&form))
                .is_some_and(|owners| *owners == [at]);
            let is_known = speaker.names.iter().any(|name| fold(name) == fold(&form));
            if is_own && !is_known {
                speaker.names.push(form);
            }
        }
    }
    speakers
}

fn forms_of(name: &str, lexicon: &Lexicon) -> Vec<String> {
    let is_article = |word: &str| {
        let word = fold(word);
        let english = &Lexicon::english().articles;
        lexicon
            .articles
            .iter()
            .chain(english)
            .any(|article| *article == word)
    };
    let mut words: Vec<&str> = name.split_whitespace().collect();
    if words.len() > 1 && is_article(words[0]) {
        words.remove(0);
    }
    let mut forms = vec![words.join(" ")];
    if let [first, .., last] = words[..] {
        let parts = [first, last]
            .into_iter()
            .filter(|part| is_part(part, lexicon));
        forms.extend(parts.map(str::to_owned));
    }
    let unaccented: Vec<String> = forms.iter().map(|form| bare(form)).collect();
    forms.extend(unaccented);
    forms
}

/// Whether a word of a longer name may replace the whole name: a capital, only letters, and not a common word.
fn is_part(word: &str, lexicon: &Lexicon) -> bool {
    word.chars().count() >= SHORTEST_PART
        && word.starts_with(char::is_uppercase)
        && word.chars().all(char::is_alphabetic)
        && !lexicon.is_common_word(&fold(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::ids::Id;

    fn forms(speakers: &[(&str, &str)]) -> Vec<Vec<String>> {
        let speakers = speakers.iter().map(|(id, name)| Speaker {
            id: Id::new(*id).unwrap(),
            names: vec![(*name).to_owned()],
        });
        let all = with_forms(speakers.collect(), Lexicon::english()).into_iter();
        all.map(|speaker| speaker.names).collect()
    }

    #[test]
    fn t15_a_name_is_known_in_all_its_forms() {
        assert_eq!(forms(&[("odo", "Odo")]), [["Odo"]]);
        assert_eq!(
            forms(&[("smith", "the Old Smith")])[0],
            ["the Old Smith", "smith", "Old Smith", "Old",]
        );
        assert_eq!(forms(&[("w1", "Käel")])[0], ["Käel", "w1", "Kael"]);
        assert_eq!(
            forms(&[("w1", "Captain Aldis")])[0],
            ["Captain Aldis", "w1", "Captain", "Aldis",]
        );
    }

    #[test]
    fn t15_a_form_that_may_mean_two_is_left_out() {
        let both = forms(&[("a1", "Captain Aldis"), ("b1", "Captain Bram")]);
        assert_eq!(both[0], ["Captain Aldis", "a1", "Aldis"]);
        assert_eq!(both[1], ["Captain Bram", "b1", "Bram"]);
        let both = forms(&[("a1", "Aldis"), ("b1", "Aldis Bram")]);
        assert_eq!(both[1], ["Aldis Bram", "b1", "Bram"]);
    }
}
