//! Talking to a character: how many frames it takes, and the order of events (contract row P11).

use super::{HALL, WIZARD};
use bevy::prelude::*;
use bevy_dramatis::engine::{Role, ScriptedEngine};
use bevy_dramatis::events::{Applied, Outbox, Remembered, RunEnded, RunStarted, Spoke};
use bevy_dramatis::memory::Mind;
use bevy_dramatis::npc::{LoadedCharacter, NpcCommandsExt, Request, Thinking};
use bevy_dramatis::pipeline::{Delivery, DialoguePolicy, Outcome, Overhearing, RunPolicy};
use bevy_dramatis::rules::TriggerReason;
use bevy_dramatis::testing::{FnEngine, GameEvent, ManualEngine, SpokenLine, TestGame};
use bevy_dramatis::world::actions::{Open, Speak};

pub fn accepted(line: &str) -> Outcome {
    Outcome::Accepted { line: line.into() }
}

/// How many frames pass until a character speaks.
fn frames_until_spoken(game: &mut TestGame) -> usize {
    (1..=20)
        .find(|_| {
            game.frame();
            !game.take_lines().is_empty()
        })
        .expect("a character speaks")
}

#[test]
fn p11_an_accepted_first_attempt_takes_at_most_two_frames() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Good evening."]));
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    assert!(frames_until_spoken(&mut game) <= 2);
}

#[test]
fn p11_each_retry_takes_at_most_one_frame_more() {
    let mut game = TestGame::new(ScriptedEngine::saying([
        "A secret!",
        "The secret.",
        "Well.",
    ]));
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    assert!(frames_until_spoken(&mut game) <= 4);
    assert_eq!(game.attempts().len(), 3);
    assert_eq!(game.take_outcomes(), [accepted("Well.")]);
}

#[test]
fn p11_a_character_can_be_spoken_to_in_the_frame_in_which_it_is_spawned() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Good evening."]));
    let player = game.player;
    let mut commands = game.world_mut().commands();
    let wizard = LoadedCharacter::from_ron(WIZARD).unwrap();
    commands.spawn(wizard).hear(player, "Hello");
    game.world_mut().flush();
    game.run_until_idle();
    assert_eq!(game.take_lines(), [SpokenLine::reply("Good evening.")]);
}

pub const ACTIONS: &str = r#"{"dialogue": "Come in.",
    "mutations": [{"type": "AppendEpisodic", "content": "Ann came by."},
                  {"type": "TransformBelief", "target": "ann", "content": "Ann is kind."}],
    "intents": [{"type": "open", "target": "door"}, {"type": "speak", "content": "Mind the step."}]}"#;

#[derive(Resource, Default)]
struct Observed(Vec<String>);

/// What an observer finds: the NPC has answered once, remembers it, and its run is over.
fn look(
    npc: Entity,
    run: Entity,
    what: &str,
    minds: &Query<(&Mind, Has<Thinking>)>,
    runs: &Query<&Outcome>,
    seen: &mut Observed,
) {
    let (mind, thinking) = minds.get(npc).unwrap();
    let committed = mind.interactions == 1
        && mind.exchanges().len() == 1
        && mind.beliefs.get("ann").is_some()
        && mind.episodes.len() == 3
        && !thinking
        && runs
            .get(run)
            .is_ok_and(|outcome| outcome.line() == Some("Come in."));
    seen.0.push(format!("{what} {committed}"));
}

#[test]
fn p11_events_leave_in_order_and_observers_see_committed_state() {
    let mut game = TestGame::new(ScriptedEngine::saying([ACTIONS]));
    game.install_story(HALL);
    let wizard = game.spawn_npc(WIZARD);
    game.app.init_resource::<Observed>();
    macro_rules! watch {
        ($($event:ident)*) => {$(
            game.app.add_observer(|e: On<$event>, minds: Query<(&Mind, Has<Thinking>)>, runs: Query<&Outcome>, mut seen: ResMut<Observed>| {
                look(Option::from(e.entity).unwrap(), Option::from(e.run).unwrap(), stringify!($event), &minds, &runs, &mut seen);
            });
        )*};
    }
    watch!(RunStarted Spoke Remembered RunEnded);
    macro_rules! watch_actions {
        ($($action:ident)*) => {$(
            game.app.add_observer(|e: On<Applied<$action>>, minds: Query<(&Mind, Has<Thinking>)>, runs: Query<&Outcome>, mut seen: ResMut<Observed>| {
                look(e.entity.unwrap(), e.run.unwrap(), "Applied", &minds, &runs, &mut seen);
            });
        )*};
    }
    watch_actions!(Open Speak);
    game.talk(wizard, "Hello");
    let expected = [
        "RunStarted",
        "Spoke",
        "Applied",
        "Applied",
        "Remembered",
        "Remembered",
        "RunEnded",
    ];
    let told = game.take_events();
    assert_eq!(
        told.iter().map(GameEvent::name).collect::<Vec<_>>(),
        expected
    );
    let GameEvent::Applied { action, fields } = &told[2] else {
        panic!("{told:?}")
    };
    assert_eq!(*action, "open");
    assert_eq!(fields["target"], "door");
    let seen = &game.world().resource::<Observed>().0;
    assert_eq!(*seen, expected.map(|what| format!("{what} true")));
}

#[test]
fn p11_a_run_whose_character_is_gone_still_ends() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    game.say(wizard, "Hello");
    game.frame();
    game.world_mut().despawn(wizard);
    game.run_until_idle();
    let ended = game.take_sent::<RunEnded>();
    assert_eq!(ended.len(), 1);
    assert_eq!((ended[0].entity, ended[0].npc.as_str()), (None, "wizard"));
}

