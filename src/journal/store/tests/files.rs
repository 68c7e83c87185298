//! Files that are new, old, copied, refused or abandoned.

use super::*;
use std::fs;

fn old_journal(name: &Path) -> Vec<u8> {
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/journal-v1.dramatis");
    fs::copy(fixture, name).unwrap();
    fs::read(name).unwrap()
}

fn names_in(folder: &TempDir) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn nothing_is_made_where_something_is() {
    let (folder, path) = place();
    fs::write(&path, "mine").unwrap();
    let answer = Store::create(&path, Durability::Process);
    assert_eq!(problem(answer), StoreProblem::AlreadyExists);
    assert_eq!(fs::read(&path).unwrap(), b"mine");
    let missing = folder.path().join("no/such/folder");
    for answer in [
        Store::create(&missing, Durability::Process),
        Store::open(&missing, Durability::Process),
        Store::read(&missing),
    ] {
        assert_eq!(problem(answer), StoreProblem::NotFound);
    }
    assert_eq!(names_in(&folder), ["game.dramatis"]);
}

#[test]
fn a_new_journal_is_not_taken_for_the_one_whose_log_lies_there() {
    let (_folder, path) = place();
    let store = filled(&path);
    let log = fs::read(header::beside(&path, "-wal")).unwrap();
    drop(store);
    fs::remove_file(&path).unwrap();
    fs::write(header::beside(&path, "-wal"), log).unwrap();
    assert_holds(&Store::create(&path, Durability::Process).unwrap(), &[]);
}

#[test]
fn a_failed_beginning_leaves_no_file() {
    let (folder, path) = place();
    // SQLite cannot keep a log where a folder has its name.
    fs::create_dir(header::beside(&path, "-journal")).unwrap();
    Store::create(&path, Durability::Process).unwrap_err();
    assert_eq!(names_in(&folder), ["game.dramatis-journal"]);
}

#[test]
fn no_file_is_touched_that_is_no_journal() {
    let (folder, path) = place();
    let journal = {
        drop(filled(&path));
        fs::read(&path).unwrap()
    };
    let patched = |at: usize, bytes: &[u8]| {
        let mut file = journal.clone();
        file[at..at + bytes.len()].copy_from_slice(bytes);
        file
    };
    let newer = StoreProblem::Newer { found: 4, known: 3 };
    let not_a = |what| StoreProblem::NotAJournal { what };
    let cases = [
        (Vec::new(), not_a("it is empty")),
        (b"{}".to_vec(), not_a("it is no SQLite database")),
        (vec![0; 5000], not_a("it is no SQLite database")),
        (patched(68, b"ELSE"), not_a("it belongs to another program")),
        (patched(60, &[0, 0, 0, 4]), newer),
        (
            patched(60, &[0, 0, 0, 0]),
            StoreProblem::corrupt("its format has no number"),
        ),
        // The tables of this format under the number of format 1.
        (
            patched(60, &[0, 0, 0, 1]),
            not_a("it holds tables, views or triggers that no journal has"),
        ),
        (
            patched(16, &[0, 7]),
            StoreProblem::corrupt("its page size is impossible"),
        ),
    ];
    for (bytes, expected) in cases {
        fs::write(&path, &bytes).unwrap();
        if bytes.get(60..64) != Some(&[0, 0, 0, 1]) {
            // Before SQLite sees it.
            assert_eq!(header::claim(&path).unwrap_err(), expected);
        }
        for answer in [Store::read(&path), Store::open(&path, Durability::Process)] {
            assert_eq!(problem(answer), expected);
            assert_eq!(fs::read(&path).unwrap(), bytes);
            assert_eq!(names_in(&folder), ["game.dramatis"]);
        }
    }
    let answer = problem(Store::open(folder.path(), Durability::Process));
    assert_eq!(answer, not_a("it is not a file"));
}

