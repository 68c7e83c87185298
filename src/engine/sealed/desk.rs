//! The desk of a seam: one thread puts one question after another to the engine.
//!
//! The thread starts with the first question and ends with the seam. While it works on a question that its caller has given up, every other
//! question is answered with nothing, at once.

use crate::base::lock::lock;
use crossbeam_channel::{Receiver, Sender, bounded};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock};
use std::thread;

/// How many questions wait at a desk. A further one is answered with nothing, at once.
pub(super) const MOST_WAITING: usize = 256;

/// What answers a question.
type Asked = dyn Fn(&[u8]) -> Vec<u8> + Send + Sync;

/// What takes the reply; `None` for every kind of trouble.
type Answer = Box<dyn FnOnce(Option<Vec<u8>>) + Send>;

/// A question at a desk. Its caller keeps it to give it up.
#[derive(Clone)]
pub(super) struct Ticket(Arc<AtomicBool>);

struct Question {
    input: Vec<u8>,
    answer: Answer,
    ticket: Ticket,
}

pub(super) struct Desk {
    engine: Arc<Asked>,
    work: Arc<Mutex<Work>>,
    waiting: Receiver<Question>,
    sender: Sender<Question>,
    /// Whether the thread runs; it is tried once.
    thread: OnceLock<bool>,
}

/// What the thread works on.
#[derive(Default)]
struct Work {
    on: Option<Ticket>,
    /// Whether its caller has given it up.
    is_stuck: bool,
}

impl Desk {
    pub(super) fn of(engine: impl Fn(&[u8]) -> Vec<u8> + Send + Sync + 'static) -> Self {
        let (sender, waiting) = bounded(MOST_WAITING);
        Self {
            engine: Arc::new(engine),
            work: Arc::default(),
            waiting,
            sender,
            thread: OnceLock::new(),
        }
    }

    /// Puts a question. `answer` is called once, on another thread or on this one, unless the question is given up before.
    pub(super) fn ask(
        &self,
        input: Vec<u8>,
        answer: impl FnOnce(Option<Vec<u8>>) + Send + 'static,
    ) -> Ticket {
        let ticket = Ticket(Arc::default());
        let question = Question {
            input,
            answer: Box::new(answer),
            ticket: ticket.clone(),
        };
        let runs = *self.thread.get_or_init(|| self.start());
        let work = lock(&self.work);
        let refused = match runs && !work.is_stuck {
            true => self
                .sender
                .try_send(question)
                .err()
                .map(|full| full.into_inner()),
            false => Some(question),
        };
        drop(work);
        refuse(refused);
        ticket
    }

    /// Gives a question up. Whether it was still open.
    pub(super) fn give_up(&self, ticket: &Ticket) -> bool {
        let mut work = lock(&self.work);
        if ticket.0.swap(true, Ordering::AcqRel) {
            return false;
        }
        let is_at_work = work
            .on
            .as_ref()
            .is_some_and(|on| Arc::ptr_eq(&on.0, &ticket.0));
        work.is_stuck |= is_at_work;
        let behind: Vec<Question> = match is_at_work {
            true => self.waiting.try_iter().collect(),
            false => Vec::new(),
        };
        drop(work);
        refuse(behind);
        true
    }

    #[cfg(test)]
    pub(super) fn is_stuck(&self) -> bool {
        lock(&self.work).is_stuck
    }

    fn start(&self) -> bool {
        let (engine, work) = (self.engine.clone(), self.work.clone());
        let waiting = self.waiting.clone();
        let thread = thread::Builder::new().name("sealed engine".to_owned());
        thread
            .spawn(move || answer_all(&*engine, &work, &waiting))
            .is_ok()
    }
}

/// The thread: it ends when the desk is gone and nothing waits.
fn answer_all(engine: &Asked, work: &Mutex<Work>, waiting: &Receiver<Question>) {
    for question in waiting {
        {
            let mut work = lock(work);
            if question.ticket.0.load(Ordering::Acquire) {
                continue;
            }
            work.on = Some(question.ticket.clone());
        }
        // After a panic the engine is used through `&self` alone, as from any other thread.
        let reply = catch_unwind(AssertUnwindSafe(|| engine(&question.input)));
        // What a panic carries may panic again when it is dropped.
        let reply = reply.map_err(std::mem::forget).ok();
        let is_open = {
            let mut work = lock(work);
            *work = Work::default();
            !question.ticket.0.swap(true, Ordering::AcqRel)
        };
        if is_open {
            (question.answer)(reply);
        }
    }
}

fn refuse(questions: impl IntoIterator<Item = Question>) {
    for question in questions {
        if !question.ticket.0.swap(true, Ordering::AcqRel) {
            (question.answer)(None);
        }
    }
}
