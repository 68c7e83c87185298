//! The built-in imperative parser: plain commands to untrusted actions, with no model and no knowledge of the world.
//! The normaliser judges what comes out, and resolves "the brass key" and "it".
//!
//! Rulings: a question, a condition, a denial, and words about or to another character ("Eldrin, open the door") do nothing;
//! each becomes one action of an unknown type, up to the end of its sentence. The parser never splits or reads as a command
//! what is within double or curly quotation marks, `[..]` or `{..}`; a mark that is never closed reaches to the end. The name
//! of a thing nearby is one word, whatever it contains, unless it begins with a verb where a command may begin. "Use the key
//! to open the door" means to open it with the key; a verb of looking is an action that changes nothing, and whose type no
//! built-in action has. Free text without quotation marks reaches to the end of its sentence, or to a command after "then",
//! after a receiver, or on the next line.

mod names;
mod objects;
mod texts;
mod tokens;

use crate::judged_world::action::ProposedAction;
use crate::text::fold::fold;
use crate::text::lexicon::{Imperatives, VerbFrame};
use crate::text::single_spaced;
use serde_json::Value;
use tokens::{Kind, Token, at, begins, count};

/// The most actions that one text gives; what follows is left out.
pub const MAX_ACTIONS: usize = 1_024;

/// The longest type of an unknown action, in characters.
const MAX_KIND_CHARS: usize = 60;
/// The most words between a verb and its particle, and in a receiver that ends a free text.
const REACH: usize = 8;

const SPEAK: &str = "speak";
const TARGET: &str = "target";

/// Reads a text as commands, in their order. `verbs` are those of a game's own actions; they win over the built-in ones.
/// `names` are the names of things nearby: each is read as one word, the longest first, whatever it contains ("the salt and
/// pepper"). Empty when the text has only white space and marks. Never more than [`MAX_ACTIONS`].
#[must_use]
pub fn parse_imperatives(
    text: &str,
    words: &Imperatives,
    verbs: &[VerbFrame],
    names: &[&str],
) -> Vec<ProposedAction> {
    let parser = Parser::new(text, words, verbs);
    let tokens = parser.tokens(names);
    let mut rest = tokens.as_slice();
    let mut found = Vec::new();
    while !rest.is_empty() && found.len() < MAX_ACTIONS {
        let end = count(rest, |t| !t.ends_sentence());
        let marks = count(&rest[end..], Token::ends_sentence);
        let asked = rest[end..end + marks]
            .iter()
            .any(|t| t.kind == Kind::Question);
        match parser.narrated(&rest[..end]) {
            Some(told) => parser.sentence(&told, asked, &mut found),
            None => parser.sentence(&rest[..end], asked, &mut found),
        }
        rest = &rest[end + marks..];
    }
    found.truncate(MAX_ACTIONS);
    found
}

/// The tokens between two commands or two objects.
#[derive(Default)]
struct Gap {
    len: usize,
    /// It has a conjunction.
    joins: bool,
    /// It has a word such as "then".
    then: bool,
}

/// What a command begins with.
enum Head<'p> {
    /// A verb of an action.
    Verb(Verb<'p>),
    /// A quotation without a verb before it.
    Line,
    /// A verb of no action, or another unknown word; `looks` is the length of a verb of looking, else 0.
    Other { verb: bool, looks: usize },
    /// What is no command at all.
    Barred,
}

/// A verb that was found.
struct Verb<'p> {
    frame: &'p VerbFrame,
    len: usize,
    /// The index of its particle, if other words come between them.
    particle: Option<usize>,
}

struct Parser<'p> {
    text: &'p str,
    words: &'p Imperatives,
    verbs: Vec<(Vec<String>, &'p VerbFrame)>,
}

