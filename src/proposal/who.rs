//! Whom a label, or a line that is a name, names.

use super::labels::{MAX_LABEL, THOUGHTS, is_gap, is_mark, split_label};
use super::markup::{is_other_role, is_own_role};
use super::names::{begins_with_article, is_name_of, label_key};
use super::options::ParseOptions;
use crate::text::sentence::is_end_mark;

/// The speaker that a label names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    Speaker,
    Other,
    Thought,
    Answer,
}

/// The speaker that a label names; `None` where it is no label.
pub(super) fn who(label: &str, options: &ParseOptions) -> Option<Who> {
    let key = label_key(label);
    if key.is_empty() {
        return None;
    }
    let names = |key: &str| match is_name_of(key, options.speaker_names) {
        true => Some(Who::Speaker),
        false => options.other_names.has(key).then_some(Who::Other),
    };
    if let Some(who) = names(&key).or_else(|| names(speaker_in(&key)?)) {
        return Some(who);
    }
    if is_with_title(label, options) || is_with_epithet(&key, options) {
        return Some(Who::Speaker);
    }
    // `Eldrin thinks: ..`
    if thinker_in(&key).and_then(names) == Some(Who::Speaker) {
        return Some(Who::Thought);
    }
    // A heading of our own prompts.
    if key == "player says to you" {
        return Some(Who::Other);
    }
    // "The answer: look under the stone."
    if begins_with_article(label) {
        return None;
    }
    if is_own_role(&key) {
        Some(Who::Speaker)
    } else if is_other_role(&key) || OTHERS.contains(&key.as_str()) {
        Some(Who::Other)
    } else if THOUGHTS.contains(&key.as_str()) {
        Some(Who::Thought)
    } else if ANSWERS.contains(&key.as_str()) {
        Some(Who::Answer)
    } else {
        None
    }
}

/// Whether a label is the speaker's name behind a title: `Wizard Eldrin: ..` "My lord: ..", "For Eldrin: .." are none.
fn is_with_title(label: &str, options: &ParseOptions) -> bool {
    let Some((title, name)) = label.split_once(' ') else {
        return false;
    };
    let key = label_key(name);
    let mut names = options.speaker_names.iter().map(|name| label_key(name));
    let is_name = names.any(|name| name == key || name.rsplit(' ').next() == Some(key.as_str()))
        && !key.is_empty();
    let lexicon = options.lexicon;
    let function_words = [
        &lexicon.own_words,
        &lexicon.determiners,
        &lexicon.prepositions,
        &lexicon.adverbs,
        &lexicon.conjunctions,
        &lexicon.subordinators,
    ];
    let title_key = label_key(title);
    is_name
        && title.starts_with(char::is_uppercase)
        && name.starts_with(char::is_uppercase)
        && !function_words
            .iter()
            .any(|words| words.contains(&title_key))
}

/// Whether a label is the speaker's name before an epithet: `Eldrin the Wizard: ..`, `Eldrin, the old wizard: ..`
fn is_with_epithet(key: &str, options: &ParseOptions) -> bool {
    let articles = [" the ", " der ", " die ", " le ", " la ", " el "];
    let mut names = articles
        .iter()
        .filter_map(|article| key.split_once(article));
    names.any(|(name, _)| is_name_of(name.trim_end_matches(','), options.speaker_names))
}

const ANSWERS: [&str; 27] = [
    "possible reply",
    "possible response",
    "roleplay response",
    "in character",
    "endgultige antwort",
    "最终回答",
    "最终答案",
    "dialogue",
    "dialog",
    "speech",
    "spoken",
    "response",
    "final response",
    "reply",
    "answer",
    "final answer",
    "output",
    "final output",
    "text",
    "utterance",
    "spoken line",
    "spoken text",
    "dialogue line",
    "antwort",
    "reponse",
    "回答",
    "respuesta",
];

/// Others who speak in a reply, as no role of a template is called.
const OTHERS: [&str; 18] = [
    "gm",
    "dm",
    "dungeon master",
    "player character",
    "adventurer",
    "traveler",
    "traveller",
    "jugador",
    "joueur",
    "プレイヤー",
    "spieler",
    "玩家",
    "stranger",
    "narrator",
    "erzahler",
    "旁白",
    "game master",
    "spielleiter",
];

