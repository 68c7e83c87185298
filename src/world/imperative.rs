//! The built-in imperative parser: plain commands to untrusted actions, with no model and no knowledge of the world
//! (contract row W9). The normaliser judges what comes out, and resolves "the brass key" and "it".
//!
//! Rulings: a question, a condition, a denial, and what is said of or to another ("Eldrin, open the door") do
//! nothing; each is one action of an unknown type, up to the end of its sentence. Nothing within double or curly
//! quotation marks, `[..]` or `{..}` is split or read as a command, and a mark that is never closed reaches to the end.
//! Free text without quotation marks reaches to the end of its sentence, or to a command behind "then", behind a
//! receiver, or on the next line.

mod objects;
mod texts;
mod tokens;

use crate::text::lexicon::{Imperatives, VerbFrame};
use crate::world::action::ProposedAction;
use serde_json::Value;
use tokens::{Kind, Token, at, begins, count, fold_word, tokens};

/// The most actions that one text gives; what follows is left out.
pub const MAX_ACTIONS: usize = 1_024;

/// The longest type of an unknown action, in characters.
const MAX_KIND_CHARS: usize = 60;
/// The most words between a verb and its particle, and in a receiver that ends a free text.
const REACH: usize = 8;

const SPEAK: &str = "speak";
const TARGET: &str = "target";

/// Reads a text as commands, in their order. `verbs` are those of a game's own actions; they win over the built-in
/// ones. Empty when nothing but white space and marks is there. Never more than [`MAX_ACTIONS`].
#[must_use]
pub fn parse_imperatives(
    text: &str,
    words: &Imperatives,
    verbs: &[VerbFrame],
) -> Vec<ProposedAction> {
    let parser = Parser::new(text, words, verbs);
    let tokens = tokens(text, words);
    let mut rest = tokens.as_slice();
    let mut found = Vec::new();
    while !rest.is_empty() && found.len() < MAX_ACTIONS {
        let end = count(rest, |t| !t.ends_sentence());
        let marks = count(&rest[end..], Token::ends_sentence);
        let asked = rest[end..end + marks]
            .iter()
            .any(|t| t.kind == Kind::Question);
        parser.sentence(&rest[..end], asked, &mut found);
        rest = &rest[end + marks..];
    }
    found.truncate(MAX_ACTIONS);
    found
}

/// What stands between two commands or two objects.
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
    /// A verb of no action, or another unknown word.
    Other { verb: bool },
    /// What is no command at all.
    Barred,
}

