//! A turn in play: its results so far, none of which is installed.

use super::activation::Roll;
use super::message::{Message, MessageType, Owner};
use super::player_turn::PlayerTurn;
use super::record::{AdventureRecord, Price, StageLog, TurnFailure};
use super::scene::Cast;
use super::states::{LevelChange, StateEntry, write_state};
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::engine::Stage;
use crate::gate::{Approved, ApprovedFor, KnownWrites, SpendsApprovals};
use crate::judged_world::change::apply::TurnKey;
use crate::judged_world::rulebook::turn::{JudgedAction, RejectedAction};
use crate::pipeline::Run;
use crate::pipeline::stage::call::StageCall;
use crate::proposal::{NarrationPart, NarrationReply, PartKind, ToolCall};
use crate::story::lore::Lorebook;
use crate::text::fold::fold;
use crate::text::twin::twin_key;
use crate::world::{Intent, JudgedChange, ProposedAction};
use bevy::prelude::*;
use serde_json::{Value, json};
use std::collections::{BTreeMap, VecDeque};

/// What a turn waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Position {
    /// Nothing has begun.
    Begin,
    /// The intention of the persona is made.
    PersonaIntent,
    /// The intention of this one is told and read.
    Resolving(Id),
    /// Lore is read. At the same time the intention of the next character is made, if one is left.
    Between(Option<Id>),
}

/// A turn that is being played: a component of its own entity.
#[derive(Component, Debug)]
pub(super) struct AdventureTurn {
    pub turn_id: u64,
    pub persona: Id,
    pub text: Option<String>,
    pub thought: Option<String>,
    /// The ids of those to whom the persona whispers; empty: it does not whisper, and all actors there hear it.
    pub whisper_to: Vec<Id>,
    /// For a turn that is played again: the number of the earlier turn, and how many versions were played before.
    pub redo: Option<(u64, usize)>,
    pub position: Position,
    /// Runs in flight, in canonical order.
    pub waiting: Vec<Waiting>,
    /// Characters that have yet to act, in order.
    pub order: VecDeque<Id>,
    pub staged: Staged,
}

/// A stage that has been asked and has not been taken.
#[derive(Debug, Clone)]
pub(super) struct Waiting {
    pub call: StageCall,
    pub stage: Stage,
    /// The message that it works on.
    pub seq: Option<u32>,
    /// When it was asked.
    pub at: GameTime,
}

/// A call of an extractor that was approved. It stays an approval until the turn is committed.
#[derive(Debug)]
pub(super) struct StagedCall {
    /// The act that it was read from, counted from 0: the place of its actor among those who have acted.
    pub act: usize,
    /// The run that answered with it, which alone can spend it.
    pub run: Run,
    /// Whose extractor made it; `None` for that of lore.
    pub npc: Option<Id>,
    pub call: Approved<ToolCall>,
    /// Those who heard what it was read from.
    pub audience: Vec<Id>,
    /// Whether it waits for the player.
    pub waits: bool,
}

/// On the entity of a turn that is over, until all observers have been told.
#[derive(Component, Debug, Clone, Copy)]
pub(super) struct EndedTurn;

/// The results of a turn so far.
#[derive(Debug, Default)]
pub(super) struct Staged {
    /// How many of the markers that waited are among its messages.
    pub markers: usize,
    pub messages: Vec<Message>,
    pub changes: Vec<JudgedChange>,
    /// What was judged together, so that it can be judged again.
    pub judged: Vec<(TurnKey, Vec<Intent>)>,
    pub parsed: Vec<ProposedAction>,
    pub rejected: Vec<RejectedAction>,
    pub actions: Vec<JudgedAction>,
    pub mentioned: BTreeMap<Id, Vec<Vec<Id>>>,
    /// The states of actors as the calls so far leave them: for prompts.
    pub states: BTreeMap<Id, Vec<StateEntry>>,
    /// What extractors write, in order.
    pub calls: Vec<StagedCall>,
    pub rolls: Vec<Roll>,
    pub degraded: Vec<Stage>,
    pub price: Price,
    /// Who has made an intention: the persona first.
    pub acted: Vec<Act>,
    /// The numbers of the runs of its stages, each with the act that it belongs to, counted from 0.
    pub runs: Vec<(u64, usize)>,
    /// What its stages were asked and answered.
    pub stages: Vec<StageLog>,
    /// Calls that wait for the player's review.
    pub for_review: Vec<(Option<Id>, ToolCall)>,
    /// Where in the messages the present intention is, and its place before the act.
    pub resolving: Option<(u64, u32)>,
    pub place_before: Option<Id>,
    /// Who perceives the act that is being resolved.
    pub audience: Vec<Id>,
    /// Which message is the narration that a stage told last.
    pub narrated: Option<usize>,
    /// The answers of the rulebook to it, and the same in plain words.
    pub verdicts: Vec<String>,
    pub outcomes: Vec<String>,
}

