//! The heads of lines: labels that name the speaker, names and roles alone on a line, list marks, quotes and headings of
//! Markdown, and the words of a form (`Thought:`, `Response:`).
//!
//! | at the beginning of a line or a sentence | result |
//! |---|---|
//! | `- `, `* `, `• `, `> `, `## ` (of a line) | the mark goes; a number stays, unless a label follows it (`1. Ann: ..`) |
//! | the label of the speaker: `Eldrin:`, `Eldrin (softly)：`, `<Eldrin>`, an alias, a part of the name; `Assistant:` | the label goes |
//! | the speaker's name, or the model's role, on a line alone | the line goes |
//! | the label or the lone name of another known character; `User:`, `Human:`, `{{user}}:` | the reply ends there. If nothing was said before, the text is not read until the speaker's own label |
//! | `Thought:`, `Reasoning:` and the like | not read until a label of the speaker or of an answer |
//! | `Response:`, `Dialogue:`, `Final answer:` at the beginning, or after a thought | the label goes |
//! | `You: I swear ..`, `Me: I ..` on a line of its own | as the label of another one |
//! | `Eldrin says:`, `Response from Eldrin:`, `Ann to Eldrin:` | as the label of who speaks |
//! | `analysis..`, `assistantfinal..`: the names of channels whose tokens a server has dropped | a thought, and its end |
//! | a first line about the user, or about how to answer: `Okay, the user wants ..` | not read, up to its end |
//! | a sentence that only a program says of itself or of the text: `As an AI language model ..`, `Word count: 7`, `INTENT: open door_1` | not read, up to the end of its line |
//! | `(OOC: ..)`, `(thinking: ..)`, `Here's the reply:` on a line of its own, `Thought for 4 seconds` | goes |
//! | a rule: `---`, `***`, `===` | goes |

use super::markup::{is_other_role, is_own_role};
use super::names::{begins_with_article, label_key};
use super::options::ParseOptions;
use super::white_space::GAP;
use crate::text::sentence::is_end_mark;

/// The longest label, in bytes.
const MAX_LABEL: usize = 200;

/// The labels under which a model writes what it thinks.
pub(super) const THOUGHTS: [&str; 28] = [
    "ooc",
    "out of character",
    "denkt",
    "denken",
    "推理",
    "analysis",
    "denkprozess",
    "gedankengang",
    "uberlegung",
    "思考过程",
    "分析",
    "raisonnement",
    "thought",
    "thoughts",
    "thinking",
    "inner thought",
    "inner thoughts",
    "internal thought",
    "inner monologue",
    "internal monologue",
    "private thought",
    "reasoning",
    "thought process",
    "thinking process",
    "gedanke",
    "gedanken",
    "思考",
    "pensee",
];
const ANSWERS: [&str; 18] = [
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
    "antwort",
    "reponse",
    "回答",
    "respuesta",
];

/// What the lines of a reply have said about the speaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Heads {
    state: State,
    has_said: bool,
    /// Whether the next piece continues a line.
    is_mid_line: bool,
    /// Whether the text tells what happens or what is wanted, and is not speech: no label ends it.
    is_told: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Speaking,
    /// Another one speaks, or it is a thought.
    Skipping,
    /// It is a thought, which ends with its line.
    SkippingLine,
    Ended,
}

/// The speaker that a label names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Who {
    Speaker,
    Other,
    Thought,
    Answer,
}

impl Heads {
    /// Of what is told or wanted: only the marks of lines and the labels of its speaker go.
    pub(super) fn of_told() -> Self {
        Self {
            is_told: true,
            ..Self::default()
        }
    }

    /// Whether the reply is over for its speaker.
    pub(super) fn has_ended(&self) -> bool {
        self.state == State::Ended
    }

    /// Whether it is the speaker whose words come.
    pub(super) fn is_speaking(&self) -> bool {
        self.state == State::Speaking
    }

    /// Whether something was said.
    pub(super) fn has_said(&self) -> bool {
        self.has_said
    }

