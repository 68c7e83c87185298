//! The known names among the words of a text.

use super::tokens::Token;
use super::words::Words;
use crate::text::fold::fold;
use std::ops::Range;

/// The known names in a fragment, by the tokens where they begin and end.
pub(super) struct Names {
    all: Vec<Named>,
    starts: Vec<Option<usize>>,
    ends: Vec<Option<usize>>,
}

impl Names {
    pub(super) fn from(&self, start: usize) -> Option<&Named> {
        self.all.get((*self.starts.get(start)?)?)
    }

    pub(super) fn until(&self, end: usize) -> Option<&Named> {
        self.all.get((*self.ends.get(end)?)?)
    }
}

/// A known name in a fragment.
pub(super) struct Named {
    pub(super) range: Range<usize>,
    pub(super) of: usize,
    /// Whether it follows a preposition or is in the genitive, and so is no subject.
    pub(super) is_oblique: bool,
}

pub(super) fn is_possessive(behind: &[Token]) -> bool {
    let mark = behind
        .first()
        .is_some_and(|mark| matches!(mark.text.as_str(), "'" | "’" | "‘" | "`" | "´"));
    mark && behind.get(1).is_some_and(|s| s.text == "s" || !s.is_word)
}

impl Words<'_> {
    /// The name that begins at a token: how many tokens it has, and whose it is. A name that is also a common word counts only as
    /// it is written.
    pub(super) fn name_at(
        &self,
        text: &str,
        tokens: &[Token],
        at: usize,
    ) -> Option<(usize, usize)> {
        let (len, of) = self.names.at(tokens, at)?;
        let range = tokens.get(at)?.range.start..tokens.get(at + len - 1)?.range.end;
        let as_written = text.get(range).unwrap_or_default();
        match self.written.get(&fold(as_written)) {
            Some(forms) if !forms.contains(as_written) => None,
            _ => Some((len, of)),
        }
    }

    pub(super) fn names_in(&self, text: &str, tokens: &[Token]) -> Names {
        let mut names = Names {
            all: Vec::new(),
            starts: vec![None; tokens.len() + 1],
            ends: vec![None; tokens.len() + 1],
        };
        let mut at = 0;
        while at < tokens.len() {
            let Some((len, of)) = self.name_at(text, tokens, at) else {
                at += 1;
                continue;
            };
            let before = at.checked_sub(1).map(|before| tokens[before].text.as_str());
            // "to Odo", "Odo's": no subject.
            let is_oblique = before.is_some_and(|before| self.prepositions.contains(before))
                || is_possessive(&tokens[at + len..]);
            names.starts[at] = Some(names.all.len());
            names.ends[at + len] = Some(names.all.len());
            names.all.push(Named {
                range: at..at + len,
                of,
                is_oblique,
            });
            at += len;
        }
        names
    }
}
