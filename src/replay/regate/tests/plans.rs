//! Plans, and turns of actors, as scenarios (contract row X3).

use super::edits::edited;
use super::scenarios::{failed, scenario, wish, written};
use super::{judged, read};
use crate::authoring::Files;
use crate::journal::{RecordKind, Recording};
use crate::replay::regate::{ChangedRules, ReplyKey, regate};
use crate::scenario::{NoScenario, Scenario, record, scenario_files};
use crate::world::ActionRegistry;
use serde_json::{Value, json};
use std::path::Path;

/// The replies that wrote the steps of plans: the number of the record, and what was answered.
fn answers(recording: &Recording) -> Vec<(u64, String)> {
    let plans = recording.records.iter();
    let plans = plans.filter(|record| record.kind == RecordKind::Plan);
    let answered = plans.filter_map(|record| {
        let answered = &record.body["event"]["Answered"];
        let reply = answered["reply"].as_str()?;
        (answered["of"] == "Steps").then(|| (record.seq, reply.to_owned()))
    });
    answered.collect()
}

/// The shipped scenarios with such names, as they are recorded.
fn shipped(is_wanted: impl Fn(&str) -> bool) -> Vec<(String, Recording)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/scenarios");
    let recorded = scenario_files(&folder)
        .unwrap()
        .into_iter()
        .filter_map(|file| {
            let name = file.strip_prefix(&folder).unwrap().display().to_string();
            let scenario =
                is_wanted(&name).then(|| Scenario::read(&file, &ActionRegistry::default()));
            Some((name, record(&scenario?.unwrap(), &|_| {}).1))
        });
    recorded.collect()
}

#[test]
fn x3_every_plan_of_the_shipped_scenarios_is_a_scenario_that_holds() {
    let (mut held, mut refused) = (0, Vec::new());
    for (name, recording) in shipped(|name| name.starts_with(['a', 's']) && !name.contains('/')) {
        for (seq, reply) in answers(&recording) {
            let report = judged(&recording, &edited(&[(seq, 0, &reply)]));
            let passes = report.replies[0].after.verdict.passed;
            match scenario(&recording, &wish(seq, 0, None, passes)) {
                Ok(text) => {
                    assert_eq!(failed(&text), [""; 0], "{name}\n{text}");
                    let other = written(&recording, &wish(seq, 0, None, !passes));
                    assert_eq!(failed(&other).len(), 1, "{name}\n{other}");
                    held += 1;
                }
                Err(error) => refused.push(format!("{name}: {error}")),
            }
        }
    }
    // Of the rest the model was another one, the character had gone, or the engine failed.
    assert!(held > 25, "{held}, {refused:#?}");
    assert!(refused.len() < 6, "{refused:#?}");
}

/// A plan that is asked about, approved and carried out while the game does something; one that is not understood; a talk; and
/// another plan.
const PLANS: &str = r#"(
    name: "plans",
    world: (
        locations: {"hall": (name: "Hall")},
        entities: {
            "player": (name: "Ann", kind: "character", at: In("hall")),
            "rope": (name: "rope", kind: "item", at: In("hall"), attributes: {"takeable": true}),
            "lamp": (name: "lamp", kind: "thing", at: In("hall"), attributes: {"lit": false}),
        },
        flags: {"rain": false},
    ),
    npcs: [(id: "porter", name: "Odo", location: "hall", fallbacks: (generic: ["Hm."]))],
    plans: (profile: SAFE, protected_kinds: ["shrine"], constraints: [(kind: PREFER, scope: Global, text: "be quick")]),
    replies: [
        Reply((stage: PlanIntent, text: "@wish")), Reply((stage: Plan, text: "@steps")),
        Reply((stage: PlanIntent, text: "no plan at all")), Reply((stage: PlanIntent, text: "no plan at all")),
        Reply((stage: PlanIntent, text: "no plan at all")), Reply((stage: PlanIntent, text: "no plan at all")),
        Reply((stage: Dialogue, text: "I have brought it.")),
        Reply((stage: PlanIntent, text: "@wish")), Reply((stage: Plan, text: "@steps")), Reply((stage: Plan, text: "@steps")),
    ],
    steps: [
        Advance(seconds: 4.5),
        Ask(npc: "porter", text: "Bring me the rope.", while_waiting: [SetFlag(name: "rain", value: true)],
            between: {"s1": [SetAttribute(entity: "lamp", name: "lit", value: true)]}),
        Advance(seconds: 10),
        Approve(plan: "p1"),
        Ask(npc: "porter", text: "Sing."),
        Say(to: "porter", text: "Thank you."),
        Do(actor: "player", actions: [Drop(target: "rope")]),
        Ask(npc: "porter", text: "Bring it again."),
        Regenerate(plan: "p3"),
        Deny(plan: "p4"),
    ],
)"#;

