//! Actions of the actors themselves: the player's words or typed actions are parsed, judged, done and told.
//!
//! ```
//! # use bevy::prelude::*;
//! use bevy_dramatis::prelude::*;
//!
//! fn obey(mut commands: Commands, player: Single<Entity, With<Player>>) {
//!     // In prose, by the built-in parser ...
//!     commands.entity(*player).act("take the key and open the door with it");
//!     // ... or typed, as from a menu.
//!     commands.entity(*player).perform(MoveTo { target: "yard".to_owned() });
//! }
//! ```
//!
//! Each is a turn. The code takes turns in [`PipelineSystems::Mutation`](crate::plugin::PipelineSystems), before it commits the
//! runs, in the order in which the game asked for them. Each allowed action is done on its own and told as
//! [`Applied`](crate::events::Applied). If a reference may mean several things, the game gets [`ClarificationNeeded`].
//! [`TurnEnded`] holds the record of the whole turn.

mod engine_parser;
pub(crate) mod events;
mod misread;
mod reading;

pub(crate) use crate::world::mentions::RecentMentions;
pub use engine_parser::EngineParser;
pub(crate) use reading::TurnParser;

use crate::base::canonical::draw;
use crate::base::clock::DramatisClock;
use crate::base::counters::DramatisCounters;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::seed::WorldSeed;
use crate::base::time::CallTime;
use crate::commit::applied::AppliedAction;
use crate::commit::commit_own_turn;
use crate::events::{ClarificationNeeded, TurnEnded};
use crate::judged_world::change::apply::TurnKey;
use crate::judged_world::rulebook::turn::{
    Clarification, TurnInput, TurnKind, TurnRecord, take_turn,
};
use crate::judged_world::words::parser::{ParseRequest, further_names};
use crate::npc::{MAX_INPUT_CHARS, Player, PlayerId, RequestError, limits_of_id, refuse};
use crate::outbox::Outbox;
use crate::pipeline::driver::hook::{InstalledHook, call_hook};
use crate::story::{ActiveStory, Rules};
use crate::text::without_controls;
use crate::world::refresh::refresh;
use crate::world::{
    ActionRegistry, NpcAction, ProposedAction, WorldId, WorldIndex, WorldRead, WorldView,
};
use bevy::prelude::*;
use reading::{Reading, Said, WaitingTurn, read};
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

/// The most turns of one actor that may wait.
pub(crate) const MAX_WAITING_TURNS: usize = 64;
/// The most turns of all actors together that may wait.
pub(crate) const MAX_ALL_WAITING_TURNS: usize = 1_024;

/// Turns that wait to be taken.
#[derive(Resource, Default)]
pub(crate) struct TurnQueue {
    waiting: VecDeque<WaitingTurn>,
    pub(crate) requested: u64,
    pub(crate) taken: u64,
}

impl TurnQueue {
    /// How many turns wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Whether none waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Drops all that wait.
    pub(crate) fn forget(&mut self) {
        self.waiting.clear();
    }

    /// Whether a turn can be taken now.
    #[must_use]
    pub fn is_moving(&self) -> bool {
        let mut waiting = self.waiting.iter();
        waiting.any(|turn| matches!(turn.reading, Reading::Done(_)))
    }

    /// When the first parser at work is given up, in call time.
    #[must_use]
    pub fn gives_up_at(&self) -> Option<CallTime> {
        let waiting = self.waiting.iter();
        waiting.map(|turn| turn.since.after(turn.patience)).min()
    }
}

/// Commands with which actors act. The entity must have a [`WorldId`], or be the [`Player`]'s: then the actor with the id in
/// [`PlayerId`] acts, `player` by default. For any other entity the command is refused with
/// [`RequestRefused`](crate::events::RequestRefused) and [`RequestError::NotInWorld`].
pub trait ActorCommandsExt {
    /// Does what the words say. More than [`Request::MAX_INPUT_CHARS`](crate::npc::Request::MAX_INPUT_CHARS) characters are
    /// refused with [`RequestRefused`](crate::events::RequestRefused).
    fn act(&mut self, text: impl Into<String>) -> &mut Self;
    /// Does one action. Its references are ids.
    fn perform<A: NpcAction>(&mut self, action: A) -> &mut Self;
    /// Does several actions in one turn. Their references are ids.
    fn perform_all(&mut self, actions: Vec<ProposedAction>) -> &mut Self;
    /// Answers the question with the id that the player meant, and does the action.
    fn answer(&mut self, question: &Clarification, id: impl Into<String>) -> &mut Self;
}

