//! `dramatis bench`: the program asks servers the cases and counts what they answer (contract row X8).

#[path = "support/dramatis.rs"]
mod dramatis;
#[path = "support/fault_server.rs"]
mod fault_server;

use dramatis::{Said, dramatis};
use fault_server::{FaultServer, Seen, Step, delta, events, finish, refused_url};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

const HALL: &str = r#"Scenario(
    name: "a hall",
    world: (
        locations: {"hall": (name: "hall")},
        entities: {
            "player": (name: "Ann", kind: "character", at: In("hall")),
            "door_1": (name: "oak door", kind: "door", at: In("hall"), attributes: {"openable": true, "open": false}),
            "lamp_1": (name: "lamp", kind: "item", at: In("hall"), attributes: {"takeable": true}),
        },
    ),
    npcs: [(id: "keeper", name: "Eldrin", persona: "You keep the hall.", location: "hall", may: ["open", "take"],
        constraints: [(id: "quiet", kind: Prohibition, severity: Hard, description: "No gold.", patterns: ["gold"])],
        fallbacks: (generic: ["Ask me later."]))],
)"#;

/// The last words that the model received.
fn heard(seen: &Seen) -> String {
    let body: Value = serde_json::from_str(&seen.body).unwrap_or_default();
    let last = body["messages"].as_array().and_then(|all| all.last());
    let last = last.and_then(|message| message["content"].as_str());
    last.unwrap_or_default().to_owned()
}

/// A model that opens doors when it is asked to, and says what the words ask it to say.
fn model(seen: &Seen) -> Vec<Step> {
    let heard = heard(seen);
    let wants = |word: &str| heard.contains(word);
    let is_choice = wants("Choose one of the list");
    let is_whole = seen.body.contains("\"mutations\"");
    let line = match () {
        () if wants("gold") => "There is gold in the cellar.",
        () if wants("an id") => "I see door_1.",
        () if wants("your name") => "Eldrin is my name.",
        () => "As you wish. Come in.",
    };
    let text = match (is_choice, is_whole) {
        (true, _) if wants("open") => json!({"choice": "open the oak door"}).to_string(),
        (true, _) if wants("Anything") => json!({"choice": "take the lamp"}).to_string(),
        (true, _) => "nothing".to_owned(),
        (_, true) => json!({"dialogue": line, "intents": [], "mutations": []}).to_string(),
        _ => line.to_owned(),
    };
    let usage = r#"data: {"choices":[],"usage":{"completion_tokens":3,"prompt_tokens":20,"prompt_tokens_details":{"cached_tokens":5}}}"#;
    events(format!(
        "{}{}{usage}\n\ndata: [DONE]\n\n",
        delta(&text),
        finish("stop")
    ))
}

fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

const CASES: &str = r#"
        (id: "door", to: "keeper", say: "Please open the door.", does: ["open door_1"], says: ["come in", "door"]),
        (id: "window", to: "keeper", say: "Please open the window.", does: [], says: ["window"]),
        (id: "again", to: "keeper", say: "Please open it.", before: [SetAttribute(entity: "door_1", name: "open", value: true)],
         does: []),
        (id: "name", to: "keeper", say: "What is your name?", before: [Say(to: "keeper", text: "Hello?")], says: ["Eldrin"]),
        (id: "some", to: "keeper", say: "Anything, please.", does: ["open door_1"]),
        (id: "id", to: "keeper", say: "Say an id.", does: []),
        (id: "gold", to: "keeper", say: "Where is the gold?", never: ["gold", "later"]),
"#;

fn bench(folder: &Path, samples: u32, cases: &str) -> PathBuf {
    write(folder, "hall.scenario.ron", HALL);
    let text = format!(
        "Bench(name: \"hall\", scenario: \"hall.scenario.ron\", samples: {samples}, seed: 7, cases: [{cases}])"
    );
    write(folder, "hall.bench.ron", &text)
}

fn json_of(said: &Said) -> Value {
    let Said { out, err } = said;
    serde_json::from_str(out).unwrap_or_else(|_| panic!("{out}{err}"))
}

