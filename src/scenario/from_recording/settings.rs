//! How the game went about things.

use super::adventure;
use super::error::NoScenario;
use super::text::{quoted, seconds};
use crate::adventure::Persona;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::engine::EngineIdentity;
use crate::journal::SavedGame;
use crate::pipeline::steps::prompt::BudgetPreset;
use crate::pipeline::{PromptBudget, RunPolicy};
use std::collections::BTreeMap;

/// The fields of a scenario that are settings of a game.
pub(super) fn written(game: &SavedGame) -> Result<String, NoScenario> {
    let settings = &game.settings;
    let unsayable = [
        (!settings.limits.is_empty(), "limits of its own"),
        (
            !settings.npc_limits.is_empty(),
            "limits of single characters",
        ),
        (
            !settings.npc_policies.is_empty(),
            "policies of single characters",
        ),
        (
            game.plans
                .as_ref()
                .is_some_and(|plans| plans.failed > 0 || !plans.begun.is_empty()),
            "plans that have begun or failed",
        ),
    ];
    if let Some((_, what)) = unsayable.into_iter().find(|(is_there, _)| *is_there) {
        return Err(NoScenario::Setting(what));
    }
    let mut personas: BTreeMap<Id, Persona> = BTreeMap::new();
    for (key, part) in &game.adventure {
        // What else there may be of an adventure, no scenario says.
        let id = key.strip_prefix("persona.").and_then(|id| Id::new(id).ok());
        let persona = serde_json::from_value(part.clone()).ok();
        let Some((id, persona)) = id.zip(persona) else {
            return Err(NoScenario::Setting(
                "an adventure that has begun, or triggers that have fired",
            ));
        };
        personas.insert(id, persona);
    }
    let policy = policy(&settings.policy)?;
    let budget = budget(&settings.budget)?;
    let queue = settings.queue;
    Ok(format!(
        "    seed: {},\n    game_time: {},\n    policy: {policy},\n    delivery: {:?},\n    budget: {budget},\n    \
         player: {},\n    engine: {},\n    queue: (limit: {}, when_full: {:?}, on_new: {:?}),\n{}",
        settings.seed,
        seconds(Millis(game.session.game.0)),
        settings.policy.delivery,
        quoted(&settings.player),
        engine(&settings.identity),
        queue.limit,
        queue.when_full,
        queue.on_new,
        adventure::personas(&personas),
    ))
}

fn policy(policy: &RunPolicy) -> Result<String, NoScenario> {
    if *policy == RunPolicy::SEALED {
        return Ok("Sealed".to_owned());
    }
    if policy.sealed || policy.fault_retries > 0 {
        return Err(NoScenario::Setting("a policy of its own"));
    }
    Ok(format!(
        "Custom((max_attempts: {}, escalation: {:?}, deadline_seconds: {}, fallback: {}))",
        policy.max_attempts,
        policy.escalation,
        seconds(policy.deadline),
        policy.fallback
    ))
}

fn budget(budget: &PromptBudget) -> Result<&'static str, NoScenario> {
    let presets = [
        (BudgetPreset::Minimal, "Minimal"),
        (BudgetPreset::Default, "Default"),
        (BudgetPreset::Expanded, "Expanded"),
    ];
    let found = presets
        .into_iter()
        .find(|(preset, _)| PromptBudget::from(*preset) == *budget);
    match found {
        Some((_, name)) => Ok(name),
        None => Err(NoScenario::Setting("a prompt budget of its own")),
    }
}

fn engine(identity: &EngineIdentity) -> String {
    let optional = |text: &Option<String>| match text {
        Some(text) => quoted(text),
        None => "None".to_owned(),
    };
    let can = identity.capabilities;
    format!(
        "(context_chars: {}, json: {}, streaming: {}, provider: {}, model: {}, version: {}, hash: {})",
        can.context_chars,
        can.json,
        can.streaming,
        quoted(&identity.provider),
        quoted(&identity.model),
        optional(&identity.version),
        optional(&identity.hash)
    )
}
