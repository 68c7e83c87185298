//! The options of a run: attempts, escalation, deadline, and what happens when no attempt passes.

use bevy::prelude::*;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// What a retry adds to the constraints of the attempt before it.
///
/// Feedback on the failed attempt and a new sampling seed come with every retry, whatever is chosen here.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Reflect, Serialize, Deserialize)]
pub enum Escalation {
    /// The constraints stay as they are.
    None,
    /// For each violated prohibition, one more prohibition: it states the rule again, without the words that broke it. The
    /// default.
    #[default]
    AddSpecificProhibition,
    /// Requirements that were not met become Hard and are restated as a must.
    HardenRequirements,
    /// Both: a prohibition for each violation, and hardened requirements.
    Full,
}

/// When a line is heard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Reflect, Serialize, Deserialize)]
pub enum Delivery {
    /// When all of it was judged and committed, as [`Spoke`](crate::events::Spoke). The default.
    #[default]
    Whole,
    /// Sentence by sentence while the reply is still coming, each as soon as it was judged, as
    /// [`SpokeSentence`](crate::events::SpokeSentence); what the reply does is still committed at the end.
    ///
    /// What was heard stays heard. When a later sentence fails, its call is cancelled, and the next attempt goes on from what
    /// was said. It applies to dialogue only, and to no sealed run.
    Sentences,
}

/// In how many calls a character is asked for its reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Reflect, Serialize, Deserialize)]
pub enum Form {
    /// One call, one reply: words, memories and actions together.
    #[default]
    Together,
    /// The character is first asked what it does: it chooses one of the things that it can do now, in plain words, or nothing.
    /// Then it is asked for its words alone, as prose. A small model can play this form.
    ///
    /// It applies to dialogue only, and to no sealed run.
    Apart,
}

/// What happens when a character repeats what it has just said ([`Limits::echo`](crate::limits::Limits::echo)).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Reflect, Serialize, Deserialize)]
pub(crate) enum Echo {
    /// It is reported, and the line is heard. The default.
    #[default]
    Soft,
    /// The attempt fails, and the character is asked for another line.
    Hard,
}

/// Whether a character must speak the language of its lexicon.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Reflect, Serialize, Deserialize)]
pub(crate) enum ReplyLanguage {
    /// The gate does not check the language. The default.
    #[default]
    Off,
    /// A line of four words or more in another script, or in another one of the languages that the crate ships (English and
    /// German), fails the attempt. The gate looks for the common words of the languages, so a line without any passes.
    Check,
}

/// How many attempts a run makes, how long it may take, and how it ends when none of them passes. Plain data, with one
/// preset for each kind of run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Reflect, Serialize, Deserialize)]
pub struct RunPolicy {
    /// The maximum number of attempts. Set 1 or more: with 0 the run fails before its first attempt.
    pub max_attempts: u32,
    /// What a retry adds to the constraints.
    pub escalation: Escalation,
    /// How long the whole run may take, in call time, to the millisecond, counted from its start. A reply that arrives exactly
    /// at the deadline is in time.
    ///
    /// If the policy allows several attempts and a call brings no byte for a third of the deadline, the engine room starts the
    /// same call again, at most twice. It uses the first reply that arrives. It does not do this for an engine that limits its
    /// calls ([`Capacity`](crate::engine::Capacity)).
    #[serde(with = "crate::base::fixed::in_millis")]
    pub deadline: Duration,
    /// Whether an authored line is spoken when no attempt passed. Without it the run ends as
    /// [`Outcome::Failed`](crate::pipeline::Outcome::Failed), or as `Rejected` when it is sealed.
    pub fallback: bool,
    /// `true`: an error of the engine counts as an empty reply, and a run without an accepted reply ends as `Rejected`.
    pub sealed: bool,
    /// How many times the plugin repeats a call that failed before its reply was complete. A repeat is no attempt. The plugin waits
    /// 1, 2, 4, .. seconds of call time before each repeat; an answer resets the count. Above 0, `deadline` limits each call. 0: the
    /// failed call counts as an attempt, and `deadline` limits the run. Left out of records where it is 0.
    #[serde(default, skip_serializing_if = "crate::base::is_default")]
    pub fault_retries: u32,
    /// When its line is heard. Left out of records where it is heard as a whole.
    #[serde(default, skip_serializing_if = "crate::base::is_default")]
    pub delivery: Delivery,
    /// In how many calls its reply is asked for. `None`: as the file of the character or of the story says, else as suits the
    /// engine ([`Capabilities::form`](crate::engine::Capabilities)). Left out of records of runs whose reply was asked for in
    /// one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<Form>,
}

impl RunPolicy {
    /// For talk: three attempts within 30 seconds, one more prohibition for each violation, then an authored line.
    pub const DIALOGUE: Self = Self {
        max_attempts: 3,
        escalation: Escalation::AddSpecificProhibition,
        deadline: Duration::from_secs(30),
        fallback: true,
        sealed: false,
        fault_retries: 0,
        delivery: Delivery::Whole,
        form: None,
    };

    /// For a stage of an adventure: two attempts within 60 seconds, one more prohibition for each violation, and no authored
    /// line: the turn fails.
    pub const STAGE: Self = Self {
        max_attempts: 2,
        deadline: Duration::from_secs(60),
        fallback: false,
        ..Self::DIALOGUE
    };

    /// For a call of a plan: four attempts of 30 seconds each, which are one and three regenerations. A call that failed on its
    /// way does not count as an attempt: it is made again after 1, 2 and 4 seconds.
    pub const PLAN: Self = Self {
        max_attempts: 4,
        escalation: Escalation::None,
        fallback: false,
        fault_retries: 3,
        ..Self::DIALOGUE
    };

    /// One call within 30 seconds, no retry, no authored line. Every fault of the engine is an empty reply, and a rejection is
    /// a normal outcome.
    pub const SEALED: Self = Self {
        max_attempts: 1,
        escalation: Escalation::None,
        fallback: false,
        sealed: true,
        ..Self::DIALOGUE
    };
}

impl RunPolicy {
    /// The same policy with another delivery. A sealed one keeps its own.
    #[must_use]
    pub const fn delivered(self, delivery: Delivery) -> Self {
        match self.sealed {
            true => self,
            false => Self { delivery, ..self },
        }
    }

    /// The same policy with another form. A sealed one keeps its own.
    #[must_use]
    pub const fn asked(self, form: Form) -> Self {
        match self.sealed {
            true => self,
            false => Self {
                form: Some(form),
                ..self
            },
        }
    }

    /// The policy of a run that starts, whose engine suits this form.
    pub(crate) fn suited(self, engine: Form) -> Self {
        let form = self.form.unwrap_or(engine);
        Self {
            form: (form == Form::Apart && !self.sealed).then_some(form),
            ..self
        }
    }

    /// Whether what the character does is asked for apart from its words.
    pub(crate) fn is_apart(&self) -> bool {
        self.form == Some(Form::Apart) && !self.sealed
    }
}

impl Default for RunPolicy {
    fn default() -> Self {
        Self::DIALOGUE
    }
}

/// The policy with which dialogue runs start. A change counts for runs that start after it.
#[derive(Resource, Debug, Clone, Copy, Default, PartialEq, Eq, Reflect, Serialize, Deserialize)]
#[reflect(Resource, Default)]
pub struct DialoguePolicy(pub RunPolicy);