/// A verb that was found.
struct Verb<'p> {
    frame: &'p VerbFrame,
    len: usize,
    /// Where its particle stands, if it is parted from it.
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
            let split = |verb: &String| verb.split_whitespace().map(fold_word).collect::<Vec<_>>();
            frame.verbs.iter().map(move |verb| (split(verb), frame))
        });
        Self {
            text,
            words,
            verbs: verbs.filter(|(verb, _)| !verb.is_empty()).collect(),
        }
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
            if matches!(&head, Head::Verb(v) if v.frame.text.is_none() && self.wishes(&rest[..len]))
            {
                found.push(unknown(self.raw(rest)));
                return;
            }
            self.clause(&rest[..len], &head, asked && len == rest.len(), found);
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

    /// "open the door, Eldrin": a name stands alone at the end, behind a comma and what is no name.
    fn addresses(&self, tokens: &[Token]) -> bool {
        let [.., before, comma, last] = tokens else {
            return false;
        };
        comma.kind == Kind::Comma
            && before.kind == Kind::Word
            && !self.is_capital(before)
            && self.is_capital(last)
    }

    /// "get Eldrin to open the door": what is to be done stands behind a "to".
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

    /// Without what may stand before a command.
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

    /// Where the particle of `verb` stands behind an object.
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
            Head::Other { verb }
        }
    }

    /// Whether `tokens` begin with a known command, or with one not to do something.
    fn commands(&self, tokens: &[Token]) -> bool {
        let tokens = self.skip_lead(tokens);
        self.verb(tokens).is_some()
            || at(&self.words.other_verbs, tokens) > 0
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
                    Head::Other { verb } => then || gap.joins || *verb,
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
            foreign |=
                matches!(head, Head::Other { verb: false }) && gap.len > 0 && !then && !gap.joins;
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
            Head::Other { .. } => {
                let mut action = unknown(self.raw(&tokens[..1]));
                put_in(&mut action, TARGET, self.phrase(&tokens[1..]));
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

    /// A quotation, alone or with "I say" or a receiver behind it.
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
            _ => squeezed(self.raw(tokens)),
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
    let folded = fold_word(&squeezed(kind));
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

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::lexicon::Lexicon;
    use serde_json::json;

    fn frames() -> Vec<VerbFrame> {
        let some = |text: &str| Some(text.to_owned());
        vec![
            VerbFrame {
                action: "cast".to_owned(),
                verbs: vec!["cast".to_owned(), "Hurl a spell of".to_owned()],
                object: some("spell"),
                to: some("target"),
                ..VerbFrame::default()
            },
            VerbFrame {
                action: "pray".to_owned(),
                verbs: vec!["pray".to_owned()],
                text: some("words"),
                ..VerbFrame::default()
            },
        ]
    }

    fn parse(text: &str) -> Vec<ProposedAction> {
        parse_imperatives(text, &Lexicon::english().imperatives, &frames())
    }

    /// Actions in short: `open target=the door tool=it; take target=the key`.
    fn read(text: &str) -> String {
        let actions = parse(text).into_iter().map(|action| {
            assert_eq!((action.beside, action.malformed), (None, None), "{text}");
            let fields = action.fields.iter();
            let fields = fields.map(|(k, v)| format!(" {k}={}", v.as_str().unwrap()));
            format!("{}{}", action.kind, fields.collect::<String>())
        });
        actions.collect::<Vec<_>>().join("; ")
    }

    fn rows(rows: &[(&str, &str)]) {
        let wrong: Vec<String> = rows
            .iter()
            .map(|(text, expected)| (text, read(text), expected))
            .filter(|(_, got, expected)| got != *expected)
            .map(|(text, got, expected)| format!("{text}\n   got {got}\n  want {expected}"))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn w9_an_action_keeps_the_words_of_its_object() {
        rows(&[
            ("take the brass key", "take target=the brass key"),
            ("open the door with it", "open target=the door tool=it"),
            ("go to the yard", "move target=the yard"),
            ("go yard", "move target=yard"),
            ("walk into the yard", "move target=the yard"),
            ("enter the yard", "move target=the yard"),
            ("head to the yard", "move target=the yard"),
            (
                "go back to the house on the hill",
                "move target=the house on the hill",
            ),
            ("return to the yard", "move target=the yard"),
            ("go north", "move target=north"),
            ("pick up the lamp", "take target=the lamp"),
            ("pick the lamp up", "take target=the lamp"),
            (
                "pick the lamp up and open the door",
                "take target=the lamp; open target=the door",
            ),
            ("put the lamp down", "drop target=the lamp"),
            ("put down the lamp", "drop target=the lamp"),
            ("put the lamp down on the table", "drop target=the lamp"),
            ("grab the lamp", "take target=the lamp"),
            ("get the lamp", "take target=the lamp"),
            ("collect Ann's lamp", "take target=Ann's lamp"),
            ("fetch my lamp", "take target=my lamp"),
            ("take \"the brass key\"", "take target=the brass key"),
            (
                "unlock the chest using the iron key",
                "open target=the chest tool=the iron key",
            ),
            ("shut the door", "close target=the door"),
            ("take the key from Eldrin", "take target=the key"),
            ("take the key out of the box", "take target=the key"),
            ("open", "open"),
            ("Open.", "open"),
            ("TAKE THE  BRASS   KEY.", "take target=THE BRASS KEY"),
            ("  take\tthe key . ", "take target=the key"),
            (
                "take the lamp with the blue shade",
                "take target=the lamp with the blue shade",
            ),
        ]);
    }

    #[test]
    fn w9_a_verb_carries_over_to_further_objects() {
        rows(&[
            (
                "take the key and the lamp",
                "take target=the key; take target=the lamp",
            ),
            (
                "take the key, the lamp and the rope",
                "take target=the key; take target=the lamp; take target=the rope",
            ),
            (
                "take the key, the lamp, and the rope.",
                "take target=the key; take target=the lamp; take target=the rope",
            ),
            (
                "give the key and the lamp to Eldrin",
                "give target=the key to=Eldrin; give target=the lamp to=Eldrin",
            ),
            (
                "give Eldrin the key and the lamp",
                "give target=the key to=Eldrin; give target=the lamp to=Eldrin",
            ),
            (
                "give the key to Eldrin and the lamp to Ann",
                "give target=the key to=Eldrin; give target=the lamp to=Ann",
            ),
            (
                "open the door and the chest with the key",
                "open target=the door tool=the key; open target=the chest tool=the key",
            ),
            (
                "open the door, with the key",
                "open target=the door tool=the key",
            ),
            (
                "take the key from Ann and the lamp",
                "take target=the key; take target=the lamp",
            ),
            (
                "go to the yard and to the hall",
                "move target=the yard; move target=the hall",
            ),
        ]);
    }

    #[test]
    fn w9_giving_and_using() {
        rows(&[
            ("give the key to Eldrin", "give target=the key to=Eldrin"),
            ("give Eldrin the key", "give target=the key to=Eldrin"),
            ("GIVE ELDRIN THE KEY", "give target=THE KEY to=ELDRIN"),
            (
                "give the old guard the key",
                "give target=the key to=the old guard",
            ),
            ("hand him the brass key", "give target=the brass key to=him"),
            ("give her her key", "give target=her key to=her"),
            ("give it to him", "give target=it to=him"),
            (
                "hand the key over to Eldrin",
                "give target=the key to=Eldrin",
            ),
            (
                "offer the key to the guard",
                "give target=the key to=the guard",
            ),
            ("pass me the key", "give target=the key to=me"),
            (
                "give the key on the table to Ann",
                "give target=the key on the table to=Ann",
            ),
            (
                "give Ann the key to the cellar",
                "give target=the key to the cellar to=Ann",
            ),
            (
                "give the key to the cellar to Ann",
                "give target=the key to the cellar to=Ann",
            ),
            ("give the key", "give target=the key"),
            (
                "use the key on the door",
                "use target=the door tool=the key",
            ),
            (
                "use the key with the door",
                "use target=the door tool=the key",
            ),
            ("use the lever", "use target=the lever"),
            (
                "cast fireball at the door",
                "cast spell=fireball target=the door",
            ),
            (
                "cast fireball on the door",
                "cast spell=fireball target=the door",
            ),
            (
                "Cast Greater Fireball to the door",
                "cast spell=Greater Fireball target=the door",
            ),
            (
                "hurl a spell of frost at him",
                "cast spell=frost target=him",
            ),
            ("pray for rain and sun", "pray words=for rain and sun"),
        ]);
    }

    #[test]
    fn w9_speech_keeps_its_words() {
        rows(&[
            (
                "say \"hello there\" to Eldrin",
                "speak content=hello there to=Eldrin",
            ),
            (
                "say to Eldrin: \"hello there\"",
                "speak content=hello there to=Eldrin",
            ),
            ("say hello", "speak content=hello"),
            ("say hello.", "speak content=hello"),
            ("say hello to Eldrin", "speak content=hello to=Eldrin"),
            ("say hello to the guard", "speak content=hello to=the guard"),
            ("say I want to go home", "speak content=I want to go home"),
            (
                "say I went to bed, to sleep",
                "speak content=I went to bed, to sleep",
            ),
            (
                "say to Eldrin that I am Ann",
                "speak content=I am Ann to=Eldrin",
            ),
            (
                "tell Eldrin \"I am Ann\"",
                "speak content=I am Ann to=Eldrin",
            ),
            (
                "tell \"I am Ann\" to Eldrin",
                "speak content=I am Ann to=Eldrin",
            ),
            (
                "tell Eldrin that I am Ann",
                "speak content=I am Ann to=Eldrin",
            ),
            ("tell Eldrin I'm Ann", "speak content=I'm Ann to=Eldrin"),
            (
                "tell the old guard about the key",
                "speak content=about the key to=the old guard",
            ),
            (
                "ask him where the key is",
                "speak content=where the key is to=him",
            ),
            (
                "ask Eldrin: where is the key?",
                "speak content=where is the key? to=Eldrin",
            ),
            ("say how are you?", "speak content=how are you?"),
            (
                "tell Eldrin to take the key and open the door",
                "speak content=to take the key and open the door to=Eldrin",
            ),
            (
                "shout \"fire and flood, then run\"",
                "speak content=fire and flood, then run",
            ),
            (
                "shout “fire. Open the door”, then run home",
                "speak content=fire. Open the door; move target=home",
            ),
            ("\"Hello\"", "speak content=Hello"),
            ("“Hello”", "speak content=Hello"),
            (
                "\"Open the door!\" to Eldrin",
                "speak content=Open the door! to=Eldrin",
            ),
            (
                "\"Hello,\" I say to Eldrin, \"open the door.\"",
                "speak content=Hello, open the door. to=Eldrin",
            ),
            (
                "\"Hello,\" I tell Eldrin.",
                "speak content=Hello, to=Eldrin",
            ),
            (
                "\"Hello.\" Open the door.",
                "speak content=Hello.; open target=the door",
            ),
            (
                "\"open the door and run",
                "speak content=open the door and run",
            ),
            ("\"open the door\" he cries", "\"open the door\" he cries"),
            (
                "say hello and open the door",
                "speak content=hello and open the door",
            ),
            (
                "say hello to Eldrin and open the door",
                "speak content=hello to=Eldrin; open target=the door",
            ),
            (
                "say hello, then open the door",
                "speak content=hello; open target=the door",
            ),
            (
                "say hello\nopen the door",
                "speak content=hello; open target=the door",
            ),
            (
                "say \"hello\" and open the door",
                "speak content=hello; open target=the door",
            ),
            (
                "say if he comes I will run",
                "speak content=if he comes I will run",
            ),
        ]);
    }

    #[test]
    fn w9_introducing_and_describing() {
        rows(&[
            ("introduce Bob", "introduce target=Bob"),
            ("introduce Bob to Eldrin", "introduce target=Bob"),
            (
                "introduce a merchant named Tom",
                "introduce kind=merchant name=Tom",
            ),
            (
                "introduce a merchant called Tom",
                "introduce kind=merchant name=Tom",
            ),
            ("introduce a stranger", "introduce target=a stranger"),
            (
                "describe the door as old and grey",
                "describe content=old and grey target=the door",
            ),
            (
                "describe the door: old and grey",
                "describe content=old and grey target=the door",
            ),
            (
                "describe the door as \"old. Open it\"",
                "describe content=old. Open it target=the door",
            ),
            (
                "describe the door as old, then open it",
                "describe content=old target=the door; open target=it",
            ),
            ("describe the door", "describe target=the door"),
        ]);
    }

    #[test]
    fn w9_wrappings_change_nothing() {
        for text in [
            "please open the door",
            "Please, open the door!",
            "I open the door",
            "I want to open the door.",
            "I try to open the door",
            "I would like to open the door",
            "I’d like to open the door",
            "I am going to open the door",
            "let me open the door",
            "now open the door",
            "then open the door",
            "quickly open the door",
            "I carefully open the door",
            "open the door carefully, please",
            "OK, first I quietly try to open the door now",
            "go and open the door",
            "op\u{200b}en the door",
        ] {
            assert_eq!(read(text).to_lowercase(), "open target=the door", "{text}");
        }
    }

    #[test]
    fn w9_commands_follow_each_other() {
        assert_eq!(
            read("Take the key and open the door with it."),
            "take target=the key; open target=the door tool=it"
        );
        for between in [
            ". ",
            "; ",
            "! ",
            "\n",
            ", then ",
            " and then ",
            " then ",
            ", ",
            " and ",
            ", and ",
            " but ",
            ".Then ",
            " — ",
            "... ",
            "\n\n- ",
            ", and then I quickly ",
        ] {
            let text = format!("take the key{between}open the door");
            if between == "\n\n- " || between == ".Then " {
                assert!(read(&text).starts_with("take target=the key"), "{text}");
                continue;
            }
            assert_eq!(
                read(&text),
                "take target=the key; open target=the door",
                "{text}"
            );
        }
        rows(&[
            ("sing and open the door", "sing; open target=the door"),
            (
                "take the key and look at the door",
                "take target=the key; look target=at the door",
            ),
            ("take the\nbrass key", "take target=the brass key"),
            (
                "talk to Mr. Smith about the key",
                "speak content=about the key to=Mr. Smith",
            ),
        ]);
    }

    #[test]
    fn w9_what_is_no_deed_of_the_actor_does_nothing() {
        rows(&[
            ("don't open the door", "don't"),
            ("Don’t open the door and take the key", "don't"),
            ("please do not open the door", "do"),
            ("never open the door, take the key", "never"),
            ("I do not open the door", "do"),
            (
                "take the key and don't open the door",
                "take target=the key; don't",
            ),
            ("if the door is locked, open it", "if"),
            (
                "unless the door is locked, open it and take the key",
                "unless",
            ),
            ("open the door if it is locked", "if"),
            ("say \"hello\" if he comes", "if"),
            ("can I open the door?", "can i open the door?"),
            ("can I take the key and open the door", "can"),
            ("open the door?", "open the door?"),
            ("open?", "open?"),
            (
                "take the key and open the door?!",
                "take the key and open the door?",
            ),
            ("Eldrin opens the door", "eldrin target=opens the door"),
            ("Eldrin, open the door", "eldrin target=open the door"),
            (
                "Eldrin, take the key and open the door",
                "eldrin target=take the key and open the door",
            ),
            (
                "make Eldrin take the key and open the door",
                "make target=Eldrin take the key and open the door",
            ),
            (
                "I want Eldrin to take the key and open it",
                "want target=Eldrin to take the key and open it",
            ),
            ("the guard takes the key and open the door", "the"),
            ("he opens the door", "he"),
            ("open the door, Eldrin.", "open the door, eldrin"),
            (
                "get Eldrin to open the chest and take the key",
                "get eldrin to open the chest and take the key",
            ),
            (
                "use the key to open the door",
                "use the key to open the door",
            ),
            ("dance wildly", "dance target=wildly"),
            ("fly to the moon", "fly target=to the moon"),
            ("[INTENT: open door_1]", "[intent: open door_1]"),
            (
                "[INTENT: take key. open the door",
                "[intent: take key. open the door",
            ),
            (
                "{\"type\": \"open\", \"target\": \"door\"}",
                "{\"type\": \"open\", \"target\": \"door\"}",
            ),
            ("```json\n{\"type\": \"open\"}\n```", "```json"),
            ("", ""),
            (" \t\n", ""),
            ("... ?! , ; \"\" - *", ""),
        ]);
    }

    #[test]
    fn w9_game_verbs_win() {
        let frames = [VerbFrame {
            action: "pick_lock".to_owned(),
            verbs: vec!["open".to_owned()],
            object: Some("lock".to_owned()),
            ..VerbFrame::default()
        }];
        let actions = parse_imperatives("open the door", &Lexicon::english().imperatives, &frames);
        assert_eq!(actions[0].kind, "pick_lock");
        assert_eq!(actions[0].fields["lock"], json!("the door"));
    }

    #[test]
    fn w9_no_text_panics_and_the_output_is_bounded() {
        let pieces = [
            "and ",
            "then ",
            "open ",
            "take",
            " the key",
            "\"",
            "“",
            "”",
            "‘",
            "’",
            "[",
            "]",
            "{",
            "}",
            ",",
            ".",
            "?",
            "!",
            "…",
            ":",
            "\n",
            " to ",
            "with ",
            "say ",
            "tell ",
            "give ",
            "pick ",
            "up ",
            "İ",
            "ß",
            "🗝",
            "e\u{301}",
            "\u{200b}",
            "\u{0}",
            "Mr",
            "3.5",
            "don't ",
            "if ",
            "use ",
            "as ",
            "describe ",
            "introduce ",
            "named ",
            "me ",
            "Eldrin ",
            "from ",
            "cast ",
            "pray ",
            "-",
            "I ",
            "please ",
        ];
        let mut seed = 7_u64;
        let mut next = |n: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % n
        };
        let mut texts: Vec<String> = pieces
            .iter()
            .map(|piece| piece.repeat(2_000 / piece.chars().count()))
            .collect();
        texts.push("take the key. ".repeat(143));
        texts.push("take the key and ".repeat(117));
        texts.push("pick a ".repeat(285));
        for _ in 0..2_000 {
            let len = next(60);
            texts.push((0..len).map(|_| pieces[next(pieces.len())]).collect());
        }
        for text in &texts {
            let actions = parse(text);
            assert!(actions.len() <= MAX_ACTIONS, "{text}");
            for action in actions {
                assert!(
                    !action.kind.is_empty() && action.kind.chars().count() <= 60,
                    "{text}"
                );
                assert!(!action.kind.contains(char::is_control), "{text}");
                assert!(
                    action
                        .fields
                        .values()
                        .all(|v| v.as_str().is_some_and(|v| v.len() <= text.len() + 1))
                );
            }
        }
        // Without any words, all is unknown.
        for text in &texts {
            let actions = parse_imperatives(text, &Imperatives::default(), &[]);
            assert!(actions.len() <= MAX_ACTIONS, "{text}");
        }
    }
}
