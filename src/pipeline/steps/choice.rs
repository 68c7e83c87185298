//! Between inference and validation, where a character is asked what it does before it is asked for its words.
//!
//! The reply names one of the things that the character can do now, or nothing. The choice is judged like every action, before the
//! engine asks for words. A choice that cannot be done becomes nothing, and the prompt for the words says why. A further attempt
//! keeps the choice, which is judged again then: the world may have changed.

use super::snapshot::{Ask, NamedAction, Refused, StateSnapshot, Words};
use super::validation::judge_part;
use crate::engine::{Inference, Stage};
use crate::gate::{Failure, FailureReason};
use crate::npc::LoadedCharacter;
use crate::npc::limits_of;
use crate::pipeline::driver::hook::RunStep;
use crate::pipeline::driver::step::{
    RunFault, Step, StepResult, character_component, run_component,
};
use crate::pipeline::run::attempt::{AttemptFailure, CallRecord, ChoiceRecord};
use crate::pipeline::run::{Run, RunPhase};
use crate::pipeline::steps::prompt::AssembledPrompt;
use crate::proposal::{Proposal, parse_choice};
use crate::rules::RuleSeverity;
use crate::story::ActiveStory;
use crate::text::excerpt;
use crate::world::refresh::refresh;
use crate::world::{Intent, WorldView};
use bevy::prelude::*;

/// The step: reads and judges what a character chose, or judges again what it has chosen before.
pub(crate) struct JudgeChoice;

impl Step for JudgeChoice {
    const PHASE: RunPhase = RunPhase::Choosing;
    const READS: Option<RunStep> = Some(RunStep::Choice);
    type Frame = ();

    fn run(&self, world: &mut World, entity: Entity, (): &mut ()) -> StepResult {
        refresh(world);
        let snapshot = run_component::<StateSnapshot>(world, entity)?.clone();
        let (record, words) = match &snapshot.body().ask {
            Ask::Choice(options) => choose(world, entity, options)?,
            Ask::Words(words) => keep(world, entity, words)?,
            Ask::Whole | Ask::Memories | Ask::Diary => return Ok(RunPhase::Prompt),
        };
        let is_mute = words.mute;
        let next = snapshot.for_words(words)?;
        let mut run = world.entity_mut(entity);
        run.insert((record, next));
        Ok(match is_mute {
            // No words are asked for.
            true => RunPhase::Validation,
            false => RunPhase::Prompt,
        })
    }
}

/// Finds the offered action that the reply to a call chooses.
fn choose(
    world: &World,
    entity: Entity,
    options: &[NamedAction],
) -> std::result::Result<(ChoiceRecord, Words), RunFault> {
    let nothing = run_component::<StateSnapshot>(world, entity)?
        .body()
        .words
        .get("nothing");
    let phrases = [nothing].into_iter();
    let phrases = phrases.chain(options.iter().map(|option| option.phrase.as_str()));
    let phrases: Vec<&str> = phrases.collect();
    let run = run_component::<Run>(world, entity)?;
    let character = &character_component::<LoadedCharacter>(world, run)?.0;
    let lexicon = world.resource::<ActiveStory>().0.language_of(character);
    let reply = run_component::<Inference>(world, entity);
    let failure = world.get::<AttemptFailure>(entity);
    let reply = reply.ok().filter(|_| failure.is_none());
    let chosen = reply.and_then(|reply| parse_choice(&reply.bytes, &phrases, lexicon));
    let mut record = ChoiceRecord {
        options: phrases.iter().map(|phrase| (*phrase).to_owned()).collect(),
        ..ChoiceRecord::default()
    };
    let mut words = asked(world, entity)?;
    match chosen.map(|place| place.checked_sub(1).and_then(|at| options.get(at))) {
        None => record.warnings.push(no_choice(reply)),
        Some(None) => {}
        Some(Some(option)) => {
            let (done, finding) = judge(world, entity, option)?;
            record.chosen = done;
            take(option, finding, &mut record, &mut words);
        }
    }
    if !words.mute {
        record.call = Some(call(world, entity)?);
    }
    Ok((record, words))
}

/// Judges the choice of an earlier attempt in the world as it is now.
fn keep(
    world: &World,
    entity: Entity,
    before: &Words,
) -> std::result::Result<(ChoiceRecord, Words), RunFault> {
    let mut record = ChoiceRecord::default();
    let mut words = Words {
        refused: before.refused.clone(),
        ..asked(world, entity)?
    };
    if let Some(option) = &before.does {
        let (_, finding) = judge(world, entity, option)?;
        take(option, finding, &mut record, &mut words);
    }
    Ok((record, words))
}

/// Takes over the choice, or the reason why it cannot be done.
fn take(
    option: &NamedAction,
    finding: Option<Failure>,
    record: &mut ChoiceRecord,
    words: &mut Words,
) {
    match finding {
        None => words.does = Some(option.clone()),
        Some(finding) => {
            words.refused = Some(Refused {
                phrase: option.phrase.clone(),
                why: finding.message.clone(),
            });
            record.warnings.push(Failure {
                rule: "choice_denied".to_owned(),
                severity: RuleSeverity::Soft,
                span: None,
                message: format!("{}: {}", option.phrase, finding.message),
                ..finding
            });
        }
    }
}

/// How words are asked for in the world as it is now.
fn asked(world: &World, entity: Entity) -> std::result::Result<Words, RunFault> {
    let run = run_component::<Run>(world, entity)?;
    let limits = limits_of(world, run.npc_entity());
    Ok(Words::now(&WorldView::new(world), run.npc(), &limits))
}

/// What the gate says of an action that was chosen: the action, or why it cannot be done.
fn judge(
    world: &World,
    entity: Entity,
    option: &NamedAction,
) -> std::result::Result<(Option<Intent>, Option<Failure>), RunFault> {
    let proposal = Proposal::of_action(option.action.clone());
    let verdict = judge_part(world, entity, &proposal, None)?;
    let action = verdict.actions.into_iter().next();
    let Some(mut failure) = verdict.failures.into_iter().next() else {
        return Ok((action.map(|action| action.intent), None));
    };
    if let Some(why) = action.map(|action| action.judgement.message)
        && !why.is_empty()
    {
        failure.message = why;
    }
    Ok((None, Some(failure)))
}

/// That nothing that was offered was chosen.
fn no_choice(reply: Option<&Inference>) -> Failure {
    let message = match reply {
        None => "the engine did not say what the character does".to_owned(),
        Some(reply) => {
            let said = excerpt(&String::from_utf8_lossy(&reply.bytes));
            format!("\"{said}\" is none of the things that the character can do")
        }
    };
    Failure {
        reason: FailureReason::InvalidFormat,
        rule: "no_choice".to_owned(),
        severity: RuleSeverity::Soft,
        span: None,
        message,
    }
}

/// The call that is over.
fn call(world: &World, entity: Entity) -> std::result::Result<CallRecord, RunFault> {
    let failure = world.get::<AttemptFailure>(entity);
    let arrived = world.get::<Inference>(entity).cloned().unwrap_or_default();
    let reply = String::from_utf8_lossy(&arrived.bytes).into_owned();
    Ok(CallRecord {
        stage: Stage::Decide,
        messages: run_component::<AssembledPrompt>(world, entity)?
            .messages()
            .clone(),
        reply: failure.is_none().then_some(reply),
        arrived,
        error: failure.map(|failure| failure.error),
        error_message: failure.map(|failure| failure.message.clone()),
    })
}
