//! The label of a line, `Eldrin (softly): ..`, and the marks of Markdown and of lists before it.

use super::white_space::GAP;

/// The longest label, in bytes.
pub(super) const MAX_LABEL: usize = 200;

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

/// White space, or a place where something was cut out.
pub(super) fn is_gap(c: char) -> bool {
    c.is_whitespace() || c == GAP
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

pub(super) fn is_mark(c: char) -> bool {
    matches!(c, '*' | '_' | '[' | ']' | '`' | '#' | '@' | '—' | '–')
}

/// The colon, and what looks like it.
pub(super) const COLONS: [char; 7] = [':', '：', '﹕', '∶', '꞉', '︰', 'ː'];

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
pub(super) fn without_list_marks(line: &str) -> &str {
    let line = without_line_marks(line);
    match behind_list_number(line) {
        Some(rest) if rest.starts_with(' ') => without_line_marks(rest.trim_start()),
        _ => line,
    }
}

/// The text after the number of a list, such as `2.`; `None` where the text begins with none.
pub(super) fn behind_list_number(text: &str) -> Option<&str> {
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
