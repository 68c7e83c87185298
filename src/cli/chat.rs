//! `dramatis chat`: talk to a character in the terminal.

use super::adventure_chat;
use super::lines;
use super::output::{UNREADABLE, print_errors, print_line, print_words};
use crate::actor_turns;
use crate::adventure::Personas;
use crate::adventure::markers::current_persona;
use crate::authoring::Character;
use crate::engine::{DefaultEngine, EngineStatus, HttpEngine, SharedEngine};
use crate::events::{
    AttemptFailed, EngineStatusChanged, RequestRefused, RunEnded, Spoke, SpokeSentence,
    ThinkingLine, TurnEnded,
};
use crate::format::AuthoringError;
use crate::npc::submit::submit_request;
use crate::npc::{LoadedCharacter, PlayerId, Request, policy_of};
use crate::outbox::{collect, take_collected};
use crate::pipeline::steps::mutation::ApprovedIntents;
use crate::pipeline::{Delivery, DialoguePolicy, HeardSentences, Outcome};
use crate::plugin::EngineSource;
use crate::scenario::{Additions, Scenario, app_with};
use crate::world::TurnRecord;
use bevy::prelude::*;
use std::sync::Arc;
use std::time::Duration;

/// How long the terminal sleeps between two frames.
const FRAME: Duration = Duration::from_millis(5);
/// More frames than any deadline takes.
const MAX_FRAMES: usize = 1_000_000;

const SERVER_IS_NOT_ASKED: &str =
    "the server that the environment names is not asked, and each answer is rejected";

/// The character with this id; without one the first of the scenario, or of the recording that it begins from.
fn partner(scenario: &Scenario, npc: Option<&str>, app: &mut App) -> Option<Arc<Character>> {
    let mut cast = app.world_mut().query::<&LoadedCharacter>();
    let cast = cast.iter(app.world()).map(|loaded| &loaded.0);
    match (npc, scenario.characters.first()) {
        (Some(id), _) => cast.into_iter().find(|one| one.id == id).cloned(),
        (None, Some(first)) => Some(first.clone()),
        (None, None) => cast.min_by_key(|character| &character.id).cloned(),
    }
}

