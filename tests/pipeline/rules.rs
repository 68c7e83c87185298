//! Rules and checks in Rust, severities, retries, and the second look at commit (contract rows P2, P7, P10, G5, G8).

use super::WIZARD;
use bevy::prelude::*;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::gate::CheckFinding;
use bevy_dramatis::gate::{CustomCheck, CustomChecks, FailureReason, Verdict};
use bevy_dramatis::npc::Request;
use bevy_dramatis::pipeline::DialoguePolicy;
use bevy_dramatis::pipeline::{Outcome, RunPolicy};
use bevy_dramatis::pipeline::{RustRule, RustRules};
use bevy_dramatis::plugin::PipelineSystems;
use bevy_dramatis::rules::{
    ConstraintKind, ConstraintSpec, RuleCondition, RuleSeverity, RuleSpec, TriggerReason,
};
use bevy_dramatis::testing::{FnEngine, SpokenLine, TestGame, whole_reply};
use bevy_dramatis::world::{WorldFlags, WorldRead};

fn spec(id: &str, pattern: &str) -> RuleSpec {
    RuleSpec {
        id: format!("rule_{id}"),
        priority: 0,
        when: RuleCondition::Always,
        constraints: vec![ConstraintSpec {
            id: id.to_owned(),
            kind: ConstraintKind::Prohibition,
            severity: RuleSeverity::Hard,
            description: String::new(),
            prompt: None,
            patterns: vec![pattern.to_owned()],
            lifts: Vec::new(),
        }],
    }
}

fn constraint_ids(game: &TestGame) -> Vec<String> {
    game.attempts()[0]
        .constraints
        .iter()
        .map(|constraint| constraint.id.clone())
        .collect()
}

#[test]
fn p2_a_rule_in_rust_that_errs_or_panics_is_skipped_and_the_rest_go_on() {
    let mut game = TestGame::new(ScriptedEngine::saying([
        "A taboo.",
        "An erring panic.",
        "Never.",
    ]));
    let npc = game.spawn_npc("(id: \"guard\", fallbacks: (generic: [\"Hm.\"]))");
    game.world_mut().resource_mut::<RustRules>().0 = vec![
        RustRule::new(&spec("errs", "erring"), |_, _| Err("no idea".into())).unwrap(),
        RustRule::new(&spec("panics", "panic"), |_, _| panic!("on purpose")).unwrap(),
        RustRule::new(&spec("sleeps", "never"), |_, _| Ok(false)).unwrap(),
        RustRule::new(&spec("works", "taboo"), |interaction, world| {
            Ok(interaction.npc == "guard" && !world.flag("taboo_lifted"))
        })
        .unwrap(),
    ];
    game.talk(npc, "Hello");
    assert_eq!(constraint_ids(&game), ["works"]);
    assert_eq!(
        game.take_outcomes(),
        [Outcome::Accepted {
            line: "An erring panic.".into()
        }]
    );
    assert!(RustRule::new(&spec("bad", "/(/"), |_, _| Ok(true)).is_err());
}

fn check(id: &str) -> CustomCheck {
    let name = id.to_owned();
    CustomCheck::new(
        id,
        move |dialogue: &str, _: &_, _: &dyn WorldRead| match name.as_str() {
            "errs" => Err("no idea".into()),
            "panics" => panic!("on purpose"),
            _ => Ok(dialogue.contains("taboo").then(|| CheckFinding {
                severity: RuleSeverity::Hard,
                span: None,
                message: "a taboo".to_owned(),
            })),
        },
    )
}

#[test]
fn g8_a_check_in_rust_that_errs_or_panics_fails_the_attempt() {
    for id in ["errs", "panics"] {
        let mut game = TestGame::new(ScriptedEngine::saying(["One.", "Two.", "Three."]));
        let wizard = game.spawn_npc(WIZARD);
        game.world_mut()
            .resource_mut::<CustomChecks>()
            .0
            .push(check(id));
        game.talk(wizard, "Hello");
        assert_eq!(game.take_lines(), [SpokenLine::fallback("Hm.")]);
        assert_eq!(game.attempts().len(), 3, "Hard, not Critical");
        let failure = &game.last_run::<Verdict>().failures[0];
        assert_eq!(
            (failure.reason, failure.severity),
            (FailureReason::CustomRule, RuleSeverity::Hard)
        );
        assert_eq!(failure.rule, id);
    }
}

