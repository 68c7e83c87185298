//! What one token of a sentence is: a word, or something that only machines write.

use crate::gate::context::GateContext;
use crate::judged_world::words::name_key::name_key;
use crate::judged_world::{ActionRegistry, WorldRead};

/// What tells names from words.
#[derive(Clone, Copy)]
pub(in crate::gate) struct Names<'a> {
    /// What has ids and names.
    pub world: &'a dyn WorldRead,
    /// The actions that exist; `None` where the reply cannot act by naming one.
    pub actions: Option<&'a ActionRegistry>,
}

impl<'a> Names<'a> {
    /// The names that the character of a dialogue knows.
    pub(crate) fn of(context: &GateContext<'a>) -> Self {
        Self {
            world: context.world,
            actions: Some(context.actions.rules.registry),
        }
    }
}

/// A token between blanks, without signs around it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Token {
    /// A word, or anything that a character might say.
    Word,
    /// A name that only machines use.
    Machine,
    /// A word of the format in small letters.
    Format,
    /// The type of an action in small letters.
    Action,
    /// One small letter again and again.
    Drawl,
    /// A date with a time.
    Stamp,
    Date,
    /// A time of the day with its seconds.
    TimeWithSeconds,
    Number,
    /// Neither letters nor digits.
    Signs,
}

/// Names of the format that are no words.
const NAMES: [&str; 8] = [
    "AppendEpisodic",
    "TransformBelief",
    "TransformRelationship",
    "EmitWorldIntent",
    "dialogueText",
    "proposedMutations",
    "worldIntents",
    "intentType",
];

/// Words of the format that are no speech when they are alone and in small letters.
const WORDS: [&str; 10] = [
    "dialogue",
    "intent",
    "intents",
    "json",
    "markdown",
    "mutation",
    "mutations",
    "null",
    "plaintext",
    "undefined",
];

/// How many times a letter repeats in a word that is drawn out for no reason.
const DRAWN_OUT: usize = 8;

/// What a token is.
pub(super) fn token_of(names: Names, token: &str) -> Token {
    let core = token.trim_matches(|c: char| !c.is_alphanumeric());
    if core.is_empty() {
        return Token::Signs;
    }
    if core.chars().all(char::is_alphabetic) {
        return letters(names, core);
    }
    if let Some(number) = number(core) {
        return number;
    }
    if token.contains('@') {
        return Token::Word;
    }
    if is_joined(core) || is_id(names, core) {
        return match is_name(names, core) {
            true => Token::Word,
            false => Token::Machine,
        };
    }
    Token::Word
}

/// A token of nothing but letters.
fn letters(names: Names, word: &str) -> Token {
    if NAMES.contains(&word) {
        return Token::Machine;
    }
    // Most words that begin a sentence have a capital letter.
    let Some(first) = word.chars().next().filter(|c| c.is_lowercase()) else {
        return Token::Word;
    };
    if WORDS.contains(&word) {
        return Token::Format;
    }
    let is_action = |word| names.actions.is_some_and(|all| all.shape(word).is_some());
    if is_action(word) {
        return Token::Action;
    }
    // Those are sounds that people make.
    let is_sound = matches!(first, 'b' | 'f' | 'h' | 'm' | 'r' | 's' | 'z');
    let is_one = word.chars().all(|c| c == first);
    match is_one && !is_sound && word.chars().count() >= DRAWN_OUT {
        true => Token::Drawl,
        false => Token::Word,
    }
}

/// Whether underscores join parts of it. A face (`o_o`) is no name.
fn is_joined(core: &str) -> bool {
    let signs = core.chars().filter(|c| c.is_alphanumeric()).count();
    core.contains('_') && signs >= 4
}

/// Whether it is the id of something, and written as no word is.
fn is_id(names: Names, core: &str) -> bool {
    let may_be = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    core.bytes().all(may_be)
        && (names.world.placement(core).is_some() || names.world.is_location(core))
}

/// Whether something has this name. An id in the place of a missing name is no name.
fn is_name(names: Names, core: &str) -> bool {
    let wanted = name_key(core);
    let is_called_so = |id: &str, name: &str| name != id && name_key(name) == wanted;
    names.world.named(&wanted).iter().any(|id| {
        let place = names.world.location(id);
        let thing = names.world.entity(id);
        let aliases = thing.iter().flat_map(|thing| &thing.aliases);
        place.iter().any(|place| is_called_so(id, &place.name))
            || thing.iter().any(|thing| is_called_so(id, &thing.name))
            || aliases.into_iter().any(|alias| name_key(alias) == wanted)
    })
}

/// A token of digits and of signs between them; `None` where it is none.
fn number(core: &str) -> Option<Token> {
    let core = core.strip_suffix(['Z', 'z']).unwrap_or(core);
    let (mut groups, mut colons, mut seconds, mut has_letter) = (0, 0, false, false);
    let (mut first, mut is_mixed, mut in_digits, mut is_joined) = (None, false, false, false);
    for c in core.chars() {
        if c.is_numeric() {
            groups += usize::from(!in_digits);
            in_digits = true;
            continue;
        }
        if c.is_alphabetic() && !(matches!(c, 'T' | 't') && in_digits) {
            return None;
        }
        in_digits = false;
        is_joined |= c == '_';
        has_letter |= c.is_alphabetic();
        colons = if c == ':' { colons + 1 } else { 0 };
        seconds |= colons == 2;
        is_mixed |= *first.get_or_insert(c) != c;
    }
    let is_date = groups == 3 && !is_mixed && matches!(first, Some('-' | '/' | '.'));
    Some(match () {
        () if groups >= 5 && is_mixed && (seconds || has_letter) => Token::Stamp,
        () if has_letter || is_joined => return None,
        () if is_date => Token::Date,
        () if seconds => Token::TimeWithSeconds,
        () => Token::Number,
    })
}
