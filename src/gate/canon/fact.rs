//! One fact against one clause: negation and slot (SCENARIO.md section 2, "Canon").

use super::clause::{
    ADVERB, ALL_TIME, ARTICLE, AUXILIARY, CONDITION, CONJUNCTION, CONTRAST, DO, FALSEHOOD, Grammar,
    NEGATOR, POSSESSIVE, PREPOSITION, Parsed, Pause, SUBJECT, SUBORDINATOR, TRUTH, Token,
};
use super::{CanonFact, Exclusive};
use std::collections::HashMap;
use std::ops::Range;

/// How many other words may stand among a fact's words, or between them and a negator after them. It bounds the
/// work on one clause, however long.
const MAX_GAP: usize = 40;
/// How many adverbs may stand between the parts of a slot.
const MAX_ADVERBS: usize = 2;
/// What leaves a negator alone: "is not really true".
const EMPTY: u64 = ADVERB | TRUTH | AUXILIARY | NEGATOR;

/// Numbers for the words of all facts; a word of a dialogue that no fact has needs none.
#[derive(Debug, Default)]
pub struct Vocabulary(HashMap<String, u32>);

impl Vocabulary {
    fn intern(&mut self, word: &str) -> u32 {
        let next = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        *self.0.entry(word.to_owned()).or_insert(next)
    }

    pub fn number(&self, word: &str) -> Option<u32> {
        self.0.get(word).copied()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }
}

/// A word of a fact, with the forms that stand for it.
#[derive(Debug)]
struct Word {
    /// Anywhere.
    same: Vec<u32>,
    /// After "do": the bare form.
    bare: Vec<u32>,
    /// Beside "never": the past form.
    past: Vec<u32>,
}

type Phrase = Vec<Word>;

#[derive(Debug)]
struct Slot {
    subjects: Vec<Phrase>,
    relation: Phrase,
    value: Phrase,
    listed: Option<Vec<Phrase>>,
}

/// A fact made ready for matching.
#[derive(Debug)]
pub struct Matcher {
    /// The fact's words; with a slot, also as each of its subjects would say it.
    wordings: Vec<Phrase>,
    slot: Option<Slot>,
}

/// A clause as one kind of facts sees it.
pub struct View<'a> {
    pub parsed: &'a Parsed,
    /// The number of each token's word.
    pub numbers: &'a [Option<u32>],
    pub range: Range<usize>,
    /// Whether exempt tokens are judged too.
    pub strict: bool,
    /// The tokens of "not true that": what follows them is denied.
    pub falsehood: Option<Range<usize>>,
}

/// The tokens, first and last, of a contradiction.
pub type Found = (usize, usize);

impl<'a> View<'a> {
    pub fn new(
        parsed: &'a Parsed,
        numbers: &'a [Option<u32>],
        range: Range<usize>,
        strict: bool,
    ) -> Self {
        let mut view = Self {
            parsed,
            numbers,
            range,
            strict,
            falsehood: None,
        };
        view.falsehood = view.find_falsehood();
        view
    }

    fn token(&self, at: usize) -> Option<&Token> {
        (self.range.contains(&at) && self.judged(at)).then(|| &self.parsed.tokens[at])
    }

    /// Whether what token `at` says is judged at all.
    pub fn judged(&self, at: usize) -> bool {
        self.strict || !self.parsed.exempt[at]
    }

    fn is(&self, at: usize, tags: u64) -> bool {
        self.token(at).is_some_and(|token| token.is(tags))
    }

    fn find_falsehood(&self) -> Option<Range<usize>> {
        let Range { start: from, end } = self.range;
        let last = (from..end).rfind(|at| self.is(*at, FALSEHOOD))?;
        let start = (from..last)
            .rfind(|at| !self.is(*at, FALSEHOOD))
            .map_or(from, |at| at + 1);
        let before = (from..start).rfind(|at| !self.is(*at, ADVERB));
        // "not false that" denies nothing.
        (!before.is_some_and(|at| self.is(at, NEGATOR))).then_some(start..last + 1)
    }

