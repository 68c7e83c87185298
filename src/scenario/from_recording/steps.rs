//! What happened, as steps with the replies that they need.

use super::adventure;
use super::error::{NoScenario, NotWritten, Unsayable};
use super::happening::Happening;
use super::lines::{Lines, RecordedActions, Wished, WishedPlace};
use super::opening::Opening;
use super::plans::PlanSteps;
use super::reading::Said;
use super::replies::{self, answer};
use super::text::{list, placement, quoted, value};
use super::wish::ScenarioWish;
use crate::adventure::AdventureSettings;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::engine::Stage;
use crate::journal::game::saved_game::Settings;
use crate::journal::record::{AskedTurn, InteractionInputs, RecordBody, RecordedContext};
use crate::judged_world::rulebook::turn::TurnKind;
use crate::rules::TriggerReason;
use crate::world::{ProposedAction, WorldPart};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The steps of a scenario, and the replies that its engine gives.
pub(super) struct Script {
    /// What the scenario is about.
    pub wished: Wished,
    /// How adventures are played, where there is a turn of one.
    adventure: Option<AdventureSettings>,
    plans: PlanSteps,
    lines: Lines,
}

impl Script {
    /// Says what happened, up to what the scenario is about.
    pub(super) fn write(
        opening: &Opening,
        happenings: Vec<Happening>,
        wish: &ScenarioWish,
    ) -> Result<Self, NoScenario> {
        let mut writer = Writer {
            settings: opening.game.settings.clone(),
            things: opening.game.world.entities.keys().cloned().collect(),
            lines: Lines::begin(opening.game.session.game),
            adventure: None,
            plans: PlanSteps::default(),
        };
        let mut wished = None;
        for happening in happenings {
            let seq = happening.said.seq;
            let found = writer.write(happening, wish);
            wished = found.map_err(|why| match why {
                NotWritten::Unsayable(why) => NoScenario::Record { seq, why },
                NotWritten::NoReply => NoScenario::NoReply(wish.key),
            })?;
        }
        writer.plans.close(&mut writer.lines);
        // What it is about stands in the last record.
        Ok(Self {
            wished: wished.ok_or(NoScenario::NoReply(wish.key))?,
            adventure: writer.adventure,
            plans: writer.plans,
            lines: writer.lines,
        })
    }

    /// The fields of a scenario that say what happens.
    pub(super) fn written(&self) -> Result<String, NoScenario> {
        let adventure = self.adventure.as_ref().map(adventure::settings).transpose();
        let adventure = adventure.map_err(NoScenario::Setting)?.unwrap_or_default();
        let plans = self.plans.settings().map_err(NoScenario::Setting)?;
        let lines = |lines: &[String]| -> String {
            lines
                .iter()
                .map(|line| format!("        {line},\n"))
                .collect()
        };
        Ok(format!(
            "{adventure}{plans}    replies: [\n{}    ],\n    steps: [\n{}    ],\n",
            lines(&self.lines.replies),
            lines(&self.lines.steps)
        ))
    }
}

struct Writer {
    settings: Settings,
    /// What is there, by id.
    things: BTreeSet<Id>,
    lines: Lines,
    adventure: Option<AdventureSettings>,
    plans: PlanSteps,
}

