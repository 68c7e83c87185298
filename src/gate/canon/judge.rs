//! All canon of a world, and what of a dialogue speaks against it.

use super::clause::may_be_verb;
use super::fact::CanonFact;
use super::grammar::Grammar;
use super::hit::says_something_else;
use super::matcher::FactMatcher;
use super::parsed::SentenceReader;
use super::pronoun::{Named, Subjects};
use super::quote::{quoted_characters, straighten_apostrophes};
use super::said::Said;
use super::sentence::{Sentence, cut};
use super::speaker::names_a_source;
use super::tags::{
    ADVERB, ARTICLE, ASSERTING, ATTRIBUTIVE, BYGONE, CONDITION, DEMONSTRATIVE, DETERMINER, FIRST,
    HYPOTHESIS, NEARLY, NEGATOR, NO_ARTICLE, NOBODY, NOT_NEGATING, PENDING, PREPOSITION,
    SUBORDINATOR, TITLE, VERB,
};
use super::token::Token;
use super::view::{ClauseView, Lift};
use super::word::WordNumbers;
use crate::base::canonical::Encoded;
use crate::text::lexicon::Lexicon;
use crate::text::{FoldedText, PatternError, PatternSet, Readings, Span};
use serde::Serialize;
use std::ops::Range;
use std::sync::Arc;

/// How a dialogue contradicts a fact.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub(crate) enum ContradictionKind {
    /// It contains a pattern of `contradicted_by`.
    Pattern,
    /// A clause of it denies the fact.
    Negation,
    /// A clause of it gives the slot of the fact another value.
    Slot,
}

/// Why nothing that is said contradicts a fact by its words alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OutOfReach {
    /// It denies something in words that cannot be reversed ("Nobody knows the way").
    Negative,
    /// It has no verb that the lexicon knows ("A dark tower").
    NoVerb,
}

/// A fact that a dialogue contradicts, and where it does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Contradiction {
    /// The index of the fact in `CanonJudge::facts`.
    pub fact: usize,
    /// How the fact is contradicted.
    pub how: ContradictionKind,
    /// The offending words, in characters of the dialogue.
    pub span: Span,
}

/// The facts that are judged alike: all lenient ones, or all strict ones.
#[derive(Debug, Default)]
pub(super) struct Group {
    pub(super) strict: bool,
    /// Places in `CanonJudge::facts`.
    facts: Vec<usize>,
    patterns: PatternSet,
    /// For each pattern, its fact.
    owners: Vec<usize>,
}

/// All canon of a story, compiled once when it is loaded. The example is in [`gate`](crate::gate).
#[derive(Debug)]
pub(crate) struct CanonJudge {
    facts: Vec<CanonFact>,
    /// Id and text of each, as prompts and snapshots have them.
    texts: Arc<Encoded<Vec<(String, String)>>>,
    matchers: Vec<FactMatcher>,
    groups: Vec<Group>,
    numbers: WordNumbers,
    subjects: Subjects,
    grammar: Grammar,
    /// The grammar of a text without its accents, if that is another.
    bare_grammar: Option<Grammar>,
}

/// Where a fact is contradicted, in characters, and how.
pub(super) type Found = Option<(ContradictionKind, usize, usize)>;

impl Default for CanonJudge {
    /// A world without canon.
    fn default() -> Self {
        Self {
            facts: Vec::new(),
            texts: Arc::default(),
            matchers: Vec::new(),
            groups: Vec::new(),
            numbers: WordNumbers::default(),
            subjects: Subjects::default(),
            grammar: Grammar::new(&Lexicon::default()),
            bare_grammar: None,
        }
    }
}

