//! Several processes on one file, one of which is killed.

use super::*;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

const FILE: &str = "DRAMATIS_TEST_JOURNAL";

/// Runs one of the ignored tests below in a separate process.
fn child(test: &str, path: &Path) -> Killed {
    let (_, module) = module_path!().split_once("::").unwrap();
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "--ignored", &format!("{module}::{test}")])
        .env(FILE, path)
        .stdout(Stdio::null());
    Killed(command.spawn().unwrap())
}

/// A process that does not outlive the test.
struct Killed(Child);

impl Drop for Killed {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The file to work on, in a process that was started for it.
fn file_of_child() -> Option<PathBuf> {
    std::env::var_os(FILE).map(PathBuf::from)
}

#[test]
#[ignore = "run by `another_process_cannot_take_the_log_away`"]
fn opens_and_closes() {
    if let Some(path) = file_of_child() {
        let store = Store::open(&path, Durability::Process).unwrap();
        store.verify().unwrap();
    }
}

#[test]
#[ignore = "run by `a_process_that_is_killed_leaves_a_whole_journal`"]
fn commits_until_it_is_killed() {
    let Some(path) = file_of_child() else {
        return;
    };
    let mut store = Store::create(&path, Durability::Process).unwrap();
    for seq in 1..100_000 {
        let mut second = turn(seq * 2, vec![row("entity", "lamp", "2")]);
        second.body = " ".repeat(seq as usize % 3_000);
        let first = turn(seq * 2 - 1, vec![row("entity", "lamp", "1")]);
        store.commit(&[first, second]).unwrap();
    }
}

/// Whether this process holds `SQLite`'s shared lock of a file.
#[cfg(target_os = "linux")]
fn is_locked(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let (process, file) = (std::process::id(), std::fs::metadata(path).unwrap().ino());
    let lock = format!(":{file} 1073741826 ");
    // The list is read in parts, so a line can be missed while other processes lock and unlock.
    (0..50).any(|_| {
        let locks = std::fs::read_to_string("/proc/locks").unwrap();
        locks
            .lines()
            .any(|line| line.contains(&lock) && line.contains(&format!(" {process} ")))
    })
}

#[test]
fn another_process_cannot_take_the_log_away() {
    let (_folder, path) = place();
    let mut store = filled(&path);
    // Looks at the same file, which must not drop the locks of the store above.
    drop(Store::read(&path).unwrap());
    drop(Store::open(&path, Durability::Process).unwrap());
    #[cfg(target_os = "linux")]
    assert!(is_locked(&path), "SQLite's lock is there");
    assert!(child("opens_and_closes", &path).0.wait().unwrap().success());
    assert!(header::beside(&path, "-wal").exists());
    store.commit(&[interaction(13)]).unwrap();
    assert_eq!(Store::read(&path).unwrap().verify().unwrap().entries, 13);
}

#[test]
fn a_process_that_is_killed_leaves_a_whole_journal() {
    let (_folder, path) = place();
    let writer = child("commits_until_it_is_killed", &path);
    let begun = Instant::now();
    // Until its log was moved into the file at least once.
    while Store::read(&path).map_or(0, |store| store.head().seq) < 400 {
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "it does not write"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    drop(writer);
    let entries = Store::read(&path).unwrap().verify().unwrap().entries;
    assert!(entries >= 400 && entries.is_multiple_of(2), "{entries}");
    let mut store = Store::open(&path, Durability::Process).unwrap();
    assert_eq!(store.state().unwrap(), [row("entity", "lamp", "2")]);
    store.commit(&[interaction(entries + 1)]).unwrap();
    assert_eq!(store.verify().unwrap().entries, entries + 1);
}
