//! How long the calls of an engine take, from its last ones.

use crate::base::fixed::Millis;
use std::collections::VecDeque;

/// How many of the last calls have their times kept.
const KEPT: usize = 16;
/// With fewer calls than this there is no estimate.
const ENOUGH: usize = 4;

/// The times of the last calls that were answered, in call time.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pace(VecDeque<i64>);

impl Pace {
    /// A call was answered after this time.
    pub fn note(&mut self, took: Millis) {
        if self.0.len() == KEPT {
            self.0.pop_front();
        }
        self.0.push_back(took.0.max(0));
    }

    /// How long a call takes: the median of the last ones, the lower of two. `None` while too little is known.
    pub fn typical(&self) -> Option<Millis> {
        if self.0.len() < ENOUGH {
            return None;
        }
        let mut times: Vec<i64> = self.0.iter().copied().collect();
        times.sort_unstable();
        times.get((times.len() - 1) / 2).copied().map(Millis)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e1_the_pace_is_the_median_of_the_last_calls() {
        let mut pace = Pace::default();
        for took in [900, 100, 200] {
            pace.note(Millis(took));
        }
        assert_eq!(pace.typical(), None);
        pace.note(Millis(300));
        assert_eq!(pace.typical(), Some(Millis(200)));
        for _ in 0..KEPT {
            pace.note(Millis(5_000));
        }
        assert_eq!(
            pace.typical(),
            Some(Millis(5_000)),
            "old ones are forgotten"
        );
    }
}
