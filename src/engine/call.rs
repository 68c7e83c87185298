//! A call in flight, and how it is made again while it hangs: whichever call brings something first is the call, and the others are
//! dropped.

use super::event::{EngineError, EngineEvent};
use crate::base::fixed::Millis;
use crate::proposal::Finish;
use crossbeam_channel::{Receiver, TryRecvError};
use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A call in flight. Dropping it cancels the call.
pub struct EngineCall {
    pub(super) events: Receiver<EngineEvent>,
    /// When the next event arrives at the earliest.
    delay: Millis,
    /// How long after it each further event arrives.
    pauses: VecDeque<Millis>,
    hold: Option<Arc<AtomicBool>>,
    /// After how long without an event it ends with nothing more; `None`: never.
    patience: Option<Millis>,
    ended: bool,
    /// How long after the run's first call it began, where it is a further one.
    offset: Millis,
    /// How it is made again while nothing comes; `None` when something has.
    again: Option<AskAgain>,
    pub(super) _cancel: Box<dyn Any + Send + Sync>,
}

impl EngineCall {
    /// A call that reads from `events` and drops `cancel` when it is dropped itself.
    #[must_use]
    pub fn new(events: Receiver<EngineEvent>, cancel: impl Any + Send + Sync) -> Self {
        Self {
            events,
            delay: Millis(0),
            pauses: VecDeque::new(),
            hold: None,
            patience: None,
            ended: false,
            offset: Millis(0),
            again: None,
            _cancel: Box::new(cancel),
        }
    }

    /// A call whose events are all known already.
    #[must_use]
    pub fn ready(events: impl IntoIterator<Item = EngineEvent>) -> Self {
        let events: Vec<EngineEvent> = events.into_iter().collect();
        let (sender, receiver) = crossbeam_channel::bounded(events.len().max(1));
        for event in events {
            // The channel is as long as the list.
            let _ = sender.try_send(event);
        }
        Self::new(receiver, ())
    }

    /// A call whose events are all known already, each with the call time between it and the event before it.
    #[must_use]
    pub fn timed<Pause: Into<Millis>>(
        events: impl IntoIterator<Item = (Pause, EngineEvent)>,
    ) -> Self {
        let events = events.into_iter();
        let (pauses, events): (VecDeque<Millis>, Vec<EngineEvent>) =
            events.map(|(pause, event)| (pause.into(), event)).unzip();
        let mut call = Self::ready(events);
        call.pauses = pauses;
        call.delay = call.pauses.pop_front().unwrap_or_default();
        call
    }

    /// Holds everything back until `delay` of call time has passed since the start.
    #[must_use]
    pub fn delayed(mut self, delay: impl Into<Millis>) -> Self {
        self.delay = delay.into();
        self
    }

    /// Holds everything back for as long as `hold` is true.
    #[must_use]
    pub fn held(mut self, hold: Arc<AtomicBool>) -> Self {
        self.hold = Some(hold);
        self
    }

    /// The same call, which ends with nothing more where no event has come when this time has passed since the start.
    #[must_use]
    pub(crate) fn within(mut self, patience: Millis) -> Self {
        self.patience = Some(patience);
        self
    }

    /// The same call, which is made again, at most `most` times, each time after `every` without a sign of life, and not
    /// at `before` or later. What comes first is its answer, and the other calls are dropped. `start` is told how long after the first call it begins.
    #[must_use]
    pub(crate) fn asking_again(
        mut self,
        every: Millis,
        most: u32,
        before: Millis,
        start: impl FnMut(Millis) -> EngineCall + Send + Sync + 'static,
    ) -> Self {
        self.again = Some(AskAgain::new(every, most, before, start));
        self
    }

    /// How long after its start the next event can arrive, at the earliest.
    #[must_use]
    pub fn delay(&self) -> Millis {
        let own = Millis(self.offset.0.saturating_add(self.delay.0));
        let next = self.again.as_ref().and_then(AskAgain::next);
        next.map_or(own, |next| own.min(next))
    }

    /// The next event, if there is one; never waits. `elapsed` is the call time since the start.
    ///
    /// A sender that vanished before it ended the call counts as [`EngineError::Interrupted`].
    pub fn poll(&mut self, elapsed: impl Into<Millis>) -> Option<EngineEvent> {
        let elapsed = elapsed.into();
        let event = self.poll_own(Millis(elapsed.0.saturating_sub(self.offset.0)));
        let Some(again) = &mut self.again else {
            return event;
        };
        match event {
            None => {
                let (call, event) = again.poll(elapsed)?;
                *self = call;
                Some(event)
            }
            Some(EngineEvent::Failed(error)) => match again.take_over() {
                None => {
                    self.again = None;
                    Some(EngineEvent::Failed(error))
                }
                Some(call) => {
                    let again = self.again.take();
                    *self = Self { again, ..call };
                    None
                }
            },
            alive => {
                self.again = None;
                alive
            }
        }
    }

    fn poll_own(&mut self, elapsed: Millis) -> Option<EngineEvent> {
        let held = self
            .hold
            .as_ref()
            .is_some_and(|hold| hold.load(Ordering::Acquire));
        if self.ended || held || elapsed < self.delay {
            return None;
        }
        let event = match self.events.try_recv() {
            Ok(event) => event,
            Err(TryRecvError::Empty) if self.patience.is_some_and(|most| elapsed >= most) => {
                EngineEvent::Finished(Finish::default())
            }
            Err(TryRecvError::Empty) => return None,
            Err(TryRecvError::Disconnected) => EngineEvent::Failed(EngineError::Interrupted(
                "the engine stopped without an answer".to_owned(),
            )),
        };
        self.ended = matches!(event, EngineEvent::Finished(_) | EngineEvent::Failed(_));
        if let Some(pause) = self.pauses.pop_front() {
            self.delay = Millis(self.delay.0.saturating_add(pause.0));
        }
        Some(event)
    }
}

impl fmt::Debug for EngineCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineCall")
            .field("delay", &self.delay)
            .field("ended", &self.ended)
            .finish_non_exhaustive()
    }
}

/// Starts the same call once more, at this time since the first one began.
type Start = dyn FnMut(Millis) -> EngineCall + Send + Sync;

/// How a call is made again.
struct AskAgain {
    /// After how long without a sign of life another call begins.
    every: Millis,
    /// When the next one begins, since the first one has; `None` when there is none left.
    next: Option<Millis>,
    /// How many more there may be.
    left: u32,
    /// No further call begins at this time or later: the caller would not wait for it.
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
            // After a long frame the silence begins again.
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
mod tests;