    /// The part of the next piece, a sentence, that is said: from one byte to another; `None` where nothing is. `ends_line`: a line
    /// ends with it, and another piece follows.
    pub(super) fn take(
        &mut self,
        piece: &str,
        ends_line: bool,
        options: &ParseOptions,
    ) -> Option<(usize, usize)> {
        let begins_line = !std::mem::replace(&mut self.is_mid_line, !ends_line);
        if self.state == State::Ended {
            return None;
        }
        let whole = piece.trim_end_matches(is_gap);
        let mut end = whole.len();
        if ends_line
            && !self.is_told
            && let Some(cut) = glued_role(whole)
        {
            end = cut;
        }
        let mut rest = whole.get(..end).unwrap_or_default();
        rest = rest.trim_start_matches(is_gap);
        if begins_line {
            rest = without_line_marks(rest);
        }
        // A server leaves the name when a stop such as `Ann:` comes in two parts.
        let is_last = begins_line && self.has_said && self.state == State::Speaking;
        if ends_line && self.is_alone(rest, options)
            || is_last && is_rule(rest)
            || is_last && !self.is_told && is_other_alone(rest, options)
        {
            return None;
        }
        if !self.is_told {
            match self.thought(rest, begins_line, ends_line) {
                None => return None,
                Some(behind) => rest = behind,
            }
        }
        loop {
            // What a label in brackets leaves.
            let bare = rest.trim_start_matches(|c| matches!(c, ':' | '：') || is_gap(c));
            if bare.len() < rest.len()
                && rest.trim_start_matches(is_gap).starts_with([':', '：'])
                && !bare.starts_with(|c: char| c.is_ascii_alphabetic() && is_shortcode(rest))
                && !is_smiley(rest.trim_start_matches(is_gap))
            {
                rest = bare;
                continue;
            }
            let Some((who, behind)) = self.label(rest, begins_line, options) else {
                break;
            };
            match who {
                Who::Speaker => self.state = State::Speaking,
                _ if self.is_told => break,
                Who::Answer if self.state == State::Skipping || !self.has_said => {
                    self.state = State::Speaking;
                }
                Who::Answer => break,
                Who::Other | Who::Thought => {
                    self.another(who);
                    return None;
                }
            }
            rest = behind;
        }
        if end < whole.len() {
            let said = (self.state == State::Speaking).then(|| (end - rest.len(), end));
            self.state = State::Ended;
            return said;
        }
        if self.state != State::Speaking || rest.is_empty() {
            return None;
        }
        self.has_said = true;
        Some((end - rest.len(), end))
    }

