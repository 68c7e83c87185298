//! The circuit breaker of an engine: a server that fails is not asked by every character.
//!
//! While it is *closed*, calls are made. After a few faults in a row it *opens*: for a while no call is made, and authored
//! lines come at once. Then it is *half open*: one call is made as a test, and its answer closes the breaker; a fault opens
//! it for twice as long.

use crate::base::time::CallTime;
use bevy::reflect::Reflect;
use std::time::Duration;

/// When a breaker opens, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BreakerSettings {
    /// After how many faults in a row no call is made any more. 0 counts as 1. Default: 3.
    pub faults: u32,
    /// The first wait without calls, in call time. Each time that the test call fails, the wait doubles. Default: 1 second.
    pub first_wait: Duration,
    /// The longest wait. Default: 60 seconds.
    pub longest_wait: Duration,
}

impl Default for BreakerSettings {
    fn default() -> Self {
        Self {
            faults: 3,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(60),
        }
    }
}

/// Whether an engine gets calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Reflect)]
pub enum BreakerState {
    /// Calls are made.
    #[default]
    Closed,
    /// No call is made before this moment of call time.
    Open {
        /// When a call is made to see whether the engine answers again.
        until: CallTime,
    },
    /// One call is under way to see whether the engine answers again; no other is made.
    HalfOpen,
}

/// The breaker of one engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Breaker {
    state: BreakerState,
    /// Faults since the last answer.
    faults: u32,
    /// How often it has opened since then.
    opened: u32,
}

impl Breaker {
    /// Whether the engine is asked.
    #[must_use]
    pub fn state(&self) -> BreakerState {
        self.state
    }

    /// Whether a call may be made now. The first call after a wait is the test call that finds out whether the engine answers
    /// again.
    pub fn admits(&mut self, now: CallTime) -> bool {
        match self.state {
            BreakerState::Closed => true,
            BreakerState::HalfOpen => false,
            BreakerState::Open { until } if now < until => false,
            BreakerState::Open { .. } => {
                self.state = BreakerState::HalfOpen;
                true
            }
        }
    }

    /// A call was answered, whatever the answer was worth.
    pub fn answered(&mut self) {
        *self = Self::default();
    }

    /// A call has failed on its way, or brought nothing in its time.
    pub fn failed(&mut self, settings: &BreakerSettings, now: CallTime) {
        self.faults = self.faults.saturating_add(1);
        let opens = self.state == BreakerState::HalfOpen || self.faults >= settings.faults;
        if !opens || matches!(self.state, BreakerState::Open { until } if until > now) {
            return;
        }
        let doubled = settings.first_wait.saturating_mul(1 << self.opened.min(30));
        let wait = doubled.min(settings.longest_wait);
        self.opened = self.opened.saturating_add(1);
        self.state = BreakerState::Open {
            until: now.after(wait),
        };
    }

    /// The call that was to see whether the engine answers again was given up: the next one may see.
    pub fn forgotten(&mut self, now: CallTime) {
        if self.state == BreakerState::HalfOpen {
            self.state = BreakerState::Open { until: now };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SETTINGS: BreakerSettings = BreakerSettings {
        faults: 3,
        first_wait: Duration::from_secs(1),
        longest_wait: Duration::from_secs(4),
    };

    fn open(until: i64) -> BreakerState {
        BreakerState::Open {
            until: CallTime(until),
        }
    }

    #[test]
    fn e3_it_opens_after_some_faults_in_a_row() {
        let mut breaker = Breaker::default();
        breaker.failed(&SETTINGS, CallTime(0));
        breaker.failed(&SETTINGS, CallTime(0));
        breaker.answered();
        for _ in 0..2 {
            breaker.failed(&SETTINGS, CallTime(5));
            assert!(breaker.admits(CallTime(5)));
        }
        breaker.failed(&SETTINGS, CallTime(5));
        assert_eq!(breaker.state(), open(1_005));
        // Calls that were under way fail too, and change nothing.
        breaker.failed(&SETTINGS, CallTime(500));
        assert_eq!(breaker.state(), open(1_005));
        assert!(!breaker.admits(CallTime(1_004)));
    }

    #[test]
    fn e3_one_call_sees_whether_it_answers_again() {
        let mut breaker = Breaker::default();
        for _ in 0..3 {
            breaker.failed(&SETTINGS, CallTime(0));
        }
        let mut now = 1_000;
        for wait in [2_000, 4_000, 4_000] {
            assert!(breaker.admits(CallTime(now)));
            assert!(!breaker.admits(CallTime(now)), "only one");
            breaker.failed(&SETTINGS, CallTime(now));
            assert_eq!(breaker.state(), open(now + wait));
            now += wait;
        }
        assert!(breaker.admits(CallTime(now)));
        breaker.forgotten(CallTime(now));
        assert!(breaker.admits(CallTime(now)));
        breaker.answered();
        assert_eq!(breaker, Breaker::default());
    }
}
