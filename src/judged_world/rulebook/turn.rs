//! A turn: actions in sequence, each judged against the world that the ones before have left.
//!
//! "Take the key and open the door with it" works in one turn, and two actors cannot take one thing. A turn only reads the
//! world. Its result is a list of changes, and a record of all that was asked, judged and answered.

use super::may::May;
use super::validate::{ActionRules, Judgement};
use crate::base::canonical::Digest;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::judged_world::action::{Intent, ProposedAction};
use crate::judged_world::change::apply::{JudgedChange, TurnKey, apply};
use crate::judged_world::change::overlay::Overlay;
use crate::judged_world::rulebook::spec::ReasonCode;
use crate::judged_world::state::WorldRead;
use crate::judged_world::words::normalise::{ActionError, Referring, normalise, pinned};
use crate::judged_world::words::reference::display_name;
use bevy::reflect::{Reflect, TypePath};
use serde::{Deserialize, Serialize};

/// The most actions of one turn; those after them are refused.
pub const MAX_TURN_ACTIONS: usize = 1_024;
/// How many actions an actor can refer back to with a pronoun.
pub const MAX_MENTIONED: usize = 16;

/// An action, and what the rulebook answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct JudgedAction {
    /// The action after normalising: its type is known and its references are ids.
    #[serde(flatten)]
    pub intent: Intent,
    /// The answer. An allowed action was done in the turn's working copy of the world.
    #[serde(flatten)]
    pub judgement: Judgement,
}

/// A working copy of the world in which actions are judged and done, one after the other. The world itself is only read.
pub(crate) struct Turn<'a> {
    rules: ActionRules<'a>,
    key: TurnKey,
    world: Overlay<'a>,
    spawned: usize,
    mentioned: Vec<Vec<Id>>,
    speaker: Option<Id>,
    known: Vec<Id>,
    told: Option<Vec<&'a str>>,
}

impl<'a> Turn<'a> {
    /// Begins a turn. `mentioned` are the ids that pronouns may refer to, one list for each action, the last one last.
    #[must_use]
    pub fn new(
        rules: ActionRules<'a>,
        key: TurnKey,
        world: &'a dyn WorldRead,
        mentioned: Vec<Vec<Id>>,
    ) -> Self {
        Self {
            rules,
            key,
            world: Overlay::new(world),
            spawned: 0,
            mentioned,
            speaker: None,
            known: Vec::new(),
            told: None,
        }
    }

    /// Lets actors refer to what they saw a moment ago, by id, even if it is not in play any more.
    #[must_use]
    pub fn with_known(mut self, known: impl IntoIterator<Item = Id>) -> Self {
        self.known = known.into_iter().collect();
        self
    }

    /// Lets the actor refer to the speaker that has just addressed it: as "you", and as the one that was mentioned last.
    #[must_use]
    pub fn with_speaker(mut self, speaker: &Id) -> Self {
        self.mentioned.push(vec![speaker.clone()]);
        self.speaker = Some(speaker.clone());
        self
    }

    /// Lets actors refer to a thing out of their sight only where these texts, which they were told, name it.
    #[must_use]
    pub fn with_told(mut self, told: Vec<&'a str>) -> Self {
        self.told = Some(told);
        self
    }

    /// The same, after this turn has made `spawned` entities already.
    #[must_use]
    pub fn with_spawned(mut self, spawned: usize) -> Self {
        self.spawned = spawned;
        self
    }

    /// What pronouns may refer to now: the ids that each action mentioned, the last one last.
    #[must_use]
    pub fn mentioned(&self) -> &[Vec<Id>] {
        &self.mentioned
    }