fn plans() -> String {
    with_replies(PLANS)
}

fn with_replies(plans: &str) -> String {
    let wish =
        r#"{"intent": "fetch", "confidence": 0.95, "context": {"thing": "rope", "to": "player"}}"#;
    plans
        .replace("@wish", &wish.replace('"', "\\\""))
        .replace("@steps", &steps("rope").replace('"', "\\\""))
}

fn steps(thing: &str) -> String {
    let steps = r#"{"steps": [{"id": "s1", "action": {"type": "take", "target": "@"}, "why": "that is what is wanted"},
        {"id": "s2", "needs": ["s1"], "action": {"type": "give", "target": "@", "to": "player"}, "why": "that is what is wanted"}]}"#;
    steps.replace('@', thing).replace("\n        ", " ")
}

#[test]
fn x3_what_plans_did_before_is_so_when_the_scenario_begins() {
    let (result, recording) = record(&read(&plans()), &|_| {});
    let state = |plan: usize| result.trace["plans"][plan]["status"].as_str();
    assert_eq!(
        [state(0), state(1), state(2), state(3)],
        [
            Some("done"),
            Some("rejected"),
            Some("denied"),
            Some("denied")
        ]
    );
    let answers = answers(&recording);
    let [first, again, anew] = &answers[..] else {
        panic!("{answers:?}");
    };
    for (seq, plan, runs) in [(first.0, 0, 2), (again.0, 2, 2), (anew.0, 3, 3)] {
        let scenario = written(&recording, &wish(seq, 0, None, false));
        let text = &scenario.text;
        assert!(text.contains("PREFER") && text.contains("shrine"), "{text}");
        let played = scenario.played();
        assert_eq!(played.failed, [], "{text}");
        let plans = played.trace["plans"].as_array().unwrap();
        let found = plans.last().unwrap();
        assert_eq!(found["status"], "pending", "it waits for an answer");
        assert_eq!(
            played.trace["runs"].as_array().map(Vec::len),
            Some(runs),
            "{text}"
        );
        let as_then = &result.trace["plans"][plan];
        for field in ["intent", "risk", "quality", "constraints"] {
            assert_eq!(found[field], as_then[field], "{field}");
        }
    }
    // A talk after a plan sees what the plan and the game have done.
    let talk = recording.records.iter();
    let mut talk = talk.filter(|record| record.kind == RecordKind::Interaction);
    let talk = talk.next().unwrap().seq;
    let text = written(&recording, &wish(talk, 0, None, true));
    let played = text.played();
    assert_eq!(played.failed, [], "{text}");
    let world = &played.trace["world"];
    assert_eq!(world["entities"]["rope"]["at"]["carried_by"], "player");
    assert_eq!(world["entities"]["lamp"]["attributes"]["lit"], true);
    assert_eq!(world["flags"]["rain"], true);
    let prompt = |trace: &Value| {
        let mut runs = trace["runs"].as_array().unwrap().iter();
        let talk = runs.find(|run| run["stage"] == "dialogue").unwrap();
        talk["attempts"][0]["prompt"].clone()
    };
    assert_eq!(prompt(&played.trace), prompt(&result.trace), "{text}");
}

