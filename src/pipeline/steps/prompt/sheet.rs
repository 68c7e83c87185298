//! What the sections of a prompt are written on.

use super::assembled::AssembledPrompt;
use super::budget::{CutItem, Line, Section};
use crate::base::shared_text::SharedText;
use crate::engine::{PromptMessage, Role};
use crate::text::sentence::{is_closer, is_end_mark};
use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

/// The sections of a prompt as they are written, one after the other, and then in the order in which the engine reads them.
#[derive(Default)]
pub(super) struct Sheet {
    drafts: String,
    parts: Vec<Part>,
    pairs: Vec<Pair>,
    laid_out: String,
    messages: Vec<(Role, Range<usize>)>,
    /// The sections that were laid out, and where each begins.
    begins: Vec<(&'static str, usize)>,
}

/// A speech and an answer, each a separate message.
struct Pair {
    section: &'static str,
    heard: Range<usize>,
    answered: Range<usize>,
}

/// A section, and its place.
struct Part {
    section: Section,
    range: Range<usize>,
}

thread_local! {
    /// The room of the last sheet. Every attempt writes some thousand characters, and a text that grows to its size takes several
    /// times as much memory as it has in the end.
    static KEPT: Cell<Sheet> = const { Cell::new(Sheet::EMPTY) };
}

/// More room than this, in bytes, is not kept.
const MOST_KEPT: usize = 1 << 18;

impl Sheet {
    const EMPTY: Self = Self {
        drafts: String::new(),
        parts: Vec::new(),
        pairs: Vec::new(),
        laid_out: String::new(),
        messages: Vec::new(),
        begins: Vec::new(),
    };

    /// Calls `write` with an empty sheet, and returns its result.
    pub fn with<R>(write: impl FnOnce(&mut Self) -> R) -> R {
        let mut sheet = KEPT.take();
        let written = write(&mut sheet);
        if sheet.drafts.capacity() <= MOST_KEPT {
            sheet.drafts.clear();
            sheet.parts.clear();
            sheet.pairs.clear();
            sheet.laid_out.clear();
            sheet.messages.clear();
            sheet.begins.clear();
            KEPT.set(sheet);
        }
        written
    }

    /// Writes a section as it is, without a heading.
    pub fn plain(&mut self, name: &'static str, write: impl FnOnce(&mut String)) {
        let begin = self.drafts.len();
        write(&mut self.drafts);
        let chars = self.drafts[begin..].chars().count();
        self.parts.push(Part {
            section: Section { name, chars },
            range: begin..self.drafts.len(),
        });
    }

    /// Writes a section: a heading and the text below it; nothing when there is no text.
    pub fn section(&mut self, name: &'static str, heading: &str, write: impl FnOnce(&mut String)) {
        self.plain(name, |out| {
            let begin = out.len();
            out.extend(["## ", heading, "\n"]);
            let below = out.len();
            write(out);
            if out.len() == below {
                out.truncate(begin);
            } else {
                out.push('\n');
            }
        });
    }

    /// Writes a section of lines that had room.
    pub fn lines<'a, L: Line + 'a>(
        &mut self,
        name: &'static str,
        heading: &str,
        lines: impl IntoIterator<Item = &'a L>,
    ) {
        self.section(name, heading, |out| {
            for line in lines {
                // Writing to a string cannot fail.
                let _ = line.write(out);
            }
        });
    }

    /// All sections that were written, with their sizes; 0 characters for an empty one.
    pub(crate) fn sections(&self) -> impl Iterator<Item = &Section> {
        self.parts.iter().map(|part| &part.section)
    }

    /// How many characters all sections have.
    pub fn chars(&self) -> usize {
        self.sections().map(|section| section.chars).sum()
    }

    /// How many characters the section of this name has.
    pub fn chars_of(&self, name: &str) -> usize {
        let section = self.sections().find(|section| section.name == name);
        section.map_or(0, |section| section.chars)
    }

