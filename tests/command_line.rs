//! `dramatis verify`, `replay`, `export` and `regate`, as a person uses them at a terminal (contract row X4).

#[path = "journal_file/bell.rs"]
mod bell;
#[path = "support/dramatis.rs"]
mod dramatis;

use bevy_dramatis::journal::{JournalFile, Recorded};
use bevy_dramatis::journal::{JournalPlugin, MemoryJournalPlugin, Redaction, export};
use bevy_dramatis::scenario::{Scenario, record};
use bevy_dramatis::world::ActionRegistry;
use dramatis::{dramatis, dramatis_in};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A journal of three talks and two rings of the bell.
fn journal(folder: &Path) -> PathBuf {
    let path = folder.join("game.dramatis");
    let mut app = bell::game(JournalPlugin::new(&path));
    for _ in 0..2 {
        bell::talk(&mut app, "Hello?");
        bell::ring(&mut app);
    }
    bell::talk(&mut app, "Goodbye.");
    path
}

#[test]
fn x4_a_journal_is_verified_replayed_and_stepped_through() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal(folder.path());
    let file = path.to_str().unwrap();
    let verified = dramatis(0, &["verify", file]);
    assert!(verified.out.starts_with("whole"));
    let replayed = dramatis(0, &["replay", file, "--steps"]);
    let said = replayed.out;
    assert!(
        said.contains("\"Goodbye.\" -> Accepted \"The bell is old.\""),
        "{said}"
    );
    assert!(
        said.lines()
            .last()
            .unwrap()
            .contains("5 runs and turns happened again"),
        "{said}"
    );
}

#[test]
fn x4_an_export_is_one_file_that_replays() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal(folder.path());
    let report = folder.path().join("report.jsonl");
    let (file, report) = (path.to_str().unwrap(), report.to_str().unwrap());
    dramatis(0, &["export", file, "--output", report]);
    dramatis(0, &["replay", report]);
    // The program does not overwrite an older report.
    dramatis(2, &["export", file, "--output", report]);
    let redacted = dramatis(0, &["export", file, "--redact", "Goodbye"]);
    assert!(!redacted.out.contains("Goodbye"));
    assert!(redacted.out.contains("Hello?"));
}

#[test]
fn x4_what_is_damaged_or_missing_is_said_with_its_name_and_exit_2() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal(folder.path());
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes
        .windows(8)
        .position(|window| window == b"Goodbye.")
        .unwrap();
    bytes[middle] = b'g';
    std::fs::write(&path, &bytes).unwrap();
    let nothing = folder.path().join("nothing");
    let noise = folder.path().join("noise");
    std::fs::write(&noise, "no journal, and no report\n").unwrap();
    for file in [&path, &nothing, &noise] {
        let file = file.to_str().unwrap();
        let verified = dramatis(2, &["verify", file]);
        assert!(
            verified.err.starts_with(&format!("{file}:1:1: ")),
            "{}",
            verified.err
        );
        assert!(verified.out.is_empty());
    }
    dramatis(2, &["replay", noise.to_str().unwrap()]);
}

#[test]
fn x4_a_journal_is_pruned_once_and_its_game_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal(folder.path());
    let file = path.to_str().unwrap();
    let pruned = dramatis(0, &["prune", file]);
    assert!(pruned.out.starts_with("pruned"), "{}", pruned.out);
    let verified = dramatis(0, &["verify", file]);
    assert!(
        verified.out.trim_end().ends_with("1 records"),
        "{}",
        verified.out
    );
    let nothing = folder.path().join("nothing");
    dramatis(2, &["prune", nothing.to_str().unwrap()]);
    assert!(!nothing.exists());
}

