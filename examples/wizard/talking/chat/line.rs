//! The line to type in.

use crate::talking::talk::Talk;
use bevy_dramatis::npc::Request;
use bevy_egui::egui;

/// Draws the line. `whom`: who is near enough to hear it; `opens`: the keys are to go to it.
pub(super) fn ui(ui: &mut egui::Ui, talk: &mut Talk, whom: &str, opens: bool) {
    let edit_id = egui::Id::new("chat line");
    let is_open = ui.memory(|memory| memory.has_focus(edit_id));
    let hint = if is_open {
        "Hello?  or  > take the key  or  ! brew a potion  or  * I sit down by the fire".to_owned()
    } else {
        format!("Enter: talk to {whom}      F1: help")
    };
    let edit = egui::TextEdit::singleline(&mut talk.draft)
        .id(edit_id)
        .hint_text(hint)
        .char_limit(Request::MAX_INPUT_CHARS)
        .desired_width(f32::INFINITY);
    let edit = ui.add(edit);
    let entered = edit.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    if entered && !talk.draft.trim().is_empty() {
        talk.outgoing = Some(std::mem::take(&mut talk.draft));
    }
    if opens {
        edit.request_focus();
    }
}
