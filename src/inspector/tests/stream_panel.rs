//! The panel of the stream, in an adventure of which something was told.

use super::*;
use crate::adventure::views::Viewer;
use crate::adventure::{Message, MessageType, Owner};

fn message(turn_id: u64, kind: MessageType, owner: Owner, content: &str) -> Message {
    let keeper = id!("keeper");
    let audience = match kind {
        MessageType::Thought => vec![keeper],
        _ => vec![keeper, id!("player")],
    };
    Message {
        owner,
        kind,
        turn_id,
        seq: 1,
        content: content.to_owned(),
        place: Some(id!("yard")),
        left: None,
        actor: None,
        audience,
        parts: Vec::new(),
    }
}

/// A game in which a turn was told and a character thought something.
fn told() -> App {
    let mut app = after_a_run();
    let keeper = || Owner::Actor(id!("keeper"));
    let messages = vec![
        message(
            1,
            MessageType::Narration,
            Owner::Narrator,
            "The gate creaks.",
        ),
        message(2, MessageType::Thought, keeper(), "Who comes there?"),
    ];
    crate::testing::fill_stream(app.world_mut(), messages);
    app
}

#[test]
fn i3_the_stream_shows_its_messages_turn_by_turn() {
    let mut app = told();
    let mut watched = Watched::new(on(Tab::Stream));
    watched.assert_shows(
        &mut app,
        &[
            "a developer",
            "turn 1",
            "narrator, narration",
            "The gate creaks.",
            "turn 2",
            "keeper, thought",
        ],
    );
}

#[test]
fn i3_who_looks_at_the_stream_is_chosen_by_a_click() {
    let mut app = told();
    let mut watched = Watched::new(on(Tab::Stream));
    watched.assert_shows(&mut app, &["2 of the last 2 messages are seen"]);
    watched.click(&mut app, "a developer");
    watched.click(&mut app, "the narrator");
    assert_eq!(watched.selection.viewer, Some(Viewer::Narrator));
    watched.assert_shows(&mut app, &["1 of the last 2 messages are seen"]);
}