impl<'p> Parser<'p> {
    fn new(text: &'p str, words: &'p Imperatives, verbs: &'p [VerbFrame]) -> Self {
        let frames = words.frames.iter().chain(verbs);
        let verbs = frames.flat_map(|frame| {
            let split = |verb: &String| verb.split_whitespace().map(fold).collect::<Vec<_>>();
            frame.verbs.iter().map(move |verb| (split(verb), frame))
        });
        Self {
            text,
            words,
            verbs: verbs.filter(|(verb, _)| !verb.is_empty()).collect(),
        }
    }

    /// A sentence that tells of the actor ("he takes the key and opens the door"), as commands to it.
    fn narrated(&self, tokens: &[Token]) -> Option<Vec<Token>> {
        let subject = |tokens: &[Token]| at(&self.words.narrated, tokens);
        let lead = tokens.len() - self.skip_lead(tokens).len();
        if subject(&tokens[lead..]) == 0 {
            return None;
        }
        let mut told = Vec::with_capacity(tokens.len());
        let mut rest = &tokens[lead..];
        let mut may_begin = true;
        while let Some(token) = rest.first() {
            let gap = self.gap(rest).len;
            let passed = if gap > 0 {
                may_begin = true;
                told.extend_from_slice(&rest[..gap]);
                gap
            } else if may_begin && subject(rest) > 0 {
                subject(rest)
            } else {
                let verb = self
                    .verb_without_ending(&token.folded)
                    .filter(|_| may_begin);
                // "He quickly takes the key": an adverb leaves the verb to come.
                may_begin &= verb.is_none() && at(&self.words.adverbs, rest) > 0;
                told.push(Token {
                    folded: verb.unwrap_or_else(|| token.folded.clone()),
                    ..token.clone()
                });
                1
            };
            rest = &rest[passed..];
        }
        self.verb(self.skip_lead(&told)).is_some().then_some(told)
    }

    /// The first word of a verb, for the form of it that tells what the actor does: "take" for "takes".
    fn verb_without_ending(&self, word: &str) -> Option<String> {
        let begins_verb = |word: &str| self.verbs.iter().any(|(verb, _)| verb[0] == word);
        if begins_verb(word) {
            return None;
        }
        let forms = self.words.verb_endings.iter().rev();
        let mut forms = forms.filter_map(|(ending, instead)| {
            let stem = word.strip_suffix(ending.as_str())?;
            Some(format!("{stem}{instead}"))
        });
        forms.find(|form| begins_verb(form))
    }

    fn sentence(&self, tokens: &[Token], asked: bool, found: &mut Vec<ProposedAction>) {
        let mut rest = self.skip_lead(tokens);
        if !self.recites(rest) {
            if let Some(i) = (0..rest.len()).find(|&i| at(&self.words.conditionals, &rest[i..]) > 0)
            {
                found.push(unknown(&rest[i].folded));
                return;
            }
            if self.addresses(rest) {
                found.push(unknown(self.raw(rest)));
                return;
            }
            if asked && self.is_wordy(rest) {
                found.push(unknown(&format!("{}?", self.raw(rest))));
                return;
            }
        }
        while !rest.is_empty() && found.len() < MAX_ACTIONS {
            let head = self.head(rest);
            let len = self.clause_len(rest, &head);
            match &head {
                Head::Verb(verb) if verb.frame.text.is_none() && self.wishes(&rest[..len]) => {
                    if !self.with_used_tool(verb, &rest[..len], found) {
                        found.push(unknown(self.raw(rest)));
                        return;
                    }
                }
                _ => self.clause(&rest[..len], &head, asked && len == rest.len(), found),
            }
            rest = self.skip_lead(&rest[len..]);
        }
    }

    /// Whether a sentence is speech without quotation marks, in which all that follows may be content.
    fn recites(&self, tokens: &[Token]) -> bool {
        !tokens.iter().any(Token::is_quote) && self.speaks(tokens)
    }

    fn speaks(&self, tokens: &[Token]) -> bool {
        let verb = self.verb(self.skip_lead(tokens));
        verb.is_some_and(|v| v.frame.action == SPEAK)
    }

