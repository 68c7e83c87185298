//! Patterns: whole words, prefixes, phrases and regular expressions, all of a rule set in one automaton.

use super::fold::{FoldedText, Span, fold, is_spaceless, is_word_char};
use super::reading::LookIn;
use super::signs::with_plain_signs;
use aho_corasick::{AhoCorasick, MatchKind};
use regex::{Regex, RegexBuilder, RegexSet, RegexSetBuilder};
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;
use thiserror::Error;

/// The most characters that one pattern may have.
pub const MAX_PATTERN_CHARS: usize = 1_000;
/// The most memory that one compiled regular expression may take, in bytes.
const REGEX_SIZE_LIMIT: usize = 1 << 20;

/// Why a pattern is refused when it is loaded.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum PatternError {
    /// Nothing is left of the pattern after folding. It holds the pattern as written.
    #[error("the pattern {0:?} is empty after folding")]
    Empty(String),
    /// A `*` is not at the end. It holds the pattern as written.
    #[error("in the pattern {0:?} a `*` may only be at the end")]
    Star(String),
    /// The regular expression does not compile.
    #[error("the pattern {pattern:?} does not compile: {reason}")]
    Regex {
        /// The pattern as its author wrote it.
        pattern: String,
        /// What the compiler said, in one line.
        reason: String,
    },
    /// The pattern is longer than 1,000 characters. It holds the number of its characters.
    #[error("a pattern has {0} characters, more than {MAX_PATTERN_CHARS}")]
    TooLong(usize),
    /// The automaton of a whole rule set cannot be built. It holds the reason in words.
    #[error("the patterns of one rule set are too many: {0}")]
    TooMany(String),
}

/// The index of a pattern in its `PatternSet`, in the order in which the patterns were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PatternId(pub u32);

#[derive(Debug, Clone)]
pub(crate) struct Literal {
    id: PatternId,
    /// The words of the pattern in order, folded. There is at least one.
    words: Vec<String>,
    /// The number of the word that is searched for.
    rarest: usize,
    at_word_start: bool,
    at_word_end: bool,
    is_prefix: bool,
}

/// One pattern, checked and ready to become part of a [`PatternSet`].
#[derive(Debug)]
pub(crate) enum Pattern {
    Literal(Literal),
    Regex(Regex),
}

/// Checks one pattern and compiles it, once for all sets.
///
/// # Errors
/// See `PatternError`.
pub(crate) fn parse(source: &str) -> Result<Pattern, PatternError> {
    let chars = source.chars().count();
    if chars > MAX_PATTERN_CHARS {
        return Err(PatternError::TooLong(chars));
    }
    let trimmed = source.trim();
    if let Some(inner) = trimmed
        .strip_prefix('/')
        .and_then(|rest| rest.strip_suffix('/'))
    {
        if inner.is_empty() {
            return Err(PatternError::Empty(source.to_owned()));
        }
        return RegexBuilder::new(&with_plain_signs(inner))
            .case_insensitive(true)
            .size_limit(REGEX_SIZE_LIMIT)
            .build()
            .map(Pattern::Regex)
            .map_err(|error| PatternError::Regex {
                pattern: source.to_owned(),
                reason: error
                    .to_string()
                    .lines()
                    .last()
                    .unwrap_or_default()
                    .trim_start_matches("error: ")
                    .to_owned(),
            });
    }
    let mut words = trimmed;
    let mut prefix = false;
    // `"a phrase"*` and `"a phrase*"` are the same.
    for _ in 0..2 {
        if let Some(rest) = words.strip_suffix('*').filter(|_| !prefix) {
            prefix = true;
            words = rest;
        }
        if let Some(inner) = words
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
        {
            words = inner;
        }
    }
    if words.contains('*') {
        return Err(PatternError::Star(source.to_owned()));
    }
    let folded = fold(words.trim()).trim().to_owned();
    let (Some(first), Some(last)) = (folded.chars().next(), folded.chars().next_back()) else {
        return Err(PatternError::Empty(source.to_owned()));
    };
    let bounded = |c: char| c != '_' && is_word_char(c) && !is_spaceless(c);
    Ok(Pattern::Literal(Literal {
        id: PatternId(0),
        at_word_start: bounded(first),
        at_word_end: bounded(last) && !prefix,
        is_prefix: prefix,
        words: folded.split(' ').map(str::to_owned).collect(),
        rarest: 0,
    }))
}

/// The patterns of one rule set, compiled once when it is loaded and shared from then on.
#[derive(Debug, Default)]
pub(crate) struct PatternSet {
    literals: Vec<Literal>,
    automaton: Option<AhoCorasick>,
    /// Regular expressions, by at most [`REGEXES_TOGETHER`].
    regexes: Vec<Regexes>,
    len: usize,
}

