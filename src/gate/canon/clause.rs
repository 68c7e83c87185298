//! Words and clauses of a sentence (SCENARIO.md section 2, "Canon").

use super::exempt::{exempt, is_question};
use crate::text::fold::{FoldedText, is_spaceless, is_word_char};
use crate::text::lexicon::Lexicon;
use std::collections::HashMap;
use std::ops::Range;

/// What a word may be, as a set of bits.
pub type Tags = u64;

macro_rules! tags {
    ($($name:ident)*) => { tags!(@ 0; $($name)*); };
    (@ $n:expr; $name:ident $($rest:ident)*) => {
        pub const $name: Tags = 1 << ($n);
        tags!(@ $n + 1; $($rest)*);
    };
    (@ $n:expr;) => {};
}

tags! {
    NEGATOR ALL_TIME NOT_NEGATING FALSEHOOD TRUTH REPORT_BASE REPORT_ING REPORT_OTHER DOUBT HEARSAY ASSERTING
    FIRST HELPER PAST_HELPER CONDITION HYPOTHESIS ASIDE CONJUNCTION ADDITIVE CONTRAST SUBORDINATOR ATTRIBUTIVE THAT TO
    SUBJECT PRONOUN OBJECT ARTICLE DETERMINER DEMONSTRATIVE PREPOSITION AUXILIARY DO FINITE ADVERB CLITIC
    POSSESSIVE ADDRESS
}

pub const REPORT: Tags = REPORT_BASE | REPORT_ING | REPORT_OTHER;
const VERB: Tags = FINITE | AUXILIARY | CLITIC | REPORT_BASE | REPORT_OTHER | DOUBT;
/// Words that no bare noun phrase goes across.
const FUNCTION: Tags = VERB
    | NEGATOR
    | CONJUNCTION
    | SUBORDINATOR
    | PREPOSITION
    | CONDITION
    | HYPOTHESIS
    | SUBJECT
    | PRONOUN
    | OBJECT
    | ARTICLE
    | DETERMINER
    | TO;

/// The punctuation before a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub enum Pause {
    None,
    /// A comma, a bracket, or any other mark that ends no clause.
    Light,
    Colon,
    /// A semicolon or a dash.
    Hard,
}

/// One word of a dialogue.
#[derive(Debug, Clone)]
pub struct Token {
    pub word: String,
    /// Characters of the dialogue.
    pub start: usize,
    pub end: usize,
    pub pause: Pause,
    pub tags: Tags,
    pub quoted: bool,
}

impl Token {
    pub fn is(&self, tags: Tags) -> bool {
        self.tags & tags != 0
    }
}

/// How a clause is joined to the one before it in its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Joint {
    Start,
    Hard,
    Colon,
    Comma,
    /// "and", "or"; `comma`: with a comma before it, `that`: with "that" after it.
    Adding {
        comma: bool,
        that: bool,
    },
    /// "but" and the like.
    Contrast,
}

/// A clause: a range of the tokens of its sentence.
#[derive(Debug, Clone)]
pub struct Clause {
    pub range: Range<usize>,
    pub joint: Joint,
}

/// A sentence taken apart.
#[derive(Debug, Default)]
pub struct Parsed {
    pub tokens: Vec<Token>,
    pub clauses: Vec<Clause>,
    /// For each token, whether what it says is exempt.
    pub exempt: Vec<bool>,
}

/// A lexicon made ready for look-up.
#[derive(Debug)]
pub struct Grammar {
    pub lexicon: Lexicon,
    words: HashMap<String, Tags>,
    /// By first word; the longest are not preferred, each adds its tags.
    phrases: HashMap<String, Vec<(Vec<String>, Tags)>>,
}

