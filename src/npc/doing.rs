//! What a character does now, as its routine says. It follows from the time, the world and the place alone, and so nothing is kept for it.

use super::components::LoadedCharacter;
use crate::authoring::routine::RoutineEntry;
use crate::base::clock::DramatisClock;
use crate::memory::Mind;
use crate::rules::{Interaction, TriggerReason, holds};
use crate::story::ActiveStory;
use crate::text::PromptWords;
use crate::world::{Placement, WorldIndex, WorldRead, WorldView};
use bevy::prelude::*;
use serde::Serialize;

/// What a character does now, as its routine says. The engine puts it on the character when it has arrived, and takes it away when the
/// entry of its routine ends: observe `On<Insert, Doing>` and `On<Remove, Doing>` for animations.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::npc::Doing;
///
/// fn show(begun: On<Insert, Doing>, doings: Query<&Doing>) {
///     if let Ok(doing) = doings.get(begun.entity) {
///         info!("a character {}", doing.text);
///     }
/// }
/// # App::new().add_observer(show);
/// ```
#[derive(Component, Debug, Clone, PartialEq, Eq, Serialize, Reflect)]
#[component(immutable)]
#[reflect(Component)]
pub struct Doing {
    /// A phrase such as `forges nails`. Empty: its routine gives no words for it, or it has not arrived yet.
    pub text: String,
    /// Whether it is too busy to talk.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub busy: bool,
}

impl Doing {
    /// As others are told of it: behind the name of the character.
    #[must_use]
    pub(crate) fn seen(&self, words: &PromptWords) -> String {
        let text = Some(self.text.as_str()).filter(|text| !text.is_empty());
        let busy = self.busy.then(|| words.get("doing_busy"));
        let parts: Vec<&str> = text.into_iter().chain(busy).collect();
        parts.join(", ")
    }

    /// As the character itself is told of it, in whole sentences.
    #[must_use]
    pub(crate) fn own(&self, words: &PromptWords, name: &str) -> String {
        let doing = [("name", name), ("doing", &self.text)];
        let text = (!self.text.is_empty()).then(|| words.say("doing_own", &doing));
        let busy = self.busy.then(|| words.say("doing_busy_own", &doing));
        let parts: Vec<String> = text.into_iter().chain(busy).collect();
        parts.join(" ")
    }
}

/// The first entry of a character's routine that fits now, by its number; `None` where none does.
pub(crate) fn current_entry(world: &World, npc: Entity) -> Option<usize> {
    let character = &world.get::<LoadedCharacter>(npc)?.0;
    if character.routine.is_empty() {
        return None;
    }
    let calendar = world.get_resource::<ActiveStory>()?.0.calendar;
    let now = world.get_resource::<DramatisClock>()?.game;
    let view = WorldView::new(world);
    // What a condition asks of a request does not hold: the routine was read so.
    let situation = Interaction {
        reason: TriggerReason::TimeTrigger,
        npc: &character.id,
        trigger_id: None,
        scene: None,
        tags: &[],
        interaction_count: world.get::<Mind>(npc).map_or(0, |mind| mind.interactions),
    };
    let fits =
        |entry: &RoutineEntry| entry.is_now(calendar, now) && holds(&entry.when, &situation, &view);
    character.routine.iter().position(fits)
}

/// Whether a character is where an entry of its routine wants it to be.
pub(crate) fn is_there(entry: &RoutineEntry, at: Option<&Placement>) -> bool {
    let wanted = entry.place.as_ref();
    wanted.is_none_or(|wanted| matches!(at, Some(Placement::In(place)) if place == wanted))
}

/// What a character does now; `None` where its routine does not say it.
pub(crate) fn doing(world: &World, id: &str) -> Option<Doing> {
    let npc = WorldIndex::find(world, id)?;
    let entry = current_entry(world, npc)?;
    let entry = &world.get::<LoadedCharacter>(npc)?.0.routine[entry];
    let at = WorldView::new(world).placement(id);
    // It is busy on its way, too.
    let text = entry.doing.clone().filter(|_| is_there(entry, at.as_ref()));
    (text.is_some() || entry.busy).then(|| Doing {
        text: text.unwrap_or_default(),
        busy: entry.busy,
    })
}
