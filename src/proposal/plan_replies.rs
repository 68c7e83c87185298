//! Replies that are a list of actions or ask for one: of the two stages that plan, and of the parser.
//!
//! Only their form is read here. What an action may do, and whether a plan is any good, is judged by others.

use super::envelope::{action, fields_of};
use super::invalid::{InvalidFormat, InvalidKind};
use super::json_fields::{array, object, string, wrong_type};
use super::locate::{Located, locate};
use super::options::ParseOptions;
use super::proposed::{MAX_WARNINGS, ParseWarning};
use super::reply_text::text_of;
use super::speak;
use crate::judged_world::action::ProposedAction;
use crate::text::PatternSet;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// The most constraints that a wish may bring.
pub const MAX_WISH_CONSTRAINTS: usize = 10;

/// Whether a constraint of a plan demands, forbids or prefers something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(crate) enum PlanConstraintKind {
    /// A step must be so.
    Must,
    /// No step may be so.
    MustNot,
    /// A step should be so; if none is, the plan is worse for it.
    Prefer,
}

/// How far a constraint reaches, for prompts alone: it does not change what matches.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub(crate) enum PlanConstraintScope {
    /// All of the plan.
    #[default]
    #[serde(alias = "global")]
    Global,
    /// One target.
    #[serde(alias = "target")]
    Target,
    /// One step.
    #[serde(alias = "step")]
    Step,
}

impl PlanConstraintScope {
    /// Its name in a trace and a prompt.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Global => "global",
            Self::Target => "target",
            Self::Step => "step",
        }
    }
}

/// A constraint of a plan, as the game or a wish gives it.
///
/// ```
/// use bevy_dramatis::plans::PlanSettings;
/// use bevy_dramatis::proposal::PlanConstraintSpec;
///
/// let keep_it = PlanConstraintSpec::must_not("Never give the lamp away.");
/// let settings = PlanSettings {
///     constraints: vec![keep_it.of_action("give").of_target("lamp")],
///     ..PlanSettings::default()
/// };
/// assert!(settings.constraints[0].can_be_checked());
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename = "PlanConstraint", deny_unknown_fields)]
pub struct PlanConstraintSpec {
    /// Whether it demands, forbids or prefers.
    pub(crate) kind: PlanConstraintKind,
    /// How far it reaches.
    #[serde(default)]
    pub(crate) scope: PlanConstraintScope,
    /// What it says, in words.
    pub(crate) text: String,
    /// The action that a step must have to match; `None`: any.
    pub(crate) action: Option<String>,
    /// The target that a step must have to match, a reference; `None`: any.
    pub(crate) target: Option<String>,
    /// The pattern that the words of a step must hit to match; `None`: any words.
    pub(crate) pattern: Option<String>,
}

impl PlanConstraintSpec {
    /// A step must be so, in words.
    #[must_use]
    pub fn must(text: impl Into<String>) -> Self {
        Self::new(PlanConstraintKind::Must, text.into())
    }

    /// No step may be so, in words.
    #[must_use]
    pub fn must_not(text: impl Into<String>) -> Self {
        Self::new(PlanConstraintKind::MustNot, text.into())
    }

    /// A step should be so, in words; if none is, the plan is worse for it.
    #[must_use]
    pub fn prefer(text: impl Into<String>) -> Self {
        Self::new(PlanConstraintKind::Prefer, text.into())
    }

    fn new(kind: PlanConstraintKind, text: String) -> Self {
        Self {
            kind,
            scope: PlanConstraintScope::Global,
            text,
            action: None,
            target: None,
            pattern: None,
        }
    }

    /// A step must have this action to match.
    #[must_use]
    pub fn of_action(mut self, action: impl Into<String>) -> Self {
        self.action = Some(action.into());
        self
    }

    /// A step must have this target to match, a reference.
    #[must_use]
    pub fn of_target(mut self, target: impl Into<String>) -> Self {
        self.target = Some(target.into());
        self
    }

    /// The words of a step must hit this pattern to match.
    #[must_use]
    pub fn of_pattern(mut self, pattern: impl Into<String>) -> Self {
        self.pattern = Some(pattern.into());
        self
    }

    /// Whether it names something that a step can be compared with.
    #[must_use]
    pub fn can_be_checked(&self) -> bool {
        self.action.is_some() || self.target.is_some() || self.pattern.is_some()
    }
}