impl ActorCommandsExt for EntityCommands<'_> {
    fn act(&mut self, text: impl Into<String>) -> &mut Self {
        let text = text.into();
        with_actor(self, move |world, actor| act_by_id(world, &actor, &text))
    }

    fn perform<A: NpcAction>(&mut self, action: A) -> &mut Self {
        self.perform_all(vec![ProposedAction::of(&action)])
    }

    fn perform_all(&mut self, actions: Vec<ProposedAction>) -> &mut Self {
        with_actor(self, move |world, actor| {
            perform_by_id(world, &actor, actions)
        })
    }

    fn answer(&mut self, question: &Clarification, id: impl Into<String>) -> &mut Self {
        let action = question.answered(&id.into());
        with_actor(self, move |world, actor| {
            enqueue(
                world,
                &actor,
                TurnKind::Act,
                None,
                Reading::Done(vec![action]),
            );
        })
    }
}

fn with_actor<'a, 'w>(
    commands: &'a mut EntityCommands<'w>,
    then: impl FnOnce(&mut World, Id) + Send + 'static,
) -> &'a mut EntityCommands<'w> {
    let entity = commands.id();
    commands.commands().queue(
        move |world: &mut World| match actor_played_by(world, entity) {
            Some(id) => then(world, id),
            None => {
                log::error!("{entity} cannot act. {}", RequestError::NotInWorld);
                refuse(world, Some(entity), "", RequestError::NotInWorld);
            }
        },
    );
    commands
}

/// The actor that acts for this entity: itself, or for a [`Player`] without a [`WorldId`] the actor of the story that the player
/// plays.
fn actor_played_by(world: &mut World, entity: Entity) -> Option<Id> {
    match world.get::<WorldId>(entity).map(|id| id.0.clone()) {
        // A second entity with a taken id is no part of the judged world.
        Some(id) => (WorldIndex::find(world, &id) == Some(entity)).then_some(id),
        None => {
            world.get::<Player>(entity)?;
            let id = world.get_resource_or_init::<PlayerId>().0.clone();
            WorldIndex::find(world, &id).map(|_| id)
        }
    }
}

/// Does what the words of an actor, named by id, say.
///
/// Refused with [`RequestRefused`](crate::events::RequestRefused): a text that is no id, more than [`MAX_INPUT_CHARS`]
/// characters, or a full queue.
pub(crate) fn act(world: &mut World, actor: &str, text: &str) {
    match Id::new(actor) {
        Ok(actor) => act_by_id(world, &actor, text),
        Err(error) => refuse(world, None, actor, error.into()),
    }
}

fn act_by_id(world: &mut World, actor: &Id, text: &str) {
    let chars = text.chars().count();
    if chars > MAX_INPUT_CHARS {
        refuse_turn(world, actor, RequestError::TooLong { chars });
        return;
    }
    if !has_room(world, actor) {
        return;
    }
    let queue = world.get_resource_or_init::<TurnQueue>();
    let asked = queue.requested.to_string();
    let seed = world.get_resource_or_init::<WorldSeed>().0;
    let lexicon = world
        .get_resource_or_init::<ActiveStory>()
        .0
        .lexicon
        .clone();
    let view = WorldView::new(world);
    let (perceived, names) = (view.perceived_by(actor), further_names(&view, actor));
    let patience = patience(world, actor);
    let request = ParseRequest {
        lexicon,
        patience: patience.into(),
        actor: actor.clone(),
        perceived: perceived
            .into_iter()
            .map(|(id, view)| (id, view.name))
            .collect(),
        names,
        registry: world.get_resource_or_init::<ActionRegistry>().clone(),
        seed: draw(seed, "parser", &[actor, &asked]) >> 11,
        text: clean(text),
    };
    let parser = world.get_resource_or_init::<TurnParser>().0.clone();
    let reading = if request.text.is_empty() {
        Reading::Done(Vec::new())
    } else {
        let parsing = parser.parse(&request);
        Reading::begin(world, parsing, &request)
    };
    let said = Said {
        raw: text.to_owned(),
        request,
    };
    enqueue(world, actor, TurnKind::Act, Some(said), reading);
}

