//! All canon of a world, and what of a dialogue speaks against it.

use super::clause::{Clause, Link, may_be_verb};
use super::exempt::names_a_source;
use super::fact::CanonFact;
use super::grammar::Grammar;
use super::matcher::FactMatcher;
use super::parsed::ParsedSentence;
use super::quote::{quoted_characters, straighten_apostrophes};
use super::said::Said;
use super::tags::{NEGATOR, NO_ARTICLE, NOBODY, VERB};
use super::view::ClauseView;
use super::word::WordNumbers;
use crate::base::canonical::Encoded;
use crate::text::lexicon::Lexicon;
use crate::text::{FoldedText, PatternError, PatternSet, Readings, Span, sentence};
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;

/// How a dialogue contradicts a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub enum ContradictionKind {
    /// A pattern of `contradicted_by` stands in it.
    Pattern,
    /// A clause of it denies the fact.
    Negation,
    /// A clause of it gives the slot of the fact another value.
    Slot,
}

/// Why nothing that is said contradicts a fact by its words alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutOfReach {
    /// It denies something in words that cannot be turned round ("Nobody knows the way").
    Negative,
    /// It has no verb that the lexicon knows ("A dark tower").
    NoVerb,
}

/// A fact that a dialogue contradicts, and where it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Contradiction {
    /// The index of the fact in [`CanonJudge::facts`].
    pub fact: usize,
    /// In which way the fact is contradicted.
    pub how: ContradictionKind,
    /// The offending words, in characters of the dialogue.
    pub span: Span,
}

/// The facts that are judged alike: all lenient ones, or all strict ones.
#[derive(Debug, Default)]
struct Group {
    strict: bool,
    /// Places in [`CanonJudge::facts`].
    facts: Vec<usize>,
    patterns: PatternSet,
    /// For each pattern, its fact.
    owners: Vec<usize>,
}

/// All canon of a story, compiled once when it is loaded. The example stands in [`gate`](crate::gate).
#[derive(Debug)]
pub struct CanonJudge {
    facts: Vec<CanonFact>,
    /// Id and text of each, as prompts and snapshots have them.
    texts: Arc<Encoded<Vec<(String, String)>>>,
    matchers: Vec<FactMatcher>,
    groups: Vec<Group>,
    numbers: WordNumbers,
    grammar: Grammar,
}

/// A dialogue taken apart: its sentences with the numbers of their words.
struct Sentence {
    /// Characters of the dialogue.
    chars: Range<usize>,
    parsed: ParsedSentence,
    numbers: Vec<Option<u32>>,
}

impl Sentence {
    /// Clause number `m` as facts see it that are judged strictly or not.
    fn clause(&self, m: usize, strict: bool) -> ClauseView<'_> {
        let view = |m: usize| {
            let range = self
                .parsed
                .clauses
                .get(m)
                .map_or(0..0, |clause| clause.range.clone());
            ClauseView::new(&self.parsed, &self.numbers, range, strict)
        };
        let follows = |clause: &Clause| clause.link == Link::Colon;
        let is_denied = self.parsed.clauses.get(m).is_some_and(follows)
            && m.checked_sub(1)
                .is_some_and(|before| view(before).denies_what_follows());
        match is_denied {
            true => view(m).denied(),
            false => view(m),
        }
    }

    /// All of it as one clause, what is exempt included.
    fn whole(&self) -> ClauseView<'_> {
        let all = 0..self.parsed.tokens.len();
        ClauseView::new(&self.parsed, &self.numbers, all, true)
    }
}

impl Default for CanonJudge {
    /// A world without canon.
    fn default() -> Self {
        Self {
            facts: Vec::new(),
            texts: Arc::default(),
            matchers: Vec::new(),
            groups: Vec::new(),
            numbers: WordNumbers::default(),
            grammar: Grammar::new(&Lexicon::default()),
        }
    }
}

impl CanonJudge {
    /// Compiles facts; what they mean depends on the language of `lexicon`.
    ///
    /// # Errors
    /// The first `contradicted_by` pattern that does not compile.
    pub fn compile(facts: Vec<CanonFact>, lexicon: &Lexicon) -> Result<Self, PatternError> {
        let grammar = Grammar::new(lexicon);
        let mut numbers = WordNumbers::default();
        let matchers = facts
            .iter()
            .map(|fact| FactMatcher::new(fact, &grammar, &mut numbers))
            .collect();
        let mut groups = Vec::new();
        for strict in [false, true] {
            let places: Vec<usize> = (0..facts.len())
                .filter(|i| facts[*i].strict == strict)
                .collect();
            let owned = || {
                places.iter().flat_map(|i| {
                    facts[*i]
                        .contradicted_by
                        .iter()
                        .map(move |pattern| (*i, pattern))
                })
            };
            let patterns =
                PatternSet::compile(owned().map(|(_, pattern)| straighten_apostrophes(pattern)))?;
            let owners = owned().map(|(owner, _)| owner).collect();
            groups.push(Group {
                strict,
                facts: places,
                patterns,
                owners,
            });
        }
        let texts = facts.iter();
        let texts = texts.map(|fact| (fact.id.clone(), fact.text.clone()));
        Ok(Self {
            texts: Arc::new(Encoded::new(texts.collect())),
            facts,
            matchers,
            groups,
            numbers,
            grammar,
        })
    }

