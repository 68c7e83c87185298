//! A world and turns in it, without an app.

use crate::authoring::{NoFiles, StoryBook};
use crate::base::GameTime;
use crate::judged_world::change::apply::TurnKey;
use crate::judged_world::rulebook::turn::{TurnInput, take_turn};
use crate::world::{ActionRegistry, ActionRules, ProposedAction, Rulebook, TurnRecord, WorldState};

/// A hall and a cellar, four people and their things.
pub(super) fn world() -> WorldState {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/cellar.world.ron"
    );
    let world = std::fs::read_to_string(file).expect("the fixture is there");
    let story = format!("(world: {world})");
    let registry = ActionRegistry::default();
    let story = StoryBook::parse(story.as_bytes(), "cellar", &NoFiles, &registry);
    story.expect("the world").world
}

pub(super) fn action(kind: &str, fields: serde_json::Value) -> ProposedAction {
    ProposedAction {
        kind: kind.to_owned(),
        fields: serde_json::from_value(fields).expect("an object"),
        ..ProposedAction::default()
    }
}

/// What judges actions here: this rulebook, in English.
pub(super) fn rules<'a>(book: &'a Rulebook, registry: &'a ActionRegistry) -> ActionRules<'a> {
    ActionRules {
        book,
        registry,
        now: GameTime(5_000),
        max_introduced: 64,
        lexicon: crate::text::Lexicon::english(),
    }
}

/// Takes a turn and installs what came of it.
pub(super) fn turn_by(
    world: &mut WorldState,
    book: &Rulebook,
    registry: &ActionRegistry,
    input: TurnInput,
) -> TurnRecord {
    let rules = rules(book, registry);
    let key = TurnKey {
        seed: 7,
        keys: vec![input.id.to_string()],
    };
    let record = take_turn(&rules, key, world, input, &mut Vec::new());
    world.install(&record.changes);
    record
}

/// "result rule" of each judged action.
pub(super) fn answers(record: &TurnRecord) -> Vec<String> {
    let actions = record.actions.iter();
    actions
        .map(|action| {
            let rule = action.judgement.rule.as_deref().unwrap_or("-");
            format!("{} {rule}", action.judgement.result)
        })
        .collect()
}
