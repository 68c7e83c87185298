//! How much characters may remember and ask.

use super::choices::Choice;
use bevy_dramatis::pipeline::PromptBudget;

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