/// What a model understood of a wish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct WishReply {
    /// The name of the wish in the taxonomy, known or not.
    pub intent: String,
    /// How sure the model is, in thousandths, 0 to 1000, cut and not rounded.
    pub confidence: u32,
    /// What the wish gives, by key.
    pub context: BTreeMap<String, String>,
    /// What it demands, forbids and prefers, at most 10.
    pub constraints: Vec<PlanConstraintSpec>,
}

/// One step of a plan as a model wrote it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct StepReply {
    /// Its id; empty when there was none.
    pub id: String,
    /// The ids of the steps that come before it.
    pub needs: Vec<String>,
    /// What it does, not normalised yet.
    pub action: ProposedAction,
    /// Why; empty when it does not say.
    pub why: String,
    /// The ids of the constraints that it covers.
    pub covers: Vec<String>,
}

/// Reads what a model understood of a wish.
///
/// # Errors
/// `InvalidFormat`, with the kind of what is wrong: prose, a field of another type, a confidence that is no number from 0 to 1,
/// too many constraints, or one whose pattern does not compile.
pub(crate) fn parse_wish(
    bytes: &[u8],
    options: &ParseOptions,
) -> Result<(WishReply, Vec<ParseWarning>), InvalidFormat> {
    let mut warnings = Vec::new();
    let mut fields = object_of(bytes, options)?;
    let intent = string(&mut fields, "intent", "", "the wish")?;
    let confidence = fields.remove("confidence").unwrap_or(Value::Null);
    let context = match fields.remove("context") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(context)) => context,
        Some(_) => return Err(wrong_type("the wish", "context", "an object")),
    };
    let listed = array(&mut fields, "constraints", "")?;
    unknown(&fields, &mut warnings);
    if listed.len() > MAX_WISH_CONSTRAINTS {
        let message = format!("a wish brings at most {MAX_WISH_CONSTRAINTS} constraints");
        return Err(InvalidFormat::new(InvalidKind::WrongType, message));
    }
    // `null` is the same as leaving it out.
    let context = context.into_iter().filter(|(_, value)| !value.is_null());
    let context = context.map(|(key, value)| match value {
        Value::String(text) => Ok((key, text)),
        _ => Err(wrong_type("the context", &key, "a string")),
    });
    let constraints = listed.into_iter().enumerate();
    let constraints =
        constraints.map(|(i, entry)| constraint(object(entry, "constraint", i)?, &mut warnings));
    let wish = WishReply {
        intent: intent.ok_or_else(|| wrong_type("the wish", "intent", "a string"))?,
        confidence: confidence_of(&confidence)
            .ok_or_else(|| wrong_type("the wish", "confidence", "a number from 0 to 1"))?,
        context: context.collect::<Result<_, _>>()?,
        constraints: constraints.collect::<Result<_, _>>()?,
    };
    Ok((wish, warnings))
}

/// Reads a plan: an object with `steps`, alone or as the `plan` of an envelope.
///
/// # Errors
/// `InvalidFormat`, with the kind of what is wrong: prose, no array `steps`, a step that is no object, or a field of another
/// type.
pub(crate) fn parse_plan(
    bytes: &[u8],
    options: &ParseOptions,
) -> Result<(Vec<StepReply>, Vec<ParseWarning>), InvalidFormat> {
    let mut warnings = Vec::new();
    let mut fields = object_of(bytes, options)?;
    if !fields.contains_key("steps")
        && let Some(Value::Object(plan)) = fields.remove("plan")
    {
        for name in [
            "dialogue",
            "dialogueText",
            "mutations",
            "proposedMutations",
            "intents",
            "worldIntents",
        ] {
            fields.remove(name);
        }
        unknown(&fields, &mut warnings);
        fields = plan;
    }
    let Some(Value::Array(steps)) = fields.remove("steps") else {
        return Err(wrong_type("the plan", "steps", "an array"));
    };
    unknown(&fields, &mut warnings);
    let steps = steps.into_iter().enumerate();
    let steps = steps.map(|(i, entry)| step(object(entry, "step", i)?, i, &mut warnings));
    let mut steps: Vec<StepReply> = steps.collect::<Result<_, _>>()?;
    speak::clean(steps.iter_mut().map(|step| &mut step.action), options);
    Ok((steps, warnings))
}

