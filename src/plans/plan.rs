//! A plan: what was asked, what was understood, the steps, what the gates say, and how far it has come.

use super::constraint::PlanConstraint;
use super::decision::Decision;
use super::order::PlanProblem;
use super::profile::{Answer, Profile};
use super::quality::{Quality, WEIGHTS};
use super::reach::Reach;
use super::risk::Risk;
use super::targets::TargetState;
use crate::base::canonical::Digest;
use crate::base::fixed::{Millionths, Millis};
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::engine::EngineIdentity;
use crate::judged_world::change::take_back::ChangedParts;
use crate::pipeline::stage::call::StageCall;
use crate::proposal::WishReply;
use crate::rules::TriggerReason;
use crate::world::{Intent, ReasonCode};
use bevy::prelude::{Entity, Reflect};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::fmt;

/// The number of a plan, from 1. It is written `p1`, `p2`, ..
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Reflect,
)]
pub struct PlanId(pub u64);

impl fmt::Display for PlanId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0)
    }
}

impl PlanId {
    /// Reads an id such as `p1`; `None` for every other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let number: u64 = text.strip_prefix('p')?.parse().ok()?;
        (Self(number).to_string() == text).then_some(Self(number))
    }
}

/// How far a plan has come.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Reflect,
)]
#[serde(rename_all = "snake_case")]
pub enum PlanStatus {
    /// A model is asked what is wanted, or how it can be done.
    Planning,
    /// The player is asked whether this is what was meant.
    Asking,
    /// The player is asked whether it may be carried out.
    Pending,
    /// It may be carried out, and has not begun. A trace calls it `approved`.
    #[serde(rename = "approved")]
    Ready,
    /// It is being carried out.
    Running,
    /// All of its steps were carried out.
    Done,
    /// A step failed, or its character went: what it did was taken back.
    RolledBack,
    /// A gate or the player said no.
    Denied,
    /// There is no plan that could be judged.
    Rejected,
    /// It waited too long, or the world has moved on.
    Expired,
    /// Another model serves now than the one that made it.
    Blocked,
}

impl PlanStatus {
    /// Its name in a trace.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Planning => "planning",
            Self::Asking => "asking",
            Self::Pending => "pending",
            Self::Ready => "approved",
            Self::Running => "running",
            Self::Done => "done",
            Self::RolledBack => "rolled_back",
            Self::Denied => "denied",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Blocked => "blocked",
        }
    }

    /// Whether the plan has ended.
    #[must_use]
    pub fn is_over(self) -> bool {
        self >= Self::Done
    }

    /// Whether the player is asked something.
    #[must_use]
    pub fn is_waiting(self) -> bool {
        matches!(self, Self::Asking | Self::Pending)
    }
}

/// One step of a plan.
#[derive(Debug, Clone, PartialEq)]
pub struct PlanStep {
    /// Its id, as the model wrote it.
    pub id: String,
    /// The ids of the steps that come before it.
    pub needs: Vec<String>,
    /// What it does.
    pub intent: Intent,
    /// Why, in the words of the model; empty when it did not say.
    pub why: String,
    /// The ids of the constraints that it says it covers.
    pub covers: Vec<String>,
    /// What the rulebook answered in the dry run.
    pub dry: ReasonCode,
    /// What the rulebook answered when it was carried out; `None` when it has not been asked.
    pub result: Option<ReasonCode>,
    /// Why it was not done, in a sentence for people; `None` when it was, or was not tried.
    pub message: Option<String>,
}

impl PlanStep {
    /// As a trace shows it.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let mut shown = serde_json::to_value(&self.intent).unwrap_or_default();
        if let Some(fields) = shown.as_object_mut() {
            for (name, value) in [
                ("id", json!(self.id)),
                ("needs", json!(self.needs)),
                ("why", json!(self.why)),
                ("covers", json!(self.covers)),
                ("dry", json!(self.dry)),
                ("result", json!(self.result)),
                ("message", json!(self.message)),
            ] {
                fields.insert(name.to_owned(), value);
            }
        }
        shown
    }
}

/// Who asked for a plan, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PlanAsked {
    /// The character that is to plan.
    pub npc: Id,
    /// Who asks; `None` for a goal of the character's own.
    pub speaker: Option<Id>,
    /// Why it responds.
    pub reason: TriggerReason,
    /// The wish in words; empty for a goal that was given as a typed intent.
    pub text: String,
}

/// What a plan waits for, of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Awaited {
    /// Nothing.
    #[default]
    Nothing,
    /// A call that has not begun.
    Call(CallOf),
    /// An answer of this run.
    Answer(CallOf, StageCall),
}

/// Which of the two calls of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum CallOf {
    /// What is wanted.
    Wish,
    /// How it can be done.
    Steps,
}

