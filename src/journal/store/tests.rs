//! What the store promises, checked on files.

mod damage;
mod files;
mod processes;

use super::*;
use rusqlite::Connection;
use serde_json::json;
use std::path::Path;
use tempfile::TempDir;

/// A new folder, and a path in it.
fn place() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.dramatis");
    (folder, path)
}

fn row(kind: &str, key: &str, value: impl Into<Option<&'static str>>) -> StateRow {
    StateRow {
        kind: kind.into(),
        key: key.into(),
        value: value.into().map(str::to_owned),
    }
}

/// An entry with a prompt of which all but the last line is the same in every one.
fn interaction(seq: u64) -> Commit {
    let stable = "You keep the lighthouse and speak plainly. ".repeat(5);
    let said = format!("Player: {seq}?");
    let body = json!({
        "attempts": [{
            "prompt": format!("{stable}{said}"),
            "sections": [{"chars": stable.len(), "name": "rules"}, {"chars": said.len(), "name": "said"}],
        }],
        "weight": 0.1,
    });
    Commit {
        seq,
        kind: "interaction".into(),
        game_ms: -5 + seq as i64,
        subject: Some("mira".into()),
        body: body.to_string(),
        ..Commit::default()
    }
}

fn turn(seq: u64, state: Vec<StateRow>) -> Commit {
    Commit {
        seq,
        kind: "turn".into(),
        game_ms: seq as i64 * 100,
        body: json!({ "turn": seq }).to_string(),
        state,
        ..Commit::default()
    }
}

/// Twelve commits of all kinds, with rows put, changed, removed and replaced.
fn story() -> Vec<Commit> {
    let mut commits = vec![
        turn(
            1,
            vec![row("entity", "lamp", "1"), row("entity", "boat", "2")],
        ),
        interaction(2),
        turn(
            3,
            vec![row("entity", "lamp", "3"), row("entity", "boat", None)],
        ),
        interaction(4),
        turn(
            5,
            vec![row("entity", "none", None), row("memory", "mira", "\"a\"")],
        ),
        turn(
            6,
            vec![
                row("memory", "mira", "\"b\""),
                row("memory", "mira", "\"c\""),
            ],
        ),
    ];
    let mut checkpoint = turn(
        7,
        vec![row("entity", "lamp", "9"), row("memory", "ä\0", "[]")],
    );
    checkpoint.kind = "checkpoint".into();
    checkpoint.replaces_state = true;
    checkpoint.blobs = vec![
        "a rulebook".into(),
        "another one".into(),
        "a rulebook".into(),
    ];
    commits.push(checkpoint);
    commits.extend((8..=12).map(interaction));
    commits
}

fn state_of_story() -> Vec<StateRow> {
    vec![row("entity", "lamp", "9"), row("memory", "ä\0", "[]")]
}

fn filled(path: &Path) -> Store {
    let mut store = Store::create(path, Durability::Process).unwrap();
    store.commit(&story()).unwrap();
    store
}

fn problem<T: std::fmt::Debug>(result: Result<T, StoreError>) -> StoreProblem {
    result.unwrap_err().problem
}

/// Checks that a journal holds these commits, and nothing else.
fn assert_holds(store: &Store, commits: &[Commit]) {
    let entries = store.entries(0, usize::MAX).unwrap();
    assert_eq!(entries.len(), commits.len());
    for (entry, commit) in entries.iter().zip(commits) {
        assert_eq!(entry.seq, commit.seq);
        assert_eq!(entry.kind, commit.kind);
        assert_eq!(entry.game_ms, commit.game_ms);
        assert_eq!(entry.subject, commit.subject);
        assert_eq!(entry.body, commit.body);
    }
    let verified = store.verify().unwrap();
    assert_eq!(verified.entries, commits.len() as u64);
    let given: usize = commits.iter().map(|commit| commit.body.len()).sum();
    assert!(verified.bytes <= given as u64);
}

#[test]
fn what_was_committed_comes_back() {
    let (_folder, path) = place();
    let store = filled(&path);
    assert_holds(&store, &story());
    assert_eq!(store.state().unwrap(), state_of_story());
    let hash = *blake3::hash(b"a rulebook").as_bytes();
    assert_eq!(store.blob(&hash).unwrap().as_deref(), Some("a rulebook"));
    assert_eq!(store.blob(&[7; 32]).unwrap(), None);

    let page = store.entries(11, 1).unwrap();
    assert_eq!((page.len(), page[0].seq), (1, 11));
    assert_eq!(store.entries(12, 5).unwrap()[0].hash, store.head().hash);
    for beyond in [13, i64::MAX as u64, u64::MAX] {
        assert_eq!(store.entries(beyond, 5).unwrap(), []);
    }
}

#[test]
fn an_empty_journal_is_whole() {
    let (_folder, path) = place();
    let mut store = Store::create(&path, Durability::Power).unwrap();
    store.commit(&[]).unwrap();
    assert_eq!(store.head(), Head::default());
    assert_holds(&store, &[]);
    drop(store);
    assert_holds(&Store::read(&path).unwrap(), &[]);
}

