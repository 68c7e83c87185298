//! Damage: whatever happened to a file, it is found or it did not matter.

use super::*;
use std::fs;

/// A closed journal, as bytes.
fn journal() -> Vec<u8> {
    let (_folder, path) = place();
    drop(filled(&path));
    fs::read(path).unwrap()
}

type Content = (Vec<Entry>, Vec<StateRow>);

/// What a file holds if nothing finds fault with it. Reads all of it in any case.
fn believed(path: &Path) -> Result<Content, StoreError> {
    let store = Store::read(path)?;
    let verified = store.verify();
    let entries = store.entries(1, usize::MAX);
    let state = store.state();
    let _ = store.blob(&[1; 32]);
    verified?;
    Ok((entries?, state?))
}

#[test]
fn a_flipped_byte_is_found_or_changes_nothing() {
    let original = journal();
    let (_folder, path) = place();
    fs::write(&path, &original).unwrap();
    let whole = believed(&path).unwrap();
    // The whole header, then all over the file and all over what is written in it: most of its pages is empty.
    let every = |places: Vec<usize>| -> Vec<usize> {
        let step = places.len() / 125;
        places.into_iter().step_by(step).collect()
    };
    let spread = every((100..original.len()).collect());
    let written = (100..original.len()).filter(|at| original[*at] != 0);
    let written = every(written.collect());
    let (mut found, mut harmless) = (0, 0);
    for at in (0..100).chain(spread).chain(written) {
        for mask in [0x01, 0xFF] {
            let mut bytes = original.clone();
            bytes[at] ^= mask;
            fs::write(&path, &bytes).unwrap();
            match believed(&path) {
                Err(_) => found += 1,
                Ok(content) => {
                    assert!(content == whole, "byte {at}, mask {mask}");
                    harmless += 1;
                }
            }
            // Writing on must not panic either.
            fs::write(&path, &bytes).unwrap();
            if let Ok(mut store) = Store::open(&path, Durability::Process) {
                let _ = store.commit(&[turn(13, vec![row("entity", "lamp", "0")])]);
            }
            for ending in ["-wal", "-shm", "-journal"] {
                let _ = fs::remove_file(header::beside(&path, ending));
            }
        }
    }
    // Both kinds were met, so the loop did not pass by looking at empty pages only.
    assert!(
        found > 150 && harmless > 20,
        "{found} found, {harmless} harmless"
    );
}

#[test]
fn every_byte_of_an_entry_a_row_and_a_text_counts() {
    let original = journal();
    let (_folder, path) = place();
    for needle in [
        "\"turn\":5",
        "mira",
        "a rulebook",
        "keep the lighthouse",
        "[]",
    ] {
        let places: Vec<usize> = original
            .windows(needle.len())
            .enumerate()
            .filter(|(_, bytes)| *bytes == needle.as_bytes())
            .map(|(at, _)| at)
            .collect();
        assert!(!places.is_empty(), "{needle}");
        for at in places {
            let mut bytes = original.clone();
            bytes[at] ^= 0x02;
            fs::write(&path, &bytes).unwrap();
            believed(&path).unwrap_err();
        }
    }
}

#[test]
fn a_file_that_is_cut_off_is_refused_and_stays() {
    let original = journal();
    let (folder, path) = place();
    let lengths = (0..100).chain((100..original.len()).step_by(original.len() / 101));
    for length in lengths.chain([original.len() - 1]) {
        fs::write(&path, &original[..length]).unwrap();
        for answer in [Store::read(&path), Store::open(&path, Durability::Process)] {
            let answer = problem(answer);
            let named = match length {
                0..16 => matches!(answer, StoreProblem::NotAJournal { .. }),
                _ => {
                    matches!(answer, StoreProblem::Truncated { found, .. } if found == length as u64)
                }
            };
            assert!(named, "{length}: {answer:?}");
            assert_eq!(fs::read(&path).unwrap(), &original[..length]);
            assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        }
    }
}

/// Changes a filled journal with SQL, and says what is found.
fn tampered(sql: &str) -> StoreProblem {
    let (_folder, path) = place();
    drop(filled(&path));
    let shell = Connection::open(&path).unwrap();
    shell.execute_batch(sql).unwrap();
    drop(shell);
    problem(believed(&path))
}

