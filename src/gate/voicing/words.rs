//! The tables of a language, ready to be looked up, and what a word among others is by them.

use super::tokens::{Phrases, Token};
use crate::proposal::Speaker;
use crate::text::Lexicon;
use crate::text::fold::fold;
use std::collections::{BTreeMap, BTreeSet};

/// The tables of a language, ready to be looked up, and the names that are known.
pub(super) struct Words<'a> {
    pub(super) lexicon: &'a Lexicon,
    pub(super) names: Phrases,
    /// Names that are also common words, as they are written: by their folded form.
    pub(super) written: BTreeMap<String, BTreeSet<String>>,
    pub(super) verbs: Phrases,
    pub(super) tags: Phrases,
    pub(super) silences: Phrases,
    /// What may come between a name and its verb, and after the verb.
    pub(super) manners: Phrases,
    pub(super) negators: Phrases,
    pub(super) pronouns: BTreeSet<&'a str>,
    objects: BTreeSet<&'a str>,
    pub(super) prepositions: BTreeSet<&'a str>,
    /// Prepositions and question words that begin what is spoken of.
    pub(super) topics: BTreeSet<&'a str>,
    pub(super) subordinators: BTreeSet<&'a str>,
    pub(super) conjunctions: BTreeSet<&'a str>,
    complementizers: BTreeSet<&'a str>,
    pub(super) auxiliaries: BTreeSet<&'a str>,
    /// Auxiliaries of a full verb that has the speaker for its subject ("does say", "has said").
    pub(super) supports: BTreeSet<&'a str>,
    /// Forms that go with an auxiliary and have the speaker for their subject ("is saying"; not "is told").
    pub(super) progressive: BTreeSet<&'a str>,
    receivers: BTreeSet<&'a str>,
    pub(super) hypotheticals: BTreeSet<&'a str>,
    pub(super) determiners: BTreeSet<&'a str>,
    pub(super) finite: BTreeSet<&'a str>,
}

fn set<'a>(tables: &[&'a [String]]) -> BTreeSet<&'a str> {
    tables
        .iter()
        .copied()
        .flatten()
        .map(String::as_str)
        .collect()
}

impl<'a> Words<'a> {
    pub(super) fn new(speakers: &[Speaker], lexicon: &'a Lexicon) -> Self {
        let mut names = Phrases::default();
        let mut written: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for (of, speaker) in speakers.iter().enumerate() {
            for name in &speaker.names {
                names.add(name, of);
                let folded = fold(name.trim());
                if lexicon.is_common_word(&folded) {
                    written
                        .entry(folded)
                        .or_default()
                        .insert(name.trim().to_owned());
                }
            }
        }
        let voicing = &lexicon.voicing;
        let adverbs = lexicon.adverbs.iter().chain(&lexicon.imperatives.adverbs);
        Self {
            lexicon,
            names,
            written,
            verbs: Phrases::of(&voicing.verbs),
            tags: Phrases::of(&voicing.tags),
            silences: Phrases::of(&voicing.silences),
            manners: Phrases::of(voicing.manners.iter().chain(adverbs)),
            negators: Phrases::of(&lexicon.negators),
            // Some are adverbs in the place of the subject ("dann sagt Odo").
            pronouns: set(&[&lexicon.subject_pronouns, &lexicon.pronouns])
                .into_iter()
                .filter(|word| !lexicon.adverbs.iter().any(|adverb| adverb == word))
                .collect(),
            objects: set(&[&lexicon.object_pronouns]),
            prepositions: set(&[&lexicon.prepositions]),
            topics: set(&[&lexicon.imperatives.topics]),
            subordinators: set(&[&lexicon.subordinators, &lexicon.conditionals]),
            conjunctions: set(&[&lexicon.conjunctions, &lexicon.imperatives.sequencers]),
            complementizers: set(&[&lexicon.complementizers]),
            auxiliaries: set(&[&lexicon.auxiliaries]),
            supports: lexicon
                .auxiliaries
                .iter()
                .map(String::as_str)
                .filter(|word| {
                    let is_copula = lexicon.copulas.iter().any(|copula| copula == word);
                    lexicon.bare_forms.contains_key(*word) && !is_copula
                })
                .chain(lexicon.do_support.iter().map(String::as_str))
                .collect(),
            progressive: lexicon
                .reporting
                .iter()
                .map(|verb| verb.progressive.as_str())
                .collect(),
            receivers: set(&[&lexicon.imperatives.receivers]),
            hypotheticals: set(&[&lexicon.hypotheticals]),
            determiners: set(&[&lexicon.articles, &lexicon.determiners]),
            finite: set(&[&lexicon.finite_verbs]),
        }
    }

    pub(super) fn is_manner(&self, token: &Token) -> bool {
        self.manners.has(std::slice::from_ref(token), 0)
    }

    pub(super) fn is_that(&self, token: &Token) -> bool {
        self.complementizers.contains(token.text.as_str())
    }

    /// Whether what is said follows this token: "that", or a colon.
    pub(super) fn introduces(&self, token: &Token) -> bool {
        self.is_that(token) || token.text == ":"
    }

    /// Whether this token may come between two clauses: a mark, or a conjunction.
    pub(super) fn is_joint(&self, token: &Token) -> bool {
        !token.is_word || self.conjunctions.contains(token.text.as_str())
    }

    /// Whether a word begins a clause that says when or why, and nothing that is said.
    pub(super) fn begins_aside(&self, word: &str) -> bool {
        self.subordinators.contains(word)
            && !self.topics.contains(word)
            && !self.complementizers.contains(word)
    }

    pub(super) fn skip_manners(&self, tokens: &[Token], mut at: usize) -> usize {
        while let Some((len, _)) = self
            .manners
            .at(tokens, at)
            .filter(|_| !self.silences.has(tokens, at))
        {
            at += len;
        }
        at
    }

    /// The token after a receiver: a name, a pronoun, or one of them after a preposition.
    pub(super) fn object_behind(&self, tokens: &[Token], at: usize) -> Option<usize> {
        let word = |at: usize| tokens.get(at).map(|token| token.text.as_str());
        let is_preposition = word(at).is_some_and(|word| {
            self.receivers.contains(word)
                || (self.prepositions.contains(word) && !self.topics.contains(word))
        });
        let is_predicate = |at: usize| {
            word(at)
                .is_some_and(|word| self.auxiliaries.contains(word) || self.finite.contains(word))
        };
        let from = if is_preposition { at + 1 } else { at };
        if let Some((len, _)) = self.names.at(tokens, from) {
            // "says Kael is here": what is said begins with the name.
            let is_subject = !is_preposition && is_predicate(from + len);
            return (!is_subject).then_some(from + len);
        }
        let is_object = word(from).is_some_and(|word| {
            self.objects.contains(word) && !self.complementizers.contains(word)
        });
        (is_object && !is_predicate(from + 1)).then_some(from + 1)
    }

    /// Whether a content clause or a colon follows a verb.
    pub(super) fn leads_to_words(&self, tokens: &[Token], verb_end: usize) -> bool {
        let at = self.skip_manners(tokens, verb_end);
        let at = self.object_behind(tokens, at).unwrap_or(at);
        let next = tokens.get(at);
        let behind = tokens.get(at + 1);
        next.is_some_and(|next| self.introduces(next))
            || (next.is_some_and(|next| next.text == ",")
                && behind.is_some_and(|behind| self.is_that(behind)))
    }
}
