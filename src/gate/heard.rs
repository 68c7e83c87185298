//! Judging a line when a part of it was heard already.
//!
//! Words are judged together with what their run has said before them, so nothing is said in two pieces that may not be said
//! in one. A hit that lies wholly in what was heard does not count again.

use super::actions;
use super::context::GateContext;
use super::custom::CheckedWords;
use super::degenerate::{self, Names};
use super::mutations::{self, BroughtBy};
use super::verdict::{Failure, Verdict};
use super::words::{
    JudgedText, judge_canon, judge_constraints, judge_custom, judge_knowledge, judge_prohibitions,
};
use super::{Said, approved::Approvals, echo, language};
use crate::proposal::Proposal;
use crate::rules::RuleSeverity;
use crate::text::Span;
use std::ops::Range;

/// What a run has said before the words that are judged. Nothing, in the first attempt of a run that is judged as a whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HeardBefore {
    earlier: String,
    /// In characters of the whole line.
    heard: usize,
    /// Where the line of this attempt begins, in characters of the whole line.
    begins: usize,
    /// Where the last sentences begin, in bytes of the whole line. The next one is judged together with them.
    tail: usize,
    /// How many characters of the whole line are before the text that is judged.
    skipped: usize,
}

/// How much of a line is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Extent {
    /// A sentence after which others may follow: what is required may still come.
    Sentence,
    /// All of it.
    Line,
}

impl HeardBefore {
    /// What earlier attempts have said, and what this attempt has, each as one line.
    #[must_use]
    pub fn new(earlier: &str, this_attempt: &str) -> Self {
        let mut before = Self {
            earlier: earlier.to_owned(),
            ..Self::default()
        };
        before.begins = before.join("").chars().count();
        before.heard = match this_attempt.is_empty() {
            true => earlier.chars().count(),
            false => before.begins + this_attempt.chars().count(),
        };
        before
    }

    /// The same, where the next sentence is judged together with what was heard from `tail` on: a byte of the whole line where a
    /// sentence begins.
    #[must_use]
    pub fn with_tail(mut self, tail: usize) -> Self {
        self.tail = tail;
        self
    }

    /// What a sentence is judged together with: the end of the whole line, where that sentence follows what was heard. So the
    /// cost of a sentence does not grow with all that was heard before it.
    #[must_use]
    pub fn tail_of<'l>(&self, line: &'l str) -> (&'l str, Self) {
        let Some((before, tail)) = line.split_at_checked(self.tail) else {
            return (line, self.clone());
        };
        let mut heard = self.clone();
        heard.skipped = before.chars().count();
        (tail, heard)
    }

    /// The whole line: what earlier attempts have said, followed by the line of this one.
    #[must_use]
    pub fn join(&self, line: &str) -> String {
        match self.earlier.is_empty() {
            true => line.to_owned(),
            false => format!("{} {line}", self.earlier),
        }
    }

    /// The findings of a judge of the whole line that count. Their spans refer to the line of this attempt. If words that were
    /// already heard broke a rule, `judge` is asked again about only the words that were not heard yet.
    pub(crate) fn new_findings(
        &self,
        text: &JudgedText,
        judge: impl Fn(&JudgedText) -> Vec<Failure>,
    ) -> Vec<Failure> {
        let found = judge(text);
        if self.heard == 0 {
            return found;
        }
        let is_old = |finding: &Failure| {
            let heard = match finding.severity {
                // Warnings of an attempt tell of all of its line.
                RuleSeverity::Soft => self.begins,
                RuleSeverity::Hard | RuleSeverity::Critical => self.heard,
            };
            finding
                .span
                .as_ref()
                .is_some_and(|span| span.end + self.skipped <= heard)
        };
        let (old, mut new): (Vec<Failure>, Vec<Failure>) = found.into_iter().partition(is_old);
        new.iter_mut().for_each(|finding| self.shift(finding, 0));
        let old: Vec<Failure> = old
            .into_iter()
            .filter(|f| f.severity > RuleSeverity::Soft)
            .collect();
        if !old.is_empty() {
            let heard = self.heard.saturating_sub(self.skipped);
            let unheard: String = text.written().chars().skip(heard).collect();
            let mut again = judge(&JudgedText::new(&unheard));
            again.retain(|finding| {
                let same = |old: &Failure| old.rule == finding.rule && old.reason == finding.reason;
                finding.span.is_some() && old.iter().any(same)
            });
            again
                .iter_mut()
                .for_each(|finding| self.shift(finding, heard));
            new.extend(again);
        }
        new
    }

    /// The sentences of this attempt that the player has not heard, in bytes. Where a part was heard, the rest is one sentence.
    fn new_sentences<'p>(
        &self,
        proposal: &'p Proposal,
    ) -> impl Iterator<Item = Range<usize>> + use<'p> {
        let line = &proposal.dialogue;
        let heard = self.heard.saturating_sub(self.begins);
        let mut from = line
            .char_indices()
            .nth(heard)
            .map_or(line.len(), |(at, _)| at);
        let ends = match from {
            0 => proposal.sentence_ends(),
            _ => &[],
        };
        let ends = ends.iter().copied().filter(|end| *end < line.len());
        ends.chain([line.len()]).map(move |end| {
            let sentence = from..end;
            from = end;
            sentence
        })
    }

    fn shift(&self, finding: &mut Failure, by: usize) {
        if let Some(Span { start, end, .. }) = &mut finding.span {
            *start = (*start + by + self.skipped).saturating_sub(self.begins);
            *end = (*end + by + self.skipped).saturating_sub(self.begins);
        }
    }
}

