//! The parts of an answer that cannot be done because the parser may have misread the words.

use crate::base::ids::Id;
use crate::judged_world::change::apply::TurnKey;
use crate::judged_world::rulebook::ReasonCode;
use crate::judged_world::rulebook::turn::{TurnInput, TurnKind, take_turn};
use crate::story::action_rules;
use crate::world::mentions::RecentMentions;
use crate::world::{ProposedAction, WorldIndex, WorldView};
use bevy::prelude::*;

/// The parts of an answer that cannot be done because the parser may have misread the words, as rules with their messages: an
/// action or a thing that is not there, or an action that is aimed at the wrong thing. A locked door is not among them: it is
/// locked, however the words are read.
pub(super) fn denials(
    world: &World,
    actor: &Id,
    parsed: &[ProposedAction],
) -> Vec<(String, String)> {
    let entity = WorldIndex::find(world, actor);
    let mentioned = entity.and_then(|actor| world.get::<RecentMentions>(actor));
    let mut mentioned = mentioned.map(|m| m.0.clone()).unwrap_or_default();
    let input = TurnInput {
        id: 0,
        kind: TurnKind::Act,
        actor: actor.clone(),
        text: None,
        parsed: parsed.to_vec(),
    };
    let (rules, view) = (action_rules(world), WorldView::new(world));
    let record = take_turn(&rules, TurnKey::default(), &view, input, &mut mentioned);
    let misread = record.actions.iter().filter(|action| {
        matches!(
            action.judgement.result,
            ReasonCode::NotFound | ReasonCode::NotPresent | ReasonCode::InvalidTarget
        )
    });
    let misread = misread.map(|action| {
        let message = format!("{}: {}", action.intent.kind(), action.judgement.message);
        (action.judgement.rule.clone().unwrap_or_default(), message)
    });
    let rejected = record.rejected.iter();
    let rejected = rejected.map(|one| (one.rule.to_owned(), one.message.clone()));
    rejected.chain(misread).collect()
}
