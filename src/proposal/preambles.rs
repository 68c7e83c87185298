//! Preambles: what a model writes before the reply that it was asked for, such as `Sure! Here's the reply:`.

use super::labels::is_gap;
use super::names::begins_with_article;
use crate::text::sentence::is_end_mark;

/// How a model agrees to write a reply.
const ASSENTS: [&str; 15] = [
    "sure thing",
    "sure",
    "certainly",
    "of course",
    "absolutely",
    "okay",
    "ok",
    "understood",
    "got it",
    "verstanden",
    "entendido",
    "compris",
    "gerne",
    "natürlich",
    "当然",
];

/// Whether a sentence only agrees: "Sure!" It may be the beginning of a preamble.
pub(super) fn is_assent(sentence: &str) -> bool {
    let said = sentence.trim_matches(|c: char| !c.is_alphanumeric());
    ASSENTS.contains(&said.to_lowercase().as_str())
}

/// Whether words begin with a possessive: "your friend".
fn is_owned(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or_default();
    [
        "my", "your", "his", "her", "our", "their", "mein", "dein", "euer",
    ]
    .contains(&first)
}

/// A text without what is in parentheses.
fn without_parentheses(text: &str) -> String {
    let mut depth = 0_usize;
    let outside = text.chars().filter(|c| {
        depth += usize::from(*c == '(');
        let is_outside = depth == 0;
        depth = depth.saturating_sub(usize::from(*c == ')'));
        is_outside
    });
    let outside: String = outside.collect();
    outside.replace("  ", " ")
}

/// Whether the words before a quotation say nothing but that the reply follows: `As Eldrin, I would say: "..`
pub(super) fn leads_to_quotation(words: &str) -> bool {
    let words = words.trim_matches(is_gap);
    !words.contains(is_end_mark) && !words.contains(['[', '\n']) && is_preamble(words)
}

/// Whether a line says nothing but that the reply follows: `Here's the reply:`
pub(super) fn is_preamble(line: &str) -> bool {
    let said = line.trim_matches(is_gap).to_lowercase().replace('’', "'");
    let Some(said) = said.strip_suffix([':', '：']) else {
        return false;
    };
    let said = without_parentheses(said);
    let said = said.trim_end();
    let opener = ASSENTS.iter().find_map(|word| said.strip_prefix(word));
    let said = opener.map_or(said, |rest| {
        rest.trim_start_matches(|c: char| !c.is_alphanumeric())
    });
    let begins = [
        "here's",
        "here is",
        "hier ist",
        "voici",
        "aquí está",
        "aquí tienes",
        "aquí tiene",
        "以下是",
        "好的，以下是",
    ];
    let names = [
        "reply",
        "response",
        "dialogue",
        "narration",
        "scene",
        "continuation",
        "in-character line",
        "possible line",
        "respuesta",
        "antwort",
        "réponse",
        "回复",
        "回答",
    ];
    // "Here is my answer to the king:" is speech.
    let is_own = said
        .split_whitespace()
        .any(|word| word == "my" || word == "meine");
    let behind = [
        "",
        " in character",
        " as ",
        " from ",
        " for ",
        " in the voice ",
        " in the style ",
        " von ",
        " de ",
        " d'",
    ];
    let names_it = |name: &str| {
        behind
            .iter()
            .any(|behind| match behind.ends_with([' ', '\'']) {
                // "Here is the reply from the king:" is speech.
                true => said
                    .split_once(&format!("{name}{behind}"))
                    .is_some_and(|(_, whose)| {
                        behind.contains("the ") || !begins_with_article(whose)
                    }),
                false => said.ends_with(&format!("{name}{behind}")),
            })
    };
    // "Here's Eldrin's reply to Ann:"
    let is_to = |name: &str| {
        let to = said.split_once(&format!("'s {name} to "));
        to.is_some_and(|(_, whom)| !begins_with_article(whom))
    };
    // "As Eldrin, I would say:"
    let as_speaker = said.strip_prefix("as ").unwrap_or_default();
    let as_speaker = said.strip_prefix("als ").unwrap_or(as_speaker);
    let would = ["i would", "i'd", "i might", "i will", "i'll", "würde ich"];
    let would = would
        .iter()
        .find_map(|words| as_speaker.split_once(words))
        .filter(|(whose, _)| !whose.is_empty() && !begins_with_article(whose) && !is_owned(whose));
    let says = ["respond", "reply", "answer", "say", "antworten", "sagen"];
    would.is_some_and(|(_, verb)| says.iter().any(|says| verb.trim_start().starts_with(says)))
        || begins.iter().any(|begin| said.starts_with(begin))
            && !is_own
            && names.iter().any(|name| names_it(name) || is_to(name))
        || said.starts_with("here's how")
            && ["respond", "reply", "answer", "say it"]
                .iter()
                .any(|verb| said.ends_with(verb))
}
