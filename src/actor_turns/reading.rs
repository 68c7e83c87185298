//! Waiting for what a parser makes of the words, and asking it once more when that cannot be done.

use super::engine_parser::ask_model;
use super::misread::denials;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::time::CallTime;
use crate::judged_world::rulebook::turn::TurnKind;
use crate::judged_world::words::parser::{
    ActionParser, ImperativeParser, ParseRequest, ParseTask, Parsing,
};
use crate::pipeline::StageResult;
use crate::pipeline::stage::call::StageCall;
use crate::world::ProposedAction;
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
    pub reading: Reading,
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

/// How far the words of a turn are read.
pub(super) enum Reading {
    /// They are.
    Done(Vec<ProposedAction>),
    /// A parser is at work.
    Task(Box<dyn ParseTask>),
    /// A model was asked.
    Call(StageCall),
}

impl Reading {
    /// What a parser answers about these words. Where no model can be asked, the built-in parser reads them.
    pub(super) fn begin(world: &mut World, parsing: Parsing, request: &ParseRequest) -> Self {
        match parsing {
            Parsing::Done(parsed) => Self::Done(parsed),
            Parsing::Waiting(task) => Self::Task(task),
            Parsing::AskModel => match ask_model(world, request) {
                Some(call) => Self::Call(call),
                None => Self::Done(built_in(request)),
            },
        }
    }
}

/// What the built-in parser makes of the words.
fn built_in(request: &ParseRequest) -> Vec<ProposedAction> {
    match ImperativeParser.parse(request) {
        Parsing::Done(parsed) => parsed,
        Parsing::Waiting(_) | Parsing::AskModel => Vec::new(),
    }
}

/// What the parser made of the words, once it is there.
pub(super) fn read(
    world: &mut World,
    turn: &mut WaitingTurn,
    now: CallTime,
) -> Option<Vec<ProposedAction>> {
    let elapsed = now.since(turn.since);
    let is_late = elapsed >= turn.patience;
    let why = match &mut turn.reading {
        Reading::Done(parsed) => return Some(std::mem::take(parsed)),
        Reading::Call(call) => match (call.is_over(world), is_late) {
            (true, _) => match call.take(world) {
                Ok((run, StageResult::Actions(actions))) => return actions.spend(&run),
                Ok(_) => "it answered something else".to_owned(),
                Err(why) => why,
            },
            (false, false) => return None,
            (false, true) => {
                call.cancel(world);
                "it takes too long".to_owned()
            }
        },
        Reading::Task(task) => match task.poll(now.since(turn.asked).into()) {
            Some(Ok(parsed)) => {
                let denials = match turn.may_ask_again {
                    true => denials(world, &turn.actor, &parsed),
                    false => Vec::new(),
                };
                let denials: Vec<String> = denials.into_iter().map(|(_, why)| why).collect();
                let again = !denials.is_empty() && ask_again(world, turn, &denials, elapsed);
                return (!again).then_some(parsed);
            }
            Some(Err(why)) if ask_again(world, turn, std::slice::from_ref(&why), elapsed) => {
                return None;
            }
            Some(Err(why)) => why,
            None if is_late => "it takes too long".to_owned(),
            None => return None,
        },
    };
    log::debug!("the built-in parser reads for {}: {why}", turn.actor);
    let said = turn.said.as_ref();
    Some(said.map_or_else(Vec::new, |said| built_in(&said.request)))
}

/// Asks the parser once more, with what was wrong with its answer. False when there is no second try.
fn ask_again(
    world: &mut World,
    turn: &mut WaitingTurn,
    denials: &[String],
    elapsed: Millis,
) -> bool {
    let may = std::mem::take(&mut turn.may_ask_again) && elapsed < turn.patience;
    let parser = world.get_resource::<TurnParser>().cloned();
    let (Some(said), Some(parser), true) = (&mut turn.said, parser, may) else {
        return false;
    };
    said.request.patience = Millis(turn.patience.0 - elapsed.0).into();
    let Some(parsing) = parser.0.parse_again(&said.request, denials) else {
        return false;
    };
    turn.reading = Reading::begin(world, parsing, &said.request);
    turn.asked = turn.since.after(elapsed);
    true
}