/// An actor has made an intention.
#[derive(Debug, Clone)]
pub(super) struct Act {
    pub actor: Id,
    /// The number in the turn of its first message.
    pub first_seq: u32,
}

impl SpendsApprovals for AdventureTurn {
    fn approved_for(&self) -> ApprovedFor {
        ApprovedFor::adventure_turn(self.turn_id)
    }
}

impl AdventureTurn {
    /// What was asked for.
    pub(super) fn asked(&self) -> PlayerTurn {
        PlayerTurn {
            persona: self.persona.clone(),
            intention: self.text.clone(),
            thought: self.thought.clone(),
            whisper_to: self.whisper_to.clone(),
        }
    }

    /// Adds a message to the turn.
    pub(super) fn say(
        &mut self,
        owner: Owner,
        kind: MessageType,
        content: String,
        place: Option<Id>,
        audience: Vec<Id>,
    ) -> &mut Message {
        let seq = u32::try_from(self.staged.messages.len() + 1).unwrap_or(u32::MAX);
        self.staged.messages.push(Message {
            owner,
            kind,
            turn_id: self.turn_id,
            seq,
            content,
            place,
            left: None,
            actor: None,
            audience,
            parts: Vec::new(),
        });
        let last = self.staged.messages.len() - 1;
        &mut self.staged.messages[last]
    }

    /// Adds what an actor thinks and wants.
    pub(super) fn intend(
        &mut self,
        actor: &Id,
        thought: Option<String>,
        intention: &str,
        cast: &Cast,
    ) {
        let place = cast.place(actor).cloned();
        let first_seq = u32::try_from(self.staged.messages.len() + 1).unwrap_or(u32::MAX);
        let owner = Owner::Actor(actor.clone());
        let own = vec![actor.clone()];
        if let Some(thought) = thought {
            self.say(
                owner.clone(),
                MessageType::Thought,
                thought,
                place.clone(),
                own.clone(),
            );
        }
        let message = self.say(
            owner,
            MessageType::Intention,
            intention.to_owned(),
            place.clone(),
            own,
        );
        let at = (message.turn_id, message.seq);
        self.staged.resolving = Some(at);
        self.staged.place_before = place;
        let actor = actor.clone();
        self.staged.acted.push(Act { actor, first_seq });
    }

    /// The last intention of this actor in this turn.
    pub(super) fn intention(&self, actor: &Id) -> Option<&str> {
        let mut messages = self.staged.messages.iter().rev();
        let found = messages.find(|message| {
            message.kind == MessageType::Intention && message.owner.actor() == Some(actor)
        });
        found.map(|message| message.content.as_str())
    }

    /// Adds what the narrator tells.
    pub(super) fn narrate(&mut self, narration: NarrationReply, actor: &Id, place: Option<Id>) {
        let audience = self.staged.audience.clone();
        let left = self
            .staged
            .place_before
            .clone()
            .filter(|left| Some(left) != place.as_ref());
        self.staged.narrated = Some(self.staged.messages.len());
        let message = self.say(
            Owner::Narrator,
            MessageType::Narration,
            narration.content,
            place,
            audience,
        );
        message.parts = narration.parts;
        message.left = left;
        message.actor = Some(actor.clone());
    }

    /// Tells those who see the whisper, and do not hear it, that the persona whispers.
    pub(super) fn tell_of_whisper(&mut self, others: Vec<Id>, cast: &Cast) {
        if others.is_empty() {
            return;
        }
        let to: Vec<&str> = self.whisper_to.iter().map(|id| cast.name(id)).collect();
        let line = format!(
            "{} whispers to {}.",
            cast.name(&self.persona),
            to.join(" and ")
        );
        let (persona, place) = (self.persona.clone(), cast.place(&self.persona).cloned());
        let message = self.say(
            Owner::Narrator,
            MessageType::Narration,
            line.clone(),
            place,
            others,
        );
        message.actor = Some(persona);
        message.parts = vec![NarrationPart {
            kind: PartKind::Narration,
            speaker: None,
            mood: None,
            text: line,
        }];
    }

    /// The narration that was told last.
    pub(super) fn last_narration(&self) -> Option<&Message> {
        let at = self.staged.narrated?;
        self.staged.messages.get(at)
    }