#[test]
fn tampering_is_found_and_the_entry_named() {
    let wrong_hash = "an entry does not match its hash";
    for (sql, what, seq) in [
        (
            "UPDATE records SET body = '{\"turn\":0}' WHERE seq = 3",
            wrong_hash,
            Some(3),
        ),
        (
            "UPDATE records SET kind = 'write' WHERE seq = 5",
            wrong_hash,
            Some(5),
        ),
        (
            "UPDATE records SET game_ms = 0 WHERE seq = 6",
            wrong_hash,
            Some(6),
        ),
        (
            "UPDATE records SET subject = NULL WHERE seq = 8",
            wrong_hash,
            Some(8),
        ),
        (
            "UPDATE records SET subject = '' WHERE seq = 1",
            wrong_hash,
            Some(1),
        ),
        (
            "UPDATE records SET hash = zeroblob(32) WHERE seq = 4",
            wrong_hash,
            Some(4),
        ),
        (
            "UPDATE records SET state_sum = zeroblob(32) WHERE seq = 4",
            wrong_hash,
            Some(4),
        ),
        (
            "UPDATE records SET hash = zeroblob(31) WHERE seq = 4",
            "a hash has another length",
            Some(4),
        ),
        (
            "UPDATE records SET hash = 'text' WHERE seq = 4",
            "a hash is no bytes",
            Some(4),
        ),
        (
            "UPDATE records SET body = zeroblob(9) WHERE seq = 3",
            wrong_hash,
            Some(3),
        ),
        (
            "UPDATE records SET bytes = bytes + 1 WHERE seq = 3",
            wrong_hash,
            Some(3),
        ),
        (
            "UPDATE records SET body = CAST(zeroblob(16777217) AS TEXT) WHERE seq = 3",
            "a body is larger than any journal's",
            Some(3),
        ),
        (
            "UPDATE records SET body = CAST(zeroblob(99000000) AS TEXT) WHERE seq = 3",
            "a row is larger than any journal's",
            Some(3),
        ),
        (
            "DELETE FROM records WHERE seq = 5",
            "an entry is missing",
            Some(5),
        ),
        (
            "DELETE FROM records WHERE seq = 1",
            "an entry is missing",
            Some(1),
        ),
        (
            "INSERT INTO records SELECT -1, kind, 0, '', '', 0, hash, hash FROM records WHERE seq = 2",
            "an entry is missing",
            Some(1),
        ),
        (
            "UPDATE state SET value = '8' WHERE key = 'lamp'",
            "the state or a kept text does not match the last entry",
            Some(12),
        ),
        (
            "DELETE FROM state",
            "the state or a kept text does not match the last entry",
            Some(12),
        ),
        (
            "INSERT INTO state VALUES('a', 'b', 'c')",
            "the state or a kept text does not match the last entry",
            Some(12),
        ),
        (
            "UPDATE texts SET text = text || '.' WHERE text LIKE '%lighthouse%'",
            "a kept text does not match its hash",
            None,
        ),
        (
            "UPDATE texts SET text = 'A rulebook' WHERE text = 'a rulebook'",
            "a kept text does not match its hash",
            None,
        ),
        (
            "UPDATE records SET bytes = -1 WHERE seq = 3",
            "a body is larger than any journal's",
            Some(3),
        ),
        (
            "UPDATE records SET bytes = 'many' WHERE seq = 3",
            "a column holds another type",
            Some(3),
        ),
        (
            "DELETE FROM texts WHERE text LIKE '%lighthouse%'",
            "the state or a kept text does not match the last entry",
            Some(12),
        ),
        (
            "UPDATE records SET body = '{\"$packed\":1}' WHERE seq = 9",
            wrong_hash,
            Some(9),
        ),
        // Entries cut off at the end, with the state as it was then: this one shows in the checkpoint's sum.
        (
            "DELETE FROM records WHERE seq > 6",
            "the state or a kept text does not match the last entry",
            Some(6),
        ),
    ] {
        assert_eq!(tampered(sql), StoreProblem::Corrupt { what, seq }, "{sql}");
    }
}

