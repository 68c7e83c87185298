//! Whose words the prose of a narration tells.
//!
//! Prose tells that a person speaks where a verb of saying has a known name for its subject. These words count:
//!
//! | prose | whose words |
//! |---|---|
//! | `Odo whispers that the well is dry.` | Odo's, from the verb on |
//! | `The well is dry, says Odo.` | Odo's, before the verb |
//! | `"The well is dry," says Odo. "Go home."` | Odo's, both quotations |
//! | `Odo nods. "The well is dry."`, `Odo, loudly: ".."` | Odo's, the quotation |
//! | `Odo says: "The well is dry."` | Odo's, the quotation |
//! | `Kael tells Odo that the well is dry.` | Kael's: the name before the verb is its subject |
//! | `Odo says nothing of the well.` | none |
//! | `Odo looks at the well.`, `He says that ..` | none: there is no verb of saying, or no name |
//!
//! All words come from the [lexicon](crate::text::lexicon::Voicing), so that another language is another file. Linear in the length
//! of the text.

use super::canon::{quoted_characters, straighten_apostrophes};
use crate::base::ids::Id;
use crate::proposal::Speaker;
use crate::text::Lexicon;
use crate::text::fold::{fold, is_spaceless, is_word_char};
use crate::text::sentence::{is_end_mark, sentences};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// How many words before a verb its subject may be.
const REACH: usize = 48;

/// Words of one speaker in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ToldWords {
    /// The id of the speaker.
    pub speaker: Id,
    /// Where they are, in bytes of the text.
    pub range: Range<usize>,
}

/// Reads whose words the prose of a narration tells. It is made once for a narration.
pub(super) struct ProseReader<'a> {
    speakers: &'a [Speaker],
    words: Words<'a>,
}

impl<'a> ProseReader<'a> {
    /// For these names, in this language.
    pub fn new(speakers: &'a [Speaker], lexicon: &'a Lexicon) -> Self {
        Self {
            speakers,
            words: Words::new(speakers, lexicon),
        }
    }

    /// The words that a text reports, each with its speaker, paragraph by paragraph.
    pub fn told(&self, text: &str) -> Vec<ToldWords> {
        let mut found = Vec::new();
        let mut start = 0;
        for line in text.split('\n') {
            for (speaker, range) in Paragraph::read(line, &self.words).told() {
                found.push(ToldWords {
                    speaker: self.speakers[speaker].id.clone(),
                    range: start + range.start..start + range.end,
                });
            }
            start += line.len() + 1;
        }
        found
    }
}

/// How many sayings inside of one another count.
const MAX_NESTED: usize = 4;

/// A word, or a sign that is no word.
#[derive(Debug, Clone)]
struct Token {
    /// The word, folded; the sign as it is written.
    text: String,
    is_word: bool,
    range: Range<usize>,
}

/// The words of a text. In a script without spaces each letter is a word.
fn tokens_of(text: &str, offset: usize) -> Vec<Token> {
    let mut tokens: Vec<Token> = Vec::new();
    let mut goes_on = false;
    for (at, c) in text.char_indices() {
        let end = offset + at + c.len_utf8();
        let is_word = is_word_char(c);
        match tokens.last_mut() {
            Some(last) if goes_on && is_word && !is_spaceless(c) => {
                last.text.push(c);
                last.range.end = end;
            }
            _ if c.is_whitespace() => {}
            _ => tokens.push(Token {
                text: c.to_string(),
                is_word,
                range: offset + at..end,
            }),
        }
        goes_on = is_word && !is_spaceless(c);
    }
    for token in tokens.iter_mut().filter(|token| token.is_word) {
        token.text = fold(&token.text);
    }
    tokens
}

/// Phrases, found by their first word.
#[derive(Debug, Default)]
struct Phrases(BTreeMap<String, Vec<(Vec<String>, usize)>>);

