//! A clause as one kind of facts sees it: which of its words are judged, and where each word is.

use super::exempt::Exemption;
use super::parsed::ParsedSentence;
use super::tags::{
    ADVERB, ALL_TIME, ARTICLE, AUXILIARY, BE, CLITIC, CONJUNCTION, DETERMINER, DO, FALSEHOOD,
    NEGATOR, NO_ARTICLE, NOT_NEGATING, PREPOSITION, SUBORDINATOR, THAT, THIRD, TO, TRUTH, Tags,
};
use super::token::{Mark, Token};
use super::word::{FactWord, Phrase};
use std::ops::Range;

/// How many other words may come among a fact's words, or between them and a negator after them. It bounds the work on one
/// clause, however long.
pub const MAX_GAP: usize = 40;

/// How far before a verb its auxiliary may be.
const HELPER_REACH: usize = 5;

/// What leaves a negator alone: "is not really true".
pub const EMPTY: Tags = ADVERB | TRUTH | AUXILIARY | NEGATOR;

/// The tokens, first and last, of a contradiction.
pub type TokenRange = (usize, usize);

/// What of the exempt is judged, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Lift {
    /// Nothing.
    Nothing,
    /// What is asked: "Is it so? Yes."
    Questions,
    /// What is asked, quoted and reported: "They say so, and it is true."
    Reports,
    /// All of it.
    All,
}

/// A clause as one kind of facts sees it.
#[derive(Clone)]
pub struct ClauseView<'a> {
    /// The sentence that the clause belongs to.
    pub parsed: &'a ParsedSentence,
    /// The number of each token's word.
    pub numbers: &'a [Option<u32>],
    /// The tokens of the clause.
    pub range: Range<usize>,
    /// What of the exempt is judged, too.
    pub lift: Lift,
    /// The tokens of "not true that": what follows them is denied.
    pub falsehood: Option<Range<usize>>,
}

impl<'a> ClauseView<'a> {
    /// A clause of `parsed`, whose words have these `numbers`.
    pub fn new(
        parsed: &'a ParsedSentence,
        numbers: &'a [Option<u32>],
        range: Range<usize>,
        lift: Lift,
    ) -> Self {
        let mut view = Self {
            parsed,
            numbers,
            range,
            lift,
            falsehood: None,
        };
        view.falsehood = view.find_falsehood();
        view
    }

    /// Token `at`, when it belongs to the clause and is judged.
    pub fn token(&self, at: usize) -> Option<&Token> {
        (self.range.contains(&at) && self.judged(at)).then(|| &self.parsed.tokens[at])
    }

    /// Whether what token `at` says is judged at all.
    pub fn judged(&self, at: usize) -> bool {
        match self.parsed.exempt[at] {
            Exemption::None => true,
            Exemption::Asked => self.lift != Lift::Nothing,
            Exemption::Quoted | Exemption::Reported => self.lift >= Lift::Reports,
            Exemption::Conditional => self.lift == Lift::All,
        }
    }

    /// Whether token `at` is judged and may be one of `tags`.
    pub fn is(&self, at: usize, tags: Tags) -> bool {
        self.token(at).is_some_and(|token| token.is(tags))
    }

    /// The same clause, denied as a whole by the one before it: "It is a lie: ..".
    pub fn denied(mut self) -> Self {
        let start = self.range.start;
        self.falsehood.get_or_insert(start..start);
        self
    }

    /// The same tokens and those of the further clauses of the sentence.
    pub fn to_the_end(&self) -> Self {
        Self {
            range: self.range.start..self.parsed.tokens.len(),
            ..self.clone()
        }
    }

    fn find_falsehood(&self) -> Option<Range<usize>> {
        let Range { start: from, end } = self.range;
        let last = (from..end).rfind(|at| self.is(*at, FALSEHOOD))?;
        let start = (from..last)
            .rfind(|at| !self.is(*at, FALSEHOOD))
            .map_or(from, |at| at + 1);
        let before = (from..start).rfind(|at| !self.is(*at, ADVERB));
        // "not false that" denies nothing.
        (!before.is_some_and(|at| self.is(at, NEGATOR | NOT_NEGATING))).then_some(start..last + 1)
    }

    /// Whether token `at` is judged and is a form of `word`.
    pub fn has(&self, word: &FactWord, at: usize) -> bool {
        if word.is_article && self.is_denying_article(at) {
            return true;
        }
        let number = self
            .token(at)
            .and_then(|_| self.numbers.get(at).copied().flatten());
        let Some(number) = number else {
            return false;
        };
        let nearby = |from: usize, to: usize, tags| (from..to).any(|near| self.is(near, tags));
        // "cannot guard", "refuses to guard", "is guarding"; in German they come after the verb.
        let helped = |tags| {
            nearby(at.saturating_sub(HELPER_REACH), at, tags) || nearby(at + 1, at + 3, tags)
        };
        word.same.contains(&number)
            || (word.bare.contains(&number) && helped(DO | AUXILIARY | TO))
            || (word.participles.contains(&number) && helped(AUXILIARY | CLITIC | NEGATOR))
            || (word.past.contains(&number) && nearby(at.saturating_sub(1), at + 2, ALL_TIME))
    }

    /// Whether token `at` is a participle of `word`.
    pub fn is_participle(&self, word: &FactWord, at: usize) -> bool {
        let number = self.numbers.get(at).copied().flatten();
        number.is_some_and(|number| word.participles.contains(&number))
    }

    /// Whether token `at` denies the noun that follows it: "no king".
    pub fn is_denying_article(&self, at: usize) -> bool {
        let next = self.token(at + 1);
        self.is(at, NO_ARTICLE) && next.is_some_and(|next| next.mark == Mark::None)
    }

    /// Whether token `at` joins what a clause says of a subject that it names first: "It was Wat who killed the troll".
    pub fn is_cleft(&self, at: usize) -> bool {
        let start = self.range.start;
        let is_stressed = |at: usize| {
            let token = self.token(at);
            token.is_some_and(|token| {
                let is_noun = token.is_unknown() || token.is(ARTICLE | DETERMINER | PREPOSITION);
                is_noun && token.mark == Mark::None
            })
        };
        self.is(at, SUBORDINATOR | THAT)
            && at <= start + MAX_GAP
            && self.is(start, THIRD)
            && self.is(start + 1, BE)
            && (start + 2..at).all(is_stressed)
    }

    /// The token after `phrase`, if its words begin at `at`, one after the other.
    pub fn after(&self, phrase: &Phrase, at: usize) -> Option<usize> {
        phrase
            .iter()
            .enumerate()
            .all(|(i, word)| self.range.contains(&(at + i)) && self.has(word, at + i))
            .then_some(at + phrase.len())
    }

    /// Where a part of the clause ends that begins at `at`: before the next comma or conjunction.
    pub fn part_end(&self, at: usize) -> usize {
        let reach = self.range.end.min(at + MAX_GAP);
        (at..reach).find(|i| self.is_boundary(*i)).unwrap_or(reach)
    }

    /// Whether a part of the clause begins at `at`: after a comma, or with a conjunction.
    pub fn is_boundary(&self, at: usize) -> bool {
        let token = &self.parsed.tokens[at];
        token.mark == Mark::Comma || token.is(CONJUNCTION)
    }
}