impl Writer {
    /// Says what happened. What it gives is there where that is the record that the scenario is about.
    fn write(
        &mut self,
        happening: Happening,
        wish: &ScenarioWish,
    ) -> Result<Option<Wished>, NotWritten> {
        let Happening {
            said,
            while_waiting,
        } = happening;
        let last = (said.seq == wish.key.seq).then_some(wish);
        match &said.says {
            RecordBody::Interaction { inputs, .. } => {
                let started = inputs.run_timeline.started;
                self.plans.nothing_under_way()?;
                self.lines
                    .advance(started.map_or(said.game, |started| GameTime(started.game)));
                let step = self.interaction(&said, &inputs.context, &while_waiting)?;
                self.lines.steps.push(step);
                self.replies(inputs, last)?;
                self.lines.runs += 1;
                return Ok(last.map(|wish| Wished {
                    npc: Some(inputs.context.npc.clone()),
                    place: WishedPlace::Attempt {
                        stage: Stage::Dialogue,
                        run: self.lines.runs - 1,
                        attempt: wish.key.attempt,
                    },
                }));
            }
            RecordBody::AdventureTurn { inputs, .. } => {
                self.plans.nothing_under_way()?;
                self.lines
                    .advance(inputs.stages.first().map_or(said.game, |stage| stage.at));
                let settings = inputs.asked.settings();
                if *self.adventure.get_or_insert(settings) != settings {
                    return Err("adventures are played by other settings than before".into());
                }
                return adventure::turn(inputs, last, &mut self.lines);
            }
            RecordBody::Turn { inputs, .. } => {
                self.plans.nothing_under_way()?;
                self.lines.advance(said.game);
                self.lines.steps.push(turn(&inputs.asked)?);
                self.lines.turns += 1;
                let Some(wish) = last else { return Ok(None) };
                let actions = recorded_actions(&said.fields);
                if wish.key.attempt > 0 || wish.reply.is_some() || actions.count() == 0 {
                    return Err(NotWritten::NoReply);
                }
                return Ok(Some(Wished {
                    npc: Some(inputs.asked.actor.clone()),
                    place: WishedPlace::Turn {
                        turn: self.lines.turns - 1,
                        actions,
                    },
                }));
            }
            RecordBody::Plan { inputs, .. } => {
                return self
                    .plans
                    .happen(&said, inputs, &self.settings, last, &mut self.lines);
            }
            RecordBody::Write(write) => {
                let written = self.parts(&write.now)?;
                if let Some(written) = self.plans.meanwhile(written)? {
                    self.lines.advance(said.game);
                    self.lines.steps.extend(written);
                }
            }
            RecordBody::Settings(body) => {
                // Which model answers, and which names are known, is found out as the game goes on.
                let rest = |settings: &Settings| settings.without("identity");
                if rest(&body.settings.settings) != rest(&self.settings) {
                    return Err("it changes a setting".into());
                }
            }
            RecordBody::Refused(_) | RecordBody::Checkpoint(_) | RecordBody::Part(_) => {}
            RecordBody::Entered(_) | RecordBody::Left(_) => {
                return Err("a character comes or goes after the first run".into());
            }
            RecordBody::Mind(_) => return Err("the game writes a mind".into()),
            RecordBody::Story(_) => return Err("it changes the story".into()),
            RecordBody::Input(_) => return Err("a plugin of the game is told something".into()),
            RecordBody::Cancel(_) => return Err("it ends a run from outside".into()),
            RecordBody::Adventure(body) if adventure::is_made_by_a_turn(&body.now) => {}
            RecordBody::Adventure(_) => {
                let why = "it changes what belongs to adventures, such as a recap, a marker, a trigger that fires once, or a turn that \
                           is taken back";
                return Err(why.into());
            }
        }
        Ok(None)
    }

    fn interaction(
        &self,
        said: &Said,
        context: &RecordedContext,
        while_waiting: &[Said],
    ) -> Result<String, Unsayable> {
        let stage = said.fields.get("stage").and_then(Value::as_str);
        if stage.is_some_and(|stage| stage != Stage::Dialogue.snake_case()) {
            return Err("its run is of a stage");
        }
        let mut fields = Vec::new();
        let mut add = |name: &str, written: String| fields.push(format!("{name}: {written}"));
        let player = self.settings.player();
        let player = player.as_ref();
        let mut tags = &context.tags[..];
        let step = match (context.reason, &context.speaker, &context.input) {
            (reason, Some(speaker), Some(text)) => {
                let is_player = Some(speaker) == player;
                let expected = match is_player {
                    true => TriggerReason::PlayerUtterance,
                    false => TriggerReason::NpcInteraction,
                };
                if reason != expected || context.trigger_id.is_some() || context.prompt.is_some() {
                    return Err("somebody speaks for a reason of another kind");
                }
                add("to", quoted(&context.npc));
                add("text", quoted(text));
                if !is_player {
                    add("from", quoted(speaker));
                    // The step adds the speaker by itself.
                    tags = tags
                        .strip_prefix(&[speaker.to_string()][..])
                        .unwrap_or(tags);
                }
                if context.whisper {
                    add("whisper", "true".to_owned());
                }
                "Say"
            }
            (reason, None, None) if reason != TriggerReason::PlayerUtterance => {
                add("npc", quoted(&context.npc));
                add("reason", format!("{reason:?}"));
                if let Some(trigger) = &context.trigger_id {
                    add("trigger_id", quoted(trigger));
                }
                if let Some(prompt) = &context.prompt {
                    add("prompt", quoted(prompt));
                }
                "Trigger"
            }
            _ => return Err("nobody says what is said, or nothing is said"),
        };
        if let Some(scene) = &context.scene {
            add("scene", quoted(scene));
        }
        if !tags.is_empty() {
            add("tags", list(tags));
        }
        let mut meanwhile = Vec::new();
        for said in while_waiting {
            if let RecordBody::Write(write) = &said.says {
                meanwhile.extend(self.parts(&write.now)?);
            }
        }
        if !meanwhile.is_empty() {
            add("while_waiting", format!("[{}]", meanwhile.join(", ")));
        }
        Ok(format!("{step}({})", fields.join(", ")))
    }