#[test]
fn g8_a_check_in_rust_for_all_words_judges_memories_and_actions() {
    let remember = r#"{"dialogue": "Fine.", "mutations": [{"type": "AppendEpisodic", "content": "A taboo."},
        {"type": "AppendEpisodic", "content": "Rain."}]}"#;
    let describe =
        r#"{"dialogue": "Fine.", "intents": [{"type": "speak", "content": "A taboo."}]}"#;
    for all_words in [false, true] {
        let mut game = TestGame::new(ScriptedEngine::saying([remember, describe, "Well."]));
        let wizard = game.spawn_npc(WIZARD);
        let before = game.mind(wizard).episodes.len();
        let taboo = check("taboo");
        let taboo = if all_words {
            taboo.for_all_words()
        } else {
            taboo
        };
        game.world_mut()
            .resource_mut::<CustomChecks>()
            .0
            .push(taboo);
        game.talk(wizard, "Hello");
        let verdict = game.last_run::<Verdict>();
        assert!(verdict.passed, "a memory is rejected alone");
        let rejected: Vec<&str> = verdict
            .rejected_mutations
            .iter()
            .map(|r| r.rule.as_str())
            .collect();
        assert_eq!(rejected, if all_words { vec!["taboo"] } else { vec![] });
        let new = game.mind(wizard).episodes.len() - before;
        assert_eq!(new, if all_words { 2 } else { 3 });
        game.talk(wizard, "And?");
        let failed: Vec<bool> = game
            .attempts()
            .iter()
            .map(|attempt| attempt.passed)
            .collect();
        assert_eq!(
            failed,
            if all_words {
                vec![false, true]
            } else {
                vec![true]
            }
        );
    }
}

#[test]
fn g8_a_check_in_rust_judges_its_character_and_its_trigger_only() {
    let mut game = TestGame::new(FnEngine::always("A taboo."));
    let wizard = game.spawn_npc(WIZARD);
    let guard = game.spawn_npc("(id: \"guard\")");
    game.world_mut().resource_mut::<CustomChecks>().0 = vec![
        check("of_guard").for_npc("guard"),
        check("at_gate").for_trigger("gate"),
    ];
    game.talk(wizard, "Hello");
    game.talk(guard, "Hello");
    let gate = Request {
        trigger_id: Some("gate".into()),
        ..Request::new(TriggerReason::ZoneTrigger)
    };
    game.interact(wizard, gate);
    game.run_until_idle();
    let accepted: Vec<bool> = game
        .take_outcomes()
        .iter()
        .map(|outcome| outcome.name() == "Accepted")
        .collect();
    assert_eq!(accepted, [true, false, false]);
    assert_eq!(game.last_run::<Verdict>().failures[0].rule, "at_gate");
}

#[test]
fn g8_a_soft_finding_of_a_check_only_warns() {
    let mut game = TestGame::new(FnEngine::always("A taboo."));
    let wizard = game.spawn_npc(WIZARD);
    game.world_mut()
        .resource_mut::<CustomChecks>()
        .0
        .push(CustomCheck::new(
            "soft",
            |_: &str, _: &_, _: &dyn WorldRead| {
                Ok(Some(CheckFinding {
                    severity: RuleSeverity::Soft,
                    span: None,
                    message: "hm".into(),
                }))
            },
        ));
    game.talk(wizard, "Hello");
    assert_eq!(game.take_outcomes()[0].name(), "Accepted");
    assert_eq!(game.last_run::<Verdict>().warnings[0].rule, "soft");
}

#[test]
fn p10_a_critical_failure_makes_one_call() {
    let critical = WIZARD.replace("severity: Hard", "severity: Critical");
    let engine = ScriptedEngine::saying(["The secret.", "Well."]);
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(&critical);
    game.talk(wizard, "Hello");
    assert_eq!(engine.calls(), 1);
    assert_eq!(game.take_lines(), [SpokenLine::fallback("Hm.")]);
    assert!(game.last_run::<Verdict>().is_critical());
}

