//! The marks of models and their templates, by shape and by name.

use super::escapes::{entity, escape};

/// What a text is that begins with a character that may begin a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Read {
    /// The next character decides.
    Partial,
    /// It is text.
    Text,
    Sign(Sign),
}

/// What a mark means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sign {
    /// A thought begins; its name closes it.
    Thought(String),
    /// A thought may begin, or this is a stage direction: its closing mark decides.
    MayBeThought,
    /// A thought begins that the next token closes.
    ContentThought,
    ThoughtEnds(String),
    /// The answer itself begins.
    Answer,
    AnswerEnds,
    TurnEnds,
    /// The name of a role follows.
    Role,
    RoleIs(String),
    /// The name of a channel follows.
    Channel,
    /// The name of a role or a channel has ended.
    HeaderEnd,
    /// Says in what form a channel is written.
    Constrain,
    /// It is for machines.
    Machine,
    Gone,
    Char(char),
}

/// Whose turn a role is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Own,
    Other,
}

/// The longest mark, in bytes; a longer text is none.
const MAX_MARK: usize = 96;

/// The roles of templates, as they are spelled in lower case.
const OWN_ROLES: [&str; 12] = [
    "assistant",
    "model",
    "chatbot",
    "bot",
    "gpt",
    "ai",
    "char",
    "npc",
    "ассистент",
    "助手",
    "assistent",
    "gpt4 correct assistant",
];
const OTHER_ROLES: [&str; 17] = [
    "user",
    "human",
    "system",
    "developer",
    "tool",
    "function",
    "ipython",
    "observation",
    "environment",
    "player",
    "instruction",
    "input",
    "пользователь",
    "用户",
    "benutzer",
    "gpt4 correct user",
    "person 1",
];

/// The role with this name; `None` where it is none.
pub(in super::super) fn is_other_role(name: &str) -> bool {
    role_of(name) == Some(Role::Other)
}

/// Whether it is the name of the model's own role.
pub(in super::super) fn is_own_role(name: &str) -> bool {
    role_of(name) == Some(Role::Own)
}

pub(super) fn role_of(name: &str) -> Option<Role> {
    let name = name
        .trim()
        .trim_start_matches("{{")
        .trim_end_matches("}}")
        .to_lowercase();
    if OWN_ROLES.contains(&name.as_str()) {
        Some(Role::Own)
    } else if OTHER_ROLES.contains(&name.as_str()) {
        Some(Role::Other)
    } else {
        None
    }
}

/// Reads the text that begins a mark.
pub(super) fn read(held: &str) -> Read {
    let found = match held.chars().next() {
        Some('<' | '‹') => return angle(held),
        Some('[' | '［') => return bracket(held),
        Some('◁' | '◂' | '【') => return listed(held),
        Some('&') => entity(held),
        Some('\\') => escape(held),
        _ => return Read::Text,
    };
    match found {
        None => Read::Partial,
        Some(None) => Read::Text,
        Some(Some(c)) => Read::Sign(Sign::Char(c)),
    }
}

/// Marks that have one spelling.
fn listed(held: &str) -> Read {
    let thought = |name: &str| Sign::Thought(name.to_owned());
    let ends = |name: &str| Sign::ThoughtEnds(name.to_owned());
    let all = [
        ("◁think▷", thought("think")),
        ("◁/think▷", ends("think")),
        ("◂tool_call▸", Sign::Machine),
        ("◂function_call▸", Sign::Machine),
        ("◂{", Sign::Machine),
        ("【思考】", thought("think")),
        ("【/思考】", ends("think")),
        ("【回答】", ends("think")),
        ("【答案】", ends("think")),
    ];
    // 【4†source】 is a mark of the search that a model has made.
    if let Some(inner) = held.strip_prefix('【')
        && inner.starts_with(|c: char| c.is_ascii_digit())
        && held.len() <= MAX_MARK
    {
        let is_source = inner.contains('†');
        let may_be = inner.chars().all(|c| c.is_ascii_digit() || c == ':') || is_source;
        return match inner.ends_with('】') {
            _ if !may_be => Read::Text,
            true if is_source => Read::Sign(Sign::Gone),
            true => Read::Text,
            false => Read::Partial,
        };
    }
    if let Some((_, sign)) = all.iter().find(|(spelled, _)| *spelled == held) {
        return Read::Sign(sign.clone());
    }
    match all.iter().any(|(spelled, _)| spelled.starts_with(held)) {
        true => Read::Partial,
        false => Read::Text,
    }
}