impl Grammar {
    pub fn new(lexicon: &Lexicon) -> Self {
        let mut grammar = Self {
            lexicon: lexicon.clone(),
            words: HashMap::new(),
            phrases: HashMap::new(),
        };
        let l = lexicon;
        let tables: [(&[String], Tags); 34] = [
            (&l.addressing, ADDRESS),
            (&l.negators, NEGATOR),
            (&l.negators_for_all_time, ALL_TIME),
            (&l.not_negating, NOT_NEGATING),
            (&l.falsehoods, FALSEHOOD),
            (&l.truths, TRUTH),
            (&l.doubting, DOUBT),
            (&l.hearsay, HEARSAY),
            (&l.asserting, ASSERTING),
            (&l.first_person, FIRST),
            (&l.helpers, HELPER),
            (&l.past_helpers, PAST_HELPER),
            (&l.conditionals, CONDITION),
            (&l.hypotheticals, HYPOTHESIS),
            (&l.asides, ASIDE),
            (&l.conjunctions, CONJUNCTION),
            (&l.additive, ADDITIVE),
            (&l.contrasts, CONTRAST),
            (&l.subordinators, SUBORDINATOR),
            (&l.attributives, ATTRIBUTIVE),
            (&l.complementizers, THAT),
            (&l.infinitives, TO),
            (&l.subject_pronouns, SUBJECT),
            (&l.pronouns, PRONOUN),
            (&l.object_pronouns, OBJECT),
            (&l.articles, ARTICLE),
            (&l.determiners, DETERMINER),
            (&l.demonstratives, DEMONSTRATIVE),
            (&l.prepositions, PREPOSITION),
            (&l.auxiliaries, AUXILIARY),
            (&l.do_support, DO),
            (&l.finite_verbs, FINITE),
            (&l.adverbs, ADVERB),
            (&l.possessives, POSSESSIVE),
        ];
        for (table, tag) in tables {
            for entry in table {
                grammar.add(entry, tag);
            }
        }
        for verb in &l.reporting {
            grammar.add(&verb.base, REPORT_BASE);
            grammar.add(&verb.progressive, REPORT_ING);
            for form in &verb.other {
                grammar.add(form, REPORT_OTHER);
            }
        }
        for clitic in l.clitics.keys() {
            grammar.add(clitic, CLITIC);
        }
        grammar
    }

    fn add(&mut self, entry: &str, tag: Tags) {
        let mut words = entry.split_whitespace().map(str::to_owned);
        let Some(first) = words.next() else { return };
        let rest: Vec<String> = words.collect();
        if rest.is_empty() {
            *self.words.entry(first).or_default() |= tag;
        } else {
            self.phrases.entry(first).or_default().push((rest, tag));
        }
    }

    /// Takes one sentence of a straightened text apart. `offset`: its first character; `quoted`: which characters
    /// of the whole text are quoted.
    pub fn parse(&self, sentence: &str, offset: usize, quoted: &[bool]) -> Parsed {
        let mut tokens = self.tokens(sentence, offset);
        for token in &mut tokens {
            token.quoted = quoted.get(token.start).copied().unwrap_or_default();
        }
        self.tag_phrases(&mut tokens);
        let clauses = self.clauses(&tokens);
        let exempt = if is_question(sentence, offset, quoted) {
            vec![true; tokens.len()]
        } else {
            exempt(&tokens, &clauses)
        };
        Parsed {
            tokens,
            clauses,
            exempt,
        }
    }

    /// The words of an authored text, as [`Self::parse`] would see them.
    pub fn words(&self, text: &str) -> Vec<String> {
        let tokens = self.tokens(&super::quote::straighten(text), 0);
        tokens.into_iter().map(|token| token.word).collect()
    }

    fn tokens(&self, sentence: &str, offset: usize) -> Vec<Token> {
        let folded = FoldedText::new(sentence);
        let layer = folded.folded();
        let text = layer.text();
        let mut tokens = Vec::new();
        let mut pause_from = 0;
        let mut chars = text.char_indices().peekable();
        while let Some((start, c)) = chars.next() {
            if !is_token_char(c) && !self.begins_elision(text, start) {
                continue;
            }
            let mut end = start + c.len_utf8();
            let mut last = c;
            while let Some(&(at, next)) = chars.peek() {
                let after = text[at + next.len_utf8()..].chars().next();
                let joins = match next {
                    '\'' => last.is_alphanumeric() && after.is_some_and(char::is_alphanumeric),
                    '.' | ',' => last.is_numeric() && after.is_some_and(char::is_numeric),
                    _ => is_token_char(next),
                };
                if !joins || is_spaceless(last) || is_spaceless(next) {
                    break;
                }
                last = next;
                end = at + next.len_utf8();
                chars.next();
            }
            let pause = pause(&text[pause_from..start], tokens.is_empty());
            self.expand(&text[start..end], |word, bytes| {
                let (from, to) = layer.origin(start + bytes.start, start + bytes.end);
                let tags = self.words.get(word).copied().unwrap_or_default();
                tokens.push(Token {
                    word: word.to_owned(),
                    start: offset + from,
                    end: offset + to,
                    pause: if bytes.start == 0 { pause } else { Pause::None },
                    tags,
                    quoted: false,
                });
            });
            pause_from = end;
        }
        // The words of one contraction begin at the same place; only the first has the pause before it.
        for i in 1..tokens.len() {
            if tokens[i].start < tokens[i - 1].end {
                tokens[i].pause = Pause::None;
            }
        }
        tokens
    }