#[test]
fn x4_a_replay_says_that_a_journal_was_changed_and_names_the_field() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal(folder.path());
    let file = JournalFile::open(&path).unwrap();
    let bodies = (1..=file.count()).map(|seq| {
        let body = serde_json::to_string(&file.record(seq).unwrap().body);
        (seq, body.unwrap())
    });
    let mut said = bodies.filter(|(_, body)| body.contains(r#""input":"Goodbye.""#));
    let (seq, body) = said.next().unwrap();
    drop(said);
    drop(file);
    let body = body.replace("Goodbye.", "Good day.");
    let database = rusqlite::Connection::open(&path).unwrap();
    let change = "UPDATE records SET body = ?1, bytes = length(?1) WHERE seq = ?2";
    let changed = database.execute(change, rusqlite::params![body, seq as i64]);
    assert_eq!(changed.unwrap(), 1);
    drop(database);
    let file = path.to_str().unwrap();
    let replayed = dramatis(2, &["replay", file]);
    assert!(
        replayed.err.contains("damaged at entry"),
        "{}",
        replayed.err
    );
    assert!(replayed.out.contains("/context"), "{}", replayed.out);
}

#[test]
fn x4_old_replies_are_judged_by_changed_rules() {
    let folder = tempfile::tempdir().unwrap();
    let path = journal(folder.path());
    let stricter = folder.path().join("keeper.npc.ron");
    std::fs::write(
        &stricter,
        r#"(id: "keeper", name: "Odo", persona: "You keep the hall.", location: "hall",
            constraints: [(id: "no_age", kind: Prohibition, severity: Hard, patterns: ["old"])],
            memories: [(id: "m1", text: "Ann came in the rain.", significance: 0.9)])"#,
    )
    .unwrap();
    let (file, rules) = (path.to_str().unwrap(), stricter.to_str().unwrap());
    let judged = dramatis(1, &["regate", file, rules]);
    assert!(judged.out.contains("no_age"), "{}", judged.out);
    assert!(
        judged
            .out
            .contains("3 verdicts of 5 runs, turns and plans change"),
        "{}",
        judged.out
    );
}

#[test]
fn x4_what_could_not_be_judged_again_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let porter = folder.path().join("porter.npc.ron");
    std::fs::write(&porter, r#"(id: "porter", name: "Odo")"#).unwrap();
    let porter = porter.to_str().unwrap();
    // The rules of a character that said nothing: the program says so, and all verdicts stay the same.
    let path = journal(folder.path());
    let judged = dramatis(0, &["regate", path.to_str().unwrap(), porter]);
    let said = judged.out;
    let last: Vec<&str> = said.lines().collect();
    let expected = [
        "nothing of porter was judged",
        "0 verdicts of 5 runs, turns and plans change",
    ];
    assert_eq!(last, expected);
    // The game wrote to its world during the only turn, so the program could judge nothing and knows no verdict.
    let exported = folder.path().join("turn.jsonl");
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/scenarios");
    let moving = scenarios.join("t7_what_the_game_does_between_narrations.scenario.ron");
    let moving = Scenario::read(&moving, &ActionRegistry::default()).unwrap();
    let (_, recording) = record(&moving, &|_| {});
    let mut file = std::fs::File::create(&exported).unwrap();
    export(&recording, &mut file, &Redaction::default()).unwrap();
    let judged = dramatis(1, &["regate", exported.to_str().unwrap(), porter]);
    let said = judged.out;
    assert!(said.contains("cannot happen again"), "{said}");
    assert!(
        said.contains("0 verdicts of 0 runs, turns and plans change"),
        "{said}"
    );
}

#[test]
fn x4_a_save_without_a_journal_is_verified_and_replayed_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.save");
    let mut app = bell::game(MemoryJournalPlugin);
    bell::talk(&mut app, "Hello?");
    bell::save_now(&mut app, &path).unwrap();
    let file = path.to_str().unwrap();
    for command in ["verify", "replay"] {
        dramatis(0, &[command, file]);
    }
}

