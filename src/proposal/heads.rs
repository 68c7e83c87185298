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
//! | a rule: `---`, `***`, `===` | goes |

use super::markup::{is_other_role, is_own_role};
use super::names::label_key;
use super::options::ParseOptions;
use super::white_space::GAP;
use crate::text::sentence::is_end_mark;

/// The longest label, in bytes.
const MAX_LABEL: usize = 200;

/// The labels under which a model writes what it thinks.
pub(super) const THOUGHTS: [&str; 16] = [
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
const ANSWERS: [&str; 15] = [
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
        if ends_line && self.is_alone(rest, options) {
            return None;
        }
        loop {
            // What a label in brackets leaves.
            let bare = rest.trim_start_matches(|c| matches!(c, ':' | '：') || is_gap(c));
            if bare.len() < rest.len() && rest.trim_start_matches(is_gap).starts_with([':', '：'])
            {
                rest = bare;
                continue;
            }
            let Some((who, behind)) = self.label(rest, options) else {
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

    /// Whether a piece begins with a label, or is a name alone on its line.
    pub(super) fn is_headed(
        mut self,
        piece: &str,
        ends_line: bool,
        options: &ParseOptions,
    ) -> bool {
        let piece = piece.trim_matches(is_gap);
        self.label(piece, options).is_some() || ends_line && self.is_alone(piece, options)
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
        let is_rule = line.len() >= 3
            && line
                .chars()
                .all(|c| matches!(c, '-' | '=' | '*' | '_' | '─'));
        if is_rule {
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
    fn label<'a>(&self, text: &'a str, options: &ParseOptions) -> Option<(Who, &'a str)> {
        let (label, rest) = split_label(text)?;
        let who = who(label, options)?;
        Some((who, rest.trim_start_matches(is_gap)))
    }
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
    let is_own = options.speaker_names.iter().any(|name| {
        let name = label_key(name);
        !name.is_empty() && (name == key || name.split(' ').any(|part| part == key))
    });
    if is_own || is_own_role(&key) {
        Some(Who::Speaker)
    } else if options.other_names.has(&key) || is_other_role(&key) {
        Some(Who::Other)
    } else if THOUGHTS.contains(&key.as_str()) {
        Some(Who::Thought)
    } else if ANSWERS.contains(&key.as_str()) {
        Some(Who::Answer)
    } else {
        None
    }
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
    let at = begins
        .find([':', '：', '﹕'])
        .filter(|at| *at <= MAX_LABEL)?;
    let (label, rest) = begins.split_at(at);
    let rest = rest.strip_prefix([':', '：', '﹕']).unwrap_or(rest);
    // `**Ann:** Come in.`
    let rest = rest.trim_start_matches(['*', '_']);
    let label = label.trim_matches(|c| is_gap(c) || is_mark(c));
    let (label, mood) = match label
        .strip_suffix([')', '）'])
        .and_then(|inner| inner.rsplit_once(['(', '（']))
    {
        Some((name, mood)) => (name, Some(mood.trim())),
        None => (label, None),
    };
    let label = label.trim_matches(|c| is_gap(c) || is_mark(c));
    // `{{user}}:`
    let label = label.trim_start_matches('{').trim_end_matches('}');
    (!label.is_empty()).then_some((label, mood, rest))
}

fn is_mark(c: char) -> bool {
    matches!(c, '*' | '_' | '[' | ']' | '`' | '#')
}

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