    /// "open the door, Eldrin", "öffne die Tür, Eldrin, bitte": a single name at the end, after a comma and a word that is no name.
    fn addresses(&self, tokens: &[Token]) -> bool {
        let mut tokens = tokens;
        while let [rest @ .., last] = tokens
            && (last.kind == Kind::Comma || at(&self.words.adverbs, std::slice::from_ref(last)) > 0)
        {
            tokens = rest;
        }
        let [rest @ .., before, comma, last] = tokens else {
            return false;
        };
        // "die alte Tür": where nouns have capitals, one of a thing has an article, or what describes it before it.
        let is_noun = self.words.capital_nouns
            && rest
                .last()
                .is_some_and(|word| word.kind == Kind::Word && !self.is_capital(word));
        comma.kind == Kind::Comma
            && before.kind == Kind::Word
            && (is_noun || !self.is_capital(before))
            && self.is_capital(last)
    }

    /// "get Eldrin to open the door": the command comes after a "to".
    fn wishes(&self, tokens: &[Token]) -> bool {
        (0..tokens.len()).any(|i| {
            let to = at(&self.words.receivers, &tokens[i..]);
            to > 0 && self.verb(&tokens[i + to..]).is_some()
        })
    }

    fn is_wordy(&self, tokens: &[Token]) -> bool {
        let mut texts = tokens.iter().map(|t| &self.text[t.range.clone()]);
        texts.any(|text| text.contains(char::is_alphanumeric))
    }