#[test]
fn x3_a_scenario_begins_from_a_journal_a_save_and_an_export() {
    let folder = tempfile::tempdir().unwrap();
    let journal = journal(folder.path());
    let export = folder.path().join("game.jsonl");
    let (from, to) = (journal.to_str().unwrap(), export.to_str().unwrap());
    dramatis(0, &["export", from, "-o", to]);
    let mut app = bell::game(MemoryJournalPlugin);
    bell::talk(&mut app, "Hello?");
    bell::ring(&mut app);
    bell::ring(&mut app);
    bell::save_now(&mut app, &folder.path().join("game.save")).unwrap();
    let file = folder.path().join("later.scenario.ron");
    let play = |code: i32, from: &str, rings: u32| {
        let scenario = format!(
            r#"(name: "later", from: {from}, replies: [Say("Twice.")],
            steps: [Say(to: "keeper", text: "How often did it ring?")],
            expect: [(at: "/world/entities/bell/attributes/rings", is: {rings}), (at: "/runs/0/dialogue", is: "Twice."),
                     (at: "/runs/0/attempts/0/prompt", contains: "Ann asked again")])"#
        );
        std::fs::write(&file, scenario).unwrap();
        dramatis(code, &["run", file.to_str().unwrap()])
    };
    for from in [r#""game.dramatis""#, r#""game.jsonl""#, r#""game.save""#] {
        play(0, from, 2);
    }
    let recorded = JournalFile::open(&journal).unwrap();
    let is_ring = |seq: &u64| recorded.record(*seq).unwrap().kind.name() == "turn";
    let first = (1..=recorded.count()).find(is_ring).unwrap();
    play(0, &format!(r#""game.dramatis", at: {first}"#), 1);
    // An export can start with the state of the game at a record, without what came before.
    let alone = folder.path().join("alone.jsonl");
    let at = first.to_string();
    let cut = dramatis(
        0,
        &["export", from, "--at", &at, "-o", alone.to_str().unwrap()],
    );
    assert!(cut.out.starts_with("1 records exported"), "{}", cut.out);
    play(0, r#""alone.jsonl""#, 1);
    for at in ["0", "1000"] {
        let cut = dramatis(2, &["export", from, "--at", at]);
        assert!(cut.err.contains("it has the records 1 to"), "{}", cut.err);
    }
    // An old journal from a game with another rulebook.
    let old = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/data/journal-v2.dramatis"
    );
    let cut = dramatis(1, &["export", old, "--at", "10"]);
    assert!(cut.err.contains("is not known: record 8"), "{}", cut.err);
    assert_eq!(cut.out, "", "nothing is exported");
    // A file that is not a recording: the error names the place.
    std::fs::write(folder.path().join("game.save"), "no save").unwrap();
    let played = play(2, r#""game.save""#, 2);
    assert!(
        played.err.contains("later.scenario.ron:1:"),
        "{}",
        played.err
    );
    dramatis(2, &["check", folder.path().to_str().unwrap()]);
}

#[test]
fn x4_a_chat_goes_on_in_a_saved_game() {
    let folder = tempfile::tempdir().unwrap();
    journal(folder.path());
    let file = folder.path().join("later.scenario.ron");
    let scene = r#"(name: "later", from: "game.dramatis", replies: [Say("It rang twice.")])"#;
    std::fs::write(&file, scene).unwrap();
    dramatis(0, &["check", file.to_str().unwrap()]);
    let said = chat_with(&file, "How often?\n", None);
    assert!(said.contains("Odo: It rang twice."), "{said}");
}

/// What `dramatis chat` prints for a scene when a person types these lines.
fn chat(scene: &str, lines: impl AsRef<[u8]>) -> String {
    chat_at(scene, lines, None)
}

/// The same with a server that the environment names.
fn chat_at(scene: &str, lines: impl AsRef<[u8]>, url: Option<&str>) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.scenario.ron");
    std::fs::write(&file, scene).unwrap();
    chat_with(&file, lines, url)
}

/// The same with a file.
fn chat_with(file: &Path, lines: impl AsRef<[u8]>, url: Option<&str>) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dramatis"));
    command.arg("chat").arg(file).env_remove("DRAMATIS_URL");
    if let Some(url) = url {
        command
            .env("DRAMATIS_URL", url)
            .env("DRAMATIS_MODEL", "any");
    }
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut typed = child.stdin.take().unwrap();
    typed.write_all(lines.as_ref()).unwrap();
    drop(typed);
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

#[test]
fn x4_a_chat_knows_what_the_player_does() {
    const SCENE: &str = r#"(
        name: "a hall",
        world: (locations: {"hall": (name: "Hall")}, entities: {
            "player": (name: "Ann", kind: "character", at: In("hall")),
            "key": (name: "brass key", kind: "item", at: In("hall"), attributes: {"takeable": true}),
        }),
        npcs: [(id: "guard", name: "Odo", location: "hall")],
        replies: [Say("Good evening.")],
        steps: [],
    )"#;
    let said = chat(SCENE, "Hello\n> take the brass key\n> eat the moon\n");
    assert!(said.contains("Odo: Good evening."), "{said}");
    assert!(said.contains("[take key: OK]"), "{said}");
    assert_eq!(said.lines().count(), 3, "each line has an answer: {said}");
}