#[test]
fn no_tables_are_accepted_but_a_journals_own() {
    for (sql, what) in [
        ("DROP TABLE texts", "a journal's tables are missing"),
        (
            "DROP INDEX records_by_subject",
            "a journal's tables are missing",
        ),
        ("CREATE TABLE more(a)", "it holds"),
        ("CREATE VIEW v AS SELECT 1", "it holds"),
        (
            "CREATE TRIGGER t AFTER INSERT ON records BEGIN DELETE FROM state; END",
            "it holds",
        ),
        (
            "ALTER TABLE records ADD COLUMN more TEXT DEFAULT 'x'",
            "it holds",
        ),
        (
            "ALTER TABLE state RENAME TO other; CREATE VIEW state AS SELECT * FROM other",
            "it holds",
        ),
        ("ANALYZE", "it holds"),
    ] {
        let (folder, path) = place();
        drop(filled(&path));
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let before = fs::read(&path).unwrap();
        for answer in [Store::read(&path), Store::open(&path, Durability::Process)] {
            let StoreProblem::NotAJournal { what: found } = problem(answer) else {
                panic!("{sql}");
            };
            assert!(found.starts_with(what), "{sql}: {found}");
            assert_eq!(fs::read(&path).unwrap(), before);
            assert_eq!(names_in(&folder), ["game.dramatis"]);
        }
    }
}