    fn has(&self, word: &Word, at: usize) -> bool {
        let Some(number) = self.numbers[at].filter(|_| self.token(at).is_some()) else {
            return false;
        };
        let nearby = |from: usize, to: usize, tags| (from..to).any(|near| self.is(near, tags));
        word.same.contains(&number)
            || (word.bare.contains(&number) && nearby(at.saturating_sub(3), at, DO))
            || (word.past.contains(&number) && nearby(at.saturating_sub(1), at + 2, ALL_TIME))
    }

    /// The token after `phrase`, when it stands at `at` word by word.
    fn after(&self, phrase: &Phrase, at: usize) -> Option<usize> {
        phrase
            .iter()
            .enumerate()
            .all(|(i, word)| self.range.contains(&(at + i)) && self.has(word, at + i))
            .then_some(at + phrase.len())
    }

    /// Where a part of the clause ends that begins at `at`: before the next comma or conjunction.
    fn part_end(&self, at: usize) -> usize {
        let reach = self.range.end.min(at + MAX_GAP);
        (at..reach).find(|i| self.is_boundary(*i)).unwrap_or(reach)
    }

    fn is_boundary(&self, at: usize) -> bool {
        let token = &self.parsed.tokens[at];
        token.pause == Pause::Light || token.is(CONJUNCTION)
    }
}

