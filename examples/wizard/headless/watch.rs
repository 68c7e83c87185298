//! Observers that print what happens in the visit, and count it.

use crate::cast;
use crate::door::Happens;
use crate::gossip::Says;
use crate::tale::{NotTold, Tells};
use crate::words::Names;
use bevy::prelude::*;
use bevy_dramatis::events::AdventureTurnEnded;
use bevy_dramatis::pipeline::ApprovedIntents;
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::{Clarification, DisplayName, Placement};

/// How many runs and turns have ended, and how.
#[derive(Resource, Default)]
pub(super) struct VisitLog {
    pub(super) ended: usize,
    pub(super) authored: usize,
    pub(super) rejected_attempts: usize,
    /// How many lines the characters have said.
    pub(super) lines: usize,
    pub(super) question: Option<Clarification>,
    pub(super) plans_ended: usize,
    pub(super) tales_ended: usize,
    /// What is taken away after the first step of a plan.
    pub(super) taken_away: Option<&'static str>,
}

/// Prints what happens.
pub(super) fn watch(app: &mut App) {
    app.init_resource::<VisitLog>()
        .add_observer(
            |spoke: On<Spoke>, names: Query<&DisplayName>, mut seen: ResMut<VisitLog>| {
                let how = if spoke.fallback { " (fallback)" } else { "" };
                println!("{}{how}: {}", name(&names, spoke.entity), spoke.line);
                seen.lines += 1;
            },
        )
        .add_observer(
            |says: On<Says>, names: Query<&DisplayName>, mut seen: ResMut<VisitLog>| {
                println!("{}: {}", name(&names, says.who), says.line);
                seen.lines += 1;
            },
        )
        .add_observer(|failed: On<AttemptFailed>, mut seen: ResMut<VisitLog>| {
            seen.rejected_attempts += 1;
            for failure in &failed.failures {
                println!("  x rejected by {}: {}", failure.rule, failure.message);
            }
        })
        .add_observer(
            |ended: On<RunEnded>,
             runs: Query<&ApprovedIntents>,
             names: Names,
             mut seen: ResMut<VisitLog>| {
                let who = names.of(&ended.npc);
                for intent in runs.get(ended.run).iter().flat_map(|done| &done.0) {
                    println!("  * {who}: {}", names.action(intent));
                }
                seen.ended += 1;
                seen.authored += usize::from(!matches!(ended.outcome, Outcome::Accepted { .. }));
            },
        )
        .add_observer(
            |ended: On<TurnEnded>,
             names: Names,
             called: Query<&DisplayName>,
             mut seen: ResMut<VisitLog>| {
                let other = ended.entity.filter(|_| ended.actor != cast::PLAYER);
                let who = other.map(|who| format!("{}: ", name(&called, who)));
                for line in names.outcomes(&ended.record) {
                    println!("  * {}{line}", who.as_deref().unwrap_or_default());
                }
                seen.ended += 1;
            },
        )
        .add_observer(
            |asked: On<ClarificationNeeded>, mut seen: ResMut<VisitLog>| {
                let options = asked.clarification.options.iter();
                let options: Vec<&str> = options.map(|option| option.name.as_str()).collect();
                println!("  ? {}", options.join(" or "));
                seen.question = Some(asked.clarification.clone());
            },
        )
        .add_observer(|happens: On<Happens>| println!("({})", happens.0))
        .add_observer(|tells: On<Tells>| println!("{}", tells.text))
        .add_observer(|not: On<NotTold>| println!("({})", not.why))
        .add_observer(|_: On<AdventureTurnEnded>, mut seen: ResMut<VisitLog>| {
            seen.tales_ended += 1;
        })
        .add_observer(
            |question: On<PlanQuestion>, plans: Res<Plans>, mut commands: Commands| {
                if !question.status.is_waiting() {
                    return;
                }
                for step in plans.get(question.plan).iter().flat_map(|plan| &plan.steps) {
                    println!("  ? {}", step.why);
                }
                println!("You: Do it.");
                commands.approve_plan(question.plan);
            },
        )
        .add_observer(
            |_: On<StepDone>, mut seen: ResMut<VisitLog>, mut writes: GameWrites| {
                if let Some(thing) = seen.taken_away.take() {
                    println!("(Somebody takes it away.)");
                    writes.place(thing, Placement::CarriedBy(id!(cast::PLAYER)));
                }
            },
        )
        .add_observer(
            |ended: On<PlanEnded>, plans: Res<Plans>, mut seen: ResMut<VisitLog>| {
                let steps = plans.get(ended.plan).map(|plan| &plan.steps);
                let why =
                    steps.and_then(|steps| steps.iter().find_map(|step| step.message.clone()));
                let reason = why.map(|reason| format!(" ({reason})"));
                println!(
                    "  = the plan: {}{}",
                    ended.status.name(),
                    reason.unwrap_or_default()
                );
                seen.plans_ended += 1;
            },
        );
}

/// The name of a character.
fn name<'a>(names: &'a Query<&DisplayName>, who: Entity) -> &'a str {
    names.get(who).map_or("Somebody", |name| name.0.as_str())
}
