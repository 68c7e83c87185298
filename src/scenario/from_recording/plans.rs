//! What happened to plans, as steps with the replies of their two calls. Each step of a plan happens by itself.

use super::error::{NotWritten, Unsayable};
use super::lines::{Lines, Wished, WishedPlace};
use super::reading::Said;
use super::replies;
use super::text::{list, quoted};
use super::wish::ScenarioWish;
use crate::base::fixed::Millis;
use crate::base::time::GameTime;
use crate::engine::Stage;
use crate::journal::game::saved_game::Settings;
use crate::journal::record::PlanInputs;
use crate::pipeline::RunPolicy;
use crate::plans::event::PlanInput;
use crate::plans::plan::{CallOf, PlanAsked};
use crate::plans::{MAX_AGE, PlanSettings, SILENCE, Taxonomy};
use crate::proposal::Finish;
use crate::rules::TriggerReason;
use serde_json::Value;
use std::collections::BTreeMap;

/// Plans of a recording, as far as they are written.
#[derive(Default)]
pub(super) struct PlanSteps {
    /// How plans are judged; `None` before the first one.
    judged_by: Option<PlanSettings>,
    /// Their numbers in the scenario, from 0, by their ids in the recording.
    numbers: BTreeMap<String, usize>,
    /// Since when they wait for their player, in the time of the scenario, by their ids in the recording.
    waiting: BTreeMap<String, GameTime>,
    /// The plan that is made or carried out now: a scenario does nothing else before that is done.
    under_way: Option<UnderWay>,
}

/// A plan that is made or carried out.
struct UnderWay {
    /// Its id in the recording.
    plan: String,
    /// Which of the steps of the scenario has begun it, or let it go on.
    at: usize,
    /// That step, but for what is done meanwhile.
    begins: Begins,
    /// What the game does while the first call is awaited.
    while_waiting: Vec<String>,
    /// What the game does after steps of the plan.
    between: BTreeMap<String, Vec<String>>,
    /// The step of the plan that was carried out last; `None` before the first.
    last_step: Option<String>,
    /// How many of its calls are over since that step.
    calls: usize,
}

/// A step of a scenario that lets a plan begin or go on, with its fields as they are written.
enum Begins {
    Ask(String),
    Approve(String),
    Regenerate(String),
}

impl UnderWay {
    fn step(&self) -> String {
        let mut more = String::new();
        if !self.while_waiting.is_empty() {
            more.push_str(&format!(
                ", while_waiting: [{}]",
                self.while_waiting.join(", ")
            ));
        }
        if !self.between.is_empty() {
            let between = self.between.iter();
            let between: Vec<String> = between
                .map(|(step, does)| format!("{}: [{}]", quoted(step), does.join(", ")))
                .collect();
            more.push_str(&format!(", between: {{{}}}", between.join(", ")));
        }
        match &self.begins {
            Begins::Ask(fields) => format!("Ask({fields}{more})"),
            Begins::Approve(fields) => format!("Approve({fields}{more})"),
            Begins::Regenerate(fields) => format!("Regenerate({fields})"),
        }
    }
}

impl PlanSteps {
    /// Makes sure that nothing else happens while a plan is made or carried out.
    pub fn nothing_under_way(&self) -> Result<(), Unsayable> {
        match self.under_way {
            None => Ok(()),
            Some(_) => Err("it happened while a plan was made or carried out"),
        }
    }

    /// Keeps what the game did for the plan that was made or carried out meanwhile; gives it back where none was.
    pub fn meanwhile(&mut self, does: Vec<String>) -> Result<Option<Vec<String>>, Unsayable> {
        let Some(under_way) = &mut self.under_way else {
            return Ok(Some(does));
        };
        match (&under_way.last_step, &under_way.begins) {
            (Some(step), Begins::Ask(_) | Begins::Approve(_)) => {
                let between = under_way.between.entry(step.clone());
                between.or_default().extend(does);
            }
            (None, Begins::Ask(_)) if under_way.calls == 0 => {
                under_way.while_waiting.extend(does);
            }
            _ => {
                return Err(
                    "the game changes something between two calls of a plan, or before its first step",
                );
            }
        }
        Ok(None)
    }

    /// Nothing is made or carried out any more: all is known that the game did meanwhile.
    pub fn close(&mut self, lines: &mut Lines) {
        if let Some(done) = self.under_way.take()
            && let Some(step) = lines.steps.get_mut(done.at)
        {
            *step = done.step();
        }
    }

