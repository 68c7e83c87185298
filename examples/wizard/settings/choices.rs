//! What can be chosen in the settings.

use crate::scene::Quality;
use bevy_dramatis::pipeline::{Delivery, Form, PromptBudget};
use bevy_dramatis::plans::Profile;

/// Something to choose, its name, and what it means.
pub(super) type Choice<T> = (T, &'static str, &'static str);

pub(super) const BUDGETS: [Choice<PromptBudget>; 3] = [
    (
        PromptBudget::MINIMAL,
        "small",
        "1,000 characters: for the smallest models.",
    ),
    (
        PromptBudget::DEFAULT,
        "medium",
        "2,000 characters of memories and talk.",
    ),
    (
        PromptBudget::EXPANDED,
        "large",
        "4,000 characters: they remember more, and answer later.",
    ),
];

pub(super) const CALLS: [Choice<Option<u32>>; 4] = [
    (
        None,
        "no limit",
        "Each character asks its model whenever it wants to.",
    ),
    (
        Some(30),
        "30",
        "A character that has asked 30 times in a minute waits.",
    ),
    (
        Some(10),
        "10",
        "A character that has asked 10 times in a minute waits.",
    ),
    (
        Some(3),
        "3",
        "A character that has asked 3 times in a minute waits.",
    ),
];

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
