//! The whole pipeline against the real server: a player speaks, a model answers, the gate judges.

use super::{fast_url, slow_server, until_busy};
use crate::by_id::tell;
use bevy::prelude::*;
use bevy_dramatis::authoring::{Character, NoFiles, StoryBook};
use bevy_dramatis::engine::Inference;
use bevy_dramatis::engine::{HttpConfig, HttpEngine};
use bevy_dramatis::gate::FailureReason;
use bevy_dramatis::npc::Request;
use bevy_dramatis::pipeline::CallInFlight;
use bevy_dramatis::pipeline::{AttemptError, Delivery, Form, RunPolicy};
use bevy_dramatis::pipeline::{AttemptLog, AttemptRecord, DialoguePolicy};
use bevy_dramatis::prelude::*;
use bevy_dramatis::proposal::Finish;
use bevy_dramatis::story::ActiveStory;
use bevy_dramatis::world::{ActionRegistry, WorldIndex};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

/// A character of the usual size: its persona is about as long as those that other systems ship.
const NPC: &str = r#"(id: "wizard", name: "Eldrin", may: [],
    persona: "You are Eldrin, keeper of the tower above the yard. You are courteous, curious and a little vain, and you speak in short, plain sentences. You have kept this tower for forty years. You came here as the apprentice of old Morwen, who taught you the names of the stars and died in the winter of the long snow; you still keep her chair by the window and let nobody sit in it. You let nobody in who cannot tell you his name and his errand, because the last stranger whom you let in took a book that you have never found again. You own a brass key, a chest of letters that you have not read, and a telescope with a cracked lens. You like to be asked about the stars, about bread, and about the weather in the valley. You do not like to be asked about the king, whom you once served and left without a word. You never raise your voice. When you do not know a thing, you say so, and when you know it, you say where you learned it. You call young people by their trade and old people by their name.",
    examples: [(player: "Who are you?", npc: "Eldrin. And you, traveller?"), (player: "What a fine evening.", npc: "Rain by midnight. Look at the swallows."), (player: "Open the door.", npc: "Your name first, then your errand.")],
    constraints: [(id: "brief", kind: Requirement, severity: Soft, description: "answer in at most three sentences")],
    fallbacks: (generic: ["Hm."]))"#;

/// A game that talks to the server at `url`.
struct Game {
    app: App,
}

impl Game {
    fn new(url: &str, deadline: Duration) -> Self {
        Self::of(HttpConfig::new(url, "tiny-npc"), deadline)
    }

    fn of(config: HttpConfig, deadline: Duration) -> Self {
        let engine = HttpEngine::new(config.with_cache_prompt()).unwrap();
        let mut app = App::new();
        app.add_plugins((MinimalPlugins, DramatisPlugins::new(engine)))
            .insert_resource(DialoguePolicy(RunPolicy {
                deadline,
                ..RunPolicy::DIALOGUE.asked(Form::Together)
            }));
        let character = Character::parse(NPC.as_bytes(), "wizard.npc.ron", &NoFiles).unwrap();
        app.world_mut().spawn(LoadedCharacter(Arc::new(character)));
        app.finish();
        app.cleanup();
        Self { app }
    }

    fn say(&mut self, text: &str) {
        tell(self.app.world_mut(), "wizard", |npc| {
            npc.interact(Request::speech("player", "player", text));
        });
        self.app.update();
    }

