//! A reply that begins with sentences that were heard already.

use crate::text::fold::fold;
use crate::text::single_spaced;

/// Finds out how much of the beginning of a reply repeats the heard sentences: sentences that equal those heard, from the first
/// or a later one up to the last.
#[derive(Debug, Default)]
pub(in crate::pipeline) struct Repetition {
    /// The heard sentences, folded.
    heard: Vec<String>,
    /// Where a repetition may have begun in it, as far as the reply goes on like it.
    begun: Vec<usize>,
    /// How many sentences of the reply were compared.
    compared: usize,
    /// Where in the reply's line the last compared sentence ends.
    end: usize,
    dropped: usize,
    is_decided: bool,
}

impl Repetition {
    /// A watch for repetitions in a reply that follows these sentences.
    pub(in crate::pipeline) fn of<'a>(heard: impl Iterator<Item = &'a str>) -> Self {
        let heard: Vec<String> = heard.map(plain).collect();
        Self {
            begun: (0..heard.len()).collect(),
            is_decided: heard.is_empty(),
            heard,
            ..Self::default()
        }
    }

    /// Whether it is known how much is a repetition.
    pub(in crate::pipeline) fn is_decided(&self) -> bool {
        self.is_decided
    }

    /// How many bytes of the reply's line are a repetition, as far as that is known.
    pub(in crate::pipeline) fn dropped(&self) -> usize {
        self.dropped
    }

    /// Nothing follows.
    pub(in crate::pipeline) fn decide(&mut self) {
        self.is_decided = true;
    }

    /// The next sentence of the reply ends here.
    pub(in crate::pipeline) fn add(&mut self, line: &str, end: usize) {
        if self.is_decided {
            return;
        }
        let said = plain(line.get(self.end..end).unwrap_or_default());
        let nth = self.compared;
        self.begun
            .retain(|begun| self.heard.get(begun + nth) == Some(&said));
        self.compared += 1;
        self.end = end;
        let last = self.heard.len();
        if self.begun.iter().any(|begun| begun + self.compared == last) {
            self.dropped = end;
        }
        let compared = self.compared;
        self.begun.retain(|begun| begun + compared < last);
        self.is_decided = self.begun.is_empty();
    }
}

/// How many bytes of a whole line repeat the heard sentences. `ends`: where its sentences end.
pub(in crate::pipeline) fn repeated_bytes<'a>(
    heard: impl Iterator<Item = &'a str>,
    line: &str,
    ends: &[usize],
) -> usize {
    let mut repeated = Repetition::of(heard);
    for end in ends.iter().copied().filter(|end| *end < line.len()) {
        repeated.add(line, end);
    }
    repeated.add(line, line.len());
    repeated.dropped()
}

/// Folded, with single spaces.
pub(super) fn plain(text: &str) -> String {
    single_spaced(&fold(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The part of a reply after the heard sentences.
    fn left(heard: &[&str], reply: &[&str]) -> String {
        let mut repeated = Repetition::of(heard.iter().copied());
        let line = reply.join(" ");
        let mut end = 0;
        let mut ends = Vec::new();
        for (nth, sentence) in reply.iter().enumerate() {
            end += sentence.len() + usize::from(nth > 0);
            repeated.add(&line, end);
            ends.push(end);
        }
        repeated.decide();
        let at_once = repeated_bytes(heard.iter().copied(), &line, &ends);
        assert_eq!(at_once, repeated.dropped(), "{reply:?} behind {heard:?}");
        line[repeated.dropped()..].trim().to_owned()
    }

    #[test]
    fn p12_a_beginning_that_repeats_what_was_heard_is_dropped() {
        for (heard, reply, rest) in [
            (&["Hi.", "Yes."][..], &["Hi.", "Yes.", "On."][..], "On."),
            (&["Hi.", "Yes."], &["yes.", "On."], "On."),
            (&["Hi.", "Yes."], &["Hi.", "On."], "Hi. On."),
            (
                &["Hi.", "Yes.", "Hi."],
                &["Hi.", "Yes.", "Hi.", "On."],
                "On.",
            ),
            (&["Hi.", "Yes.", "Hi."], &["Hi.", "Yes.", "On."], "Yes. On."),
            (&["Hi."], &["Hi."], ""),
            (&["Hi."], &["On.", "Hi."], "On. Hi."),
            (&["Hi."], &["Hi.", "Hi."], "Hi."),
            (&[], &["Hi."], "Hi."),
        ] {
            assert_eq!(left(heard, reply), rest, "{reply:?} behind {heard:?}");
        }
    }
}