    /// The world as the actions so far have left it.
    #[must_use]
    pub(crate) fn world(&self) -> &Overlay<'a> {
        &self.world
    }

    /// Normalises an action whose references are words, and remembers what it mentions. `may` are the actions that
    /// the actor may propose, `people` are the ids of the speakers here, who may have no entity.
    ///
    /// # Errors
    /// See `ActionError`; nothing is remembered then.
    pub(crate) fn normalise(
        &mut self,
        proposed: &ProposedAction,
        actor: &Id,
        may: May,
        people: &[&Id],
    ) -> Result<Intent, ActionError> {
        let registry = self.rules.registry;
        let intent = self.referring(people, |referring| {
            normalise(registry, proposed, actor, may, referring)
        })?;
        self.mention(&intent);
        Ok(intent)
    }

    fn referring<T>(&self, people: &[&Id], read: impl FnOnce(Referring) -> T) -> T {
        let possible = |intent: &Intent| {
            let spawned = self.spawned > 0;
            super::validate::validate(&self.rules, &self.world, intent, spawned).is_ok()
        };
        read(Referring::ByWords {
            world: &self.world,
            mentioned: &self.mentioned,
            speaker: self.speaker.as_ref(),
            known: &self.known,
            told: self.told.as_deref(),
            possible: &possible,
            people,
            lexicon: self.rules.lexicon,
        })
    }

    fn mention(&mut self, intent: &Intent) {
        // What is no id names nothing that a pronoun could mean.
        let together: Vec<Id> = intent
            .references()
            .filter_map(|id| Id::new(id).ok())
            .collect();
        if !together.is_empty() {
            self.mentioned.push(together);
        }
        let surplus = self.mentioned.len().saturating_sub(MAX_MENTIONED);
        self.mentioned.drain(..surplus);
    }

    /// Judges an action, and does it in the working copy when it may be done (see `apply`).
    pub fn apply(&mut self, intent: &Intent) -> Judgement {
        apply(
            &self.rules,
            &self.key,
            &mut self.world,
            intent,
            &mut self.spawned,
        )
    }

    /// What the actions have changed, in order.
    #[must_use]
    pub fn into_changes(self) -> Vec<JudgedChange> {
        self.world.into_changes()
    }
}

/// How the actor stated its actions: as words or as typed actions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum TurnKind {
    /// As words, which a parser reads; references are words.
    Act,
    /// As typed actions; references are ids.
    Do,
}

/// What an actor wants to do in one turn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct TurnInput {
    /// The turn's number, from 1, in the order in which turns are taken.
    pub id: u64,
    /// How the actor stated its actions: as words or as typed actions.
    pub kind: TurnKind,
    /// The id of the actor that takes the turn.
    pub actor: Id,
    /// The words as they came; `None` for typed actions.
    pub text: Option<String>,
    /// What a parser made of the words, or the typed actions; untrusted either way.
    pub parsed: Vec<ProposedAction>,
}

/// An action that could not be normalised, so that the rulebook was not asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RejectedAction {
    /// Which of the parsed actions, counted from 0.
    pub index: usize,
    /// Its type, as written; empty when words asked for nothing.
    #[serde(rename = "type")]
    pub kind: String,
    /// Why it was rejected, as a reason code.
    pub result: ReasonCode,
    /// The rule of the normaliser that it breaks, such as `unknown_action`.
    pub rule: &'static str,
    /// Why it was rejected, in a sentence for people.
    pub message: String,
}

/// Something that a reference may mean.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClarificationOption {
    /// Its id: the answer to the question.
    pub id: Id,
    /// What people call it; its id where it has no name.
    pub name: String,
}

/// A question back to the actor: which one is meant? The action was not done.
#[derive(Debug, Clone, PartialEq, Serialize, Reflect)]
#[reflect(opaque)]
pub struct Clarification {
    /// Which of the parsed actions, counted from 0.
    pub index: usize,
    /// The action, as parsed, its other references as ids where they were clear.
    pub action: ProposedAction,
    /// The name of the field that is unclear.
    pub field: &'static str,
    /// What was written in that field, cut to 40 characters.
    pub words: String,
    /// Why it is unclear: `ambiguous` or `unresolved`.
    pub reason: &'static str,
    /// What it may mean, in order of the ids; empty where nothing fits.
    pub options: Vec<ClarificationOption>,
}