/// Judges what a reply so far wants to do and remember. It does not judge what the reply says, except for words of its
/// actions.
#[must_use]
pub(crate) fn judge_proposed(context: &GateContext, proposal: &Proposal) -> Verdict {
    let mut verdict = Verdict::default();
    let _ = mutations::judge(context, &proposal.mutations, BroughtBy::Reply, &mut verdict);
    let emitted = mutations::judge_emitted(context, &proposal.intents, &mut verdict);
    let _ = actions::judge(context, &emitted, &mut verdict);
    verdict.close(Approvals::default()).0
}

/// Judges the next sentence of a reply, which more may follow: `proposal` has the line up to its end, and what the reply says
/// so far that it will do. What is required is not asked for. It is judged with the last sentences before it; once the reply is
/// over, [`judge_behind`](super::judge_behind) judges all of the line.
#[must_use]
pub(crate) fn judge_sentence(
    context: &GateContext,
    proposal: &Proposal,
    heard: &HeardBefore,
) -> Verdict {
    let line = heard.join(&proposal.dialogue);
    let (tail, heard) = &heard.tail_of(&line);
    let text = JudgedText::new(tail);
    let mut verdict = Verdict::default();
    let mut ignored = Verdict::default();
    let emitted = mutations::judge_emitted(context, &proposal.intents, &mut ignored);
    let intents = actions::judge(context, &emitted, &mut ignored);
    judge_form(context, proposal, &text, heard, &mut verdict);
    judge_words(context, &text, heard, Extent::Sentence, &mut verdict);
    actions::judge_together(context, tail, &intents, &mut verdict);
    judge_rules(context, &text, heard, Extent::Sentence, &mut verdict);
    judge_line(context, tail, heard, Extent::Sentence, &mut verdict);
    verdict.close(Approvals::default()).0
}

/// Whether what is said is speech.
pub(super) fn judge_form(
    context: &GateContext,
    proposal: &Proposal,
    text: &JudgedText,
    heard: &HeardBefore,
    verdict: &mut Verdict,
) {
    let names = Names::of(context);
    let sentences = heard.new_sentences(proposal);
    let found = degenerate::judge_sentences(names, &proposal.dialogue, sentences);
    verdict.add_all(found.into_iter().collect());
    let whole = |text: &JudgedText| degenerate::judge_text(text.written()).into_iter().collect();
    verdict.add_all(heard.new_findings(text, whole));
}

