//! What in a reply is no speech, and no mark says so: remarks on the reply, thoughts about how to answer, refusals of an assistant,
//! and commands without their brackets. Where it may be speech, it is.

use super::labels::{COLONS, THOUGHTS, is_gap, is_mark, split_label};
use super::markup::is_other_role;
use super::names::{is_name_of, label_key, words};
use super::options::ParseOptions;
use super::preambles::is_preamble;
use crate::text::Lexicon;
use aho_corasick::AhoCorasick;
use std::sync::OnceLock;

/// How thoughts begin that nothing marks. In lower case.
const OPENERS: [&str; 20] = [
    "okay",
    "ok,",
    "alright",
    "all right",
    "hmm",
    "so,",
    "now,",
    "well,",
    "let me",
    "let's",
    "we need",
    "we should",
    "i need to",
    "i should",
    "i must",
    "first,",
    "the user",
    "好的",
    "嗯",
    "首先",
];

/// Who is spoken of in them, and what they do.
const ASKERS: [&str; 6] = [
    "the user",
    "the player",
    "der nutzer",
    "der benutzer",
    "der spieler",
    "die nutzerin",
];

const ASKS: [&str; 15] = [
    "wants",
    "is asking",
    "asks",
    "asked",
    "says",
    "said",
    "just",
    "has asked",
    "wrote",
    "mochte",
    "möchte",
    "will",
    "fragt",
    "sagt",
    "hat",
];

/// What else they speak of.
const MANNERS: [&str; 14] = [
    "stay in character",
    "in character as",
    "respond as",
    "answer as",
    "reply as",
    "keep the response",
    "system prompt",
    "would respond",
    "would answer",
    "would reply",
    "think about this step by step",
    "here's a thinking process",
    "的身份回答",
    "in der rolle",
];

/// What a model says of itself in place of its character. In lower case.
const DISCLAIMERS: [&str; 19] = [
    "as a language model",
    "como modelo de lenguaje",
    "como modelo de linguagem",
    "как языковая модель",
    "言語モデルとして",
    "作为语言模型",
    "ai language model",
    "large language model",
    "as an ai assistant",
    "just an ai assistant",
    "just a language model",
    "to be helpful and harmless",
    "created by alibaba",
    "created by anthropic",
    "trained by openai",
    "ki-sprachmodell",
    "人工智能语言模型",
    "modele de langage",
    "modèle de langage",
];

/// What a model says in place of its character when it refuses or offers its services, in lower case.
const SERVICES: [&str; 44] = [
    "let me know if you'd like me to",
    "like me to rewrite",
    "your message is empty",
    "provide the player's line",
    "if you want another version",
    "i hope this captures",
    "awaiting your response",
    "waiting for your reply",
    "waiting for your response",
    "can't assist with that",
    "cannot assist with that",
    "can't assist with this",
    "cannot assist with this",
    "fulfill this request",
    "fulfill that request",
    "can't help with that request",
    "cannot help with that request",
    "can't help with this request",
    "cannot help with this request",
    "explicit content",
    "able to generate content",
    "violates my guidelines",
    "my content policy",
    "explizite inhalte",
    "solche inhalte erstellen",
    "contenido explícito",
    "contenu explicit",
    "ce type de contenu",
    "continue this roleplay",
    "continue with this roleplay",
    "engage in this roleplay",
    "like me to continue the",
    "like me to continue this",
    "dieses rollenspiel nicht",
    "die szene fortsetzen",
    "no puedo ayudar con esa solicitud",
    "continuar con este juego de rol",
    "無法協助",
    "无法协助",
    "无法满足您的要求",
    "無法滿足您的要求",
    "ご要望にお応えできません",
    "не могу помочь с этим запросом",
    "je ne peux pas répondre à cette demande",
];

/// Whether a part of a narration is no narration: a preamble, the end of the text, what only a program says, or a note.
pub(super) fn is_no_narration(piece: &str) -> bool {
    is_of_program(piece)
        || is_remark(piece, false)
        || is_end_of_text(piece)
        || is_preamble(piece)
        || {
            let bare = without_aside(piece);
            bare.len() < piece.len() && bare.trim().is_empty()
        }
}

/// Whether a part of a narration begins with the role of the player: `User: I run.`
pub(super) fn is_of_other_role(piece: &str) -> bool {
    split_label(piece).is_some_and(|(label, _)| is_other_role(&label_key(label)))
}