    /// The facts, in the order given.
    #[must_use]
    pub fn facts(&self) -> &[CanonFact] {
        &self.facts
    }

    /// Id and text of each fact, in the order given.
    #[must_use]
    pub fn texts(&self) -> &Arc<Encoded<Vec<(String, String)>>> {
        &self.texts
    }

    /// The fact with this id; of several, the first.
    #[must_use]
    pub fn get(&self, id: &str) -> Option<&CanonFact> {
        self.facts.iter().find(|fact| fact.id == id)
    }

    /// Why nothing contradicts the words of the fact with this number; `None` where something can, and where there is no such
    /// fact. Patterns and slots are not looked at.
    #[must_use]
    pub fn out_of_reach(&self, fact: usize) -> Option<OutOfReach> {
        let matcher = self.matchers.get(fact)?;
        let tokens = self.grammar.tagged(&self.facts.get(fact)?.text);
        let is_nobody = tokens.first().is_some_and(|token| token.is(NOBODY));
        let denies = is_nobody || tokens.iter().any(|token| token.is(NEGATOR | NO_ARTICLE));
        if denies && !matcher.can_be_asserted() {
            return Some(OutOfReach::Negative);
        }
        let endings = &self.grammar.lexicon.verb_endings;
        let is_verb = |at: usize| {
            let before = at.checked_sub(1).map(|before| &tokens[before]);
            tokens[at].is(VERB)
                || before.is_some_and(|before| may_be_verb(before, &tokens[at], endings))
        };
        // Of longer facts, and of other languages, the lexicon need not know the verb.
        let is_known =
            (1..=3).contains(&tokens.len()) && tokens.iter().all(|token| token.word.is_ascii());
        let has_verb = (0..tokens.len()).any(is_verb);
        (is_known && !has_verb).then_some(OutOfReach::NoVerb)
    }

    /// Whether `text`, said in this way, contradicts at least one fact. [`CanonJudge::judge`] says which, and where.
    #[must_use]
    pub fn contradicts_any(&self, text: &str, said: Said) -> bool {
        !self.facts.is_empty() && !self.judge(&Readings::new(text), said).is_empty()
    }

    /// Everything that speaks against canon in one of the readings of a text: for each fact at most one contradiction, in the
    /// order of the facts; the earliest in the text as written, else the earliest in another reading. Total, and linear in
    /// the length of the text for given facts.
    #[must_use]
    pub fn judge(&self, readings: &Readings, said: Said) -> Vec<Contradiction> {
        let original = readings.written().original();
        let mut found = self.judge_text(original, said);
        for reading in readings.others() {
            for mut other in self.judge_text(&reading.text, said) {
                if !found.iter().any(|known| known.fact == other.fact) {
                    let (start, end) = reading.place(other.span.start, other.span.end);
                    other.span = Span::of(original, start, end);
                    found.push(other);
                }
            }
        }
        found.sort_by_key(|contradiction| contradiction.fact);
        found
    }

    fn judge_text(&self, dialogue: &str, said: Said) -> Vec<Contradiction> {
        if self.facts.is_empty() {
            return Vec::new();
        }
        let text = straighten_apostrophes(dialogue);
        let places = text
            .char_indices()
            .map(|(at, _)| at)
            .chain([text.len()])
            .collect::<Vec<_>>();
        let sentences = self.sentences(&text, said);
        let mut present = vec![false; self.numbers.len()];
        for number in sentences
            .iter()
            .flat_map(|sentence| &sentence.numbers)
            .flatten()
        {
            present[*number as usize] = true;
        }
        let mut found: Vec<Option<(ContradictionKind, usize, usize)>> =
            vec![None; self.facts.len()];
        for group in self.groups.iter().filter(|group| !group.facts.is_empty()) {
            let possible: Vec<usize> = group
                .facts
                .iter()
                .copied()
                .filter(|fact| self.matchers[*fact].may_occur(&present))
                .collect();
            for (n, sentence) in sentences.iter().enumerate() {
                group.scan(sentence, &text, &places, &mut found);
                let before = n.checked_sub(1).map(|n| &sentences[n]);
                let question = before.filter(|before| before.parsed.is_question);
                let question = question.map(Sentence::whole);
                for m in 0..sentence.parsed.clauses.len() {
                    let view = sentence.clause(m, group.strict);
                    let question = question.as_ref().filter(|_| m == 0);
                    self.match_clause(&possible, &view, question, &mut found);
                }
            }
        }
        let contradictions = found.into_iter().enumerate();
        contradictions
            .filter_map(|(fact, found)| {
                let (how, start, end) = found?;
                let span = Span::of(dialogue, start, end);
                Some(Contradiction { fact, how, span })
            })
            .collect()
    }

