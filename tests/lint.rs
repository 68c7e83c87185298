//! `dramatis check`: folders, links, unreadable files, and the shipped files (contract row X2).

use bevy_dramatis::lint::{LintReport, check_path};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder for one test, which is removed when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path =
            std::env::temp_dir().join(format!("dramatis-lint-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a temporary folder");
        // The path without the links that temporary folders have on some systems.
        Self(fs::canonicalize(path).expect("the folder is there"))
    }

    fn write(&self, file: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.0.join(file);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
        self
    }

    fn check(&self) -> LintReport {
        check_path(&self.0)
    }

    /// The findings and errors of a check, with paths from this folder on.
    fn shown(&self, report: &LintReport) -> (Vec<String>, Vec<String>) {
        let prefix = format!("{}/", self.0.display());
        let show = |errors: &[bevy_dramatis::format::AuthoringError]| {
            let lines = errors
                .iter()
                .map(|error| error.to_string().replace('\\', "/").replace(&prefix, ""));
            lines.collect::<Vec<_>>()
        };
        (show(&report.findings), show(&report.unreadable))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const CLEAN: &str = "(id: \"eldrin\", fallbacks: (generic: [\"Hm.\"]))";

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets")
}

#[test]
fn x2_the_shipped_files_are_clean() {
    let report = check_path(&assets());
    let all: Vec<String> = report
        .findings
        .iter()
        .chain(&report.unreadable)
        .map(ToString::to_string)
        .collect();
    assert!(all.is_empty(), "{}", all.join("\n"));
}

#[test]
fn x2_each_shipped_file_is_clean_alone() {
    for file in ["npcs/wizard.npc.ron", "rulebooks/default.rulebook.ron"] {
        let report = check_path(&assets().join(file));
        assert!(
            report.findings.is_empty() && report.unreadable.is_empty(),
            "{file}: {report:?}"
        );
    }
}