#[test]
fn an_old_journal_is_migrated_and_only_where_it_is_opened_for_writing() {
    let (folder, path) = place();
    let before = old_journal(&path);
    let plain = Connection::open(&path).unwrap();
    let bodies: Vec<(String, i64, String)> = plain
        .prepare("SELECT kind, game_ms, body FROM records ORDER BY seq")
        .unwrap()
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))
        .unwrap()
        .map(Result::unwrap)
        .collect();
    drop(plain);
    let commits: Vec<Commit> = (1..)
        .zip(bodies)
        .map(|(seq, (kind, game_ms, body))| Commit {
            seq,
            kind,
            game_ms,
            body,
            ..Commit::default()
        })
        .collect();
    assert_eq!(commits.len(), 3);

    let reader = Store::read(&path).unwrap();
    assert_holds(&reader, &commits);
    let state = reader.state().unwrap();
    assert_eq!(state.len(), 3);
    assert_eq!(state[0], row("entity", "lamp", r#"{"lit":true}"#));
    let copy = folder.path().join("copy");
    reader.copy_to(&copy).unwrap();
    let head = reader.head();
    drop(reader);
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(names_in(&folder), ["copy", "game.dramatis"]);

    let mut store = Store::open(&path, Durability::Process).unwrap();
    assert_holds(&store, &commits);
    assert_eq!(store.state().unwrap(), state);
    assert_eq!(store.head(), head);
    let texts = "SELECT count(*) FROM texts";
    let texts: i64 = store
        .connection
        .query_row(texts, [], |row| row.get(0))
        .unwrap();
    assert_eq!(texts, 0, "nothing of it occurs twice");
    store.commit(&[interaction(4)]).unwrap();
    drop(store);
    assert_eq!(Store::read(&path).unwrap().verify().unwrap().entries, 4);
    let copied = Store::open(&copy, Durability::Process).unwrap();
    assert_holds(&copied, &commits);
}

#[test]
fn a_migration_that_fails_leaves_the_old_journal() {
    for (sql, seq) in [
        ("UPDATE records SET body = '{}' WHERE seq = 2", 2),
        ("DELETE FROM records WHERE seq = 2", 2),
        ("DELETE FROM state WHERE key = 'lamp'", 3),
    ] {
        let (folder, path) = place();
        old_journal(&path);
        Connection::open(&path).unwrap().execute_batch(sql).unwrap();
        let before = fs::read(&path).unwrap();
        for answer in [Store::read(&path), Store::open(&path, Durability::Process)] {
            let StoreProblem::Corrupt { seq: found, .. } = problem(answer) else {
                panic!("{sql}");
            };
            assert_eq!(found, Some(seq), "{sql}");
            assert_eq!(fs::read(&path).unwrap(), before);
            assert_eq!(names_in(&folder), ["game.dramatis"]);
        }
    }
}

#[test]
fn a_migration_that_runs_out_of_room_leaves_the_old_journal() {
    let (folder, path) = place();
    let before = old_journal(&path);
    let mut connection = schema::connect(&path).unwrap();
    connection
        .query_row("PRAGMA max_page_count = 3", [], |_| Ok(()))
        .unwrap();
    assert_eq!(migrate::in_place(&mut connection), Err(StoreProblem::Full));
    drop(connection);
    assert_eq!(fs::read(&path).unwrap(), before);
    assert_eq!(names_in(&folder), ["game.dramatis"]);
}

#[test]
fn a_copy_takes_the_place_of_what_was_there() {
    let (folder, path) = place();
    let store = filled(&path);
    let copy = folder.path().join("save");
    store.copy_to(&copy).unwrap();
    fs::write(&copy, "something else").unwrap();
    store.copy_to(&copy).unwrap();
    let raw = fs::read(&copy).unwrap();
    assert_eq!(raw[18..20], [1, 1], "a copy has no log");
    let copied = Store::read(&copy).unwrap();
    assert_holds(&copied, &story());
    assert_eq!(copied.state().unwrap(), state_of_story());
    assert_eq!(copied.head(), store.head());
    // Even onto the file that it reads, as long as no store writes that.
    copied.copy_to(&copy).unwrap();
    drop((store, copied));
    assert_eq!(names_in(&folder), ["game.dramatis", "save"]);
    let mut copied = Store::open(&copy, Durability::Process).unwrap();
    copied.commit(&[interaction(13)]).unwrap();
}

#[test]
fn a_copy_that_fails_leaves_what_was_there() {
    let (folder, path) = place();
    let store = filled(&path);
    let before = fs::read(&path).unwrap();
    assert_eq!(
        problem(store.copy_to(&path)),
        StoreProblem::Busy,
        "onto itself"
    );
    assert_eq!(fs::read(&path).unwrap(), before);

    let save = folder.path().join("save");
    fs::write(&save, "old").unwrap();
    fs::write(header::beside(&save, "-wal"), "left behind").unwrap();
    assert_eq!(problem(store.copy_to(&save)), StoreProblem::Busy);
    store.copy_to(&save.join("in a file")).unwrap_err();
    let missing = folder.path().join("missing/save");
    assert_eq!(problem(store.copy_to(&missing)), StoreProblem::NotFound);
    store.copy_to(folder.path()).unwrap_err();
    assert_eq!(fs::read(&save).unwrap(), b"old");
    drop(store);
    assert_eq!(names_in(&folder), ["game.dramatis", "save", "save-wal"]);

    // SQLite fails in the middle: the last page of the source is missing.
    drop(filled(&folder.path().join("broken")));
    let broken = Store::read(&folder.path().join("broken")).unwrap();
    let file = File::options()
        .write(true)
        .open(folder.path().join("broken"))
        .unwrap();
    file.set_len(8192).unwrap();
    fs::remove_file(header::beside(&save, "-wal")).unwrap();
    broken.copy_to(&save).unwrap_err();
    assert_eq!(fs::read(&save).unwrap(), b"old");
    drop(broken);
    assert_eq!(names_in(&folder), ["broken", "game.dramatis", "save"]);
}

#[test]
fn what_a_killed_program_left_in_the_log_is_read_and_then_moved() {
    let (folder, path) = place();
    let store = filled(&path);
    // The files as they are after `kill -9`.
    let (dead, log) = (folder.path().join("dead"), folder.path().join("dead-wal"));
    fs::copy(&path, &dead).unwrap();
    fs::copy(header::beside(&path, "-wal"), &log).unwrap();
    drop(store);
    let before = (fs::read(&dead).unwrap(), fs::read(&log).unwrap());
    let reader = Store::read(&dead).unwrap();
    assert_holds(&reader, &story());
    drop(reader);
    assert_eq!((fs::read(&dead).unwrap(), fs::read(&log).unwrap()), before);

    // A log of which the end was lost: some commits are missing, and the rest is whole.
    fs::write(&log, &before.1[..before.1.len() - 100]).unwrap();
    assert_holds(&Store::read(&dead).unwrap(), &[]);
    fs::write(&log, &before.1).unwrap();
    let store = Store::open(&dead, Durability::Process).unwrap();
    assert_holds(&store, &story());
    drop(store);
    assert!(!log.exists());
    assert_holds(&Store::read(&dead).unwrap(), &story());
}

#[cfg(unix)]
#[test]
fn a_link_leads_to_the_log_of_the_file_itself() {
    let (folder, path) = place();
    let store = filled(&path);
    let link = folder.path().join("link");
    std::os::unix::fs::symlink(&path, &link).unwrap();
    let reader = Store::read(&link).unwrap();
    assert_holds(&reader, &story());
    drop((reader, store));
    assert_eq!(names_in(&folder), ["game.dramatis", "link"]);
}