    fn begins_elision(&self, text: &str, at: usize) -> bool {
        text[at..].starts_with('\'') && {
            let rest = &text[at + 1..];
            let end = rest.find(|c| !is_token_char(c)).unwrap_or(rest.len());
            // Short words only, so that this stays linear.
            end <= 12 && self.lexicon.contractions.contains_key(&text[at..=at + end])
        }
    }

    /// Gives a word in its parts: contractions written out, endings apart.
    fn expand(&self, word: &str, mut out: impl FnMut(&str, Range<usize>)) {
        let all = 0..word.len();
        if let Some(written_out) = self.lexicon.contractions.get(word) {
            for part in written_out.split_whitespace() {
                out(part, all.clone());
            }
            return;
        }
        for (ending, stands_for) in &self.lexicon.negative_endings {
            if let Some(stem) = word
                .strip_suffix(ending.as_str())
                .filter(|stem| !stem.is_empty())
            {
                out(stem, 0..stem.len());
                out(stands_for, stem.len()..word.len());
                return;
            }
        }
        if let Some(at) = word.rfind('\'').filter(|at| *at > 0)
            && self.lexicon.clitics.contains_key(&word[at..])
        {
            out(&word[..at], 0..at);
            out(&word[at..], at..word.len());
            return;
        }
        out(word, all);
    }

    fn tag_phrases(&self, tokens: &mut [Token]) {
        for start in 0..tokens.len() {
            let Some(phrases) = self.phrases.get(&tokens[start].word) else {
                continue;
            };
            for (rest, tag) in phrases {
                if let Some(end) = phrase_end(tokens, start + 1, rest) {
                    for token in &mut tokens[start..end] {
                        token.tags |= tag;
                    }
                }
            }
        }
        for token in tokens {
            if token.is(NOT_NEGATING) {
                token.tags &= !NEGATOR;
            }
        }
    }

    fn clauses(&self, tokens: &[Token]) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = Vec::new();
        let mut start = 0;
        let mut joint = Joint::Start;
        let mut has_verb = false;
        for (i, token) in tokens.iter().enumerate() {
            if i > start
                && let Some(next) = self.joint(tokens, i, has_verb)
            {
                clauses.push(Clause {
                    range: start..i,
                    joint,
                });
                (start, joint, has_verb) = (i, next, false);
            }
            has_verb |= token.is(VERB) || (i > start && self.may_be_verb(&tokens[i - 1], token));
        }
        if start < tokens.len() {
            clauses.push(Clause {
                range: start..tokens.len(),
                joint,
            });
        }
        clauses
    }

    fn may_be_verb(&self, before: &Token, token: &Token) -> bool {
        let endings = &self.lexicon.verb_endings;
        !before.is(ARTICLE | DETERMINER | PREPOSITION)
            && endings.iter().any(|ending| {
                token.word.len() > ending.len() + 1 && token.word.ends_with(ending.as_str())
            })
    }

    /// The joint before token `i`, when a clause begins there.
    fn joint(&self, tokens: &[Token], i: usize, has_verb: bool) -> Option<Joint> {
        let token = &tokens[i];
        match token.pause {
            Pause::Hard => return Some(Joint::Hard),
            Pause::Colon => return Some(Joint::Colon),
            Pause::Light | Pause::None => {}
        }
        let comma = token.pause == Pause::Light;
        let conjunction = token.is(CONJUNCTION);
        // "so green" is no conjunction: only with a new subject and verb does it count.
        let from = if conjunction { i + 1 } else { i };
        if !comma && !conjunction {
            return None;
        }
        let subject = subject_and_verb(tokens, from, conjunction)?;
        if !(has_verb || conjunction && subject.is(SUBJECT)) {
            return None;
        }
        // "He said that .., that ..": a further content clause.
        let content = !conjunction && token.is(THAT) && subject.start != token.start;
        Some(if content {
            Joint::Adding { comma, that: true }
        } else if !conjunction {
            Joint::Comma
        } else if token.is(ADDITIVE) {
            let that = tokens.get(i + 1).is_some_and(|next| next.is(THAT));
            Joint::Adding { comma, that }
        } else {
            Joint::Contrast
        })
    }
}