/// How a model calls itself: alone it may be a machine of the story, that speaks.
const MODELS: [&str; 13] = [
    "as an ai",
    "i am an ai",
    "i'm an ai",
    "i'm just an ai",
    "als ki",
    "ich bin eine ki",
    "como una ia",
    "como uma ia",
    "en tant qu'ia",
    "作为ai",
    "作为一个ai",
    "aiとして",
    "как ии",
];

/// What such a model cannot do.
const LACKS: [&str; 26] = [
    "できません",
    "ありません",
    "持っていません",
    "не могу",
    "cannot",
    "can't",
    "can not",
    "don't have",
    "do not have",
    "unable",
    "not able",
    "designed to",
    "programmed",
    "kann ich",
    "kann nicht",
    "habe ich",
    "habe keine",
    "no puedo",
    "no tengo",
    "não posso",
    "não tenho",
    "je ne peux",
    "je n'ai",
    "不能",
    "无法",
    "没有",
];

/// Whether a sentence is one that only the program behind a character says: of itself, of its service, or to another program.
pub(super) fn is_of_program(sentence: &str) -> bool {
    let marked = sentence
        .trim_start_matches(|c: char| is_gap(c) || is_mark(c) || matches!(c, '(' | '{' | '<'));
    const COMMANDS: [&str; 5] = ["INTENT", "ACTION", "MEMORY", "BELIEF", "MUTATION"];
    let is_command = COMMANDS.iter().any(|command| {
        let rest = marked.strip_prefix(command).unwrap_or_default();
        let rest = rest.trim_start_matches(['*', '_', ' ']);
        rest.starts_with(COLONS)
    });
    if is_command {
        return true;
    }
    let said = sentence.to_lowercase().replace('’', "'");
    let found = phrases().into_iter();
    let mut found = found.flat_map(|all| all.find_overlapping_iter(&said));
    let sure = DISCLAIMERS.len() + SERVICES.len();
    let lacks = || LACKS.iter().any(|words| said.contains(words));
    found.any(|hit| hit.pattern().as_usize() < sure || lacks())
}

/// What to look for in a sentence: [`DISCLAIMERS`], [`SERVICES`] and [`MODELS`], in this order.
fn phrases() -> Option<&'static AhoCorasick> {
    static PHRASES: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let all = || DISCLAIMERS.iter().chain(&SERVICES).chain(&MODELS);
    PHRASES
        .get_or_init(|| AhoCorasick::new(all()).ok())
        .as_ref()
}

/// Whether a line is a remark on the reply: a note on how it was written, a mood by its name, or, after speech, a summary.
pub(super) fn is_remark(line: &str, has_said: bool) -> bool {
    const MOODS: [&str; 11] = [
        "gefuhl",
        "mood",
        "emotion",
        "tone",
        "expression",
        "feeling",
        "current mood",
        "stimmung",
        "情绪",
        "emotion level",
        "facial expression",
    ];
    const AFTER: [&str; 22] = [
        "summary",
        "zusammenfassung",
        "总结",
        "tl;dr",
        "explanation",
        "erklarung",
        "rationale",
        "translation",
        "ubersetzung",
        "confidence",
        "score",
        "sources",
        "references",
        "follow-up question",
        "suggested replies",
        "suggested responses",
        "constraints followed",
        "tokens used",
        "hp",
        "trust",
        "affinity",
        "internal",
    ];
    const NOTES: [&str; 10] = [
        "note",
        "notes",
        "n.b.",
        "a/n",
        "author's note",
        "hinweis",
        "anmerkung",
        "nota",
        "注",
        "примечание",
    ];
    const OF_REPLY: [&str; 20] = [
        "response",
        "reply",
        "character",
        "kept it short",
        "under 50 words",
        " words",
        "antwort",
        "rolle",
        "charakter",
        "respuesta",
        "personaje",
        "réponse",
        "personnage",
        "角色",
        "回复",
        "回答",
        "ответ",
        "образ",
        "as asked",
        "as requested",
    ];
    // What a game shows of its state has no end mark: `Scene: the hall, evening`, `Health: 80%`.
    const STATES: [&str; 24] = [
        "hp",
        "mp",
        "xp",
        "health",
        "mana",
        "stamina",
        "affection",
        "relationship",
        "trust",
        "inventory",
        "location",
        "ort",
        "scene",
        "setting",
        "scenario",
        "context",
        "status",
        "current status",
        "stats",
        "action",
        "actions",
        "quest added",
        "quest updated",
        "persona",
    ];
    let bare = line.trim_start_matches(['(', '（']);
    if is_status(bare) {
        return true;
    }
    let Some((label, rest)) = split_label(bare) else {
        return false;
    };
    let key = label_key(label);
    let rest = rest.to_lowercase();
    let is = |list: &[&str]| list.contains(&key.as_str());
    is(&MOODS) && rest.split_whitespace().count() <= 3
        || is(&STATES) && !rest.trim_end().ends_with(['.', '!', '?', '…', '"', '”'])
        || has_said && is(&AFTER)
        || is(&NOTES) && OF_REPLY.iter().any(|words| rest.contains(words))
}