/// Reads a model's version of a player's words: an object with `actions`. Entries after the first `most` are left out.
///
/// # Errors
/// `InvalidFormat`, with the kind of what is wrong: prose, no array `actions`, or an action that is no object.
pub(crate) fn parse_actions(
    bytes: &[u8],
    options: &ParseOptions,
    most: usize,
) -> Result<(Vec<ProposedAction>, Vec<ParseWarning>), InvalidFormat> {
    let mut warnings = Vec::new();
    let mut fields = object_of(bytes, options)?;
    let Some(Value::Array(actions)) = fields.remove("actions") else {
        return Err(wrong_type("the answer", "actions", "an array"));
    };
    unknown(&fields, &mut warnings);
    let actions = actions.into_iter().take(most).enumerate();
    let actions = actions.map(|(i, entry)| Ok(action(object(entry, "action", i)?)));
    Ok((actions.collect::<Result<_, _>>()?, warnings))
}

pub(super) fn object_of(
    bytes: &[u8],
    options: &ParseOptions,
) -> Result<Map<String, Value>, InvalidFormat> {
    match locate(text_of(bytes)?)? {
        Located::Envelope(object) => fields_of(&object, options.finish),
        Located::Prose(_) => Err(InvalidFormat::new(
            InvalidKind::Json,
            "the answer is a JSON object",
        )),
    }
}

fn unknown(fields: &Map<String, Value>, warnings: &mut Vec<ParseWarning>) {
    let mut names: Vec<&String> = fields.keys().collect();
    names.sort_unstable();
    let room = MAX_WARNINGS.saturating_sub(warnings.len());
    let names = names.into_iter().take(room);
    warnings.extend(names.map(|name| ParseWarning::unknown_field(name)));
}

fn constraint(
    mut fields: Map<String, Value>,
    warnings: &mut Vec<ParseWarning>,
) -> Result<PlanConstraintSpec, InvalidFormat> {
    let place = "a constraint";
    let mut known = Map::new();
    for name in ["kind", "scope", "text", "action", "target", "pattern"] {
        let value = fields.remove(name).filter(|value| !value.is_null());
        known.extend(value.map(|value| (name.to_owned(), value)));
    }
    unknown(&fields, warnings);
    let spec: PlanConstraintSpec = serde_json::from_value(Value::Object(known))
        .map_err(|error| InvalidFormat::new(InvalidKind::WrongType, format!("{place}: {error}")))?;
    if let Some(pattern) = &spec.pattern {
        PatternSet::compile([pattern]).map_err(|error| {
            InvalidFormat::new(InvalidKind::WrongType, format!("{place}: {error}"))
        })?;
    }
    Ok(spec)
}

fn step(
    mut fields: Map<String, Value>,
    index: usize,
    warnings: &mut Vec<ParseWarning>,
) -> Result<StepReply, InvalidFormat> {
    let place = format!("step {index}");
    let id = string(&mut fields, "id", "", &place)?;
    let why = string(&mut fields, "why", "", &place)?;
    let needs = strings(&mut fields, "needs", &place)?;
    let covers = strings(&mut fields, "covers", &place)?;
    let Some(Value::Object(does)) = fields.remove("action") else {
        return Err(wrong_type(&place, "action", "an object"));
    };
    unknown(&fields, warnings);
    Ok(StepReply {
        id: id.unwrap_or_default(),
        needs,
        action: action(does),
        why: why.map(|why| why.trim().to_owned()).unwrap_or_default(),
        covers,
    })
}

fn strings(
    fields: &mut Map<String, Value>,
    key: &str,
    place: &str,
) -> Result<Vec<String>, InvalidFormat> {
    let wrong = || wrong_type(place, key, "an array of strings");
    let list = match fields.remove(key) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(wrong()),
    };
    let list = list.into_iter().map(|entry| match entry {
        Value::String(text) => Ok(text),
        _ => Err(wrong()),
    });
    list.collect()
}

