//! Turns of actors and of adventures, as steps.

use super::error::{NotWritten, Unsayable};
use super::replies::{self, answer};
use super::script::{Said, ScenarioWish, Script, Wished, WishedPlace};
use super::text::{list, quoted};
use crate::adventure::AdventureSettings;
use crate::journal::record::{AdventureTurnInputs, AskedTurn, RecordedStage};
use crate::judged_world::rulebook::turn::TurnKind;
use crate::world::ProposedAction;
use serde_json::Value;

/// A turn of an actor.
pub(super) fn of_actor(
    said: &Said,
    asked: &AskedTurn,
    wish: &ScenarioWish,
) -> Result<Script, NotWritten> {
    let count = |name: &str| {
        let list = said.fields.get(name).and_then(Value::as_array);
        list.map_or(0, Vec::len)
    };
    let (judged, rejected) = (count("actions"), count("rejected"));
    if wish.key.attempt > 0 || wish.reply.is_some() || judged + rejected == 0 {
        return Err(NotWritten::NoReply);
    }
    let actor = quoted(&asked.actor);
    let step = match (asked.kind, &asked.text) {
        (TurnKind::Act, Some(text)) => format!("Act(actor: {actor}, text: {})", quoted(text)),
        (TurnKind::Act, None) => return Err("its words are missing".into()),
        (TurnKind::Do, _) => {
            let actions: Result<Vec<String>, Unsayable> = asked.parsed.iter().map(action).collect();
            format!("Do(actor: {actor}, actions: [{}])", actions?.join(", "))
        }
    };
    Ok(Script {
        settings: String::new(),
        replies: Vec::new(),
        steps: vec![step],
        wished: Wished {
            npc: Some(asked.actor.clone()),
            place: WishedPlace::Turn { judged, rejected },
        },
    })
}

/// A turn of an adventure, with the replies of all stages; of the stage that is meant up to the attempt.
pub(super) fn of_adventure(
    inputs: &AdventureTurnInputs,
    wish: &ScenarioWish,
) -> Result<Script, NotWritten> {
    let mut replies = Vec::new();
    let mut wished = None;
    let mut first = 0;
    for (run, stage) in inputs.stages.iter().enumerate() {
        let count = u32::try_from(stage.replies.len()).unwrap_or(u32::MAX);
        let last = wish.key.attempt.checked_sub(first);
        let last = last.filter(|attempt| *attempt < count);
        first = first.saturating_add(count);
        let only = whose(stage);
        for (attempt, recorded) in (0..).zip(&stage.replies) {
            if last.is_none_or(|last| attempt < last) {
                replies.extend(answer(recorded, &only)?);
                continue;
            }
            replies.extend(replies::wished(recorded, wish.reply.as_deref(), &only)?);
            wished = Some(Wished {
                npc: stage.npc.clone(),
                place: WishedPlace::Attempt {
                    stage: stage.stage,
                    run,
                    attempt,
                },
            });
            break;
        }
    }
    Ok(Script {
        settings: settings(&inputs.asked.settings())?,
        steps: vec![step(inputs)?],
        replies,
        wished: wished.ok_or(NotWritten::NoReply)?,
    })
}

/// The field of a scenario that says how adventures are played. A recap is no record of its turn: none is asked for.
fn settings(of: &AdventureSettings) -> Result<String, Unsayable> {
    let settings = AdventureSettings {
        recap_chars: 1_000_000_000,
        ..*of
    };
    let written =
        ron::to_string(&settings).map_err(|_| "settings of adventures that have no text")?;
    let own = of.review_below != AdventureSettings::default().review_below;
    let written = match written.strip_suffix(')').filter(|_| own) {
        Some(fields) => format!("{fields},review_below:{})", of.review_below),
        None => written,
    };
    Ok(format!("    adventure: {written},\n"))
}

fn step(inputs: &AdventureTurnInputs) -> Result<String, Unsayable> {
    let asked = &inputs.asked;
    if inputs.now.is_some() {
        return Err("it was interrupted, or something else happened during it");
    }
    if asked.version_of.is_some() {
        return Err("it is another version of a turn");
    }
    let mut fields = vec![format!("persona: {}", quoted(&asked.persona))];
    let words = [("intention", &asked.intention), ("thought", &asked.thought)];
    for (name, words) in words {
        let words = words.as_ref();
        fields.extend(words.map(|words| format!("{name}: {}", quoted(words))));
    }
    if !asked.whisper_to.is_empty() {
        let listeners = list(&asked.whisper_to);
        fields.push(format!("whisper_to: {listeners}"));
    }
    Ok(format!("Turn({})", fields.join(", ")))
}

/// The calls that a reply of a stage answers: those of this stage, for this character.
fn whose(stage: &RecordedStage) -> String {
    match &stage.npc {
        Some(npc) => format!("stage: {:?}, npc: {}", stage.stage, quoted(npc)),
        None => format!("stage: {:?}", stage.stage),
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
