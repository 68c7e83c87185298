//! Rows X01 to X58 of the origin. The scenarios `a*` and `s5*` to `s7*` show more of each.

use crate::stage::{Stage, carry, fetch, step, wish};
use crate::studio::paths;
use serde_json::{Value, json};

fn status(plan: &Value) -> (&str, &str) {
    let text = |key: &str| plan[key].as_str().unwrap_or_default();
    (text("status"), text("reason"))
}

fn rules(plan: &Value) -> Vec<String> {
    let failures = plan["failures"].as_array().into_iter().flatten();
    let rule = |failure: &Value| failure["rule"].as_str().unwrap_or_default().to_owned();
    failures.map(rule).collect()
}

/// The mistakes in a plan of the studio, which the model offers four times.
fn studio_rules(intent: &str, context: Value, steps: &[Value]) -> Vec<String> {
    let stage = Stage::studio().wish(&wish(intent, 0.95, context));
    let stage = (0..4).fold(stage, |stage, _| stage.plan(steps));
    rules(&stage.ask().first())
}

fn create(id: &str, name: &str, kind: &str) -> Value {
    step(
        id,
        json!({"type": "create_file", "name": name, "kind": kind}),
    )
}

#[test]
fn x01_the_four_intents_of_the_studio_are_known() {
    let check = step("c", json!({"type": "check", "content": "it works"}));
    for (intent, context, steps) in [
        (
            "CreateProject",
            json!({"type": "WPF", "name": "app", "path": "app"}),
            vec![
                create("a", "app/app.csproj", "project"),
                create("b", "app/program.cs", "entry_point"),
                create("c", "app/build.json", "build_config"),
            ],
        ),
        (
            "AddFeature",
            json!({"feature": "search"}),
            vec![
                create("a", "src/search.rs", "logic"),
                step("b", json!({"type": "modify_file", "target": "main"})),
            ],
        ),
        (
            "FixBug",
            json!({"bug": "hangs", "location": "src/login.rs"}),
            vec![
                step("a", json!({"type": "modify_file", "target": "login"})),
                check,
            ],
        ),
        (
            "BuildPackage",
            json!({"configuration": "Release"}),
            vec![step(
                "a",
                json!({"type": "build", "configuration": "Release"}),
            )],
        ),
    ] {
        let plan = Stage::studio()
            .wish(&wish(intent, 0.95, context))
            .plan(&steps)
            .ask()
            .first();
        assert_eq!(status(&plan), ("done", ""), "{intent}: {plan}");
    }
}

#[test]
fn x01_a_value_of_a_closed_list_is_one_of_it_and_the_plan_covers_it() {
    let build = |configuration: &str| {
        [step(
            "a",
            json!({"type": "build", "configuration": configuration}),
        )]
    };
    let asked = |configuration: &str, built: &str| {
        let said = wish(
            "BuildPackage",
            0.95,
            json!({"configuration": configuration}),
        );
        let stage = (0..4).fold(Stage::studio().wish(&said), |stage, _| {
            stage.plan(&build(built))
        });
        stage.ask().first()
    };
    for banana in ["Banana", "Debug or Release", "D e b u g", "Releases", "-"] {
        let plan = asked(banana, "Release");
        assert_eq!(status(&plan), ("rejected", "InvalidContext"), "{banana}");
    }
    for debug in ["Debug", "debug", " DEBUG "] {
        let plan = asked(debug, "Debug");
        assert_eq!(status(&plan), ("done", ""), "{debug}: {plan}");
        assert_eq!(plan["context"]["configuration"], "Debug");
    }
    let other = asked("Debug", "Release");
    assert_eq!(rules(&other), ["incomplete:builds"]);
    let project = wish(
        "CreateProject",
        0.95,
        json!({"type": "Banana", "name": "app", "path": "app"}),
    );
    let plan = Stage::studio().wish(&project).ask().first();
    assert_eq!(status(&plan), ("rejected", "InvalidContext"));
}