#[test]
fn x4_a_line_that_is_no_text_is_answered_and_the_chat_goes_on() {
    const SCENE: &str = r#"(name: "a hall", npcs: [(id: "guard", name: "Odo")], replies: [Say("Good evening."), Say("Good night.")], steps: [])"#;
    const TALE: &str = r#"(
        name: "an inn",
        adventure: (extract_every: (persona: 0, character: 0, lore: 0)),
        world: (locations: {"inn": (name: "Inn")}, entities: {"ann": (name: "Ann", kind: "character", at: In("inn"))}),
        personas: [(id: "ann")],
        replies: [Reply((stage: Narrator, text: "It is late."))],
        steps: [],
    )"#;
    let said = chat(SCENE, b"Caf\xE9?\nHello\0\nHello?\r\nBye, and no line feed");
    for expected in [
        "byte 4 of this line is not UTF-8",
        "NUL",
        "Odo: Good evening.",
        "Odo: Good night.",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
    assert_eq!(said.lines().count(), 4, "each line has an answer: {said}");
    let said = chat(TALE, b"Gr\xFC\xDFe!\nI wait.\n");
    assert!(said.contains("byte 3 of this line is not UTF-8"), "{said}");
    assert!(said.contains("It is late."), "{said}");
}

#[test]
fn s3_a_sealed_character_asks_no_server_that_the_environment_names() {
    const SCENE: &str = r#"(name: "a hall", policy: Sealed, npcs: [(id: "guard", name: "Odo")],
        replies: [Say("Good evening.")], steps: [])"#;
    assert!(chat(SCENE, "Hello?\n").contains("Odo: Good evening."));
    let server = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    server.set_nonblocking(true).unwrap();
    let url = format!("http://{}", server.local_addr().unwrap());
    let said = chat_at(SCENE, "Hello?\n", Some(&url));
    assert!(
        said.contains("no engine is bound for sealed runs"),
        "{said}"
    );
    assert!(said.contains("(rejected)"), "{said}");
    assert!(!said.contains("Good evening."), "{said}");
    // The program may have connected to the server, but it asked nothing.
    while let Ok((mut connection, _)) = server.accept() {
        let mut asked = Vec::new();
        connection.set_nonblocking(false).unwrap();
        let _ = connection.read_to_end(&mut asked);
        assert!(!asked.starts_with(b"POST"), "the server was asked");
    }
}

#[test]
fn x4_a_chat_plays_an_adventure() {
    const SCENE: &str = r#"(
        name: "an inn",
        adventure: (extract_every: (persona: 0, character: 0, lore: 0)),
        world: (locations: {"inn": (name: "Inn")}, entities: {
            "ann": (name: "Ann", kind: "character", at: In("inn")),
            "key": (name: "brass key", kind: "item", at: In("inn"), attributes: {"takeable": true}),
        }),
        npcs: [(id: "odo", name: "Odo", location: "inn", chattiness: 0)],
        personas: [(id: "ann")],
        replies: [
            Reply((stage: Narrator, text: "The key is hers.")),
            Reply((stage: Narrator, text: "The key is hers once more.")),
            Reply((stage: Narrator, text: "A word passes.")),
        ],
        steps: [],
    )"#;
    let lines = "I take the brass key.\n/again\n/undo\n/whisper odo: Hush.\n/whisper nobody\n/dance\n\n/undo\n/undo\nMore.\n";
    let said = chat(SCENE, lines);
    for expected in [
        "You play ann.",
        "  .. narrator: ann",
        "The key is hers.",
        "[ann take key: OK]",
        "The key is hers once more.",
        "(the last turn has not happened)",
        "A word passes.",
        "(/whisper NAME: what you say)",
        "(there is no command \"/dance\")",
        "EmptyIntention",
        "Nothing",
        "(that has not happened: ",
    ] {
        assert!(said.contains(expected), "{expected}: {said}");
    }
}

