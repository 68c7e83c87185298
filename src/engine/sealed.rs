//! The sealed seam: bytes in, bytes out, one call per run, and trouble never gets through it.
//!
//! A sealed engine is bound when its [`SealedSeam`] is made and cannot be swapped afterwards. Each run takes one
//! [`SealedCall`], which its own use consumes, so a second call in the same run does not compile. If something goes wrong in
//! the engine, the caller sees an engine with nothing to say: it gets empty bytes and nothing else.
//!
//! The seam is for code that decides by rules of its own and asks an engine only for a proposal; it needs no app. A run of
//! the pipeline with [`RunPolicy::SEALED`](crate::pipeline::RunPolicy::SEALED) goes through the seam that
//! [`DramatisPlugins::with_sealed`](crate::plugin::DramatisPlugins::with_sealed) binds, or asks the engine that
//! [`with_sealed_engine`](crate::plugin::DramatisPlugins::with_sealed_engine) binds, which reads the same bytes. A game that
//! binds neither has no sealed engine: each sealed run is rejected, and the log says why. The engine that the app was built
//! with, which the environment may have chosen, is never asked.
//!
//! ```
//! use bevy_dramatis::engine::SealedSeam;
//!
//! let seam = SealedSeam::bound(|input: &[u8]| input.to_ascii_uppercase());
//! assert_eq!(seam.call().propose(b"open").into_bytes(), b"OPEN");
//!
//! let unbound = SealedSeam::unbound();
//! assert!(unbound.call().propose(b"open").into_bytes().is_empty());
//! ```
//!
//! # How it is used
//!
//! [`SealedSeam::bound`] takes an engine, [`SealedSeam::unbound`] none; [`SealedSeam::with_patience`] and
//! [`SealedSeam::with_reply_cap`] set the limits. For each run, [`SealedSeam::call`] gives the right to one call, and
//! [`SealedCall::propose`] spends it: it blocks the thread until the answer is there or the patience is over.
//! [`ProposalBytes::into_bytes`] takes out the bytes, which no gate has judged yet.
//!
//! # What can go wrong
//!
//! | trouble | what the caller gets |
//! |---|---|
//! | no engine is bound | empty bytes, at once |
//! | the engine panics | empty bytes, where the build unwinds |
//! | the engine is late | empty bytes when the patience is over (30 s by default); its answer is dropped |
//! | a call after a late engine | empty bytes, at once, until that engine is done |
//! | the reply is longer than the cap (1 MiB by default) | empty bytes; it is not cut |
//! | the turn of a call comes too late, 256 calls wait already, or no thread can be started | empty bytes |
//!
//! [`SealedSeam::faults`] counts them, only for diagnostics. A seam has one thread, which starts with its first call. An
//! engine that never returns keeps this thread, and every later call of the seam is empty.

mod desk;

#[cfg(test)]
mod tests;

use desk::{Desk, Ticket};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::Duration;

const DEFAULT_PATIENCE: Duration = Duration::from_secs(30);
const DEFAULT_REPLY_CAP: usize = 1024 * 1024;

/// An engine that is bound for good, or no engine for good.
///
/// There is no way to change the engine, to take it out, or to choose another at run time. Calls of one seam run one
/// after another; a call that waits for its turn spends its own patience.
pub struct SealedSeam(Binding);

impl SealedSeam {
    /// Binds `engine` for good, with a patience of 30 s and a reply cap of 1 MiB. It answers input bytes with the bytes of a
    /// proposal; empty ones say nothing. It is called at most once per [`SealedCall`], on the thread of its seam.
    ///
    /// An engine must read nothing but its input; types cannot check what a closure has captured. Its reply is untrusted, and may
    /// be any bytes. It may panic or take too long: the seam turns both into empty bytes, where the build unwinds (with
    /// `panic = "abort"` a panic ends the process before anyone can catch it).
    #[must_use]
    pub fn bound(engine: impl Fn(&[u8]) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let desk = Desk::of(engine);
        Self(Binding::to(Some(Arc::new(desk))))
    }

    /// A seam without an engine: every call is empty.
    #[must_use]
    pub fn unbound() -> Self {
        Self(Binding::to(None))
    }

    /// How long one call is waited for. With zero patience nearly every call is empty.
    #[must_use]
    pub fn with_patience(mut self, patience: Duration) -> Self {
        self.0.patience = patience;
        self
    }

    /// The most bytes a reply may have. A longer reply is not cut: it counts as none at all.
    #[must_use]
    pub fn with_reply_cap(mut self, reply_cap: usize) -> Self {
        self.0.reply_cap = reply_cap;
        self
    }