/// Marks in square brackets.
fn bracket(held: &str) -> Read {
    const GONE: [&str; 16] = [
        "s",
        "bos",
        "pad",
        "unk",
        "cls",
        "mask",
        "gmask",
        "sop",
        "prefix",
        "middle",
        "suffix",
        "out",
        "/out",
        "system_prompt",
        "end_turn",
        "unused10",
    ];
    const ENDS: [&str; 8] = [
        "inst",
        "/inst",
        "/s",
        "eos",
        "sep",
        "eot",
        "available_tools",
        "end of response",
    ];
    const MACHINE: [&str; 6] = [
        "tool_calls",
        "tool_call",
        "tool_results",
        "/tool_call",
        "/available_tools",
        "tool_content",
    ];
    const THOUGHTS: [&str; 4] = ["think", "thinking", "thought", "reasoning"];
    let inner: String = held.chars().skip(1).collect();
    let (inner, is_closed) = match inner.strip_suffix([']', '］']) {
        Some(inner) => (inner, true),
        None => (inner.as_str(), false),
    };
    let lower = inner.to_lowercase();
    if let Some(role) = lower.strip_prefix('|') {
        let fits = role.len() < 24
            && role
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '|' | '_'));
        return match (fits, is_closed, role.strip_suffix('|')) {
            (false, ..) | (_, true, None) => Read::Text,
            (true, true, Some("endofturn")) => Read::Sign(Sign::TurnEnds),
            (true, true, Some(role)) => Read::Sign(Sign::RoleIs(role.to_owned())),
            (true, false, _) => Read::Partial,
        };
    }
    if is_closed {
        let name = lower.trim_start_matches('/');
        let is_upper = !inner.chars().any(char::is_lowercase);
        return match lower.as_str() {
            "unused16" => Read::Sign(Sign::Thought("unused".to_owned())),
            "unused17" => Read::Sign(Sign::ThoughtEnds("unused".to_owned())),
            _ if THOUGHTS.contains(&name) && lower.starts_with('/') => {
                Read::Sign(Sign::ThoughtEnds(format!("[{name}")))
            }
            _ if THOUGHTS.contains(&name) && is_upper => {
                Read::Sign(Sign::Thought(format!("[{name}")))
            }
            _ if THOUGHTS.contains(&name) => Read::Sign(Sign::MayBeThought),
            _ if MACHINE.contains(&lower.as_str()) => Read::Sign(Sign::Machine),
            // Words in small letters are stage directions or speech.
            _ if ENDS.contains(&lower.as_str())
                && (is_upper || lower.contains('/') || lower.contains(' ')) =>
            {
                Read::Sign(Sign::TurnEnds)
            }
            _ if GONE.contains(&lower.as_str()) && (is_upper || lower == "gmask") => {
                Read::Sign(Sign::Gone)
            }
            _ if lower
                .strip_prefix("unused")
                .is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())) =>
            {
                Read::Sign(Sign::Gone)
            }
            _ => Read::Text,
        };
    }
    let bare = lower.trim_start_matches('/');
    let known = GONE.iter().chain(&ENDS).chain(&MACHINE).chain(&THOUGHTS);
    let may_be = lower.is_empty()
        || lower == "/"
        || known
            .map(|word| word.trim_start_matches('/'))
            .any(|word| word.starts_with(bare))
        || "unused".starts_with(&lower)
        || lower
            .strip_prefix("unused")
            .is_some_and(|n| n.len() < 5 && n.bytes().all(|b| b.is_ascii_digit()));
    match may_be {
        true => Read::Partial,
        false => Read::Text,
    }
}