impl Matcher {
    pub fn new(fact: &CanonFact, grammar: &Grammar, vocabulary: &mut Vocabulary) -> Self {
        let mut phrase = |text: &str| -> Phrase {
            grammar
                .words(text)
                .iter()
                .map(|word| Word::new(word, grammar, vocabulary))
                .collect()
        };
        let mut wordings = vec![phrase(&fact.text)];
        let slot = fact.slot.as_ref().map(|slot| {
            wordings.extend(
                slot.subject
                    .iter()
                    .map(|subject| phrase(&format!("{subject} {} {}", slot.relation, slot.value))),
            );
            Slot {
                subjects: slot
                    .subject
                    .iter()
                    .map(|s| phrase(s))
                    .filter(|s| !s.is_empty())
                    .collect(),
                relation: phrase(&slot.relation),
                value: phrase(&slot.value),
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
        Self { wordings, slot }
    }

    /// Whether the words of a dialogue can hold the fact or its slot at all.
    pub fn may_occur(&self, present: &[bool]) -> bool {
        let occurs = |phrase: &Phrase| {
            phrase.iter().all(|word| {
                let mut forms = word.same.iter().chain(&word.bare).chain(&word.past);
                forms.any(|number| present.get(*number as usize).copied().unwrap_or_default())
            })
        };
        self.wordings.iter().any(occurs)
            || self
                .slot
                .as_ref()
                .is_some_and(|slot| slot.subjects.iter().any(occurs))
    }

    /// The first negation of the fact in the clause.
    pub fn negation(&self, view: &View) -> Option<Found> {
        let falsehood = view.falsehood.as_ref();
        self.wordings
            .iter()
            .filter_map(|words| negation(words, view, falsehood))
            .min()
    }

    /// The first other value of the fact's slot in the clause.
    pub fn other_value(&self, view: &View) -> Option<Found> {
        let slot = self.slot.as_ref()?;
        let end = view
            .falsehood
            .as_ref()
            .map_or(view.range.end, |denied| denied.start);
        (view.range.start..end).find_map(|at| {
            let subject = slot
                .subjects
                .iter()
                .filter_map(|subject| view.after(subject, at));
            let is_object = at > view.range.start && view.is(at - 1, PREPOSITION);
            subject
                .filter(|_| !is_object)
                .filter_map(|after| slot.other_value(view, after))
                .min()
                .map(|last| (at, last))
        })
    }
}

impl Word {
    fn new(word: &str, grammar: &Grammar, vocabulary: &mut Vocabulary) -> Self {
        let lexicon = &grammar.lexicon;
        let mut same = vec![vocabulary.intern(word)];
        for (clitic, words) in &lexicon.clitics {
            if words.iter().any(|w| w == word) {
                same.push(vocabulary.intern(clitic));
            } else if clitic == word {
                same.extend(words.iter().map(|w| vocabulary.intern(w)));
            }
        }
        let bare = match lexicon.bare_forms.get(word) {
            Some(bare) => vec![vocabulary.intern(bare)],
            None => lexicon
                .bare_endings
                .iter()
                .filter_map(|(ending, bare)| {
                    Some(word.strip_suffix(ending.as_str())?.to_owned() + bare)
                })
                .map(|bare| vocabulary.intern(&bare))
                .collect(),
        };
        let past = lexicon.past_forms.get(word).into_iter().flatten();
        let past = past.map(|past| vocabulary.intern(past)).collect();
        Self { same, bare, past }
    }
}

/// Finds the words in order with a negator among or after them, or under a falsehood.
fn negation(words: &Phrase, view: &View, falsehood: Option<&Range<usize>>) -> Option<Found> {
    // For each number of words, the way to match them that begins last; ways share their beginnings.
    let mut steps: Vec<(usize, Option<usize>)> = Vec::new();
    let mut ways: Vec<Option<(usize, usize)>> = vec![None; words.len()];
    for at in view.range.clone() {
        for n in (0..words.len()).rev() {
            if !view.has(&words[n], at) {
                continue;
            }
            let before = if n == 0 { None } else { ways[n - 1] };
            let (first, step) = match before {
                Some((first, step)) if at - first <= words.len() + MAX_GAP => (first, Some(step)),
                None if n == 0 => (at, None),
                _ => continue,
            };
            steps.push((at, step));
            ways[n] = Some((first, steps.len() - 1));
            if n + 1 == words.len() {
                let mut places = Vec::with_capacity(words.len());
                let mut next = Some(steps.len() - 1);
                while let Some(step) = next {
                    places.push(steps[step].0);
                    next = steps[step].1;
                }
                places.reverse();
                if let Some(found) = denied(&places, view, falsehood) {
                    return Some(found);
                }
            }
        }
    }
    None
}

/// Whether the fact that stands at `places` is denied there.
fn denied(places: &[usize], view: &View, falsehood: Option<&Range<usize>>) -> Option<Found> {
    let (&first, &last) = (places.first()?, places.last()?);
    let tokens = &view.parsed.tokens;
    let matched = |at: usize| places.binary_search(&at).is_ok();
    // "The son of the king ..", "The king's son ..": the fact speaks of another.
    let other_subject = (first > view.range.start && view.is(first - 1, PREPOSITION))
        || (first + 1..last).any(|at| {
            tokens[at].is(POSSESSIVE)
                && !matched(at)
                && matched(at - 1)
                && !matched(at + 1)
                && !view.is(at + 1, NEGATOR | ADVERB)
        });
    if other_subject {
        return None;
    }
    let reach = view.range.end.min(last + 1 + MAX_GAP);
    let mut negator = None;
    let mut at = first + 1;
    while at < reach {
        if matched(at) || !view.is(at, NEGATOR) {
            at += 1;
            continue;
        }
        let mut end = at + 1;
        while end < reach && view.is(end, NEGATOR) && !matched(end) {
            end += 1;
        }
        let counts = if at < last {
            denies_among(at, end, places, view)
        } else {
            denies_after(at, end, places, view)
        };
        if counts {
            negator = Some(end - 1);
            break;
        }
        at = end;
    }
    let under = falsehood.filter(|falsehood| falsehood.end <= first);
    match (under, negator) {
        (Some(falsehood), None) => Some((falsehood.start, last)),
        (None, Some(negator)) => Some((first, last.max(negator))),
        // Denied twice is said.
        _ => None,
    }
}

/// A negator `at..end` among the fact's words denies it if it stands alone, or a word of the fact follows in the
/// same part, and nothing else is what it denies ("is not named Bob but Arthur").
fn denies_among(at: usize, end: usize, places: &[usize], view: &View) -> bool {
    let matched = |i: usize| places.binary_search(&i).is_ok();
    let part_end = view.part_end(end);
    let other = |i: usize| !matched(i) && !view.parsed.tokens[i].is(EMPTY | ARTICLE);
    if !(end..part_end).any(matched) {
        return !(end..part_end).any(other);
    }
    let last = places.last().copied().unwrap_or(at);
    let contrast = (end..last).find(|i| view.parsed.tokens[*i].is(CONTRAST) && !matched(*i));
    !contrast.is_some_and(|contrast| (end..contrast).any(other))
}

/// A negator `at..end` after the fact's last word denies it unless it denies something else: an alternative
/// ("Arthur, not Bob"), or what a further statement says ("and does not smile").
fn denies_after(at: usize, end: usize, places: &[usize], view: &View) -> bool {
    let tokens = &view.parsed.tokens;
    let (Some(&first), Some(&last)) = (places.first(), places.last()) else {
        return false;
    };
    let part_end = view.part_end(end);
    if (end..part_end).all(|i| tokens[i].is(EMPTY)) {
        return true;
    }
    if (last + 1..=at).any(|i| view.is_boundary(i) || tokens[i].is(SUBORDINATOR | SUBJECT)) {
        return false;
    }
    if (last + 1..at).all(|i| tokens[i].is(ADVERB)) {
        return end > at + 1 || tokens[at].is(ALL_TIME);
    }
    // "The dragon that guards the gate does not sleep."
    let is_relative =
        (first..last).any(|i| tokens[i].is(SUBORDINATOR) && places.binary_search(&i).is_err());
    !is_relative && view.is(at - 1, AUXILIARY | ADVERB)
}

impl Slot {
    /// The last token of another value, when the relation and another value follow at `at`.
    fn other_value(&self, view: &View, at: usize) -> Option<usize> {
        let relation = self.relation_end(view, at)?;
        let mut value = relation;
        for skipped in 0.. {
            let token = view.token(value)?;
            if token.is(NEGATOR) {
                return None;
            }
            let same = view.after(&self.value, value);
            let listed = self.listed.as_ref().and_then(|listed| {
                let ends = listed.iter().filter_map(|other| view.after(other, value));
                ends.max().filter(|end| same.is_none_or(|same| same < *end))
            });
            if listed.is_none() && same.is_some() {
                return None;
            }
            if let Some(end) = listed {
                return (!denied_later(view, end)).then_some(end - 1);
            }
            if skipped > MAX_ADVERBS || !token.is(ADVERB | ARTICLE) {
                break;
            }
            // "is now named", "is a blue one". An adverb may be the whole of another value.
            if view.token(value + 1).is_none() {
                break;
            }
            value += 1;
        }
        let token = view.token(value)?;
        if self.listed.is_some() || token.is(CONJUNCTION | SUBORDINATOR | CONDITION) {
            return None;
        }
        let inserted = view.parsed.tokens[relation..=value]
            .iter()
            .any(|t| t.pause == Pause::Light);
        if inserted
            && (value..view.range.end.min(value + MAX_GAP))
                .any(|i| view.is_boundary(i) && view.after(&self.value, i).is_some())
        {
            // "is named, my lord, Arthur".
            return None;
        }
        (!denied_later(view, value + 1)).then_some(value)
    }

    /// The token after the relation, with at most two adverbs before it and between its words; `None` with a
    /// negator among them.
    fn relation_end(&self, view: &View, mut at: usize) -> Option<usize> {
        let mut adverbs = 0;
        for word in &self.relation {
            while !(view.range.contains(&at) && view.has(word, at)) {
                let token = view.token(at)?;
                if !token.is(ADVERB) || token.is(NEGATOR) || adverbs == MAX_ADVERBS {
                    return None;
                }
                adverbs += 1;
                at += 1;
            }
            // "The king's gate": "is" is not all that this can be.
            let sure = self.relation.len() > 1 || self.listed.is_some();
            if view.is(at, POSSESSIVE) && !sure {
                return None;
            }
            at += 1;
        }
        Some(at)
    }
}

/// Whether what ends before `at` is denied by a negator that looks back ("named Bob no longer").
fn denied_later(view: &View, at: usize) -> bool {
    let reach = view.part_end(at);
    (at..reach)
        .find(|i| view.is(*i, NEGATOR))
        .is_some_and(|negator| (negator..reach).all(|i| view.parsed.tokens[i].is(EMPTY)))
}
