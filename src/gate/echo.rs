//! A line in which a character repeats what it has just said.

use super::degenerate::span_of;
use super::verdict::{Failure, FailureReason};
use crate::base::fixed::Millionths;
use crate::rules::RuleSeverity;
use crate::text::excerpt;
use crate::text::word_runs::{WordRuns, place_of_runs};
use std::ops::Range;

/// Where a line repeats one of the `earlier` ones: the longest stretch of it, in bytes. `None` if none of them has more than
/// this share of its runs of words. An earlier line is given as the hashes of its runs, sorted.
#[must_use]
pub(super) fn echoed<'l>(
    line: &str,
    mut earlier: impl Iterator<Item = &'l [u64]>,
    share: Millionths,
) -> Option<Range<usize>> {
    let runs: Vec<u64> = WordRuns::of(line).hashes().collect();
    earlier.find_map(|said| {
        let is_said = |run: &u64| said.binary_search(run).is_ok();
        let again = runs.iter().filter(|run| is_said(run)).count();
        let is_echo = is_more_than(again, runs.len(), share);
        is_echo.then(|| place_of_runs(line, longest(runs.iter().map(is_said))))?
    })
}

fn is_more_than(part: usize, whole: usize, share: Millionths) -> bool {
    let [part, whole] = [part, whole].map(|count| i128::try_from(count).unwrap_or(i128::MAX));
    part.saturating_mul(i128::from(Millionths::ONE.0)) > whole.saturating_mul(i128::from(share.0))
}

/// The longest stretch in which all are true; of equal ones the first.
fn longest(all: impl Iterator<Item = bool>) -> Range<usize> {
    let (mut best, mut from) = (0..0, 0);
    for (at, one) in all.enumerate() {
        if !one {
            from = at + 1;
        } else if at + 1 - from > best.len() {
            best = from..at + 1;
        }
    }
    best
}

/// The failure of a line that repeats earlier words at these bytes.
pub(super) fn failure(line: &str, again: Range<usize>, severity: RuleSeverity) -> Failure {
    let span = span_of(line, again);
    Failure {
        reason: FailureReason::Repetition,
        rule: "echo".to_owned(),
        severity,
        message: format!(
            "the character has said that before (\"{}\")",
            excerpt(&span.text)
        ),
        span: Some(span),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::said_line::SaidLine;

    fn says_again<'t>(earlier: &[&str], line: &'t str, share: i64) -> Option<&'t str> {
        let earlier: Vec<SaidLine> = earlier
            .iter()
            .map(|text| SaidLine::new((*text).into()))
            .collect();
        let found = echoed(line, earlier.iter().map(SaidLine::runs), Millionths(share));
        found.map(|range| &line[range])
    }

    const SHARE: i64 = 700_000;

    #[test]
    fn m9_a_line_that_was_said_is_an_echo() {
        let said = "The tower is old, and the stairs are steep.";
        let words = "the tower is old AND THE STAIRS ARE STEEP";
        assert_eq!(
            says_again(&["Hm.", said, "Yes."], words, SHARE),
            Some(words)
        );
        assert_eq!(says_again(&[], said, SHARE), None);
        // Fewer than four words never are.
        assert_eq!(says_again(&["Good day, Ann."], "Good day, Ann.", 0), None);
        assert_eq!(says_again(&["", "..."], "...", 0), None);
    }

    #[test]
    fn m9_an_echo_is_more_than_the_share_of_one_line() {
        // Seven of the ten runs.
        let said = "a b c d e f g h i j";
        let line = "a b c d e f g h i j x y z";
        assert_eq!(says_again(&[said], line, 700_000), None);
        assert_eq!(says_again(&[said], line, 699_999), Some(said));
        // No share is more than all of it, and any run is more than none.
        assert_eq!(says_again(&[said], said, 1_000_000), None);
        assert_eq!(says_again(&[said], "v w x y a b c d", 0), Some("a b c d"));
        // Halves of two lines are no echo of either.
        assert_eq!(
            says_again(&["a b c d e", "e f g h i"], "a b c d e f g h i", SHARE),
            None
        );
    }

    #[test]
    fn m9_a_paraphrase_is_no_echo() {
        let said = "The tower is old, and the stairs are steep.";
        let line = "An old tower, this one, and steep are its stairs.";
        assert_eq!(says_again(&[said], line, SHARE), None);
    }

    #[test]
    fn m9_words_that_come_again_and_again_cost_no_more() {
        let line = "la ".repeat(10_000);
        let again = says_again(&[line.as_str(); 3], &line, SHARE);
        assert_eq!(again, Some(line.trim_end()));
    }
}