#[test]
fn x2_folders_are_checked_through_and_through_in_order() {
    let folder = Folder::new("through");
    folder
        .write("b.scenario.ron", "Scenario(name: \"b\",\n  steps: [Cancel(npc: \"ghost\")])")
        .write("a/deep/er/x.npc.ron", "(id: \"x\", may: [\"fly\"], fallbacks: (generic: [\"Hm.\"]))")
        .write("a/y.rules.ron", "[(id: \"r\", when: Any([]), constraints: [(id: \"c\", kind: Requirement, severity: Soft)])]")
        .write("a/z.script.ron", "Script(replies: [Say(\"Hm.\")])")
        .write("notes.txt", "not authored")
        .write("other.ron", "(neither: is, this");
    let report = folder.check();
    let (findings, unreadable) = folder.shown(&report);
    assert_eq!(unreadable, [""; 0]);
    let places: Vec<String> = findings
        .iter()
        .map(|line| line.split(": ").next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(
        places,
        [
            "a/deep/er/x.npc.ron:1:17",
            "a/y.rules.ron:1:18",
            "b.scenario.ron:2:23"
        ],
        "{findings:?}"
    );
    assert!(findings.iter().all(|line| {
        let kind = line
            .rsplit_once(" [")
            .and_then(|(_, kind)| kind.strip_suffix(']'));
        kind.is_some_and(|kind| kind.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
    }));
}

#[test]
fn x2_what_cannot_be_read_does_not_hide_the_rest() {
    let folder = Folder::new("unreadable");
    folder
        .write("a.npc.ron", b"(id: \"\xff\")")
        .write("b.npc.ron", "(id: \"b\",\n  persna: \"\")")
        .write("c.npc.ron", "(id: \"c\")")
        .write("d.rulebook.ron", "");
    let report = folder.check();
    let (findings, unreadable) = folder.shown(&report);
    assert_eq!(findings.len(), 1);
    assert!(findings[0].starts_with("c.npc.ron:1:1: "), "{findings:?}");
    let starts = [
        "a.npc.ron:1:7: the file is not UTF-8",
        "b.npc.ron:2:",
        "d.rulebook.ron:",
    ];
    assert_eq!(unreadable.len(), starts.len(), "{unreadable:?}");
    for (line, start) in unreadable.iter().zip(starts) {
        assert!(line.starts_with(start), "{line}");
    }
}

#[test]
fn x2_a_path_that_leads_nowhere_is_unreadable() {
    let folder = Folder::new("nowhere");
    folder.write("a.txt", "x");
    fs::create_dir(folder.0.join("empty")).expect("a folder");
    for path in ["gone.npc.ron", "a.txt", "empty"] {
        let report = check_path(&folder.0.join(path));
        assert_eq!(
            (report.findings.len(), report.unreadable.len()),
            (0, 1),
            "{path}"
        );
        assert!(
            report.unreadable[0].to_string().contains(path),
            "{}",
            report.unreadable[0]
        );
    }
}

#[test]
fn x2_parts_in_files_of_their_own_are_told_once_and_at_their_own_place() {
    let folder = Folder::new("parts");
    folder
        .write("npcs/eldrin.npc.ron", "(id: \"eldrin\", location: \"tower\",\n  rules: [\"dead.rules.ron\"], forbidden: [\"x\", \"x\"],\n  fallbacks: (triggers: {\"gate\": [\"Halt.\"]}))")
        .write("dead.rules.ron", "(id: \"dead\",\n  when: Any([]), constraints: [(id: \"c\", kind: Requirement, severity: Soft)])")
        .write("npcs/dead.rules.ron", "(id: \"fine\", constraints: [(id: \"c\", kind: Requirement, severity: Soft)])");
    for name in ["one", "two"] {
        folder.write(
            &format!("{name}.scenario.ron"),
            "Scenario(name: \"x\", npcs: [\n  \"npcs/eldrin.npc.ron\"],\n  world: (locations: {\"yard\": (name: \"Yard\")}),\n  triggers: [(id: \"bell\")])",
        );
    }
    let report = folder.check();
    let (findings, unreadable) = folder.shown(&report);
    assert_eq!(unreadable, [""; 0]);
    let place = |line: &String| line.split(": ").next().unwrap_or_default().to_owned();
    let places: Vec<String> = findings.iter().map(place).collect();
    let expected = [
        "dead.rules.ron:2:9",
        "npcs/eldrin.npc.ron:2:47",
        // The check reports mistakes of the scene at the scene.
        "one.scenario.ron:2:3",
        "one.scenario.ron:4:19",
        "two.scenario.ron:2:3",
        "two.scenario.ron:4:19",
    ];
    assert_eq!(places, expected, "{findings:#?}");
}

#[test]
fn x2_a_missing_part_makes_a_file_unreadable() {
    let folder = Folder::new("missing");
    folder.write(
        "x.scenario.ron",
        "Scenario(name: \"x\",\n  npcs: [\"gone.npc.ron\"])",
    );
    let report = folder.check();
    let (findings, unreadable) = folder.shown(&report);
    assert_eq!(findings, [""; 0]);
    assert_eq!(
        unreadable,
        ["x.scenario.ron:2:10: there is no file \"gone.npc.ron\""]
    );
}

#[test]
fn x2_a_persona_in_a_file_of_its_own_is_read_too() {
    let folder = Folder::new("persona");
    folder.write(
        "bram.npc.ron",
        "(id: \"bram\", persona: \"bram.md\", never: [\"swordfish\"], fallbacks: (generic: [\"Hm.\"]))",
    );
    folder.write("bram.md", "You guard the gate. The password is swordfish.");
    let findings = folder.check().findings;
    assert_eq!(findings.len(), 1, "{findings:?}");
    folder.write("bram.md", "You guard the gate.");
    assert_eq!(folder.check().findings.len(), 0);
}

#[test]
fn x2_a_story_knows_the_characters_beside_it() {
    let carried = "Story(world: (locations: {\"yard\": (name: \"Yard\")}, entities: {\n\"key\": (name: \"key\", kind: \"item\", at: CarriedBy(\"wizard\")),\n\"cup\": (name: \"cup\", kind: \"item\", at: CarriedBy(\"yard\"))}))";
    let folder = Folder::new("story");
    folder.write("tower.story.ron", carried);
    // Alone, the story does not know which characters there are, but it knows that a place carries nothing.
    assert_eq!(folder.check().findings.len(), 1);
    folder.write("npcs/eldrin.npc.ron", CLEAN);
    assert_eq!(folder.check().findings.len(), 2);
    folder.write("npcs/wizard.npc.ron", CLEAN.replace("eldrin", "wizard"));
    assert_eq!(folder.check().findings.len(), 1);
}

#[test]
fn x2_a_trigger_and_a_script_name_the_characters_of_their_folder() {
    let world = "world: (locations: {\"inn\": (name: \"Inn\")}, entities: {\"coin\": (name: \"coin\", kind: \"item\", at: In(\"inn\"))})";
    let story = |target: &str, npc: &str| {
        format!(
            "Story({world},\ntriggers: [(id: \"paid\", fires: (on: Done(action: \"give\", target: \"{target}\"), npcs: [\"{npc}\"]))])"
        )
    };
    let script = |npc: &str| format!("Script(replies: [\nReply((text: \"Hm.\", npc: \"{npc}\"))])");
    let folder = Folder::new("triggers");
    folder
        .write("npcs/marla.npc.ron", CLEAN.replace("eldrin", "marla"))
        .write("inn.story.ron", story("coin", "marla"))
        .write("inn.script.ron", script("marla"))
        // A script may speak for a character that the game makes.
        .write("other.script.ron", script("porter"));
    assert_eq!(folder.check().findings, []);
    folder
        .write("inn.story.ron", story("coins", "smith"))
        .write("inn.script.ron", script("marlo"));
    let (findings, unreadable) = folder.shown(&folder.check());
    assert_eq!(unreadable, [""; 0]);
    assert_eq!(
        findings,
        [
            "inn.script.ron:2:26: there is no NPC \"marlo\" (did you mean \"marla\"?) [unresolved]",
            "inn.story.ron:2:66: there is no entity \"coins\" (did you mean \"coin\"?) [unresolved]",
            "inn.story.ron:2:83: there is no entity \"smith\" [unresolved]",
        ]
    );
}

#[test]
fn x2_a_world_in_a_file_of_its_own_is_checked_even_if_no_story_uses_it() {
    let world = |to: &str, carrier: &str| {
        format!(
            "(locations: {{\"inn\": (name: \"Inn\", connected_to: [\"{to}\"]), \"mill\": (name: \"Mill\")}}, entities: {{\n\"coin\": (name: \"coin\", kind: \"item\", at: CarriedBy(\"{carrier}\"))}})"
        )
    };
    let folder = Folder::new("world");
    // Another file may define the character.
    folder.write("a.world.ron", world("mill", "smith"));
    let report = folder.check();
    assert!(
        report.findings.is_empty() && report.unreadable.is_empty(),
        "{report:?}"
    );
    folder
        .write("a.world.ron", world("mills", "inn"))
        .write("b.world.ron", "(locations: {},\n  things: {})");
    let (findings, unreadable) = folder.shown(&folder.check());
    let expected = [
        "a.world.ron:1:50: there is no location \"mills\" (did you mean \"mill\"?) [unresolved]",
        "a.world.ron:2:42: there is no entity \"inn\" [unresolved]",
    ];
    assert_eq!(findings, expected);
    assert_eq!(unreadable.len(), 1, "{unreadable:?}");
    assert!(
        unreadable[0].starts_with("b.world.ron:2:"),
        "{unreadable:?}"
    );
}

#[cfg(feature = "cli")]
#[test]
fn x2_a_bench_is_read_with_its_scenario() {
    let bench = |to: &str| {
        format!(
            "Bench(name: \"hall\", scenario: \"hall.scenario.ron\",\n  cases: [(id: \"a\", to: \"{to}\", say: \"Hi.\")])"
        )
    };
    let folder = Folder::new("bench");
    folder
        .write(
            "hall.scenario.ron",
            format!("Scenario(name: \"hall\", npcs: [{CLEAN}])"),
        )
        .write("hall.bench.ron", bench("eldrin"));
    let report = folder.check();
    assert!(
        report.findings.is_empty() && report.unreadable.is_empty(),
        "{report:?}"
    );
    folder.write("hall.bench.ron", bench("porter"));
    let (findings, unreadable) = folder.shown(&folder.check());
    assert_eq!(findings, [""; 0]);
    assert_eq!(
        unreadable,
        ["hall.bench.ron:2:25: the scenario has no character \"porter\""]
    );
}

/// A scenario or story with a well that has this attribute, and a rulebook next to it.
fn beside(kind: &str, attribute: &str) -> String {
    format!(
        "{kind} world: (locations: {{\"yard\": (name: \"Yard\")}}, entities: {{\"well\": (name: \"well\", kind: \"well\", at: In(\"yard\"), attributes: {{\"{attribute}\": 1}})}}),\n rulebook: \"r.rulebook.ron\")"
    )
}

fn book(checks: &str) -> String {
    format!(
        "Rulebook(id: \"r\", extends: \"default\", actions: {{\"use\": (checks: [\n{checks}])}})"
    )
}

const DEEP: &str = "(id: \"deep\", when: AtLeast(Target, \"depth\", 1), else: INVALID_TARGET)";

#[test]
fn x2_a_rulebook_of_its_own_serves_all_worlds_of_a_folder() {
    let folder = Folder::new("worlds");
    folder
        .write("r.rulebook.ron", book(DEEP))
        .write("one.scenario.ron", beside("Scenario(name: \"1\",", "mood"))
        .write("two.scenario.ron", beside("Scenario(name: \"2\",", "depth"));
    assert_eq!(folder.check().findings, []);
    folder.write(
        "two.scenario.ron",
        beside("Scenario(name: \"2\",", "colour"),
    );
    let (findings, unreadable) = folder.shown(&folder.check());
    assert_eq!(unreadable, [""; 0]);
    assert_eq!(
        findings,
        [
            "r.rulebook.ron:2:20: nothing has the attribute \"depth\", and nothing sets it [unknown_attribute]"
        ]
    );
    // One of many scenarios is not the whole world of a rulebook; a story is.
    assert_eq!(check_path(&folder.0.join("one.scenario.ron")).findings, []);
    folder.write("a.story.ron", beside("Story(", "mood"));
    assert_eq!(check_path(&folder.0.join("a.story.ron")).findings.len(), 1);
    // A scenario without a world may contain anything.
    folder.write(
        "three.scenario.ron",
        "Scenario(name: \"3\", rulebook: \"r.rulebook.ron\")",
    );
    assert_eq!(folder.check().findings, []);
}

#[test]
fn x2_what_a_shared_character_may_is_told_where_the_rules_are() {
    let folder = Folder::new("may");
    folder
        .write(
            "npcs/a.npc.ron",
            "(id: \"a\", may: [\"open\", \"use\"],\n fallbacks: (generic: [\"Hm.\"]))",
        )
        .write(
            "r.rulebook.ron",
            book(DEEP).replace("extends: \"default\",", ""),
        )
        .write(
            "x.scenario.ron",
            "Scenario(name: \"x\", rulebook: \"r.rulebook.ron\",\n  npcs: [\"npcs/a.npc.ron\"])",
        );
    let (findings, _) = folder.shown(&folder.check());
    assert_eq!(
        findings,
        ["x.scenario.ron:2:10: no rule allows the action \"open\" [never_possible]"]
    );
}

#[test]
fn x2_rulebooks_used_often_are_told_once_and_findings_can_be_allowed() {
    let folder = Folder::new("often");
    let twice = format!("{DEEP},\n{}", DEEP.replace("\"deep\"", "\"deeper\""));
    folder.write("r.rulebook.ron", book(&twice));
    for name in ["one", "two", "three"] {
        let scenario = beside(&format!("Scenario(name: \"{name}\","), "depth");
        folder.write(&format!("{name}.scenario.ron"), scenario);
    }
    let (findings, _) = folder.shown(&folder.check());
    assert_eq!(
        findings,
        [
            "r.rulebook.ron:3:22: the check \"deeper\" can never fail: where \"deep\" holds it does, too [unreachable]"
        ]
    );
    let comment = "// lint: allow unreachable: it is for people\n";
    let allowed = book(&twice).replace("(id: \"deeper\"", &format!("{comment}(id: \"deeper\""));
    folder.write("r.rulebook.ron", allowed);
    assert_eq!(folder.check().findings, []);
}

#[test]
fn x2_ten_thousand_checks_come_to_an_end() {
    let folder = Folder::new("many");
    let check = |i: usize| {
        let when = format!(
            "Any([Flag(\"a{i}\"), AtLeast(Target, \"n{i}\", {i}), Not(Is(Tool, \"t{i}\"))])"
        );
        format!("(id: \"c{i}\", when: {when}, else: LOCKED)")
    };
    let checks: Vec<String> = (0..10_000).map(check).collect();
    folder.write("r.rulebook.ron", book(&checks.join(",\n")));
    let start = std::time::Instant::now();
    assert_eq!(folder.check().findings, []);
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}

#[cfg(unix)]
#[test]
fn x2_links_to_folders_are_not_followed_and_pipes_not_read() {
    let folder = Folder::new("links");
    folder.write("in/a.npc.ron", CLEAN);
    std::os::unix::fs::symlink(&folder.0, folder.0.join("in/circle")).expect("a link");
    let report = folder.check();
    assert!(
        report.findings.is_empty() && report.unreadable.is_empty(),
        "{report:?}"
    );
    let pipe = folder.0.join("in/pipe.npc.ron");
    if Command::new("mkfifo")
        .arg(&pipe)
        .status()
        .is_ok_and(|status| status.success())
    {
        assert_eq!(check_path(&pipe).unreadable.len(), 1);
        assert_eq!(folder.check().unreadable.len(), 1);
    }
}

#[test]
fn x2_a_mistake_of_a_named_rule_is_told_in_the_file_of_the_rule() {
    let folder = Folder::new("rule");
    folder
        .write("a.npc.ron", "(id: \"a\", rules: [\"r.rules.ron\"], fallbacks: (generic: [\"Hm.\"]))")
        .write("s.story.ron", "(rules: [\"r.rules.ron\"])")
        .write(
            "r.rules.ron",
            "(id: \"r\", constraints: [\n  (id: \"c\", kind: Prohibition, severity: Hard, patterns: [\"ok\", \"/(/\"])])",
        );
    let (_, errors) = folder.shown(&folder.check());
    assert!(!errors.is_empty());
    assert!(
        errors
            .iter()
            .all(|error| error.starts_with("r.rules.ron:2:")),
        "{errors:#?}"
    );
}

#[test]
fn x2_a_list_of_rules_may_begin_with_a_byte_order_mark() {
    let folder = Folder::new("mark");
    let rule = "(id: \"r\", constraints: [(id: \"c\", kind: Prohibition, severity: Hard, description: \"No.\", patterns: [\"secret\"])])";
    folder.write("r.rules.ron", format!("\u{feff}[{rule}]"));
    assert_eq!(folder.shown(&folder.check()).1, [""; 0]);
}

#[test]
fn x2_a_scenario_begins_at_no_negative_time() {
    let folder = Folder::new("time");
    let scenario = |time: &str| {
        let text = format!(
            "(name: \"x\", game_time: {time}, npcs: [(id: \"a\", fallbacks: (generic: [\"Hm.\"]))])"
        );
        folder.write("x.scenario.ron", text);
        folder.shown(&folder.check()).1
    };
    assert_eq!(scenario("5.0"), [""; 0]);
    let errors = scenario("-5.0");
    assert!(errors[0].contains("0 to 10^12"), "{errors:?}");
}

#[cfg(unix)]
#[test]
fn x2_a_pipe_that_a_file_names_is_not_read() {
    let folder = Folder::new("named_pipe");
    folder.write("x.scenario.ron", "(name: \"x\", npcs: [\"p.npc.ron\"])");
    let made = Command::new("mkfifo")
        .arg(folder.0.join("p.npc.ron"))
        .status();
    assert!(made.expect("mkfifo runs").success());
    let report = check_path(&folder.0.join("x.scenario.ron"));
    assert!(!folder.shown(&report).1.is_empty());
}

#[test]
fn x2_the_exit_code_says_what_was_found() {
    let Some(dramatis) = option_env!("CARGO_BIN_EXE_dramatis") else {
        return; // built without the command line
    };
    let folder = Folder::new("exit");
    folder
        .write("clean/a.npc.ron", CLEAN)
        .write("found/a.npc.ron", "(id: \"a\")")
        .write("broken/a.npc.ron", "(id: ");
    let check = |paths: &[&str]| {
        let paths = paths.iter().map(|path| folder.0.join(path));
        let output = Command::new(dramatis)
            .arg("check")
            .args(paths)
            .output()
            .expect("dramatis starts");
        let lines = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().count();
        (
            output.status.code(),
            lines(&output.stdout),
            lines(&output.stderr),
        )
    };
    assert_eq!(check(&["clean"]), (Some(0), 0, 0));
    assert_eq!(check(&["found"]), (Some(1), 1, 0));
    // The error, its line, and the mark below the line.
    assert_eq!(check(&["broken"]), (Some(2), 0, 3));
    assert_eq!(check(&["broken", "clean", "found"]), (Some(2), 1, 3));
    assert_eq!(check(&["gone"]), (Some(2), 0, 1));
}

#[test]
fn a1_what_a_taxonomy_can_never_do_is_named_with_its_place() {
    let folder = Folder::new("taxonomy");
    folder.write(
        "a.taxonomy.ron",
        r#"(id: "t", operations: {"take": Change}, intents: {
    "dream": (actions: ["levitate"], values: {"colour": ["red", "blue"]}),
    "fetch": (actions: ["take"], checklist: [(id: "gives", when: AnyStep("give"))]),
},
risk: [(factor: "never", points: [Each(Operation(Remove), 10)]), (factor: "fine", points: [EachStepBeyond(5, 2)])],
policy: {DEV: [(id: "all", when: RiskAtMost(65), then: ALLOW), (id: "low", when: RiskAtMost(30), then: CONFIRM)]})"#,
    );
    let (found, unreadable) = folder.shown(&folder.check());
    for part in [
        "a.taxonomy.ron:2:",
        "there is no action \"levitate\"",
        "no plan can do this: none of its actions exists",
        "the intent asks for no \"colour\"",
        "no step of it can be \"give\"",
        "the factor \"never\" never gives a point",
        "\"all\" decides before \"low\" is asked",
    ] {
        assert!(
            found.iter().any(|one| one.contains(part)),
            "{part}: {found:#?}"
        );
    }
    assert_eq!((found.len(), unreadable.len()), (6, 0), "{found:#?}");
}

