//! Waiting for what a parser makes of the words, and asking it once more when that cannot be done.

use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::time::CallTime;
use crate::judged_world::change::apply::TurnKey;
use crate::judged_world::rulebook::ReasonCode;
use crate::judged_world::rulebook::turn::{TurnInput, TurnKind, take_turn};
use crate::judged_world::words::parser::{
    ActionParser, ImperativeParser, ParseRequest, ParseTask, Parsing,
};
use crate::story::action_rules;
use crate::world::WorldIndex;
use crate::world::mentions::RecentMentions;
use crate::world::refresh::refresh;
use crate::world::{ProposedAction, WorldView};
use bevy::prelude::*;
use std::sync::Arc;

/// What reads the words of [`ActorCommandsExt::act`](super::ActorCommandsExt::act). The built-in parser unless the game sets another.
#[derive(Resource, Clone)]
pub struct TurnParser(pub Arc<dyn ActionParser>);

impl Default for TurnParser {
    fn default() -> Self {
        Self(Arc::new(ImperativeParser))
    }
}

/// A turn that waits to be taken.
pub(super) struct WaitingTurn {
    pub actor: Id,
    pub kind: TurnKind,
    pub said: Option<Said>,
    pub parsing: Parsing,
    /// Whether a parser may be asked once more what the words mean.
    pub may_ask_again: bool,
    /// When the words were said.
    pub since: CallTime,
    /// When the parser was asked last.
    pub asked: CallTime,
    /// How long parsers may take in all.
    pub patience: Millis,
}

/// Words as they were said, and as a parser gets them.
pub(super) struct Said {
    pub raw: String,
    pub request: ParseRequest,
}

/// What the parser made of the words, once it is there.
pub(super) fn read(
    world: &mut World,
    turn: &mut WaitingTurn,
    now: CallTime,
) -> Option<Vec<ProposedAction>> {
    let task: &mut Box<dyn ParseTask> = match &mut turn.parsing {
        Parsing::Done(parsed) => return Some(std::mem::take(parsed)),
        Parsing::Waiting(task) => task,
    };
    let elapsed = now.since(turn.since);
    let why = match task.poll(now.since(turn.asked)) {
        Some(Ok(parsed)) => {
            let denials = denials(world, turn, &parsed);
            let again = !denials.is_empty() && ask_again(world, turn, &denials, elapsed);
            return (!again).then_some(parsed);
        }
        Some(Err(why)) if ask_again(world, turn, std::slice::from_ref(&why), elapsed) => {
            return None;
        }
        Some(Err(why)) => why,
        None if elapsed >= turn.patience => "it takes too long".to_owned(),
        None => return None,
    };
    log::debug!("the built-in parser reads for {}: {why}", turn.actor);
    match turn
        .said
        .as_ref()
        .map(|said| ImperativeParser.parse(&said.request))
    {
        Some(Parsing::Done(parsed)) => Some(parsed),
        _ => Some(Vec::new()),
    }
}

/// Asks the parser once more, with what was wrong with its answer. False when there is no second try.
fn ask_again(world: &World, turn: &mut WaitingTurn, denials: &[String], elapsed: Millis) -> bool {
    let may = std::mem::take(&mut turn.may_ask_again) && elapsed < turn.patience;
    let (Some(said), Some(parser), true) =
        (&mut turn.said, world.get_resource::<TurnParser>(), may)
    else {
        return false;
    };
    said.request.patience = Millis(turn.patience.0 - elapsed.0);
    let again = parser.0.parse_again(&said.request, denials);
    match again {
        Some(parsing) => {
            turn.parsing = parsing;
            turn.asked = turn.since.after(elapsed);
            true
        }
        None => false,
    }
}

/// What cannot be done of an answer because the words may have been misread: an action or a thing that is not there, or one
/// that is aimed at the wrong thing. A door that is locked is locked, however it is read.
fn denials(world: &mut World, turn: &WaitingTurn, parsed: &[ProposedAction]) -> Vec<String> {
    if !turn.may_ask_again {
        return Vec::new();
    }
    refresh(world);
    let entity = entity_of(world, &turn.actor);
    let mentioned = entity.and_then(|actor| world.get::<RecentMentions>(actor));
    let mut mentioned = mentioned.map(|m| m.0.clone()).unwrap_or_default();
    let input = TurnInput {
        id: 0,
        kind: turn.kind,
        actor: turn.actor.clone(),
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
    let misread = misread.map(|action| (action.intent.kind(), &action.judgement.message));
    let misread = misread.map(|(kind, message)| format!("{kind}: {message}"));
    let rejected = record.rejected.iter().map(|one| one.message.clone());
    rejected.chain(misread).collect()
}
pub(super) fn entity_of(world: &World, id: &str) -> Option<Entity> {
    world.get_resource::<WorldIndex>()?.get(id)
}