    /// The replies of a run; of the last one up to the attempt that is wished for.
    fn replies(
        &mut self,
        inputs: &InteractionInputs,
        wish: Option<&ScenarioWish>,
    ) -> Result<(), NotWritten> {
        // A plan that calls more often than it did must not take them.
        let only = match self.plans.is_empty() {
            true => "",
            false => "stage: Dialogue",
        };
        let count = inputs.replies.len();
        let last = wish.map_or(count, |wish| {
            usize::try_from(wish.key.attempt).unwrap_or(usize::MAX)
        });
        for recorded in inputs.replies.iter().take(last) {
            self.lines.replies.extend(answer(recorded, only)?);
        }
        if let Some(wish) = wish {
            let recorded = inputs.replies.get(last).ok_or(NotWritten::NoReply)?;
            let reply = replies::wished(recorded, wish.reply.as_deref(), only)?;
            self.lines.replies.extend(reply);
        }
        Ok(())
    }

    /// What the game has changed.
    fn parts(&self, parts: &[WorldPart]) -> Result<Vec<String>, Unsayable> {
        let mut steps = Vec::new();
        for part in parts {
            match part {
                WorldPart::Flag(name, Some(value)) => {
                    let name = quoted(name);
                    steps.push(format!("SetFlag(name: {name}, value: {value})"));
                }
                WorldPart::Fact(key, Some(fact)) => {
                    let (key, value) = (quoted(key), value(fact));
                    steps.push(format!("SetWorldFact(key: {key}, value: {value})"));
                }
                // All of it is said: what has not changed is the same again.
                WorldPart::Entity(id, Some(view)) if self.things.contains(id) => {
                    let entity = quoted(id);
                    let at = placement(&view.at);
                    steps.push(format!("Place(entity: {entity}, at: {at})"));
                    steps.extend(view.attributes.iter().map(|(name, is)| {
                        let (name, value) = (quoted(name), value(is));
                        format!("SetAttribute(entity: {entity}, name: {name}, value: {value})")
                    }));
                }
                WorldPart::Entity(..) => return Err("something comes into the world, or goes"),
                WorldPart::Location(..) => return Err("a location changes"),
                WorldPart::TurnOf(_) => return Err("it changes whose turn it is"),
                WorldPart::Flag(_, None) | WorldPart::Fact(_, None) => {
                    return Err("a flag or a fact is taken away");
                }
            }
        }
        Ok(steps)
    }
}

fn turn(asked: &AskedTurn) -> Result<String, Unsayable> {
    let actor = quoted(&asked.actor);
    match (asked.kind, &asked.text) {
        (TurnKind::Act, Some(text)) => Ok(format!("Act(actor: {actor}, text: {})", quoted(text))),
        (TurnKind::Act, None) => Err("its words are missing"),
        (TurnKind::Do, _) => {
            let actions: Result<Vec<String>, Unsayable> = asked.parsed.iter().map(action).collect();
            let actions = actions?.join(", ");
            Ok(format!("Do(actor: {actor}, actions: [{actions}])"))
        }
    }
}

/// What became of the actions of a turn; `fields` are those of its record.
fn recorded_actions(fields: &Map<String, Value>) -> RecordedActions {
    let list = |name: &str| fields.get(name).and_then(Value::as_array);
    RecordedActions {
        judged: list("actions").map_or(0, Vec::len),
        rejected: list("rejected").map_or(0, Vec::len),
    }
}

/// Whether RON reads this as the name of a field or a variant.
fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// A typed action: `pick_lock` is `PickLock`.
fn action(proposed: &ProposedAction) -> Result<String, Unsayable> {
    let words = proposed.kind.split('_').map(|word| {
        let mut letters = word.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        first.chain(letters).collect::<String>()
    });
    let name: String = words.collect();
    if proposed.malformed.is_some() || !is_name(&name) {
        return Err("an action in it cannot be written down");
    }
    let mut fields = Vec::new();
    for (field, is) in &proposed.fields {
        // Anything else would be read as something else.
        if !is_name(field) {
            return Err("an action in it cannot be written down");
        }
        if !is.is_null() {
            fields.push(format!("{field}: {}", field_value(is)?));
        }
    }
    Ok(format!("{name}({})", fields.join(", ")))
}

/// The value of a field of an action.
fn field_value(of: &Value) -> Result<String, Unsayable> {
    Ok(match of {
        Value::Null => "None".to_owned(),
        Value::Bool(is) => is.to_string(),
        Value::String(is) => quoted(is),
        Value::Number(number) => match number.as_i64() {
            Some(number) => number.to_string(),
            None => return Err("an action in it has a fraction"),
        },
        Value::Array(values) => {
            let values: Result<Vec<String>, Unsayable> = values.iter().map(field_value).collect();
            format!("[{}]", values?.join(", "))
        }
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(key, is)| Ok(format!("{}: {}", quoted(key), field_value(is)?)));
            let fields: Result<Vec<String>, Unsayable> = fields.collect();
            format!("{{{}}}", fields?.join(", "))
        }
    })
}
