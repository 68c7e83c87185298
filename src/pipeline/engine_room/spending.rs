//! The calls and tokens that were spent within the last minute of call time.

use crate::base::fixed::Millis;
use crate::base::time::CallTime;
use crate::engine::Budget;
use std::collections::VecDeque;

/// The window of a [`Budget`].
const MINUTE_MS: i64 = 60_000;

/// A call that was made: when it began in call time, of which run, and how many tokens it took, or may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Spent {
    began: CallTime,
    run: u64,
    tokens: u64,
}

/// The calls that began within the last minute, the oldest first. There are never more of them than a budget of calls allows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Spending(VecDeque<Spent>);

/// The calls that are made before another one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Ahead {
    pub calls: u64,
    pub tokens: u64,
}

impl Spending {
    /// A call of this run begins. It may take `tokens` tokens.
    pub fn begin(&mut self, now: CallTime, run: u64, tokens: u64) {
        self.forget(now);
        let began = now;
        self.0.push_back(Spent { began, run, tokens });
    }

    /// The last call of this run has taken `tokens` tokens.
    pub fn settle(&mut self, run: u64, tokens: u64) {
        if let Some(spent) = self.0.iter_mut().rev().find(|spent| spent.run == run) {
            spent.tokens = tokens;
        }
    }

    /// Forgets the spending that is a minute old.
    pub fn forget(&mut self, now: CallTime) {
        while self.0.front().is_some_and(|spent| is_past(spent, now)) {
            self.0.pop_front();
        }
    }

    /// Whether nothing was spent within the last minute.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How long a call of `tokens` tokens has to wait for its budget, after those that are made before it; 0: it may begin now.
    pub fn wait(&self, budget: &Budget, now: CallTime, ahead: Ahead, tokens: u64) -> Millis {
        let calls = budget.calls.map(|most| u64::from(most.max(1)));
        let by_calls = calls.map_or(0, |most| {
            let rounds = ahead.calls / most;
            let ahead = ahead.calls % most;
            minutes(rounds) + self.wait_until(now, |rest| rest.calls + ahead < most)
        });
        let by_tokens = budget.tokens.map_or(0, |most| {
            let most = most.max(1);
            let rounds = ahead.tokens / most;
            let ahead = ahead.tokens % most;
            minutes(rounds)
                + self.wait_until(now, |rest| {
                    let before = rest.tokens.saturating_add(ahead);
                    before == 0 || before.saturating_add(tokens) <= most
                })
        });
        Millis(by_calls.max(by_tokens))
    }

    /// The first wait, in milliseconds, after which the rest of the last minute's spending is small enough. With nothing left,
    /// there is nothing to wait for.
    fn wait_until(&self, now: CallTime, is_enough: impl Fn(Ahead) -> bool) -> i64 {
        let mut rest = Ahead::default();
        for spent in self.0.iter().filter(|spent| !is_past(spent, now)) {
            rest.calls += 1;
            rest.tokens = rest.tokens.saturating_add(spent.tokens);
        }
        if is_enough(rest) {
            return 0;
        }
        let mut wait = 0;
        for spent in self.0.iter().filter(|spent| !is_past(spent, now)) {
            rest.calls -= 1;
            rest.tokens -= spent.tokens.min(rest.tokens);
            wait = MINUTE_MS - now.since(spent.began).0;
            if is_enough(rest) {
                break;
            }
        }
        wait
    }
}

fn is_past(spent: &Spent, now: CallTime) -> bool {
    now.since(spent.began).0 >= MINUTE_MS
}

fn minutes(rounds: u64) -> i64 {
    i64::try_from(rounds)
        .unwrap_or(i64::MAX)
        .saturating_mul(MINUTE_MS)
        .min(i64::MAX / 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const NONE: Ahead = Ahead {
        calls: 0,
        tokens: 0,
    };

    #[test]
    fn e1_a_budget_of_calls_frees_them_a_minute_later() {
        let budget = Budget {
            calls: Some(2),
            tokens: None,
        };
        let mut spending = Spending::default();
        let wait = |spending: &Spending, now, calls| {
            let ahead = Ahead { calls, tokens: 0 };
            spending.wait(&budget, CallTime(now), ahead, 1).0
        };
        assert_eq!(wait(&spending, 0, 0), 0);
        assert_eq!(wait(&spending, 0, 1), 0);
        assert_eq!(wait(&spending, 0, 2), 60_000, "the third of three");
        spending.begin(CallTime(0), 0, 1);
        spending.begin(CallTime(10_000), 1, 1);
        assert_eq!(wait(&spending, 10_000, 0), 50_000);
        assert_eq!(wait(&spending, 10_000, 1), 60_000);
        assert_eq!(wait(&spending, 59_999, 0), 1);
        assert_eq!(wait(&spending, 60_000, 0), 0);
        assert_eq!(wait(&spending, 60_000, 1), 10_000);
    }

    #[test]
    fn e1_a_budget_of_tokens_counts_what_calls_really_took() {
        let budget = Budget {
            calls: None,
            tokens: Some(100),
        };
        let mut spending = Spending::default();
        let wait = |spending: &Spending, tokens| {
            let now = CallTime(1_000);
            spending.wait(&budget, now, NONE, tokens).0
        };
        assert_eq!(wait(&spending, 5_000), 0, "a single call is always made");
        spending.begin(CallTime(0), 7, 90);
        assert_eq!(wait(&spending, 11), 59_000);
        spending.settle(7, 20);
        assert_eq!(wait(&spending, 80), 0);
        assert_eq!(wait(&spending, 81), 59_000);
    }

    proptest! {
        /// A call that begins when its wait is over never passes the budget.
        #[test]
        fn e1_a_budget_is_never_passed(
            most in 1_u32..5,
            tokens in 1_u64..200,
            asked in prop::collection::vec((0_i64..30_000, 1_u64..90), 1..60),
        ) {
            let budget = Budget { calls: Some(most), tokens: Some(tokens) };
            let mut spending = Spending::default();
            let mut now = 0;
            let mut begun: Vec<(i64, u64)> = Vec::new();
            for (pause, wanted) in asked {
                now += pause;
                now += spending.wait(&budget, CallTime(now), NONE, wanted).0;
                spending.begin(CallTime(now), 0, wanted);
                begun.push((now, wanted));
                let minute = begun.iter().filter(|(at, _)| now - at < MINUTE_MS);
                let (calls, sum) = minute.fold((0, 0), |(calls, sum), (_, one)| (calls + 1, sum + one));
                prop_assert!(calls <= most);
                prop_assert!(sum <= tokens || calls == 1, "{sum} of {tokens}");
            }
        }
    }
}
