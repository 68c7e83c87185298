//! Why he asks.

use crate::looks::style;
use bevy_dramatis::plans::{Answer, Plan};
use bevy_egui::egui;
use std::collections::BTreeSet;

/// Draws why he asks, each reason once.
pub(super) fn whys_ui(ui: &mut egui::Ui, plan: &Plan) {
    for why in whys(plan) {
        ui.colored_label(style::NOBODY, why);
    }
}

/// Why he asks, each reason once.
fn whys(plan: &Plan) -> BTreeSet<String> {
    let gates = plan.decision.iter().flat_map(|decision| &decision.gates);
    let asking = gates.filter(|gate| gate.result == Answer::Confirm);
    let reasons = asking.filter_map(|gate| gate.reason.as_deref());
    reasons.map(why).collect()
}

/// What a gate's reason means to a player.
fn why(reason: &str) -> String {
    let words = match reason {
        "safe_asks" | "profile" => "He asks about every plan (F3).",
        "high_risk" => "It is risky.",
        "moderate_quality" => "It could be a better plan.",
        "boundary" => "It touches what nobody should touch unasked.",
        "unchecked_constraint" => "Not all that you asked for can be checked.",
        rule => return format!("A rule wants it: {rule}."),
    };
    words.to_owned()
}