/// A correct project: two characters, one of which no scenario plays.
fn project(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder
        .write(
            "tower.story.ron",
            r#"Story(
    world: (
        locations: {"tower": (name: "Tower", connected_to: ["yard"]), "yard": (name: "Yard", connected_to: ["tower"])},
        entities: {"key": (name: "key", kind: "item", at: CarriedBy("mira"), attributes: {"heavy": true})},
        flags: {"crowned": false},
    ),
    rulebook: "tower.rulebook.ron",
    rules: [(id: "r", when: All([Npc("mira"), Relationship(target: "eldrin", field: Trust, at_least: 0.5)]), constraints: [(id: "c", kind: Requirement, severity: Soft, description: "You are polite.")])],
    groups: {"guild": (members: ["eldrin", "mira"], standing: {"mira": 0.5})},
    gossip: (),
)"#,
        )
        .write(
            "tower.rulebook.ron",
            r#"Rulebook(id: "tower", actions: {"use": (checks: [(id: "a", when: Attribute(Target, "heavy", true), else: INVALID_TARGET, message: "It is light.")])})"#,
        )
        .write(
            "mira.npc.ron",
            r#"(id: "mira", location: "yard", fallbacks: (generic: ["Hm."]), hidden: [(topic: "the heir", until: Flag("crowned"))], rules: [(id: "g", when: InGroup("guild"), constraints: [(id: "c", kind: Requirement, severity: Soft, description: "You are loyal.")])])"#,
        )
        .write(
            "eldrin.npc.ron",
            r#"(id: "eldrin", location: "tower", fallbacks: (generic: ["Hm."]), routine: [(from: "06:00", to: "18:00", place: "yard")])"#,
        )
        .write(
            "alone.scenario.ron",
            r#"Scenario(name: "alone", story: "tower.story.ron", npcs: ["eldrin.npc.ron"], replies: [Say("Well met.")], steps: [Say(to: "eldrin", text: "Hello.")])"#,
        );
    folder
}