#[test]
fn a9_recorded_plans_are_explained_as_text_and_as_json() {
    use bevy_dramatis::journal::{Redaction, export};
    use bevy_dramatis::scenario::{Scenario, record};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("session.jsonl");
    let scenario = "assets/scenarios/a8_what_others_changed_is_kept.scenario.ron";
    let scenario = Scenario::read(Path::new(scenario), &Default::default()).unwrap();
    let (_, recording) = record(&scenario, &|_| {});
    let mut file = std::fs::File::create(&path).unwrap();
    export(&recording, &mut file, &Redaction::default()).unwrap();
    drop(file);
    let file = path.to_str().unwrap();
    let told = dramatis(0, &["plan", file]);
    for part in [
        "p1  porter: \"Bring me the mug.\"",
        "gate  policy: ALLOW (dev_low_medium)",
        "status  rolled_back (MISSING_REQUIREMENT)",
        "kept as others left it  mug",
    ] {
        assert!(told.out.contains(part), "{part}: {}", told.out);
    }
    let told = dramatis(0, &["plan", file, "--plan", "p1", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&told.out).unwrap();
    assert_eq!(json["plan"]["status"], "rolled_back");
    assert_eq!(json["events"][1]["call"]["attempts"][0]["passed"], true);
    dramatis(1, &["plan", file, "--plan", "p9"]);
    let replayed = dramatis(0, &["replay", file, "--steps"]);
    assert!(replayed.out.contains("p1 Answered"), "{}", replayed.out);
}

#[test]
fn x6_cards_are_imported_into_a_folder_and_exported_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (plain, told, bad) = (at("mara.json"), at("tom.json"), at("bad.png"));
    std::fs::write(
        &plain,
        r#"{"name": "Mara", "description": "Keeps the inn.", "tags": ["x"]}"#,
    )
    .unwrap();
    std::fs::write(
        &told,
        r#"{"name": "Tom", "description": "A smith.", "system_prompt": "Obey."}"#,
    )
    .unwrap();
    std::fs::write(&bad, b"\x89PNG").unwrap();
    let cast = at("cast");
    let done = dramatis(0, &["import", &plain, "-o", &cast]);
    assert!(
        done.out.contains("mara.json: tags: it is for people"),
        "{}",
        done.out
    );
    dramatis(0, &["check", &cast]);
    // The program does not overwrite existing files.
    let again = dramatis(2, &["import", &plain, "-o", &cast]);
    assert!(
        again.err.contains("mara.npc.ron:1:1: is there already"),
        "{}",
        again.err
    );
    let other = at("other");
    dramatis(1, &["import", &told, "-o", &other]);
    dramatis(
        2,
        &[
            "import",
            &told,
            &bad,
            &at("missing.json"),
            "-o",
            &at("none"),
        ],
    );
    assert!(!folder.path().join("none").exists());
    let card = at("card.json");
    dramatis(
        0,
        &[
            "export-card",
            &format!("{cast}/mara.npc.ron"),
            "--story",
            &format!("{cast}/mara.story.ron"),
            "-o",
            &card,
        ],
    );
    assert!(
        std::fs::read_to_string(&card)
            .unwrap()
            .contains("Keeps the inn.")
    );
    dramatis(2, &["export-card", &plain]);
}

#[test]
fn x1_a_path_is_looked_for_next_to_the_file_that_holds_it() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join("game/assets").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(
        "npcs/bram.npc.ron",
        "(id: \"bram\", name: \"Bram\", persona: \"bram.md\", location: \"yard\", fallbacks: (generic: [\"Hm.\"]))",
    );
    write("npcs/bram.md", "You guard the north gate.");
    write("tales/gate.story.ron", "(world: \"gate.world.ron\")");
    write(
        "tales/gate.world.ron",
        "(locations: {\"yard\": (name: \"Yard\")}, entities: {\"player\": (name: \"Ann\", kind: \"character\", at: In(\"yard\"))})",
    );
    write(
        "scenarios/a.scenario.ron",
        "Scenario(name: \"a\", story: \"tales/gate.story.ron\", npcs: [\"npcs/bram.npc.ron\"], replies: [Say(\"Hm?\")], steps: [Say(to: \"bram\", text: \"Hello?\")],\n    expect: [(at: \"/runs/0/attempts/0/prompt\", contains: \"north gate\")])",
    );
    let assets = folder.path().join("game/assets");
    // The current folder does not matter.
    for (at, path) in [
        (folder.path().to_path_buf(), "game/assets"),
        (folder.path().join("game"), "assets"),
        (assets.clone(), "scenarios"),
        (std::env::temp_dir(), assets.to_str().unwrap()),
    ] {
        for command in ["run", "check"] {
            dramatis_in(&at, 0, &[command, path]);
        }
    }
}