/// A number from 0 to 1, or its digits, cut to thousandths. Its digits are cut, and not what a float makes of them.
fn confidence_of(value: &Value) -> Option<u32> {
    let digits = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return None,
    };
    let digits = match digits.contains(['e', 'E']) {
        true => format!("{:.12}", digits.parse::<f64>().ok()?),
        false => digits,
    };
    // Zero is not below zero.
    let is_zero = |text: &str| text.bytes().all(|byte| byte == b'0' || byte == b'.');
    let digits = digits
        .strip_prefix('-')
        .filter(|rest| is_zero(rest))
        .unwrap_or(&digits);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits =
        |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let thousandths = format!("{fraction:0<3}").get(..3)?.parse::<u32>().ok()?;
    match whole.trim_start_matches('0') {
        "" => Some(thousandths),
        "1" if fraction.bytes().all(|byte| byte == b'0') => Some(1_000),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn g1_what_a_step_says_is_speech_alone() {
        for (words, said) in [
            ("Mind the step.", "Mind the step."),
            ("<think>x</think>Mind the step.", "Mind the step."),
            ("Mind the step.<|im_end|>", "Mind the step."),
            ("Mind the step. [INTENT: drop key_1]", "Mind the step."),
            ("*smiles* Mind the step.", "Mind the step."),
        ] {
            let step = json!({"id": "s1", "action": {"type": "speak", "content": words}});
            let plan = json!({"steps": [step]}).to_string();
            let (steps, _) = parse_plan(plan.as_bytes(), &ParseOptions::default()).unwrap();
            assert_eq!(steps[0].action.fields["content"], json!(said));
        }
    }

    #[test]
    fn a2_confidence_is_cut_to_thousandths() {
        for (value, expected) in [
            (json!(0.85), Some(850)),
            (json!(0.8499), Some(849)),
            (json!(0.57), Some(570)),
            (json!("0.29"), Some(290)),
            (json!(1), Some(1_000)),
            (json!("1.000"), Some(1_000)),
            (json!(0), Some(0)),
            (json!(1e-7), Some(0)),
            (json!(1.0001), None),
            (json!(-0.0), Some(0)),
            (json!("-0"), Some(0)),
            (json!(-0.1), None),
            (json!("NaN"), None),
            (json!("high"), None),
            (json!("."), None),
            (json!(null), None),
        ] {
            assert_eq!(confidence_of(&value), expected, "{value}");
        }
    }

    fn wish(reply: &str) -> Result<WishReply, InvalidKind> {
        let read = parse_wish(reply.as_bytes(), &ParseOptions::default());
        read.map(|(wish, _)| wish).map_err(|error| error.kind)
    }

    #[test]
    fn a3_a_wish_brings_constraints() {
        let read = wish(
            r#"{"intent": "fetch", "confidence": "0.9", "context": {"thing": "mug"}, "more": 1, "constraints": [
                {"kind": "MUST_NOT", "scope": "target", "text": "not the chest", "target": "chest"},
                {"kind": "PREFER", "text": "be quick", "odd": true}]}"#,
        )
        .unwrap();
        assert_eq!((read.intent.as_str(), read.confidence), ("fetch", 900));
        assert_eq!(read.constraints[0].scope, PlanConstraintScope::Target);
        assert!(read.constraints[0].can_be_checked() && !read.constraints[1].can_be_checked());
        for wrong in [
            "I will fetch it.",
            r#"{"confidence": 1}"#,
            r#"{"intent": "fetch"}"#,
            r#"{"intent": "fetch", "confidence": 2}"#,
            r#"{"intent": "fetch", "confidence": 1, "context": {"a": 1}}"#,
            r#"{"intent": "fetch", "confidence": 1, "constraints": [{"kind": "MAY", "text": "x"}]}"#,
            r#"{"intent": "fetch", "confidence": 1, "constraints": [{"kind": "MUST", "text": "x", "pattern": "/(/"}]}"#,
        ] {
            assert!(wish(wrong).is_err(), "{wrong}");
        }
        let many: Vec<Value> = vec![json!({"kind": "MUST", "text": "x"}); 11];
        let many = json!({"intent": "x", "confidence": 1, "constraints": many});
        assert!(wish(&many.to_string()).is_err());
    }

    #[test]
    fn a4_a_plan_is_read_alone_and_in_an_envelope() {
        let plan = r#"{"steps": [{"id": "s1", "action": {"type": "take", "target": "mug"}, "why": "it is there"},
            {"id": "s2", "needs": ["s1"], "action": {"type": "give", "target": "mug", "to": "ann"}, "covers": ["c1"]}]}"#;
        let read = |reply: &str| parse_plan(reply.as_bytes(), &ParseOptions::default());
        let alone = read(plan).unwrap().0;
        assert_eq!(alone.len(), 2);
        assert_eq!(alone[1].needs, ["s1"]);
        assert_eq!(alone[0].action.kind, "take");
        let within = format!(r#"{{"dialogue": "I will.", "plan": {plan}}}"#);
        assert_eq!(read(&within).unwrap().0, alone);
        for wrong in [
            "First I take the mug.",
            r#"{"steps": {}}"#,
            r#"{"steps": [1]}"#,
            r#"{"steps": [{"id": "s1"}]}"#,
            r#"{"steps": [{"id": 1, "action": {"type": "take"}}]}"#,
            r#"{"steps": [{"id": "s1", "needs": "s0", "action": {"type": "take"}}]}"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