/// Whether a sentence only tells what the speaker does, under its own name: "Eldrin shrugs."
pub(super) fn is_stage_direction(sentence: &str, options: &ParseOptions) -> bool {
    let is_word = |c: char| c.is_alphanumeric();
    let first = sentence.trim_start_matches(|c| !is_word(c));
    let first = first.split(|c| !is_word(c)).next().unwrap_or_default();
    let names = options.speaker_names;
    let marks = ['"', '“', '”', '„', '«', '»', '「', '＂', ':', '：'];
    if first.is_empty() || !is_name_of(first, names) || sentence.contains(marks) {
        return false;
    }
    let words = self::words(sentence);
    let gestures = &options.lexicon.gestures;
    let named = words.iter().take_while(|word| is_name_of(word, names));
    let verb = named.count();
    // "Eldrin smile" is no sentence.
    let is_finite =
        |word: &String| gestures.contains(word) && !gestures.contains(&format!("{word}s"));
    // "Eldrin nods, his eyes never leaving the road."
    let main = sentence.split([',', '，']).next().unwrap_or_default();
    words.iter().skip(verb).take(2).any(is_finite)
        && !words
            .iter()
            .any(|word| is_first_person(word, options.lexicon))
        && !self::words(main)
            .iter()
            .any(|word| is_of_habit(word, options.lexicon))
}

/// Whether a word makes a sentence one about a habit: "Eldrin never smiles", "Eldrin drinks only tea".
pub(super) fn is_of_habit(word: &str, lexicon: &Lexicon) -> bool {
    const HABITS: [&str; 8] = [
        "only", "always", "often", "nur", "immer", "stets", "oft", "toujours",
    ];
    let lists = [
        &lexicon.negators,
        &lexicon.negative_subjects,
        &lexicon.negative_articles,
        &lexicon.negators_for_all_time,
    ];
    HABITS.contains(&word)
        || lists
            .iter()
            .any(|list| list.iter().any(|listed| listed == word))
}

/// Whether a folded word is one by which a speaker means itself: "i", "my".
pub(super) fn is_first_person(word: &str, lexicon: &Lexicon) -> bool {
    let mut own = lexicon.first_person.iter().chain(&lexicon.own_words);
    own.any(|own| own == word)
}

/// Whether a line is a row of values, as games show them: `HP: 10/10 | Gold: 5`.
fn is_status(line: &str) -> bool {
    /// The most words of a value with its name.
    const MOST: usize = 6;
    let mut parts = line
        .split('|')
        .map(|part| part.trim_matches(|c| is_gap(c) || is_mark(c)));
    let is_value = |part: &str| {
        part.split_once(COLONS)
            .is_some_and(|(name, value)| !name.is_empty() && !value.trim().is_empty())
            && part.split_whitespace().count() <= MOST
    };
    line.contains('|') && parts.all(is_value)
}

/// Whether a line says nothing but that a text is over, or how long it is: `(Scene ends)`, `Word count: 7`.
pub(super) fn is_end_of_text(line: &str) -> bool {
    const ENDS: [&str; 13] = [
        "to be continued",
        "fin",
        "完",
        "your turn",
        "end of scene",
        "end scene",
        "scene ends",
        "the scene ends",
        "end of response",
        "end of reply",
        "ende der szene",
        "fin de la escena",
        "fin de la scène",
    ];
    let said = line
        .trim_matches(|c: char| !c.is_alphanumeric())
        .to_lowercase();
    let is_open = said == "your turn" && !line.starts_with(['(', '*', '[']);
    ENDS.contains(&said.as_str()) && !is_open || is_length(line)
}

