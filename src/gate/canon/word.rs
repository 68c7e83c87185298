//! Words of facts: their forms, and the numbers by which they are compared.

use super::grammar::Grammar;
use super::tags::{NEARLY, NUMBER};
use std::collections::HashMap;

/// Numbers for the words of all facts; a word of a dialogue that no fact has needs none.
#[derive(Debug, Default)]
pub struct WordNumbers(HashMap<String, u32>);

impl WordNumbers {
    /// The number of a word, which gets one if it has none.
    fn intern(&mut self, word: &str) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(word.to_owned()).or_insert(next)
    }

    /// The number of a word that some fact has.
    pub fn number(&self, word: &str) -> Option<u32> {
        self.0.get(word).copied()
    }

    /// How many words have a number; each number is smaller.
    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// A word of a fact, with the forms that count as it.
#[derive(Debug)]
pub struct FactWord {
    /// Numbers of the forms that count as it anywhere.
    pub same: Vec<u32>,
    /// Numbers of its bare form, which counts with an auxiliary.
    pub bare: Vec<u32>,
    /// Numbers of its participles, which count with an auxiliary, too.
    pub participles: Vec<u32>,
    /// Numbers of its past forms, which count next to "never".
    pub past: Vec<u32>,
    /// Whether the fact has it in its bare form, since it denies it: "sleep" of "do not sleep", "heir" of "no heir".
    pub is_bare: bool,
    /// Whether it is an article: an article that denies counts as it ("no king").
    pub is_article: bool,
    /// Whether it is a number, or a word such as "half".
    pub is_amount: bool,
}

/// Words of a fact, one after the other.
pub type Phrase = Vec<FactWord>;

impl FactWord {
    /// The forms of `word`, by the tables of the lexicon.
    pub fn new(word: &str, grammar: &Grammar, numbers: &mut WordNumbers) -> Self {
        let lexicon = &grammar.lexicon;
        let mut same = vec![numbers.intern(word)];
        for (clitic, words) in &lexicon.clitics {
            if words.iter().any(|w| w == word) {
                same.push(numbers.intern(clitic));
            } else if clitic == word {
                same.extend(words.iter().map(|w| numbers.intern(w)));
            }
        }
        for (numeral, digits) in &lexicon.numbers {
            if numeral == word {
                same.push(numbers.intern(digits));
            } else if digits == word {
                same.push(numbers.intern(numeral));
            }
        }
        let bare: Vec<String> = match lexicon.bare_forms.get(word) {
            Some(bare) => vec![bare.clone()],
            None => lexicon
                .bare_endings
                .iter()
                .filter_map(|(ending, bare)| {
                    Some(word.strip_suffix(ending.as_str())?.to_owned() + bare)
                })
                .collect(),
        };
        let itself = [word.to_owned()];
        let verbs = if bare.is_empty() {
            itself.as_slice()
        } else {
            &bare
        };
        let participles = verbs.iter().flat_map(|verb| participles(verb, grammar));
        let participles = participles.map(|form| numbers.intern(&form)).collect();
        let past = lexicon.past_forms.get(word).into_iter().flatten();
        let past = past.map(|past| numbers.intern(past)).collect();
        Self {
            same,
            bare: bare.iter().map(|bare| numbers.intern(bare)).collect(),
            participles,
            past,
            is_bare: false,
            is_article: lexicon.articles.iter().any(|article| article == word),
            is_amount: grammar.tags(word) & (NUMBER | NEARLY) != 0
                || word.starts_with(|c: char| c.is_ascii_digit()),
        }
    }

    /// The forms of a verb that a fact has in its bare form, since it denies it: "sleep" of "do not sleep".
    pub fn of_bare_verb(word: &str, grammar: &Grammar, numbers: &mut WordNumbers) -> Self {
        let lexicon = &grammar.lexicon;
        let mut verb = Self::new(word, grammar, numbers);
        let by_ending = lexicon.bare_endings.iter().filter_map(|(ending, bare)| {
            Some(word.strip_suffix(bare.as_str())?.to_owned() + ending)
        });
        let finite = lexicon.bare_forms.iter().filter(|(_, bare)| *bare == word);
        let forms: Vec<String> = by_ending
            .chain(finite.map(|(form, _)| form.clone()))
            .chain(participles(word, grammar))
            .collect();
        verb.is_bare = true;
        verb.same
            .extend(forms.iter().map(|form| numbers.intern(form)));
        verb
    }
}

/// The participles of a verb in its bare form, and what looks like one.
fn participles(bare: &str, grammar: &Grammar) -> Vec<String> {
    let lexicon = &grammar.lexicon;
    let listed = lexicon.participles.iter().filter(|(_, of)| *of == bare);
    let none = [String::new()];
    let beginnings = match lexicon.participle_beginnings.as_slice() {
        [] => none.as_slice(),
        beginnings => beginnings,
    };
    let made = lexicon
        .participle_endings
        .iter()
        .flat_map(|(ending, instead)| {
            let stem = bare.strip_suffix(ending.as_str());
            let form = move |beginning: &String| Some(format!("{beginning}{}{instead}", stem?));
            beginnings.iter().filter_map(form)
        });
    listed.map(|(form, _)| form.clone()).chain(made).collect()
}