/// The name in a label that says who speaks: `Eldrin says`, `Ann to Eldrin`, `Response from Eldrin`, `Eldrin's reply`.
fn speaker_in(key: &str) -> Option<&str> {
    const BEFORE: [&str; 8] = [
        "as ",
        "in character as ",
        "staying in character as ",
        "response from ",
        "reply from ",
        "answer from ",
        "response of ",
        "antwort von ",
    ];
    const BEHIND: [&str; 17] = [
        " would say",
        " might say",
        " would reply",
        " might reply",
        " says",
        " said",
        " replies",
        " answers",
        " asks",
        " sagt",
        " fragt",
        " antwortet",
        "说",
        "'s response",
        "'s reply",
        "'s answer",
        "s antwort",
    ];
    const GROUNDS: [&str; 3] = ["based on ", "given ", "considering "];
    let before = BEFORE.iter().find_map(|words| key.strip_prefix(words));
    // `Based on his persona, Eldrin might say: ..`
    let last = match key.rsplit_once(", ") {
        Some((grounds, last)) if GROUNDS.iter().any(|begin| grounds.starts_with(begin)) => last,
        _ => key,
    };
    let behind = || BEHIND.iter().find_map(|words| last.strip_suffix(words));
    // `Ann to Eldrin: ..`, `Ann -> Eldrin: ..`
    let to = || {
        let between = [" to ", " an ", " -> ", " => ", " → "];
        let mut parts = between.iter().filter_map(|words| key.split_once(words));
        parts.next().map(|(name, _)| name)
    };
    // `Ann, smiling: ..`
    let with_manner = || {
        let (name, manner) = key.split_once(", ")?;
        (manner.ends_with("ing") && !manner.contains(' ')).then_some(name)
    };
    before.or_else(behind).or_else(to).or_else(with_manner)
}

/// The name in a label that says who thinks: `Eldrin thinks`, `Eldrin's thoughts`.
fn thinker_in(key: &str) -> Option<&str> {
    const BEHIND: [&str; 6] = [
        " thinks",
        " thought",
        "'s thoughts",
        "'s thought",
        " denkt",
        "'s inner voice",
    ];
    BEHIND.iter().find_map(|words| key.strip_suffix(words))
}

/// Whom a line of a form names: `Character: Eldrin`.
pub(super) fn named_in_form(line: &str, options: &ParseOptions) -> Option<Who> {
    const FIELDS: [&str; 8] = [
        "character",
        "name",
        "speaker",
        "npc",
        "role",
        "figur",
        "charakter",
        "personnage",
    ];
    let (field, name) = split_label(line)?;
    let name = name.trim_matches(|c| is_gap(c) || is_mark(c));
    let is_field = FIELDS.contains(&label_key(field).as_str());
    who(name, options).filter(|who| is_field && *who == Who::Speaker)
}

/// Whether a label says to whom the speaker speaks: `To Ann: ..`
pub(super) fn is_address(label: &str, options: &ParseOptions) -> bool {
    let (to, whom) = label.split_once(' ').unwrap_or_default();
    matches!(to.to_lowercase().as_str(), "to" | "an" | "zu" | "à" | "a")
        && options.other_names.has(&label_key(whom))
}

/// Whether a piece is nothing but the speaker's name behind a dash, as letters are signed: `—Eldrin`
pub(super) fn is_signature(piece: &str, options: &ParseOptions) -> bool {
    let piece = piece.trim_start_matches(is_gap);
    let name =
        piece.trim_start_matches(|c| is_gap(c) || matches!(c, '-' | '—' | '–' | '~' | '*' | '_'));
    // "- Eldrin" is an item of a list.
    name.len() < piece.len()
        && !piece.starts_with("- ")
        && name.len() <= MAX_LABEL
        && who(name, options) == Some(Who::Speaker)
}

/// Whether a line is nothing but the name of another one, without a mark at its end.
pub(super) fn is_other_alone(line: &str, options: &ParseOptions) -> bool {
    line.len() <= MAX_LABEL && !line.contains(is_end_mark) && who(line, options) == Some(Who::Other)
}

/// Whether a label is a pronoun, and the words after it are those of a speaker: `You: I swear to pay.`
pub(super) fn is_turn(label: &str, said: &str) -> bool {
    const PRONOUNS: [&str; 6] = ["you", "me", "du", "ich", "你", "我"];
    const FIRST: [&str; 8] = ["i", "i'm", "i'll", "i've", "i'd", "my", "ich", "mein"];
    let label = label.to_lowercase();
    let said = said.to_lowercase().replace('’', "'");
    let mut words = said.split(|c: char| !c.is_alphanumeric() && c != '\'');
    PRONOUNS.contains(&label.as_str())
        && (words.any(|word| FIRST.contains(&word)) || said.contains('我'))
}

/// A known name at the beginning of a line, with another sign than a colon behind it: `Ann> ..`, `(Ann) ..`, `Ann | ..`
pub(super) fn other_label<'a>(text: &'a str, options: &ParseOptions) -> Option<(Who, &'a str)> {
    let begins = text.trim_start_matches(|c| is_gap(c) || is_mark(c));
    let in_parentheses = begins
        .strip_prefix(['(', '（'])
        .and_then(|inner| inner.split_once([')', '）']));
    let (name, rest) = match in_parentheses {
        Some(parts) => parts,
        None => begins.split_once(['>', '|', '；'])?,
    };
    let is_name = name.len() <= MAX_LABEL && !name.contains('\n');
    let key = label_key(name.trim_matches(|c| is_gap(c) || is_mark(c)));
    if !is_name || key.is_empty() || rest.trim().is_empty() {
        return None;
    }
    let who = match is_name_of(&key, options.speaker_names) {
        true => Who::Speaker,
        false => options.other_names.has(&key).then_some(Who::Other)?,
    };
    Some((who, rest.trim_start_matches(is_gap)))
}