#[test]
fn x02_an_unknown_intent_is_rejected() {
    let stage = Stage::studio().wish(&wish("RefactorAll", 1.0, json!({})));
    assert_eq!(status(&stage.ask().first()), ("rejected", "UnknownIntent"));
}

#[test]
fn x03_confidence_goes_on_asks_or_rejects() {
    for (confidence, expected) in [
        ("0.85", ("done", "")),
        ("0.849", ("asking", "")),
        ("0.60", ("asking", "")),
        ("0.599", ("rejected", "LowConfidence")),
    ] {
        let mut said = fetch();
        said["confidence"] = confidence.into();
        let plan = Stage::npc().wish(&said).plan(&carry()).ask().first();
        assert_eq!(status(&plan), expected, "{confidence}");
    }
}

#[test]
fn x04_a_confidence_out_of_range_is_refused() {
    for confidence in [json!(-0.1), json!(1.2), json!("NaN"), Value::Null] {
        let mut said = fetch();
        said["confidence"] = confidence;
        let stage = (0..4).fold(Stage::npc(), |stage, _| stage.wish(&said));
        assert_eq!(status(&stage.ask().first()), ("rejected", "InvalidIntent"));
    }
}

#[test]
fn x05_two_wishes_in_one_reply_are_refused() {
    let both = format!("{} {}", fetch(), fetch());
    let stage = (0..4).fold(Stage::npc(), |stage, _| stage.says("PlanIntent", &both));
    assert_eq!(status(&stage.ask().first()), ("rejected", "InvalidIntent"));
}

#[test]
fn x06_a_plan_without_steps_fails() {
    let stage = (0..4).fold(Stage::npc().wish(&fetch()), |stage, _| stage.plan(&[]));
    assert_eq!(rules(&stage.ask().first())[0], "no_steps");
}

#[test]
fn x07_every_spelling_of_an_escape_is_outside() {
    for path in [
        "../x",
        "/etc/passwd",
        "a/../../x",
        "..\\x",
        "C:\\x",
        "c:x",
        "\\\\host\\share",
        "//host/share",
        "a//b",
        "%2e%2e/x",
        "a/%2e%2e%2fx",
        "a/..;/x",
        "a/. ./x",
        "a/.. /x",
        "a/..\u{200b}/x",
        "\u{ff0e}\u{ff0e}/x",
        "a/\u{2024}\u{2024}/x",
        "a\u{2215}..\u{2215}x",
        "a\u{ff0f}x",
        "x.",
        "x. ",
        "a/x...",
        "~/x",
        "$HOME/x",
        "file:///x",
        "a\0b",
        "nul",
        "a/con.txt",
        "aux",
        "x:stream",
        "vendor/../../x",
        "...",
        "a/.../x",
        "",
        " ",
        "а/х",
    ] {
        assert!(paths::outside(path).is_some(), "{path:?}");
        let found = studio_rules(
            "AddFeature",
            json!({"feature": "x"}),
            &[create("a", path, "logic")],
        );
        assert!(
            found
                .iter()
                .any(|rule| rule == "outside_project" || rule == "bad_step"),
            "{path:?}: {found:?}"
        );
    }
    for path in ["src/main.rs", "a-b_c/d.e.f", ".gitignore", "README"] {
        assert_eq!(paths::outside(path), None, "{path}");
    }
    // Links by name: the file itself, and a file that the plan would make behind a link.
    let through = studio_rules(
        "AddFeature",
        json!({"feature": "x"}),
        &[create("a", "vendor/x.rs", "logic")],
    );
    assert_eq!(through[0], "incomplete:wiring");
    assert_eq!(through[1], "outside_project");
    for path in ["VENDOR/x.rs", "Vendor/src/x.rs", "vendor", "ｖendor/x.rs"] {
        let found = studio_rules(
            "AddFeature",
            json!({"feature": "x"}),
            &[create("a", path, "logic")],
        );
        assert_eq!(
            found.last().map(String::as_str),
            Some("outside_project"),
            "{path}"
        );
    }
    let beside = studio_rules(
        "AddFeature",
        json!({"feature": "x"}),
        &[create("a", "vendors/x.rs", "logic")],
    );
    assert_eq!(beside, ["incomplete:wiring"]);
    let link = [step(
        "a",
        json!({"type": "modify_file", "target": "vendor"}),
    )];
    assert!(
        studio_rules("FixBug", json!({"bug": "x", "location": "vendor"}), &link)
            .contains(&"outside_project".to_owned())
    );
}

