//! Whatever a game takes away from a run or its character in the middle of a run, the run ends, the error names what is
//! missing, and the character answers again.

use super::WIZARD;
use crate::engine::Inference;
use crate::engine::{RunEngine, ScriptedEngine};
use crate::gate::Verdict;
use crate::limits::Limits;
use crate::memory::Mind;
use crate::npc::{LoadedCharacter, RequestError, RequestQueue, Thinking};
use crate::pipeline::{
    ActiveRun, AssembledPrompt, AttemptLog, CallInFlight, ConstraintSet, InteractionContext,
    Outcome, ParsedReply, RetrievedContext, Run, RunFault, RunOf, StateSnapshot,
};
use crate::plugin::{DramatisPlugins, PipelineSystems as S};
use crate::testing::{FnEngine, GameEvent, ManualEngine, TestGame};
use crate::world::{DisplayName, WorldId};
use bevy::ecs::component::Mutable;
use bevy::prelude::*;

/// Whether the next chance to take something away is used.
#[derive(Resource)]
struct Armed(bool);

/// What is taken away: a component of the run, of its character, or a whole entity.
type Take = fn(&mut World, run: Entity, npc: Entity) -> bool;

fn from_run<C: Component>(world: &mut World, run: Entity, _: Entity) -> bool {
    let there = world.get::<C>(run).is_some();
    world.entity_mut(run).remove::<C>();
    there
}

fn from_character<C: Component>(world: &mut World, _: Entity, npc: Entity) -> bool {
    let there = world.get::<C>(npc).is_some();
    world.entity_mut(npc).remove::<C>();
    there
}

fn the_run(world: &mut World, run: Entity, _: Entity) -> bool {
    world.despawn(run)
}

fn all_of_the_run(world: &mut World, run: Entity, _: Entity) -> bool {
    world.entity_mut(run).clear();
    true
}

/// A game in which `take` happens once to the first run that is in flight behind `gap`.
fn game(engine: impl Into<crate::plugin::EngineSource>, gap: S, take: Take) -> TestGame {
    let mut app = App::new();
    app.add_plugins(DramatisPlugins::new(engine))
        .insert_resource(Armed(true));
    let sabotage =
        move |world: &mut World, runs: &mut QueryState<(Entity, &Run), With<ActiveRun>>| {
            let found = runs
                .iter(world)
                .map(|(entity, run)| (entity, run.npc_entity()))
                .next();
            let Some((run, npc)) = found.filter(|_| world.resource::<Armed>().0) else {
                return;
            };
            if take(world, run, npc) {
                world.resource_mut::<Armed>().0 = false;
            }
        };
    let next = S::ALL
        .iter()
        .position(|set| *set == gap)
        .and_then(|i| S::ALL.get(i + 1));
    match next {
        Some(next) => app.add_systems(Update, sabotage.after(gap).before(*next)),
        None => app.add_systems(
            Update,
            sabotage.after(gap).before(crate::plugin::ResultSystems),
        ),
    };
    TestGame::from_app(app)
}

/// Plays a talk in which something is taken away, and then another one.
fn check(mut game: TestGame, what: &str, gap: S) -> bool {
    let place = format!("{what} taken away behind {gap:?}");
    let wizard = game.spawn_npc(&WIZARD);
    game.say(wizard, "Hello");
    game.try_run_until_idle(50)
        .unwrap_or_else(|busy| panic!("{place}: {busy}"));
    let happened = !game.world().resource::<Armed>().0;
    let events = game.take_events();
    let ends: Vec<&Outcome> = events
        .iter()
        .filter_map(|event| match event {
            GameEvent::RunEnded(outcome) => Some(outcome),
            _ => None,
        })
        .collect();
    assert_eq!(ends.len(), 1, "{place}: it ends once: {events:?}");
    let faults: Vec<String> = game
        .world_mut()
        .query::<&RunFault>()
        .iter(game.app.world())
        .map(ToString::to_string)
        .collect();
    if let Some(fault) = faults.first() {
        assert!(fault.contains(what), "{place}: {fault}");
        assert!(
            matches!(ends[0], Outcome::Fallback { .. }),
            "{place}: {ends:?}"
        );
    }
    // The character is free: it answers, or says why it cannot.
    game.talk(wizard, "And now?");
    let events = game.take_events();
    let answered = events.iter().any(|event| {
        matches!(
            event,
            GameEvent::RunEnded(_)
                | GameEvent::RequestRefused(RequestError::NoMind | RequestError::UnknownNpc(_))
        )
    });
    assert!(answered, "{place}: it stays mute: {events:?}");
    happened && !faults.is_empty()
}

macro_rules! takes {
    ($from:ident: $($component:ty),* $(,)?) => {
        vec![$((stringify!($component), $from::<$component> as Take)),*]
    };
}

