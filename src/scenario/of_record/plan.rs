//! A plan, as the steps that ask for it and let it go on, with the replies of its two calls.

use super::error::{NotWritten, Unsayable};
use super::replies;
use super::run::{advance, parts, reason_of};
use super::script::{Said, ScenarioWish, Script, Wished, WishedPlace};
use super::text::{list, quoted};
use crate::base::ids::Id;
use crate::engine::Stage;
use crate::journal::record::RecordBody;
use crate::journal::record::run_timeline::Moment;
use crate::journal::{Recorded, ReplayError};
use crate::plans::event::PlanInput;
use crate::plans::plan::{CallOf, PlanAsked};
use crate::plans::{PlanSettings, Taxonomy};
use crate::proposal::Finish;

/// A plan, with those that it was made in place of.
pub(super) struct Chain {
    /// When the first of them was asked for.
    pub began: Moment,
    /// Their ids, the last one first.
    plans: Vec<String>,
}

/// Looks the plans up that one was made in place of.
pub(super) fn chain(
    recording: &dyn Recorded,
    said: &Said,
    plan: &str,
) -> Result<Chain, NotWritten> {
    let mut plans = vec![plan.to_owned()];
    for seq in (recording.first()..=said.seq).rev() {
        let earlier = Said::read(recording, seq)?;
        match event(&earlier, &plans)? {
            Some(PlanInput::Asked {
                again: Some(again), ..
            }) => plans.push(again.to_string()),
            Some(PlanInput::Asked { again: None, .. }) => {
                let began = Moment {
                    after: seq - 1,
                    game: earlier.game.0,
                };
                return Ok(Chain { began, plans });
            }
            _ if matches!(earlier.says, RecordBody::Checkpoint(_)) => break,
            _ => {}
        }
    }
    Err("it was asked for before this part of the recording".into())
}

/// What happened to one of these plans in a record; `None` where nothing did.
fn event(said: &Said, plans: &[String]) -> Result<Option<PlanInput>, Unsayable> {
    match &said.says {
        RecordBody::Plan { inputs, .. } if plans.contains(&inputs.plan) => {
            let input = serde_json::from_value(inputs.event.clone());
            Ok(Some(
                input.map_err(|_| "what happened to a plan cannot be read")?,
            ))
        }
        _ => Ok(None),
    }
}

/// All that happened to the plan until the reply that is meant, as steps.
pub(super) fn script(
    recording: &dyn Recorded,
    said: &Said,
    Chain { began, plans }: &Chain,
    wish: &ScenarioWish,
    player: Option<&Id>,
) -> Result<Script, NotWritten> {
    let npc = said.fields.get("npc").and_then(serde_json::Value::as_str);
    let npc = npc.ok_or("the character of a plan is missing")?;
    let mut replies = Vec::new();
    // What asks for it, and what the game did while the first call was awaited.
    let (mut ask, mut meanwhile) = (String::new(), Vec::new());
    let mut steps = Vec::new();
    let mut calls = 0;
    let mut now = began.game;
    for seq in began.after + 1..=said.seq {
        let found = Said::read(recording, seq)?;
        let Some(input) = event(&found, plans)? else {
            match &found.says {
                RecordBody::Refused(_) | RecordBody::Checkpoint(_) | RecordBody::Part(_) => {}
                RecordBody::Write(write) if calls == 0 => meanwhile.extend(parts(&write.now)?),
                _ => return Err("something else happened while it was made".into()),
            }
            continue;
        };
        match input {
            PlanInput::Asked { goal: Some(_), .. } => {
                return Err("a character has a goal of its own".into());
            }
            PlanInput::Asked { model: None, .. } => return Err("no model serves the plan".into()),
            PlanInput::Asked {
                again: Some(again), ..
            } => steps.push(format!("Regenerate(plan: {})", quoted(&again.to_string()))),
            PlanInput::Asked { asked, .. } => ask = asks(&asked, player)?,
            PlanInput::Answered {
                of: CallOf::Steps,
                reply,
                finish,
                ..
            } if seq == said.seq && wish.key.attempt == 0 => {
                let other = wish.reply.as_ref().filter(|other| **other != reply);
                let is_cut = other.is_none() && finish == Finish::Length;
                let only = only(CallOf::Steps, npc);
                replies.push(replies::said(other.unwrap_or(&reply), is_cut, &only));
            }
            _ if seq == said.seq => return Err(NotWritten::NoReply),
            PlanInput::Answered {
                of, reply, finish, ..
            } => {
                let is_cut = finish == Finish::Length;
                replies.push(replies::said(&reply, is_cut, &only(of, npc)));
                calls += 1;
            }
            // The record of the new plan follows, and writes the step.
            PlanInput::Regenerated => steps.extend(advance(&mut now, found.game.0)),
            PlanInput::Granted { by, .. } if Some(&by) == player => {
                steps.extend(advance(&mut now, found.game.0));
                let RecordBody::Plan { inputs, .. } = &found.says else {
                    continue;
                };
                steps.push(format!("Approve(plan: {})", quoted(&inputs.plan)));
            }
            PlanInput::Granted { .. } => {
                return Err("another actor than the player approves a plan".into());
            }
            _ => return Err("something else happened to it while it was made".into()),
        }
    }
    let meanwhile = match meanwhile.is_empty() {
        true => String::new(),
        false => format!(", while_waiting: [{}]", meanwhile.join(", ")),
    };
    steps.insert(0, format!("Ask({ask}{meanwhile})"));
    let judged_by = settings(recording, said.seq)?;
    let judged_by = judged_by.as_ref().map(written).transpose()?;
    Ok(Script {
        settings: judged_by.unwrap_or_default(),
        replies,
        steps,
        wished: Wished {
            npc: npc.parse().ok(),
            place: WishedPlace::Plan {
                plan: plans.len() - 1,
                run: calls,
            },
        },
    })
}

