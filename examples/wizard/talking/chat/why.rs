//! Why did a character say that? The inspector shows it.

use super::Chat;
use crate::talking::talk::Talk;
use bevy::input::common_conditions::input_just_pressed;
use bevy::prelude::*;
use bevy_dramatis::inspector::{InspectorSettings, Selection};

/// Adds the key for it, and the answer.
pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (ask_why.run_if(input_just_pressed(KeyCode::F4)), explain),
    );
}

/// What did he just think?
fn ask_why(mut chat: ResMut<Chat>, talk: Res<Talk>) {
    chat.explain = talk.last_run;
}

fn explain(
    mut chat: ResMut<Chat>,
    mut selection: ResMut<Selection>,
    mut inspector: ResMut<InspectorSettings>,
) {
    if let Some(run) = chat.explain.take() {
        selection.show_run(run);
        inspector.open = true;
    }
}