#[test]
fn x2_a_story_is_judged_with_all_its_characters_not_those_of_one_scenario() {
    let folder = project("cast");
    for path in ["", "alone.scenario.ron", "tower.story.ron", "mira.npc.ron"] {
        let report = check_path(&folder.0.join(path));
        let clean = report.findings.is_empty() && report.unreadable.is_empty();
        assert!(clean, "{path}: {report:?}");
    }
    // The check of a scenario elsewhere does not use the characters of the story.
    folder.write(
        "tests/there.scenario.ron",
        r#"Scenario(name: "there", story: "../tower.story.ron", npcs: [(id: "guest", fallbacks: (generic: ["Hm."]))], replies: [Say("Well met.")], steps: [Say(to: "guest", text: "Hello.")])"#,
    );
    folder.write("tests/guest.npc.ron", CLEAN);
    let report = check_path(&folder.0.join("tests"));
    assert!(report.findings.is_empty(), "{:?}", report.findings);
    // The check still reports mistakes of the story, once.
    let story = fs::read_to_string(folder.0.join("tower.story.ron")).expect("it was written");
    folder.write(
        "tower.story.ron",
        story.replace("CarriedBy(\"mira\")", "In(\"yrad\")"),
    );
    for path in ["", "tests", "alone.scenario.ron"] {
        let report = check_path(&folder.0.join(path));
        assert_eq!(report.findings.len(), 1, "{path}: {:?}", report.findings);
    }
}