#[test]
fn x08_needs_do_not_run_in_circles() {
    let needs = |id: &str, need: &str| json!({"id": id, "needs": [need], "action": {"type": "take", "target": "rope"}});
    for steps in [
        vec![needs("a", "b"), needs("b", "a")],
        vec![needs("a", "a")],
    ] {
        let stage = (0..4).fold(Stage::npc().wish(&fetch()), |stage, _| stage.plan(&steps));
        assert_eq!(rules(&stage.ask().first())[0], "cycle");
    }
}

#[test]
fn x09_ten_steps_and_fifteen_targets() {
    let guard = wish("guard", 0.95, json!({"place": "yard"}));
    let speak = |i: usize| {
        step(
            &format!("s{i}"),
            json!({"type": "speak", "content": "All is well."}),
        )
    };
    for (count, wrong) in [(10, false), (11, true)] {
        let steps: Vec<Value> = (0..count).map(speak).collect();
        let stage = (0..4).fold(Stage::npc().wish(&guard), |stage, _| stage.plan(&steps));
        assert_eq!(
            rules(&stage.ask().first()).contains(&"too_many_steps".to_owned()),
            wrong,
            "{count}"
        );
    }
    // Each step names a thing, its key and a receiver; all pairs are different.
    let names: Vec<String> = (0..16).map(|i| format!("thing_{i}")).collect();
    let things: Vec<String> = names
        .iter()
        .map(|name| format!("\"{name}\": (name: \"{name}\", kind: \"item\", at: In(\"hall\"))"))
        .collect();
    for (count, wrong) in [(15, false), (16, true)] {
        let steps: Vec<Value> = names[..count]
            .chunks(2)
            .enumerate()
            .map(|(i, pair)| {
                let mut action = json!({"type": "use", "target": pair[0]});
                if let Some(tool) = pair.get(1) {
                    action["tool"] = json!(tool);
                }
                step(&format!("s{i}"), action)
            })
            .collect();
        let world = format!(
            "(locations: {{\"hall\": (name: \"Hall\")}}, entities: {{\"player\": (name: \"Ann\", kind: \"character\", at: In(\"hall\")), {}}})",
            things.join(", ")
        );
        let found = many_targets(&world, &steps);
        assert_eq!(
            found.contains(&"too_many_targets".to_owned()),
            wrong,
            "{count}: {found:?}"
        );
    }
}

fn many_targets(world: &str, steps: &[Value]) -> Vec<String> {
    use bevy_dramatis::authoring::Files;
    use bevy_dramatis::scenario::{Scenario, play};
    let reply =
        |stage: &str, text: &Value| format!("Reply((stage: {stage}, text: r##\"{text}\"##))");
    let said = wish("prepare", 0.95, json!({"thing": "tea"}));
    let mut replies = vec![reply("PlanIntent", &said)];
    replies.extend((0..4).map(|_| reply("Plan", &json!({ "steps": steps }))));
    let source = format!(
        "Scenario(name: \"x\", world: {world}, npcs: [(id: \"porter\", location: \"hall\")], replies: [{}], steps: [Ask(npc: \"porter\", text: \"Tea.\")])",
        replies.join(", ")
    );
    let files = Files::beside(std::path::Path::new("assets/x.scenario.ron"));
    let scenario = Scenario::parse(source.as_bytes(), "x", &files, &Default::default()).unwrap();
    rules(&play(&scenario, &|_| {}).trace["plans"][0])
}