/// What cannot be said of the talk that is the last of these steps.
fn refused(plans: &str, steps: &str) -> String {
    let before = plans.split("steps: [").next().unwrap();
    let game = format!("{before}steps: [{steps} Say(to: \"porter\", text: \"Well?\")],\n)");
    let (_, recording) = record(&read(&game), &|_| {});
    let last = recording.records.len() as u64;
    let text = scenario(&recording, &wish(last, 0, None, true));
    text.map_or_else(|error| error.to_string(), |_| String::new())
}

#[test]
fn x3_the_time_that_an_answer_took_does_not_matter_to_a_later_talk() {
    let slow = r#"Reply((stage: PlanIntent, text: "@wish", delay_seconds: 20)), Reply((stage: Plan, text: "@steps", delay_seconds: 20)),"#;
    let wish =
        r#"Reply((stage: PlanIntent, text: "@wish")), Reply((stage: Plan, text: "@steps")),"#;
    let ask = r#"Ask(npc: "porter", text: "Bring me the rope."),"#;
    let steps = |replies: &str, wait: u32| {
        let plans = PLANS.replacen(wish, replies, 1);
        let steps = format!("{ask} Advance(seconds: {wait}), Approve(plan: \"p1\"),");
        refused(&with_replies(&plans), &steps)
    };
    assert_eq!(steps(wish, 290), "", "he answers in time");
    assert_eq!(steps(slow, 290), "", "the model was slow");
    // It ends by itself.
    let ends = format!("{ask} Advance(seconds: 301),");
    assert_eq!(refused(&plans(), &ends), "");
}

#[test]
fn x3_a_plan_after_one_that_could_not_be_read_is_a_scenario() {
    let wish = r#"Reply((stage: PlanIntent, text: "@wish")),"#;
    let unreadable = r#"Reply((stage: Plan, text: "no plan")),"#.repeat(4);
    let replies = format!("replies: [{wish} {unreadable}");
    let game = with_replies(&PLANS.replace("replies: [", &replies));
    let before = game.split("steps: [").next().unwrap();
    let steps =
        r#"Ask(npc: "porter", text: "Bring it."), Ask(npc: "porter", text: "Bring it, please.")"#;
    let (result, recording) = record(&read(&format!("{before}steps: [{steps}],\n)")), &|_| {});
    assert_eq!(result.trace["plans"][0]["reason"], "InvalidPlan");
    let (seq, _) = answers(&recording)[0];
    let text = written(&recording, &super::scenarios::wish(seq, 0, None, false));
    let played = text.played();
    assert_eq!(played.failed, [], "{text}");
    // It has the number that it had then.
    assert_eq!(
        played.trace["plans"][0]["id"],
        result.trace["plans"][1]["id"]
    );
}

#[test]
fn x3_a_taxonomy_of_a_game_stands_in_the_scenario() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/taxonomies/npc.taxonomy.ron");
    let own = std::fs::read_to_string(file).unwrap();
    let own = own.replace("Bring a thing to somebody.", "to bring something");
    let own = format!("plans: (taxonomy: {own},");
    let (_, recording) = record(&read(&plans().replace("plans: (", &own)), &|_| {});
    let (seq, _) = answers(&recording)[0];
    let text = written(&recording, &wish(seq, 0, None, false));
    assert!(text.text.contains("to bring something"), "{text}");
    assert_eq!(failed(&text), [""; 0], "{text}");
}