/// What a plan keeps for itself while it lives.
#[derive(Debug, Clone, Default)]
pub(crate) struct PlanProgress {
    pub awaited: Awaited,
    /// The entity that its runs belong to.
    pub host: Option<Entity>,
    /// Whether the player has said that this is what was meant.
    pub confirmed: bool,
    /// Since when the player is asked, on the clock of silence.
    pub asked_at: Millis,
    /// Since when it is asked, or was proposed, in game time.
    pub waits_since: GameTime,
    /// How its targets were when it was proposed.
    pub targets: Vec<(String, TargetState)>,
    /// What its steps have changed, in their order.
    pub(crate) changed: Vec<ChangedParts>,
    /// How many entities its steps have made.
    pub spawned: usize,
    /// Its place in the order of approval.
    pub turn: u64,
    /// Whether the game holds it.
    pub held: bool,
    /// The model that the player has approved, where it is not the one that made the plan.
    pub bound_to: Option<EngineIdentity>,
    /// Whether the player is asked once more, since the version of the model has changed.
    pub asked_again: bool,
    /// Whether its wish is a goal that the game gave.
    pub is_goal: bool,
    /// What the character is made to see or weigh at the gates, in addition to the plan itself.
    pub judged: Option<Judged>,
}

/// What the gates have judged of a plan when it was proposed.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    pub steps: Vec<super::step_facts::StepFacts>,
    pub forbidden_by: Option<String>,
    pub has_unchecked_constraint: bool,
    pub custom: Vec<(String, Answer)>,
    /// What its steps may touch.
    pub reach: Reach,
    /// Whether the character was inside its scope.
    pub acts_inside: bool,
}

/// A plan, from the wish to its last step.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Its number.
    pub id: PlanId,
    /// Who asked for it, and how.
    pub(crate) asked: PlanAsked,
    /// One id from the wish to the last step, also of plans that are made again for the same wish.
    pub correlation: String,
    /// What was understood; `None` before that.
    pub(crate) wish: Option<WishReply>,
    /// The game's constraints and those of the wish.
    pub(crate) constraints: Vec<PlanConstraint>,
    /// Its steps, in the order in which they are carried out.
    pub steps: Vec<PlanStep>,
    /// What was wrong with the last plan of the model that failed its checks; empty when none did.
    pub(crate) failures: Vec<PlanProblem>,
    /// How often the model had to write the steps again.
    pub regenerations: u32,
    /// How risky it is; `None` before it is proposed.
    pub risk: Option<Risk>,
    /// How good it is; `None` before it is proposed.
    pub(crate) quality: Option<Quality>,
    /// What the gates say; `None` before it is proposed.
    pub decision: Option<Decision>,
    /// The profile in force when it was decided on.
    pub profile: Profile,
    /// How far it has come.
    pub status: PlanStatus,
    /// Why it has not gone on as it should; `None` when it has.
    pub reason: Option<String>,
    /// The id of the player who approved it; `None` when none did.
    pub approved_by: Option<Id>,
    /// What could not be taken back because it has been changed again since: ids of entities and names of flags, sorted.
    pub kept: Vec<String>,
    /// The model that made it, or is asked to; `None` before any was.
    pub model: Option<EngineIdentity>,
    /// The model that answered when it was found to be another than the one that made the plan: the player is shown both. `None`
    /// while they are the same.
    pub model_now: Option<EngineIdentity>,
    /// The numbers of its runs.
    pub runs: Vec<u64>,
    /// When it was proposed, in game time; `None` before that.
    pub proposed_at: Option<GameTime>,
    pub(crate) progress: PlanProgress,
}

impl Plan {
    /// A plan that was asked for just now.
    pub(crate) fn new(id: PlanId, asked: PlanAsked, correlation: String) -> Self {
        Self {
            id,
            asked,
            correlation,
            wish: None,
            constraints: Vec::new(),
            steps: Vec::new(),
            failures: Vec::new(),
            regenerations: 0,
            risk: None,
            quality: None,
            decision: None,
            profile: Profile::default(),
            status: PlanStatus::Planning,
            reason: None,
            approved_by: None,
            kept: Vec::new(),
            model: None,
            model_now: None,
            runs: Vec::new(),
            proposed_at: None,
            progress: PlanProgress::default(),
        }
    }

    /// The id of the character that plans.
    #[must_use]
    pub fn npc(&self) -> &Id {
        &self.asked.npc
    }

    /// The id of who asked for it; `None` for a goal of the character's own.
    #[must_use]
    pub fn speaker(&self) -> Option<&Id> {
        self.asked.speaker.as_ref()
    }