#[test]
fn the_chain_goes_on_after_reopening() {
    let (_folder, path) = place();
    let mut commits = story();
    let mut single = Store::create(&path, Durability::Process).unwrap();
    single.commit(&commits).unwrap();
    let in_one = single.head();
    drop(single);
    std::fs::remove_file(&path).unwrap();

    drop(Store::create(&path, Durability::Process).unwrap());
    for commit in &commits {
        let mut store = Store::open(&path, Durability::Power).unwrap();
        assert_eq!(store.head().seq + 1, commit.seq);
        store.commit(std::slice::from_ref(commit)).unwrap();
    }
    let mut store = Store::open(&path, Durability::Process).unwrap();
    // Which pieces of bodies are kept apart depends on what a store has written before: their hashes differ.
    assert_eq!(store.head().seq, in_one.seq);
    commits.push(turn(13, vec![row("entity", "lamp", None)]));
    store.commit(&commits[12..]).unwrap();
    assert_holds(&store, &commits);
    assert_eq!(store.state().unwrap(), state_of_story()[1..]);
}

#[test]
fn a_batch_is_written_whole_or_not_at_all() {
    let (_folder, path) = place();
    let mut store = filled(&path);
    let head = store.head();
    let mut first = turn(13, vec![row("entity", "lamp", "0"), row("new", "new", "1")]);
    first.replaces_state = true;
    first.blobs.push("lost".into());
    let mut too_large = interaction(14);
    too_large.body = " ".repeat(MOST_BYTES + 1);
    let answer = problem(store.commit(&[first.clone(), turn(15, Vec::new())]));
    let (expected, got) = (14, 15);
    assert_eq!(answer, StoreProblem::OutOfOrder { expected, got });
    assert!(matches!(
        problem(store.commit(&[first, too_large])),
        StoreProblem::TooLarge { what: "a body", .. }
    ));
    assert_eq!(store.head(), head);
    assert_holds(&store, &story());
    assert_eq!(store.state().unwrap(), state_of_story());
    let lost = *blake3::hash(b"lost").as_bytes();
    assert_eq!(store.blob(&lost).unwrap(), None);
    for seq in [0, 1, 12, u64::MAX] {
        let answer = problem(store.commit(&[turn(seq, Vec::new())]));
        let (expected, got) = (13, seq);
        assert_eq!(answer, StoreProblem::OutOfOrder { expected, got });
    }
    store.commit(&[interaction(13)]).unwrap();
}

#[test]
fn repeated_sections_are_kept_once_and_sqlite_tools_can_read_all() {
    let (_folder, path) = place();
    let store = filled(&path);
    let shell = Connection::open(&path).unwrap();
    let one = |sql: &str| {
        shell
            .query_row(sql, [], |row| row.get::<_, i64>(0))
            .unwrap()
    };
    // Two blobs and the one section that seven prompts share.
    assert_eq!(one("SELECT count(*) FROM texts"), 3);
    assert_eq!(
        one("SELECT count(*) FROM records WHERE subject = 'mira'"),
        7
    );
    let mut bodies = shell.prepare("SELECT body, bytes FROM records").unwrap();
    let pieces = bodies.query_map([], |row| {
        let stored = row.get_ref(0)?.as_bytes()?.to_vec();
        let bytes: i64 = row.get(1)?;
        let body = texts::uncompressed(&stored, bytes as usize).unwrap();
        let body: serde_json::Value = serde_json::from_str(&body).unwrap();
        let prompt = body["attempts"][0]["prompt"].as_array();
        Ok(prompt.map_or(0, Vec::len))
    });
    let pieces: Vec<usize> = pieces.unwrap().map(Result::unwrap).collect();
    assert_eq!(pieces.iter().max(), Some(&2));
    assert_eq!(one("SELECT sum(value) FROM state WHERE kind = 'entity'"), 9);
    assert_eq!(one("PRAGMA application_id"), 0x4452_4D54);
    assert_eq!(one("PRAGMA user_version"), 3);
    let mode: String = shell
        .query_row("PRAGMA journal_mode", [], |row| row.get(0))
        .unwrap();
    assert_eq!(mode, "wal");
    drop(store);
}

#[test]
fn a_full_disk_takes_nothing_and_the_store_goes_on() {
    let (_folder, path) = place();
    let mut store = filled(&path);
    let pages: i64 = store
        .connection
        .query_row("PRAGMA page_count", [], |row| row.get(0))
        .unwrap();
    let limit = |store: &Store, pages: i64| {
        let set = |row: &rusqlite::Row<'_>| row.get::<_, i64>(0);
        store
            .connection
            .pragma_update_and_check(None, "max_page_count", pages, set)
            .unwrap()
    };
    assert_eq!(limit(&store, pages + 2), pages + 2);
    let mut large = turn(14, vec![row("entity", "lamp", "0")]);
    // What does not compress: the disk is to be full.
    let noise = (0_u64..2_000).map(|i| blake3::hash(&i.to_le_bytes()).to_hex().to_string());
    large.body = noise.collect();
    let batch = [interaction(13), large];
    assert_eq!(problem(store.commit(&batch)), StoreProblem::Full);
    assert_eq!(store.head().seq, 12);
    assert_holds(&store, &story());
    assert_eq!(store.state().unwrap(), state_of_story());
    store.commit(&batch[..1]).unwrap();
    limit(&store, 1 << 30);
    store.commit(&batch[1..]).unwrap();
    let all: Vec<_> = story().into_iter().chain(batch).collect();
    assert_holds(&store, &all);
}

