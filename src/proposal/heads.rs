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
//! | `Option 1: ..` at the beginning | the label goes, and the next such label ends the reply |
//! | a rule: `---`, `***`, `===` | goes |

use super::explanations::is_explanation;
use super::labels::{MAX_LABEL, THOUGHTS, is_gap, split_label, split_mood, without_line_marks};
use super::names::{is_name_of, label_key, words};
use super::options::ParseOptions;
use super::preambles::is_preamble;
use super::quotation_marks::is_double;
use super::remarks::{
    is_about_answering, is_end_of_text, is_first_person, is_length, is_of_habit, is_of_program,
    is_remark, is_stage_direction, is_time_of_thought, without_aside,
};
use super::stars::Stars;
use super::verbs::{is_gesture, is_saying, is_verb};
use super::who::{
    Who, is_address, is_other_alone, is_signature, is_turn, named_in_form, other_label, who,
};
use crate::text::sentence::is_end_mark;

/// What the lines of a reply have said about the speaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Heads {
    state: State,
    has_said: bool,
    /// Whether the next piece continues a line.
    is_mid_line: bool,
    /// Whether the text tells what happens or what is wanted, and is not speech: no label ends it.
    is_told: bool,
    /// Whether it began with the number of a version: `Option 1: ..`
    has_versions: bool,
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

    /// Whether a marker behind this part of the next piece is the speaker's.
    pub(super) fn reads_behind(mut self, before: &str, options: &ParseOptions) -> bool {
        let piece = before.trim_end_matches(is_gap);
        let ends_line = before[piece.len()..].contains('\n');
        if !piece.is_empty() {
            self.take(piece, ends_line, options);
        }
        self.is_speaking() || self.state == State::SkippingLine && !self.is_mid_line
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
            || self.has_said && !self.is_told && is_signature(whole, options)
        {
            return None;
        }
        let speaks = !self.is_told && self.state == State::Speaking;
        if speaks && is_stage_direction(rest, options) {
            return None;
        }
        if speaks
            && self.has_said
            && (is_explanation(rest, begins_line, options)
                || begins_line && is_of_another(rest, options))
        {
            self.state = State::Ended;
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
            if let Some(behind) = version(rest).filter(|_| begins_line && !self.is_told) {
                if self.has_said && self.has_versions {
                    self.state = State::Ended;
                    return None;
                }
                if !self.has_said {
                    self.has_versions = true;
                    rest = behind;
                    continue;
                }
            }
            if let Some(behind) = behind_aside(rest, options).filter(|_| !self.is_told) {
                rest = behind;
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
        let is_remark = begins_line && (is_end_of_text(piece) || is_remark(piece, self.has_said))
            || is_length(piece);
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

    /// Whether a piece begins with a label of the speaker or of its answer.
    pub(super) fn is_headed_by_speaker(self, piece: &str, options: &ParseOptions) -> bool {
        let label = self.label(piece.trim_matches(is_gap), true, options);
        label.is_some_and(|(who, _)| matches!(who, Who::Speaker | Who::Answer))
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
        let has_said = self.has_said;
        let in_form = || named_in_form(line, options).filter(|_| !has_said);
        match who(line, options).or_else(in_form) {
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
        let begins = || other_label(text, options).filter(|_| begins_line);
        let Some((label, mood, rest)) = split_mood(text) else {
            return begins();
        };
        let rest = rest.trim_start_matches(is_gap);
        let is_addressed = begins_line && !self.has_said && is_address(label, options);
        let found = is_addressed
            .then_some(Who::Speaker)
            .or_else(|| who(label, options))
            .or_else(|| (begins_line && is_turn(label, rest)).then_some(Who::Other));
        let Some(mut who) = found else {
            return begins();
        };
        // In the middle of a line it is a word: "That is how it went. Analysis: it is poison."
        let key = label_key(label);
        let is_word = who == Who::Thought || matches!(&*key, "system" | "input" | "instruction");
        if is_word && !begins_line {
            return None;
        }
        if who == Who::Speaker && mood.is_some_and(|mood| THOUGHTS.contains(&&*label_key(mood))) {
            who = Who::Thought;
        }
        // The speaker tells what Ann has said: `Ann said: "Come in."`
        let is_told = who == Who::Other
            && label_key(label).ends_with(" said")
            && rest.starts_with(['"', '“', '„', '«']);
        (!is_told).then_some((who, rest))
    }
}

/// The text after the number of a version: `Option 1: ..`, `**Response B:** ..`
fn version(text: &str) -> Option<&str> {
    const VERSIONS: [&str; 9] = [
        "option", "version", "variant", "variante", "response", "reply", "answer", "antwort",
        "take",
    ];
    let (label, rest) = split_label(text)?;
    let key = label_key(label);
    let (word, number) = key.split_once(' ')?;
    let is_number = matches!(number, "a" | "b" | "c" | "d")
        || number.len() <= 2 && number.bytes().all(|b| b.is_ascii_digit());
    (VERSIONS.contains(&word) && is_number).then(|| rest.trim_start_matches(is_gap))
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

/// The text behind words in parentheses that are no speech: `(Worried) Well, ..`, `(Eldrin says nothing.)`
fn behind_aside<'a>(text: &'a str, options: &ParseOptions) -> Option<&'a str> {
    let (words, behind) = text.strip_prefix('(')?.split_once(')')?;
    let aside = Stars {
        before: "",
        words,
        behind,
    };
    let first = words.split(|c: char| !c.is_alphanumeric()).next();
    let tells_of_speaker = words.contains(' ')
        && first.is_some_and(|first| is_name_of(first, options.speaker_names))
        && behind.trim_matches(is_gap).is_empty();
    let is_aside = words.len() <= MAX_LABEL
        && !words.contains('(')
        && who(words, options).is_none()
        && (aside.is_lone_aside(options.lexicon) && !may_be_statement(words, options)
            || tells_of_speaker);
    is_aside.then(|| behind.trim_start_matches(is_gap))
}

/// Whether words without an end mark may say something all the same: "The key is under the mat", "Three with a bath".
fn may_be_statement(text: &str, options: &ParseOptions) -> bool {
    /// An aside has no more words.
    const MOST: usize = 5;
    let lexicon = options.lexicon;
    let lists = [
        &lexicon.auxiliaries,
        &lexicon.finite_verbs,
        &lexicon.object_pronouns,
    ];
    let said = words(text);
    said.len() > MOST
        || said.iter().any(|word| {
            lexicon.numbers.contains_key(word) || lists.iter().any(|list| list.contains(word))
        })
}

/// Whether a line tells what another known character says or does: `"Thank you," says Ann.`, `Ann smiles.`
fn is_of_another(line: &str, options: &ParseOptions) -> bool {
    let quoted = line
        .strip_prefix(is_double)
        .and_then(|line| line.split_once(is_double));
    let told = words(quoted.map_or(line, |(_, behind)| behind));
    let is_other = |word: &String| {
        options.other_names.has(&label_key(word)) && !is_name_of(word, options.speaker_names)
    };
    let lexicon = options.lexicon;
    // "Ann says that ..", "Ann never smiles" are speech.
    let is_speech = |word: &String| {
        is_first_person(word, lexicon)
            || lexicon.second_person.contains(word)
            || is_of_habit(word, lexicon)
    };
    let is_told = match quoted {
        Some(_) => {
            told.iter().take(3).any(is_other) && (0..3).any(|at| is_verb(&told, at, lexicon))
        }
        None => {
            let verb = told.get(1).filter(|_| !is_saying(&told, 1, lexicon));
            told.first().is_some_and(is_other) && verb.is_some_and(|verb| is_gesture(verb, lexicon))
        }
    };
    is_told && !told.iter().any(is_speech)
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

/// Whether a text is nothing but labels of the speaker or of its answer.
pub(super) fn are_only_labels(text: &str, options: &ParseOptions) -> bool {
    without_labels(text, options).is_empty()
}

/// A text without the labels of the speaker, or of its answer, that it begins with.
pub(super) fn without_labels<'a>(text: &'a str, options: &ParseOptions) -> &'a str {
    let mut rest = text.trim_matches(is_gap);
    while !rest.is_empty() {
        let line = rest.split('\n').next().unwrap_or_default();
        if is_preamble(line) {
            rest = rest[line.len()..].trim_start_matches(is_gap);
            continue;
        }
        let is_own = |who| matches!(who, Some(Who::Speaker | Who::Answer));
        let label = split_label(rest).filter(|(label, _)| is_own(who(label, options)));
        match label {
            Some((_, behind)) => rest = behind.trim_start_matches(is_gap),
            // What a label in brackets leaves.
            None if rest.starts_with([':', '：']) => {
                rest = rest
                    .trim_start_matches([':', '：'])
                    .trim_start_matches(is_gap)
            }
            None => return rest,
        }
    }
    rest
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