/// Marks in angle brackets.
fn angle(held: &str) -> Read {
    let mut chars = held.chars();
    chars.next();
    let rest = chars.as_str();
    if held.len() > MAX_MARK {
        return Read::Text;
    }
    // A comment of HTML.
    if rest.starts_with("!--") {
        return match rest.len() > 4 && rest.ends_with("-->") {
            true => Read::Sign(Sign::Gone),
            false => Read::Partial,
        };
    }
    let Some(inner) = rest.strip_suffix('>') else {
        return match may_be_tag(rest) {
            true => Read::Partial,
            false => Read::Text,
        };
    };
    if rest == "<SYS>" || rest == "</SYS>" {
        // The second bracket follows.
        return Read::Partial;
    }
    if rest == "<SYS>>" {
        return Read::Sign(Sign::RoleIs("system".to_owned()));
    }
    if rest == "</SYS>>" {
        return Read::Sign(Sign::RoleIs("user".to_owned()));
    }
    if !may_be_tag(inner) {
        return Read::Text;
    }
    let lower: String = inner
        .to_lowercase()
        .chars()
        .map(|c| match c {
            '｜' | '‖' => '|',
            '▁' => '_',
            c => c,
        })
        .collect();
    let sign = match lower.starts_with('|') || lower.ends_with('|') {
        true => Some(token(&lower)),
        false => tag(&lower),
    };
    sign.map_or(Read::Text, Read::Sign)
}

/// Whether `<` and this may go on as a tag or a token.
fn may_be_tag(rest: &str) -> bool {
    if matches!(
        rest,
        "<" | "<S" | "<SY" | "<SYS" | "</" | "</S" | "</SY" | "</SYS" | "<SYS>" | "</SYS>"
    ) {
        return true;
    }
    let bare = rest.strip_prefix('/').unwrap_or(rest);
    let is_token = bare.starts_with(['|', '｜', '‖']);
    let begins = bare
        .chars()
        .next()
        .is_none_or(|c| c.is_alphabetic() || matches!(c, '|' | '｜' | '‖' | '!'))
        || bare == "0"
        || bare.starts_with("0x");
    begins
        && !rest.contains(['<', '\n', '{', '}', '[', ']'])
        && (is_token
            || bare
                .chars()
                .take_while(|c| !matches!(c, ' ' | '='))
                .all(is_of_name))
}

fn is_of_name(c: char) -> bool {
    c.is_alphanumeric()
        || matches!(
            c,
            '_' | '-' | ':' | '.' | '|' | '/' | '!' | '｜' | '‖' | '▁'
        )
}

/// The name of every mark of a thought contains one of these words.
const THOUGHT_WORDS: [&str; 11] = [
    "think",
    "thought",
    "reason",
    "reflect",
    "scratchpad",
    "monologue",
    "ponder",
    "思考",
    "思维",
    "تفكير",
    "gedank",
];

fn is_thought(name: &str) -> bool {
    THOUGHT_WORDS.iter().any(|word| name.contains(word))
        || matches!(name, "analysis" | "internal" | "cot" | "تأمل")
}

/// Whether a thought with the first name is closed by the second.
pub(super) fn closes(open: &str, end: &str) -> bool {
    let family = |name: &str| name.split(['|', ':', '_']).next().map(str::to_owned);
    open == end || open.contains(['|', ':', '_']) && family(open) == family(end) && is_thought(end)
}

