//! Files from unknown sources: an import is safe whatever the file contains, and an export that fails says so.

use super::{lines, plain, signed, small};
use bevy_dramatis::journal::{ExportError, Redaction, export, import};
use proptest::prelude::*;
use std::io::{BufReader, Read, Write};

/// The line at which an import refuses a file, and why.
fn refused(file: &[u8]) -> (u64, String) {
    match import(file) {
        Err(ExportError::Line { line, why }) => (line, why),
        other => panic!("{other:?}"),
    }
}

#[test]
fn j5_labels_that_look_like_paths_stay_labels() {
    for label in [
        "../../etc/passwd",
        "C:\\x",
        "\\\\server\\share\\x",
        "/etc/passwd",
    ] {
        let mut lines = lines();
        lines.pop();
        let mut line: serde_json::Value = serde_json::from_str(&lines[1]).unwrap();
        let mut source = small().0.assets[line["asset"].as_str().unwrap()].clone();
        source.file = label.to_owned();
        source.parts.insert(label.to_owned(), "x".to_owned());
        line["asset"] = source.digest().to_hex().into();
        line["source"] = serde_json::to_value(&source).unwrap();
        lines[1] = line.to_string();
        let back = import(&*signed(&lines)).unwrap();
        assert!(
            back.assets.values().any(|asset| *asset == source),
            "{label}"
        );
        let (_, again) = plain(&back);
        let again = import(&*again).unwrap();
        let mut labels = again.assets.values().map(|asset| asset.file.as_str());
        assert!(
            labels.any(|label| matches!(label, "passwd" | "x")),
            "{label}"
        );
    }
}

#[test]
fn j5_every_truncation_is_refused() {
    let file = &small().1;
    let step = (file.len() / 300).max(1);
    for end in (0..file.len()).step_by(step).chain([file.len() - 1]) {
        let (line, _) = refused(&file[..end]);
        assert!(line <= lines().len() as u64, "{end}");
    }
}

#[test]
fn j5_every_flipped_byte_is_refused() {
    let file = &small().1;
    for at in (0..file.len()).step_by((file.len() / 300).max(1)) {
        let mut file = file.clone();
        file[at] ^= 1 << (at % 7);
        refused(&file);
    }
}

#[test]
fn j5_a_file_that_lies_is_refused_by_name() {
    let is = |line: u64, why: &str| (line, why.to_owned());
    let good = lines();
    let (assets, records) = (2, good.len() - 4);
    let body = &good[..good.len() - 1];
    assert!(import(&*signed(body)).is_ok());
    let with = |at: usize, from: &str, to: &str| {
        let mut lines = body.to_vec();
        // A record's body seals its head too, so the test changes the last place.
        let place = lines[at].rfind(from).expect(from);
        lines[at].replace_range(place..place + from.len(), to);
        refused(&signed(&lines))
    };
    let records = format!("\"records\":{records}");
    assert_eq!(
        with(0, "_export\":1", "_export\":7"),
        is(
            1,
            "the export is of version 7, which this program does not know"
        )
    );
    assert_eq!(
        with(0, "dramatis_export", "export"),
        is(1, "this is not an export of a session")
    );
    assert_eq!(
        with(0, "1,", "1, "),
        is(1, "this is not an export of a session")
    );
    assert_eq!(
        with(0, "\"assets\"", "\"asset\""),
        is(1, "this is not the expected header of an export")
    );
    let much = |what, limit: u64| (1, format!("there are more than {limit} {what}"));
    assert_eq!(
        with(0, &records, "\"records\":1000001"),
        much("records", 1_000_000)
    );
    assert_eq!(
        with(0, &records, &format!("\"records\":{}", u64::MAX)),
        much("records", 1_000_000)
    );
    assert_eq!(
        with(0, "\"assets\":2", "\"assets\":10001"),
        much("assets", 10_000)
    );
    assert_eq!(
        with(0, "\"assets\":2", "\"assets\":3"),
        is(4, "this is not the expected asset")
    );
    assert_eq!(
        with(1, "scenario", "scenery"),
        is(2, "the content of this asset does not match its hash")
    );
    assert_eq!(
        with(assets + 2, "\"seq\":2", "\"seq\":3"),
        is(5, "this should be record 2")
    );
    assert_eq!(
        with(assets + 1, "\"checkpoint\"", "\"party\""),
        is(4, "the record is of a kind that this program does not know")
    );
    assert_eq!(
        with(assets + 1, "\"subject\":", "\"subject\": "),
        is(4, "this is not in the canonical encoding")
    );
    assert_eq!(
        with(assets + 1, "{\"body\"", "{{\"body\""),
        is(4, "this is not JSON, from column 2")
    );
    let mut twice = body.to_vec();
    twice[2] = twice[1].clone();
    assert_eq!(
        refused(&signed(&twice)),
        is(3, "an earlier line holds the same asset")
    );
    let mut other = signed(body);
    let at = other.len() - 10;
    other[at] = if other[at] == b'0' { b'1' } else { b'0' };
    assert_eq!(
        refused(&other),
        is(
            good.len() as u64,
            "the file was changed after the export: its content does not match the hash in the last line"
        )
    );
    let trailing = [&*signed(body), b"\n"].concat();
    assert_eq!(
        refused(&trailing),
        is(good.len() as u64 + 1, "something comes after the last line")
    );
    let mut deep = body.to_vec();
    deep[assets + 1] = "[".repeat(1_000_000);
    let levels = "there are more than 100 levels in a line";
    assert_eq!(refused(&signed(&deep)), is(4, levels));
}