    /// What is left of a piece without the thoughts that no label and no mark of their own begins or ends; `None` where nothing is.
    fn thought<'a>(
        &mut self,
        piece: &'a str,
        begins_line: bool,
        ends_line: bool,
    ) -> Option<&'a str> {
        if self.state == State::SkippingLine {
            if !begins_line {
                return None;
            }
            self.state = State::Speaking;
        }
        let is_remark = begins_line && (is_end_of_text(piece) || is_remark(piece, self.has_said));
        if is_of_program(piece) || is_remark {
            if !ends_line {
                self.state = State::SkippingLine;
            }
            return None;
        }
        let may_be = !self.has_said;
        let word = piece.trim_matches(|c: char| is_gap(c) || c == '.' || c == '…');
        if ends_line && (is_preamble(piece) || may_be && is_time_of_thought(word)) {
            return None;
        }
        let piece = without_aside(piece);
        if piece.is_empty() {
            return None;
        }
        if may_be && begins_line && ends_line && LONE_THOUGHTS.contains(&word) {
            self.state = State::Skipping;
            return None;
        }
        if self.state == State::Skipping && (word == "final" || word.ends_with("done thinking")) {
            self.state = State::Speaking;
            return None;
        }
        if may_be && begins_line && is_channel(piece) {
            self.state = State::Skipping;
        }
        if may_be || self.state == State::Skipping {
            for end in CHANNEL_ENDS {
                if let Some(at) = piece.find(end) {
                    self.state = State::Speaking;
                    return Some(piece[at + end.len()..].trim_start_matches(is_gap));
                }
            }
        }
        if may_be && self.state == State::Speaking && begins_line && is_about_answering(piece) {
            self.state = State::SkippingLine;
            return None;
        }
        Some(piece)
    }

    /// Whether a piece begins with a label, or is a name alone on its line.
    pub(super) fn is_headed(
        mut self,
        piece: &str,
        ends_line: bool,
        options: &ParseOptions,
    ) -> bool {
        let piece = piece.trim_matches(is_gap);
        self.label(piece, true, options).is_some() || ends_line && self.is_alone(piece, options)
    }

    /// Another one begins to speak.
    fn another(&mut self, who: Who) {
        self.state = match (self.has_said, who) {
            (true, Who::Other) => State::Ended,
            _ => State::Skipping,
        };
    }

    /// Whether a line is a name, a role or a rule alone, and notes what follows from that.
    fn is_alone(&mut self, line: &str, options: &ParseOptions) -> bool {
        let line = line.trim_matches(is_gap);
        if is_rule(line) {
            return true;
        }
        if line.len() > MAX_LABEL || line.contains(is_end_mark) {
            return false;
        }
        match who(line, options) {
            _ if self.is_told => return false,
            Some(Who::Speaker) => self.state = State::Speaking,
            Some(who @ Who::Other) => self.another(who),
            _ => return false,
        }
        true
    }

    /// The label that a text begins with, and the text after it.
    fn label<'a>(
        &self,
        text: &'a str,
        begins_line: bool,
        options: &ParseOptions,
    ) -> Option<(Who, &'a str)> {
        let (label, rest) = split_label(text)?;
        let rest = rest.trim_start_matches(is_gap);
        let who = who(label, options)
            .or_else(|| (begins_line && is_turn(label, rest)).then_some(Who::Other))?;
        // The speaker tells what Ann has said: `Ann said: "Come in."`
        let is_told = who == Who::Other
            && label_key(label).ends_with(" said")
            && rest.starts_with(['"', '“', '„', '«']);
        (!is_told).then_some((who, rest))
    }
}

/// Whether a line is a rule between paragraphs: `---`, `* * *`.
fn is_rule(line: &str) -> bool {
    let line = line.trim_matches(is_gap);
    line == "⸻"
        || line.len() >= 3
            && line
                .chars()
                .all(|c| matches!(c, '-' | '=' | '*' | '_' | '─' | '~' | ' '))
}

/// Whether a line is nothing but the name of another one, without a mark at its end.
fn is_other_alone(line: &str, options: &ParseOptions) -> bool {
    line.len() <= MAX_LABEL && !line.contains(is_end_mark) && who(line, options) == Some(Who::Other)
}

/// The first line of a thought whose marks a server has dropped.
const LONE_THOUGHTS: [&str; 4] = ["analysis", "thought", "Thinking", "thinking"];
/// What is between the channels of a reply whose tokens a server has dropped.
const CHANNEL_ENDS: [&str; 2] = ["assistantfinal", "assistant final "];

/// Whether a text begins with the name of a channel in which a model thinks: `analysisThe user ..`.
fn is_channel(text: &str) -> bool {
    let behind = text.strip_prefix("analysis").unwrap_or_default();
    behind
        .strip_prefix(' ')
        .unwrap_or(behind)
        .starts_with(|c: char| c.is_uppercase() || !c.is_ascii() && c.is_alphabetic())
}

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
const DISCLAIMERS: [&str; 17] = [
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
    "created by alibaba",
    "created by anthropic",
    "trained by openai",
    "ki-sprachmodell",
    "人工智能语言模型",
    "modele de langage",
    "modèle de langage",
];