#[test]
fn x10_a_target_counts_once() {
    let steps: Vec<Value> = (0..10)
        .map(|i| step(&format!("s{i}"), json!({"type": "use", "target": "kettle"})))
        .collect();
    let tea = wish("prepare", 0.95, json!({"thing": "tea"}));
    let plan = Stage::npc().wish(&tea).plan(&steps).ask().first();
    assert!(rules(&plan).is_empty(), "{plan}");
}

#[test]
fn x11_a_binary_file_is_not_changed_by_a_diff() {
    let steps = [step("a", json!({"type": "modify_file", "target": "logo"}))];
    let found = studio_rules("FixBug", json!({"bug": "x", "location": "logo"}), &steps);
    assert!(found.contains(&"binary".to_owned()), "{found:?}");
}

#[test]
fn x12_a_plan_must_be_complete() {
    let logic = create("a", "src/search.rs", "logic");
    let wiring = step("b", json!({"type": "modify_file", "target": "main"}));
    let feature = || json!({"feature": "search"});
    assert_eq!(
        studio_rules("AddFeature", feature(), std::slice::from_ref(&wiring)),
        ["incomplete:business_logic"]
    );
    assert_eq!(
        studio_rules("AddFeature", feature(), &[logic]),
        ["incomplete:wiring"]
    );
    let fix = step("a", json!({"type": "modify_file", "target": "login"}));
    let bug = json!({"bug": "x", "location": "src/login.rs"});
    assert_eq!(
        studio_rules("FixBug", bug, &[fix]),
        ["incomplete:regression_check"]
    );
    let project = json!({"type": "WPF", "name": "app", "path": "app"});
    let parts = [
        create("a", "a.csproj", "project"),
        create("c", "b.json", "build_config"),
    ];
    assert_eq!(
        studio_rules("CreateProject", project, &parts),
        ["incomplete:entry_point"]
    );
}

#[test]
fn x13_x14_regenerations_are_counted_and_told_what_was_wrong() {
    let trace = Stage::npc()
        .wish(&fetch())
        .plan(&[])
        .plan(&[])
        .plan(&carry())
        .ask()
        .trace();
    let plan = &trace["plans"][0];
    assert_eq!(
        (status(plan), &plan["regenerations"]),
        (("done", ""), &json!(2))
    );
    let attempts = &trace["runs"][1]["attempts"];
    assert!(
        attempts[2]["prompt"]
            .as_str()
            .unwrap()
            .contains("The plan breaks the rule no_steps: ")
    );
    let stage = (0..5).fold(Stage::npc().wish(&fetch()), |stage, _| stage.plan(&[]));
    let trace = stage.ask().trace();
    assert_eq!(status(&trace["plans"][0]), ("rejected", "InvalidPlan"));
    assert_eq!(trace["runs"][1]["attempts"].as_array().unwrap().len(), 4);
}

fn constrained(constraint: Value) -> Value {
    let mut said = fetch();
    said["constraints"] = json!([constraint]);
    said
}

#[test]
fn x15_x16_x18_constraints_travel_from_the_wish_to_each_step() {
    let must_not = constrained(json!({"kind": "MUST_NOT", "text": "no giving", "action": "give"}));
    let stage = (0..4).fold(Stage::npc().wish(&must_not), |stage, _| {
        stage.plan(&carry())
    });
    let trace = stage.ask().trace();
    assert_eq!(rules(&trace["plans"][0]), ["must_not:c1"]);
    let prompt = trace["runs"][1]["attempts"][0]["prompt"].as_str().unwrap();
    assert!(
        prompt.contains("- c1 MUST_NOT (global): no giving [action: give]"),
        "{prompt}"
    );
    let prefer = constrained(json!({"kind": "PREFER", "text": "by the yard", "target": "yard"}));
    let plan = Stage::npc().wish(&prefer).plan(&carry()).ask().first();
    assert_eq!(
        (status(&plan).0, &plan["quality_parts"]["safety"]),
        ("done", &json!("0.750000"))
    );
}