fn everything() -> Vec<(&'static str, Take)> {
    let mut all = takes!(from_run: ActiveRun, AssembledPrompt, AttemptLog, CallInFlight, ConstraintSet, Inference,
        InteractionContext, ParsedReply, RetrievedContext, Run, RunEngine, RunOf, StateSnapshot, Verdict);
    all.extend(
        takes!(from_character: DisplayName, LoadedCharacter, Mind, RequestQueue, Thinking, WorldId),
    );
    all.push(("Run", the_run as Take));
    all.push(("Run", all_of_the_run as Take));
    all
}

#[test]
fn p11_whatever_is_taken_away_in_any_phase_the_run_ends_and_names_it() {
    let mut named = std::collections::BTreeSet::new();
    for gap in S::ALL {
        for (what, take) in everything() {
            let accepted = ScriptedEngine::saying(["Well met.", "Well met.", "Well met."]);
            let refused = FnEngine::always("The secret is out.");
            let passes = check(game(accepted, gap, take), what, gap);
            let fails = check(game(refused, gap, take), what, gap);
            if passes || fails {
                named.insert(what);
            }
        }
    }
    // What a later component needs is missed and named; the rest is done without.
    for needed in [
        "ActiveRun",
        "AssembledPrompt",
        "AttemptLog",
        "ConstraintSet",
        "Inference",
        "InteractionContext",
        "Mind",
        "RetrievedContext",
        "RunEngine",
        "StateSnapshot",
    ] {
        assert!(named.contains(needed), "nobody missed {needed}: {named:?}");
    }
}

#[test]
fn p11_a_call_that_is_taken_away_ends_its_run() {
    for (what, take) in takes!(from_run: CallInFlight, ActiveRun, StateSnapshot) {
        let engine = ManualEngine::default();
        let mut game = game(engine.clone(), S::Inference, take);
        let wizard = game.spawn_npc(&WIZARD);
        game.say(wizard, "Hello");
        game.frames(5);
        if let Some(call) = engine.calls().first() {
            call.reply("Well met.");
        }
        game.run_until_idle();
        let outcomes = game.take_outcomes();
        assert!(
            matches!(outcomes[..], [Outcome::Fallback { .. }]),
            "{what}: {outcomes:?}"
        );
    }
}

#[test]
fn p11_a_resource_that_is_taken_away_ends_the_run_and_is_named() {
    fn remove<R: Resource + Component<Mutability = Mutable>>(
        world: &mut World,
        _: Entity,
        _: Entity,
    ) -> bool {
        world.remove_resource::<R>().is_some()
    }
    let takes: [(&str, Take); 4] = [
        ("ActiveStory", remove::<crate::story::ActiveStory>),
        ("DefaultEngine", remove::<crate::engine::DefaultEngine>),
        ("PromptBudget", remove::<crate::pipeline::PromptBudget>),
        ("KnownNames", remove::<crate::npc::KnownNames>),
    ];
    for (what, take) in takes {
        let engine = ScriptedEngine::saying(["Well met."]);
        let mut game = game(engine, S::Interaction, take);
        let wizard = game.spawn_npc(&WIZARD);
        game.say(wizard, "Hello");
        game.try_run_until_idle(50).expect("an end");
        let outcomes = game.take_outcomes();
        assert!(
            matches!(outcomes[..], [Outcome::Fallback { .. }]),
            "{outcomes:?}"
        );
        let fault = game.last_run::<RunFault>().to_string();
        assert!(fault.contains(what), "{fault}");
    }
}

#[test]
fn p11_settings_that_are_taken_away_panic_no_thinking_line() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine);
    let wizard = game.spawn_npc("(id: \"wizard\", fallbacks: (thinking: [\"Hm.\"]))");
    game.say(wizard, "Hello");
    game.frame();
    let settings = game.world_mut().remove_resource::<Limits>();
    assert!(settings.is_some());
    game.advance(2_500);
    game.frame();
    let events: Vec<GameEvent> = game.take_events();
    let thinking = GameEvent::ThinkingLine("Hm.".to_owned());
    assert!(events.contains(&thinking), "the default numbers count then");
    game.cancel_run(wizard);
    game.run_until_idle();
}

#[test]
fn p11_cancelling_a_run_that_is_gone_does_no_harm() {
    let engine = ManualEngine::default();
    let mut game = TestGame::new(engine.clone());
    let wizard = game.spawn_npc(&WIZARD);
    game.say(wizard, "Hello");
    game.frame();
    let run = game.world().get::<Thinking>(wizard).expect("a run").run;
    game.world_mut().despawn(run);
    game.cancel_run(wizard);
    game.run_until_idle();
    assert_eq!(game.counters().fallbacks, 1, "it is counted like any other");
    assert!(matches!(
        game.take_outcomes()[..],
        [Outcome::Fallback { .. }]
    ));
    game.say(wizard, "Hello again");
    game.frame();
    engine.last_call().reply("Well met.");
    game.run_until_idle();
    let outcomes = game.take_outcomes();
    assert!(
        matches!(outcomes[..], [Outcome::Accepted { .. }]),
        "{outcomes:?}"
    );
}