/// Does the typed actions of an actor, named by id, in one turn.
///
/// Refused with [`RequestRefused`](crate::events::RequestRefused): a text that is no id, or a full queue.
pub(crate) fn perform(world: &mut World, actor: &str, actions: Vec<ProposedAction>) {
    match Id::new(actor) {
        Ok(actor) => perform_by_id(world, &actor, actions),
        Err(error) => refuse(world, None, actor, error.into()),
    }
}

fn perform_by_id(world: &mut World, actor: &Id, actions: Vec<ProposedAction>) {
    enqueue(world, actor, TurnKind::Do, None, Reading::Done(actions));
}

/// The words without control characters, but with their lines: a command may be on the next one.
fn clean(text: &str) -> String {
    let lines: Vec<String> = text.lines().map(without_controls).collect();
    lines.join("\n").trim().to_owned()
}

/// Whether one more turn may wait; the actor is told when not.
fn has_room(world: &mut World, actor: &Id) -> bool {
    let queue = world.get_resource_or_init::<TurnQueue>();
    let own = queue.waiting.iter().filter(|turn| turn.actor == *actor);
    let (own, all) = (own.count(), queue.waiting.len());
    // An actor whose words take long does not hold up the other actors.
    let limit = match own >= MAX_WAITING_TURNS {
        true => MAX_WAITING_TURNS,
        false => MAX_ALL_WAITING_TURNS,
    };
    let has_room = own < MAX_WAITING_TURNS && all < MAX_ALL_WAITING_TURNS;
    if !has_room {
        refuse_turn(world, actor, RequestError::QueueFull { limit });
    }
    has_room
}

fn enqueue(world: &mut World, actor: &Id, kind: TurnKind, said: Option<Said>, reading: Reading) {
    if !has_room(world, actor) {
        return;
    }
    let patience = patience(world, actor);
    let since = world
        .get_resource::<DramatisClock>()
        .map(|clock| clock.call)
        .unwrap_or_default();
    let mut queue = world.get_resource_or_init::<TurnQueue>();
    queue.requested += 1;
    queue.waiting.push_back(WaitingTurn {
        actor: actor.clone(),
        kind,
        said,
        may_ask_again: matches!(reading, Reading::Task(_)),
        reading,
        since,
        asked: since,
        patience,
    });
}

/// How long a parser may take to read the words of an actor, in call time, before the built-in one reads them.
fn patience(world: &World, actor: &Id) -> Millis {
    limits_of_id(world, actor).parser_patience.into()
}

/// Takes a turn again as it was recorded: what the parser made of the words is known.
pub(crate) fn repeat_turn(
    world: &mut World,
    actor: &Id,
    kind: TurnKind,
    text: Option<String>,
    parsed: Vec<ProposedAction>,
) {
    let since = world.resource::<DramatisClock>().call;
    let patience = patience(world, actor);
    let said = text.map(|raw| Said {
        request: ParseRequest {
            lexicon: Arc::default(),
            patience: patience.into(),
            actor: actor.clone(),
            perceived: Vec::new(),
            names: Vec::new(),
            registry: ActionRegistry::default(),
            seed: 0,
            text: String::new(),
        },
        raw,
    });
    let mut queue = world.resource_mut::<TurnQueue>();
    queue.waiting.push_back(WaitingTurn {
        actor: actor.clone(),
        kind,
        said,
        reading: Reading::Done(parsed),
        may_ask_again: false,
        since,
        asked: since,
        patience,
    });
}

fn refuse_turn(world: &mut World, actor: &Id, error: RequestError) {
    let entity = WorldIndex::find(world, actor);
    refuse(world, entity, actor, error);
}