impl CanonJudge {
    /// Compiles facts; what they mean depends on the language of `lexicon`.
    ///
    /// # Errors
    /// The first `contradicted_by` pattern that does not compile.
    pub(crate) fn compile(facts: Vec<CanonFact>, lexicon: &Lexicon) -> Result<Self, PatternError> {
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
        let mut subjects = Subjects::default();
        for fact in &facts {
            subjects.add(&subject_of(&grammar, &fact.text));
            for subject in fact.slot.iter().flat_map(|slot| &slot.subject) {
                subjects.add(&grammar.tagged(subject));
            }
        }
        let texts = facts.iter();
        let texts = texts.map(|fact| (fact.id.clone(), fact.text.clone()));
        Ok(Self {
            texts: Arc::new(Encoded::new(texts.collect())),
            facts,
            matchers,
            groups,
            numbers,
            subjects,
            bare_grammar: grammar.without_accents(),
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
    pub(crate) fn texts(&self) -> &Arc<Encoded<Vec<(String, String)>>> {
        &self.texts
    }

    #[cfg(test)]
    pub(super) fn get(&self, id: &str) -> Option<&CanonFact> {
        self.facts.iter().find(|fact| fact.id == id)
    }

    /// Why nothing contradicts the words of the fact with this number; `None` where something can, and where there is no such
    /// fact. It does not look at patterns and slots.
    #[must_use]
    pub fn out_of_reach(&self, fact: usize) -> Option<OutOfReach> {
        let matcher = self.matchers.get(fact)?;
        let tokens = self.grammar.tagged(&self.facts.get(fact)?.text);
        let is_nobody = tokens.first().is_some_and(|token| token.is(NOBODY));
        let denies = is_nobody || tokens.iter().any(|token| token.is(NEGATOR | NO_ARTICLE));
        if denies && !matcher.can_be_asserted() {
            return Some(OutOfReach::Negative);
        }
        // Of longer facts, and of other languages, the lexicon need not know the verb.
        let is_known =
            (1..=3).contains(&tokens.len()) && tokens.iter().all(|token| token.word.is_ascii());
        let has_verb = || self.grammar.first_verb(&tokens, VERB).is_some();
        (is_known && !has_verb()).then_some(OutOfReach::NoVerb)
    }

    /// Whether `text`, said in this way, contradicts at least one fact. `CanonJudge::judge` says which, and where.
    #[must_use]
    pub fn contradicts_any(&self, text: &str, said: Said) -> bool {
        !self.facts.is_empty() && !self.judge(&Readings::new(text), said).is_empty()
    }

    /// Everything that speaks against canon in one of the readings of a text: for each fact at most one contradiction, in the
    /// order of the facts; the earliest in the text as written, else the earliest in another reading. Total, and linear in
    /// the length of the text for given facts.
    #[must_use]
    pub(crate) fn judge(&self, readings: &Readings, said: Said) -> Vec<Contradiction> {
        self.judge_words_of(readings, said, None)
    }

    /// The same for the words of a known speaker: what it says under its own name is its own statement ("Odo says that ..").
    #[must_use]
    pub(crate) fn judge_words_of(
        &self,
        readings: &Readings,
        said: Said,
        speaker: Option<&str>,
    ) -> Vec<Contradiction> {
        if self.facts.is_empty() {
            return Vec::new();
        }
        let speaker = speaker.map(|name| self.names(name)).unwrap_or_default();
        let original = readings.written().original();
        let mut found = self.judge_text(original, said, &speaker, &self.grammar);
        // It may have lost its accents.
        let grammar = self.bare_grammar.as_ref().unwrap_or(&self.grammar);
        for reading in readings.others() {
            for mut other in self.judge_text(&reading.text, said, &speaker, grammar) {
                if found.iter().any(|known| known.fact == other.fact) {
                    continue;
                }
                let (start, end) = reading.place(other.span.start, other.span.end);
                other.span = Span::of(original, start, end);
                found.push(other);
            }
        }
        found.sort_by_key(|contradiction| contradiction.fact);
        found
    }

    /// The names of a speaker: its whole name, and the last word of it.
    fn names(&self, name: &str) -> Vec<Vec<String>> {
        let articles = &self.grammar.lexicon.articles;
        let words = self.grammar.words(name);
        let words: Vec<String> = words
            .into_iter()
            .skip_while(|word| articles.contains(word))
            .collect();
        let last = words.last().filter(|_| words.len() > 1).cloned();
        last.map(|last| vec![last])
            .into_iter()
            .chain([words])
            .collect()
    }

    fn judge_text(
        &self,
        dialogue: &str,
        said: Said,
        speaker: &[Vec<String>],
        grammar: &Grammar,
    ) -> Vec<Contradiction> {
        let text = straighten_apostrophes(dialogue);
        let mut found = self.find(&text, said, speaker, grammar);
        if let Some(bare) = without_insertions(&text, speaker, grammar) {
            let others = self.find(&bare, said, speaker, grammar);
            for (found, other) in found.iter_mut().zip(others) {
                *found = found.or(other);
            }
        }
        let found = found.into_iter().enumerate();
        found
            .filter_map(|(fact, found)| {
                let (how, start, end) = found?;
                let span = Span::of(dialogue, start, end);
                Some(Contradiction { fact, how, span })
            })
            .collect()
    }

    /// What contradicts each fact in a sentence that is said aloud.
    pub(super) fn find_in_statement(&self, sentence: &str) -> Vec<Found> {
        self.find(sentence, Said::Aloud, &[], &self.grammar)
    }

    /// What contradicts each fact in a text whose apostrophes are straight.
    fn find(
        &self,
        text: &str,
        said: Said,
        speaker: &[Vec<String>],
        grammar: &Grammar,
    ) -> Vec<Found> {
        let places: Vec<usize> = text
            .char_indices()
            .map(|(at, _)| at)
            .chain([text.len()])
            .collect();
        let sentences = self.sentences(text, said, speaker, grammar);
        let mut present = vec![false; self.numbers.len()];
        for number in sentences
            .iter()
            .flat_map(|sentence| &sentence.numbers)
            .flatten()
        {
            present[*number as usize] = true;
        }
        let mut found: Vec<Found> = vec![None; self.facts.len()];
        let text = JudgedWords {
            text,
            places: &places,
        };
        for group in self.groups.iter().filter(|group| !group.facts.is_empty()) {
            let possible = self.possible(group, &present);
            let lift = if group.strict {
                Lift::All
            } else {
                Lift::Nothing
            };
            for (n, sentence) in sentences.iter().enumerate() {
                let before = n.checked_sub(1).map(|n| &sentences[n]);
                let mut question = before.and_then(Sentence::question);
                let mut reports = sentence.reports().into_iter().peekable();
                for (m, clause) in sentence.parsed.clauses.iter().enumerate() {
                    if m == 1 {
                        question = None;
                    }
                    // "They say the king is alive, but he is not."
                    while let Some(report) =
                        reports.next_if(|report| report.end <= clause.range.start)
                    {
                        question = Some(sentence.reported(report));
                    }
                    let view = sentence.clause(m, lift);
                    self.match_clause(&possible, &view, question.as_ref(), &mut found);
                }
                group.scan(sentence, 0..usize::MAX, lift, &text, &mut found);
                self.judge_answers(group, &possible, before, sentence, &text, &mut found);
            }
        }
        found
    }

    /// The facts of a group whose words a text has.
    fn possible(&self, group: &Group, present: &[bool]) -> Vec<usize> {
        let facts = group.facts.iter().copied();
        facts
            .filter(|fact| self.matchers[*fact].may_occur(present))
            .collect()
    }

    /// How a fact is matched.
    pub(super) fn matcher(&self, fact: usize) -> &FactMatcher {
        &self.matchers[fact]
    }

    fn sentences(
        &self,
        text: &str,
        said: Said,
        speaker: &[Vec<String>],
        grammar: &Grammar,
    ) -> Vec<Sentence> {
        let quoted = quoted_characters(text, &grammar.lexicon, said == Said::Begun);
        // A memory of a character's words must say whose words they are.
        let has_source =
            said != Said::InMemory || tells_of_a_source(text, &quoted, speaker, grammar);
        let reader = SentenceReader {
            grammar,
            quoted: &quoted,
            has_source,
            speaker,
            subjects: &self.subjects,
            named: Named::Nothing,
        };
        cut(text, reader, &self.numbers)
    }

    pub(super) fn match_clause(
        &self,
        facts: &[usize],
        view: &ClauseView,
        question: Option<&ClauseView>,
        found: &mut [Found],
    ) {
        let tokens = &view.parsed.tokens;
        for &fact in facts {
            let matcher = &self.matchers[fact];
            let stated = matcher
                .stated_pattern(view)
                .map(|at| (ContradictionKind::Pattern, at));
            let negation = matcher
                .negation(view)
                .or_else(|| matcher.elliptic_denial(view, question))
                .or_else(|| matcher.inverted_denial(view))
                .or_else(|| matcher.assertion(view))
                .map(|at| (ContradictionKind::Negation, at));
            let slot = matcher
                .other_value(view)
                .map(|at| (ContradictionKind::Slot, at));
            for (how, (first, last)) in stated.into_iter().chain(negation).chain(slot) {
                // A verb may have been put behind its subject.
                let (first, last) = (&tokens[first], &tokens[last]);
                let place = (how, first.start.min(last.start), last.end.max(first.end));
                keep_earliest(&mut found[fact], place);
            }
        }
    }
}

/// A text with blanks in place of what it inserts: "The king is (alas) not alive", "The king is, I fear, not alive". Where that
/// says that another one says so, or under which condition, it stays. `None` where there is nothing to leave out.
fn without_insertions(text: &str, speaker: &[Vec<String>], grammar: &Grammar) -> Option<String> {
    /// The most characters of an insertion between commas or dashes.
    const NEAR: usize = 40;
    let mut bare: Vec<char> = text.chars().collect();
    let mut open: Option<usize> = None;
    let mut is_changed = false;
    for at in 0..bare.len() {
        let c = bare[at];
        let is_closed = match open.map(|start| bare[start]) {
            Some('(') => c == ')',
            Some('（') => c == '）',
            Some(mark) => mark == c && open.is_some_and(|start| at - start <= NEAR),
            None => false,
        };
        if let Some(start) = open.filter(|_| is_closed)
            && is_insertion(&bare[start..at], speaker, grammar)
        {
            bare[start..=at].fill(' ');
            is_changed = true;
            open = None;
        } else if matches!(c, '(' | '（')
            || matches!(c, ',' | '-' | '–' | '—')
                && !open.is_some_and(|start| matches!(bare[start], '(' | '（'))
        {
            open = Some(at);
        } else if is_closed {
            open = None;
        }
    }
    is_changed.then(|| bare.into_iter().collect())
}

/// Whether words, with the mark before them, are an insertion that changes nothing of what the words around it say.
fn is_insertion(words: &[char], speaker: &[Vec<String>], grammar: &Grammar) -> bool {
    let text: String = words.iter().collect();
    let mut tokens = grammar.tokens(&text, 0);
    grammar.tag_phrases(&mut tokens);
    Grammar::tag_speaker(&mut tokens, speaker);
    let is_own = match words.first() {
        Some('(' | '（') => true,
        Some('–' | '—') => {
            let is_added = tokens.first().is_some_and(|first| !first.is(PREPOSITION));
            is_added && !is_of_a_time(&tokens)
        }
        Some(mark) => {
            tokens.first().is_some_and(|first| first.is(FIRST))
                || *mark == ',' && is_added(&tokens)
                || *mark == ',' && (is_apposition(&tokens, grammar) || is_aside(&tokens))
        }
        None => false,
    };
    let qualifies = |token: &Token| token.is(CONDITION | HYPOTHESIS | NEGATOR | NEARLY);
    is_own && !names_a_source(&tokens) && !tokens.iter().any(qualifies)
}

/// Whether words only stress what is said: "by the way", "believe it or not".
fn is_added(tokens: &[Token]) -> bool {
    let stresses = |token: &Token| token.is(ADVERB | ASSERTING | NOT_NEGATING);
    !tokens.is_empty() && tokens.iter().all(stresses) && !is_of_a_time(tokens)
}

/// Whether words name another time: "years ago", "as a boy", "when the bell rings".
fn is_of_a_time(tokens: &[Token]) -> bool {
    let has_verb = tokens.iter().any(|token| token.is(VERB));
    tokens.iter().any(|token| {
        let is_bygone = token.is(BYGONE) && (!has_verb || token.is(SUBORDINATOR));
        is_bygone || token.is(PENDING)
    })
}

/// Whether words add what holds at any time: "since you ask", "old as it is".
fn is_aside(tokens: &[Token]) -> bool {
    let mut first = tokens.iter().take(2);
    first.any(|token| token.is(SUBORDINATOR | ATTRIBUTIVE)) && !is_of_a_time(tokens)
}

/// Whether words give a second name to what was named, or address a listener: "Wat, the old hunter, ..", "The king, sir, ..".
fn is_apposition(tokens: &[Token], grammar: &Grammar) -> bool {
    /// The most words of one.
    const MOST: usize = 5;
    let endings = &grammar.lexicon.verb_endings;
    let is_noun = |token: &Token| {
        token.is_unknown() || token.is(ARTICLE | DETERMINER | DEMONSTRATIVE | TITLE)
    };
    let has_verb = tokens
        .windows(2)
        .any(|pair| may_be_verb(&pair[0], &pair[1], endings));
    (1..=MOST).contains(&tokens.len()) && tokens.iter().all(is_noun) && !has_verb
}

/// Whether a text says whose words it tells.
fn tells_of_a_source(
    text: &str,
    quoted: &[bool],
    speaker: &[Vec<String>],
    grammar: &Grammar,
) -> bool {
    let mut tokens = grammar.tokens(text, 0);
    for token in &mut tokens {
        token.quoted = quoted.get(token.start).copied().unwrap_or_default();
    }
    grammar.tag_phrases(&mut tokens);
    Grammar::tag_speaker(&mut tokens, speaker);
    names_a_source(&tokens)
}

/// The words of a fact's text before its verb.
fn subject_of(grammar: &Grammar, text: &str) -> Vec<Token> {
    let tokens = grammar.tagged(text);
    let verb = grammar.first_verb(&tokens, VERB).unwrap_or_default();
    tokens[..verb].to_vec()
}

/// A text that is judged, with the byte of each character.
#[derive(Clone, Copy)]
pub(super) struct JudgedWords<'a> {
    text: &'a str,
    places: &'a [usize],
}

impl<'a> JudgedWords<'a> {
    fn between(&self, chars: &Range<usize>) -> &'a str {
        &self.text[self.places[chars.start]..self.places[chars.end]]
    }
}

impl Group {
    /// Scans what is judged of some clauses of a sentence for this group's patterns, clause by clause.
    pub(super) fn scan(
        &self,
        sentence: &Sentence,
        clauses: Range<usize>,
        lift: Lift,
        text: &JudgedWords,
        found: &mut [Found],
    ) {
        /// How many hits of a pattern that say something else are passed over. The next one counts, whatever it says.
        const MOST_OTHERS: usize = 4;
        if self.patterns.is_empty() {
            return;
        }
        for chars in sentence.judged_stretches(clauses, lift) {
            let hits = self.patterns.scan(&FoldedText::new(text.between(&chars)));
            for (pattern, &fact) in self.owners.iter().enumerate() {
                let mut place = hits
                    .first(pattern)
                    .map(|hit| chars.start + hit.start..chars.start + hit.end);
                for _ in 0..MOST_OTHERS {
                    let Some(other) = place.take_if(|hit| {
                        lift == Lift::Nothing && says_something_else(&sentence.parsed, hit)
                    }) else {
                        break;
                    };
                    let rest = self
                        .patterns
                        .scan(&FoldedText::new(text.between(&(other.end..chars.end))));
                    place = rest
                        .first(pattern)
                        .map(|hit| other.end + hit.start..other.end + hit.end);
                }
                if let Some(place) = place {
                    keep_earliest(
                        &mut found[fact],
                        (ContradictionKind::Pattern, place.start, place.end),
                    );
                }
            }
        }
    }
}

pub(super) fn keep_earliest(slot: &mut Found, new: (ContradictionKind, usize, usize)) {
    let key = |c: &(ContradictionKind, usize, usize)| (c.1, c.2, c.0);
    if slot.as_ref().is_none_or(|old| key(&new) < key(old)) {
        *slot = Some(new);
    }
}
