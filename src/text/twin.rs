//! The form in which a name or id that a model writes is compared with those that there are.

use super::fold::{fold, is_word_char};
use super::lexicon::Lexicon;
use super::reveal::bare;

/// The twin key of a name: a blank and the name's letters and digits, bare and folded, without joints, blanks and leading
/// determiners. Names that are read alike have the same one. The blank tells it from other keys of names.
#[must_use]
pub fn twin_key(name: &str) -> String {
    key(name, begins_phrase)
}

/// The same of an id, which has no determiners: `the_king` is not `king`.
#[must_use]
pub fn twin_id(id: &str) -> String {
    key(id, |_, _| false)
}

fn key(name: &str, is_left_out: impl Fn(&str, &[&str]) -> bool) -> String {
    let folded = fold(&bare(name));
    let words = folded.split(|c: char| c == '_' || !is_word_char(c));
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut words = words.as_slice();
    while let [first, rest @ ..] = words
        && is_left_out(first, rest)
    {
        words = rest;
    }
    match words.is_empty() {
        // Signs alone.
        true => format!(" {folded}"),
        false => format!(" {}", words.concat()),
    }
}

/// The twin keys of a name that a model made up: its own, and where digits are written for letters in it (`M1ra`), those of the
/// names that are meant.
#[must_use]
pub fn twin_keys(name: &str) -> Vec<String> {
    let own = twin_key(name);
    let letters = |one: char| -> String {
        let letters = own.chars().map(|c| match c {
            '0' => 'o',
            '1' => one,
            '3' => 'e',
            '4' => 'a',
            '5' => 's',
            '7' => 't',
            c => c,
        });
        letters.collect()
    };
    let mut keys = vec![letters('i'), letters('l'), own];
    keys.dedup();
    keys
}

/// Whether the first word of a name only points at what the rest names. A letter that others follow is a part of the name
/// ("A n n").
fn begins_phrase(first: &str, rest: &[&str]) -> bool {
    let letters: usize = rest.iter().map(|word| word.chars().count()).sum();
    let is_long = first.chars().count() > 2;
    let leads = |lexicon: &&Lexicon| {
        let pointing = &lexicon.references.pointing;
        let mut words = lexicon
            .articles
            .iter()
            .chain(&lexicon.determiners)
            .chain(pointing);
        words.any(|word| word == first)
    };
    letters > if is_long { 0 } else { 2 }
        && (is_long || rest[0].chars().count() > 1)
        && [Lexicon::english(), Lexicon::german()].iter().any(leads)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m1_names_that_are_read_alike_have_one_key() {
        for (name, twins) in [
            (
                "Odo",
                &[
                    "O.d.o",
                    "Ódo",
                    "ODO",
                    "o d o",
                    "Оdо",
                    "Odo.",
                    "the Odo",
                    "O\u{301}do",
                    "Ⓞⓓⓞ",
                    "O-do",
                ][..],
            ),
            ("Ann", &["A n n", "An n", "Ánn", "A.N.N", "ann_"]),
            (
                "tower",
                &[
                    "tower.",
                    "tower_",
                    "our tower",
                    "tówer",
                    "the-tower",
                    "To Wer",
                    "that tower",
                    "der Tower",
                ],
            ),
            (
                "trust_ann",
                &["Trust_Ann", "trust-ann", "trustann", "Trust Ann."],
            ),
            ("Тайна", &["ТАЙНА", "т-а-й-н-а", "та́йна"]),
            ("米拉", &["米・拉", "米 拉"]),
        ] {
            for twin in twins {
                assert_eq!(twin_key(twin), twin_key(name), "{twin}");
            }
        }
    }

    #[test]
    fn m1_names_that_are_read_apart_have_two() {
        for (name, other) in [
            ("Odo", "Otto"),
            ("Anna", "Ann"),
            ("guard 1", "guard 2"),
            ("tower", "towers"),
            ("Мой", "Мои"),
            ("かき", "がき"),
            ("कल", "काल"),
            ("a", "an"),
            ("🗝", "🔥"),
            ("the", "that"),
        ] {
            assert_ne!(twin_key(name), twin_key(other));
        }
        assert!(twin_keys("M1ra").contains(&twin_key("Mira")));
        assert!(twin_keys("E1drin").contains(&twin_key("Eldrin")));
        assert!(twin_keys("0do").contains(&twin_key("Odo")));
        assert_eq!(twin_keys("Mira"), [twin_key("Mira")]);
        assert_ne!(twin_id("the_king"), twin_id("king"));
        assert_eq!(twin_id("King-Álive."), twin_id("king_alive"));
    }
}
