//! A call that hangs is made again while it hangs: whichever brings something first is the call, and the others are dropped.

use super::{EngineCall, EngineEvent};
use crate::base::fixed::Millis;
use std::fmt;

/// Starts the same call once more, at this time since the first one began.
type Start = dyn FnMut(Millis) -> EngineCall + Send + Sync;

/// How a call is made again.
pub(super) struct AskAgain {
    /// After how long without a sign of life another call begins.
    every: Millis,
    /// When the next one begins, since the first one has; `None` when there is none left.
    next: Option<Millis>,
    /// How many more there may be.
    left: u32,
    /// None begins at this time or later: nobody would wait for it.
    before: Millis,
    start: Box<Start>,
    /// The further calls that are under way, in order.
    under_way: Vec<EngineCall>,
}

impl AskAgain {
    /// Further calls, `most` of them, each after so long a silence, and none at `before` or later.
    pub fn new(
        every: Millis,
        most: u32,
        before: Millis,
        start: impl FnMut(Millis) -> EngineCall + Send + Sync + 'static,
    ) -> Self {
        Self {
            every,
            next: (most > 0 && every < before).then_some(every),
            left: most,
            before,
            start: Box::new(start),
            under_way: Vec::new(),
        }
    }

    /// When something can happen at the earliest, since the first call began.
    pub fn next(&self) -> Option<Millis> {
        let calls = self.under_way.iter().map(EngineCall::delay);
        calls.chain(self.next).min()
    }

    /// The first sign of life of a further call, with that call. One that fails is no sign of life: the first one may still come.
    pub fn poll(&mut self, elapsed: Millis) -> Option<(EngineCall, EngineEvent)> {
        if let Some(next) = self
            .next
            .filter(|next| (*next..self.before).contains(&elapsed))
        {
            self.left -= 1;
            let mut call = (self.start)(next);
            call.offset = elapsed;
            self.under_way.push(call);
            // After a long frame the silence begins anew.
            self.next = (self.left > 0).then(|| Millis(elapsed.0.saturating_add(self.every.0)));
        }
        let mut at = 0;
        while let Some(call) = self.under_way.get_mut(at) {
            match call.poll(elapsed) {
                None => at += 1,
                Some(EngineEvent::Failed(_)) => drop(self.under_way.remove(at)),
                Some(event) => {
                    for hung in &self.under_way[..at] {
                        // Its answer counts as used: it was given more time than the one that came.
                        let _ = hung.events.try_recv();
                    }
                    return Some((self.under_way.remove(at), event));
                }
            }
        }
        None
    }

    /// A further call that is still under way, in place of the first one, which has failed.
    pub fn take_over(&mut self) -> Option<EngineCall> {
        (!self.under_way.is_empty()).then(|| self.under_way.remove(0))
    }
}

impl fmt::Debug for AskAgain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AskAgain")
            .field("next", &self.next)
            .field("under_way", &self.under_way)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::EngineError;
    use crate::proposal::Finish;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    const LONG: Millis = Millis(1_000);

    fn after(delay: i64, text: &str) -> EngineCall {
        let chunk = EngineEvent::Chunk(text.as_bytes().to_vec());
        let end = EngineEvent::Finished(Finish::Stop);
        EngineCall::ready([chunk, end]).delayed(Millis(delay))
    }

    fn failing() -> EngineCall {
        let error = EngineError::Unreachable("gone".to_owned());
        EngineCall::ready([EngineEvent::Failed(error)])
    }

    /// All events of a call with their times, polled every five milliseconds.
    fn play(mut call: EngineCall) -> Vec<(i64, EngineEvent)> {
        let mut events = Vec::new();
        for time in (0..200).step_by(5) {
            while let Some(event) = call.poll(Millis(time)) {
                events.push((time, event));
            }
        }
        events
    }

    fn said(at: i64, text: &str) -> Vec<(i64, EngineEvent)> {
        let chunk = EngineEvent::Chunk(text.as_bytes().to_vec());
        vec![(at, chunk), (at, EngineEvent::Finished(Finish::Stop))]
    }

    #[test]
    fn r3_whichever_call_brings_something_first_is_the_call() {
        let again = |first, delays: [i64; 2]| {
            let mut delays = delays.into_iter();
            let start = move |_| after(delays.next().unwrap_or(0), "second");
            play(after(first, "first").asking_again(Millis(50), 2, LONG, start))
        };
        assert_eq!(again(40, [0, 0]), said(40, "first"));
        assert_eq!(again(300, [0, 0]), said(50, "second"));
        assert_eq!(again(300, [300, 10]), said(110, "second"));
        assert_eq!(again(80, [300, 300]), said(80, "first"));
        assert_eq!(again(300, [300, 300]), []);
    }

    #[test]
    fn r3_a_further_call_that_fails_costs_nothing_and_a_first_one_that_fails_leaves_its_place() {
        let calls = play(after(80, "first").asking_again(Millis(50), 2, LONG, |_| failing()));
        assert_eq!(calls, said(80, "first"));
        let error = EngineError::Interrupted("cut".to_owned());
        let first = || EngineCall::ready([EngineEvent::Failed(error.clone())]).delayed(Millis(60));
        let calls = play(first().asking_again(Millis(50), 1, LONG, |_| after(30, "second")));
        assert_eq!(calls, said(80, "second"));
        let alone = play(first().asking_again(Millis(90), 1, LONG, |_| after(30, "second")));
        assert_eq!(alone, [(60, EngineEvent::Failed(error))]);
    }

    #[test]
    fn r1_no_more_calls_are_made_than_allowed_and_a_sign_of_life_ends_it() {
        let made = Arc::new(AtomicU32::new(0));
        let count = |first: EngineCall| {
            made.store(0, Ordering::Release);
            let made = made.clone();
            let all = play(first.asking_again(Millis(20), 2, LONG, move |_| {
                made.fetch_add(1, Ordering::AcqRel);
                after(900, "never")
            }));
            all.len()
        };
        assert_eq!(count(after(900, "never")), 0);
        assert_eq!(made.load(Ordering::Acquire), 2);
        let alive = [(0, ""), (100, "late")]
            .map(|(pause, text)| (Millis(pause), EngineEvent::Chunk(text.as_bytes().to_vec())));
        assert_eq!(
            count(EngineCall::timed(alive)),
            3,
            "two chunks, and an end that was cut"
        );
        assert_eq!(made.load(Ordering::Acquire), 0);
    }

    #[test]
    fn r3_no_call_begins_when_nobody_would_wait_for_it() {
        let mut call = after(300, "first").asking_again(Millis(50), 2, Millis(60), |_| failing());
        // One long frame, in which the time ran out.
        assert_eq!(call.poll(Millis(60)), None);
        let start = |_| after(0, "second");
        let calls = play(after(300, "first").asking_again(Millis(50), 1, Millis(50), start));
        assert_eq!(calls, []);
    }

    #[test]
    fn r3_what_can_happen_next_is_known() {
        let mut call =
            after(300, "first").asking_again(Millis(50), 1, LONG, |_| after(30, "second"));
        assert_eq!(call.delay(), Millis(50));
        assert_eq!(call.poll(Millis(50)), None);
        assert_eq!(call.delay(), Millis(80));
    }
}
