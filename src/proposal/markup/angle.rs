//! Marks in angle brackets: tags and tokens.

use super::roles::role_of;
use super::signs::{MAX_MARK, Read, Sign, is_thought};

/// Marks in angle brackets.
pub(super) fn angle(held: &str) -> Read {
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
    const GONE: [&str; 49] = [
        "start",
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
