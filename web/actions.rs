//! The player's possible actions, as buttons; their results; and the question which thing the player means.

use crate::cast::PLAYER;
use crate::offers::offered;
use crate::page::{Asked, note, show};
use crate::words::Names;
use bevy::prelude::*;
use bevy::time::common_conditions::on_timer;
use bevy_dramatis::events::GameLoaded;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{Clarification, ProposedAction, WorldIndex};
use serde_json::{Value, json};
use std::time::Duration;

/// How often the player looks around.
const GLANCE: Duration = Duration::from_millis(200);

pub fn plugin(app: &mut App) {
    app.init_resource::<Actions>()
        .add_systems(Update, look_around.run_if(on_timer(GLANCE)))
        .add_observer(choose)
        .add_observer(tell)
        .add_observer(|_: On<GameLoaded>, mut actions: ResMut<Actions>| actions.ask_back(None));
}

/// The actions from which the player can choose.
#[derive(Resource, Default)]
struct Actions {
    /// The possible actions, in words.
    offered: Vec<(String, ProposedAction)>,
    /// The possible answers to the question which thing the player means.
    question: Option<Clarification>,
}

impl Actions {
    fn ask_back(&mut self, question: Option<Clarification>) {
        self.question = question.filter(|question| !question.options.is_empty());
        let asked = self.question.as_ref().map(|question| {
            let options = question.options.iter();
            let options: Vec<Value> = options
                .map(|option| json!({"id": option.id.as_str(), "name": option.name}))
                .collect();
            json!({"words": question.words, "options": options})
        });
        show("question", json!(asked));
    }
}

fn look_around(world: &mut World) {
    let offered = offered(world);
    let mut actions = world.resource_mut::<Actions>();
    let words = |offered: &[(String, ProposedAction)]| -> Vec<String> {
        offered.iter().map(|(words, _)| words.clone()).collect()
    };
    if words(&actions.offered) != words(&offered) {
        show("offers", json!(words(&offered)));
    }
    actions.offered = offered;
}

/// The player pressed a button: an action by its words, or an answer by its id.
fn choose(asked: On<Asked>, mut commands: Commands, actions: Res<Actions>, ids: Res<WorldIndex>) {
    let Some(player) = ids.get(PLAYER) else {
        return;
    };
    match asked.what.as_str() {
        "do" => {
            let mut offered = actions.offered.iter();
            if let Some((words, action)) = offered.find(|(words, _)| *words == asked.words) {
                note("player", &format!("> {words}"));
                commands.entity(player).perform_all(vec![action.clone()]);
            }
        }
        "answer" => {
            if let Some(question) = actions.question.clone() {
                commands
                    .entity(player)
                    .answer(&question, asked.words.clone());
            }
        }
        _ => {}
    }
}

/// The result of the player's turn. A question from another turn is no longer open.
fn tell(ended: On<TurnEnded>, names: Names, mut actions: ResMut<Actions>) {
    if ended.actor == PLAYER {
        for line in names.outcomes(&ended.record) {
            note("note", &line);
        }
        actions.ask_back(ended.record.clarification.clone());
    }
}