impl Clarification {
    /// The action with the unclear field made clear by an id: it can be asked for again.
    #[must_use]
    pub fn answered(&self, id: &str) -> ProposedAction {
        let mut action = self.action.clone();
        action.fields.insert(self.field.to_owned(), id.into());
        action
    }

    fn of(
        index: usize,
        action: &ProposedAction,
        actor: &Id,
        error: &ActionError,
        turn: &Turn,
    ) -> Option<Self> {
        let (field, words, ids) = match error {
            ActionError::Unresolved { field, words }
            | ActionError::LeadsNowhere { field, words } => (field, words, &[][..]),
            ActionError::Ambiguous {
                field,
                words,
                candidates,
            } => (field, words, &candidates[..]),
            _ => return None,
        };
        let options = ids.iter().map(|id| ClarificationOption {
            id: id.clone(),
            name: display_name(turn.world(), id).into_owned(),
        });
        Some(Self {
            index,
            action: turn.referring(&[], |referring| {
                pinned(turn.rules.registry, action, actor, referring, field)
            }),
            field,
            words: words.clone(),
            reason: error.rule(),
            options: options.collect(),
        })
    }
}

/// All that is kept of a turn, for the journal, the trace and the game.
#[derive(Debug, Clone, PartialEq, Serialize, TypePath)]
pub struct TurnRecord {
    /// The number of the turn, from 1, in the order in which turns are taken.
    pub id: u64,
    /// How the actor stated its actions: as words or as typed actions.
    pub(crate) kind: TurnKind,
    /// The id of the actor that takes the turn.
    pub actor: Id,
    /// The words as they came; `None` for typed actions.
    pub text: Option<String>,
    /// What a parser made of the words, or the typed actions; untrusted either way.
    pub parsed: Vec<ProposedAction>,
    /// What could not be normalised, in order.
    pub rejected: Vec<RejectedAction>,
    /// The question about the first reference that was unclear; `None` when all were clear.
    pub clarification: Option<Clarification>,
    /// What was judged, in order, each with its answer; what is OK was applied.
    pub actions: Vec<JudgedAction>,
    /// What the applied actions changed, in order.
    pub changes: Vec<JudgedChange>,
    /// When the turn was taken, in game time, in milliseconds.
    pub time: GameTime,
    /// The hash of the rulebook that judged it; written in hexadecimal.
    #[serde(serialize_with = "Digest::serialize_hex")]
    pub rulebook: Digest,
}

impl ActionRules<'_> {
    /// Judges actions one after the other without doing them: whether the actor may do each, why not, and what would change.
    ///
    /// `said` are the words that a parser read the actions from; the references of the actions are words then. `None`: the
    /// references are ids. To do the actions, call [`act`](crate::actor_turns::ActorCommandsExt::act) or
    /// [`perform`](crate::actor_turns::ActorCommandsExt::perform); new things then get other ids than in this record.
    ///
    /// ```
    /// use bevy_dramatis::prelude::*;
    /// use bevy_dramatis::story::action_rules;
    /// use bevy_dramatis::testing::TestGame;
    /// use bevy_dramatis::world::actions::Take;
    /// use bevy_dramatis::world::{ProposedAction, ReasonCode, WorldView};
    ///
    /// let game = TestGame::new(ScriptedEngine::silent());
    /// let take = ProposedAction::of(&Take { target: "key".to_owned() });
    /// let world = WorldView::new(game.world());
    /// let record = action_rules(game.world()).judge(&world, &id!("ann"), None, vec![take]);
    /// assert_eq!(record.actions[0].judgement.result, ReasonCode::NotFound);
    /// assert!(record.changes.is_empty());
    /// ```
    #[must_use]
    pub fn judge(
        &self,
        world: &dyn WorldRead,
        actor: &Id,
        said: Option<&str>,
        actions: Vec<ProposedAction>,
    ) -> TurnRecord {
        let input = TurnInput {
            id: 1,
            kind: said.map_or(TurnKind::Do, |_| TurnKind::Act),
            actor: actor.clone(),
            text: said.map(str::to_owned),
            parsed: actions,
        };
        take_turn(self, TurnKey::default(), world, input, &mut Vec::new())
    }
}

