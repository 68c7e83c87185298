//! Words of facts: their forms, and the numbers by which they are compared.

use super::grammar::Grammar;
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

/// A word of a fact, with the forms that stand for it.
#[derive(Debug)]
pub struct FactWord {
    /// Numbers of the forms that stand for it anywhere.
    pub same: Vec<u32>,
    /// Numbers of its bare form, which counts after "do".
    pub bare: Vec<u32>,
    /// Numbers of its past forms, which count beside "never".
    pub past: Vec<u32>,
    /// Whether it is an article: an article that denies stands for it ("no king").
    pub is_article: bool,
}

/// Words of a fact that stand one after the other.
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
        let bare = match lexicon.bare_forms.get(word) {
            Some(bare) => vec![numbers.intern(bare)],
            None => lexicon
                .bare_endings
                .iter()
                .filter_map(|(ending, bare)| {
                    Some(word.strip_suffix(ending.as_str())?.to_owned() + bare)
                })
                .map(|bare| numbers.intern(&bare))
                .collect(),
        };
        let past = lexicon.past_forms.get(word).into_iter().flatten();
        let past = past.map(|past| numbers.intern(past)).collect();
        Self {
            same,
            bare,
            past,
            is_article: lexicon.articles.iter().any(|article| article == word),
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
            .collect();
        verb.same
            .extend(forms.iter().map(|form| numbers.intern(form)));
        verb
    }
}
