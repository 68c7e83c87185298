//! Code that several of these tests share: worlds, turns, and a game with a door that is a component.

use super::{CELLAR, HOUSE};
use bevy::prelude::*;
use bevy_dramatis::app::DramatisAppExt;
use bevy_dramatis::authoring::{NoFiles, StoryBook};
use bevy_dramatis::base::GameTime;
use bevy_dramatis::base::Id;
use bevy_dramatis::testing::TestGame;
use bevy_dramatis::world::{
    ActionRegistry, ActionRules, ProposedAction, Rulebook, TurnRecord, WorldState, WorldView,
};

pub fn world() -> WorldState {
    let story = format!("(world: {CELLAR})");
    let story = StoryBook::parse(
        story.as_bytes(),
        "cellar",
        &NoFiles,
        &ActionRegistry::default(),
    );
    story.expect("the world").world
}

pub fn action(kind: &str, fields: serde_json::Value) -> ProposedAction {
    ProposedAction {
        kind: kind.to_owned(),
        fields: serde_json::from_value(fields).expect("an object"),
        ..ProposedAction::default()
    }
}

/// Plays a turn and installs its result.
pub fn turn_by(
    world: &mut WorldState,
    book: &Rulebook,
    registry: &ActionRegistry,
    (actor, actions): Typed,
) -> TurnRecord {
    let rules = ActionRules {
        book,
        registry,
        now: GameTime(5_000),
        max_introduced: 64,
        lexicon: bevy_dramatis::text::Lexicon::english(),
    };
    let record = rules.judge(world, &actor, None, actions);
    world.install(&record.changes);
    record
}

/// The actor and the action: references are ids.
pub type Typed = (Id, Vec<ProposedAction>);

pub fn typed(actor: &str, actions: Vec<ProposedAction>) -> Typed {
    (Id::new(actor).expect("an id"), actions)
}

/// "result rule" of each judged action.
pub fn answers(record: &TurnRecord) -> Vec<String> {
    let actions = record.actions.iter();
    actions
        .map(|action| {
            let rule = action.judgement.rule.as_deref().unwrap_or("-");
            format!("{} {rule}", action.judgement.result)
        })
        .collect()
}

pub fn john(world: &mut WorldState, kind: &str, fields: serde_json::Value) -> String {
    let input = typed("john", vec![action(kind, fields)]);
    let record = turn_by(
        world,
        Rulebook::shipped(),
        &ActionRegistry::default(),
        input,
    );
    match record.rejected.first() {
        Some(rejected) => format!("rejected {}", rejected.rule),
        None => answers(&record).remove(0),
    }
}

pub const OPENS: &str =
    r#"{"dialogue": "After you.", "intents": [{"type": "open", "target": "the oak door"}]}"#;

/// An ordinary component of a game.
#[derive(Component, Debug, Clone, PartialEq)]
pub struct Door {
    pub open: bool,
    pub locked: bool,
}

pub fn read<T>(game: &TestGame, ask: impl Fn(&WorldView) -> T) -> T {
    ask(&WorldView::new(game.world()))
}

pub fn with_door(mut game: TestGame) -> (TestGame, Entity) {
    game.app
        .bind_attribute::<Door>("open", |d| d.open.into(), |d, v| d.open = v.truthy())
        .bind_attribute::<Door>("locked", |d| d.locked.into(), |d, v| d.locked = v.truthy());
    game.install_story(HOUSE);
    let door = game.entity("door");
    let fresh = Door {
        open: false,
        locked: false,
    };
    game.world_mut().entity_mut(door).insert(fresh);
    (game, door)
}
