//! Rules and checks in Rust, severities, retries, and the second look at commit (contract rows P2, P7, P10, G5, G8).

use super::WIZARD;
use bevy::prelude::*;
use bevy_dramatis::app::DramatisAppExt;
use bevy_dramatis::base::ExtensionError;
use bevy_dramatis::engine::EngineEvent;
use bevy_dramatis::engine::ScriptedEngine;
use bevy_dramatis::format::AuthoringError;
use bevy_dramatis::gate::CheckFinding;
use bevy_dramatis::gate::{CustomCheck, FailureReason, Verdict};
use bevy_dramatis::npc::Request;
use bevy_dramatis::pipeline::DialoguePolicy;
use bevy_dramatis::pipeline::RustRule;
use bevy_dramatis::pipeline::{Outcome, RunPolicy};
use bevy_dramatis::plugin::PipelineSystems;
use bevy_dramatis::rules::{Interaction, RuleSeverity, TriggerReason};
use bevy_dramatis::testing::{FnEngine, SpokenLine, TestGame};
use bevy_dramatis::world::{WorldFlags, WorldRead};

fn rule(
    id: &str,
    pattern: &str,
    when: impl Fn(&Interaction, &dyn WorldRead) -> Result<bool, ExtensionError> + Send + Sync + 'static,
) -> Result<RustRule, Vec<AuthoringError>> {
    let spec = format!(
        r#"(id: "rule_{id}", constraints: [(id: "{id}", kind: Prohibition, severity: Hard, patterns: ["{pattern}"])])"#
    );
    RustRule::from_ron(&spec, when)
}

fn constraint_ids(game: &TestGame) -> Vec<String> {
    let attempt = &game.attempts()[0];
    attempt.constraint_ids().map(str::to_owned).collect()
}

#[test]
fn p2_a_rule_in_rust_that_errs_or_panics_is_skipped_and_the_rest_go_on() {
    let mut game = TestGame::new(ScriptedEngine::saying([
        "A taboo.",
        "An erring panic.",
        "Never.",
    ]));
    let npc = game.spawn_npc("(id: \"guard\", fallbacks: (generic: [\"Hm.\"]))");
    for rule in [
        rule("errs", "erring", |_, _| Err("no idea".into())),
        rule("panics", "panic", |_, _| panic!("on purpose")),
        rule("sleeps", "never", |_, _| Ok(false)),
        rule("works", "taboo", |interaction, world| {
            Ok(interaction.npc == "guard" && !world.flag("taboo_lifted"))
        }),
    ] {
        game.app.add_rule(rule.unwrap());
    }
    game.talk(npc, "Hello");
    assert_eq!(constraint_ids(&game), ["works"]);
    assert_eq!(
        game.take_outcomes(),
        [Outcome::Accepted {
            line: "An erring panic.".into()
        }]
    );
    assert!(rule("bad", "/(/", |_, _| Ok(true)).is_err());
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
        game.app.add_check(check(id));
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
        game.app.add_check(taboo);
        game.talk(wizard, "Hello");
        let verdict = game.last_run::<Verdict>();
        assert!(verdict.passed, "a memory is rejected alone");
        let rejected: Vec<&str> = verdict.rejected().map(|(rule, _)| rule).collect();
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
    game.app
        .add_check(check("of_guard").for_npc("guard"))
        .add_check(check("at_gate").for_trigger("gate"));
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
    game.app.add_check(CustomCheck::new(
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
    let engine = FnEngine::new(|call, _| {
        EngineEvent::whole_reply(["The secret.", "", "Well."][call as usize % 3])
    });
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
    let ids = |i: usize| attempts[i].constraint_ids().collect::<Vec<_>>();
    assert_eq!(ids(0), ["no_secret"]);
    assert_eq!(ids(1), ["no_secret", "retry_no_secret_0"]);
    assert_eq!(
        ids(2),
        ["no_secret", "retry_no_secret_0"],
        "escalated constraints stay"
    );
    game.talk(wizard, "Hello");
    assert_eq!(
        game.attempts()[0].constraint_ids().count(),
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

/// A game that hides the crown again between the verdict and the commit.
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