    /// Whether there is no plan yet.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Says what happened to a plan. `wish`: where this is the record that the scenario is about.
    pub fn happen(
        &mut self,
        said: &Said,
        inputs: &PlanInputs,
        settings: &Settings,
        wish: Option<&ScenarioWish>,
        lines: &mut Lines,
    ) -> Result<Option<Wished>, NotWritten> {
        let id = &inputs.plan;
        if self
            .under_way
            .as_ref()
            .is_some_and(|other| other.plan != *id)
        {
            self.nothing_under_way()?;
        }
        if let Some(judged_by) = &inputs.settings
            && *self.judged_by.get_or_insert_with(|| judged_by.clone()) != *judged_by
        {
            return Err("plans are judged by other settings than before".into());
        }
        let input = serde_json::from_value(inputs.event.clone());
        let input = input.map_err(|_| "what happened to a plan cannot be read")?;
        let state = said.fields.get("state").unwrap_or(&Value::Null);
        if matches!(
            state["reason"].as_str(),
            Some("model_changed" | "model_version")
        ) {
            return Err("the model changes while a plan is made or waits".into());
        }
        let wished = self.write(said, id, input, settings, wish, lines)?;
        let status = state["status"].as_str();
        match status {
            Some("asking" | "pending") => {
                self.waiting.entry(id.clone()).or_insert(lines.now);
            }
            _ => drop(self.waiting.remove(id)),
        }
        match status {
            Some("planning" | "approved" | "running") => {
                if let Some(under_way) = &mut self.under_way {
                    under_way.last_step = last_done(state);
                }
            }
            _ => self.close(lines),
        }
        if wish.is_some() && wished.is_none() {
            return Err(NotWritten::NoReply);
        }
        Ok(wished)
    }

    fn write(
        &mut self,
        said: &Said,
        id: &str,
        input: PlanInput,
        settings: &Settings,
        wish: Option<&ScenarioWish>,
        lines: &mut Lines,
    ) -> Result<Option<Wished>, NotWritten> {
        if !matches!(input, PlanInput::Asked { .. }) {
            self.named(id)?;
        }
        let npc = said.fields.get("npc").and_then(Value::as_str);
        let npc = npc.ok_or("the character of a plan is missing")?;
        match input {
            PlanInput::Asked { goal: Some(_), .. } => {
                return Err("a character has a goal of its own".into());
            }
            PlanInput::Asked { model: None, .. } => return Err("no model serves the plan".into()),
            PlanInput::Asked {
                asked,
                again,
                model: Some(_),
                goal: None,
            } => {
                lines.advance(said.game);
                let begins = match again {
                    Some(again) => Begins::Regenerate(self.named(&again.to_string())?),
                    None => Begins::Ask(ask(&asked, settings)?),
                };
                let number = self.numbers.len();
                self.numbers.insert(id.to_owned(), number);
                self.begin(id, begins, lines);
            }
            PlanInput::Answered {
                of, reply, finish, ..
            } => {
                let wish = wish.filter(|wish| of == CallOf::Steps && wish.key.attempt == 0);
                let other = wish.and_then(|wish| wish.reply.as_ref());
                let other = other.filter(|other| **other != reply);
                let is_cut = other.is_none() && finish == Finish::Length;
                let reply = replies::said(other.unwrap_or(&reply), is_cut, &only(of, npc));
                lines.replies.push(reply);
                self.end_call(lines);
                let plan = self.numbers.get(id).filter(|_| wish.is_some());
                return Ok(plan.map(|plan| Wished {
                    npc: npc.parse().ok(),
                    place: WishedPlace::Plan {
                        plan: *plan,
                        run: lines.runs - 1,
                    },
                }));
            }
            PlanInput::CallFailed { run: None, .. } => {
                return Err("no engine could be asked for a plan".into());
            }
            // What it answered is not recorded. Any answer that cannot be read ends the call in the same way, and takes no time.
            PlanInput::CallFailed { of, .. } => {
                let fail = format!("Fail((kind: NotUtf8, {}))", only(of, npc));
                let attempts = RunPolicy::PLAN.max_attempts;
                lines.replies.extend((0..attempts).map(|_| fail.clone()));
                self.end_call(lines);
            }
            PlanInput::Granted { by, .. } => {
                if Some(by) != settings.player() {
                    return Err("somebody else than the player approves a plan".into());
                }
                self.answered_in_time(id, said.game)?;
                lines.advance(said.game);
                let approve = Begins::Approve(self.named(id)?);
                self.begin(id, approve, lines);
            }
            PlanInput::Refused => {
                self.answered_in_time(id, said.game)?;
                lines.advance(said.game);
                lines.steps.push(format!("Deny({})", self.named(id)?));
            }
            // No step is needed: it happens when enough time has passed.
            PlanInput::Silence => self.end_by_time(id, SILENCE, said.game, lines)?,
            PlanInput::Age => self.end_by_time(id, MAX_AGE, said.game, lines)?,
            // The record of the new plan follows, and writes the step `Regenerate`.
            PlanInput::Regenerated => self.answered_in_time(id, said.game)?,
            PlanInput::Step { .. } => {}
            PlanInput::OtherModel { .. } => return Err("the model changes".into()),
            PlanInput::Despawned { .. } => {
                return Err("the character of a plan goes".into());
            }
            PlanInput::Dropped => return Err("a plan is dropped".into()),
        }
        Ok(None)
    }