/// Takes every turn whose words have been read. An actor that waits for a parser holds up only its own later turns.
pub(crate) fn take_turns(world: &mut World) {
    let now = world.resource::<DramatisClock>().call;
    let waiting = std::mem::take(&mut world.resource_mut::<TurnQueue>().waiting);
    let mut held = BTreeSet::new();
    let mut still = VecDeque::new();
    for mut turn in waiting {
        let parsed = if held.contains(&turn.actor) {
            None
        } else {
            read(world, &mut turn, now)
        };
        match parsed {
            Some(parsed) => take(world, turn, parsed),
            None => {
                held.insert(turn.actor.clone());
                still.push_back(turn);
            }
        }
    }
    // Observers of what was installed may have asked for more turns meanwhile: those come after the ones that wait.
    let mut queue = world.resource_mut::<TurnQueue>();
    still.append(&mut queue.waiting);
    queue.waiting = still;
}

fn take(world: &mut World, turn: WaitingTurn, parsed: Vec<ProposedAction>) {
    call_hook(world, |hook, world| hook.before_turn(world));
    refresh(world);
    let mut queue = world.resource_mut::<TurnQueue>();
    queue.taken += 1;
    let id = queue.taken;
    let entity = WorldIndex::find(world, &turn.actor);
    let input = TurnInput {
        id,
        kind: turn.kind,
        actor: turn.actor,
        text: turn.said.map(|said| said.raw),
        parsed,
    };
    let mut mentioned = mentioned_by(world, entity);
    let rules = Rules::of_game(world);
    let record = judge(&rules, input, &mut mentioned);
    if let Some(InstalledHook(hook)) = world.get_resource::<InstalledHook>() {
        hook.turn_judged(world, &|rules| {
            let input = TurnInput {
                id,
                kind: record.kind,
                actor: record.actor.clone(),
                text: record.text.clone(),
                parsed: record.parsed.clone(),
            };
            judge(rules, input, &mut mentioned_by(world, entity))
        });
    }
    commit_own_turn(world, &record);
    if let Some(Ok(mut actor)) = entity.map(|actor| world.get_entity_mut(actor)) {
        actor.insert(RecentMentions(mentioned));
    }
    count(world, &record);
    let record = Arc::new(record);
    call_hook(world, |hook, world| hook.turn_taken(world, entity, &record));
    tell(world, entity, record);
}

/// What these rules say of a turn, in the world as it is. Nothing changes.
fn judge(rules: &Rules, input: TurnInput, mentioned: &mut Vec<Vec<Id>>) -> TurnRecord {
    let key = TurnKey {
        seed: rules.world.resource::<WorldSeed>().0,
        keys: vec!["turn".to_owned(), input.id.to_string()],
    };
    let view = WorldView::new(rules.world);
    take_turn(&rules.of_actions(), key, &view, input, mentioned)
}

/// What an actor mentioned lately.
fn mentioned_by(world: &World, actor: Option<Entity>) -> Vec<Vec<Id>> {
    let mentioned = actor.and_then(|actor| world.get::<RecentMentions>(actor));
    mentioned.map(|m| m.0.clone()).unwrap_or_default()
}

fn count(world: &mut World, record: &TurnRecord) {
    let mut counters = world.resource_mut::<DramatisCounters>();
    counters.turns += 1;
    let done = record
        .actions
        .iter()
        .filter(|action| action.judgement.is_ok());
    let done = done.count() as u64;
    counters.actions_applied += done;
    counters.actions_refused += (record.rejected.len() + record.actions.len()) as u64 - done;
}

fn tell(world: &mut World, entity: Option<Entity>, record: Arc<TurnRecord>) {
    let actor = || record.actor.clone();
    let mut outbox = world.resource_mut::<Outbox>();
    for action in &record.actions {
        if action.judgement.is_ok() {
            outbox.queue(AppliedAction {
                actor: entity,
                run: None,
                turn: Some(record.id),
                intent: action.intent.clone(),
            });
        }
    }
    if let Some(clarification) = record.clarification.clone() {
        outbox.tell_about(ClarificationNeeded {
            entity,
            actor: actor(),
            turn: record.id,
            clarification,
        });
    }
    outbox.tell_about(TurnEnded {
        entity,
        actor: actor(),
        record: record.clone(),
    });
}
