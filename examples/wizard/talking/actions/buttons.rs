//! The buttons of the chat.

use super::choose::KEYS;
use super::{Actions, Choice};
use crate::looks::style::{self, action_button};
use bevy_egui::egui;

/// The question back, with a button for each answer.
pub fn question(ui: &mut egui::Ui, actions: &mut Actions) {
    let Actions {
        question: Some(question),
        chosen,
        ..
    } = actions
    else {
        return;
    };
    ui.horizontal_wrapped(|ui| {
        let words = format!("{}: which one?", question.words);
        ui.colored_label(style::HINT, words);
        for option in &question.options {
            if action_button(ui, None, &option.name).clicked() {
                *chosen = Some(Choice::Answer(option.id.to_string()));
            }
        }
    });
}

/// What can be done now, a button for each.
pub fn menu(ui: &mut egui::Ui, actions: &mut Actions) {
    let Actions {
        offered, chosen, ..
    } = actions;
    if offered.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for (index, (words, action)) in offered.iter().enumerate() {
            let key = (index < KEYS.len()).then_some(index + 1);
            if action_button(ui, key, words).clicked() {
                *chosen = Some(Choice::Action(action.clone()));
            }
        }
    });
}