    /// How long one call is waited for.
    pub(crate) fn patience(&self) -> Duration {
        self.0.patience
    }

    /// The right to one call. A run takes one and hands it on by value.
    #[must_use = "a call that is never used asks nothing"]
    pub fn call(&self) -> SealedCall {
        SealedCall(self.0.clone())
    }

    /// How many calls of this seam came back empty because of trouble: no engine, a panic, a timeout, an oversized reply, a
    /// call after an abandoned one.
    ///
    /// Only for diagnostics. No decision may depend on it: the deciding code sees the bytes and nothing else.
    #[must_use]
    pub fn faults(&self) -> u64 {
        self.0.faults.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for SealedSeam {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SealedSeam")
            .field("bound", &self.0.desk.is_some())
            .field("patience", &self.0.patience)
            .field("reply_cap", &self.0.reply_cap)
            .finish_non_exhaustive()
    }
}

/// The right to exactly one call of a [`SealedSeam`], spent by using it.
///
/// It can be moved, for instance into a task, but not copied; only [`SealedSeam::call`] makes one.
pub struct SealedCall(Binding);

impl SealedCall {
    /// Asks the engine, once, and waits for it, at most as long as the seam's patience.
    ///
    /// Never fails and never panics: no engine, a panic in the engine, a timeout and an oversized reply are empty bytes,
    /// as an empty reply is. An engine that is late goes on alone and its answer is dropped; until it is done, every
    /// other call of the seam is empty at once.
    #[must_use]
    pub fn propose(self, input: &[u8]) -> ProposalBytes {
        let patience = self.0.patience;
        let (sender, answered) = mpsc::sync_channel(1);
        let started = self.start(input.to_vec(), move |bytes| {
            // The receiver lives until the answer has come or is given up.
            let _ = sender.send(bytes);
        });
        let reply = answered.recv_timeout(patience);
        drop(started);
        reply.unwrap_or_else(|_| ProposalBytes(Vec::new()))
    }

    /// Asks the engine, once, and goes on: `answer` is called with the bytes, unless the call is dropped before. Nothing
    /// enforces the patience of the seam: the caller drops the call when it is over.
    pub(crate) fn start(
        self,
        input: Vec<u8>,
        answer: impl FnOnce(ProposalBytes) + Send + 'static,
    ) -> StartedCall {
        let Binding {
            desk,
            reply_cap,
            faults,
            ..
        } = self.0;
        let counted = faults.clone();
        let answer = move |reply: Option<Vec<u8>>| {
            let reply = reply.filter(|reply| reply.len() <= reply_cap);
            if reply.is_none() {
                counted.fetch_add(1, Ordering::Relaxed);
            }
            answer(ProposalBytes(reply.unwrap_or_default()));
        };
        let asked = match desk {
            Some(desk) => {
                let ticket = desk.ask(input, answer);
                Some((desk, ticket))
            }
            None => {
                answer(None);
                None
            }
        };
        StartedCall { asked, faults }
    }
}

/// A call that was started. Dropping it gives it up: a reply that comes later is dropped.
pub(crate) struct StartedCall {
    asked: Option<(Arc<Desk>, Ticket)>,
    faults: Arc<AtomicU64>,
}

impl Drop for StartedCall {
    fn drop(&mut self) {
        if let Some((desk, ticket)) = &self.asked
            && desk.give_up(ticket)
        {
            self.faults.fetch_add(1, Ordering::Relaxed);
        }
    }
}

impl fmt::Debug for SealedCall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SealedCall(..)")
    }
}

/// What came through the seam: untrusted bytes that no code can look at by accident.
///
/// Not comparable, not printable, not indexable, not iterable; only the seam makes one. Code that wants to judge the bytes
/// takes them out with [`ProposalBytes::into_bytes`].
pub struct ProposalBytes(Vec<u8>);

impl ProposalBytes {
    /// The bytes, unchanged; empty when the engine had nothing to say, for whatever reason.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.0
    }
}

impl fmt::Debug for ProposalBytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ProposalBytes(..)")
    }
}

/// What a seam and its calls have in common.
#[derive(Clone)]
struct Binding {
    /// `None` without an engine.
    desk: Option<Arc<Desk>>,
    patience: Duration,
    reply_cap: usize,
    faults: Arc<AtomicU64>,
}

impl Binding {
    fn to(desk: Option<Arc<Desk>>) -> Self {
        Self {
            desk,
            patience: DEFAULT_PATIENCE,
            reply_cap: DEFAULT_REPLY_CAP,
            faults: Arc::default(),
        }
    }
}
