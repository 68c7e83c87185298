//! What the sections of a prompt are written on.

use super::budget::{Line, Section};
use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

/// The sections of a prompt as they are written, one behind the other, and then in the order in which the engine reads them.
#[derive(Default)]
pub(super) struct Sheet {
    drafts: String,
    parts: Vec<Part>,
    laid_out: String,
}

/// A section, and where it stands.
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
        laid_out: String::new(),
    };

    /// Lets something be written on an empty sheet.
    pub fn with<R>(write: impl FnOnce(&mut Self) -> R) -> R {
        let mut sheet = KEPT.take();
        let written = write(&mut sheet);
        if sheet.drafts.capacity() <= MOST_KEPT {
            sheet.drafts.clear();
            sheet.parts.clear();
            sheet.laid_out.clear();
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

    /// Writes a section: a heading and what stands below it; nothing when nothing does.
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

    /// All sections that were written, with their sizes; 0 characters of one in which nothing stands.
    pub fn sections(&self) -> impl Iterator<Item = &Section> {
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

    /// Lays out the sections of these names behind what was laid out before, but for those in which nothing stands.
    pub fn lay_out(&mut self, names: &[&'static str], sections: &mut Vec<Section>) {
        for name in names {
            let part = self.parts.iter().find(|part| part.section.name == *name);
            if let Some(part) = part.filter(|part| !part.range.is_empty()) {
                self.laid_out.push_str(&self.drafts[part.range.clone()]);
                sections.push(part.section.clone());
            }
        }
    }

    /// How many bytes were laid out.
    pub fn len(&self) -> usize {
        self.laid_out.len()
    }

    /// What was laid out.
    pub fn text(&self) -> Arc<str> {
        self.laid_out.as_str().into()
    }
}