/// The first word of the subject, when a subject and its verb begin at token `from`.
fn subject_and_verb(tokens: &[Token], from: usize, conjunction: bool) -> Option<&Token> {
    /// The most words of a noun phrase that is looked through.
    const LONGEST: usize = 8;
    let mut at = from;
    while at < from + 3 && tokens.get(at)?.is(ADVERB | THAT) {
        at += 1;
    }
    let mut first = tokens.get(at)?;
    if at > from && first.pause > Pause::Light {
        return None;
    }
    // "that" alone may be the subject itself.
    if at > from && tokens[at - 1].is(PRONOUN) && first.is(VERB) {
        return Some(&tokens[at - 1]);
    }
    if conjunction && first.is(SUBORDINATOR) && !first.is(PRONOUN) {
        at += 1;
        first = tokens.get(at)?;
    }
    let unbroken = |token: &&Token| token.pause == Pause::None;
    let next = tokens[at + 1..]
        .iter()
        .take(4)
        .take_while(unbroken)
        .find(|token| !token.is(ADVERB | NEGATOR));
    if first.is(SUBJECT) {
        return next
            .filter(|t| !t.is(CONJUNCTION | PREPOSITION | ARTICLE))
            .map(|_| first);
    }
    if first.is(PRONOUN)
        && next.is_some_and(|t| t.is(VERB) || (!first.is(DEMONSTRATIVE) && !t.is(FUNCTION)))
    {
        return Some(first);
    }
    let marked = first.is(ARTICLE | DETERMINER | DEMONSTRATIVE);
    if !marked && first.is(FUNCTION | ADVERB) {
        return None;
    }
    let stop = if marked {
        CONJUNCTION
    } else {
        FUNCTION & !VERB
    };
    let limit = if marked { LONGEST } else { 3 };
    let mut phrase = tokens[at + 1..]
        .iter()
        .take(limit)
        .take_while(unbroken)
        .enumerate();
    let found = phrase.find(|(i, t)| {
        let noun_first = !marked || *i > 0;
        let possessive = t.is(POSSESSIVE)
            && !tokens
                .get(at + 2 + i)
                .is_some_and(|after| after.is(NEGATOR | ADVERB | ARTICLE));
        t.is(stop) || (noun_first && t.is(VERB) && !possessive)
    });
    found.filter(|(_, t)| t.is(VERB)).map(|_| first)
}

/// The end of a phrase whose further words begin at `from`; adverbs between them do not count.
fn phrase_end(tokens: &[Token], from: usize, rest: &[String]) -> Option<usize> {
    let mut at = from;
    for word in rest {
        while tokens
            .get(at)
            .is_some_and(|t| t.word != *word && t.is(ADVERB) && at < from + 8)
        {
            at += 1;
        }
        if tokens.get(at)?.word != *word {
            return None;
        }
        at += 1;
    }
    Some(at)
}

fn is_token_char(c: char) -> bool {
    c != '_' && is_word_char(c)
}

fn pause(gap: &str, first: bool) -> Pause {
    let trimmed = gap.trim();
    if first || trimmed.is_empty() {
        return Pause::None;
    }
    if gap.contains(['—', '–', '―', '‒', '⸺', '⸻', '−', ';', '；', '؛'])
        || gap.contains("--")
        || gap.contains(" - ")
    {
        return Pause::Hard;
    }
    if gap.contains([':', '：']) {
        return Pause::Colon;
    }
    if gap.contains([',', '،', '、', '(', ')', '[', ']', '!', '?', '.', '/', '…']) {
        return Pause::Light;
    }
    Pause::None
}
