//! A session as one file: an export contains no secret, and an import is safe from hostile files (contract rows J5 and R4).

use bevy_dramatis::authoring::NoFiles;
use bevy_dramatis::base::Digest;
use bevy_dramatis::journal::{Exported, Recording, Redaction, export, import};
use bevy_dramatis::replay::replay;
use bevy_dramatis::scenario::{Scenario, record, scenario_files};
use bevy_dramatis::world::ActionRegistry;
use proptest::prelude::*;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

mod hostile;

/// A key that any code can recognise by its form.
const KEY: &str = "sk-live-Zq7Xv93Kd02mPq8LwT5n";
/// A word without a recognisable form: a game that exports must name it.
const WORD: &str = "moonlit/\"Hollow";

fn written(recording: &Recording, redaction: &Redaction) -> (Exported, Vec<u8>) {
    let mut file = Vec::new();
    let exported = export(recording, &mut file, redaction).unwrap();
    (exported, file)
}

fn plain(recording: &Recording) -> (Exported, Vec<u8>) {
    written(recording, &Redaction::default())
}

fn recorded(source: &str, file: &str) -> Recording {
    let registry = ActionRegistry::default();
    let scenario = Scenario::parse(source.as_bytes(), file, &NoFiles, &registry).unwrap();
    record(&scenario, &|_| {}).1
}

/// A small session without secrets, and its export.
fn small() -> &'static (Recording, Vec<u8>) {
    static SMALL: OnceLock<(Recording, Vec<u8>)> = OnceLock::new();
    SMALL.get_or_init(|| {
        let source = r#"Scenario(
            name: "small",
            npcs: [(id: "guard")],
            replies: [Say("Well met.")],
            steps: [SetFlag(name: "night", value: true), Say(to: "guard", text: "Hello?")],
        )"#;
        let recording = recorded(source, "small.scenario.ron");
        let file = plain(&recording).1;
        (recording, file)
    })
}

