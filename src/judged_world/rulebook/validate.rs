//! Validating: may this action be done in this world? Pure; it never sees prose and never writes.

use super::condition::holds;
use super::scene::ActionScene;
use crate::base::time::GameTime;
use crate::judged_world::action::Intent;
use crate::judged_world::action::registry::ActionRegistry;
use crate::judged_world::rulebook::Rulebook;
use crate::judged_world::rulebook::spec::ReasonCode;
use crate::judged_world::state::WorldRead;
use crate::judged_world::state::senses::Senses;
use crate::judged_world::words::reference::display_name;
use crate::text::Lexicon;
use serde::Serialize;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What actions are judged by: the same for every action of a turn.
#[derive(Clone, Copy)]
pub struct ActionRules<'a> {
    /// The rulebook: who may do which action, and when.
    pub book: &'a Rulebook,
    /// The actions and functions that exist.
    pub registry: &'a ActionRegistry,
    /// The game time at which the actions are judged, in milliseconds.
    pub now: GameTime,
    /// The most entities that actions may have brought into the world; 64 in most worlds.
    pub max_introduced: usize,
    /// The language in which actors refer to things.
    pub lexicon: &'a Lexicon,
}

/// The answer to an action.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Judgement {
    /// Whether the action may be done, or why not.
    pub result: ReasonCode,
    /// The id of the check that decided, or `no_rule` when the rulebook does not contain the action. `None` when it may be
    /// done.
    pub rule: Option<String>,
    /// Why not, for people and for the character's next attempt. Empty when it may be done.
    pub message: String,
}

impl Judgement {
    /// The answer to an action that may be done.
    pub const OK: Self = Self {
        result: ReasonCode::Ok,
        rule: None,
        message: String::new(),
    };

    pub(crate) fn denied(result: ReasonCode, rule: &str, message: impl Into<String>) -> Self {
        Self {
            result,
            rule: Some(rule.to_owned()),
            message: message.into(),
        }
    }

    /// Whether the action may be done.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.result == ReasonCode::Ok
    }
}

/// Denies a speech whose listener the actor cannot speak to: it is not a character, or it is somewhere else.
fn unheard(world: &dyn WorldRead, intent: &Intent) -> Option<Judgement> {
    let to = intent.text("to").filter(|_| intent.kind() == "speak")?;
    // A listener without an entity, such as a player outside the world, can be spoken to from everywhere; and a speaker that
    // is nowhere can speak to every character.
    world.placement(to)?;
    let here = world.place_of(intent.actor());
    let (result, message) = if !world.is_kind(to, "character") {
        (
            ReasonCode::InvalidTarget,
            "only a character can be spoken to",
        )
    } else if here.is_some() && world.place_of(to) != here {
        (ReasonCode::NotPresent, "the listener is not here")
    } else {
        return None;
    };
    Some(Judgement::denied(result, "listener", message))
}

/// Judges an action by the checks of its rule: the first that fails decides. `spawned` says whether an earlier action of the
/// turn has made a new entity. A question that panics counts as a check that fails.
#[must_use]
pub fn validate(
    rules: &ActionRules,
    world: &dyn WorldRead,
    intent: &Intent,
    spawned: bool,
) -> Judgement {
    let Some(rule) = rules.book.rule(rules.registry, intent.kind()) else {
        let message = format!("no rule allows the action {}", intent.kind());
        return Judgement::denied(ReasonCode::Unknown, "no_rule", message);
    };
    if intent.kind() == "speak" && Senses::of(world, intent.actor()).mute {
        let message = format!("{} cannot speak", display_name(world, intent.actor()));
        return Judgement::denied(ReasonCode::InvalidTarget, "mute", message);
    }
    if let Some(denied) = unheard(world, intent) {
        return denied;
    }
    let scene = ActionScene {
        world,
        intent,
        now: rules.now,
        spawned,
    };
    let failed = rule.checks.iter().find(|check| {
        let asked = AssertUnwindSafe(|| holds(&check.when, &scene, rules.registry));
        !catch_unwind(asked).unwrap_or(false)
    });
    match failed {
        None => Judgement::OK,
        // Even if its code is OK, it is a denial: a check that fails allows nothing.
        Some(check) if check.otherwise == ReasonCode::Ok => Judgement::denied(
            ReasonCode::Unknown,
            &check.id,
            scene.fill_in(&check.message),
        ),
        Some(check) => Judgement::denied(check.otherwise, &check.id, scene.fill_in(&check.message)),
    }
}