    /// Without the words that may come before a command.
    fn skip_lead<'t>(&self, mut tokens: &'t [Token]) -> &'t [Token] {
        loop {
            let lead = at(&self.words.openers, tokens)
                .max(at(&self.words.adverbs, tokens))
                .max(self.gap(tokens).len);
            if lead == 0 {
                return tokens;
            }
            tokens = &tokens[lead..];
        }
    }

    fn gap(&self, tokens: &[Token]) -> Gap {
        let mut gap = Gap::default();
        loop {
            let rest = &tokens[gap.len..];
            let joins = at(&self.words.conjunctions, rest);
            let then = at(&self.words.sequencers, rest);
            let comma = usize::from(rest.first().is_some_and(|t| t.kind == Kind::Comma));
            gap.joins |= joins > 0;
            gap.then |= then > 0;
            match joins.max(then).max(comma) {
                0 => return gap,
                len => gap.len += len,
            }
        }
    }

    /// The longest verb at the start of `tokens`; among equals the last, so that a game's own wins.
    fn verb(&self, tokens: &[Token]) -> Option<Verb<'p>> {
        let found = self.verbs.iter().filter_map(|(verb, frame)| {
            let particle = if begins(tokens, verb.iter().map(String::as_str)) {
                None
            } else {
                Some(self.particle(verb, tokens)?)
            };
            let len = verb.len() - usize::from(particle.is_some());
            let found = Verb {
                frame,
                len,
                particle,
            };
            Some((verb.len(), found))
        });
        found.max_by_key(|(len, _)| *len).map(|(_, verb)| verb)
    }

    /// The index of the particle of `verb` after an object.
    fn particle(&self, verb: &[String], tokens: &[Token]) -> Option<usize> {
        let (last, stem) = verb.split_last()?;
        if stem.is_empty()
            || !self.words.particles.contains(last)
            || !begins(tokens, stem.iter().map(String::as_str))
        {
            return None;
        }
        let reach = tokens.iter().enumerate().skip(stem.len()).take(REACH);
        reach
            .take_while(|(i, _)| self.gap(&tokens[*i..]).len == 0)
            .find_map(|(i, token)| (token.folded == *last).then_some(i))
    }

    fn head(&self, tokens: &[Token]) -> Head<'p> {
        let Some(first) = tokens.first() else {
            return Head::Barred;
        };
        let words = self.words;
        let bars = [
            &words.questions,
            &words.articles,
            &words.determiners,
            &words.pronouns,
        ];
        if first.is_quote() {
            Head::Line
        } else if !first.folded.starts_with(char::is_alphanumeric)
            || at(&words.negators, tokens) > 0
        {
            Head::Barred
        } else if let Some(verb) = self.verb(tokens) {
            Head::Verb(verb)
        } else if bars.iter().any(|table| at(table, tokens) > 0) {
            Head::Barred
        } else {
            let verb = at(&words.other_verbs, tokens) > 0;
            let looks = at(&words.looking, tokens);
            Head::Other {
                verb: verb || looks > 0,
                looks,
            }
        }
    }

    /// Whether `tokens` begin with a known command, or with one not to do something.
    fn commands(&self, tokens: &[Token]) -> bool {
        let tokens = self.skip_lead(tokens);
        self.verb(tokens).is_some()
            || at(&self.words.other_verbs, tokens) > 0
            || at(&self.words.looking, tokens) > 0
            || at(&self.words.negators, tokens) > 0
    }

    /// How many tokens belong to the command at the start of `tokens`.
    fn clause_len(&self, tokens: &[Token], head: &Head) -> usize {
        let mut foreign = matches!(head, Head::Barred);
        let mut i = if let Head::Verb(verb) = head {
            verb.len
        } else {
            1
        };
        while i < tokens.len() && !foreign {
            let gap = self.gap(&tokens[i..]);
            let new_line = tokens[i].fresh;
            let then = gap.then || new_line;
            if (gap.len > 0 || new_line) && self.commands(&tokens[i + gap.len..]) {
                let ends = match head {
                    Head::Verb(verb) => then || self.text_ends(verb, &tokens[..i]),
                    Head::Other { verb, .. } => then || gap.joins || *verb,
                    // "Hello," I say.
                    Head::Line => gap.then || gap.joins || !self.speaks(&tokens[i + gap.len..]),
                    Head::Barred => false,
                };
                if ends {
                    return i;
                }
                // "Eldrin, open the door".
                foreign = matches!(head, Head::Other { .. });
            }
            // "make Eldrin open the door".
            foreign |= matches!(head, Head::Other { .. })
                && gap.len == 0
                && self.verb(&tokens[i..]).is_some();
            foreign |= matches!(head, Head::Other { verb: false, .. })
                && gap.len > 0
                && !then
                && !gap.joins;
            i += gap.len.max(1);
        }
        tokens.len()
    }

    /// Whether an "and" may end a command: it ends no free text but a quoted one or one with a receiver.
    fn text_ends(&self, verb: &Verb, tokens: &[Token]) -> bool {
        let frame = verb.frame;
        frame.text.is_none()
            || tokens.iter().any(Token::is_quote)
            || (frame.object.is_none()
                && frame.to.is_some()
                && self
                    .last_receiver(&tokens[verb.len.min(tokens.len())..])
                    .is_some())
    }

    fn clause(&self, tokens: &[Token], head: &Head, asked: bool, found: &mut Vec<ProposedAction>) {
        if !self.is_wordy(tokens) {
            return;
        }
        match head {
            Head::Barred => found.push(unknown(self.raw(&tokens[..1]))),
            Head::Other { looks, .. } => {
                let mut action = unknown(self.raw(&tokens[..1]));
                let object = match looks {
                    0 => &tokens[1..],
                    len => self.skip_ways(&tokens[*len..]),
                };
                put_in(&mut action, TARGET, self.phrase(object));
                found.push(action);
            }
            Head::Line => found.push(self.line(tokens)),
            Head::Verb(verb) => {
                let rest = without(tokens, verb);
                if verb.frame.text.is_some() {
                    found.push(self.with_text(verb.frame, &rest, asked));
                } else {
                    self.with_objects(verb.frame, &rest, found);
                }
            }
        }
    }

    /// A quotation, alone or with "I say" or a receiver after it.
    fn line(&self, tokens: &[Token]) -> ProposedAction {
        let (quotes, words) = parted(tokens);
        let rest = self.skip_lead(&words);
        let said = self.verb(rest).filter(|v| v.frame.action == SPEAK);
        let aimed = rest.is_empty() || at(&self.words.receivers, rest) > 0;
        let mut frames = self.words.frames.iter();
        let plain = frames.find(|f| f.action == SPEAK && f.object.is_none());
        let (frame, len) = match said {
            Some(verb) => (Some(verb.frame), verb.len),
            None => (plain.filter(|_| aimed), 0),
        };
        match frame {
            Some(frame) => self.with_text(frame, &[&rest[len..], &quotes].concat(), false),
            None => unknown(self.raw(tokens)),
        }
    }

    /// The words as they were written, without adverbs and marks around them.
    fn phrase(&self, mut tokens: &[Token]) -> String {
        let adverbs = &self.words.adverbs;
        let is_mark = |t: &Token| matches!(t.kind, Kind::Comma | Kind::Colon);
        loop {
            let first = at(adverbs, tokens).max(usize::from(tokens.first().is_some_and(is_mark)));
            tokens = &tokens[first..];
            let tail = tokens.len().saturating_sub(REACH)..tokens.len();
            let mark = tokens.last().is_some_and(is_mark);
            let last = tail
                .clone()
                .find(|&i| i + at(adverbs, &tokens[i..]) == tokens.len());
            let end = last.unwrap_or(tokens.len() - usize::from(mark));
            if first == 0 && end == tokens.len() {
                break;
            }
            tokens = &tokens[..end];
        }
        match tokens {
            [quote] if quote.is_quote() => self.unquoted(quote).to_owned(),
            _ => single_spaced(self.raw(tokens)),
        }
    }

    /// The stretch of the text from the first token to the last.
    fn raw(&self, tokens: &[Token]) -> &'p str {
        let (Some(first), Some(last)) = (tokens.first(), tokens.last()) else {
            return "";
        };
        let stretch = self.text.get(first.range.start..last.range.end);
        stretch.unwrap_or_default()
    }

    fn unquoted(&self, token: &Token) -> &'p str {
        tokens::unquoted(&self.text[token.range.clone()])
    }
}

