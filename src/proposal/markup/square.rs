//! Marks in square brackets, and those that have one spelling.

use super::signs::{MAX_MARK, Read, Sign};

/// Marks that have one spelling.
pub(super) fn listed(held: &str) -> Read {
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
pub(super) fn bracket(held: &str) -> Read {
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