impl Phrases {
    fn of<'w>(entries: impl IntoIterator<Item = &'w String>) -> Self {
        let mut phrases = Self::default();
        for entry in entries {
            phrases.add(entry, 0);
        }
        phrases
    }

    fn add(&mut self, phrase: &str, of: usize) {
        let words: Vec<String> = tokens_of(phrase, 0)
            .into_iter()
            .map(|token| token.text)
            .collect();
        if let Some(first) = words.first().cloned() {
            self.0.entry(first).or_default().push((words, of));
        }
    }

    /// The longest phrase that begins at this token: how many tokens it has, and whose it is.
    fn at(&self, tokens: &[Token], at: usize) -> Option<(usize, usize)> {
        let known = self.0.get(&tokens.get(at)?.text)?;
        let stands = |words: &[String]| {
            let here = tokens.get(at..at + words.len());
            here.is_some_and(|here| {
                here.iter()
                    .zip(words)
                    .all(|(token, word)| token.text == *word)
            })
        };
        known
            .iter()
            .filter(|(words, _)| stands(words))
            .map(|(words, of)| (words.len(), *of))
            .max_by_key(|(len, _)| *len)
    }

    fn has(&self, tokens: &[Token], at: usize) -> bool {
        self.at(tokens, at).is_some()
    }
}

/// The tables of a language, ready to be looked up, and the names that are known.
struct Words<'a> {
    lexicon: &'a Lexicon,
    names: Phrases,
    /// Names that are also common words, as they are written: by their folded form.
    written: BTreeMap<String, BTreeSet<String>>,
    verbs: Phrases,
    tags: Phrases,
    silences: Phrases,
    /// What may come between a name and its verb, and after the verb.
    manners: Phrases,
    negators: Phrases,
    pronouns: BTreeSet<&'a str>,
    objects: BTreeSet<&'a str>,
    prepositions: BTreeSet<&'a str>,
    /// Prepositions and question words that begin what is spoken of.
    topics: BTreeSet<&'a str>,
    subordinators: BTreeSet<&'a str>,
    conjunctions: BTreeSet<&'a str>,
    complementizers: BTreeSet<&'a str>,
    auxiliaries: BTreeSet<&'a str>,
    /// Auxiliaries of a full verb that has the speaker for its subject ("does say", "has said").
    supports: BTreeSet<&'a str>,
    /// Forms that go with an auxiliary and have the speaker for their subject ("is saying"; not "is told").
    progressive: BTreeSet<&'a str>,
    receivers: BTreeSet<&'a str>,
    hypotheticals: BTreeSet<&'a str>,
    determiners: BTreeSet<&'a str>,
    finite: BTreeSet<&'a str>,
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
    fn new(speakers: &[Speaker], lexicon: &'a Lexicon) -> Self {
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

    /// The name that begins at a token: how many tokens it has, and whose it is. A name that is also a common word counts only as
    /// it is written.
    fn name_at(&self, text: &str, tokens: &[Token], at: usize) -> Option<(usize, usize)> {
        let (len, of) = self.names.at(tokens, at)?;
        let range = tokens.get(at)?.range.start..tokens.get(at + len - 1)?.range.end;
        let as_written = text.get(range).unwrap_or_default();
        match self.written.get(&fold(as_written)) {
            Some(forms) if !forms.contains(as_written) => None,
            _ => Some((len, of)),
        }
    }
}

/// A verb of saying with its subject.
#[derive(Debug, Clone)]
struct Saying {
    /// The speakers; empty where no known name is the subject, or nothing is said.
    who: Vec<usize>,
    /// The first token of the subject and its verb.
    start: usize,
    /// The token after the verb, and after a subject that follows it.
    end: usize,
    /// Whether the subject follows the verb.
    is_inverted: bool,
    /// Whether the verb tells of speech only next to a quotation.
    is_tag: bool,
    /// Whether it surely tells of speech; "the nightjar sings" does not.
    is_strong: bool,
}

/// A sentence of prose, or a part of one between quotations.
struct Fragment {
    tokens: Vec<Token>,
    sayings: Vec<Saying>,
    /// Whether it ends with a mark that ends a sentence.
    is_ended: bool,
}

impl Saying {
    /// Whether a quotation next to it may be its words.
    fn may_introduce(&self) -> bool {
        self.is_strong || !self.who.is_empty()
    }
}