fn known(frame: &VerbFrame) -> ProposedAction {
    ProposedAction {
        kind: frame.action.clone(),
        ..ProposedAction::default()
    }
}

/// An action that does nothing: its type is what it began with.
fn unknown(kind: &str) -> ProposedAction {
    let folded = fold(&single_spaced(kind));
    let kept = folded.chars().filter(|c| !c.is_control());
    ProposedAction {
        kind: kept.take(MAX_KIND_CHARS).collect(),
        ..ProposedAction::default()
    }
}

/// Fills a field, unless the verb has none for it or nothing is there.
fn put(action: &mut ProposedAction, field: &Option<String>, value: String) {
    put_in(action, field.as_deref().unwrap_or_default(), value);
}

fn put_in(action: &mut ProposedAction, field: &str, value: String) {
    if !field.is_empty() && !value.is_empty() {
        let slot = action.fields.entry(field.to_owned());
        slot.or_insert(Value::String(value));
    }
}

/// The tokens without the verb and its particle.
fn without(tokens: &[Token], verb: &Verb) -> Vec<Token> {
    let kept = tokens.iter().enumerate().skip(verb.len);
    kept.filter(|(i, _)| Some(*i) != verb.particle)
        .map(|(_, token)| token.clone())
        .collect()
}

/// The quotations, and all else.
fn parted(tokens: &[Token]) -> (Vec<Token>, Vec<Token>) {
    tokens.iter().cloned().partition(Token::is_quote)
}

#[cfg(test)]
mod tests;