#[test]
fn x3_an_edited_plan_is_a_scenario_that_fails_until_it_is_so() {
    let (_, recording) = record(&read(&plans().replace("SAFE", "FULL_AUTO")), &|_| {});
    let (seq, reply) = &answers(&recording)[0];
    let other = steps("moon");
    let report = judged(&recording, &edited(&[(*seq, 0, &other)]));
    let [verdict] = &report.replies[..] else {
        panic!("{:?}", report.replies);
    };
    assert!(verdict.before.verdict.passed && !verdict.after.verdict.passed);
    let holds = |reply: &str, passes| {
        let text = written(&recording, &wish(*seq, 0, Some(reply), passes));
        failed(&text).is_empty()
    };
    assert!(holds(reply, true) && !holds(reply, false));
    assert!(holds(&other, false) && !holds(&other, true));
    // What was understood is no reply that is judged, and no plan has a second one.
    for (seq, attempt) in [(seq - 1, 0), (*seq, 1), (*seq + 1, 0)] {
        let refused = scenario(&recording, &wish(seq, attempt, None, true));
        assert!(
            matches!(refused, Err(NoScenario::NoReply(_))),
            "{refused:?}"
        );
    }
}

#[test]
fn x3_every_turn_of_the_shipped_scenarios_is_a_scenario_that_holds() {
    let (mut held, mut refused) = (0, Vec::new());
    let is_wanted = |name: &str| name.starts_with(['w', 'p']) || name.starts_with("truth");
    for (name, recording) in shipped(is_wanted) {
        let turns = recording.records.iter();
        for turn in turns.filter(|record| record.kind == RecordKind::Turn) {
            let results = turn.body["actions"].as_array().unwrap();
            let rejected = turn.body["rejected"].as_array().unwrap();
            let done = results.iter().all(|action| action["result"] == "OK") && rejected.is_empty();
            let count = results.len() + rejected.len();
            match scenario(&recording, &wish(turn.seq, 0, None, done)) {
                Ok(text) => {
                    assert_eq!(failed(&text), [""; 0], "{name}\n{text}");
                    match scenario(&recording, &wish(turn.seq, 0, None, !done)) {
                        Ok(other) => assert_ne!(failed(&other), [""; 0], "{name}\n{other}"),
                        Err(NoScenario::Several(_)) => assert!(count > 1, "{name}"),
                        Err(error) => panic!("{name}: {error}"),
                    }
                    held += 1;
                }
                Err(NoScenario::Several(_)) => assert!(!done && count > 1, "{name}"),
                Err(NoScenario::NoReply(_)) => assert_eq!(count, 0, "{name}"),
                Err(error) => refused.push(format!("{name}: {error}")),
            }
        }
    }
    assert!(held > 40, "{held}");
    assert_eq!(refused, [""; 0]);
}

#[test]
fn x3_a_turn_that_another_rule_would_refuse_fails_until_the_rule_is_there() {
    let turn = r#"(
        name: "a key",
        world: (
            locations: {"hall": (name: "Hall")},
            entities: {
                "player": (name: "Ann", kind: "character", at: In("hall")),
                "key": (name: "key", kind: "item", at: In("hall"), attributes: {"takeable": true}),
            },
        ),
        @
        steps: [Act(actor: "player", text: "take the key")],
    )"#;
    let (_, recording) = record(&read(&turn.replace('@', "")), &|_| {});
    let text = written(&recording, &wish(2, 0, None, false));
    assert_eq!(failed(&text).len(), 1, "{text}");
    let rule = r#"story: (rulebook: Rulebook(id: "own", extends: "default", actions: {"take": (
        checks: [(id: "mine", when: Attribute(Target, "takeable", false), else: LOCKED, message: "it is mine")])})),"#;
    let tomorrow = text.with(rule);
    assert_eq!(failed(&tomorrow), [""; 0], "{tomorrow}");
    let refused = scenario(&recording, &wish(2, 0, Some("Take it."), true));
    assert!(
        matches!(refused, Err(NoScenario::NoReply(_))),
        "a turn has no reply"
    );
}

/// The rope for the player.
fn fetch() -> Value {
    json!({"intent": "fetch", "confidence": 0.95, "context": {"thing": "rope", "to": "player"}})
}

/// The steps that fetch it.
fn carry() -> Vec<Value> {
    vec![
        json!({"id": "s1", "why": "that is what is wanted", "action": {"type": "take", "target": "rope"}}),
        json!({"id": "s2", "needs": ["s1"], "why": "she wants it", "action": {"type": "give", "target": "rope", "to": "player"}}),
    ]
}