#[test]
fn x2_a_character_is_compared_with_the_stories_of_its_folder() {
    let check = |id: &str, fields: &str, more: &[(&str, &str)]| {
        let folder = project(id);
        folder.write(
            "bram.npc.ron",
            format!("(id: \"bram\", fallbacks: (generic: [\"Hm.\"]), {fields})"),
        );
        for (file, text) in more {
            folder.write(file, text);
        }
        let report = folder.check();
        let (findings, unreadable) = folder.shown(&report);
        assert_eq!(unreadable, [""; 0], "{fields}");
        findings
    };
    for (id, fields, wrong) in [
        (
            "place",
            "location: \"towr\"",
            "there is no location \"towr\" (did you mean \"tower\"?) [unresolved]",
        ),
        (
            "day",
            "location: \"yard\", routine: [(from: \"06:00\", to: \"18:00\", place: \"cellar\")]",
            "there is no location \"cellar\" [unresolved]",
        ),
        (
            "flag",
            "hidden: [(topic: \"x\", until: Flag(\"crownd\"))]",
            "nothing here sets the flag \"crownd\" (did you mean \"crowned\"?) [never_set]",
        ),
        (
            "group",
            "hidden: [(topic: \"x\", until: InGroup(\"gild\"))]",
            "there is no group \"gild\" (did you mean \"guild\"?) [unresolved]",
        ),
        (
            "friend",
            "hidden: [(topic: \"x\", until: Relationship(target: \"eldrn\", field: Trust, at_least: 0.5))]",
            "there is no entity \"eldrn\" (did you mean \"eldrin\"?) [unresolved]",
        ),
    ] {
        let findings = check(id, fields, &[]);
        assert_eq!(findings.len(), 1, "{fields}: {findings:?}");
        assert!(findings[0].ends_with(wrong), "{findings:?}");
    }
    for (id, fields, more) in [
        ("right", "location: \"yard\"", &[][..]),
        // The game also sets flags.
        (
            "game",
            "hidden: [(topic: \"x\", until: Flag(\"married\"))]",
            &[],
        ),
        // The game defines the places of this story.
        (
            "open",
            "location: \"cellar\"",
            &[("b.story.ron", "Story()")],
        ),
        (
            "other",
            "location: \"cellar\"",
            &[(
                "b.story.ron",
                "Story(world: (locations: {\"cellar\": (name: \"Cellar\")}))",
            )],
        ),
        (
            "scene",
            "location: \"cellar\"",
            &[(
                "b.scenario.ron",
                "Scenario(name: \"b\", npcs: [\"bram.npc.ron\"], world: (locations: {\"cellar\": (name: \"Cellar\")}))",
            )],
        ),
    ] {
        let findings = check(id, fields, more);
        assert!(findings.is_empty(), "{fields}: {findings:?}");
    }
}