    fn begin(&mut self, id: &str, begins: Begins, lines: &mut Lines) {
        self.close(lines);
        let under_way = UnderWay {
            plan: id.to_owned(),
            at: lines.steps.len(),
            begins,
            while_waiting: Vec::new(),
            between: BTreeMap::new(),
            last_step: None,
            calls: 0,
        };
        // It is written in its place when all is known that the game does meanwhile.
        lines.steps.push(String::new());
        self.under_way = Some(under_way);
    }

    fn end_call(&mut self, lines: &mut Lines) {
        lines.runs += 1;
        if let Some(under_way) = &mut self.under_way {
            under_way.calls += 1;
        }
    }

    /// How long a plan has waited for its player by now; `None` when it does not wait.
    fn waited(&self, id: &str, now: GameTime) -> Option<Millis> {
        Some(now.since(*self.waiting.get(id)?))
    }

    /// Makes sure that the player's answer is in time in the scenario, too.
    fn answered_in_time(&self, id: &str, now: GameTime) -> Result<(), Unsayable> {
        match self.waited(id, now) {
            Some(waited) if waited >= SILENCE => {
                Err("in the scenario a plan would have waited too long for its player")
            }
            _ => Ok(()),
        }
    }

    /// A plan ends because it has waited so long.
    fn end_by_time(
        &self,
        id: &str,
        limit: Millis,
        now: GameTime,
        lines: &mut Lines,
    ) -> Result<(), Unsayable> {
        self.nothing_under_way()?;
        if self.waited(id, now).is_none_or(|waited| waited < limit) {
            return Err("in the scenario a plan would not have waited for so long");
        }
        lines.advance(now);
        Ok(())
    }

    /// The field that names a plan by the id that it has in the scenario.
    fn named(&self, id: &str) -> Result<String, Unsayable> {
        let number = self.numbers.get(id);
        let number = number.ok_or("its plan was asked for before this part of the recording")?;
        Ok(format!("plan: \"p{}\"", number + 1))
    }

    /// The field of a scenario that says how plans are judged; nothing where there are none.
    pub fn settings(&self) -> Result<String, Unsayable> {
        let Some(judged_by) = &self.judged_by else {
            return Ok(String::new());
        };
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
fn ask(asked: &PlanAsked, settings: &Settings) -> Result<String, Unsayable> {
    let speaker = asked.speaker.as_ref();
    let speaker = speaker.ok_or("a character has a goal of its own")?;
    let is_player = settings.player().as_ref() == Some(speaker);
    let expected = match is_player {
        true => TriggerReason::PlayerUtterance,
        false => TriggerReason::NpcInteraction,
    };
    if asked.reason != expected {
        return Err("a plan is asked for, for a reason of another kind");
    }
    let from = match is_player {
        true => String::new(),
        false => format!(", from: {}", quoted(speaker)),
    };
    let (npc, text) = (quoted(&asked.npc), quoted(&asked.text));
    Ok(format!("npc: {npc}, text: {text}{from}"))
}

/// The step that was carried out last, by its id. Steps stand in the order in which they are carried out.
fn last_done(state: &Value) -> Option<String> {
    let steps = state["steps"].as_array()?;
    let mut done = steps.iter().rev().filter(|step| !step["result"].is_null());
    Some(done.next()?["id"].as_str()?.to_owned())
}