#[test]
fn x7_new_files_are_found_in_order_and_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for (kind, name) in [
        ("npc", "mara"),
        ("story", "ford.story.ron"),
        ("rulebook", "ford"),
        ("scenario", "secret_1"),
    ] {
        dramatis(0, &["new", kind, &at(name)]);
        dramatis(2, &["new", kind, &at(name)]);
    }
    let files = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|file| file.unwrap().file_name());
    let mut files: Vec<_> = files.map(|file| file.into_string().unwrap()).collect();
    files.sort();
    dramatis(0, &["new", "npc", &at("people/of/the/ford/odo/")]);
    assert!(
        folder
            .path()
            .join("people/of/the/ford/odo.npc.ron")
            .is_file()
    );
    assert_eq!(
        files,
        [
            "ford.rulebook.ron",
            "ford.story.ron",
            "mara.npc.ron",
            "secret_1.scenario.ron"
        ]
    );
    dramatis(0, &["check", folder.path().to_str().unwrap()]);
    dramatis(0, &["run", folder.path().to_str().unwrap()]);
    let refused = dramatis(2, &["new", "npc", &at("M\u{e4}rta")]);
    assert!(refused.err.contains("cannot be an id"), "{}", refused.err);
}

#[test]
fn x7_files_are_written_in_one_style() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mara.npc.ron");
    let (loose, tidy) = (
        "(id:\"mara\" ,\r\n  // who\r\n name: \"Mara\")",
        "(id: \"mara\",\r\n // who\r\n name: \"Mara\")\r\n",
    );
    std::fs::write(&file, loose).unwrap();
    let path = folder.path().to_str().unwrap();
    let found = dramatis(1, &["fmt", "--check", path]);
    assert!(found.out.starts_with("not formatted  "), "{}", found.out);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), loose);
    dramatis(0, &["fmt", path]);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), tidy);
    dramatis(0, &["fmt", "--check", path]);
    // The program names a file in JSON and does not change it.
    let json = folder.path().join("odo.npc.json");
    std::fs::write(&json, "{\"id\":\"odo\"}").unwrap();
    let left = dramatis(0, &["fmt", path]);
    assert!(left.out.starts_with("left to the editor  "), "{}", left.out);
    assert_eq!(std::fs::read_to_string(&json).unwrap(), "{\"id\":\"odo\"}");
    // The program does not change a file that is not RON.
    std::fs::write(&file, "(id: \"mara\"\n name: 3").unwrap();
    let broken = dramatis(2, &["fmt", path]);
    assert!(
        broken.err.contains("mara.npc.ron:2:2: a comma is expected"),
        "{}",
        broken.err
    );
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "(id: \"mara\"\n name: 3"
    );
}

#[test]
fn x7_the_shipped_files_are_in_that_style() {
    dramatis(0, &["fmt", "--check", "assets", "benches", "tests/plans"]);
}

#[test]
fn x7_schemas_are_printed_or_written() {
    let printed = dramatis(0, &["schema", "npc"]);
    let schema: serde_json::Value = serde_json::from_str(&printed.out).unwrap();
    let npc = &schema["definitions"]["Npc"];
    assert_eq!(npc["required"], serde_json::json!(["id"]));
    assert_eq!(npc["properties"]["forbidden"]["items"]["type"], "string");
    let folder = tempfile::tempdir().unwrap();
    dramatis(0, &["schema", "-o", folder.path().to_str().unwrap()]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 11);
    let wrong = dramatis(2, &["schema", "npx"]);
    assert!(wrong.err.contains("npc, story, routine"), "{}", wrong.err);
}

#[test]
fn x7_an_error_shows_its_line_with_a_mark_and_the_nearest_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mara.npc.ron");
    let long = "x".repeat(300);
    for (source, expected) in [
        (
            "(\n    id: \"mara\",\n\tpersna: \"x\",\n)".to_owned(),
            ":3:2: Npc has no field \"persna\" (did you mean \"persona\"?)\n  3 |  persna: \"x\",\n    |  ^\n".to_owned(),
        ),
        (
            format!("(id: \"mara\", persona: \"{long}\", form: Apartt, name: \"{long}\")"),
            format!("  1 | {}\", form: Apartt, name: \"{}\n    | {}^\n", "x".repeat(51), "x".repeat(45), " ".repeat(60)),
        ),
    ] {
        std::fs::write(&file, source).unwrap();
        let checked = dramatis(2, &["check", file.to_str().unwrap()]);
        assert!(checked.err.ends_with(&expected), "{}", checked.err);
    }
}