#[test]
fn j5_an_error_repeats_nothing_of_the_file() {
    let mut lines = lines();
    lines.pop();
    let place = lines[3].rfind("subject").unwrap();
    lines[3].replace_range(place..place + 7, "swordfish");
    let error = import(&*signed(&lines)).unwrap_err();
    let said = format!("{error} {error:?}");
    assert!(
        said.starts_with("line 4: ") && !said.contains("swordfish"),
        "{said}"
    );
}

/// A reader that gives the same byte forever, and counts the bytes.
struct Endless(u64);

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        buffer.fill(b'a');
        self.0 += buffer.len() as u64;
        Ok(buffer.len())
    }
}

#[test]
fn j5_a_line_without_end_is_given_up() {
    let mut endless = Endless(0);
    let error = import(BufReader::new(&mut endless)).unwrap_err();
    let limit = 16 * 1024 * 1024;
    let said = format!("line 1: there are more than {limit} bytes in a line");
    assert_eq!(error.to_string(), said);
    assert!(endless.0 <= limit + 64 * 1024, "{}", endless.0);
}

/// A disk that is full after some bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 = self
            .0
            .checked_sub(bytes.len())
            .ok_or(std::io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn j5_an_export_that_fails_says_why() {
    let recording = &small().0;
    let full = export(recording, &mut Full(100), &Redaction::default());
    assert_eq!(
        full,
        Err(ExportError::Write(std::io::ErrorKind::StorageFull))
    );
    let mut gap = recording.clone();
    gap.records.remove(1);
    let missing = export(&gap, &mut Full(usize::MAX), &Redaction::default());
    assert_eq!(missing, Err(ExportError::Record(2)));
    let mut other = recording.clone();
    other
        .assets
        .values_mut()
        .for_each(|asset| asset.text.push(' '));
    let other = export(&other, &mut Full(usize::MAX), &Redaction::default());
    assert_eq!(other, Err(ExportError::Assets));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn j5_no_bytes_make_an_import_panic(bytes in prop::collection::vec(any::<u8>(), 0..2_000)) {
        prop_assert!(import(&*bytes).is_err());
    }

    #[test]
    fn j5_no_change_of_a_line_makes_an_import_panic(
        line in 0_usize..6, at in any::<prop::sample::Index>(), with in "\\PC{0,6}|[\\[\\]{}:,\"0-9]{0,4}",
    ) {
        let mut lines = lines();
        lines.pop();
        let line = line % lines.len();
        let at = at.index(lines[line].len());
        prop_assume!(lines[line].is_char_boundary(at));
        lines[line].insert_str(at, &with);
        if let Ok(recording) = import(&*signed(&lines)) {
            // An export contains whatever an import has read.
            prop_assert!(import(&*plain(&recording).1).is_ok());
        }
    }
}
