//! How the game went about things.

use super::adventure;
use super::error::NoScenario;
use super::text::{quoted, seconds};
use crate::adventure::Persona;
use crate::base::fixed::Millis;
use crate::base::ids::Id;
use crate::base::seed::WorldSeed;
use crate::engine::EngineIdentity;
use crate::journal::SavedGame;
use crate::npc::QueuePolicy;
use crate::pipeline::steps::prompt::BudgetPreset;
use crate::pipeline::{PromptBudget, RunPolicy};
use std::collections::BTreeMap;

/// The settings that a scenario can say.
const SAYABLE: [&str; 8] = [
    "seed",
    "player",
    "policy",
    "queue",
    "budget",
    "identity",
    "overheard",
    "tell_turns",
];

/// The fields of a scenario that are settings of a game.
pub(super) fn written(game: &SavedGame) -> Result<String, NoScenario> {
    let settings = &game.settings;
    if let Some(name) = settings.names().find(|name| !SAYABLE.contains(name)) {
        return Err(NoScenario::Setting(match name {
            "limits" => "limits of its own",
            "npc_limits" => "limits of single characters",
            "npc_policies" => "policies of single characters",
            _ => "a setting that a plugin of the game has added",
        }));
    }
    let unsayable = [(
        game.plans
            .as_ref()
            .is_some_and(|plans| plans.failed > 0 || !plans.begun.is_empty()),
        "plans that have begun or failed",
    )];
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
    let missing = NoScenario::Setting("settings that cannot be read");
    let read = || {
        let seed: WorldSeed = settings.get("seed")?;
        let policy: RunPolicy = settings.get("policy")?;
        let budget: PromptBudget = settings.get("budget")?;
        let queue: QueuePolicy = settings.get("queue")?;
        let identity: EngineIdentity = settings.get("identity")?;
        Some((seed.0, settings.player()?, policy, budget, queue, identity))
    };
    let (seed, player, run_policy, budget, queue, identity) = read().ok_or(missing)?;
    let policy = policy(&run_policy)?;
    let budget = self::budget(&budget)?;
    let switches: String = ["overheard", "tell_turns"]
        .into_iter()
        .filter(|name| settings.get(name) == Some(true))
        .map(|name| format!("    {name}: true,\n"))
        .collect();
    Ok(format!(
        "    seed: {},\n    game_time: {},\n    policy: {policy},\n    delivery: {:?},\n    budget: {budget},\n    \
         player: {},\n    engine: {},\n    queue: (limit: {}, when_full: {:?}, on_new: {:?}),\n{switches}{}",
        seed,
        seconds(Millis(game.session.game.0)),
        run_policy.delivery,
        quoted(&player),
        engine(&identity),
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
        .find(|(preset, _)| preset.budget() == *budget);
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
