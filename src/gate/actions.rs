//! Judging what a reply wants done: each action is normalised, its words are judged like speech, and the
//! rulebook decides, in sequence on a working copy of the world.

use super::approved::{Approved, SpendsApprovals};
use super::context::{ActionContext, GateContext};
use super::degenerate::{self, Names};
use super::verdict::{Failure, FailureReason, RejectedIntent, Verdict};
use super::words::{self, CanonCheck};
use crate::base::time::GameTime;
use crate::judged_world::change::apply::TurnKey;
use crate::judged_world::change::difference::{DecisionInputs, changed_since};
use crate::judged_world::{
    ActionError, ActionRules, Intent, JudgedAction, JudgedChange, Judgement, Overlay, Turn,
    WorldRead,
};
use crate::proposal::ProposedAction;
use crate::rules::RuleSeverity;

/// The most intents of one reply that are judged; each further one is rejected and so fails the attempt.
pub const MAX_INTENTS: usize = 64;

/// Judges each intent. One that cannot be fails the attempt: the character would promise what cannot happen.
pub(super) fn judge(
    context: &GateContext,
    proposed: &[&ProposedAction],
    verdict: &mut Verdict,
) -> Vec<Intent> {
    let actions = &context.actions;
    let known = actions.seen.entities.iter().map(|(id, _)| id.clone());
    let mut turn = Turn::new(
        actions.rules,
        actions.key.clone(),
        context.world,
        Vec::new(),
    )
    .with_known(known);
    if let Some(speaker) = actions.seen.speaker {
        turn = turn.with_speaker(speaker);
    }
    if let Some(told) = &actions.seen.told {
        turn = turn.with_told(told.clone());
    }
    let mut understood = Vec::new();
    for (index, action) in proposed.iter().enumerate() {
        let intent = match normalise(context, &mut turn, index, action) {
            Ok(intent) => intent,
            Err(error) => {
                let message = format!("{} ({}): {error}", error.reason(), error.rule());
                reject(verdict, &action.kind, error.rule(), message);
                continue;
            }
        };
        let said = intent.words();
        for found in said.flat_map(|said| words::judge_content(context, said, CanonCheck::Aloud)) {
            // A span refers to the dialogue; the message quotes the words.
            verdict.add(Failure {
                span: None,
                ..found
            });
        }
        let spoken = intent.text("content").filter(|_| intent.kind() == "speak");
        for found in spoken.into_iter().flat_map(|words| {
            degenerate::judge_words(Names::of(context), words, actions.rules.lexicon)
        }) {
            verdict.add(Failure {
                span: None,
                ..found
            });
        }
        if let Some(found) = said_by_newcomer(context, &intent) {
            verdict.add(Failure {
                span: None,
                ..found
            });
        }
        let judgement = turn.apply(&intent);
        if !judgement.is_ok() {
            let failure = denied(&intent, &judgement, actions, context.world);
            reject(verdict, &action.kind, &failure.rule, failure.message);
        }
        let action = JudgedAction { intent, judgement };
        verdict.actions.push(action.clone());
        understood.push(action.intent);
    }
    understood
}

/// What the name and the kind of a new entity say together, since they will appear together.
fn said_by_newcomer(context: &GateContext, intent: &Intent) -> Option<Failure> {
    let (name, kind) = (intent.text("name")?, intent.text("kind")?);
    let kind = kind.replace(['_', '-', '.'], " ");
    let read = [format!("{name} {kind}"), format!("{name} is {kind}")];
    let mut found = read
        .iter()
        .flat_map(|words| words::judge_content(context, words, CanonCheck::Aloud));
    found.next()
}

/// Judges what is said in one breath: the dialogue and the words of every `speak` after it, so that nothing is said in two
/// pieces that may not be said in one.
pub(super) fn judge_together(
    context: &GateContext,
    dialogue: &str,
    intents: &[Intent],
    verdict: &mut Verdict,
) {
    let spoken = intents.iter().filter(|intent| intent.kind() == "speak");
    let spoken: Vec<&str> = spoken.filter_map(|intent| intent.text("content")).collect();
    if spoken.is_empty() || dialogue.is_empty() && spoken.len() < 2 {
        return;
    }
    let together = [&[dialogue][..], &spoken].concat().join(" ");
    for found in words::judge_content(context, &together, CanonCheck::Aloud) {
        let is_known = verdict
            .failures
            .iter()
            .any(|known| known.rule == found.rule && known.reason == found.reason);
        if !is_known {
            verdict.add(Failure {
                span: None,
                ..found
            });
        }
    }
}

fn normalise(
    context: &GateContext,
    turn: &mut Turn,
    index: usize,
    action: &ProposedAction,
) -> Result<Intent, ActionError> {
    if index >= MAX_INTENTS {
        return Err(ActionError::BadFields {
            action: crate::text::excerpt(&action.kind),
            what: format!("comes after {MAX_INTENTS} others"),
        });
    }
    turn.normalise(
        action,
        context.interaction.npc,
        context.may,
        context.actions.people,
    )
}

fn reject(verdict: &mut Verdict, kind: &str, rule: &str, message: String) {
    verdict.rejected_intents.push(RejectedIntent {
        kind: kind.to_owned(),
        rule: rule.to_owned(),
        message: message.clone(),
    });
    verdict.add(rejected(rule.to_owned(), message));
}

fn rejected(rule: String, message: String) -> Failure {
    Failure {
        reason: FailureReason::ActionRejected,
        rule,
        severity: RuleSeverity::Hard,
        span: None,
        message,
    }
}