/// Whether a text says nothing but how long the reply is: `(122 words)`, `(approx. 40 words)`, `Word count: 7`.
pub(super) fn is_length(text: &str) -> bool {
    const UNITS: [&str; 6] = ["words", "word", "wörter", "wortzahl", "tokens", "字数"];
    const ABOUT: [&str; 7] = [
        "count",
        "approx",
        "approximately",
        "about",
        "circa",
        "ca",
        "etwa",
    ];
    let said = text.to_lowercase();
    let text = text.trim_start_matches(|c| is_gap(c) || matches!(c, '*' | '_'));
    let named = said.trim_matches(|c: char| !c.is_alphanumeric());
    // "About forty words." is an answer.
    let is_open = !text.starts_with(['(', '[', '（'])
        && !UNITS.iter().any(|unit| {
            let behind = named.strip_prefix(unit).unwrap_or_default();
            let behind = behind.strip_prefix(" count").unwrap_or(behind);
            behind.starts_with(COLONS)
        });
    let (mut has_number, mut has_unit) = (false, false);
    let fits = said
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .all(|word| {
            let is_number = word.bytes().all(|b| b.is_ascii_digit());
            let is_unit = UNITS.contains(&word);
            has_number |= is_number;
            has_unit |= is_unit;
            is_number || is_unit || ABOUT.contains(&word)
        });
    fits && has_number && has_unit && !is_open
}

/// Whether a line is what a program shows in place of a thought: `Thought for 4 seconds`.
pub(super) fn is_time_of_thought(line: &str) -> bool {
    let time = line.strip_prefix("Thought for ").unwrap_or_default();
    time.ends_with("second") || time.ends_with("seconds")
}

/// A text without the note in parentheses that it begins with and that is no speech: `(OOC: ..)`, `(thinking: ..)`.
pub(super) fn without_aside(text: &str) -> &str {
    let inner = text.trim_start_matches(['(', '（']);
    let depth = text.len() - inner.len();
    let label = (depth > 0).then(|| split_label(inner)).flatten();
    let is_note = label.is_some_and(|(label, rest)| {
        let key = label_key(label);
        let rest = rest.to_lowercase();
        let speaks_of_reply = ["response", "in character", "antwort", "rolle"];
        THOUGHTS.contains(&key.as_str())
            || matches!(key.as_str(), "note" | "hinweis" | "anmerkung")
                && speaks_of_reply.iter().any(|words| rest.contains(words))
    });
    if !is_note {
        return text;
    }
    let end = inner.find([')', '）']).unwrap_or(inner.len());
    inner[end..].trim_start_matches(|c| matches!(c, ')' | '）') || is_gap(c))
}

/// Whether a sentence speaks of the user, or of how to answer.
pub(super) fn is_about_answering(sentence: &str) -> bool {
    let said = sentence.to_lowercase().replace('’', "'");
    if said.starts_with("here's a thinking process") {
        return true;
    }
    if !OPENERS.iter().any(|opener| said.starts_with(opener)) {
        return false;
    }
    let asks = |asker: &&str| {
        let behind = said.split_once(*asker).map_or("", |(_, behind)| behind);
        ASKS.iter().any(|asks| {
            let rest = behind
                .strip_prefix(' ')
                .and_then(|behind| behind.strip_prefix(asks));
            rest.is_some_and(|rest| !rest.starts_with(char::is_alphanumeric))
        })
    };
    let chinese = [
        "用户想",
        "用户说",
        "用户问",
        "用户要",
        "玩家想",
        "玩家说",
        "玩家问",
    ];
    ASKERS.iter().any(asks)
        || chinese.iter().any(|words| said.contains(words))
        || MANNERS.iter().any(|words| said.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p15_each_phrase_of_a_program_is_found_in_any_case() {
        for words in DISCLAIMERS.iter().chain(&SERVICES) {
            for text in [(*words).to_owned(), words.to_uppercase()] {
                assert!(is_of_program(&format!("Well, {text}, friend.")), "{text}");
            }
        }
        assert!(is_of_program("As an AI, I don't have a body."));
        assert!(is_of_program("言語モデルとして、ドアは開けられません。"));
        for honest in [
            "As an AI of this ship I greet you.",
            "I cannot open it.",
            "A model ship.",
        ] {
            assert!(!is_of_program(honest), "{honest}");
        }
    }
}