/// A tag `<name ..>` or `</name>`, by its text in lower case; `None` where it is text.
fn tag(lower: &str) -> Option<Sign> {
    const BREAKS: [&str; 10] = [
        "br",
        "p",
        "hr",
        "li",
        "div",
        "tr",
        "ul",
        "ol",
        "table",
        "blockquote",
    ];
    const GONE: [&str; 48] = [
        // That of our own prompts, around what was said: a model writes it around what it says.
        "heard",
        "b",
        "i",
        "u",
        "em",
        "strong",
        "small",
        "sub",
        "sup",
        "span",
        "font",
        "center",
        "code",
        "pre",
        "q",
        "mark",
        "strike",
        "del",
        "ins",
        "big",
        "tt",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "a",
        "html",
        "body",
        "emphasis",
        "whisper",
        "bos",
        "pad",
        "unk",
        "mask",
        "sop",
        "cls",
        "s",
        "bos_token",
        "file_sep",
        "laugh",
        "laughs",
        "laughter",
        "chuckle",
        "chuckles",
        "sigh",
        "sighs",
    ];
    const ENDS: [&str; 15] = [
        "eos",
        "eot",
        "eoa",
        "eop",
        "eod",
        "sep",
        "end_of_turn",
        "im_end",
        "end_of_utterance",
        "eos_token",
        "endoftext",
        "end_of_text",
        "end",
        "end_turn",
        "longcat_s",
    ];
    const ANSWERS: [&str; 17] = [
        "answer",
        "final_answer",
        "finalanswer",
        "final",
        "finaltext",
        "response",
        "output",
        "reply",
        "dialogue",
        "dialog",
        "speech",
        "spoken",
        "say",
        "antwort",
        "réponse",
        "回答",
        "إجابة",
    ];
    let closes = lower.starts_with('/');
    let bare = lower.trim_start_matches('/');
    let name = bare.split([' ', '=']).next().unwrap_or_default();
    let is_empty = bare.ends_with('/');
    let name = name.trim_end_matches('/');
    if let Some(byte) = name.strip_prefix("0x") {
        return (byte.len() == 2).then_some(match byte {
            "0a" => Sign::Char('\n'),
            _ => Sign::Gone,
        });
    }
    if let Some(number) = name
        .strip_prefix("unused")
        .filter(|n| n.bytes().all(|b| b.is_ascii_digit()))
    {
        return Some(match number {
            "94" => Sign::Thought("unused".to_owned()),
            "95" => Sign::ThoughtEnds("unused".to_owned()),
            _ => Sign::Gone,
        });
    }
    // Of Nemotron, and of models that fill gaps or see pictures.
    let numbered = ["special_", "extra_id_"]
        .into_iter()
        .find_map(|kind| name.strip_prefix(kind));
    if numbered.is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit())) {
        return Some(match name {
            "special_12" => Sign::TurnEnds,
            _ => Sign::Gone,
        });
    }
    if matches!(name, "im_patch" | "image" | "image_pad") {
        return Some(Sign::Gone);
    }
    if is_thought(name) {
        // Some names have a number after them that changes with each reply.
        let name = name
            .split_once(':')
            .filter(|(name, _)| is_thought(name))
            .map_or(name, |(name, _)| name);
        return Some(match (closes, is_empty) {
            (_, true) => Sign::Gone,
            (true, _) => Sign::ThoughtEnds(name.to_owned()),
            (false, _) => Sign::Thought(name.to_owned()),
        });
    }
    if ANSWERS.contains(&name) {
        return Some(match (closes, is_empty) {
            (_, true) => Sign::Gone,
            (true, _) => Sign::AnswerEnds,
            (false, _) => Sign::Answer,
        });
    }
    if BREAKS.contains(&name) {
        return Some(Sign::Char('\n'));
    }
    if name == "s" && closes || ENDS.contains(&name) {
        return Some(Sign::TurnEnds);
    }
    if GONE.contains(&name) {
        // "x <i think> y" is no tag.
        let has_attributes = bare
            .split_once(' ')
            .is_none_or(|(_, rest)| rest == "/" || rest.contains('='));
        return has_attributes.then_some(Sign::Gone);
    }
    match name {
        "start_of_turn" | "im_start" => return Some(Sign::Role),
        "role" if closes => return Some(Sign::HeaderEnd),
        "role" => return Some(Sign::Role),
        "longcat_user" | "longcat_system" | "用户" => {
            return Some(Sign::RoleIs("user".to_owned()));
        }
        "longcat_assistant" => return Some(Sign::RoleIs("assistant".to_owned())),
        "ai" => return Some(Sign::RoleIs("assistant".to_owned())),
        _ => {}
    }
    let calls = [
        "tool",
        "function",
        "invoke",
        "parameter",
        "arg_key",
        "arg_value",
        "antml",
        "dsml",
    ];
    if calls
        .iter()
        .any(|word| name.starts_with(word) || name.contains(":tool") || name.contains("_tool"))
    {
        return Some(Sign::Machine);
    }
    // A pair of unknown tags may hold anything but speech; one that is never closed is text.
    match (closes, name.chars().count()) {
        (true, 2..) => Some(Sign::Machine),
        (false, 3..) => Some(Sign::MayBeThought),
        _ => None,
    }
}