#[test]
fn x2_two_files_of_a_folder_have_two_ids() {
    let folder = Folder::new("ids");
    folder
        .write("a.npc.ron", CLEAN)
        .write("deep/a.npc.ron", CLEAN);
    assert_eq!(folder.check().findings.len(), 0);
    folder.write("b.npc.ron", CLEAN);
    let report = folder.check();
    let (findings, _) = folder.shown(&report);
    assert_eq!(
        findings,
        [
            "b.npc.ron:1:6: the character in \"a.npc.ron\" has the id \"eldrin\", too: give one of them another id [repeated]"
        ]
    );
}

#[test]
fn x2_slips_of_a_scenario_are_found_and_new_names_are_fine() {
    let kinds = |id: &str, fields: &str| {
        let folder = project(id);
        folder.write(
            "slip.scenario.ron",
            format!("Scenario(name: \"slip\", story: \"tower.story.ron\", npcs: [\"eldrin.npc.ron\"], {fields})"),
        );
        let report = folder.check();
        assert!(report.unreadable.is_empty(), "{fields}: {report:?}");
        report
            .findings
            .iter()
            .map(ToString::to_string)
            .collect::<Vec<_>>()
    };
    for (id, fields, wrong) in [
        (
            "setflag",
            "steps: [SetFlag(name: \"crownd\", value: true)]",
            "no flag \"crownd\"",
        ),
        (
            "standing",
            "steps: [SetStanding(group: \"gild\", target: \"player\", value: 0.5)]",
            "no group \"gild\"",
        ),
    ] {
        let found = kinds(id, fields);
        assert!(
            found.len() == 1 && found[0].contains(wrong),
            "{fields}: {found:?}"
        );
    }
    assert_eq!(
        kinds(
            "newflag",
            "steps: [SetFlag(name: \"married\", value: true)]"
        ),
        [""; 0]
    );
    let folder = Folder::new("player");
    let world = |player: &str| {
        format!(
            "Scenario(name: \"x\", player: \"{player}\", world: (locations: {{\"inn\": (name: \"Inn\")}}, entities: {{\"kaelo\": (name: \"Kael\", kind: \"character\", at: In(\"inn\"))}}))"
        )
    };
    for (player, findings) in [("kaelo", 0), ("stranger", 0), ("kaelos", 1)] {
        folder.write("x.scenario.ron", world(player));
        assert_eq!(folder.check().findings.len(), findings, "{player}");
    }
}