    /// Writes a speech and an answer, as two messages.
    pub fn pair(
        &mut self,
        section: &'static str,
        heard: impl FnOnce(&mut String),
        answered: impl FnOnce(&mut String),
    ) {
        let begin = self.drafts.len();
        heard(&mut self.drafts);
        let between = self.drafts.len();
        answered(&mut self.drafts);
        self.pairs.push(Pair {
            section,
            heard: begin..between,
            answered: between..self.drafts.len(),
        });
    }

    /// Lays out one message of the sections of these names; empty ones are left out.
    pub fn lay_out(&mut self, role: Role, names: &[&'static str]) {
        self.begin(role);
        self.add_as_written(names);
        self.end();
    }

    fn add_as_written(&mut self, names: &[&'static str]) {
        for name in names {
            let part = self.parts.iter().find(|part| part.section.name == *name);
            if let Some(part) = part.filter(|part| !part.range.is_empty()) {
                self.begins.push((name, self.laid_out.len()));
                self.laid_out.push_str(&self.drafts[part.range.clone()]);
            }
        }
    }

    /// Lays out one message as prose: sections without their headings, each led in by the words that `lead` gives for its name, and lists
    /// as sentences. `between` separates two sections. Where there are sections to follow (`then`, as they were written), the prose before
    /// them is put in parentheses.
    pub fn lay_out_prose<'a>(
        &mut self,
        role: Role,
        names: &[&'static str],
        between: &str,
        then: &[&'static str],
        lead: impl Fn(&str) -> &'a str,
    ) {
        self.begin(role);
        let (begin, is_aside) = (self.laid_out.len(), !then.is_empty());
        for name in names {
            let at = self.laid_out.len();
            self.laid_out.push_str(match at == begin {
                true if is_aside => "(",
                true => "",
                false => between,
            });
            let below = self.laid_out.len();
            let part = self.parts.iter().find(|part| part.section.name == *name);
            let draft = part.map_or("", |part| &self.drafts[part.range.clone()]);
            prose(draft, lead(name), &mut self.laid_out);
            match self.laid_out.len() == below {
                true => self.laid_out.truncate(at),
                false => self.begins.push((name, below)),
            }
        }
        if is_aside && self.laid_out.len() > begin {
            self.laid_out.push_str(")\n");
        }
        self.add_as_written(then);
        self.end();
    }

    /// Lays out the pairs, each as two messages.
    pub fn lay_out_pairs(&mut self) {
        for Pair {
            section,
            heard,
            answered,
        } in std::mem::take(&mut self.pairs)
        {
            self.go_on(section);
            for (role, text) in [(Role::User, heard), (Role::Assistant, answered)] {
                self.begin(role);
                self.laid_out.push_str(&self.drafts[text]);
                self.end();
            }
        }
    }

    /// Lays out one message that is a part of a section.
    pub fn lay_out_text(&mut self, role: Role, section: &'static str, text: &str) {
        self.go_on(section);
        self.begin(role);
        self.laid_out.push_str(text);
        self.end();
    }

    /// Begins a section here, unless the last one goes on.
    fn go_on(&mut self, section: &'static str) {
        if self.begins.last().is_none_or(|(last, _)| *last != section) {
            self.begins.push((section, self.laid_out.len()));
        }
    }

    fn begin(&mut self, role: Role) {
        let at = self.laid_out.len();
        self.messages.push((role, at..at));
    }

    /// Ends a message: an empty line follows it. One without words is none.
    fn end(&mut self) {
        let Some((_, range)) = self.messages.last_mut() else {
            return;
        };
        let words = self.laid_out[range.start..].trim_end_matches('\n').len();
        range.end = range.start + words;
        self.laid_out.truncate(range.end);
        if words == 0 {
            let from = range.start;
            self.messages.pop();
            self.begins.retain(|(_, at)| *at < from);
        } else {
            self.laid_out.push_str(BETWEEN);
        }
    }

    /// The prompt as it was laid out: the texts of its messages, with an empty line between them.
    pub(crate) fn prompt(&mut self, cut: Vec<CutItem>) -> AssembledPrompt {
        let words = self.messages.last().map_or(0, |(_, range)| range.end);
        self.laid_out.truncate(words);
        let text: Arc<str> = self.laid_out.as_str().into();
        let messages = self.messages.iter().map(|(role, range)| PromptMessage {
            role: *role,
            content: SharedText::part(&text, range.clone()),
        });
        let sections = (0..self.begins.len()).map(|at| {
            let (name, begin) = self.begins[at];
            let end = self.begins.get(at + 1).map_or(text.len(), |next| next.1);
            Section {
                name,
                chars: text[begin..end].chars().count(),
            }
        });
        AssembledPrompt {
            messages: messages.collect(),
            sections: sections.collect(),
            cut: cut.into(),
            text,
        }
    }
}

/// A section as prose: without its heading, and its list as sentences.
fn prose(draft: &str, lead: &str, out: &mut String) {
    let below = match draft.strip_prefix("## ") {
        Some(rest) => rest.split_once('\n').map_or("", |(_, below)| below),
        None => draft,
    };
    let below = below.trim_end();
    if below.is_empty() {
        return;
    }
    if !lead.is_empty() {
        out.extend([lead, " "]);
    }
    if !below.lines().all(|line| line.starts_with("- ")) {
        return out.push_str(below);
    }
    let ends = |text: &str| text.trim_end_matches(is_closer).ends_with(is_end_mark);
    for (nth, line) in below.lines().enumerate() {
        if nth > 0 {
            out.push_str(if ends(out) { " " } else { ", " });
        }
        out.push_str(line.trim_start_matches("- "));
    }
    if !ends(out) {
        out.push('.');
    }
}

/// The text between two messages of a prompt that is written as one text.
const BETWEEN: &str = "\n\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p14_prose_has_no_heading_and_no_list() {
        let prompt = Sheet::with(|sheet| {
            sheet.section("seen", "Seen", |out| out.push_str("- apple\n- oak door\n"));
            sheet.section("remembered", "Remembered", |out| {
                out.push_str("- It rained.\n- \"Run!\"\n- A dog barked\n");
            });
            sheet.section("who", "Who", |out| {
                out.push_str("You are old.\nYou are wise.\n")
            });
            sheet.section("empty", "Empty", |_| {});
            sheet.plain("input", |out| out.push_str("- Hello?"));
            let lead = |name: &str| if name == "seen" { "You see:" } else { "" };
            sheet.lay_out_prose(
                Role::System,
                &["who", "empty", "remembered"],
                "\n\n",
                &[],
                lead,
            );
            sheet.lay_out_prose(
                Role::User,
                &["empty", "seen", "remembered"],
                " ",
                &["input"],
                lead,
            );
            sheet.lay_out_prose(Role::User, &["empty"], " ", &["input"], lead);
            sheet.prompt(Vec::new())
        });
        let texts: Vec<&str> = prompt.messages().iter().map(|one| &*one.content).collect();
        let remembered = "It rained. \"Run!\" A dog barked.";
        assert_eq!(
            texts,
            [
                format!("You are old.\nYou are wise.\n\n{remembered}"),
                format!("(You see: apple, oak door. {remembered})\n- Hello?"),
                "- Hello?".to_owned(),
            ]
        );
    }

    #[test]
    fn p5_a_message_without_words_is_none() {
        for now in ["", "\n", "\n\n\n"] {
            let prompt = Sheet::with(|sheet| {
                sheet.plain("system", |out| out.push_str("You are here.\n"));
                sheet.plain("view", |out| out.push_str(now));
                sheet.lay_out(Role::System, &["system"]);
                sheet.lay_out(Role::User, &["view"]);
                sheet.prompt(Vec::new())
            });
            assert_eq!(&**prompt.text(), "You are here.", "{now:?}");
            assert_eq!(prompt.messages().len(), 1);
            let sections: Vec<_> = prompt
                .sections
                .iter()
                .map(|one| (one.name, one.chars))
                .collect();
            assert_eq!(sections, [("system", 13)]);
        }
    }
}
