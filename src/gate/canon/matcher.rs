//! One fact made ready for matching against clauses.

use super::assertion::{Statement, assertion, denied_words, pattern_words, stated};
use super::ellipsis::{elliptic_assertion, elliptic_denial, inverted_denial, states};
use super::fact::{CanonFact, Exclusive};
use super::grammar::Grammar;
use super::negation::negation;
use super::slot::SlotMatcher;
use super::tags::{ARTICLE, AUXILIARY, DEMONSTRATIVE, DETERMINER, FINITE, PREPOSITION, TITLE};
use super::token::Token;
use super::view::{ClauseView, TokenRange};
use super::word::{FactWord, Phrase, WordNumbers};
use crate::text::Readings;

/// A fact made ready for matching.
#[derive(Debug)]
pub struct FactMatcher {
    /// The fact's words; with a slot, also as each of its subjects would say it.
    wordings: Vec<Phrase>,
    /// A negative fact's words without its negators: a statement of these words contradicts the fact.
    denied: Vec<Statement>,
    /// The words of its patterns that are phrases with a verb: another form of them contradicts the fact, too.
    patterns: Vec<Statement>,
    /// Its exclusive slot, if it has one.
    slot: Option<SlotMatcher>,
}

impl FactMatcher {
    /// `numbers` gets a number for each word of the fact.
    pub(crate) fn new(fact: &CanonFact, grammar: &Grammar, numbers: &mut WordNumbers) -> Self {
        let mut phrase = |text: &str| -> Phrase {
            grammar
                .words(text)
                .iter()
                .map(|word| FactWord::new(word, grammar, numbers))
                .collect()
        };
        let mut wordings = vec![phrase(&fact.text)];
        let passive = in_the_passive(&fact.text, grammar);
        wordings.extend(passive.iter().map(|text| phrase(text)));
        let slot = fact.slot.as_ref().map(|slot| {
            wordings.extend(
                slot.subject
                    .iter()
                    .map(|subject| phrase(&format!("{subject} {} {}", slot.relation, slot.value))),
            );
            SlotMatcher {
                subjects: slot
                    .subject
                    .iter()
                    .map(|s| phrase(s))
                    .filter(|s| !s.is_empty())
                    .collect(),
                relation: phrase(&slot.relation),
                relation_leads: grammar
                    .tagged(&slot.relation)
                    .last()
                    .is_some_and(|last| last.is(PREPOSITION)),
                is_name: slot.value.starts_with(char::is_uppercase),
                values: {
                    let readings = Readings::new(&slot.value);
                    let others = readings.others().map(|reading| reading.text.as_str());
                    [slot.value.as_str()]
                        .into_iter()
                        .chain(others)
                        .map(&mut phrase)
                        .collect()
                },
                listed: match &slot.exclusive {
                    Exclusive::Any => None,
                    Exclusive::OneOf(values) => Some(
                        values
                            .iter()
                            .map(|v| phrase(v))
                            .filter(|v| !v.is_empty())
                            .collect(),
                    ),
                },
            }
        });
        wordings.retain(|words| !words.is_empty());
        Self {
            wordings,
            denied: denied_words(&grammar.tagged(&fact.text), grammar, numbers),
            patterns: fact
                .contradicted_by
                .iter()
                .flat_map(|pattern| {
                    let passive = in_the_passive(pattern, grammar);
                    [pattern.clone()].into_iter().chain(passive)
                })
                .flat_map(|pattern| pattern_words(&pattern, grammar, numbers))
                .collect(),
            slot,
        }
    }

    /// Whether the words of a dialogue can hold the fact or its slot at all.
    pub fn may_occur(&self, present: &[bool]) -> bool {
        let occurs = |phrase: &Phrase| {
            let words = phrase.iter().filter(|word| !word.is_article);
            words.into_iter().all(|word| {
                let forms = word.same.iter().chain(&word.bare).chain(&word.past);
                let mut forms = forms.chain(&word.participles);
                forms.any(|number| present.get(*number as usize).copied().unwrap_or_default())
            })
        };
        let denied = self.denied.iter().chain(&self.patterns);
        let denied = denied.map(|denied| &denied.words);
        self.wordings.iter().chain(denied).any(occurs)
            || self
                .slot
                .as_ref()
                .is_some_and(|slot| slot.subjects.iter().any(occurs))
    }