impl Fragment {
    /// The last saying that may introduce a quotation.
    fn last_speaker(&self) -> Option<&Saying> {
        let mut sayings = self.sayings.iter().rev();
        sayings.find(|saying| saying.may_introduce())
    }

    /// The last saying before this one that surely tells of speech.
    fn strong_before(&self, number: usize) -> Option<&Saying> {
        let before = self.sayings.iter().take(number).rev();
        before.take(REACH).find(|saying| saying.is_strong)
    }
}

enum Segment {
    Quotation(Range<usize>),
    Prose(Vec<Fragment>),
}

/// The quotations next to a fragment.
#[derive(Debug, Clone, Copy)]
struct Beside {
    /// Whether the quotation before it ends a sentence; `None` where there is none.
    ended: Option<bool>,
    /// Whether it leads to a quotation after it.
    leads: bool,
}

struct Paragraph<'a> {
    text: &'a str,
    words: &'a Words<'a>,
    segments: Vec<Segment>,
}

impl<'a> Paragraph<'a> {
    fn read(text: &'a str, words: &'a Words<'a>) -> Self {
        let quoted = quoted_characters(&straighten_apostrophes(text), words.lexicon, false);
        let mut parts: Vec<(bool, Range<usize>)> = Vec::new();
        for ((at, c), quoted) in text.char_indices().zip(quoted) {
            let end = at + c.len_utf8();
            match parts.last_mut() {
                Some((last, range)) if *last == quoted => range.end = end,
                _ => parts.push((quoted, at..end)),
            }
        }
        let segments = parts.into_iter().map(|(quoted, range)| match quoted {
            true => Segment::Quotation(range),
            false => Segment::Prose(fragments(text, range, words)),
        });
        Self {
            text,
            words,
            segments: segments.collect(),
        }
    }

