//! Custom checks in Rust. A check that errs or panics fails the attempt: a gate fails closed.

use super::verdict::{Failure, FailureReason};
use crate::base::extension::{ExtensionError, ask};
use crate::judged_world::WorldRead;
use crate::rules::{Interaction, RuleSeverity};
use crate::text::Span;
use bevy::prelude::Resource;
use std::fmt;
use std::sync::Arc;

/// What a custom check found in a dialogue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckFinding {
    /// Soft is only reported, Hard fails the attempt, Critical ends the run.
    pub severity: RuleSeverity,
    /// The offending words, in characters of the dialogue; `None` where no words can be named.
    pub span: Option<Span>,
    /// Why, in one sentence: for people, and for the feedback of the next attempt.
    pub message: String,
}

type CheckFunction = dyn Fn(&str, &Interaction, &dyn WorldRead) -> Result<Option<CheckFinding>, ExtensionError>
    + Send
    + Sync;

/// A check in Rust over the dialogue of every reply, and over all other words where it says so.
///
/// It sees the dialogue, the interaction and the world, and must be pure: a replay calls it again and expects the same
/// answer. When it answers with an error or panics, the attempt fails (Hard) and the error is logged.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::gate::{CheckFinding, CustomCheck};
/// use bevy_dramatis::prelude::*;
/// use bevy_dramatis::rules::RuleSeverity;
///
/// let no_shouting = CustomCheck::new("no_shouting", |dialogue, _interaction, _world| {
///     Ok(dialogue.ends_with("!!!").then(|| CheckFinding {
///         severity: RuleSeverity::Hard,
///         span: None,
///         message: "do not shout".to_owned(),
///     }))
/// }).
/// for_npc("wizard");
/// App::new().add_plugins((MinimalPlugins, DramatisPlugins::silent())).add_check(no_shouting);
/// ```
#[derive(Clone)]
pub struct CustomCheck {
    id: String,
    npc: Option<String>,
    trigger: Option<String>,
    all_words: bool,
    whole_lines: bool,
    check: Arc<CheckFunction>,
}

impl CustomCheck {
    /// A check for every reply of every character. `id` names it in verdicts. `check` answers with a finding, with none,
    /// or with an error, which fails the attempt.
    pub fn new(
        id: impl Into<String>,
        check: impl Fn(
            &str,
            &Interaction,
            &dyn WorldRead,
        ) -> Result<Option<CheckFinding>, ExtensionError>
        + Send
        + Sync
        + 'static,
    ) -> Self {
        Self {
            id: id.into(),
            npc: None,
            trigger: None,
            all_words: false,
            whole_lines: false,
            check: Arc::new(check),
        }
    }

    /// Limits it to the character with this id.
    #[must_use]
    pub fn for_npc(mut self, npc: impl Into<String>) -> Self {
        self.npc = Some(npc.into());
        self
    }

    /// Limits it to interactions with this trigger id.
    #[must_use]
    pub fn for_trigger(mut self, trigger: impl Into<String>) -> Self {
        self.trigger = Some(trigger.into());
        self
    }

    /// Asks it about all other words of a reply too: what is to be remembered, and the words inside actions. A Hard or
    /// Critical finding in a memory rejects only that memory; one in an action fails the attempt, as prohibiting rules in
    /// data do. Without this it is asked only about the dialogue: right for a check that requires something to be said.
    ///
    /// ```
    /// # use bevy_dramatis::gate::{CheckFinding, CustomCheck};
    /// # use bevy_dramatis::rules::RuleSeverity;
    /// let no_numbers = CustomCheck::new("no_numbers", |words, _interaction, _world| {
    ///     Ok(words.chars().any(|c| c.is_ascii_digit()).then(|| CheckFinding {
    ///         severity: RuleSeverity::Hard,
    ///         span: None,
    ///         message: "write numbers as words".to_owned(),
    ///     }))
    /// }).
    /// for_all_words();
    /// ```
    #[must_use]
    pub fn for_all_words(mut self) -> Self {
        self.all_words = true;
        self
    }

    /// Asks it about whole lines only. Without this, where a line is heard sentence by sentence
    /// ([`Delivery::Sentences`](crate::pipeline::Delivery::Sentences)), the check is asked before each sentence is heard, about
    /// everything that was said up to its end. Use it for a check that requires something to be said: then only the last sentence
    /// is held back.
    #[must_use]
    pub fn for_whole_lines(mut self) -> Self {
        self.whole_lines = true;
        self
    }

    fn applies(&self, interaction: &Interaction) -> bool {
        self.npc.as_deref().is_none_or(|npc| interaction.npc == npc)
            && (self.trigger.is_none() || self.trigger.as_deref() == interaction.trigger_id)
    }
}

impl fmt::Debug for CustomCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CustomCheck").field(&self.id).finish()
    }
}

/// All custom checks of a game, in the order in which they were registered, which is the order of their findings. The
/// game writes it while the app is built.
#[derive(Resource, Debug, Clone, Default)]
pub(crate) struct CustomChecks(pub Vec<CustomCheck>);

/// Which words of a reply a check is asked about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckedWords {
    /// What is spoken, to its end.
    Dialogue,
    /// What is spoken, up to the end of a sentence that more may follow.
    Sentence,
    /// Words that the reply wants remembered, or words in an action.
    Content,
}

impl CustomChecks {
    pub(super) fn judge(
        &self,
        which: CheckedWords,
        words: &str,
        interaction: &Interaction,
        world: &dyn WorldRead,
    ) -> Vec<Failure> {
        let applying = self.0.iter().filter(|check| {
            check.applies(interaction)
                && match which {
                    CheckedWords::Dialogue => true,
                    CheckedWords::Sentence => !check.whole_lines,
                    CheckedWords::Content => check.all_words,
                }
        });
        applying
            .filter_map(|check| {
                let answer = ask(|| (check.check)(words, interaction, world));
                let finding = answer.unwrap_or_else(|error| {
                    log::error!("the custom check \"{}\" failed: {error}", check.id);
                    Some(CheckFinding {
                        severity: RuleSeverity::Hard,
                        span: None,
                        message: format!("the check could not judge: {error}"),
                    })
                })?;
                Some(Failure {
                    reason: FailureReason::CustomRule,
                    rule: check.id.clone(),
                    severity: finding.severity,
                    span: finding.span,
                    message: finding.message,
                })
            })
            .collect()
    }
}