/// Reads lines from standard input until it ends, and prints what the character says and does. A line that begins with `>` is
/// what the player does. A line that cannot be read is answered with a sentence. A scenario with personas is played as an
/// adventure, unless a character is named.
pub(super) fn talk(scenario: &Scenario, npc: Option<&str>, configure: &dyn Fn(&mut App)) -> u8 {
    let script: SharedEngine = Arc::new(scenario.engine());
    // A sealed character never asks what the environment names.
    let (engine, sealed): (EngineSource, _) = match HttpEngine::from_env().engine() {
        None => (script.clone().into(), Some(script)),
        Some(Ok(engine)) => (engine.into(), None),
        Some(Err(error)) => {
            return print_errors(&[AuthoringError::whole("environment", error.to_string())])
                .max(UNREADABLE);
        }
    };
    let has_sealed = sealed.is_some();
    let additions = Additions {
        of_game: configure,
        of_caller: &|app| {
            app.add_plugins((TaskPoolPlugin::default(), bevy::time::TimePlugin));
        },
    };
    let app = app_with(scenario, engine, sealed, &additions);
    let mut app = match app {
        Ok(app) => app,
        Err(why) => {
            let (file, source) = (&scenario.file, &scenario.source);
            return print_errors(&[AuthoringError::at(
                file,
                source,
                &why.place(),
                why.to_string(),
            )]);
        }
    };
    app.add_observer(|change: On<EngineStatusChanged>| {
        print_line(&format!("  ({})", change.status))
    });
    wait_until_ready(&mut app);
    let has_personas = app
        .world()
        .get_resource::<Personas>()
        .is_some_and(|personas| !personas.0.is_empty());
    if has_personas && npc.is_none() {
        let persona = current_persona(app.world_mut());
        return adventure_chat::play(app, &persona);
    }
    collect::<TurnEnded>(&mut app);
    collect::<RunEnded>(&mut app);
    collect::<RequestRefused>(&mut app);
    let Some(character) = partner(scenario, npc, &mut app) else {
        let message = npc.map_or_else(
            || "there is no NPC".to_owned(),
            |id| format!("there is no NPC \"{id}\""),
        );
        return print_errors(&[AuthoringError::whole(&scenario.file, message)]);
    };
    let name = character.name.clone();
    let policy = &mut app.world_mut().resource_mut::<DialoguePolicy>().0;
    *policy = policy.delivered(Delivery::Sentences);
    let mut loaded = app.world_mut().query::<(Entity, &LoadedCharacter)>();
    let loaded = loaded.iter(app.world());
    let mut theirs = loaded.filter(|(_, loaded)| loaded.0.id == character.id);
    let is_sealed = theirs.any(|(entity, _)| policy_of(app.world(), entity).sealed);
    if is_sealed && !has_sealed {
        print_line(&format!(
            "  ({name} is sealed, and no engine is bound for sealed runs: {SERVER_IS_NOT_ASKED})"
        ));
    }
    app.init_resource::<OpenLine>();
    app.add_observer(
        move |spoke: On<SpokeSentence>, mut line: ResMut<OpenLine>| {
            let authored = if spoke.fallback { "  (authored)" } else { "" };
            match line.0 {
                true => print_words(&format!(" {}{authored}", spoke.sentence)),
                false => print_words(&format!("{name}: {}{authored}", spoke.sentence)),
            }
            line.0 = true;
        },
    );
    let name = character.name.clone();
    // A sealed character's line comes as a whole.
    app.add_observer(move |spoke: On<Spoke>, heard: Query<&HeardSentences>| {
        if spoke.run.is_none_or(|run| !heard.contains(run)) {
            let authored = if spoke.fallback { "  (authored)" } else { "" };
            print_line(&format!("{name}: {}{authored}", spoke.line));
        }
    });
    let name = character.name.clone();
    app.add_observer(move |sound: On<ThinkingLine>| print_line(&format!("{name}: {}", sound.line)));
    app.add_observer(
        |ended: On<RunEnded>, actions: Query<&ApprovedIntents>, line: ResMut<OpenLine>| {
            end_line(line);
            if ended.outcome == Outcome::Rejected {
                print_line("  (rejected)");
            }
            for intent in actions.get(ended.run).iter().flat_map(|actions| &actions.0) {
                let what: Vec<&str> = intent.references().collect();
                print_line(&format!("  [{} {}]", intent.kind(), what.join(" ")));
            }
        },
    );
    app.add_observer(|failed: On<AttemptFailed>, line: ResMut<OpenLine>| {
        end_line(line);
        for failure in &failed.failures {
            print_line(&format!(
                "  (attempt {}: {:?} {})",
                failed.attempt, failure.reason, failure.message
            ));
        }
        if let Some(message) = &failed.message {
            print_line(&format!("  (attempt {}: {message})", failed.attempt));
        }
    });
    app.add_observer(|refused: On<RequestRefused>| print_line(&format!("  ({})", refused.error)));

    let id = character.id.clone();
    let player = app.world().resource::<PlayerId>().0.clone();
    lines::obey_each(|line| {
        match line.trim_start().strip_prefix('>') {
            Some(words) => actor_turns::act(app.world_mut(), &player, words),
            None => {
                let request = Request::speech(&player, &player, line);
                submit_request(app.world_mut(), &id, request);
            }
        }
        wait_for_the_end(&mut app);
    })
}

/// A server that the chat has started loads its model first.
fn wait_until_ready(app: &mut App) {
    let is_starting = |app: &App| {
        let engine = app.world().get_resource::<DefaultEngine>();
        let status = engine.map(|engine| engine.engine.status());
        matches!(status, Some(EngineStatus::Starting(_)))
    };
    while is_starting(app) {
        app.update();
        std::thread::sleep(FRAME);
    }
    app.update();
}

/// Whether a line has been begun that may go on.
#[derive(Resource, Default)]
struct OpenLine(bool);

fn end_line(mut line: ResMut<OpenLine>) {
    if std::mem::take(&mut line.0) {
        print_line("");
    }
}

/// The results of the player's own actions, a line for each.
fn print_turn(record: &TurnRecord) {
    for action in &record.actions {
        let what: Vec<&str> = action.intent.references().collect();
        let (kind, judged) = (action.intent.kind(), &action.judgement);
        print_line(&format!(
            "  [{kind} {}: {}] {}",
            what.join(" "),
            judged.result,
            judged.message
        ));
    }
    let asked = record.clarification.as_ref();
    for rejected in &record.rejected {
        print_line(&format!("  ({})", rejected.message));
    }
    for option in asked.into_iter().flat_map(|question| &question.options) {
        print_line(&format!("  ({}: {})", option.id, option.name));
    }
}

/// Runs frames until the run or the turn has ended, or was refused.
fn wait_for_the_end(app: &mut App) {
    let ended = |world: &mut World| {
        let turns = take_collected::<TurnEnded>(world);
        let runs = take_collected::<RunEnded>(world).len();
        (turns, runs + take_collected::<RequestRefused>(world).len())
    };
    // What came before is no answer.
    ended(app.world_mut());
    for _ in 0..MAX_FRAMES {
        app.update();
        let (turns, others) = ended(app.world_mut());
        for turn in &turns {
            print_turn(&turn.record);
        }
        if !turns.is_empty() || others > 0 {
            return;
        }
        std::thread::sleep(FRAME);
    }
}