#[test]
fn p10_a_retry_has_its_own_seed_its_feedback_and_an_escalated_constraint() {
    let engine =
        FnEngine::new(|call, _| whole_reply(["The secret.", "", "Well."][call as usize % 3]));
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    let attempts = game.attempts();
    assert_eq!(attempts.len(), 3);
    let mut seeds: Vec<u64> = attempts.iter().map(|a| a.seed).collect();
    let asked: Vec<u64> = engine
        .requests()
        .iter()
        .map(|request| request.seed)
        .collect();
    assert_eq!(seeds, asked);
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 3, "each attempt has its own seed");
    let mut snapshots: Vec<_> = attempts.iter().map(|a| a.snapshot).collect();
    snapshots.sort_unstable();
    snapshots.dedup();
    assert_eq!(snapshots.len(), 3);
    assert!(!attempts[0].prompt.contains("You broke a rule: "));
    assert!(attempts[1].prompt.contains("You broke a rule: "));
    assert!(attempts[2].prompt.contains("did not have the right form: "));
    assert!(
        !attempts[2].prompt.contains("You broke a rule: "),
        "feedback is that of the last attempt"
    );
    let ids = |i: usize| {
        attempts[i]
            .constraints
            .iter()
            .map(|constraint| constraint.id.as_str())
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(0), ["no_secret"]);
    assert_eq!(ids(1), ["no_secret", "retry_no_secret_0"]);
    assert_eq!(
        ids(2),
        ["no_secret", "retry_no_secret_0"],
        "escalated constraints stay"
    );
    game.talk(wizard, "Hello");
    assert_eq!(
        game.attempts()[0].constraints.len(),
        1,
        "feedback belongs to its run"
    );
    assert!(
        !game.attempts()[0]
            .prompt
            .contains("did not have the right form: ")
    );
}

const KEEPER: &str = r#"(
    id: "keeper", fallbacks: (generic: ["Hm."]),
    hidden: [(topic: "crown*", until: Flag("crowned"))],
)"#;

/// A game in which the crown is hidden again between the verdict and the commit.
fn hidden_at_the_last_moment(reply: &str) -> TestGame {
    let mut game = TestGame::new(ScriptedEngine::saying([reply]));
    let policy = RunPolicy {
        max_attempts: 1,
        ..RunPolicy::DIALOGUE
    };
    game.world_mut().insert_resource(DialoguePolicy(policy));
    game.world_mut()
        .resource_mut::<WorldFlags>()
        .0
        .insert("crowned".into(), true);
    game.app.add_systems(
        Update,
        (|mut flags: ResMut<WorldFlags>| {
            flags.0.insert("crowned".into(), false);
        })
        .after(PipelineSystems::Validation)
        .before(PipelineSystems::Mutation),
    );
    let keeper = game.spawn_npc(KEEPER);
    game.talk(keeper, "What is it made of?");
    game
}

#[test]
fn p7_knowledge_is_judged_again_by_the_live_flags_at_commit() {
    for reply in [
        "The crown is gold.",
        r#"{"dialogue": "Gold.", "mutations": [{"type": "AppendEpisodic", "content": "Ann asked for the crown."}]}"#,
        r#"{"dialogue": "Gold.", "intents": [{"type": "speak", "content": "The crown is gold."}]}"#,
    ] {
        let mut game = hidden_at_the_last_moment(reply);
        let told = game.take_event_names();
        assert!(
            !told.contains(&"Applied") && !told.contains(&"Remembered"),
            "{reply}: {told:?}"
        );
        let said = game.take_outcomes();
        assert!(
            said.iter()
                .all(|outcome| !outcome.line().unwrap().contains("crown")),
            "{said:?}"
        );
    }
}

#[test]
fn p7_a_verdict_that_fails_its_second_look_is_a_failed_attempt() {
    let mut game = hidden_at_the_last_moment("The crown is gold.");
    assert_eq!(game.take_outcomes()[0].name(), "Fallback");
    let verdict: &Verdict = game.last_run();
    assert!(!verdict.passed);
    let attempts = game.attempts();
    assert!(!attempts[0].passed);
    assert!(!attempts[0].verdict.as_ref().unwrap().failures.is_empty());
}
