//! Everything in the log, as one text.

use std::sync::Mutex;

static LOGGED: Mutex<String> = Mutex::new(String::new());

struct Collector;

impl log::Log for Collector {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &log::Record<'_>) {
        let mut logged = LOGGED.lock().unwrap();
        *logged += &format!("{} {}\n", record.target(), record.args());
    }
    fn flush(&self) {}
}

/// From now on the text keeps everything that is logged.
pub fn listen() {
    // Another test may have installed the log already.
    let _ = log::set_logger(&Collector);
    log::set_max_level(log::LevelFilter::Trace);
}

/// The log so far.
pub fn logged() -> String {
    LOGGED.lock().unwrap().clone()
}
