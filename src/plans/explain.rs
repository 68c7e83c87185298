//! A plan in words: every check, factor, gate and the decision, for people.

use crate::text::without_controls;
use serde_json::Value;
use std::fmt::Write;

/// Explains a plan that is given as JSON: a [`Plan::to_json`](super::Plan::to_json), an entry of `plans` in a trace, or the
/// `state` of a journal's record. What a plan never came to is left out; control characters become spaces.
#[must_use]
pub(crate) fn explain(plan: &Value) -> String {
    let mut lines = Vec::new();
    let text = |key: &str| words(&plan[key]);
    lines.push(format!(
        "{}  {}: \"{}\"",
        text("id"),
        text("npc"),
        text("text")
    ));
    if !plan["intent"].is_null() {
        let mut understood = format!(
            "understood  {} ({} sure)",
            text("intent"),
            number(&plan["confidence"])
        );
        for (key, value) in entries(&plan["context"]) {
            let _ = write!(understood, ", {key}: {}", words(value));
        }
        lines.push(understood);
    }
    for one in list(&plan["constraints"]) {
        let named: Vec<String> = ["action", "target", "pattern"]
            .iter()
            .filter(|key| !one[**key].is_null())
            .map(|key| format!("{key}: {}", words(&one[*key])))
            .collect();
        let (id, kind, said) = (words(&one["id"]), words(&one["kind"]), words(&one["text"]));
        let named = match named.is_empty() {
            true => String::new(),
            false => format!(" [{}]", named.join(", ")),
        };
        lines.push(format!("constraint  {id} {kind}: {said}{named}"));
    }
    for one in list(&plan["failures"]) {
        let (rule, message) = (words(&one["rule"]), words(&one["message"]));
        lines.push(format!("failed check  {rule}: {message}"));
    }
    if list(&plan["failures"]).is_empty() && !list(&plan["steps"]).is_empty() {
        lines.push("checks  all passed".to_owned());
    }
    if plan["regenerations"].as_u64().unwrap_or_default() > 0 {
        lines.push(format!("regenerations  {}", text("regenerations")));
    }
    lines.extend(list(&plan["steps"]).iter().map(step_line));
    if !plan["risk"].is_null() {
        let factors = parts(&plan["risk_factors"]);
        lines.push(format!("risk  {}{factors}", text("risk")));
    }
    let boundary = joined(&plan["boundary"]);
    if !boundary.is_empty() {
        lines.push(format!("boundary  touched by {boundary}"));
    }
    if !plan["quality"].is_null() {
        let (quality, parts) = (number(&plan["quality"]), parts(&plan["quality_parts"]));
        lines.push(format!("quality  {quality}{parts}"));
    }
    for one in list(&plan["gates"]) {
        let (gate, result) = (words(&one["gate"]), words(&one["result"]));
        let reason = unless_null(" (", &one["reason"], ")");
        lines.push(format!("gate  {gate}: {result}{reason}"));
    }
    if !plan["decision"].is_null() {
        let gate = match plan["deciding_gate"].is_null() {
            true => "no gate".to_owned(),
            false => text("deciding_gate"),
        };
        let (decision, profile) = (text("decision"), text("profile"));
        lines.push(format!("decision  {decision} by {gate}, profile {profile}"));
    }
    let reason = unless_null(" (", &plan["reason"], ")");
    let by = unless_null(", approved by ", &plan["approved_by"], "");
    lines.push(format!("status  {}{reason}{by}", text("status")));
    let kept = joined(&plan["kept"]);
    if !kept.is_empty() {
        lines.push(format!("kept as others left it  {kept}"));
    }
    for (what, model) in [("model", &plan["model"]), ("model now", &plan["model_now"])] {
        if model.is_object() {
            lines.push(format!("{what}  {}", model_in_words(model)));
        }
    }
    lines.join("\n") + "\n"
}

fn model_in_words(model: &Value) -> String {
    let version = unless_null(", version ", &model["version"], "");
    let (name, provider) = (words(&model["model"]), words(&model["provider"]));
    format!("{name} of {provider}{version}")
}