#[test]
fn x2_a_shared_routine_and_a_world_in_a_file_are_judged_with_the_folder() {
    let folder = project("shared");
    let day = |place: &str| format!("[(from: \"06:00\", to: \"18:00\", place: \"{place}\")]");
    folder
        .write("day.routine.ron", day("yard"))
        .write("key.world.ron", r#"World(locations: {"tower": (name: "Tower")}, entities: {"key": (name: "key", kind: "item", at: CarriedBy("mira"))})"#)
        .write("own.scenario.ron", r#"Scenario(name: "own", world: "key.world.ron", npcs: [(id: "guest", fallbacks: (generic: ["Hm."]))])"#);
    assert_eq!(folder.check().findings, []);
    folder.write("day.routine.ron", day("cellar"));
    let findings = folder.check().findings;
    assert_eq!(findings.len(), 1, "{findings:?}");
    assert!(findings[0].message.contains("no location \"cellar\""));
}

#[test]
fn x2_a_character_that_cannot_be_read_is_not_missed_elsewhere() {
    let folder = project("unread");
    folder.write("mira.npc.ron", "(id: \"mira\", nme: \"Mira\")");
    let report = folder.check();
    assert_eq!(
        (report.findings.len(), report.unreadable.len()),
        (0, 1),
        "{report:?}"
    );
}