#[test]
fn x17_what_shows_only_when_it_is_done_takes_the_plan_back() {
    let tea = wish("prepare", 0.95, json!({"thing": "tea"}));
    let steps = [
        step("s1", json!({"type": "open", "target": "gate"})),
        step("s2", json!({"type": "use", "target": "kettle"})),
        step(
            "s3",
            json!({"type": "speak", "content": "The treasure is below."}),
        ),
    ];
    let trace = Stage::npc()
        .wish(&tea)
        .plan(&steps)
        .step("SetFlag(name: \"treasure_found\", value: true)")
        .step("Ask(npc: \"porter\", text: \"Tea.\", between: {\"s2\": [SetFlag(name: \"treasure_found\", value: false)]})")
        .trace();
    assert_eq!(status(&trace["plans"][0]), ("rolled_back", "treasure*"));
    assert_eq!(
        trace["world"]["entities"]["gate"]["attributes"]["open"],
        json!(false)
    );
}

#[test]
fn x24_the_same_plan_has_the_same_trace() {
    let stage = || Stage::npc().wish(&fetch()).plan(&carry()).ask().trace();
    assert_eq!(stage().to_string(), stage().to_string());
}

#[test]
fn x33_no_gate_executes_before_quality_is_heard() {
    let poor = [
        json!({"id": "a", "action": {"type": "open", "target": "the gate"}}),
        json!({"id": "b", "action": {"type": "take", "target": "the mug"}}),
    ];
    let guard = wish("guard", 0.95, json!({"place": "yard"}));
    let trace = Stage::npc()
        .plans("profile: FULL_AUTO")
        .wish(&guard)
        .plan(&poor)
        .ask()
        .trace();
    let plan = &trace["plans"][0];
    assert_eq!(plan["gates"][1]["result"], "ALLOW");
    assert_eq!(status(plan), ("denied", "low_quality"));
    assert_eq!(
        trace["world"]["entities"]["gate"]["attributes"]["open"],
        json!(false)
    );
}

#[test]
fn x34_security_asks_nobody() {
    let tea = wish("prepare", 0.95, json!({"thing": "tea"}));
    let steps = [
        step("a", json!({"type": "use", "target": "kettle"})),
        step(
            "b",
            json!({"type": "speak", "content": "The tunnel is open."}),
        ),
    ];
    let stage = Stage::npc()
        .plans("profile: FULL_AUTO")
        .wish(&tea)
        .plan(&steps)
        .ask();
    let trace = stage.step("Approve(plan: \"p1\")").trace();
    assert_eq!(status(&trace["plans"][0]), ("denied", "tunnel"));
    assert_eq!(trace["refused"].as_array().unwrap().len(), 1);
}

#[test]
fn x35_an_answer_settles_what_was_asked() {
    let stage = || {
        Stage::npc()
            .plans("profile: SAFE")
            .wish(&fetch())
            .plan(&carry())
            .ask()
    };
    let decision = |plan: Value| plan["decision"].as_str().unwrap().to_owned();
    assert_eq!(
        decision(stage().step("Approve(plan: \"p1\")").first()),
        "ALLOW"
    );
    assert_eq!(decision(stage().step("Deny(plan: \"p1\")").first()), "DENY");
    assert_eq!(
        decision(stage().step("Advance(seconds: 300.0)").first()),
        "DENY"
    );
    assert_eq!(decision(stage().first()), "CONFIRM");
}