fn lines() -> Vec<String> {
    let text = std::str::from_utf8(&small().1).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Lines as a file, with a last line that matches them.
fn signed(lines: &[String]) -> Vec<u8> {
    let mut file: String = lines.iter().map(|line| format!("{line}\n")).collect();
    let hash = Digest::of_bytes(file.as_bytes()).to_hex();
    file.push_str(&format!("{{\"blake3\":\"{hash}\"}}\n"));
    file.into_bytes()
}

#[test]
fn j5_a_session_without_secrets_comes_back_as_it_was() {
    let mut whole = 0;
    let files = scenario_files(Path::new("assets/scenarios")).unwrap();
    for file in files.iter().step_by(20) {
        let scenario = Scenario::read(file, &ActionRegistry::default()).unwrap();
        let (_, recording) = record(&scenario, &|_| {});
        let (exported, text) = plain(&recording);
        let back = import(&*text).unwrap();
        let name = file.display();
        assert_eq!(exported.records, recording.records.len() as u64, "{name}");
        let mut labels = recording.assets.values().map(|source| &source.file);
        if labels.any(|label| label.contains("..")) {
            assert!(exported.redacted > 0, "{name}");
        } else {
            assert_eq!(back, recording, "{name}");
            assert_eq!(exported.redacted, 0, "{name}");
            whole += 1;
        }
        let report = replay(&back, &|_| {}).unwrap();
        assert!(report.holds(), "{name}: {:?}", report.divergences.first());
        assert_eq!(report.records, exported.records, "{name}");
        assert_eq!(plain(&back).1, text, "{name}: a second export differs");
    }
    assert!(whole > 20, "{whole}");
}

#[test]
fn j5_the_file_is_lines_of_canonical_json_with_their_hash() {
    let lines = lines();
    let records = small().0.records.len();
    let header = format!(r#"{{"assets":2,"dramatis_export":1,"records":{records}}}"#);
    assert_eq!(lines[0], header);
    assert_eq!(lines.len(), records + 4);
    assert_eq!(signed(&lines[..lines.len() - 1]), small().1);
    assert!(!small().1.contains(&b'\r'));
}

/// A session with the secrets in every place where a player, a model or a game can put them.
fn secretive() -> Recording {
    let (head, tail) = KEY.split_at(17);
    let source = format!(
        r###"Scenario(
            name: "secretive",
            canon: [(id: "vault", text: r#"The vault opens to {WORD}."#)],
            npcs: [(id: "guard", persona: r#"You guard {KEY} and {WORD}."#)],
            replies: [
                Reply((chunks: ["It is {head}", "{tail}, friend."])),
                Say(r#"{{"dialogue": "Say moonlit\/\"H\u006fllow aloud.",
                    "mutations": [{{"type": "AppendEpisodic", "content": "Ann knows \u0073{rest}."}}]}}"#),
                Say("I remember."),
            ],
            steps: [
                SetWorldFact(key: "password", value: r#"{WORD}"#),
                SetWorldFact(key: "wire", value: "Authorization: Bearer Tr33house.xyz"),
                Say(to: "guard", text: r#"Is it {KEY}, or {WORD}?"#),
                Say(to: "guard", text: "And TR33HOUSE.XYZ?"),
                Say(to: "guard", text: "What do you remember?"),
            ],
        )"###,
        rest = &KEY[1..],
    );
    recorded(&source, &format!("/home/ann/{KEY}/secretive.scenario.ron"))
}

/// The parts of secrets that a file shows, unescaped as often as possible.
fn leaks(file: &[u8]) -> Vec<String> {
    let text = String::from_utf8(file.to_vec()).unwrap().to_lowercase();
    let once = text
        .replace("\\\"", "\"")
        .replace("\\/", "/")
        .replace("\\\\", "\\");
    let twice = once.replace("\\\"", "\"").replace("\\/", "/");
    let mut parts: Vec<String> = Vec::new();
    for secret in [KEY, WORD, "Tr33house.xyz"] {
        let secret = secret.to_lowercase();
        let windows = secret.as_bytes().windows(10);
        parts.extend(windows.map(|part| String::from_utf8(part.to_vec()).unwrap()));
    }
    parts.push("h\\u006fllow".to_owned());
    parts.push("/home/".to_owned());
    let shown = |part: &String| {
        [&text, &once, &twice]
            .iter()
            .any(|text| text.contains(part))
    };
    parts.into_iter().filter(shown).collect()
}

#[test]
fn r4_no_secret_is_in_an_export_and_what_is_left_replays() {
    let recording = secretive();
    let raw: String = recording
        .records
        .iter()
        .map(|record| record.encoded())
        .collect();
    let raw = raw
        + &recording
            .assets
            .values()
            .map(|asset| asset.encoded())
            .collect::<String>();
    assert!(
        leaks(raw.as_bytes()).len() > 25,
        "the secrets are not there"
    );
    let (exported, file) = written(&recording, &Redaction::default().also([WORD]));
    assert_eq!(leaks(&file), Vec::<String>::new());
    assert!(exported.redacted > 5, "{exported:?}");
    let back = import(&*file).unwrap();
    let report = replay(&back, &|_| {}).unwrap();
    assert_eq!(report.stopped, None, "{:?}", report.divergences);
    assert_eq!(report.records, exported.records);
    for divergence in &report.divergences {
        let record = &back.records[usize::try_from(divergence.seq).unwrap() - 1];
        assert!(record.body.contains_key("redacted"), "{divergence}");
    }
    // The export names all that it removed, and has removed all that it names.
    for (before, after) in recording.records.iter().zip(&back.records) {
        assert_eq!(after.broken_seal(), None, "record {}", after.seq);
        let named = after
            .body
            .get("redacted")
            .and_then(|named| named.as_array());
        let named: Vec<&str> = named
            .into_iter()
            .flatten()
            .filter_map(|f| f.as_str())
            .collect();
        let fields = before.body.iter().filter(|(field, _)| *field != "seals");
        let differing = fields.filter(|(field, value)| after.body.get(*field) != Some(value));
        let differing: Vec<&str> = differing.map(|(field, _)| field.as_str()).collect();
        assert_eq!(named, differing, "record {}", after.seq);
    }
    let named = back
        .assets
        .values()
        .all(|asset| asset.file == "secretive.scenario.ron");
    assert!(named && back.assets.len() == recording.assets.len());
    let again = written(&back, &Redaction::default().also([WORD])).1;
    assert!(again == file, "a second export differs");
}

#[test]
fn r4_bytes_that_are_no_text_hide_nothing() {
    let mut recording = small().0.clone();
    let run = recording.records.last_mut().unwrap();
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    let secret = hex(&[b"\xff my key ", KEY.as_bytes(), b"\xfe"].concat());
    let mut reply = run.body["bytes"][0].clone();
    reply["text"] = serde_json::Value::Null;
    reply["hex"] = secret.into();
    run.body["bytes"][0] = reply;
    let (_, file) = plain(&recording);
    let text = String::from_utf8(file.clone()).unwrap();
    assert!(!text.contains(&hex(&KEY.as_bytes()[..10])));
    assert!(text.contains(&hex(b"[redacted]")));
    assert!(import(&*file).is_ok());
}

#[test]
fn j5_what_was_tampered_with_stays_broken() {
    let mut recording = small().0.clone();
    let run = recording.records.last_mut().unwrap();
    run.body["context"]["input"] = format!("Is it {KEY}?").into();
    assert_eq!(run.broken_seal().as_deref(), Some("context"));
    let back = import(&*plain(&recording).1).unwrap();
    let broken = back.records.last().unwrap().broken_seal();
    assert_eq!(broken.as_deref(), Some("context"));
}

#[test]
fn r4_the_key_of_the_environment_goes() {
    const NAME: &str = "DRAMATIS_API_KEY";
    const VALUE: &str = "plainoldwordskey";
    if std::env::var(NAME).as_deref() == Ok(VALUE) {
        let mut recording = small().0.clone();
        let run = recording.records.last_mut().unwrap();
        run.body["context"]["input"] = format!("Is it {VALUE}?").into();
        let (exported, file) = plain(&recording);
        assert_eq!(exported.redacted, 1);
        assert!(!String::from_utf8(file).unwrap().contains(VALUE));
        assert!(!format!("{:?}", Redaction::default()).contains(VALUE));
        return;
    }
    // The environment belongs to the process, so another process has the key.
    let mut test = Command::new(std::env::current_exe().unwrap());
    test.args(["--exact", "export::r4_the_key_of_the_environment_goes"]);
    let done = test.env(NAME, VALUE).output().unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
fn r4_names_are_looked_at_as_values_are() {
    let mut recording = small().0.clone();
    let run = recording.records.last_mut().unwrap();
    run.body["context"]["noted"] = serde_json::json!({
        format!("{KEY}1"): 1, format!("{KEY}2"): 2, "api_key": ["open sesame"],
    });
    let (exported, file) = plain(&recording);
    assert_eq!(exported.redacted, 1);
    let back = import(&*file).unwrap();
    let noted = &back.records.last().unwrap().body["context"]["noted"];
    let expected =
        serde_json::json!({"[redacted]": 1, "[redacted] 3": 2, "api_key": ["[redacted]"]});
    assert_eq!(*noted, expected);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn r4_no_key_leaves_whatever_stands_around_it(before in "\\PC{0,12}", after in "[^A-Za-z0-9_-]\\PC{0,12}") {
        let mut recording = small().0.clone();
        let run = recording.records.last_mut().unwrap();
        run.body["context"]["input"] = format!("{before} {KEY}{after}").into();
        let file = plain(&recording).1;
        prop_assert!(!String::from_utf8(file.clone()).unwrap().contains(&KEY[..10]));
        prop_assert!(import(&*file).is_ok());
    }
}