    /// Runs frames until `done` holds; a test that hangs ends here.
    fn until(&mut self, what: &str, mut done: impl FnMut(&mut World) -> bool) {
        for _ in 0..30_000 {
            if done(self.app.world_mut()) {
                return;
            }
            self.app.update();
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("never happened: {what}");
    }

    /// Waits for the end of the run in flight.
    fn hear(&mut self) -> (Outcome, Vec<AttemptRecord>, Entity) {
        self.until("the end of the run", |world| {
            world
                .query_filtered::<(), With<Thinking>>()
                .iter(world)
                .next()
                .is_none()
        });
        let history = self
            .app
            .world()
            .resource::<bevy_dramatis::pipeline::RunHistory>();
        let run = history.iter().next_back().unwrap();
        let world = self.app.world();
        let outcome = world.get::<Outcome>(run).unwrap().clone();
        (
            outcome,
            world.get::<AttemptLog>(run).unwrap().0.to_vec(),
            run,
        )
    }
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn p6_a_real_model_speaks_through_the_pipeline() {
    let mut game = Game::new(&fast_url(), Duration::from_secs(60));
    let (mut accepted, mut chunks) = (0, 0);
    for i in 0..6 {
        game.say(&format!("Good day to you, number {i}."));
        let (outcome, attempts, run) = game.hear();
        accepted += usize::from(matches!(outcome, Outcome::Accepted { .. }));
        assert!(
            outcome.line().is_some_and(|line| !line.is_empty())
                || attempts.iter().any(|a| a.passed)
        );
        chunks += game
            .app
            .world()
            .get::<Inference>(run)
            .map_or(0, |inference| inference.chunk_ends.len());
        for attempt in &attempts {
            assert_eq!(attempt.error, None, "{:?}", attempt.error_message);
        }
    }
    assert!(
        accepted > 0,
        "the model is noise, but the schema holds: some reply passes"
    );
    assert!(chunks > 6, "replies arrive in pieces");
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn p6_replies_that_are_whole_parse_because_the_schema_holds() {
    let mut game = Game::new(&fast_url(), Duration::from_secs(60));
    let mut whole = 0;
    for i in 0..6 {
        game.say(&format!("What do you see in star {i}?"));
        let (_, attempts, _) = game.hear();
        for verdict in attempts.iter().filter_map(|a| a.verdict.as_ref()) {
            let broken = verdict
                .failures
                .iter()
                .find(|f| f.reason == FailureReason::InvalidFormat);
            // A reply that the token limit cut, and silence, are the model's fault; anything else would be the schema's fault.
            match broken.map(|f| f.rule.as_str()) {
                None => whole += 1,
                Some("truncated" | "no_speech") => {}
                Some(other) => panic!("{other}: {broken:?}"),
            }
        }
    }
    assert!(whole > 0);
}

/// A hall with things in it, and a character that may use them.
const HALL: &str = r#"(world: (
    locations: {"hall": (name: "Hall", connected_to: ["yard"]), "yard": (name: "Yard", connected_to: ["hall"])},
    entities: {
        "key_1": (name: "brass key", kind: "item", at: In("hall"), attributes: {"takeable": true}),
        "box": (name: "box", kind: "item", at: In("hall"), attributes: {"openable": true}),
        "coin": (name: "coin", kind: "item", at: In("yard"), attributes: {"takeable": true}),
    },
))"#;
const KEEPER: &str = r#"(id: "wizard", name: "Eldrin", location: "hall", may: ["open", "take", "move"],
    fallbacks: (generic: ["Hm."]))"#;

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn w6_a_real_model_under_the_schema_aims_only_at_what_it_can_reach() {
    let mut game = Game::new(&fast_url(), Duration::from_secs(60));
    let registry = ActionRegistry::default();
    let story = StoryBook::parse(HALL.as_bytes(), "hall.story.ron", &NoFiles, &registry).unwrap();
    let story = Arc::new(story);
    let world = game.app.world_mut();
    world.commands().install_story(story);
    world.flush();
    let keeper = Character::parse(KEEPER.as_bytes(), "wizard.npc.ron", &NoFiles).unwrap();
    let old = world.resource::<WorldIndex>().get("wizard").unwrap();
    world.despawn(old);
    world.spawn(LoadedCharacter(Arc::new(keeper)));
    let mut aimed = 0;
    for i in 0..6 {
        game.say(&format!("Do something, and quickly! ({i})"));
        let (_, attempts, _) = game.hear();
        for attempt in attempts.iter().filter(|a| a.finish == Finish::Stop) {
            let verdict = attempt.verdict.as_ref().unwrap();
            aimed += verdict.actions.len();
            // A model with random weights may take one thing twice, or leave first: then the second action fails. But the thing that it
            // names exists, and the character may act on it.
            for (rule, why) in verdict.rejected() {
                let of_the_normaliser = [
                    "unknown_action",
                    "bad_fields",
                    "unresolved",
                    "ambiguous",
                    "foreign_actor",
                    "not_allowed",
                ];
                assert!(!of_the_normaliser.contains(&rule), "{rule}: {why}");
            }
            if let Some(first) = verdict.actions.first() {
                assert!(first.judgement.is_ok(), "{first:?}");
            }
        }
    }
    assert!(aimed > 0, "the model did nothing at all");
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn r3_a_slow_server_ends_in_a_spoken_fallback_and_stops_working() {
    let (url, _alone) = slow_server();
    let mut game = Game::new(&url, Duration::from_millis(150));
    game.say("Tell me everything about the tower.");
    let (outcome, attempts, _) = game.hear();
    assert!(matches!(outcome, Outcome::Fallback { .. }), "{outcome:?}");
    assert_eq!(attempts.last().unwrap().error, Some(AttemptError::Deadline));
    until_busy(&url, 0);
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn p11_despawning_the_character_stops_the_servers_work() {
    let (url, _alone) = slow_server();
    let mut game = Game::new(&url, Duration::from_secs(60));
    game.say("Tell me everything about the tower.");
    game.until("the first words", |world| {
        let mut flights = world.query::<&CallInFlight>();
        flights
            .iter(world)
            .any(|flight| !flight.arrived().is_empty())
    });
    let wizard = game
        .app
        .world_mut()
        .query_filtered::<Entity, With<LoadedCharacter>>()
        .single(game.app.world())
        .unwrap();
    game.app.world_mut().despawn(wizard);
    game.until("the end", |world| {
        world.query::<&CallInFlight>().iter(world).next().is_none()
    });
    until_busy(&url, 0);
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn r3_a_wrong_address_ends_in_a_spoken_fallback() {
    let mut game = Game::new(&format!("{}/nowhere", fast_url()), Duration::from_secs(30));
    game.say("Is anybody there?");
    let (outcome, attempts, _) = game.hear();
    assert!(matches!(outcome, Outcome::Fallback { .. }), "{outcome:?}");
    assert!(
        attempts
            .iter()
            .all(|a| a.error == Some(AttemptError::Transport))
    );
    assert_eq!(attempts.len(), 3);
}

/// A separate server, which the test can kill.
struct OwnServer {
    child: Child,
    address_file: PathBuf,
}

impl OwnServer {
    fn start() -> (Self, String) {
        let pids = std::env::var("DRAMATIS_TEST_PIDS").unwrap_or_else(|_| {
            panic!("DRAMATIS_TEST_PIDS is not set: run eval \"$(.ci/serve_models.sh)\" first")
        });
        let folder = Path::new(&pids).parent().unwrap().to_path_buf();
        let address_file = folder.join(format!("own-{}.address", std::process::id()));
        let script =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/support/llama/serve_llama.py");
        let child = Command::new(folder.join("venv/bin/python"))
            .arg(script)
            .arg(folder.join("slow.gguf"))
            .arg("--address-file")
            .arg(&address_file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let server = Self {
            child,
            address_file,
        };
        for _ in 0..600 {
            if let Ok(submit_request) = std::fs::read_to_string(&server.address_file)
                && !submit_request.trim().is_empty()
                && std::net::TcpStream::connect(submit_request.trim().trim_start_matches("http://"))
                    .is_ok()
            {
                return (server, submit_request.trim().to_owned());
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("the server did not start");
    }
}

impl Drop for OwnServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_file(&self.address_file);
    }
}

#[test]
#[ignore = "needs DRAMATIS_TEST_URL"]
fn r3_a_server_killed_in_mid_stream_ends_in_a_spoken_fallback() {
    let (server, url) = OwnServer::start();
    let mut game = Game::new(&url, Duration::from_secs(60));
    game.say("Tell me everything about the tower.");
    game.until("the first words", |world| {
        let mut flights = world.query::<&CallInFlight>();
        flights
            .iter(world)
            .any(|flight| !flight.arrived().is_empty())
    });
    drop(server);
    let (outcome, attempts, _) = game.hear();
    assert!(matches!(outcome, Outcome::Fallback { .. }), "{outcome:?}");
    assert_eq!(attempts[0].error, Some(AttemptError::Transport));
    assert_eq!(outcome.line(), Some("Hm."));
}

/// When sentences were heard, and when their run began.
#[derive(Resource, Default)]
struct SentenceTimes {
    begun: Option<std::time::Instant>,
    first: Option<Duration>,
    sentences: usize,
    heard: String,
}

/// A model whose schema makes it say several sentences: noise alone has none.
fn several_sentences(url: &str) -> HttpConfig {
    let sentences = "^([A-Z][a-z ]{8,30}[a-z][.!?] ){3,6}[A-Z][a-z ]{8,30}[a-z][.]$";
    let none = serde_json::json!({"type": "array", "maxItems": 0, "items": {"type": "string", "maxLength": 1}});
    let schema = serde_json::json!({
        "type": "object",
        "properties": {"intents": none, "mutations": none, "dialogue": {"type": "string", "pattern": sentences}},
        "required": ["intents", "mutations", "dialogue"],
        "additionalProperties": false,
    });
    let format = serde_json::json!({
        "type": "json_schema",
        "json_schema": {"name": "reply", "strict": true, "schema": schema},
    });
    HttpConfig::new(url, "tiny-npc").with_field("response_format", format)
}

/// How many tokens the server writes for six replies whose first sentence breaks a rule: the test asks for one reply at a time.
fn written_in_vain(url: &str, delivery: Delivery) -> usize {
    let mut game = Game::of(several_sentences(url), Duration::from_secs(60));
    let story = r#"(rules: [(id: "silence", constraints: [
        (id: "silence", kind: Prohibition, severity: Hard, description: "say nothing", patterns: ["/[a-z]{3}/"])])])"#;
    let story = StoryBook::parse(
        story.as_bytes(),
        "story",
        &NoFiles,
        &ActionRegistry::default(),
    );
    let policy = RunPolicy {
        max_attempts: 1,
        deadline: Duration::from_secs(60),
        ..RunPolicy::DIALOGUE.asked(Form::Together)
    };
    game.app
        .insert_resource(ActiveStory(Arc::new(story.unwrap())))
        .insert_resource(DialoguePolicy(policy.delivered(delivery)));
    let mut tokens = 0;
    for i in 0..6 {
        game.say(&format!("Tell me a long story, number {i}."));
        let (outcome, attempts, _) = game.hear();
        assert_eq!(outcome.line(), Some("Hm."));
        assert!(!attempts[0].passed);
        tokens += attempts[0].arrived.chunk_ends.len();
    }
    tokens
}