/// What a model says in place of its character when it refuses or offers its services, in lower case.
const SERVICES: [&str; 28] = [
    "let me know if you'd like me to",
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
const LACKS: [&str; 22] = [
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
/// The same, in languages in which they follow in other forms.
const LACKS_TOO: [&str; 4] = ["できません", "ありません", "持っていません", "не могу"];

/// Whether a sentence is one that only the program behind a character says: of itself, of its service, or to another program.
fn is_of_program(sentence: &str) -> bool {
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
    if !may_be_of_program(sentence) {
        return false;
    }
    let said = sentence.to_lowercase().replace('’', "'");
    let has = |list: &[&str]| list.iter().any(|words| said.contains(words));
    has(&DISCLAIMERS) || has(&SERVICES) || has(&MODELS) && (has(&LACKS) || has(&LACKS_TOO))
}

/// Whether a text has a word that each such sentence has: most lines have none, and need no closer look.
pub(super) fn may_be_of_program(text: &str) -> bool {
    const WORDS: [&str; 33] = [
        "you'd like me",
        "you’d like me",
        "another version",
        "I hope this",
        "aiting",
        "AI",
        "KI",
        "IA",
        "ИИ",
        "ai ",
        "model",
        "Model",
        "modèle",
        "modelo",
        "trained by",
        "created by",
        "assist with",
        "request",
        "roleplay",
        "like me to continue",
        "ollenspiel",
        "Szene",
        "solicitud",
        "juego de rol",
        "協助",
        "协助",
        "要求",
        "ご要望",
        "запрос",
        "demande",
        "语言模型",
        "INTENT",
        "ACTION",
    ];
    WORDS.iter().any(|word| text.contains(word))
        || ["MEMORY", "BELIEF", "MUTATION", "KI-", "人工智能"]
            .iter()
            .any(|word| text.contains(word))
}

/// Whether a line is a remark on the reply: a note on how it was written, a mood by its name, or, after speech, a summary.
fn is_remark(line: &str, has_said: bool) -> bool {
    const MOODS: [&str; 10] = [
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
    let bare = line.trim_start_matches(['(', '（']);
    let Some((label, rest)) = split_label(bare) else {
        return false;
    };
    let key = label_key(label);
    let rest = rest.to_lowercase();
    let is = |list: &[&str]| list.contains(&key.as_str());
    is(&MOODS) && rest.split_whitespace().count() <= 3
        || has_said && is(&AFTER)
        || is(&NOTES) && OF_REPLY.iter().any(|words| rest.contains(words))
}

/// Whether a line says nothing but that a text is over, or how long it is: `(Scene ends)`, `Word count: 7`.
fn is_end_of_text(line: &str) -> bool {
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
    let is_count = |word: &str| {
        let rest = said.strip_prefix(word).unwrap_or_default();
        let number = rest.trim_start_matches(COLONS).trim();
        rest.starts_with(COLONS) && !number.is_empty() && number.chars().all(|c| c.is_ascii_digit())
    };
    ENDS.contains(&said.as_str())
        || ["word count", "words", "wortzahl", "wörter", "字数"]
            .into_iter()
            .any(is_count)
}

/// Whether a line says nothing but that the reply follows: `Here's the reply:`
fn is_preamble(line: &str) -> bool {
    let said = line.trim_matches(is_gap).to_lowercase().replace('’', "'");
    let Some(said) = said.strip_suffix([':', '：']) else {
        return false;
    };
    let begins = [
        "here's",
        "here is",
        "hier ist",
        "voici",
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
        "antwort",
        "réponse",
        "回复",
        "回答",
    ];
    begins.iter().any(|begin| said.starts_with(begin))
        && names
            .iter()
            .any(|name| said.ends_with(name) || said.ends_with(&format!("{name} in character")))
        || said.starts_with("here's how")
            && ["respond", "reply", "answer", "say it"]
                .iter()
                .any(|verb| said.ends_with(verb))
}

/// Whether a line is what a program shows in place of a thought: `Thought for 4 seconds`.
fn is_time_of_thought(line: &str) -> bool {
    let time = line.strip_prefix("Thought for ").unwrap_or_default();
    time.ends_with("second") || time.ends_with("seconds")
}

/// A text without the note in parentheses that it begins with and that is no speech: `(OOC: ..)`, `(thinking: ..)`.
fn without_aside(text: &str) -> &str {
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

/// Whether a label is a pronoun, and the words after it are those of a speaker: `You: I swear to pay.`
fn is_turn(label: &str, said: &str) -> bool {
    const PRONOUNS: [&str; 6] = ["you", "me", "du", "ich", "你", "我"];
    const FIRST: [&str; 8] = ["i", "i'm", "i'll", "i've", "i'd", "my", "ich", "mein"];
    let label = label.to_lowercase();
    let said = said.to_lowercase().replace('’', "'");
    let mut words = said.split(|c: char| !c.is_alphanumeric() && c != '\'');
    PRONOUNS.contains(&label.as_str())
        && (words.any(|word| FIRST.contains(&word)) || said.contains('我'))
}

/// Whether a text begins with a face: `:)`, `:-(`, `:D`.
fn is_smiley(text: &str) -> bool {
    let mut mouth = text.strip_prefix(':').unwrap_or_default().chars();
    match mouth.next() {
        Some('-' | '\'' | '^') => mouth.next().is_some_and(|c| !c.is_whitespace()),
        Some(')' | '(' | '|' | '/' | '\\' | '*' | '<' | '>' | '3' | ']' | '[') => true,
        Some('D' | 'P' | 'p' | 'O' | 'o' | 'S' | 's' | 'X' | 'x') => {
            !mouth.next().is_some_and(char::is_alphanumeric)
        }
        _ => false,
    }
}

/// Whether a text begins with a sign such as `:smile:`.
fn is_shortcode(text: &str) -> bool {
    let inner = text.strip_prefix(':').unwrap_or_default();
    let name = inner.split(':').next().unwrap_or_default();
    inner.len() > name.len()
        && !name.is_empty()
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '+' | '-'))
}

/// Whether a text is nothing but labels of the speaker.
pub(super) fn are_only_labels(text: &str, options: &ParseOptions) -> bool {
    let mut rest = text.trim_matches(is_gap);
    while !rest.is_empty() {
        let label =
            split_label(rest).filter(|(label, _)| who(label, options) == Some(Who::Speaker));
        match label {
            Some((_, behind)) => rest = behind.trim_start_matches(is_gap),
            // What a label in brackets leaves.
            None if rest.starts_with([':', '：']) => {
                rest = rest
                    .trim_start_matches([':', '：'])
                    .trim_start_matches(is_gap)
            }
            None => return false,
        }
    }
    true
}

/// White space, or a place where something was cut out.
pub(super) fn is_gap(c: char) -> bool {
    c.is_whitespace() || c == GAP
}

/// The speaker that a label names; `None` where it is no label.
fn who(label: &str, options: &ParseOptions) -> Option<Who> {
    let key = label_key(label);
    if key.is_empty() {
        return None;
    }
    let names = |key: &str| {
        let is_own = options.speaker_names.iter().any(|name| {
            let name = label_key(name);
            !name.is_empty() && (name == key || name.split(' ').any(|part| part == key))
        });
        match is_own {
            true => Some(Who::Speaker),
            false => options.other_names.has(key).then_some(Who::Other),
        }
    };
    if let Some(who) = names(&key).or_else(|| names(speaker_in(&key)?)) {
        return Some(who);
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
    let before = BEFORE.iter().find_map(|words| key.strip_prefix(words));
    let behind = || BEHIND.iter().find_map(|words| key.strip_suffix(words));
    let to = || {
        key.split_once(" to ")
            .or_else(|| key.split_once(" an "))
            .map(|(name, _)| name)
    };
    // `Ann, smiling: ..`
    let with_manner = || {
        let (name, manner) = key.split_once(", ")?;
        (manner.ends_with("ing") && !manner.contains(' ')).then_some(name)
    };
    before.or_else(behind).or_else(to).or_else(with_manner)
}

/// A label without its mood and its marks, and the text after its colon; `None` where the text has none.
pub(super) fn split_label(text: &str) -> Option<(&str, &str)> {
    let (label, _, rest) = split_mood(text)?;
    Some((label, rest))
}

/// The same, and the mood in parentheses.
pub(super) fn split_mood(text: &str) -> Option<(&str, Option<&str>, &str)> {
    let begins = text.trim_start_matches(is_gap);
    let begins = without_list_marks(begins);
    if let Some((name, rest)) = begins
        .strip_prefix('<')
        .and_then(|rest| rest.split_once('>'))
        && name.len() <= MAX_LABEL
        && !name.contains('<')
    {
        let rest = rest.strip_prefix([':', '：']).unwrap_or(rest);
        return Some((name.trim(), None, rest));
    }
    let at = begins.find(COLONS).filter(|at| *at <= MAX_LABEL)?;
    let (label, rest) = begins.split_at(at);
    let rest = rest.strip_prefix(COLONS).unwrap_or(rest);
    // `**Ann:** Come in.`
    let rest = rest.trim_start_matches(['*', '_']);
    let label = label.trim_matches(|c| is_gap(c) || is_mark(c));
    let (label, mood) = match label
        .strip_suffix([')', '）'])
        .and_then(|inner| inner.rsplit_once(['(', '（']))
    {
        // `(Ann): Come in.`
        Some((name, inner)) if name.trim().is_empty() => (inner, None),
        Some((name, mood)) => (name, Some(mood.trim())),
        None => (label, None),
    };
    let label = label.trim_matches(|c| is_gap(c) || is_mark(c));
    // `"Ann": Come in.`
    let quoted = label.strip_prefix(['"', '“']);
    let label = quoted
        .and_then(|label| label.strip_suffix(['"', '”']))
        .unwrap_or(label);
    // `{{user}}:`
    let label = label.trim_start_matches('{').trim_end_matches('}');
    (!label.is_empty()).then_some((label, mood, rest))
}

fn is_mark(c: char) -> bool {
    matches!(c, '*' | '_' | '[' | ']' | '`' | '#' | '@' | '—' | '–')
}

/// The colon, and what looks like it.
const COLONS: [char; 7] = [':', '：', '﹕', '∶', '꞉', '︰', 'ː'];

/// Without what Markdown writes at the beginning of a line.
pub(super) fn without_line_marks(line: &str) -> &str {
    let mut rest = line;
    loop {
        let bare = rest.trim_start_matches('#');
        let level = rest.len() - bare.len();
        let next = if (1..=6).contains(&level) && bare.starts_with([' ', '\t']) {
            bare
        } else if let Some(quoted) = rest.strip_prefix('>') {
            quoted
        } else if let Some(item) = rest
            .strip_prefix(['-', '*', '+', '•', '‣', '▪'])
            .filter(|item| item.starts_with([' ', '\t']))
        {
            item
        } else {
            return rest;
        };
        rest = next.trim_start_matches(is_gap);
    }
}

/// The same, and without the number of a list.
fn without_list_marks(line: &str) -> &str {
    let line = without_line_marks(line);
    match behind_list_number(line) {
        Some(rest) if rest.starts_with(' ') => without_line_marks(rest.trim_start()),
        _ => line,
    }
}

/// The text after the number of a list, such as `2.`; `None` where the text begins with none.
fn behind_list_number(text: &str) -> Option<&str> {
    let number = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = text.len() - number.len();
    let rest = number.strip_prefix(['.', ')'])?;
    (1..=3).contains(&digits).then_some(rest)
}

/// Whether a piece is the number of a list and nothing else. Before a label it belongs to the label.
pub(super) fn is_list_number(piece: &str) -> bool {
    let piece = without_line_marks(piece.trim_matches(is_gap));
    let piece = piece.trim_matches(is_mark);
    behind_list_number(piece).is_some_and(|rest| rest.trim_start_matches(is_mark).is_empty())
}

/// Where the name of a role begins that directly follows the end of a sentence: `Come in.assistant`. A server leaves such a name
/// when it drops the tokens of a template around it.
fn glued_role(line: &str) -> Option<usize> {
    let word = line.trim_end_matches(is_gap);
    let start = word
        .rfind(|c: char| !c.is_ascii_lowercase())
        .map_or(0, |at| {
            at + word[at..].chars().next().map_or(1, char::len_utf8)
        });
    let role = word.get(start..)?;
    let before = word.get(..start)?.chars().next_back()?;
    let is_role = matches!(role, "assistant" | "user" | "model" | "system" | "human");
    (is_role && is_end_mark(before)).then_some(start)
}

#[cfg(test)]
mod tests;