/// What to say of an action that the rulebook denies: the reason code, the rule, and what has changed since the character
/// looked, of all that the rule looks at.
fn denied(
    intent: &Intent,
    judgement: &Judgement,
    actions: &ActionContext,
    world: &dyn WorldRead,
) -> Failure {
    let rule = judgement.rule.clone().unwrap_or_default();
    let mut message = format!("{} ({rule}): {}", judgement.result, judgement.message);
    let concerns = DecisionInputs::of(&actions.rules, world, intent, &rule);
    let seen = actions.seen.entities.iter();
    let before = seen.filter(|(id, _)| concerns.ids.contains(id.as_str()));
    let mut changed = changed_since(
        before.map(|(id, view)| (id.as_str(), view)),
        world,
        intent.actor(),
    );
    let flags = actions.seen.flags.iter();
    for (name, was) in flags.filter(|(name, _)| concerns.flags.contains(name)) {
        if world.flag(name) != *was {
            changed.push(format!("the flag {name} was {was} and is {} now", !was));
        }
    }
    if concerns.time && actions.rules.now != actions.seen.time {
        let seconds = |time: GameTime| time.0.div_euclid(1_000);
        changed.push(format!(
            "the time was second {} and is second {} now",
            seconds(actions.seen.time),
            seconds(actions.rules.now)
        ));
    }
    if !changed.is_empty() {
        message.push_str("; since you looked, ");
        message.push_str(&changed.join(", "));
    }
    rejected(rule, message)
}

/// The rulebook's answer to actions that were approved before, on the world as it is now.
#[derive(Debug)]
pub(crate) struct Recheck {
    /// Each action with its answer, in order.
    pub actions: Vec<JudgedAction>,
    /// What the actions change together, ready to be installed; or why they may not happen any more.
    pub changes: Result<Approved<Vec<JudgedChange>>, Vec<Failure>>,
}

/// Judges approved actions once more at the moment of commit, since the world may have changed. The changes are approved for
/// run number `run` when every action still passes; an intent that was approved for another run does not pass.
#[must_use]
pub(crate) fn recheck(
    context: &ActionContext,
    world: &dyn WorldRead,
    run: u64,
    intents: &[Approved<Intent>],
) -> Recheck {
    let (actions, changes) = judge_again(context, world, intents.iter().map(Approved::get));
    let foreign = intents.iter().filter(|intent| !intent.is_for_run(run));
    let foreign: Vec<Failure> = foreign
        .map(|intent| {
            let kind = intent.get().kind();
            let message = format!(
                "{kind} was approved for {}, not for run {run}",
                intent.owner()
            );
            rejected("approval".to_owned(), message)
        })
        .collect();
    let changes = match changes {
        Ok(changes) if foreign.is_empty() => Ok(Approved::new(run, changes)),
        Ok(_) => Err(foreign),
        Err(failures) => Err(failures.into_iter().chain(foreign).collect()),
    };
    Recheck { actions, changes }
}

/// Actions that are judged as one turn.
pub(crate) struct ActionsOfTurn<'a> {
    /// What the ids of newcomers are derived from.
    pub key: &'a TurnKey,
    /// How many entities the turn has made already.
    pub spawned: usize,
    /// What is to be done, in order.
    pub intents: &'a [Intent],
}

/// Judges actions on the world as it is now, turn after turn, each on what those before it leave. What they change together is
/// approved for `owner`; only `owner` can have it installed.
///
/// # Errors
/// The first action that may not be done, with the answer of the rulebook.
pub(crate) fn approve_actions<'a>(
    owner: &impl SpendsApprovals,
    rules: ActionRules,
    world: &dyn WorldRead,
    turns: impl IntoIterator<Item = ActionsOfTurn<'a>>,
) -> Result<Approved<Vec<JudgedChange>>, Box<JudgedAction>> {
    let mut changes: Vec<JudgedChange> = Vec::new();
    for of_turn in turns {
        let before = Overlay::after(world, &changes);
        let turn = Turn::new(rules, of_turn.key.clone(), &before, Vec::new());
        let mut turn = turn.with_spawned(of_turn.spawned);
        for intent in of_turn.intents {
            let judgement = turn.apply(intent);
            if !judgement.is_ok() {
                let intent = intent.clone();
                return Err(Box::new(JudgedAction { intent, judgement }));
            }
        }
        let made = turn.into_changes();
        changes.extend(made);
    }
    Ok(Approved::new_for(owner.approved_for(), changes))
}

/// Judges actions, in sequence, against the world as it is now: each action with its answer, and the changes that they
/// make together, or what failed.
pub(crate) fn judge_again<'i>(
    context: &ActionContext,
    world: &dyn WorldRead,
    intents: impl IntoIterator<Item = &'i Intent>,
) -> (Vec<JudgedAction>, Result<Vec<JudgedChange>, Vec<Failure>>) {
    let mut turn = Turn::new(context.rules, context.key.clone(), world, Vec::new());
    let mut failures = Vec::new();
    let mut judged = Vec::new();
    for intent in intents {
        let judgement = turn.apply(intent);
        if !judgement.is_ok() {
            failures.push(denied(intent, &judgement, context, world));
        }
        let intent = intent.clone();
        judged.push(JudgedAction { intent, judgement });
    }
    let changes = if failures.is_empty() {
        Ok(turn.into_changes())
    } else {
        Err(failures)
    };
    (judged, changes)
}