#[test]
fn p11_what_is_about_a_gone_character_names_no_entity() {
    let mut game = TestGame::new(ScriptedEngine::saying([ACTIONS]));
    game.install_story(HALL);
    let wizard = game.spawn_npc(WIZARD);
    game.app
        .add_observer(|spoke: On<Spoke>, mut commands: Commands| {
            commands.entity(spoke.entity).despawn();
        });
    game.talk(wizard, "Hello");
    let applied = game.take_sent::<Applied<Open>>();
    assert_eq!((applied.len(), applied[0].entity), (1, None));
    assert!(
        game.take_sent::<Remembered>().is_empty(),
        "an entity event needs its entity"
    );
    assert_eq!(game.take_sent::<RunEnded>()[0].entity, None);
}

#[test]
fn p11_what_an_observer_starts_belongs_to_the_next_run() {
    let mut game = TestGame::new(ScriptedEngine::saying(["One.", "Two.", "Three."]));
    let wizard = game.spawn_npc(WIZARD);
    let player = game.player;
    game.app.add_observer(
        move |ended: On<RunEnded>, minds: Query<&Mind>, mut commands: Commands| {
            let npc = ended.entity.expect("it lives");
            if minds.get(npc).is_ok_and(|mind| mind.interactions < 3) {
                commands.entity(npc).hear(player, "And then?");
            }
        },
    );
    game.say(wizard, "Hello");
    for line in ["One.", "Two.", "Three."] {
        game.frame();
        assert_eq!(
            game.take_lines(),
            [SpokenLine::reply(line)],
            "one run a frame"
        );
    }
    game.run_until_idle();
    assert_eq!(game.runs().len(), 3);
    assert_eq!(game.mind(wizard).exchanges().nth(2).unwrap().1, "And then?");
}

/// What a plugin of the game tells about a character that has spoken.
#[derive(EntityEvent, Debug, Clone, PartialEq)]
struct Applause {
    entity: Entity,
    line: String,
}

/// What the plugin tells without a target.
#[derive(Event, Debug, Clone, PartialEq)]
struct CurtainFell;

#[derive(Resource, Default)]
struct Seen(Vec<&'static str>);

fn theatre(app: &mut App) {
    app.init_resource::<Seen>()
        .add_observer(|spoke: On<Spoke>, mut outbox: ResMut<Outbox>| {
            let line = spoke.line.clone();
            outbox.tell(Applause {
                entity: spoke.entity,
                line,
            });
            outbox.tell_all(CurtainFell);
        })
        .add_observer(|_: On<Applause>, mut seen: ResMut<Seen>| seen.0.push("applause"))
        .add_observer(|_: On<CurtainFell>, mut seen: ResMut<Seen>| seen.0.push("curtain"))
        .add_observer(|_: On<RunEnded>, mut seen: ResMut<Seen>| seen.0.push("run ended"));
}

#[test]
fn a_plugin_of_the_game_sends_its_own_events_with_the_results() {
    let mut game = TestGame::new(ScriptedEngine::saying(["Good evening."]));
    theatre(&mut game.app);
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    let applause = Applause {
        entity: wizard,
        line: "Good evening.".to_owned(),
    };
    game.frames(2);
    assert_eq!(game.take_sent::<Applause>(), [applause]);
    assert_eq!(game.take_sent::<CurtainFell>(), [CurtainFell]);
    assert_eq!(
        game.take_sent::<RunEnded>().len(),
        1,
        "the plugin's own, too"
    );
    let seen = &game.world().resource::<Seen>().0;
    assert_eq!(seen[..], ["run ended", "applause", "curtain"]);
}

#[test]
fn m3_words_are_overheard_after_a_line_that_was_cut_short_too() {
    const GUARD: &str =
        r#"(id: "guard", name: "Ada", persona: "You keep the gate.", location: "hall")"#;
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    game.install_story(HALL);
    game.world_mut().insert_resource(Overhearing(true));
    let policy = RunPolicy::DIALOGUE.delivered(Delivery::Sentences);
    game.world_mut().insert_resource(DialoguePolicy(policy));
    let wizard = game.spawn_npc(WIZARD);
    let guard = game.spawn_npc(GUARD);
    game.say(wizard, "Hello");
    game.frame();
    let beginning = r#"{"intents": [], "mutations": [], "dialogue": "It is late. Come "#;
    engine.last_call().chunk(beginning);
    game.frames(3);
    game.cancel_run(wizard);
    game.run_until_idle();
    game.say(wizard, "What?");
    game.frame();
    engine.last_call().reply("Go home.");
    game.run_until_idle();
    let overheard = game.mind(guard).episodes.iter();
    let overheard: Vec<&str> = overheard.map(|episode| episode.text.as_str()).collect();
    for words in ["It is late.", "What?", "Go home."] {
        assert!(
            overheard.iter().any(|text| text.contains(words)),
            "{words}: {overheard:?}"
        );
    }
}

#[test]
fn p5_an_answer_to_no_words_follows_a_message_of_the_player() {
    let engine = FnEngine::always("Who is there?");
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(WIZARD);
    for _ in 0..3 {
        let request = Request {
            speaker: Some("player".to_owned()),
            ..Request::new(TriggerReason::ZoneTrigger)
        };
        game.interact(wizard, request);
        game.run_until_idle();
    }
    let asked = engine.requests();
    let roles = asked[2].messages.iter().map(|message| message.role);
    let roles: Vec<Role> = roles.filter(|role| *role != Role::System).collect();
    let alternate = roles.windows(2).all(|pair| pair[0] != pair[1]);
    assert!(alternate && roles.first() == Some(&Role::User), "{roles:?}");
}