impl PatternSet {
    /// Compiles patterns; each gets the number of its place in the list.
    ///
    /// # Errors
    /// The first `PatternError` met.
    pub fn compile<P: AsRef<str>>(
        patterns: impl IntoIterator<Item = P>,
    ) -> Result<Self, PatternError> {
        let patterns = patterns.into_iter().map(|pattern| parse(pattern.as_ref()));
        Self::of(patterns.collect::<Result<_, _>>()?)
    }

    /// Makes a set of patterns; each gets the number of its place in the list.
    ///
    /// # Errors
    /// `PatternError::TooMany`.
    pub fn of(patterns: Vec<Pattern>) -> Result<Self, PatternError> {
        let mut set = Self {
            len: patterns.len(),
            ..Self::default()
        };
        let mut regexes = Vec::new();
        for (place, pattern) in patterns.into_iter().enumerate() {
            let id = PatternId(u32::try_from(place).unwrap_or(u32::MAX));
            match pattern {
                Pattern::Literal(literal) => set.literals.push(Literal { id, ..literal }),
                Pattern::Regex(regex) => regexes.push((id, regex)),
            }
        }
        set.regexes = regexes.chunks(REGEXES_TOGETHER).map(Regexes::new).collect();
        choose_rarest(&mut set.literals);
        if !set.literals.is_empty() {
            let searched = set.literals.iter();
            let automaton = AhoCorasick::builder()
                .match_kind(MatchKind::Standard)
                .build(searched.map(|literal| &literal.words[literal.rarest]))
                .map_err(|error| PatternError::TooMany(error.to_string()))?;
            set.automaton = Some(automaton);
        }
        Ok(set)
    }

    /// How many patterns the set has.
    #[cfg(any(test, feature = "cli"))]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the set has no pattern.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Finds the first hit of every pattern. One pass for all words and phrases; one for every 64 regular expressions, and
    /// one for each that hits.
    #[must_use]
    pub fn scan(&self, text: &FoldedText) -> Hits {
        let places = self.places(text).exact.into_iter();
        let spans =
            places.map(|(id, place)| (id, Span::of(text.original(), place.start, place.end)));
        Hits {
            first: spans.collect(),
        }
    }

    /// As `PatternSet::scan`, without the words that were hit.
    #[must_use]
    pub(crate) fn places(&self, text: &FoldedText) -> HitPlaces {
        let folded = text.folded();
        let (mut exact, mut loose) = (FirstHits::default(), FirstHits::default());
        let searched = self.automaton.iter();
        for found in searched.flat_map(|some| some.find_overlapping_iter(folded.text())) {
            let number = found.pattern().as_usize();
            // What is found of a literal later begins later.
            if exact.is_known(number) {
                continue;
            }
            let literal = &self.literals[number];
            match literal.place(text, found.range()) {
                Some((place, true)) => exact.add(number, literal.id, place),
                Some((place, false)) if !loose.is_known(number) => {
                    loose.add(number, literal.id, place);
                }
                _ => {}
            }
        }
        let in_original = |hits: FirstHits| -> Vec<(u32, Range<usize>)> {
            let places = hits.into_ordered();
            let places = places.map(|(id, place)| {
                let (start, end) = folded.origin(place.start, place.end);
                (id, start..end)
            });
            places.collect()
        };
        let (mut first, loose) = (in_original(exact), in_original(loose));
        let found = self.regexes.iter().flat_map(|some| some.hitting(text));
        for (id, regex) in found {
            let places = [text.plain(), folded].into_iter().filter_map(|layer| {
                // An expression that can match nothing hits only where it matches something.
                let found = regex.find_iter(layer.text()).find(|m| !m.is_empty())?;
                Some(layer.origin(found.start(), found.end()))
            });
            if let Some((start, end)) = places.min() {
                first.push((id.0, start..end));
            }
        }
        // A pattern is a word or an expression, never both.
        first.sort_unstable_by_key(|(id, _)| *id);
        HitPlaces {
            exact: first,
            loose,
        }
    }
}

/// For each pattern, the hit that begins first; of several that begin there, the one that was found first.
#[derive(Default)]
struct FirstHits {
    /// The pattern, where its hit begins, how many were found before it, and where it ends.
    hits: Vec<(u32, usize, usize, usize)>,
    /// A bit for each literal that was found.
    known: Vec<u64>,
}

impl FirstHits {
    fn is_known(&self, literal: usize) -> bool {
        let bits = self.known.get(literal / 64);
        bits.is_some_and(|bits| bits & (1 << (literal % 64)) != 0)
    }