    /// The first negation of the fact in the clause.
    pub fn negation(&self, view: &ClauseView) -> Option<TokenRange> {
        let falsehood = view.falsehood.as_ref();
        self.wordings
            .iter()
            .filter_map(|words| negation(words, view, falsehood))
            .min()
    }

    /// Whether the fact is negative, and its words without what denies are known.
    pub fn can_be_asserted(&self) -> bool {
        !self.denied.is_empty()
    }

    /// The first place of the clause that says what a negative fact denies.
    pub fn assertion(&self, view: &ClauseView) -> Option<TokenRange> {
        let mut denied = self.denied.iter();
        denied.find_map(|denied| assertion(denied, view))
    }

    /// The first place of the clause that says what a pattern says, in another form.
    pub fn stated_pattern(&self, view: &ClauseView) -> Option<TokenRange> {
        let mut patterns = self.patterns.iter();
        patterns.find_map(|pattern| stated(pattern, view))
    }

    /// The fact, denied by a clause that leaves out what was just asked, or says it first.
    pub fn elliptic_denial(
        &self,
        view: &ClauseView,
        question: Option<&ClauseView>,
    ) -> Option<TokenRange> {
        let mut wordings = self.wordings.iter();
        wordings.find_map(|words| {
            let asserted = self
                .can_be_asserted()
                .then(|| elliptic_assertion(words, view, question));
            elliptic_denial(words, view, question).or_else(|| asserted.flatten())
        })
    }

    /// The fact, denied by a clause in another order: "Never is the king alive."
    pub fn inverted_denial(&self, view: &ClauseView) -> Option<TokenRange> {
        let mut wordings = self.wordings.iter();
        wordings.find_map(|words| inverted_denial(words, view))
    }

    /// Whether some words say nothing but the fact, in any order: "Is the king alive".
    pub fn is_stated(&self, view: &ClauseView) -> bool {
        self.wordings.iter().any(|words| states(words, view))
    }

    /// The first other value of the fact's slot in the clause.
    pub fn other_value(&self, view: &ClauseView) -> Option<TokenRange> {
        let slot = self.slot.as_ref()?;
        let fronted = || slot.fronted_value(view);
        slot.contradiction(view).or_else(fronted)
    }
}

/// The words of a statement in the passive, without its auxiliary: "the gate guards by the dragon" of "The dragon guards the gate".
/// One for each preposition of the lexicon; none unless it is a subject, a verb and an object.
fn in_the_passive(statement: &str, grammar: &Grammar) -> Vec<String> {
    /// The most words of a subject or an object.
    const MOST: usize = 4;
    let agents = &grammar.lexicon.agents;
    if agents.is_empty() || statement.starts_with(['/', '"']) || statement.ends_with('*') {
        return Vec::new();
    }
    let tokens = grammar.tagged(statement);
    let Some(verb) = grammar.first_verb(&tokens, FINITE) else {
        return Vec::new();
    };
    let (subject, object) = (&tokens[..verb], &tokens[verb + 1..]);
    let is_noun = |words: &[Token]| {
        let mut words = words.iter().enumerate();
        (1..=MOST).contains(&words.len())
            && words.all(|(at, word)| {
                word.is_unknown()
                    || word.is(TITLE)
                    || at == 0 && word.is(ARTICLE | DETERMINER | DEMONSTRATIVE)
            })
    };
    let words = |tokens: &[Token]| {
        let words: Vec<&str> = tokens.iter().map(|token| token.word.as_str()).collect();
        words.join(" ")
    };
    let verb = &tokens[verb];
    if verb.is(AUXILIARY) || !is_noun(subject) || !is_noun(object) {
        return Vec::new();
    }
    let (object, subject) = (words(object), words(subject));
    let agents = agents.iter();
    agents
        .map(|agent| format!("{object} {} {agent} {subject}", verb.word))
        .collect()
}