#[test]
fn an_index_that_lies_is_found() {
    let hidden = "PRAGMA writable_schema = ON; \
        UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'state') \
        WHERE name = 'records_by_subject';";
    assert!(matches!(tampered(hidden), StoreProblem::Corrupt { .. }));
}

#[test]
fn tables_that_share_pages_are_found() {
    let shared = "PRAGMA writable_schema = ON; \
        UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'texts') \
        WHERE name = 'state';";
    assert!(matches!(tampered(shared), StoreProblem::Corrupt { .. }));
}

/// Makes the second branch of a table's tree lead where the first one leads.
fn with_a_loop(file: &mut [u8], page_size: usize, root: usize) {
    let page = &mut file[(root - 1) * page_size..][..page_size];
    assert!(matches!(page[0], 2 | 5), "the tree has branches");
    let cell = |at: usize| usize::from(u16::from_be_bytes([page[at], page[at + 1]]));
    let (first, second) = (cell(12), cell(14));
    page.copy_within(first..first + 4, second);
}

#[test]
fn a_walk_in_circles_ends() {
    let (_folder, path) = place();
    let mut store = Store::create(&path, Durability::Process).unwrap();
    for seq in 1..=900 {
        let mut commit = turn(seq, vec![row("entity", "lamp", "1")]);
        commit.state[0].key = format!("a long name of a lamp with the number {seq}");
        commit
            .blobs
            .push(format!("{seq} and a text of some length").repeat(3));
        store.commit(&[commit]).unwrap();
    }
    drop(store);
    let shell = Connection::open(&path).unwrap();
    let number = |sql: &str| {
        shell
            .query_row(sql, [], |row| row.get::<_, u32>(0))
            .unwrap()
    };
    let page_size = number("PRAGMA page_size");
    let roots = ["records", "state", "texts"].map(|table| {
        number(&format!(
            "SELECT rootpage FROM sqlite_schema WHERE name = '{table}'"
        ))
    });
    drop(shell);
    let original = fs::read(&path).unwrap();
    let looped = |root: u32| {
        let mut bytes = original.clone();
        with_a_loop(&mut bytes, page_size as usize, root as usize);
        fs::write(&path, bytes).unwrap();
        Store::read(&path).unwrap()
    };
    let store = looped(roots[0]);
    assert!(matches!(
        problem(store.entries(1, 9_999)),
        StoreProblem::Corrupt {
            what: "an entry is missing",
            seq: Some(2..900)
        }
    ));
    drop(store);
    let store = looped(roots[1]);
    let circle = StoreProblem::corrupt("the state is out of order");
    assert_eq!(problem(store.state()), circle);
    assert_eq!(problem(store.verify()), circle);
    drop(store);
    let circle = StoreProblem::corrupt("the kept texts are out of order");
    assert_eq!(problem(looped(roots[2]).verify()), circle);
}

#[test]
fn a_head_that_is_damaged_is_refused_at_once() {
    let (_folder, path) = place();
    drop(filled(&path));
    let shell = Connection::open(&path).unwrap();
    shell
        .execute_batch("UPDATE records SET hash = x'00' WHERE seq = 12")
        .unwrap();
    drop(shell);
    let damaged = StoreProblem::corrupt_at("a hash has another length", 12);
    assert_eq!(problem(Store::read(&path)), damaged);
    assert_eq!(problem(Store::open(&path, Durability::Process)), damaged);
}

#[test]
fn an_error_names_the_file_and_no_text() {
    let (_folder, path) = place();
    drop(filled(&path));
    let shell = Connection::open(&path).unwrap();
    shell
        .execute_batch("UPDATE records SET body = 'secret' WHERE seq = 3")
        .unwrap();
    drop(shell);
    let message = Store::read(&path)
        .unwrap()
        .verify()
        .unwrap_err()
        .to_string();
    assert!(message.starts_with(path.to_str().unwrap()), "{message}");
    assert!(
        message.contains("damaged at entry 3") && !message.contains("secret"),
        "{message}"
    );
}