/// Whether a text is the beginning of a token that ends a turn, and not all of it.
pub(super) fn is_half_token(text: &str) -> bool {
    const TOKENS: [&str; 12] = [
        "</s>",
        "</think>",
        "<end_of_turn>",
        "<start_of_turn>",
        "<|im_end|>",
        "<|im_start|>",
        "<|eot_id|>",
        "<|end|>",
        "<|endoftext|>",
        "<|end_of_text|>",
        "<|user|>",
        "[/inst]",
    ];
    let text = text.to_ascii_lowercase();
    text.len() > 2 && TOKENS.iter().any(|token| token.starts_with(&text))
}

/// A token `<|..|>`, or one with a single bar, by its text in lower case.
fn token(lower: &str) -> Sign {
    let closes = lower.starts_with('/') || lower.starts_with("|/");
    let key: String = lower
        .chars()
        .map(|c| {
            if c.is_alphanumeric() || c == '"' {
                c
            } else {
                '_'
            }
        })
        .collect();
    let key = key.trim_matches('_');
    let bare = key
        .strip_prefix("im_")
        .or(key.strip_prefix("hy_"))
        .or(key.strip_prefix("message_"))
        .unwrap_or(key);
    let bare = bare.strip_suffix("_token").unwrap_or(bare);
    let has = |words: &[&str]| words.iter().any(|word| key.contains(word));
    match key {
        "\"" => return Sign::Char('"'),
        "channel" if lower == "channel|" => return Sign::ThoughtEnds("channel".to_owned()),
        "channel" => return Sign::Channel,
        "message" | "end_header_id" | "header_end" | "im_sep" | "im_middle" | "role_end"
        | "end_of_role" | "role_sep" => {
            return Sign::HeaderEnd;
        }
        "constrain" => return Sign::Constrain,
        "turn" if lower == "turn|" => return Sign::TurnEnds,
        "im_start" | "ifm_im_start" | "start_header_id" | "header_start" | "start"
        | "start_of_turn" | "role_start" | "start_of_role" | "turn" => return Sign::Role,
        "start_of_turn_token" => return Sign::Gone,
        "content_thinking" => return Sign::ContentThought,
        "content_text" => return Sign::Answer,
        "inner_prefix" => return Sign::Thought("inner".to_owned()),
        "inner_suffix" => return Sign::ThoughtEnds("inner".to_owned()),
        "call" | "return" => return Sign::TurnEnds,
        _ => {}
    }
    if role_of(bare).is_some() {
        return Sign::RoleIs(bare.to_owned());
    }
    if bare == "userprompt" {
        return Sign::RoleIs("user".to_owned());
    }
    let (begins, ends) = (has(&["begin", "start"]), closes || has(&["end", "close"]));
    if is_thought(key) && (begins || ends) {
        let name = "token".to_owned();
        return if ends {
            Sign::ThoughtEnds(name)
        } else {
            Sign::Thought(name)
        };
    }
    // GLM puts a part of its answer into a box: "The king is <|begin_of_box|>not<|end_of_box|> dead."
    if has(&["of_box"]) {
        return Sign::Gone;
    }
    if has(&["response", "solution", "answer"]) {
        return if ends && !begins {
            Sign::AnswerEnds
        } else {
            Sign::Answer
        };
    }
    if has(&[
        "tool", "python", "function", "action", "invoke", "dsml", "call",
    ]) {
        return Sign::Machine;
    }
    if ends || has(&["eot", "eos", "eom", "sep", "stop"]) {
        return Sign::TurnEnds;
    }
    let gone = [
        "begin",
        "start",
        "bos",
        "pad",
        "unk",
        "mask",
        "extra_",
        "reserved",
        "vision",
        "image",
        "media",
        "img",
        "place_holder",
    ];
    match has(&gone) {
        true => Sign::Gone,
        false => Sign::Machine,
    }
}