#[test]
fn j4_recorded_plans_are_judged_by_changed_rules() {
    let read = |npc: &str, plans: &str| {
        let source = format!(
            r##"(name: "x", world: "worlds/courtyard.world.ron", npcs: [(id: "porter", location: "hall", {npc})], plans: ({plans}),
            replies: [Reply((stage: PlanIntent, text: r#"{}"#)), Reply((stage: Plan, text: r#"{}"#))],
            steps: [Ask(npc: "porter", text: "The rope, please.")])"##,
            fetch(),
            json!({"steps": carry()})
        );
        let files = Files::beside(std::path::Path::new("assets/x.scenario.ron"));
        Scenario::parse(source.as_bytes(), "x", &files, &Default::default()).unwrap()
    };
    let (_, recording) = record(&read("", ""), &|_| {});
    let judged = |npc: &str, plans: &str| {
        let changed = ChangedRules::from(&read(npc, plans));
        let report = regate(&recording, &changed, &|_| {}).unwrap();
        assert!(report.replay.holds(), "{:?}", report.replay.divergences);
        assert_eq!(report.turns, 1);
        let rules = report.changed.iter().flat_map(|one| &one.responsible);
        rules.map(|rule| rule.rule.clone()).collect::<Vec<String>>()
    };
    assert!(judged("", "").is_empty());
    assert_eq!(judged(r#"may: ["speak"]"#, ""), ["not_allowed"]);
    assert_eq!(judged(r#"forbidden: ["wants it"]"#, ""), ["wants it"]);
    assert_eq!(judged("", "profile: SAFE"), ["safe_asks", "profile"]);
    assert_eq!(judged("", "scope: [\"yard\"]"), ["outside_scope"]);
}

#[test]
fn j4_a_plan_with_other_steps_is_judged_in_its_place() {
    let source = format!(
        r##"(name: "x", world: "worlds/courtyard.world.ron", npcs: [(id: "porter", location: "hall")],
        replies: [Reply((stage: PlanIntent, text: r#"{}"#)), Reply((stage: Plan, text: r#"{}"#))],
        steps: [Ask(npc: "porter", text: "The rope, please.")])"##,
        fetch(),
        json!({"steps": carry()})
    );
    let files = Files::beside(std::path::Path::new("assets/x.scenario.ron"));
    let scenario = Scenario::parse(source.as_bytes(), "x", &files, &Default::default()).unwrap();
    let (_, recording) = record(&scenario, &|_| {});
    let plans = recording.records.iter();
    let plans: Vec<u64> = plans
        .filter(|record| record.kind == RecordKind::Plan)
        .map(|record| record.seq)
        .collect();
    let edited = |text: &str| {
        let key = |seq| (ReplyKey { seq, attempt: 0 }, text.to_owned());
        let changed = ChangedRules {
            replies: plans.iter().map(|seq| key(*seq)).collect(),
            ..ChangedRules::default()
        };
        let report = regate(&recording, &changed, &|_| {}).unwrap();
        assert!(report.replay.holds(), "{:?}", report.replay.divergences);
        // Of all that happens to a plan, its steps are written once.
        assert_eq!(report.unused_replies.len(), plans.len() - 1);
        let [reply] = &report.replies[..] else {
            panic!("{:?}", report.replies);
        };
        let failures = reply.after.verdict.failures.iter();
        let failed: Vec<String> = failures.map(|failure| failure.rule.clone()).collect();
        (reply.before.verdict.passed, failed)
    };
    let as_recorded = json!({"steps": carry()}).to_string();
    assert_eq!(edited(&as_recorded), (true, vec![]));
    let nowhere = as_recorded.replace("rope", "moon");
    let (before, failed) = edited(&nowhere);
    assert!(before && !failed.is_empty(), "{failed:?}");
    assert_eq!(edited("no plan"), (true, vec!["InvalidPlan".to_owned()]));
}
