//! The stream of an adventure, as each stage sees it: what is hidden from the one that looks is greyed.

use super::selection::Selection;
use super::theme::{GONE, LIVE, NOTED, PALETTE};
use super::view::InspectorView;
use super::widgets::excerpt;
use crate::adventure::views::{ViewOf, Viewer};
use crate::adventure::{Message, MessageType, Owner, Personas, Stream};
use crate::base::ids::Id;
use crate::world::{WorldRead, WorldView};
use bevy_egui::egui::{Color32, ComboBox, Label, RichText, ScrollArea, Ui};

/// The most messages that are listed: the last ones.
const MOST: usize = 300;

/// Who can look, and what that is called.
const VIEWERS: [(Viewer, &str); 8] = [
    (Viewer::Debug, "a developer"),
    (Viewer::Player, "the player"),
    (Viewer::PersonaIntent, "the persona's intention"),
    (Viewer::NpcIntent, "the character's intention"),
    (Viewer::Narrator, "the narrator"),
    (Viewer::PersonaExtractor, "the persona's extractor"),
    (Viewer::CharacterExtractor, "the character's extractor"),
    (Viewer::LoreExtractor, "the lore extractor"),
];

/// A message, and whether it is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MessageRow<'a> {
    /// The message.
    pub message: &'a Message,
    /// Whether the one who looks sees it.
    pub is_shown: bool,
    /// Whether it counts: its turn was not taken back.
    pub is_live: bool,
}

/// The last messages of an adventure, oldest first, each with whether this view shows it. No view shows what was taken back.
#[must_use]
pub fn message_rows<'a>(stream: &'a Stream, view: &ViewOf) -> Vec<MessageRow<'a>> {
    let messages = stream.messages();
    let last = &messages[messages.len().saturating_sub(MOST)..];
    let rows = last.iter().map(|message| {
        let is_live = stream.is_live(message);
        MessageRow {
            message,
            is_live,
            is_shown: is_live && view.shows(message),
        }
    });
    rows.collect()
}

/// In whose name one can look: the personas, then the characters, each by id.
#[must_use]
pub fn viewed_as(view: &InspectorView) -> Vec<Id> {
    let personas = view.world.get_resource::<Personas>();
    let personas = personas.into_iter().flat_map(|personas| personas.0.keys());
    let characters = view.minds.iter().map(|mind| mind.npc);
    personas.chain(characters).cloned().collect()
}

/// Draws the stream.
pub(super) fn stream_ui(ui: &mut Ui, view: &InspectorView, selection: &mut Selection) {
    let stream = view.world.get_resource::<Stream>();
    let Some(stream) = stream.filter(|stream| !stream.messages().is_empty()) else {
        ui.weak("No turn of an adventure has been played yet.");
        return;
    };
    let names = viewed_as(view);
    let own = names
        .iter()
        .find(|id| Some(id.as_str()) == selection.viewed_as.as_deref());
    let own = own.or(names.first());
    let viewer = selection.viewer.unwrap_or(Viewer::Debug);
    ui.horizontal_wrapped(|ui| {
        ui.weak("as seen by");
        let called = VIEWERS
            .iter()
            .find(|(one, _)| *one == viewer)
            .map_or("", |(_, words)| words);
        ComboBox::from_id_salt("viewer")
            .width(180.0)
            .selected_text(called)
            .show_ui(ui, |ui| {
                for (one, words) in VIEWERS {
                    ui.selectable_value(&mut selection.viewer, Some(one), words);
                }
            });
        ui.weak("for");
        let called = own.map_or("no actor", |own| own.as_str());
        ComboBox::from_id_salt("viewed as")
            .selected_text(called)
            .show_ui(ui, |ui| {
                for id in &names {
                    if ui.selectable_label(Some(id) == own, id.as_str()).clicked() {
                        selection.viewed_as = Some(id.to_string());
                    }
                }
            });
    });
    let place = own.and_then(|own| WorldView::new(view.world).place_of(own));
    // What is being resolved, or was told: the last intention of the one, or the last narration.
    let current = stream.live_tail().rev().find(|message| match viewer {
        Viewer::LoreExtractor => message.kind == MessageType::Narration,
        _ => message.kind == MessageType::Intention && message.owner.actor() == own,
    });
    let looks = ViewOf {
        viewer,
        own,
        place: place.as_ref(),
        current: current.map(|message| (message.turn_id, message.seq)),
    };
    let rows = message_rows(stream, &looks);
    let shown = rows.iter().filter(|row| row.is_shown).count();
    ui.weak(format!(
        "{shown} of the last {} messages are seen",
        rows.len()
    ));
    ScrollArea::vertical()
        .id_salt("stream")
        .stick_to_bottom(true)
        .auto_shrink(false)
        .show(ui, |ui| {
            let mut turn = 0;
            for row in &rows {
                if row.message.turn_id != turn {
                    turn = row.message.turn_id;
                    ui.separator();
                    ui.weak(format!("turn {turn}"));
                }
                row_ui(ui, row);
            }
        });
}