    /// The states of an actor, as this turn has left them.
    pub(super) fn states(&self, id: &Id, cast: &Cast) -> Vec<StateEntry> {
        let staged = self.staged.states.get(id);
        staged.cloned().unwrap_or_else(|| cast.states(id).to_vec())
    }

    /// Keeps what an extractor has found for the commit, and adds its summary.
    pub(super) fn extract(
        &mut self,
        own: Option<&Id>,
        run: &Run,
        calls: Approved<Vec<ToolCall>>,
        cast: &Cast,
        review_below: Millionths,
    ) {
        let mut lines = Vec::new();
        let heard = self
            .last_narration()
            .map(|narration| narration.audience.clone())
            .unwrap_or_default();
        for approved in calls.each() {
            let call = approved.get();
            let waits = call.confidence().is_some_and(|sure| sure < review_below);
            if waits {
                self.staged.for_review.push((own.cloned(), call.clone()));
            }
            let line = match call {
                _ if waits => json!({"tool": call.tool(), "held": "review"}),
                ToolCall::StateSet {
                    category,
                    label,
                    level,
                    ..
                } => {
                    let change = LevelChange::Set(*level);
                    self.preview_state(own, cast, category, label, change, "state_set")
                }
                ToolCall::StateAdjust {
                    category,
                    label,
                    by,
                    ..
                } => {
                    let change = LevelChange::By(*by);
                    self.preview_state(own, cast, category, label, change, "state_adjust")
                }
                ToolCall::Custom { name, fields, .. } => json!({"tool": name, "fields": fields}),
                ToolCall::LoreUpsert { key, .. } => json!({"tool": "lore_upsert", "key": key}),
            };
            lines.push(line);
            self.staged.calls.push(StagedCall {
                act: self.staged.acted.len().saturating_sub(1),
                run: run.clone(),
                npc: own.cloned(),
                call: approved,
                audience: heard.clone(),
                waits,
            });
        }
        let content = crate::base::canonical::canonical_json(&Value::Array(lines));
        self.say(
            Owner::System,
            MessageType::System,
            content,
            None,
            Vec::new(),
        );
    }

    fn preview_state(
        &mut self,
        own: Option<&Id>,
        cast: &Cast,
        category: &str,
        label: &str,
        change: LevelChange,
        tool: &str,
    ) -> Value {
        let Some(own) = own else {
            return json!({"tool": tool, "refused": "no character"});
        };
        let mut states = self.states(own, cast);
        match write_state(&mut states, category, label, change) {
            Ok(level) => {
                self.staged.states.insert(own.clone(), states);
                json!({"tool": tool, "target": own, "category": category, "label": label, "level": level})
            }
            Err(error) => {
                json!({"tool": tool, "target": own, "label": label, "refused": error.to_string()})
            }
        }
    }

    /// What may not be written, and what is there already.
    pub(super) fn known(&self, own: Option<&Id>, book: &Lorebook, cast: &Cast) -> KnownWrites {
        let mut keys = KnownWrites {
            lore: book.keys(),
            ..KnownWrites::default()
        };
        let calls = self.staged.calls.iter().filter(|staged| !staged.waits);
        keys.added
            .extend(calls.filter_map(|staged| match staged.call.get() {
                ToolCall::LoreUpsert { key, .. } => Some(twin_key(key)),
                _ => None,
            }));
        let states = own.map(|own| self.states(own, cast)).unwrap_or_default();
        let key = |state: &StateEntry| (fold(&state.category), fold(&state.label));
        keys.held = states.iter().filter(|state| state.held).map(key).collect();
        keys.states = states.iter().map(key).collect();
        keys
    }

    /// What is kept of the turn.
    pub(super) fn into_record(self, failure: Option<TurnFailure>) -> AdventureRecord {
        let (messages, changes) = match failure {
            None => (self.staged.messages, self.staged.changes),
            Some(_) => (Vec::new(), Vec::new()),
        };
        AdventureRecord {
            turn_id: self.turn_id,
            persona: self.persona,
            text: self.text,
            thought: self.thought,
            whisper_to: self.whisper_to,
            version_of: self.redo,
            stages: self.staged.stages,
            changes,
            parsed: self.staged.parsed,
            rejected: self.staged.rejected,
            actions: self.staged.actions,
            messages,
            rolls: self.staged.rolls,
            degraded: self.staged.degraded,
            for_review: self.staged.for_review,
            price: self.staged.price,
            failure,
        }
    }
}