    fn add(&mut self, literal: usize, id: PatternId, place: Range<usize>) {
        let word = literal / 64;
        if self.known.len() <= word {
            self.known.resize(word + 1, 0);
        }
        self.known[word] |= 1 << (literal % 64);
        self.hits
            .push((id.0, place.start, self.hits.len(), place.end));
    }

    fn into_ordered(mut self) -> impl Iterator<Item = (u32, Range<usize>)> {
        self.hits.sort_unstable();
        self.hits.dedup_by_key(|(id, ..)| *id);
        let hits = self.hits.into_iter();
        hits.map(|(id, start, _, end)| (id, start..end))
    }
}

/// The place of the first hit of each pattern of a set, in characters of the text as it was before it was folded.
#[derive(Debug, Clone, Default)]
pub(crate) struct HitPlaces {
    exact: Vec<(u32, Range<usize>)>,
    /// Phrases with other signs than blanks between their words.
    loose: Vec<(u32, Range<usize>)>,
}

impl HitPlaces {
    /// The lists that count where something is looked for in this way.
    fn lists(&self, look_in: LookIn) -> impl Iterator<Item = &Vec<(u32, Range<usize>)>> {
        let loose = (look_in == LookIn::Bare).then_some(&self.loose);
        [&self.exact].into_iter().chain(loose)
    }

    /// The indices of the patterns that have hit something.
    pub(crate) fn patterns(&self, look_in: LookIn) -> impl Iterator<Item = u32> {
        self.lists(look_in).flatten().map(|(pattern, _)| *pattern)
    }

    /// The place of the first hit of the pattern with this index; `None` where it has none.
    pub(crate) fn of(&self, pattern: PatternId, look_in: LookIn) -> Option<Range<usize>> {
        let places = self.lists(look_in).filter_map(|list| {
            let place = list.binary_search_by_key(&pattern.0, |(id, _)| *id);
            place.ok().map(|place| list[place].1.clone())
        });
        places.min_by_key(|place| (place.start, place.end))
    }
}

/// How many regular expressions are searched for in one pass.
const REGEXES_TOGETHER: usize = 64;

/// Some regular expressions, and what finds in one pass which of them hit.
#[derive(Debug)]
struct Regexes {
    each: Vec<(PatternId, Regex)>,
    /// None where they are too large together: then each is asked.
    all: Option<RegexSet>,
}

impl Regexes {
    fn new(each: &[(PatternId, Regex)]) -> Self {
        let sources = each.iter().map(|(_, regex)| regex.as_str());
        let all = RegexSetBuilder::new(sources)
            .case_insensitive(true)
            .size_limit(REGEX_SIZE_LIMIT * 8)
            .build();
        Self {
            each: each.to_vec(),
            all: all.ok().filter(|_| each.len() > 1),
        }
    }

    /// Those that hit one of the layers of a text. Nothing that hits is missing.
    fn hitting(&self, text: &FoldedText) -> impl Iterator<Item = &(PatternId, Regex)> {
        let layers = [text.plain().text(), text.folded().text()];
        let found = self
            .all
            .as_ref()
            .map(|all| layers.map(|text| all.matches(text)));
        self.each.iter().enumerate().filter_map(move |(i, regex)| {
            let hits = found
                .as_ref()
                .is_none_or(|found| found.iter().any(|set| set.matched(i)));
            hits.then_some(regex)
        })
    }
}

impl Literal {
    /// The place of the hit whose searched word was found here, and whether only blanks are between its words; `None` where the
    /// other words are not around it, and where it is a part of a longer word.
    fn place(&self, text: &FoldedText, found: Range<usize>) -> Option<(Range<usize>, bool)> {
        let folded = text.folded().text();
        let (mut start, mut end) = (found.start, found.end);
        let mut is_exact = true;
        for word in self.words[..self.rarest].iter().rev() {
            let gap = gap_before(text, start, word)?;
            is_exact &= matches!(&folded[start - gap..start], "" | " ");
            start -= gap + word.len();
        }
        for word in &self.words[self.rarest + 1..] {
            let gap = gap_after(text, end, word)?;
            is_exact &= matches!(&folded[end..end + gap], "" | " ");
            end += gap + word.len();
        }
        let is_whole = self.is_whole_word(text, start, end);
        is_whole.then(|| (start..self.end_of_hit(folded, end), is_exact))
    }

    /// Where a hit ends that has been found up to `end`: that of a prefix goes on to the end of its word.
    fn end_of_hit(&self, text: &str, end: usize) -> usize {
        if !self.is_prefix {
            return end;
        }
        let rest = &text[end..];
        let ends = |c: char| !is_word_char(c) || is_spaceless(c);
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        end + word.trim_end_matches('_').len()
    }