#[allow(clippy::print_stdout, reason = "the share is worth seeing")]
#[test]
#[ignore = "needs DRAMATIS_TEST_SLOW_URL"]
fn p12_a_reply_that_breaks_a_rule_is_not_written_to_its_end() {
    let (url, _alone) = slow_server();
    let whole = written_in_vain(&url, Delivery::Whole);
    let sentences = written_in_vain(&url, Delivery::Sentences);
    println!(
        "{sentences} tokens instead of {whole} were written of replies that break a rule at once"
    );
    assert!(sentences > 0 && sentences * 4 < whole * 3);
}

/// `Delivery::Sentences` with a real server: the heard sentences are those of the whole reply, the first sentence comes before the reply
/// is over, and the whole reply, judged at once, gets the same verdict.
#[allow(clippy::print_stdout, reason = "the rates are worth seeing")]
#[test]
#[ignore = "needs DRAMATIS_TEST_SLOW_URL"]
fn p12_a_real_model_is_heard_sentence_by_sentence() {
    let (url, _alone) = slow_server();
    let mut game = Game::of(several_sentences(&url), Duration::from_secs(60));
    game.app
        .insert_resource(DialoguePolicy(
            RunPolicy {
                deadline: Duration::from_secs(60),
                ..RunPolicy::DIALOGUE.asked(Form::Together)
            }
            .delivered(Delivery::Sentences),
        ))
        .init_resource::<SentenceTimes>()
        .add_observer(
            |said: On<SpokeSentence>, mut times: ResMut<SentenceTimes>| {
                if !times.heard.is_empty() {
                    times.heard.push(' ');
                }
                times.heard.push_str(&said.sentence);
                if !said.fallback {
                    times.sentences += 1;
                    let since = times.begun.map(|begun| begun.elapsed());
                    times.first = times.first.or(since);
                }
            },
        );
    let (mut first, mut whole, mut several, mut same, mut judged) =
        (Duration::ZERO, Duration::ZERO, 0_u32, 0, 0);
    for i in 0..12 {
        let begun = std::time::Instant::now();
        game.app.insert_resource(SentenceTimes {
            begun: Some(begun),
            ..SentenceTimes::default()
        });
        game.say(&format!("Tell me a long story, number {i}."));
        let (outcome, attempts, _) = game.hear();
        let took = begun.elapsed();
        let times = game.app.world().resource::<SentenceTimes>();
        if let (Some(at), true) = (times.first, times.sentences > 1) {
            (first, whole, several) = (first + at, whole + took, several + 1);
        }
        assert_eq!(Some(times.heard.as_str()), outcome.line());
        // The same bytes in a game that judges whole lines.
        for attempt in attempts.iter().filter(|attempt| attempt.index == 0) {
            let Some(reply) = &attempt.reply else {
                continue;
            };
            judged += 1;
            let mut other = bevy_dramatis::testing::TestGame::new(
                bevy_dramatis::testing::FnEngine::always(reply.clone()),
            );
            let npc = other.spawn_npc(NPC);
            other.talk(npc, &format!("Tell me a long story, number {i}."));
            let verdict = other.attempts()[0].clone();
            same += usize::from(verdict.passed == attempt.passed);
            if let (true, Some(line)) = (attempt.passed, outcome.line()) {
                let other = other.take_lines();
                assert_eq!(other[0].text(), line);
            }
        }
    }
    println!(
        "{several} of 12 replies had several sentences: the first was heard after {:.0}% of the time; {same} of {judged} verdicts are the same",
        100.0 * first.as_secs_f64() / whole.as_secs_f64().max(1e-9)
    );
    assert_eq!(same, judged);
    assert!(judged > 0);
    // If there were several sentences, the first came before the last.
    assert!(several > 0 && first < whole);
}