    fn sentences(&self, text: &str, said: Said) -> Vec<Sentence> {
        let quoted = quoted_characters(text, &self.grammar.lexicon);
        let (mut bytes, mut chars) = (0, 0);
        // What is remembered as somebody's words must say whose.
        let has_source = said == Said::Aloud || self.names_a_source(text, &quoted);
        sentence::sentences(text, &self.grammar.lexicon)
            .into_iter()
            .map(|range| {
                let start = chars + text[bytes..range.start].chars().count();
                let sentence = &text[range.clone()];
                let end = start + sentence.chars().count();
                (bytes, chars) = (range.end, end);
                let parsed =
                    ParsedSentence::new(&self.grammar, sentence, start, &quoted, has_source);
                let numbers = parsed
                    .tokens
                    .iter()
                    .map(|t| self.numbers.number(&t.word))
                    .collect();
                Sentence {
                    chars: start..end,
                    parsed,
                    numbers,
                }
            })
            .collect()
    }

    /// Whether a text says whose words it tells.
    fn names_a_source(&self, text: &str, quoted: &[bool]) -> bool {
        let mut tokens = self.grammar.tokens(text, 0);
        for token in &mut tokens {
            token.quoted = quoted.get(token.start).copied().unwrap_or_default();
        }
        self.grammar.tag_phrases(&mut tokens);
        names_a_source(&tokens)
    }

    fn match_clause(
        &self,
        facts: &[usize],
        view: &ClauseView,
        question: Option<&ClauseView>,
        found: &mut [Option<(ContradictionKind, usize, usize)>],
    ) {
        let tokens = &view.parsed.tokens;
        for &fact in facts {
            let matcher = &self.matchers[fact];
            let denial = matcher.negation(view);
            let negation = denial
                .or_else(|| matcher.elliptic_denial(view, question))
                .map(|at| (ContradictionKind::Negation, at));
            let assertion = matcher.assertion(view);
            let negation =
                negation.or_else(|| assertion.map(|at| (ContradictionKind::Negation, at)));
            let slot = matcher
                .other_value(view)
                .map(|at| (ContradictionKind::Slot, at));
            for (how, (first, last)) in negation.into_iter().chain(slot) {
                keep_earliest(
                    &mut found[fact],
                    (how, tokens[first].start, tokens[last].end),
                );
            }
        }
    }
}

impl Group {
    /// Scans what is judged of a sentence for this group's patterns, clause by clause.
    fn scan(
        &self,
        sentence: &Sentence,
        text: &str,
        places: &[usize],
        found: &mut [Option<(ContradictionKind, usize, usize)>],
    ) {
        if self.patterns.is_empty() {
            return;
        }
        for chars in judged_stretches(sentence, self.strict) {
            let hits = self.patterns.scan(&FoldedText::new(
                &text[places[chars.start]..places[chars.end]],
            ));
            for (pattern, &fact) in self.owners.iter().enumerate() {
                if let Some(hit) = hits.first(pattern) {
                    let (start, end) = (chars.start + hit.start, chars.start + hit.end);
                    keep_earliest(&mut found[fact], (ContradictionKind::Pattern, start, end));
                }
            }
        }
    }
}

/// The stretches of a sentence, in characters, that hold judged words and end where clauses end.
fn judged_stretches(sentence: &Sentence, strict: bool) -> Vec<Range<usize>> {
    let parsed = &sentence.parsed;
    if parsed.tokens.is_empty() {
        return vec![sentence.chars.clone()];
    }
    let mut stretches = Vec::new();
    for (n, clause) in parsed.clauses.iter().enumerate() {
        let view = sentence.clause(n, strict);
        // What stands under "not true that" is denied, so that a pattern there is no statement.
        let denied = view
            .falsehood
            .as_ref()
            .map_or(clause.range.end, |denied| denied.end);
        let mut start = if n == 0 {
            sentence.chars.start
        } else {
            parsed.tokens[clause.range.start].start
        };
        let mut judged = false;
        for at in clause.range.clone() {
            if view.judged(at) && at < denied {
                judged = true;
                continue;
            }
            if judged {
                stretches.push(start..parsed.tokens[at].start.max(start));
            }
            (start, judged) = (parsed.tokens[at].end, false);
        }
        if judged {
            let next = parsed
                .clauses
                .get(n + 1)
                .map(|next| parsed.tokens[next.range.start].start);
            stretches.push(start..next.unwrap_or(sentence.chars.end).max(start));
        }
    }
    stretches
}

fn keep_earliest(
    slot: &mut Option<(ContradictionKind, usize, usize)>,
    new: (ContradictionKind, usize, usize),
) {
    let key = |c: &(ContradictionKind, usize, usize)| (c.1, c.2, c.0);
    if slot.as_ref().is_none_or(|old| key(&new) < key(old)) {
        *slot = Some(new);
    }
}