#[test]
fn x37_x38_x39_the_first_rule_that_fits_decides() {
    let removes = Stage::studio()
        .wish(&wish(
            "FixBug",
            0.95,
            json!({"bug": "x", "location": "login"}),
        ))
        .plan(&[
            step("a", json!({"type": "modify_file", "target": "login"})),
            step("b", json!({"type": "delete_file", "target": "main"})),
            step("c", json!({"type": "check", "content": "it works"})),
        ])
        .ask()
        .first();
    assert_eq!(status(&removes).0, "pending");
    assert_eq!(removes["gates"][1]["reason"], "dev_removal");
    let npc = |rules: &str| {
        let taxonomy = format!(
            "taxonomy: Taxonomy(id: \"t\", intents: {{\"fetch\": ()}}, policy: {{DEV: [{rules}]}})"
        );
        let plan = Stage::npc()
            .plans(&taxonomy)
            .wish(&fetch())
            .plan(&carry())
            .ask()
            .first();
        plan["gates"][1].clone()
    };
    let both = npc(
        "(id: \"first\", when: RiskAtMost(100), then: CONFIRM), (id: \"second\", when: Always, then: ALLOW)",
    );
    assert_eq!(
        (&both["result"], &both["reason"]),
        (&json!("CONFIRM"), &json!("first"))
    );
    let none = npc("(id: \"never\", when: AnyStepIs(Operation(Remove)), then: DENY)");
    assert_eq!(
        (&none["result"], &none["reason"]),
        (&json!("PASS"), &Value::Null)
    );
}

#[test]
fn x40_what_touches_the_system_always_asks() {
    let plan = Stage::studio()
        .plans("profile: FULL_AUTO")
        .wish(&wish(
            "FixBug",
            0.95,
            json!({"bug": "x", "location": "gates"}),
        ))
        .plan(&[
            step("a", json!({"type": "modify_file", "target": "gates"})),
            step("b", json!({"type": "check", "content": "it works"})),
        ])
        .ask()
        .first();
    assert_eq!((status(&plan).0, &plan["risk"]), ("pending", &json!(66)));
    assert_eq!(
        plan["gates"][4],
        json!({"gate": "policy_files", "result": "CONFIRM", "reason": "policy_files"})
    );
}

#[test]
fn x42_the_ceiling_makes_dev_behave_like_safe() {
    let plan = Stage::npc()
        .plans("profile: DEV, ceiling: SAFE")
        .wish(&fetch())
        .plan(&carry())
        .ask()
        .first();
    assert_eq!(
        (status(&plan).0, &plan["profile"]),
        ("pending", &json!("SAFE"))
    );
}

#[test]
fn x45_three_failures_lower_the_profile() {
    let mut stage = Stage::npc().plans("profile: FULL_AUTO");
    let late = [
        step("s1", json!({"type": "use", "target": "kettle"})),
        step("s2", json!({"type": "take", "target": "mug"})),
    ];
    let tea = || wish("prepare", 0.95, json!({"thing": "tea"}));
    for _ in 0..4 {
        stage = stage.wish(&tea()).plan(&late).ask();
    }
    let trace = stage.trace();
    let profiles: Vec<&Value> = (0..4).map(|i| &trace["plans"][i]["profile"]).collect();
    assert_eq!(profiles, ["FULL_AUTO", "FULL_AUTO", "FULL_AUTO", "DEV"]);
    assert_eq!(status(&trace["plans"][0]), ("rolled_back", "NOT_PRESENT"));
}

fn swapped(swap: &str) -> Value {
    let stage = Stage::npc()
        .plans("profile: SAFE")
        .wish(&fetch())
        .plan(&carry())
        .ask();
    stage.step(swap).step("Approve(plan: \"p1\")").first()
}

#[test]
fn x46_another_model_blocks() {
    for swap in [
        "SwapModel(provider: \"other\")",
        "SwapModel(model: \"other\")",
        "SwapModel(hash: \"00ff\")",
        "SwapModel(json: false)",
        "SwapModel(streaming: false)",
        "SwapModel(context_chars: 1000)",
    ] {
        assert_eq!(
            status(&swapped(swap)),
            ("blocked", "model_changed"),
            "{swap}"
        );
    }
}