fn row_ui(ui: &mut Ui, row: &MessageRow) {
    let message = row.message;
    let who = match &message.owner {
        Owner::System => "system",
        Owner::Narrator => "narrator",
        Owner::Actor(id) => id.as_str(),
    };
    let colour = if row.is_shown {
        colour(message.kind)
    } else {
        GONE
    };
    ui.horizontal_wrapped(|ui| {
        ui.colored_label(colour, format!("{who}, {}", kind(message.kind)));
        if let Some(place) = &message.place {
            ui.weak(format!("in {place}"));
        }
        if !row.is_live {
            ui.colored_label(NOTED, "taken back");
        }
    });
    let text = RichText::new(excerpt(&message.content, 2_000));
    let text = match (row.is_live, row.is_shown) {
        (_, true) => text,
        (true, false) => text.color(GONE),
        (false, false) => text.color(GONE).strikethrough(),
    };
    ui.add(Label::new(text).wrap()).on_hover_ui(|ui| {
        let audience: Vec<&str> = message.audience.iter().map(Id::as_str).collect();
        ui.label(match audience.is_empty() {
            true => "no character perceived it".to_owned(),
            false => excerpt(&format!("perceived by {}", audience.join(", ")), 400),
        });
    });
}

fn kind(kind: MessageType) -> &'static str {
    match kind {
        MessageType::Narration => "narration",
        MessageType::Intention => "intention",
        MessageType::Thought => "thought",
        MessageType::SceneMarker => "scene marker",
        MessageType::System => "what extractors wrote",
    }
}

fn colour(kind: MessageType) -> Color32 {
    match kind {
        MessageType::Narration => LIVE,
        MessageType::Intention => PALETTE[4],
        MessageType::Thought => PALETTE[3],
        MessageType::SceneMarker | MessageType::System => PALETTE[7],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id;

    fn message(kind: MessageType, owner: Owner, audience: &[Id]) -> Message {
        Message {
            owner,
            kind,
            turn_id: 1,
            seq: 1,
            content: "words".to_owned(),
            place: None,
            left: None,
            actor: None,
            audience: audience.to_vec(),
            parts: Vec::new(),
        }
    }

    #[test]
    fn i3_another_ones_thought_is_hidden_from_a_stage() {
        let (kael, mira) = (id!("kael"), id!("mira"));
        let messages = vec![
            message(
                MessageType::Thought,
                Owner::Actor(kael.clone()),
                std::slice::from_ref(&kael),
            ),
            message(
                MessageType::Narration,
                Owner::Narrator,
                &[kael.clone(), mira.clone()],
            ),
        ];
        let mut world = bevy::prelude::World::new();
        crate::testing::fill_stream(&mut world, messages);
        let stream = world.resource::<Stream>();
        let seen = |own: &Id| {
            let view = ViewOf {
                viewer: Viewer::NpcIntent,
                own: Some(own),
                place: None,
                current: None,
            };
            let rows = message_rows(stream, &view);
            rows.iter().map(|row| row.is_shown).collect::<Vec<_>>()
        };
        assert_eq!(seen(&kael), [true, true]);
        assert_eq!(seen(&mira), [false, true]);
    }
}