    /// The speakers with their words, in bytes of the paragraph.
    fn told(&self) -> Vec<(usize, Range<usize>)> {
        let mut told = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            match segment {
                Segment::Quotation(range) => {
                    let who = self.speakers_of(at);
                    told.extend(who.into_iter().map(|who| (who, range.clone())));
                }
                Segment::Prose(fragments) => {
                    for (number, fragment) in fragments.iter().enumerate() {
                        let before = at.checked_sub(1).filter(|_| number == 0);
                        let beside = Beside {
                            ended: before.map(|before| self.ends_a_sentence(before)),
                            leads: number + 1 == fragments.len()
                                && !fragment.is_ended
                                && at + 1 < self.segments.len(),
                        };
                        told.extend(self.words.reported(fragment, beside));
                    }
                }
            }
        }
        told
    }

    fn prose(&self, at: Option<usize>) -> Option<&[Fragment]> {
        match self.segments.get(at?)? {
            Segment::Prose(fragments) => Some(fragments),
            Segment::Quotation(_) => None,
        }
    }

    /// The speakers of a quotation: the persons that the words right before or right after it name.
    fn speakers_of(&self, at: usize) -> Vec<usize> {
        let before = self.prose(at.checked_sub(1));
        let last = before.and_then(<[Fragment]>::last);
        let leads = last.filter(|fragment| !fragment.is_ended);
        if let Some(saying) = leads.and_then(Fragment::last_speaker) {
            return saying.who.clone();
        }
        if let Some(saying) = self.tag_behind(at) {
            return saying.who.clone();
        }
        let (Some(before), Some(last)) = (before, last) else {
            return Vec::new();
        };
        // "..," says Odo. "..": he goes on.
        let earlier = at.checked_sub(2).filter(|_| before.len() == 1);
        if let Some(saying) = earlier.and_then(|earlier| self.tag_behind(earlier)) {
            return saying.who.clone();
        }
        // Odo whispers to Kael. ".."
        let number = last.sayings.iter().rposition(Saying::may_introduce);
        let is_open = |number: &usize| self.words.content(last, *number).is_none();
        match number {
            Some(number) => match is_open(&number) {
                true => last.sayings[number].who.clone(),
                false => Vec::new(),
            },
            None if self.is_tagged(at) => Vec::new(),
            None => self.actor_of(last).into_iter().collect(),
        }
    }

    /// Whether the sentence of a quotation goes on behind it and says who speaks: `"..," a sign says`.
    fn is_tagged(&self, at: usize) -> bool {
        let behind = self.prose(Some(at + 1)).and_then(<[Fragment]>::first);
        !self.ends_a_sentence(at) && behind.is_some_and(|behind| !behind.sayings.is_empty())
    }

    /// The known name with which a short sentence before a quotation begins: `Odo nods. ".."`, `Odo, loudly: ".."`.
    fn actor_of(&self, fragment: &Fragment) -> Option<usize> {
        /// The most words of such a sentence, apart from the name.
        const WORDS: usize = 6;
        let tokens = &fragment.tokens;
        let leads = |at: &usize| !tokens[*at].is_word || self.words.is_manner(&tokens[*at]);
        let start = (0..tokens.len()).find(|at| !leads(at))?;
        let (len, who) = self.words.name_at(self.text, tokens, start)?;
        let behind = &tokens[start + len..];
        let mut words = behind.iter().filter(|token| token.is_word);
        let fits = match fragment.is_ended {
            true => words.count() <= WORDS,
            // A part of a sentence without a verb.
            false => {
                words.all(|word| self.words.is_manner(word))
                    && behind.last().is_some_and(|last| !last.is_word)
            }
        };
        fits.then_some(who)
    }

    /// The saying right after a quotation that names its speaker: `"..," says Odo`.
    fn tag_behind(&self, at: usize) -> Option<&Saying> {
        let fragment = self.prose(Some(at + 1))?.first()?;
        let saying = fragment.sayings.first()?;
        let leading = &fragment.tokens[..saying.start];
        let is_first = leading
            .iter()
            .all(|token| !token.is_word || self.words.is_manner(token));
        // "Where is it?" Odo answers: "..": what he answers follows.
        let leads_on = !fragment.is_ended
            && fragment.tokens.last().is_some_and(|last| last.text == ":")
            && self.ends_a_sentence(at);
        (is_first && !leads_on).then_some(saying)
    }

    /// Whether the words of a quotation end with a mark that ends a sentence.
    fn ends_a_sentence(&self, at: usize) -> bool {
        let Some(Segment::Quotation(range)) = self.segments.get(at) else {
            return false;
        };
        let inner = self.text.get(range.clone()).unwrap_or_default().trim_end();
        let mut chars = inner.chars().rev();
        chars.next();
        chars.next().is_some_and(is_end_mark)
    }
}

fn fragments(text: &str, range: Range<usize>, words: &Words) -> Vec<Fragment> {
    let prose = &text[range.clone()];
    let mut fragments: Vec<Fragment> = Vec::new();
    for part in sentences(prose, words.lexicon) {
        let tokens = tokens_of(&prose[part.clone()], range.start + part.start);
        let is_ended = tokens
            .last()
            .and_then(|last| last.text.chars().next())
            .is_some_and(is_end_mark);
        let sayings = words.sayings(text, &tokens);
        fragments.push(Fragment {
            tokens,
            sayings,
            is_ended,
        });
    }
    fragments
}