/// How plans were judged at this record: the last record that holds settings says it.
fn settings(recording: &dyn Recorded, last: u64) -> Result<Option<PlanSettings>, ReplayError> {
    for seq in (recording.first()..=last).rev() {
        if let RecordBody::Plan { inputs, .. } = Said::read(recording, seq)?.says
            && inputs.settings.is_some()
        {
            return Ok(inputs.settings);
        }
    }
    Ok(None)
}

/// The field of a scenario that says how plans are judged.
fn written(judged_by: &PlanSettings) -> Result<String, Unsayable> {
    let no_text = |_| "settings of plans that have no text";
    let taxonomy = match *judged_by.taxonomy == *Taxonomy::npc() {
        true => String::new(),
        false => {
            let written = ron::to_string(&*judged_by.taxonomy).map_err(no_text)?;
            format!("taxonomy: {written}, ")
        }
    };
    let constraints = ron::to_string(&judged_by.constraints).map_err(no_text)?;
    let profile = |profile| ron::to_string(&profile).map_err(no_text);
    Ok(format!(
        "    plans: ({taxonomy}profile: {}, ceiling: {}, approver: {}, scope: {}, protected_kinds: {}, \
         constraints: {constraints}),\n",
        profile(judged_by.profile)?,
        profile(judged_by.ceiling)?,
        judged_by.has_approver,
        list(&judged_by.scope.iter().collect::<Vec<_>>()),
        list(&judged_by.protected_kinds.iter().collect::<Vec<_>>()),
    ))
}

/// The calls that a reply answers: those for this part of a plan, for this character.
fn only(of: CallOf, npc: &str) -> String {
    let stage = match of {
        CallOf::Wish => Stage::PlanIntent,
        CallOf::Steps => Stage::Plan,
    };
    format!("stage: {stage:?}, npc: {}", quoted(npc))
}

/// The fields that ask for a plan.
fn asks(asked: &PlanAsked, player: Option<&Id>) -> Result<String, Unsayable> {
    let speaker = asked.speaker.as_ref();
    let speaker = speaker.ok_or("a character has a goal of its own")?;
    if asked.reason != reason_of(speaker, player) {
        return Err("a plan is asked for, for a reason of another kind");
    }
    let from = match Some(speaker) == player {
        true => String::new(),
        false => format!(", from: {}", quoted(speaker)),
    };
    let (npc, text) = (quoted(&asked.npc), quoted(&asked.text));
    Ok(format!("npc: {npc}, text: {text}{from}"))
}
