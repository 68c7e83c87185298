//! What can be chosen in the settings.

use crate::looks::Quality;
use bevy_dramatis::pipeline::{Delivery, Form};
use bevy_dramatis::plans::Profile;

/// Something to choose, its name, and what it means.
pub(super) type Choice<T> = (T, &'static str, &'static str);

pub(super) const PROFILES: [Choice<Profile>; 3] = [
    (Profile::Safe, "safe", "You are asked about every plan."),
    (
        Profile::Dev,
        "moderate",
        "You are asked about plans that are risky or poor.",
    ),
    (
        Profile::FullAuto,
        "automatic",
        "You are asked about risky plans alone.",
    ),
];

pub(super) const DELIVERIES: [Choice<Delivery>; 2] = [
    (
        Delivery::Whole,
        "as a whole",
        "A line is heard when all of it was judged.",
    ),
    (
        Delivery::Sentences,
        "by sentences",
        "Each sentence is heard as soon as it was judged.",
    ),
];

pub(super) const FORMS: [Choice<Option<Form>>; 3] = [
    (
        None,
        "as suits the engine",
        "A server is asked in two steps, and the authored lines come at once.",
    ),
    (
        Some(Form::Apart),
        "in two steps",
        "First what a character does, then what it says: for small models.",
    ),
    (
        Some(Form::Together),
        "at once",
        "One answer with words, memories and actions: for the script, and for large models.",
    ),
];

pub(super) const QUALITIES: [Choice<Quality>; 2] = [
    (
        Quality::High,
        "high",
        "Shadows and glow. F6 changes it, too.",
    ),
    (
        Quality::Low,
        "low",
        "For software rendering and old machines. F6 changes it, too.",
    ),
];