#[test]
fn x8_each_case_begins_in_the_state_of_the_scenario_and_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let file = bench(folder.path(), 2, CASES);
    let server = FaultServer::start(model);
    let engine = format!("{},tiny", server.url());
    let arguments = [
        "bench",
        file.to_str().unwrap(),
        "--engine",
        &engine,
        "--form",
        "Apart",
        "--json",
    ];
    let output = dramatis(0, &arguments);
    let result = json_of(&output);
    assert_eq!(result["name"], "hall");
    let found = &result["engines"][0];
    for (name, value) in [
        ("engine", json!(server.url())),
        ("model", json!("tiny")),
        ("form", json!("Apart")),
        ("cases", json!(14)),
        // The replies with the id and with the gold, and the lines that replace them.
        ("usable", json!(10)),
        ("first_try", json!(10)),
        ("retries", json!(4)),
        ("fallbacks", json!(2)),
        ("judged_actions", json!(10)),
        // The model takes the window for the door, and the lamp for anything.
        ("right_actions", json!(6)),
        ("wrong_actions", json!(4)),
        ("judged_words", json!(6)),
        ("right_words", json!(4)),
        ("forbidden", json!(2)),
    ] {
        assert_eq!(found[name], value, "{name}: {found}");
    }
    for name in ["prompt_tokens", "cached_tokens", "reply_tokens"] {
        assert!(found[name].as_u64().unwrap() > 0, "{name}: {found}");
    }
    let (first, line) = (&found["first_sentence_ms"], &found["line_ms"]);
    assert!(first.as_i64().unwrap() <= line.as_i64().unwrap(), "{found}");
    let reply = |case: &str| {
        let replies = found["replies"].as_array().unwrap();
        replies
            .iter()
            .find(|reply| reply["case"] == case)
            .unwrap()
            .clone()
    };
    let door = reply("door");
    assert_eq!(
        (&door["action"], &door["outcome"], &door["sample"]),
        (&json!("open door_1"), &json!("Accepted"), &json!(0))
    );
    assert_eq!(
        (&door["usable"], &door["why"], &door["line"]),
        (&json!(true), &Value::Null, &json!("As you wish. Come in."))
    );
    assert_eq!(
        reply("again")["action"],
        Value::Null,
        "an open door cannot be opened"
    );
    assert_eq!(reply("name")["line"], "Eldrin is my name.");
    assert_eq!(reply("id")["why"], "id");
    let gold = reply("gold");
    assert_eq!(
        (&gold["why"], &gold["outcome"], &gold["line"]),
        (
            &json!("not_accepted"),
            &json!("Fallback"),
            &json!("Ask me later.")
        )
    );
    let seeds = |body: &Seen| serde_json::from_str::<Value>(&body.body).unwrap()["seed"].clone();
    let of_door: Vec<Value> = server
        .seen()
        .iter()
        .filter(|seen| seen.body.contains("open the door."))
        .map(seeds)
        .collect();
    assert_eq!(of_door.len(), 4, "two calls for each of two samples");
    assert_ne!(of_door[0], of_door[2], "each sample has a seed of its own");
    let again = json_of(&dramatis(0, &arguments));
    let lines = |result: &Value| result["engines"][0]["replies"].clone();
    assert_eq!(lines(&again), lines(&result));
}

#[test]
fn x8_engines_and_forms_are_compared_and_the_recording_is_judged_again_without_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = bench(folder.path(), 1, CASES);
    let (one, other) = (FaultServer::start(model), FaultServer::start(model));
    let engines = [
        format!("{},one", one.url()),
        format!("{},other", other.url()),
    ];
    let record = folder.path().join("bench.jsonl");
    let record = record.to_str().unwrap();
    let arguments = [
        "bench",
        file.to_str().unwrap(),
        "--engine",
        &engines[0],
        "--engine",
        &engines[1],
        "--form",
        "Together,Apart",
        "--json",
        "--record",
        record,
    ];
    let output = dramatis(0, &arguments);
    let result = json_of(&output);
    let names: Vec<(&Value, &Value)> = result["engines"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (&one["model"], &one["form"]))
        .collect();
    let [together, apart] = [json!("Together"), json!("Apart")];
    let [first, second] = [json!("one"), json!("other")];
    assert_eq!(
        names,
        [
            (&first, &together),
            (&first, &apart),
            (&second, &together),
            (&second, &apart)
        ]
    );
    assert_eq!(
        result["engines"][0]["right_actions"], 3,
        "a model that does nothing is right if the case expects nothing"
    );
    assert_eq!(result["engines"][1]["right_actions"], 3);
    drop((one, other));
    dramatis(0, &["replay", record]);
    dramatis(
        0,
        &[
            "regate",
            record,
            folder.path().join("hall.scenario.ron").to_str().unwrap(),
        ],
    );
    let changed = write(
        folder.path(),
        "stricter.scenario.ron",
        &HALL.replace("[\"gold\"]", "[\"gold\", \"as you wish\"]"),
    );
    dramatis(1, &["regate", record, changed.to_str().unwrap()]);
    // The program does not overwrite a recording.
    dramatis(2, &arguments);
}

#[test]
fn x8_people_read_a_table_and_may_ask_some_cases_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = bench(folder.path(), 1, CASES);
    let server = FaultServer::start(model);
    let engine = format!("{},tiny", server.url());
    let file = file.to_str().unwrap();
    let output = dramatis(
        0,
        &[
            "bench", file, "--engine", &engine, "--case", "do", "--case", "win",
        ],
    );
    let text = output.out;
    for part in [
        "hall: 2 cases",
        "tiny at http",
        "Together",
        "usable lines",
        "2 of 2 (100%)",
        "right actions",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let unknown = dramatis(2, &["bench", file, "--engine", &engine, "--case", "zebra"]);
    assert!(unknown.err.contains("no case begins with \"zebra\""));
}

