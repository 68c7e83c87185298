//! Where a line ends when the engine is asked for the line alone: after a number of sentences, and before one that it repeats.

use super::repetition::plain;
use crate::proposal::Proposal;
use std::collections::BTreeSet;

/// Why a line ends before its reply does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pipeline) enum Cut {
    /// It has as many sentences as it may have.
    Sentences,
    /// Its next sentence was said in it already.
    Repeats,
}

/// Watches the sentences of a reply for the one after which its line ends.
#[derive(Debug)]
pub(in crate::pipeline) struct LineEnd {
    most: usize,
    said: BTreeSet<String>,
    sentences: usize,
    /// Where the last sentence ends that counts, in bytes of the line.
    end: usize,
    cut: Option<Cut>,
}

impl LineEnd {
    /// The end of a line of at most `most` sentences.
    pub(in crate::pipeline) fn new(most: u32) -> Self {
        Self {
            most: usize::try_from(most).unwrap_or(usize::MAX).max(1),
            said: BTreeSet::new(),
            sentences: 0,
            end: 0,
            cut: None,
        }
    }

    /// The next sentence of the line ends here. `is_last`: the reply ends with it.
    pub(in crate::pipeline) fn add(&mut self, line: &str, end: usize, is_last: bool) {
        if self.cut.is_some() || end <= self.end {
            return;
        }
        let said = plain(line.get(self.end..end).unwrap_or_default());
        if self.sentences == self.most {
            self.cut = Some(Cut::Sentences);
        } else if !said.is_empty() && !self.said.insert(said) {
            self.cut = Some(Cut::Repeats);
        } else {
            self.end = end;
            self.sentences += 1;
            if self.sentences == self.most && !is_last {
                self.cut = Some(Cut::Sentences);
            }
        }
    }

    /// Where the line ends and why, if that is before the end of its reply.
    pub(in crate::pipeline) fn cut(&self) -> Option<(usize, Cut)> {
        self.cut.map(|cut| (self.end, cut))
    }
}

/// Ends the line of a whole reply where it is to end.
pub(in crate::pipeline) fn end_line(proposal: &mut Proposal, most: u32) {
    let mut line_end = LineEnd::new(most);
    let ends = proposal.sentence_ends();
    for (nth, end) in ends.iter().enumerate() {
        line_end.add(&proposal.dialogue, *end, nth + 1 == ends.len());
    }
    if let Some((end, cut)) = line_end.cut() {
        cut_line(proposal, end, cut);
    }
}

/// Ends a line here, with a warning that says why.
pub(in crate::pipeline) fn cut_line(proposal: &mut Proposal, end: usize, cut: Cut) {
    match cut {
        Cut::Sentences => proposal.end_line(
            end,
            "sentences",
            "the line has as many sentences as it may have, and was ended",
        ),
        Cut::Repeats => proposal.end_line(
            end,
            "repeats",
            "the line began to repeat itself, and was ended",
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proposal::{ParseOptions, parse};

    fn ended(reply: &str, most: u32) -> (String, Vec<&'static str>) {
        let mut proposal = parse(reply.as_bytes(), &ParseOptions::default()).unwrap();
        end_line(&mut proposal, most);
        let rules = proposal.warnings.iter().map(|warning| warning.rule);
        (proposal.dialogue.clone(), rules.collect())
    }

    #[test]
    fn p14_a_line_ends_behind_its_last_sentence_and_before_one_that_it_repeats() {
        for (reply, line, rules) in [
            ("One. Two.", "One. Two.", &[][..]),
            ("One. Two. Three.", "One. Two. Three.", &[]),
            ("One. Two. Three. Four.", "One. Two. Three.", &["sentences"]),
            ("One. Two. Three. And", "One. Two. Three.", &["sentences"]),
            ("One. Two. one!", "One. Two. one!", &[]),
            ("One. One! One. Two.", "One. One!", &["repeats"]),
            ("One. Two. ONE. Three.", "One. Two.", &["repeats"]),
            ("The cat. The cat.", "The cat.", &["repeats"]),
            ("Yes", "Yes", &[]),
            ("Ja. Ja.", "Ja.", &["repeats"]),
        ] {
            assert_eq!(
                ended(reply, 3),
                (line.to_owned(), rules.to_vec()),
                "{reply}"
            );
        }
    }
}