/// A value between these texts; nothing where it is null.
fn unless_null(before: &str, value: &Value, after: &str) -> String {
    match value.is_null() {
        true => String::new(),
        false => format!("{before}{}{after}", words(value)),
    }
}

/// The values of a list in words.
fn joined(values: &Value) -> String {
    let values: Vec<String> = list(values).iter().map(words).collect();
    values.join(", ")
}

fn step_line(step: &Value) -> String {
    let known = [
        "id", "needs", "type", "actor", "why", "covers", "dry", "result", "message",
    ];
    let fields: Vec<String> = entries(step)
        .filter(|(key, _)| !known.contains(&key.as_str()))
        .map(|(key, value)| format!("{key}: {}", words(value)))
        .collect();
    let needs = match joined(&step["needs"]) {
        needs if needs.is_empty() => needs,
        needs => format!(" after {needs}"),
    };
    let result = match step["result"].is_null() {
        true => "not carried out".to_owned(),
        false => words(&step["result"]) + &unless_null(": ", &step["message"], ""),
    };
    format!(
        "step  {} {} {{{}}}{needs}: {} (dry run {}, {result})",
        words(&step["id"]),
        words(&step["type"]),
        fields.join(", "),
        words(&step["why"]),
        words(&step["dry"]),
    )
}

fn parts(parts: &Value) -> String {
    let parts: Vec<String> = entries(parts)
        .map(|(name, value)| format!("{name} {}", number(value)))
        .collect();
    match parts.is_empty() {
        true => String::new(),
        false => format!(" = {}", parts.join(", ")),
    }
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn entries(value: &Value) -> impl Iterator<Item = (&String, &Value)> {
    value.as_object().into_iter().flatten()
}

/// A value in words, on one line.
fn words(value: &Value) -> String {
    let text = match value {
        Value::String(text) => text.clone(),
        Value::Null => "-".to_owned(),
        other => other.to_string(),
    };
    let spaced = |c: char| if c.is_control() { ' ' } else { c };
    without_controls(&text.chars().map(spaced).collect::<String>())
}

/// A number as people write it: without the zeros at its end.
fn number(value: &Value) -> String {
    let text = words(value);
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a9_every_factor_and_gate_is_told() {
        let told = explain(&json!({
            "id": "p2", "npc": "odo", "text": "Fetch it.\u{1b}[31m", "intent": "fetch", "confidence": "0.900000",
            "context": {"thing": "mug"},
            "constraints": [{"id": "c1", "kind": "MUST_NOT", "text": "no fire", "action": "use", "target": null, "pattern": null}],
            "steps": [{"id": "s1", "needs": [], "type": "take", "target": "mug", "why": "to bring it", "dry": "OK", "result": null}],
            "failures": [{"rule": "cycle", "message": "a, b"}], "regenerations": 1,
            "risk": 5, "risk_factors": {"spread": 5}, "boundary": [], "quality": "1.000000", "quality_parts": {"clarity": "1.000000"},
            "gates": [{"gate": "policy", "result": "CONFIRM", "reason": "boundary"}], "decision": "CONFIRM", "deciding_gate": "policy",
            "profile": "DEV", "status": "pending", "reason": null, "approved_by": null, "kept": ["mug"],
            "model": {"provider": "p", "model": "m", "version": "1"},
            "model_now": {"provider": "p", "model": "m", "version": null}
        }));
        for part in [
            "p2  odo: \"Fetch it. [31m\"",
            "understood  fetch (0.9 sure), thing: mug",
            "constraint  c1 MUST_NOT: no fire [action: use]",
            "failed check  cycle: a, b",
            "step  s1 take {target: mug}: to bring it (dry run OK, not carried out)",
            "risk  5 = spread 5",
            "quality  1 = clarity 1",
            "gate  policy: CONFIRM (boundary)",
            "decision  CONFIRM by policy, profile DEV",
            "kept as others left it  mug",
            "model  m of p, version 1",
            "model now  m of p",
        ] {
            assert!(told.contains(&format!("{part}\n")), "{part} in {told}");
        }
    }
}