/// The same with a disk that is really full. Needs the right to mount.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "mounts a file system of one megabyte"]
fn a_disk_that_is_really_full() {
    use std::process::Command;
    let folder = tempfile::tempdir().unwrap();
    let mount = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=1m", "none"])
        .arg(folder.path())
        .status();
    assert!(mount.unwrap().success());
    let path = folder.path().join("game.dramatis");
    let mut store = filled(&path);
    let ballast = folder.path().join("ballast");
    // Whatever the file system takes.
    let _ = std::fs::write(&ballast, vec![1; 1 << 20]);
    let mut large = turn(13, vec![row("entity", "lamp", "0")]);
    large.body = "x".repeat(300_000);
    let refused = store.commit(std::slice::from_ref(&large));
    let copied = store.copy_to(&folder.path().join("copy"));
    let opened = Store::create(&folder.path().join("new"), Durability::Process).map(drop);
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name())
        .collect();
    std::fs::remove_file(&ballast).unwrap();
    let again = store.commit(&[large]);
    let verified = store.verify();
    drop(store);
    let mount = Command::new("umount").arg(folder.path()).status();
    assert!(mount.unwrap().success());
    assert_eq!(problem(refused), StoreProblem::Full);
    assert_eq!(problem(copied), StoreProblem::Full);
    assert_eq!(problem(opened), StoreProblem::Full);
    assert_eq!(left.len(), 4, "{left:?}");
    assert_eq!(again, Ok(()));
    assert_eq!(verified.unwrap().entries, 13);
}

#[test]
fn two_writers_cannot_fork_the_chain() {
    let (_folder, path) = place();
    let mut one = filled(&path);
    let mut two = Store::open(&path, Durability::Process).unwrap();
    one.commit(&[turn(13, vec![row("entity", "lamp", "5")])])
        .unwrap();
    let answer = problem(two.commit(&[interaction(13)]));
    let (expected, got) = (14, 13);
    assert_eq!(answer, StoreProblem::OutOfOrder { expected, got });
    // Its own memory of the state is out of date; the sum must come from the file.
    two.commit(&[turn(14, vec![row("entity", "lamp", "6")])])
        .unwrap();
    let shell = Connection::open(&path).unwrap();
    shell.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(problem(one.commit(&[interaction(15)])), StoreProblem::Busy);
    shell.execute_batch("ROLLBACK").unwrap();
    one.commit(&[interaction(15)]).unwrap();
    assert_eq!(one.verify().unwrap().entries, 15);
    assert_eq!(two.state().unwrap()[0], row("entity", "lamp", "6"));
}

#[test]
fn reading_goes_on_while_somebody_writes_and_never_writes() {
    let (_folder, path) = place();
    let mut store = filled(&path);
    let mut reader = Store::read(&path).unwrap();
    assert_eq!(
        problem(reader.commit(&[interaction(13)])),
        StoreProblem::ReadOnly
    );
    store.commit(&[interaction(13)]).unwrap();
    assert_eq!(reader.head().seq, 12);
    assert_eq!(reader.entries(13, 9).unwrap().len(), 1);
    drop(reader);
    store.commit(&[interaction(14)]).unwrap();
    assert_eq!(store.verify().unwrap().entries, 14);
}

#[test]
fn a_store_can_be_given_to_another_thread() {
    let (_folder, path) = place();
    let mut store = filled(&path);
    let head = std::thread::spawn(move || store.commit(&[interaction(13)]).map(|()| store.head()));
    assert_eq!(head.join().unwrap().unwrap().seq, 13);
}

#[test]
fn j1_what_could_not_be_read_is_not_written() {
    let (_folder, path) = place();
    let mut store = Store::create(&path, Durability::Process).unwrap();
    store.commit(&story()).unwrap();
    let rows = store.state().unwrap();
    let length =
        |row: &StateRow| row.kind.len() + row.key.len() + row.value.as_ref().map_or(0, String::len);
    let bytes: usize = rows
        .iter()
        .map(|row| length(row) + size_of::<StateRow>())
        .sum();
    assert_eq!(read::fits(&store.connection, bytes), Ok(()));
    let (what, most) = ("a state", bytes as u64 - 1);
    let answer = read::fits(&store.connection, bytes - 1);
    assert_eq!(
        answer,
        Err(StoreProblem::TooLarge {
            what,
            bytes: bytes as u64,
            most
        })
    );
}