/// Takes a whole turn, without Bevy. The world is only read; install [`TurnRecord::changes`] to make it happen.
///
/// `mentioned` is what the actor can refer back to, and is brought up to date.
pub(crate) fn take_turn(
    rules: &ActionRules,
    key: TurnKey,
    world: &dyn WorldRead,
    input: TurnInput,
    mentioned: &mut Vec<Vec<Id>>,
) -> TurnRecord {
    let mut turn = Turn::new(*rules, key, world, std::mem::take(mentioned));
    let mut record = TurnRecord {
        id: input.id,
        kind: input.kind,
        actor: input.actor,
        text: input.text,
        parsed: input.parsed,
        rejected: Vec::new(),
        clarification: None,
        actions: Vec::new(),
        changes: Vec::new(),
        time: rules.now,
        rulebook: rules.book.digest(),
    };
    for (index, proposed) in record.parsed.iter().enumerate() {
        match judge_one(&mut turn, index, proposed, &record.actor, record.kind) {
            Ok(action) => record.actions.push(action),
            Err(error) => {
                let unclear = Clarification::of(index, proposed, &record.actor, &error, &turn);
                record.clarification = record.clarification.take().or(unclear);
                record.rejected.push(RejectedAction {
                    index,
                    kind: proposed.kind.clone(),
                    result: error.reason(),
                    rule: error.rule(),
                    message: error.to_string(),
                });
            }
        }
    }
    if record.kind == TurnKind::Act && record.parsed.is_empty() {
        record.rejected.push(RejectedAction {
            index: 0,
            kind: String::new(),
            result: ReasonCode::Unknown,
            rule: "empty",
            message: "the words ask for nothing".to_owned(),
        });
    }
    *mentioned = std::mem::take(&mut turn.mentioned);
    record.changes = turn.into_changes();
    record
}

fn judge_one(
    turn: &mut Turn,
    index: usize,
    proposed: &ProposedAction,
    actor: &Id,
    kind: TurnKind,
) -> Result<JudgedAction, ActionError> {
    if index >= MAX_TURN_ACTIONS {
        return Err(ActionError::BadFields {
            action: crate::text::excerpt(&proposed.kind),
            what: format!("comes after {MAX_TURN_ACTIONS} others"),
        });
    }
    if kind == TurnKind::Act {
        // An actor whose words are typed may not fill the world either; the game can do so with a typed action.
        let intent = turn.normalise(proposed, actor, May::AllButIntroduce, &[])?;
        let judgement = turn.apply(&intent);
        return Ok(JudgedAction { intent, judgement });
    }
    let intent = normalise(
        turn.rules.registry,
        proposed,
        actor,
        May::All,
        Referring::ByIds,
    )?;
    let unknown = intent.references().find(|id| !turn.world.exists(id));
    let unknown = unknown.map(|id| format!("there is no \"{id}\""));
    turn.mention(&intent);
    let judgement = match unknown {
        None => turn.apply(&intent),
        // The rulebook may answer NOT_FOUND with its own check, or OUT_OF_TURN; else an unknown id is NOT_FOUND, whatever the
        // rulebook says.
        Some(message) => {
            let judged =
                super::validate::validate(&turn.rules, &turn.world, &intent, turn.spawned > 0);
            if matches!(judged.result, ReasonCode::NotFound | ReasonCode::OutOfTurn) {
                judged
            } else {
                Judgement::denied(ReasonCode::NotFound, "unresolved", message)
            }
        }
    };
    Ok(JudgedAction { intent, judgement })
}
