//! The result of an intention: the rulebook decides it, and the narrator is told.

use super::hook::JudgedActions;
use crate::base::ids::Id;
use crate::gate::Told;
use crate::judged_world::change::apply::TurnKey;
use crate::judged_world::rulebook::turn::{JudgedAction, RejectedAction, Turn};
use crate::judged_world::words::parser::{
    ActionParser, ImperativeParser, ParseRequest, Parsing, further_names,
};
use crate::pipeline::steps::prompt::escape;
use crate::text::{Lexicon, PromptWords};
use crate::world::{ActionRules, JudgedChange, May, ProposedAction, WorldRead};
use std::sync::Arc;
use std::time::Duration;

/// The result of one intention, in a working copy of the world.
#[derive(Debug, Clone, Default)]
pub(super) struct Resolved {
    /// What a parser made of the words.
    pub parsed: Vec<ProposedAction>,
    /// What is done of them, and what is not.
    pub judged: JudgedActions,
    /// What changes.
    pub changes: Vec<JudgedChange>,
    /// What pronouns may refer to from now on.
    pub mentioned: Vec<Vec<Id>>,
    /// A line for each answer, for narrator and extractor.
    pub lines: Vec<String>,
    /// The same answers in plain words, for the narrator.
    pub outcomes: Vec<String>,
    /// What must not be told.
    pub denied: Vec<Told>,
}

/// Reads an intention as actions and judges them.
pub(super) fn resolve(
    rules: &ActionRules,
    lexicon: &Arc<Lexicon>,
    key: TurnKey,
    world: &dyn WorldRead,
    actor: &Id,
    may: May,
    intention: &str,
    mentioned: Vec<Vec<Id>>,
) -> Resolved {
    let perceived = world.perceived_by(actor).into_iter();
    let request = ParseRequest {
        actor: actor.clone(),
        text: intention.to_owned(),
        perceived: perceived.map(|(id, view)| (id, view.name)).collect(),
        names: further_names(world, actor),
        registry: rules.registry.clone(),
        seed: 0,
        lexicon: lexicon.clone(),
        patience: Duration::ZERO,
    };
    let mut resolved = Resolved::default();
    if let Parsing::Done(parsed) = ImperativeParser.parse(&request) {
        resolved.parsed = parsed;
    }
    let mut turn = Turn::new(*rules, key, world, mentioned);
    for (index, proposed) in resolved.parsed.iter().enumerate() {
        match turn.normalise(proposed, actor, may, &[]) {
            Ok(intent) => {
                let judgement = turn.apply(&intent);
                let judged = JudgedAction { intent, judgement };
                resolved.judged.actions.push(judged);
            }
            Err(error) => resolved.judged.rejected.push(RejectedAction {
                index,
                kind: proposed.kind.clone(),
                result: error.reason(),
                rule: error.rule(),
                message: error.to_string(),
            }),
        }
    }
    resolved.mentioned = turn.mentioned().to_vec();
    for action in &resolved.judged.actions {
        resolved.lines.push(line_of(action));
        let denied = (!action.judgement.is_ok()).then_some(&*action.judgement.message);
        resolved.outcomes.push(outcome(denied, &lexicon.prompt));
        resolved.denied.extend(told(rules, world, action));
    }
    for rejected in &resolved.judged.rejected {
        if matches!(rejected.rule, "unresolved" | "ambiguous" | "not_allowed") {
            let message = escape(&rejected.message);
            resolved.lines.push(format!(
                "{actor} {}: came to nothing, {message}",
                escape(&rejected.kind)
            ));
            let outcome = outcome(Some(&rejected.message), &lexicon.prompt);
            resolved.outcomes.push(outcome);
        }
    }
    resolved.changes = turn.into_changes();
    resolved
}

/// Whether an action is done, in plain words; `denied`: why not.
fn outcome(denied: Option<&str>, words: &PromptWords) -> String {
    match denied {
        None => words.get("outcome_done").to_owned(),
        Some(why) => words.say("outcome_denied", &[("message", &escape(why))]),
    }
}

/// Actor, type, target, result and message of one action.
pub(super) fn line_of(action: &JudgedAction) -> String {
    let intent = &action.intent;
    let target = intent.target().map(|target| format!(" {target}"));
    let message = match action.judgement.message.is_empty() {
        true => String::new(),
        false => format!(", {}", escape(&action.judgement.message)),
    };
    format!(
        "{} {}{}: {}{message}",
        intent.actor(),
        intent.kind(),
        target.unwrap_or_default(),
        action.judgement.result,
    )
}

/// What must not be told about a denied action.
pub(super) fn told(
    rules: &ActionRules,
    world: &dyn WorldRead,
    action: &JudgedAction,
) -> Option<Told> {
    if action.judgement.is_ok() {
        return None;
    }
    let rule = rules.book.rule(rules.registry, action.intent.kind())?;
    let target = action.intent.target()?;
    let view = world.entity(target);
    let names = view
        .iter()
        .flat_map(|view| [&view.name].into_iter().chain(&view.aliases));
    (!rule.told.is_empty()).then(|| Told {
        target: names.cloned().chain([target.to_string()]).collect(),
        patterns: rule.told.clone(),
        verdict: format!("{}: {}", action.judgement.result, action.judgement.message),
        rule: action.judgement.rule.clone().unwrap_or_default(),
    })
}
