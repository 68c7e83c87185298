//! The thread that watches a server: waits until it is ready, starts it again when it ends, and ends it with the game.

use super::health::{Health, health};
use super::process::{ServerProcess, free_port, no_room};
use super::settings::LlamaServer;
use crate::base::lock::lock;
use crate::engine::EngineStatus;
use crate::engine::http::HttpEngine;
use crate::engine::setup_error::EngineSetupError;
use crossbeam_channel::{Receiver, RecvTimeoutError, Sender};
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How often the server is looked at.
const LOOK: Duration = Duration::from_millis(100);
/// The longest wait before it is started again.
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// After being ready for so long, former ends do not count any more.
const PROVEN: Duration = Duration::from_secs(60);

/// What the thread and the engine share.
struct Seen {
    status: EngineStatus,
    /// How to talk to the server that runs now: each start has a port of its own.
    http: HttpEngine,
}

/// A server under watch. Dropping it ends the server.
pub(super) struct Supervisor {
    seen: Arc<Mutex<Seen>>,
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Supervisor {
    /// Starts the server, and a thread that watches it.
    pub fn start(settings: LlamaServer) -> Result<Self, EngineSetupError> {
        let key = key();
        let (process, http) = launch(&settings, &key)?;
        let status = EngineStatus::Starting("the server starts".to_owned());
        let seen = Arc::new(Mutex::new(Seen { status, http }));
        let (stop, stopped) = crossbeam_channel::bounded(0);
        let watch = Watch {
            settings,
            key,
            seen: seen.clone(),
            stopped,
        };
        let builder = std::thread::Builder::new().name("llama-server".to_owned());
        let thread = builder.spawn(move || watch.run(process)).map_err(no_room)?;
        Ok(Self {
            seen,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// How the server is doing.
    pub fn status(&self) -> EngineStatus {
        let seen = lock(&self.seen);
        seen.status.clone()
    }

    /// How to talk to it.
    pub fn http(&self) -> HttpEngine {
        let seen = lock(&self.seen);
        seen.http.clone()
    }
}

impl Drop for Supervisor {
    fn drop(&mut self) {
        // Without its sender the thread's channel is closed, which ends it.
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A key that only this process knows, and the server that it starts: 128 bits of the system's randomness, as Rust's own hash
/// maps draw it.
fn key() -> String {
    let half = || RandomState::new().hash_one("llama-server");
    format!("{:016x}{:016x}", half(), half())
}

fn launch(
    settings: &LlamaServer,
    key: &str,
) -> Result<(ServerProcess, HttpEngine), EngineSetupError> {
    let port = free_port().map_err(no_room)?;
    let http = settings.http(port, key)?;
    let process = ServerProcess::start(settings, port, key)?;
    Ok((process, http))
}

/// How the time of a server has ended.
enum End {
    /// The game has ended it.
    Stopped,
    /// It has ended by itself, or was too slow.
    Failed(String),
}

/// What the thread knows.
struct Watch {
    settings: LlamaServer,
    key: String,
    seen: Arc<Mutex<Seen>>,
    stopped: Receiver<()>,
}

impl Watch {
    /// Watches servers, one after the other, until the game ends or too many have failed.
    fn run(self, first: ServerProcess) {
        let mut process = first;
        let mut failed = 0;
        loop {
            let (end, was_ready) = self.watch(process);
            let End::Failed(why) = end else {
                return;
            };
            if was_ready.is_some_and(|since| since.elapsed() >= PROVEN) {
                failed = 0;
            }
            if failed >= self.settings.restarts {
                self.tell(EngineStatus::Down(format!("the server is gone: {why}")));
                return;
            }
            let wait = Duration::from_secs(1 << failed.min(10)).min(LONGEST_WAIT);
            failed += 1;
            let status = format!("the server is started again, since {why}");
            self.tell(EngineStatus::Starting(status));
            if self.is_stopped_within(wait) {
                return;
            }
            match launch(&self.settings, &self.key) {
                Ok((next, http)) => {
                    let mut seen = lock(&self.seen);
                    seen.http = http;
                    process = next;
                }
                Err(error) => {
                    self.tell(EngineStatus::Down(error.to_string()));
                    return;
                }
            }
        }
    }

    /// Watches one server to its end, and says since when it was ready.
    fn watch(&self, mut process: ServerProcess) -> (End, Option<Instant>) {
        let begun = Instant::now();
        let mut ready = None;
        loop {
            if let Some(why) = process.ended() {
                return (End::Failed(why), ready);
            }
            if ready.is_none() {
                match health(process.port()) {
                    Health::Ready => {
                        ready = Some(Instant::now());
                        self.tell(EngineStatus::Ready);
                    }
                    Health::Loading => {
                        let what = "the server loads its model".to_owned();
                        self.tell(EngineStatus::Starting(what));
                    }
                    Health::Silent => {}
                }
                if ready.is_none() && begun.elapsed() > self.settings.start_limit {
                    let limit = self.settings.start_limit.as_secs();
                    let why = format!("it was not ready within {limit} s");
                    return (End::Failed(why), None);
                }
            }
            if self.is_stopped_within(LOOK) {
                return (End::Stopped, ready);
            }
        }
    }

    fn is_stopped_within(&self, wait: Duration) -> bool {
        !matches!(
            self.stopped.recv_timeout(wait),
            Err(RecvTimeoutError::Timeout)
        )
    }

    fn tell(&self, status: EngineStatus) {
        let mut seen = lock(&self.seen);
        if seen.status != status {
            log::info!("llama-server: {status}");
            seen.status = status;
        }
    }
}