#[test]
fn x8_a_server_that_is_not_there_is_a_result_and_no_engine_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = bench(folder.path(), 1, CASES);
    let file = file.to_str().unwrap();
    let gone = dramatis(
        0,
        &[
            "bench",
            file,
            "--engine",
            &refused_url(),
            "--case",
            "door",
            "--json",
        ],
    );
    let reply = &json_of(&gone)["engines"][0]["replies"][0];
    assert_eq!(
        (&reply["usable"], &reply["outcome"]),
        (&json!(false), &json!("Fallback"))
    );
    assert!(
        reply["error"]
            .as_str()
            .is_some_and(|error| !error.is_empty()),
        "{reply}"
    );
    for (engine, part) in [
        (None, "--engine URL,MODEL"),
        (Some("not a url"), "--engine"),
        (Some("http://me:word@127.0.0.1:1"), "--engine"),
    ] {
        let arguments = ["bench", file]
            .into_iter()
            .chain(engine.into_iter().flat_map(|one| ["--engine", one]));
        let output = dramatis(2, &arguments.collect::<Vec<_>>());
        let told = output.err;
        assert!(told.contains(part) && !told.contains("word@"), "{told}");
    }
}

#[test]
fn x8_a_file_that_is_wrong_is_refused_with_every_place_before_anything_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let server = FaultServer::start(model);
    for (samples, cases, parts) in [
        (0, CASES, &["1 to 100 times"][..]),
        (1, "", &["at least one case"]),
        (
            1,
            r#"(id: "a", to: "nobody", say: "Hi.")"#,
            &["hall.bench.ron:1:", "no character \"nobody\""],
        ),
        (
            1,
            r#"(id: "a", to: "keeper", say: "Hi."), (id: "a", to: "keeper", say: "Hi.")"#,
            &["listed twice"],
        ),
        (
            1,
            r#"(id: "a", to: "keeper", say: "Hi.", does: ["fly door_1"])"#,
            &["there is no action \"fly\""],
        ),
        (
            1,
            r#"(id: "a", to: "keeper", say: "Hi.", never: ["/(/"])"#,
            &["hall.bench.ron:1:"],
        ),
        (
            1,
            r#"(id: "a", to: "keeper", say: "Hi.", before: [SwapModel(model: "x")])"#,
            &["leave this step out"],
        ),
        (
            1,
            r#"(id: "a", to: "keeper", say: "Hi.", before: [Advance(seconds: -1.0)])"#,
            &["seconds must be"],
        ),
        (1, r#"(id: "a", to: "keeper")"#, &["say"]),
    ] {
        let file = bench(folder.path(), samples, cases);
        let output = dramatis(
            2,
            &["bench", file.to_str().unwrap(), "--engine", &server.url()],
        );
        let told = output.err;
        for part in parts {
            assert!(told.contains(part), "{part}: {told}");
        }
    }
    let inline = "Bench(name: \"x\", scenario: (name: \"y\", npcs: [(id: \"keeper\", chattiness: 101)]), cases: [(id: \"a\", to: \"keeper\", say: \"Hi.\")])";
    let file = write(folder.path(), "inline.bench.ron", inline);
    let output = dramatis(
        2,
        &["bench", file.to_str().unwrap(), "--engine", &server.url()],
    );
    let told = output.err;
    assert!(told.contains("inline.bench.ron:1:"), "{told}");
    assert_eq!(server.seen().len(), 0);
}

#[test]
fn x8_a_scenario_may_be_written_in_the_bench_itself() {
    let folder = tempfile::tempdir().unwrap();
    let server = FaultServer::start(model);
    let scenario = HALL
        .replace("Scenario(", "(")
        .replace("name: \"a hall\",", "name: \"a hall\", form: Apart,");
    let text = format!(
        "Bench(name: \"hall\", scenario: {scenario}, cases: [(id: \"door\", to: \"keeper\", say: \"Please open it.\", does: [\"open\"])])"
    );
    let file = write(folder.path(), "inline.bench.ron", &text);
    let record = folder.path().join("inline.jsonl");
    let output = dramatis(
        0,
        &[
            "bench",
            file.to_str().unwrap(),
            "--engine",
            &server.url(),
            "--json",
            "--record",
            record.to_str().unwrap(),
        ],
    );
    let found = &json_of(&output)["engines"][0];
    assert_eq!(
        (&found["form"], &found["right_actions"]),
        (&json!("Apart"), &json!(1)),
        "{found}"
    );
    dramatis(0, &["replay", record.to_str().unwrap()]);
}