    /// A hit must not touch a letter, digit or mark on a side where the pattern itself ends in one, nor a `_` that joins
    /// it to one.
    fn is_whole_word(&self, text: &FoldedText, start: usize, end: usize) -> bool {
        let folded = text.folded().text();
        let before = folded[..start].chars().rev();
        let after = folded[end..].chars();
        (!self.at_word_start || !touches(before) || text.is_apart(start))
            && (!self.at_word_end || !touches(after) || text.is_apart(end))
    }
}

/// For each literal, chooses the word that is searched for: one that few literals have, the longest of them. A word that all
/// have would be found for all of them.
fn choose_rarest(literals: &mut [Literal]) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let phrases = || literals.iter().filter(|literal| literal.words.len() > 1);
    for word in phrases().flat_map(|literal| &literal.words) {
        *counts.entry(word).or_default() += 1;
    }
    let rarest = literals.iter().map(|literal| {
        let words = literal.words.iter().enumerate();
        let rarest = words.min_by_key(|(_, word)| {
            let count = counts.get(word.as_str()).copied().unwrap_or_default();
            (count, Reverse(word.len()))
        });
        rarest.map_or(0, |(at, _)| at)
    });
    let rarest: Vec<usize> = rarest.collect();
    for (literal, rarest) in literals.iter_mut().zip(rarest) {
        literal.rarest = rarest;
    }
}

/// How many bytes are between `word` and what follows it at `end`; `None` where it is not there.
fn gap_before(text: &FoldedText, end: usize, word: &str) -> Option<usize> {
    let before = &text.folded().text()[..end];
    let is_there = |gap: usize| before[..end - gap].ends_with(word);
    if text.is_apart(end) && is_there(0) {
        return Some(0);
    }
    if before.ends_with(' ') && is_there(1) {
        return Some(1);
    }
    let signs = before
        .chars()
        .rev()
        .take(LONGEST_GAP)
        .take_while(|c| is_between(*c));
    let gap = signs.map(char::len_utf8).sum();
    (is_there(gap) && joins_words(&before[end - gap..])).then_some(gap)
}

/// How many bytes are between `start` and `word`, which follows; `None` where it does not.
fn gap_after(text: &FoldedText, start: usize, word: &str) -> Option<usize> {
    let after = &text.folded().text()[start..];
    let is_there = |gap: usize| after[gap..].starts_with(word);
    if text.is_apart(start) && is_there(0) {
        return Some(0);
    }
    // The words of a phrase may themselves begin with signs: "pay $100".
    if after.starts_with(' ') && is_there(1) {
        return Some(1);
    }
    let signs = after
        .chars()
        .take(LONGEST_GAP)
        .take_while(|c| is_between(*c));
    let gap = signs.map(char::len_utf8).sum();
    (is_there(gap) && joins_words(&after[..gap])).then_some(gap)
}

/// The most characters between two words of a phrase.
const LONGEST_GAP: usize = 20;

fn is_between(c: char) -> bool {
    c == '_' || !is_word_char(c)
}

/// Whether what is between two words leaves them in one sentence. Dots that make a pause do.
fn joins_words(gap: &str) -> bool {
    if gap == " " {
        return true;
    }
    let is_pause = gap.contains("..");
    let ends = |at: usize, c: char| match c {
        '。' | '！' | '？' | '।' => true,
        '.' => !is_pause && gap[at..].contains(' '),
        '!' | '?' | '؟' | '‽' => gap[at..].contains(' '),
        _ => false,
    };
    !gap.is_empty() && !gap.char_indices().any(|(at, c)| ends(at, c))
}

/// Whether the next character, read away from a hit, belongs to the same word.
fn touches(mut chars: impl Iterator<Item = char>) -> bool {
    chars.find(|c| *c != '_').is_some_and(is_word_char)
}

/// What a scan found: for each pattern of the set, its first hit.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hits {
    /// The first hits, each with the index of its pattern, in order; patterns that hit nothing are left out.
    first: Vec<(u32, Span)>,
}

impl Hits {
    /// The first hit of the pattern with this index, in characters of the original text; `None` where it has none, and for
    /// an index that the set does not have.
    #[must_use]
    pub fn first(&self, pattern: usize) -> Option<&Span> {
        let pattern = u32::try_from(pattern).ok()?;
        let place = self.first.binary_search_by_key(&pattern, |(id, _)| *id);
        place.ok().map(|place| &self.first[place].1)
    }
}

#[cfg(test)]
mod tests;
