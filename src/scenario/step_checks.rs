//! What is wrong with the steps of a scenario, before any is played.

use super::spec::{ActionSpec, FieldSpec, StepSpec};
use crate::base::fixed::Millis;
use crate::format::Problem;
use crate::world::{ActionRegistry, FieldKind, WorldValue};

/// What is wrong with a step at this place, and with those that it holds.
pub(crate) fn step_problems(
    step: &StepSpec,
    place: &str,
    registry: &ActionRegistry,
) -> Vec<Problem> {
    let mut problems = Vec::new();
    check_step(step, place, registry, &mut problems);
    for (j, inner) in step.while_waiting().iter().enumerate() {
        let place = format!("{place}/while_waiting/{j}");
        if !inner.is_allowed_while_waiting() {
            problems.push(Problem::new(
                &place,
                "this step is not allowed in while_waiting",
            ));
        }
        check_step(inner, &place, registry, &mut problems);
    }
    let of_plan = step.between_steps().into_iter().flatten();
    let of_plan = of_plan.map(|(id, inner)| (id.clone(), inner, true));
    let of_run = step.between().into_iter().flatten();
    let of_run = of_run.map(|(number, inner)| (number.to_string(), inner, false));
    for (name, inner, is_of_plan) in of_plan.chain(of_run) {
        for (j, inner) in inner.iter().enumerate() {
            let place = format!("{place}/between/{name}/{j}");
            let is_allowed = match is_of_plan {
                true => inner.is_allowed_between_steps(),
                false => inner.is_allowed_while_waiting(),
            };
            if !is_allowed {
                problems.push(Problem::new(&place, "this step is not allowed in between"));
            }
            check_step(inner, &place, registry, &mut problems);
        }
    }
    problems
}

fn check_step(
    step: &StepSpec,
    place: &str,
    registry: &ActionRegistry,
    problems: &mut Vec<Problem>,
) {
    if let StepSpec::Do { actions, .. } = step {
        for (i, action) in actions.iter().enumerate() {
            let place = format!("{place}/actions/{i}");
            problems.extend(check_action(action, &place, registry));
        }
    }
    let span = match step {
        StepSpec::Advance { seconds } => Some(("seconds", *seconds)),
        StepSpec::Remember { age_seconds, .. } => Some(("age_seconds", *age_seconds)),
        _ => None,
    };
    if let Some((field, seconds)) = span
        && Millis::from_seconds(seconds).is_none_or(|span| span.0 < 0)
    {
        problems.push(Problem::new(
            format!("{place}/{field}"),
            format!("{field} must be a number between 0 and 10^12"),
        ));
    }
}

/// An action that does not exist, or whose fields are not its own, cannot be meant. References are looked up when the
/// step is played.
fn check_action(action: &ActionSpec, place: &str, registry: &ActionRegistry) -> Option<Problem> {
    let written = action.written.escape_debug();
    let named = action.written.starts_with(char::is_uppercase);
    let Some(shape) = registry.shape(&action.name()).filter(|_| named) else {
        let message = format!("there is no action \"{written}\"");
        return Some(Problem::new(place, message));
    };
    if let Some(unknown) = action
        .fields
        .keys()
        .find(|name| shape.field(name).is_none())
    {
        let message = format!("{written} has no field \"{}\"", unknown.escape_debug());
        return Some(Problem::new(format!("{place}/{unknown}"), message));
    }
    for field in &shape.fields {
        let fits = match (action.fields.get(field.name), field.kind) {
            (None, _) if field.required => {
                let message = format!("{written} needs \"{}\"", field.name);
                return Some(Problem::new(place, message));
            }
            (None, _)
            | (Some(FieldSpec::Value(WorldValue::Int(_))), FieldKind::Integer)
            | (Some(FieldSpec::Value(WorldValue::Bool(_))), FieldKind::Flag)
            | (Some(FieldSpec::Attributes(_)), FieldKind::Attributes) => true,
            (Some(FieldSpec::Value(WorldValue::Text(_))), kind) => !matches!(
                kind,
                FieldKind::Integer | FieldKind::Flag | FieldKind::Attributes
            ),
            _ => false,
        };
        if !fits {
            let what = match field.kind {
                FieldKind::Integer => "a whole number",
                FieldKind::Flag => "true or false",
                FieldKind::Attributes => "attributes by name in {}",
                _ => "a text in quotes",
            };
            let message = format!("\"{}\" of {written} must be {what}", field.name);
            return Some(Problem::new(format!("{place}/{}", field.name), message));
        }
    }
    None
}