impl Words<'_> {
    fn is_manner(&self, token: &Token) -> bool {
        self.manners.has(std::slice::from_ref(token), 0)
    }

    /// The verbs of saying of a fragment, each with its subject.
    fn sayings(&self, text: &str, tokens: &[Token]) -> Vec<Saying> {
        let names = self.names_in(text, tokens);
        let mut sayings = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            // A name such as Will is no verb.
            if let Some(name) = names.from(at) {
                at = name.range.end;
                continue;
            }
            let verb = self.verbs.at(tokens, at).map(|(len, _)| (len, false));
            let tag = || self.tags.at(tokens, at).map(|(len, _)| (len, true));
            let Some((len, is_tag)) = verb.or_else(tag) else {
                at += 1;
                continue;
            };
            sayings.push(self.saying(tokens, &names, at..at + len, is_tag));
            at += len;
        }
        sayings
    }

    fn names_in(&self, text: &str, tokens: &[Token]) -> Names {
        let mut names = Names {
            all: Vec::new(),
            starts: vec![None; tokens.len() + 1],
            ends: vec![None; tokens.len() + 1],
        };
        let mut at = 0;
        while at < tokens.len() {
            let Some((len, of)) = self.name_at(text, tokens, at) else {
                at += 1;
                continue;
            };
            let before = at.checked_sub(1).map(|before| tokens[before].text.as_str());
            // "to Odo", "Odo's": no subject.
            let is_oblique = before.is_some_and(|before| self.prepositions.contains(before))
                || is_possessive(&tokens[at + len..]);
            names.starts[at] = Some(names.all.len());
            names.ends[at + len] = Some(names.all.len());
            names.all.push(Named {
                range: at..at + len,
                of,
                is_oblique,
            });
            at += len;
        }
        names
    }

    fn saying(&self, tokens: &[Token], names: &Names, verb: Range<usize>, is_tag: bool) -> Saying {
        let unknown = Saying {
            who: Vec::new(),
            start: verb.start,
            end: verb.end,
            is_inverted: false,
            is_tag,
            is_strong: !is_tag || self.leads_to_words(tokens, verb.end),
        };
        let is_progressive = self
            .progressive
            .contains(tokens[verb.end - 1].text.as_str());
        let (left, is_denied) = self.skip_back(tokens, verb.start, is_progressive);
        let floor = left.saturating_sub(REACH);
        let before = left.checked_sub(1).map(|before| &tokens[before]);
        let mut saying = if let Some(subject) = names.until(left) {
            if subject.is_oblique {
                return unknown;
            }
            let mut who = vec![subject.of];
            let mut start = subject.range.start;
            // "Odo and Ravn say ..".
            while let Some(other) = self.joined_before(tokens, names, start) {
                who.push(other.of);
                start = other.range.start;
            }
            Saying {
                who,
                start,
                is_strong: true,
                ..unknown
            }
        } else if before.is_some_and(|before| self.pronouns.contains(before.text.as_str())) {
            return Saying {
                start: left - 1,
                is_strong: true,
                ..unknown
            };
        } else if before.is_none_or(|before| {
            !before.is_word || self.conjunctions.contains(before.text.as_str())
        }) {
            let earlier = self.subject_of_clause(tokens, names, floor..left);
            let joins = |joint: &Token| self.lexicon.conjunctions.contains(&joint.text);
            // "Kael nods and asks Odo ..": one more thing that Kael does.
            let goes_on = left > 1 && before.is_some_and(joins);
            // "Kael is a thief, says Odo."; not "Kael nods, asks Odo for it".
            let closes = |end: usize| {
                let next = tokens.get(self.skip_manners(tokens, end));
                next.is_none_or(|next| !next.is_word)
            };
            let behind = self
                .subject_behind(tokens, names, verb.end)
                .filter(|(_, end)| !goes_on && (earlier.is_none() || closes(*end)));
            match behind {
                Some((who, end)) => Saying {
                    who,
                    end,
                    is_inverted: true,
                    is_strong: true,
                    ..unknown
                },
                None => Saying {
                    who: earlier.unwrap_or_default(),
                    start: left,
                    ..unknown
                },
            }
        } else {
            return unknown;
        };
        let behind = self.skip_manners(tokens, saying.end);
        if is_denied || self.silences.has(tokens, behind) {
            saying.who.clear();
        }
        saying
    }

    /// Whether a content clause or a colon follows a verb.
    fn leads_to_words(&self, tokens: &[Token], verb_end: usize) -> bool {
        let at = self.skip_manners(tokens, verb_end);
        let at = self.object_behind(tokens, at).unwrap_or(at);
        let next = tokens.get(at);
        let behind = tokens.get(at + 1);
        next.is_some_and(|next| self.is_that(next) || next.text == ":")
            || (next.is_some_and(|next| next.text == ",")
                && behind.is_some_and(|behind| self.is_that(behind)))
    }

    /// Goes back over the words that may be between a subject and its verb, and tells whether the verb is denied or hypothetical.
    fn skip_back(&self, tokens: &[Token], mut at: usize, is_progressive: bool) -> (usize, bool) {
        let mut is_denied = false;
        while let Some(before) = at.checked_sub(1) {
            let word = tokens[before].text.as_str();
            let denies = self.negators.has(&tokens[before..at], 0);
            let supposes = self.hypotheticals.contains(word);
            // "is told" has another for its subject than "is saying".
            let helps =
                self.supports.contains(word) || (is_progressive && self.auxiliaries.contains(word));
            let may_stand = denies || supposes || helps || self.manners.has(&tokens[before..at], 0);
            if !may_stand || self.conjunctions.contains(word) {
                break;
            }
            is_denied |= denies || supposes;
            at = before;
        }
        (at, is_denied)
    }

    fn skip_manners(&self, tokens: &[Token], mut at: usize) -> usize {
        while let Some((len, _)) = self
            .manners
            .at(tokens, at)
            .filter(|_| !self.silences.has(tokens, at))
        {
            at += len;
        }
        at
    }

    fn joined_before<'n>(
        &self,
        tokens: &[Token],
        names: &'n Names,
        start: usize,
    ) -> Option<&'n Named> {
        let joint = tokens.get(start.checked_sub(1)?)?;
        let is_joint = self.lexicon.additive.contains(&joint.text);
        let other = names.until(start - 1);
        other.filter(|name| is_joint && !name.is_oblique)
    }

    /// A subject right after its verb: whose it is, and the token after it.
    fn subject_behind(
        &self,
        tokens: &[Token],
        names: &Names,
        verb_end: usize,
    ) -> Option<(Vec<usize>, usize)> {
        let at = self.skip_manners(tokens, verb_end);
        let mut next = at;
        // "sagt der alte Odo": an article, and a word or two.
        let mut found = names.from(at);
        if found.is_none()
            && tokens
                .get(at)
                .is_some_and(|token| self.determiners.contains(token.text.as_str()))
        {
            found = names.from(at + 1).or_else(|| names.from(at + 2));
        }
        if let Some(name) = found {
            if is_possessive(&tokens[name.range.end..]) {
                return Some((Vec::new(), name.range.end));
            }
            next = name.range.end;
            let mut who = vec![name.of];
            while tokens
                .get(next)
                .is_some_and(|joint| self.lexicon.additive.contains(&joint.text))
                && let Some(other) = names.from(next + 1)
            {
                who.push(other.of);
                next = other.range.end;
            }
            return Some((who, next));
        }
        let pronoun = tokens.get(at)?;
        self.pronouns
            .contains(pronoun.text.as_str())
            .then(|| (Vec::new(), next + 1))
    }

    /// The subject of the clause that these tokens are of: what begins it last, else its first name. A pronoun names no one.
    fn subject_of_clause(
        &self,
        tokens: &[Token],
        names: &Names,
        clause: Range<usize>,
    ) -> Option<Vec<usize>> {
        let subject_at = |at: usize| names.from(at).filter(|name| !name.is_oblique);
        for at in clause.clone().rev() {
            let begins = at == 0 || {
                let before = &tokens[at - 1];
                !before.is_word || self.conjunctions.contains(before.text.as_str())
            };
            if !begins {
                continue;
            }
            let word = tokens[at].text.as_str();
            if self.lexicon.subject_pronouns.iter().any(|one| one == word) {
                return Some(Vec::new());
            }
            let Some(name) = subject_at(at) else {
                continue;
            };
            // In a list a name is followed by a comma or by another one.
            let next = tokens.get(name.range.end);
            let is_listed = at > 0
                && next.is_none_or(|next| {
                    !next.is_word || self.conjunctions.contains(next.text.as_str())
                });
            if !is_listed {
                return Some(vec![name.of]);
            }
        }
        let mut clause = clause;
        let first = clause.find_map(subject_at);
        first.map(|name| vec![name.of])
    }

    /// What the prose of a fragment reports of its speakers.
    fn reported(&self, fragment: &Fragment, beside: Beside) -> Vec<(usize, Range<usize>)> {
        let mut told = Vec::new();
        let tokens = &fragment.tokens;
        for (number, saying) in fragment.sayings.iter().enumerate() {
            if saying.who.is_empty() {
                continue;
            }
            let behind = tokens.get(self.skip_manners(tokens, saying.end));
            let is_mark = behind.is_none_or(|behind| !behind.is_word);
            let names_the_speaker = beside
                .ended
                .is_some_and(|ended| number == 0 && (!ended || saying.is_inverted || is_mark));
            let may_report = !saying.is_tag || self.leads_to_words(tokens, saying.end);
            let content = may_report.then(|| self.content(fragment, number)).flatten();
            let content = content.filter(|content| {
                let lead = content.start.checked_sub(1).map(|lead| &tokens[lead]);
                let is_led = lead.is_some_and(|lead| self.is_that(lead) || lead.text == ":");
                // Next to a quotation the rest of the sentence tells what happens.
                is_led || !(saying.is_tag || names_the_speaker || beside.leads)
            });
            let is_inserted = saying.is_inverted && is_mark;
            let before = match &content {
                Some(content) if !is_inserted || self.is_that(&tokens[content.start - 1]) => None,
                _ if names_the_speaker => None,
                _ if !saying.is_strong && number + 1 < fragment.sayings.len() => None,
                _ => self.said_before(fragment, number),
            };
            for range in content.into_iter().chain(before) {
                let Some(parts) = tokens.get(range) else {
                    continue;
                };
                if let (Some(first), Some(last)) = (parts.first(), parts.last()) {
                    let bytes = first.range.start..last.range.end;
                    told.extend(saying.who.iter().map(|who| (*who, bytes.clone())));
                }
            }
        }
        told
    }

    fn is_that(&self, token: &Token) -> bool {
        self.complementizers.contains(token.text.as_str())
    }

    /// The tokens of what is said after a verb; `None` where nothing is.
    fn content(&self, fragment: &Fragment, number: usize) -> Option<Range<usize>> {
        let tokens = &fragment.tokens;
        let saying = fragment.sayings.get(number)?;
        let later = || {
            let later = fragment.sayings.iter().skip(number + 1).take(REACH);
            later.filter(|saying| saying.is_strong)
        };
        let all = tokens.len() - usize::from(fragment.is_ended);
        let end = later().next().map_or(all, |next| next.start);
        let mut at = self.skip_manners(tokens, saying.end);
        // "tells Kael that", "says to him that".
        if let Some(behind) = self.object_behind(tokens, at) {
            at = self.skip_manners(tokens, behind);
        }
        let find = |from: usize, is: &dyn Fn(&Token) -> bool| {
            (from..end).find(|at| is(&tokens[*at])).map(|at| at + 1)
        };
        let is_that = |token: &Token| self.is_that(token);
        let is_colon = |token: &Token| token.text == ":";
        let next = tokens.get(at).filter(|_| at < end)?;
        let word = next.text.as_str();
        let start = if is_that(next) || is_colon(next) {
            at + 1
        } else if !next.is_word {
            // ", dass ..", or the words that are said after a comma.
            let behind = tokens.get(at + 1).filter(|_| at + 1 < end)?;
            match behind.text.as_str() {
                _ if is_that(behind) => at + 2,
                word if self.conjunctions.contains(word) || self.begins_aside(word) => {
                    find(at + 1, &is_that)?
                }
                _ if !behind.is_word => find(at + 1, &is_that)?,
                _ => at + 1,
            }
        } else if self.conjunctions.contains(word) {
            return None;
        } else if self.begins_aside(word)
            || (self.prepositions.contains(word) && !self.topics.contains(word))
        {
            // "speaks by the well, and says that": where, when and why.
            find(at, &|token| is_that(token) || is_colon(token))?
        } else {
            at
        };
        let has_that = start > 0 && (is_that(&tokens[start - 1]) || is_colon(&tokens[start - 1]));
        // "says that people say that ..": what others are told to say is said as well, up to the next clause of the sentence.
        let mut end = all;
        for (nested, next) in later().enumerate() {
            let joint = |at: &usize| {
                let token = &tokens[*at];
                matches!(token.text.as_str(), "," | ";")
                    || self.conjunctions.contains(token.text.as_str())
            };
            match (start..next.start).rev().find(joint) {
                Some(joint) => end = joint,
                None if nested >= MAX_NESTED || next.start < start => end = next.start,
                None => continue,
            }
            break;
        }
        let stop = (start..end).find(|at| {
            let word = tokens[*at].text.as_str();
            let next = tokens.get(at + 1).map(|next| next.text.as_str());
            // A sentence that goes on with another predicate.
            let goes_on = self.conjunctions.contains(word)
                && next.is_some_and(|next| self.finite.contains(next));
            goes_on || (!has_that && self.begins_aside(word))
        });
        let range = start..stop.unwrap_or(end).max(start);
        (range.start < range.end).then_some(range)
    }

    /// Whether a word begins a clause that says when or why, and nothing that is said.
    fn begins_aside(&self, word: &str) -> bool {
        self.subordinators.contains(word)
            && !self.topics.contains(word)
            && !self.complementizers.contains(word)
    }

    /// The token after a receiver: a name, a pronoun, or one of them after a preposition.
    fn object_behind(&self, tokens: &[Token], at: usize) -> Option<usize> {
        let word = |at: usize| tokens.get(at).map(|token| token.text.as_str());
        let is_preposition = word(at).is_some_and(|word| {
            self.receivers.contains(word)
                || (self.prepositions.contains(word) && !self.topics.contains(word))
        });
        let from = if is_preposition { at + 1 } else { at };
        if let Some((len, _)) = self.names.at(tokens, from) {
            // "says Kael is here": what is said begins with the name.
            let is_subject = !is_preposition
                && word(from + len).is_some_and(|next| {
                    self.auxiliaries.contains(next) || self.finite.contains(next)
                });
            return (!is_subject).then_some(from + len);
        }
        let is_object = word(from).is_some_and(|word| self.objects.contains(word));
        let is_subject = word(from + 1)
            .is_some_and(|next| self.auxiliaries.contains(next) || self.finite.contains(next));
        (is_object
            && !is_subject
            && !word(from).is_some_and(|word| self.complementizers.contains(word)))
        .then_some(from + 1)
    }

    /// The words before a saying that closes its sentence: "The well is dry, says Odo."
    fn said_before(&self, fragment: &Fragment, number: usize) -> Option<Range<usize>> {
        let tokens = &fragment.tokens;
        let saying = &fragment.sayings[number];
        let start = fragment
            .strong_before(number)
            .map_or(0, |before| before.end);
        let comma = saying.start.checked_sub(1).filter(|comma| *comma > start)?;
        let first = tokens.get(start)?.text.as_str();
        let is_that = self.complementizers.contains(first);
        let is_aside =
            !is_that && (self.subordinators.contains(first) || self.prepositions.contains(first));
        let is_parted = !tokens[comma].is_word && tokens[comma].text != ":";
        (is_parted && !is_aside).then_some(start..comma)
    }
}

/// The known names in a fragment, by the tokens where they begin and end.
struct Names {
    all: Vec<Named>,
    starts: Vec<Option<usize>>,
    ends: Vec<Option<usize>>,
}

impl Names {
    fn from(&self, start: usize) -> Option<&Named> {
        self.all.get((*self.starts.get(start)?)?)
    }

    fn until(&self, end: usize) -> Option<&Named> {
        self.all.get((*self.ends.get(end)?)?)
    }
}

/// A known name in a fragment.
struct Named {
    range: Range<usize>,
    of: usize,
    /// Whether it follows a preposition or is in the genitive, and so is no subject.
    is_oblique: bool,
}

fn is_possessive(behind: &[Token]) -> bool {
    let mark = behind
        .first()
        .is_some_and(|mark| matches!(mark.text.as_str(), "'" | "’" | "‘" | "`" | "´"));
    mark && behind.get(1).is_some_and(|s| s.text == "s" || !s.is_word)
}

#[cfg(test)]
mod tests;