#[test]
fn x47_x49_another_version_asks_and_the_same_goes_on() {
    assert_eq!(
        status(&swapped("SwapModel(version: \"2\")")),
        ("pending", "model_version")
    );
    let back = Stage::npc()
        .plans("profile: SAFE")
        .wish(&fetch())
        .plan(&carry())
        .ask();
    let back = back
        .step("SwapModel(version: \"2\")")
        .step("SwapModel(version: \"1\")");
    assert_eq!(
        status(&back.step("Approve(plan: \"p1\")").first()),
        ("done", "")
    );
}

#[test]
fn x48_a_version_that_was_unknown_has_changed() {
    let stage = Stage::npc()
        .more("engine: (version: None),")
        .plans("profile: SAFE")
        .wish(&fetch())
        .plan(&carry())
        .ask()
        .step("SwapModel(version: \"1\")");
    assert_eq!(
        status(&stage.step("Approve(plan: \"p1\")").first()),
        ("pending", "model_version")
    );
}

#[test]
fn x50_x51_faults_are_tried_again_on_the_same_engine() {
    for faults in 0..5 {
        let stage = Stage::npc()
            .wish(&fetch())
            .fails("Plan", "Transport", faults)
            .plan(&carry());
        let trace = stage.ask().trace();
        let expected = match faults {
            0..4 => ("done", ""),
            _ => ("rejected", "EngineUnavailable"),
        };
        assert_eq!(status(&trace["plans"][0]), expected, "{faults}");
        assert_eq!(
            trace["runs"][1]["attempts"].as_array().unwrap().len(),
            (faults + 1).min(4)
        );
    }
}

#[test]
fn x52_an_engine_that_lacks_json_is_refused_before_any_call() {
    let trace = Stage::npc()
        .more("engine: (json: false),")
        .wish(&fetch())
        .ask()
        .trace();
    assert_eq!(status(&trace["plans"][0]), ("rejected", "EngineUnfit"));
    assert_eq!(trace["runs"], json!([]));
}

#[test]
fn x53_a_prompt_that_is_too_long_is_refused_before_the_call() {
    let trace = Stage::npc()
        .more("engine: (context_chars: 200),")
        .wish(&fetch())
        .ask()
        .trace();
    assert_eq!(status(&trace["plans"][0]), ("rejected", "ContextLimit"));
    assert_eq!(trace["counters"]["engine_calls"], json!(0));
}

#[test]
fn x54_x55_what_waits_expires() {
    let stage = || {
        Stage::npc()
            .plans("profile: SAFE")
            .wish(&fetch())
            .plan(&carry())
            .ask()
    };
    let old = stage().step("Marker(TimeSkip(seconds: 1800.0))").first();
    assert_eq!(status(&old), ("expired", "age"));
    let moved = stage()
        .step("Place(entity: \"rope\", at: In(\"yard\"))")
        .step("Approve(plan: \"p1\")");
    assert_eq!(status(&moved.first()), ("expired", "target_changed"));
    let gone = stage().step("Despawn(npc: \"porter\")").first();
    assert_eq!(status(&gone), ("expired", "despawned"));
}

#[test]
fn x57_a_failed_step_takes_all_steps_back() {
    let mug = wish("fetch", 0.95, json!({"thing": "mug", "to": "player"}));
    let steps = [
        step("s1", json!({"type": "open", "target": "gate"})),
        step("s2", json!({"type": "take", "target": "rope"})),
        step(
            "s3",
            json!({"type": "give", "target": "mug", "to": "player"}),
        ),
        step("s4", json!({"type": "close", "target": "gate"})),
        step(
            "s5",
            json!({"type": "give", "target": "rope", "to": "player"}),
        ),
    ];
    let trace = Stage::npc().wish(&mug).plan(&steps).ask().trace();
    assert_eq!(
        status(&trace["plans"][0]),
        ("rolled_back", "MISSING_REQUIREMENT")
    );
    let entities = &trace["world"]["entities"];
    assert_eq!(entities["gate"]["attributes"]["open"], json!(false));
    assert_eq!(entities["rope"]["at"], json!({"in": "hall"}));
}