/// Constraints, canon and the knowledge boundary.
pub(super) fn judge_words(
    context: &GateContext,
    text: &JudgedText,
    heard: &HeardBefore,
    extent: Extent,
    verdict: &mut Verdict,
) {
    if text.readings().written().is_overgrown() {
        let why = "the reply is written in signs that stand for far more text";
        verdict.add(Failure::unreadable(why));
    }
    let constraints = |text: &JudgedText| match extent {
        Extent::Line => judge_constraints(context.constraints, text),
        Extent::Sentence => judge_prohibitions(context.constraints, text),
    };
    verdict.add_all(heard.new_findings(text, constraints));
    // A quotation that more may follow is not the whole reply.
    let said = match extent {
        Extent::Sentence => Said::Begun,
        Extent::Line => Said::Aloud,
    };
    let speaker = context.speaker();
    let canon = |text: &JudgedText| judge_canon(context.canon, text, said, speaker.as_deref());
    verdict.add_all(heard.new_findings(text, canon));
    verdict.add_all(heard.new_findings(text, |text| judge_knowledge(context, text)));
}

/// Custom rules and checks.
pub(super) fn judge_rules(
    context: &GateContext,
    text: &JudgedText,
    heard: &HeardBefore,
    extent: Extent,
    verdict: &mut Verdict,
) {
    let mut found = heard.new_findings(text, |text| judge_custom(context.custom, text));
    // What is required has no span.
    found.retain(|f| extent == Extent::Line || f.span.is_some());
    verdict.add_all(found);
    let words = match extent {
        Extent::Sentence => CheckedWords::Sentence,
        Extent::Line => CheckedWords::Dialogue,
    };
    let checks = |text: &JudgedText| {
        context
            .checks
            .judge(words, text.written(), &context.interaction, context.world)
    };
    verdict.add_all(heard.new_findings(text, checks));
}

/// In what language a line is, and once it is whole, whether it says again what its character has just said.
pub(super) fn judge_line(
    context: &GateContext,
    line: &str,
    heard: &HeardBefore,
    extent: Extent,
    verdict: &mut Verdict,
) {
    let Some(rules) = &context.lines else {
        return;
    };
    if let Some(lexicon) = rules.language
        && let Some(other) = language::other_language(line, lexicon, extent == Extent::Sentence)
    {
        verdict.add(language::failure(other, lexicon));
    }
    if extent == Extent::Sentence || rules.earlier.is_empty() {
        return;
    }
    let earlier = rules.earlier.iter().rev().map(|said| said.runs());
    if let Some(again) = echo::echoed(line, earlier, rules.echo) {
        let mut failure = echo::failure(line, again, rules.echo_severity);
        // Earlier attempts have said it: there are no words of this one to name.
        failure.span.take_if(|span| span.end <= heard.begins);
        heard.shift(&mut failure, 0);
        verdict.add(failure);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p12_a_sentence_is_judged_with_the_end_of_what_was_heard() {
        let before = HeardBefore::new("Ä first one.", "Sécond. Third.")
            .with_tail("Ä first one. Sécond. ".len());
        let line = before.join("Sécond. Third. Fourth.");
        let (tail, heard) = before.tail_of(&line);
        assert_eq!(tail, "Third. Fourth.");
        let at = |start: usize, end: usize| Failure {
            span: Some(Span::of(tail, start, end)),
            ..Failure::unreadable("x")
        };
        // "Third" was heard, "Fourth" was not; spans refer to the line of this attempt.
        let found = heard.new_findings(&JudgedText::new(tail), |text| {
            if text.written() == tail {
                vec![at(0, 5), at(7, 13)]
            } else {
                Vec::new()
            }
        });
        let spans: Vec<_> = found.iter().filter_map(|f| f.span.as_ref()).collect();
        assert_eq!(spans.len(), 1);
        assert_eq!((spans[0].start, spans[0].end), (15, 21));
        assert_eq!(spans[0].text, "Fourth");
    }

    #[test]
    fn p12_a_tail_that_is_no_place_of_the_line_leaves_the_line_whole() {
        let before = HeardBefore::new("", "Ä.").with_tail(1);
        assert_eq!(before.tail_of("Ä. B.").0, "Ä. B.");
    }
}