    /// The wish in words; empty for a goal that the game gave.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.asked.text
    }

    /// What was understood: the name of the wish in the taxonomy. `None` before that.
    #[must_use]
    pub fn understood(&self) -> Option<&str> {
        Some(&self.wish.as_ref()?.intent)
    }

    /// How good it is, in thousandths; `None` before it is proposed.
    #[must_use]
    pub fn quality(&self) -> Option<u32> {
        Some(self.quality.as_ref()?.sum)
    }

    /// The step that is carried out next; `None` when there is none left.
    #[must_use]
    pub fn next_step(&self) -> Option<&PlanStep> {
        self.steps.get(self.progress.changed.len())
    }

    /// Whether it has begun to change the world.
    #[must_use]
    pub fn has_begun(&self) -> bool {
        !self.progress.changed.is_empty()
    }

    /// Whether the player may have another plan made for the same words, because neither a gate nor the player has ended this
    /// one: another model serves now, or no model could be reached.
    #[must_use]
    pub fn asks_for_another(&self) -> bool {
        let is_unanswered = self.reason.as_deref() == Some("EngineUnavailable");
        match self.status {
            PlanStatus::Blocked => true,
            PlanStatus::Rejected => is_unanswered,
            _ => false,
        }
    }

    /// The hash of its steps and constraints, to which an approval is bound.
    #[must_use]
    pub fn digest(&self) -> Digest {
        let steps: Vec<Value> = self.steps.iter().map(PlanStep::to_json).collect();
        Digest::of(&json!([
            self.id.to_string(),
            self.constraints_json(),
            steps
        ]))
    }

    fn constraints_json(&self) -> Value {
        let shown = |one: &PlanConstraint| {
            json!({
                "id": one.id,
                "kind": one.spec.kind,
                "scope": one.spec.scope.name(),
                "text": one.spec.text,
                "action": one.spec.action,
                "target": one.spec.target,
                "pattern": one.spec.pattern,
            })
        };
        self.constraints.iter().map(shown).collect()
    }

    /// All of it as a trace shows it, with the numbers of its runs.
    #[must_use]
    pub fn to_json(&self) -> Value {
        let wish = self.wish.as_ref();
        let confidence = wish.map(|wish| Millionths(i64::from(wish.confidence) * 1_000));
        let risk = self.risk.as_ref();
        let factors: Map<String, Value> = risk
            .into_iter()
            .flat_map(|risk| &risk.factors)
            .map(|(name, points)| (name.clone(), json!(points)))
            .collect();
        let boundary: Vec<&str> = risk
            .into_iter()
            .flat_map(|risk| &risk.boundary)
            .filter_map(|at| self.steps.get(*at))
            .map(|step| step.id.as_str())
            .collect();
        let thousandths = |value: u32| Millionths(i64::from(value) * 1_000).to_string();
        let parts: Map<String, Value> = self
            .quality
            .iter()
            .flat_map(|quality| WEIGHTS.iter().zip(quality.parts))
            .map(|((name, _), part)| ((*name).to_owned(), thousandths(part).into()))
            .collect();
        let decision = self.decision.as_ref();
        let gates: Vec<Value> = decision
            .into_iter()
            .flat_map(|decision| &decision.gates)
            .map(|gate| json!({"gate": gate.gate.name(), "result": gate.result, "reason": gate.reason}))
            .collect();
        let deciding = decision.and_then(|decision| decision.deciding_gate.as_ref());
        let failures: Vec<Value> = self
            .failures
            .iter()
            .map(|problem| json!({"rule": problem.rule, "message": problem.message}))
            .collect();
        let mut shown = json!({
            "id": self.id.to_string(),
            "npc": self.asked.npc,
            "text": self.asked.text,
            "correlation": self.correlation,
            "intent": wish.map(|wish| &wish.intent),
            "confidence": confidence.map(|confidence| confidence.to_string()),
            "context": wish.map(|wish| json!(wish.context)).unwrap_or_else(|| json!({})),
            "constraints": self.constraints_json(),
            "steps": self.steps.iter().map(PlanStep::to_json).collect::<Vec<_>>(),
            "failures": failures,
            "regenerations": self.regenerations,
            "risk": risk.map(|risk| risk.points),
            "risk_factors": factors,
            "boundary": boundary,
            "quality": self.quality.map(|quality| thousandths(quality.sum)),
            "quality_parts": parts,
            "gates": gates,
            "decision": decision.map(|decision| decision.decision),
            "deciding_gate": deciding.map(|gate| gate.name()),
            "profile": self.profile.name(),
            "status": self.status.name(),
            "reason": self.reason,
            "approved_by": self.approved_by,
            "kept": self.kept,
            "model": self.model.as_ref().map(model_json),
            "runs": self.runs,
            "proposed_at": self.proposed_at,
        });
        if let (Some(fields), Some(now)) = (shown.as_object_mut(), &self.model_now) {
            fields.insert("model_now".to_owned(), model_json(now));
        }
        shown
    }
}

fn model_json(model: &EngineIdentity) -> Value {
    json!({
        "provider": model.provider,
        "model": model.model,
        "version": model.version,
        "hash": model.hash,
        "json": model.capabilities.json,
        "streaming": model.capabilities.streaming,
        "context_chars": model.capabilities.context_chars,
    })
}
