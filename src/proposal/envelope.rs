//! Where an envelope is found in a reply, and how its JSON is read (SCENARIO.md section 2, "Envelope").
//!
//! Rulings: a fence is three or more backticks, or tildes if an object follows. A fence that was opened and never
//! closed ends with the text. A fence whose content does not begin with `{` is prose: its backticks and its language
//! are dropped, its text is speech. Of a key that stands twice in one object, the last one counts, for the gate as
//! for everybody after it. `null` in an optional field is the same as leaving it out.

use super::{
    Finish, InvalidFormat, InvalidKind, MAX_DEPTH, MAX_WARNINGS, ParseOptions, ParseWarning,
    Proposal, ProposedAction, ProposedMutation, ReplyForm,
    sanitise::{self, Reading, is_blank},
};
use serde_json::{Map, Value};

/// The mutation type that is an intent.
pub(super) const EMIT: &str = "EmitWorldIntent";

/// The fields of a mutation of type `kind`, besides `type`. An unknown type has a target and a content.
pub(super) fn mutation_keys(kind: &str) -> &'static [&'static str] {
    match kind {
        "AppendEpisodic" => &["target", "content", "significance"],
        "TransformBelief" => &["target", "content", "confidence"],
        "TransformRelationship" => &["target", "content", "affinity", "trust", "familiarity"],
        EMIT => &["target", "intent"],
        _ => &["target", "content"],
    }
}

/// What a reply is, once thinking is removed.
#[derive(Debug, PartialEq)]
pub(super) enum Located<'a> {
    /// Prose, with thinking and fences removed.
    Prose(String),
    /// The text of an envelope, from its `{` on.
    Envelope(&'a str),
}

/// Decides between the two forms.
pub(super) fn locate(reply: &str) -> Result<Located<'_>, InvalidFormat> {
    // Same length as the reply, so that places in one are places in the other.
    let lower = reply.to_ascii_lowercase();
    let bytes = reply.as_bytes();
    let mut prose = String::new();
    let mut envelopes: Vec<(&str, usize)> = Vec::new();
    let mut kept_from = 0;
    let mut at = 0;
    let mut begun = false;
    // Whether a fence of prose is open: its end has neither a language nor an object.
    let mut fenced = false;
    while at < bytes.len() {
        if !begun {
            at = reply.len() - reply[at..].trim_start_matches(is_blank).len();
            kept_from = at;
            match bytes.get(at) {
                Some(b'{') => return Ok(Located::Envelope(&reply[at..])),
                None => break,
                Some(_) => begun = true,
            }
        }
        match bytes[at] {
            b'<' => {
                let Some(tag) = sanitise::thinking_tag(&lower[at..]) else {
                    at += 1;
                    continue;
                };
                prose.push_str(&reply[kept_from..at]);
                if tag.closing {
                    prose.clear();
                    envelopes.clear();
                }
                at = tag.block_end(&lower, at);
                kept_from = at;
                begun = !prose.is_empty() || !envelopes.is_empty();
            }
            mark @ (b'`' | b'~') => {
                let run = bytes[at..].iter().take_while(|b| **b == mark).count();
                if run < 3 {
                    at += run;
                    continue;
                }
                let (mut object, mut prose_from) = fence_content(reply, at + run);
                // The end of a fence has no language; with one, it begins an envelope all the same.
                let named = bytes.get(at + run).is_some_and(u8::is_ascii_alphanumeric);
                if mark == b'`' && fenced && !(named && object.is_some()) {
                    (object, prose_from) = (None, at + run);
                }
                if let Some(start) = object {
                    prose.push_str(&reply[kept_from..at]);
                    let (end, after) = fence_end(bytes, start, mark);
                    envelopes.push((&reply[start..end], prose.len()));
                    at = after;
                    kept_from = at;
                } else if mark == b'`' {
                    prose.push_str(&reply[kept_from..at]);
                    prose.push('\n');
                    fenced = !fenced;
                    at = prose_from;
                    kept_from = at;
                } else {
                    at += run;
                }
            }
            _ => at += 1,
        }
    }
    prose.push_str(&reply[kept_from..]);
    match envelopes.as_slice() {
        [] if prose.chars().all(is_blank) => Err(InvalidFormat::new(
            InvalidKind::Empty,
            "the reply holds nothing but thinking and white space",
        )),
        [] => Ok(Located::Prose(prose)),
        [(json, before)] => {
            let behind = prose.get(*before..).unwrap_or("");
            if behind.trim_start_matches(is_blank).starts_with('{') {
                Err(several())
            } else {
                Ok(Located::Envelope(json))
            }
        }
        _ => Err(several()),
    }
}

fn several() -> InvalidFormat {
    InvalidFormat::new(
        InvalidKind::SeveralEnvelopes,
        "the reply holds more than one envelope",
    )
}

/// After a fence's opening: where its object begins, if it has one; and where its text begins as prose.
fn fence_content(reply: &str, from: usize) -> (Option<usize>, usize) {
    let rest = &reply[from..];
    let spaced = rest.trim_start_matches([' ', '\t']);
    let named = spaced.trim_start_matches(|c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '+' | '.')
    });
    let content = named.trim_start_matches(is_blank);
    let object = content
        .starts_with('{')
        .then(|| reply.len() - content.len());
    let line_ends = named.trim_start_matches([' ', '\t']);
    let alone = line_ends.is_empty() || line_ends.starts_with(['\n', '\r']);
    (
        object,
        if alone {
            reply.len() - named.len()
        } else {
            from
        },
    )
}

/// The end of the content of a fence of `mark`s, and the place after the fence. A fence inside a JSON string is none.
fn fence_end(bytes: &[u8], start: usize, mark: u8) -> (usize, usize) {
    let mut strings = Strings::default();
    let mut at = start;
    while at < bytes.len() {
        if strings.outside(bytes[at]) && bytes[at] == mark {
            let run = bytes[at..].iter().take_while(|b| **b == mark).count();
            if run >= 3 {
                return (at, at + run);
            }
            at += run;
        } else {
            at += 1;
        }
    }
    (bytes.len(), bytes.len())
}

/// Follows JSON text byte by byte and knows what stands in strings.
#[derive(Default)]
struct Strings {
    inside: bool,
    escaped: bool,
}

impl Strings {
    /// Takes the next byte; whether it is outside strings (the quotes themselves are not).
    fn outside(&mut self, byte: u8) -> bool {
        if self.inside {
            if self.escaped {
                self.escaped = false;
            } else if byte == b'\\' {
                self.escaped = true;
            } else if byte == b'"' {
                self.inside = false;
            }
            return false;
        }
        self.inside = byte == b'"';
        !self.inside
    }
}

/// Checked before parsing, because the parser recurses.
fn check_depth(json: &str) -> Result<(), InvalidFormat> {
    let mut strings = Strings::default();
    let mut depth = 0usize;
    for byte in json.bytes() {
        if !strings.outside(byte) {
            continue;
        }
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth > MAX_DEPTH {
            let message = format!("the envelope is nested deeper than {MAX_DEPTH}");
            return Err(InvalidFormat::new(InvalidKind::TooDeep, message));
        }
        if depth == 0 {
            break;
        }
    }
    Ok(())
}

/// Reads an envelope that begins at the start of `json`.
pub(super) fn read(json: &str, options: &ParseOptions) -> Result<Proposal, InvalidFormat> {
    if options.finish == Finish::Length {
        return Err(InvalidFormat::new(
            InvalidKind::Truncated,
            "the engine cut the envelope",
        ));
    }
    check_depth(json)?;
    let mut values = serde_json::Deserializer::from_str(json).into_iter::<Value>();
    let mut fields = match values.next() {
        Some(Ok(Value::Object(fields))) => fields,
        Some(Err(e)) => {
            return Err(InvalidFormat::new(
                InvalidKind::Json,
                format!("the envelope is no JSON: {e}"),
            ));
        }
        _ => {
            return Err(InvalidFormat::new(
                InvalidKind::Json,
                "the envelope is no JSON object",
            ));
        }
    };
    let behind = sanitise::without_thinking(json.get(values.byte_offset()..).unwrap_or(""));
    let behind = behind.trim_start_matches(is_blank);
    if behind.starts_with('{') {
        return Err(several());
    }
    if !behind.is_empty() {
        return Err(InvalidFormat::new(
            InvalidKind::TrailingText,
            "text follows the envelope",
        ));
    }

    let mut reader = Reader {
        proposal: Proposal::empty(ReplyForm::Envelope),
        left_out: 0,
    };
    let Some(dialogue) = string(&mut fields, "dialogue", "dialogueText", "the envelope")? else {
        return Err(InvalidFormat::new(
            InvalidKind::MissingDialogue,
            "the envelope has no dialogue",
        ));
    };
    let mutations = array(&mut fields, "mutations", "proposedMutations")?;
    let intents = array(&mut fields, "intents", "worldIntents")?;
    reader.proposal.plan = match fields.remove("plan") {
        None | Some(Value::Null) => None,
        Some(plan @ Value::Object(_)) => Some(plan),
        Some(_) => return Err(wrong_type("the envelope", "plan", "an object")),
    };
    reader.unknown("the envelope", &fields);

    for (i, entry) in intents.into_iter().enumerate() {
        let fields = object(entry, "intent", i)?;
        reader.proposal.intents.push(action(fields));
    }
    for (i, entry) in mutations.into_iter().enumerate() {
        let fields = object(entry, "mutation", i)?;
        reader.mutation(fields, i)?;
    }
    let mut proposal = reader.finish();
    proposal.dialogue = sanitise::speech(&dialogue, Reading::Envelope, options.known_names);
    proposal.speaks_or_acts()
}

struct Reader {
    proposal: Proposal,
    left_out: usize,
}

impl Reader {
    fn unknown(&mut self, place: &str, fields: &Map<String, Value>) {
        // Sorted, because the order of a JSON map is a feature of the parser's build.
        let mut names: Vec<&String> = fields.keys().collect();
        names.sort_unstable();
        for name in names {
            if self.proposal.warnings.len() + 1 >= MAX_WARNINGS {
                self.left_out += 1;
                continue;
            }
            let short: String = name.chars().take(64).collect();
            self.proposal.warn(
                "unknown_field",
                format!("{place} has an unknown field {short:?}, ignored"),
            );
        }
    }

    fn mutation(
        &mut self,
        mut fields: Map<String, Value>,
        index: usize,
    ) -> Result<(), InvalidFormat> {
        let place = format!("mutation {index}");
        let kind = string(&mut fields, "type", "", &place)?;
        let untyped = kind.as_deref().is_none_or(|k| k.trim().is_empty());
        let mut mutation = ProposedMutation {
            kind: kind.unwrap_or_default(),
            malformed: untyped.then(|| "a mutation without a type".to_owned()),
            ..ProposedMutation::default()
        };
        for key in mutation_keys(&mutation.kind) {
            match *key {
                "target" => mutation.target = string(&mut fields, key, "", &place)?,
                "content" => {
                    mutation.content = string(&mut fields, key, "", &place)?
                        .map(|c| sanitise::tidy(&sanitise::normalise(&c)));
                }
                "intent" => {}
                number => {
                    let value = self::number(&mut fields, number, &place)?;
                    if let Some(slot) = mutation.number_mut(number) {
                        *slot = value;
                    }
                }
            }
        }
        if mutation.kind == EMIT {
            let intent = match fields.remove("intent") {
                Some(Value::Object(intent)) => action(intent),
                _ => ProposedAction {
                    malformed: Some(format!("an {EMIT} whose intent is missing or no object")),
                    ..ProposedAction::default()
                },
            };
            self.proposal.intents.push(ProposedAction {
                beside: mutation.target,
                ..intent
            });
        } else {
            self.proposal.mutations.push(mutation);
        }
        self.unknown(&place, &fields);
        Ok(())
    }

    fn finish(mut self) -> Proposal {
        if self.left_out > 0 {
            self.proposal.warnings.push(ParseWarning {
                rule: "unknown_field",
                message: format!("{} more unknown fields, ignored", self.left_out),
            });
        }
        self.proposal
    }
}

/// An action keeps its fields as they are. Without `type`, `intentType` is it.
fn action(mut fields: Map<String, Value>) -> ProposedAction {
    let key =
        if fields.get("type").is_some_and(|v| !v.is_null()) || !fields.contains_key("intentType") {
            "type"
        } else {
            fields.remove("type");
            "intentType"
        };
    let (kind, malformed) = match fields.remove(key) {
        Some(Value::String(kind)) if !kind.trim().is_empty() => (kind, None),
        None | Some(Value::Null | Value::String(_)) => {
            (String::new(), Some("an intent without a type"))
        }
        Some(_) => (String::new(), Some("an intent whose type is no string")),
    };
    ProposedAction {
        kind,
        fields: fields.into_iter().collect(),
        beside: None,
        malformed: malformed.map(str::to_owned),
    }
}

/// Takes a field by its name, else by its other spelling. Beside the first, the other stays and is unknown.
fn take(fields: &mut Map<String, Value>, key: &str, other: &str) -> Option<Value> {
    fields
        .remove(key)
        .filter(|v| !v.is_null())
        .or_else(|| fields.remove(other).filter(|v| !v.is_null()))
}

fn string(
    fields: &mut Map<String, Value>,
    key: &str,
    other: &str,
    place: &str,
) -> Result<Option<String>, InvalidFormat> {
    match if other.is_empty() {
        fields.remove(key)
    } else {
        take(fields, key, other)
    } {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(s)) => Ok(Some(s)),
        Some(_) => Err(wrong_type(place, key, "a string")),
    }
}

fn number(
    fields: &mut Map<String, Value>,
    key: &str,
    place: &str,
) -> Result<Option<f64>, InvalidFormat> {
    match fields.remove(key) {
        None | Some(Value::Null) => Ok(None),
        Some(v) => match v.as_f64().filter(|n| n.is_finite()) {
            Some(n) => Ok(Some(n)),
            None => Err(wrong_type(place, key, "a number")),
        },
    }
}

fn array(
    fields: &mut Map<String, Value>,
    key: &str,
    other: &str,
) -> Result<Vec<Value>, InvalidFormat> {
    // `null` is left out elsewhere; where a list belongs it is of the wrong type.
    if [key, other]
        .iter()
        .any(|name| fields.get(*name).is_some_and(Value::is_null))
    {
        return Err(wrong_type("the envelope", key, "an array"));
    }
    match take(fields, key, other) {
        None => Ok(Vec::new()),
        Some(Value::Array(entries)) => Ok(entries),
        Some(_) => Err(wrong_type("the envelope", key, "an array")),
    }
}

fn object(entry: Value, what: &str, index: usize) -> Result<Map<String, Value>, InvalidFormat> {
    match entry {
        Value::Object(fields) => Ok(fields),
        _ => Err(InvalidFormat::new(
            InvalidKind::NotAnObject,
            format!("{what} {index} is no object"),
        )),
    }
}

fn wrong_type(place: &str, key: &str, expected: &str) -> InvalidFormat {
    InvalidFormat::new(
        InvalidKind::WrongType,
        format!("{key:?} of {place} is not {expected}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read(text: &str) -> Result<Proposal, InvalidFormat> {
        let names = ["Eldrin".to_owned()];
        super::super::parse(
            text.as_bytes(),
            &ParseOptions {
                finish: Finish::Stop,
                known_names: &names,
            },
        )
    }

    fn ok(text: &str) -> Proposal {
        read(text).expect(text)
    }

    fn kind(text: &str) -> InvalidKind {
        read(text).expect_err(text).kind
    }

    #[test]
    fn g1_whole_example_of_the_format_is_read() {
        let proposal = ok(r#"{"dialogue": "Spoken text.",
            "mutations": [
              {"type": "AppendEpisodic", "content": "Ann asked about the tower.", "significance": 0.6},
              {"type": "TransformBelief", "target": "trust_ann", "content": "Ann is curious.", "confidence": 0.8},
              {"type": "TransformRelationship", "target": "player", "content": "warmer", "affinity": 0.1, "trust": 0.1, "familiarity": 0.1},
              {"type": "EmitWorldIntent", "intent": {"type": "open", "target": "door_1"}}],
            "intents": [{"type": "give", "target": "key_1", "to": "player"}]}"#);
        assert_eq!(proposal.form, ReplyForm::Envelope);
        assert_eq!(proposal.dialogue, "Spoken text.");
        let kinds: Vec<&str> = proposal.mutations.iter().map(|m| m.kind.as_str()).collect();
        assert_eq!(
            kinds,
            ["AppendEpisodic", "TransformBelief", "TransformRelationship"]
        );
        assert_eq!(proposal.mutations[0].significance, Some(0.6));
        assert_eq!(proposal.mutations[1].target.as_deref(), Some("trust_ann"));
        assert_eq!(proposal.mutations[2].familiarity, Some(0.1));
        let kinds: Vec<&str> = proposal.intents.iter().map(|i| i.kind.as_str()).collect();
        assert_eq!(kinds, ["give", "open"]);
        assert_eq!(proposal.intents[0].fields["to"], json!("player"));
        assert!(proposal.warnings.is_empty() && proposal.plan.is_none());
    }

    #[test]
    fn g1_envelope_is_found_where_it_stands() {
        let e = r#"{"dialogue": "Hi."}"#;
        for text in [
            e.to_owned(),
            format!("  \n{e}\n "),
            format!("\u{feff}{e}"),
            format!("\u{200b}{e}"),
            format!("<think>{{\"dialogue\": \"no\"}}</think>{e}"),
            format!("<think>a</think>\u{feff} <THINKING>b</Thinking>\n{e}"),
            format!("plan it</think>{e}"),
            format!("{e}<think>done</think>"),
            format!("```json\n{e}\n```"),
            format!("```JSON\n{e}\n```"),
            format!("```\n{e}```"),
            format!("```{e}```"),
            format!("```` json {e} ````"),
            format!("~~~json\n{e}\n~~~"),
            format!("Sure, here it is:\n```json\n{e}\n```\nHope it helps. [INTENT: open door_1]"),
            format!("```json\n{e}"),
            format!("``` is a fence. ```json\n{e}\n```"),
        ] {
            let proposal = ok(&text);
            assert_eq!(proposal.form, ReplyForm::Envelope, "{text:?}");
            assert_eq!(proposal.dialogue, "Hi.", "{text:?}");
            assert!(proposal.intents.is_empty());
        }
    }

    #[test]
    fn g1_fence_and_tag_inside_a_string_are_text() {
        let proposal = ok("```json\n{\"dialogue\": \"Read ```this``` \\\" and } there.\"}\n```");
        assert_eq!(
            proposal.dialogue,
            "Read this\" and } there.".replace("this\"", "this \"")
        );
        assert_eq!(
            ok(r#"{"dialogue": "<think>no</think>Yes."}"#).dialogue,
            "Yes."
        );
    }

    #[test]
    fn g1_broken_envelope_is_never_prose() {
        for text in [
            "{",
            "{}}",
            "{\"dialogue\": \"Hi.\"",
            "{smiles} Hello.",
            "{\"dialogue\": \"a\nb\"}",
            "{'dialogue': 'x'}",
            "{\"dialogue\": \"x\",}",
            "```json\n{nope}\n```",
            "Hi. ```\n{\"dialogue\"",
            "{\"dialogue\": \"x\", \"n\": 1e999}",
            "{\"dialogue\": \"x\", \"n\": NaN}",
            "{\"dialogue\": \"\\ud800\"}",
        ] {
            assert!(
                matches!(
                    kind(text),
                    InvalidKind::Json | InvalidKind::MissingDialogue | InvalidKind::TrailingText
                ),
                "{text:?}"
            );
        }
        assert_eq!(
            kind("{\"dialogue\": \"x\", \"n\": 1e999}"),
            InvalidKind::Json
        );
    }

    #[test]
    fn g1_one_envelope_and_nothing_after_it() {
        let e = r#"{"dialogue": "Hi."}"#;
        assert_eq!(kind(&format!("{e}{e}")), InvalidKind::SeveralEnvelopes);
        assert_eq!(kind(&format!("{e}\n{{")), InvalidKind::SeveralEnvelopes);
        assert_eq!(
            kind(&format!("```json\n{e}\n```\n```json\n{e}\n```")),
            InvalidKind::SeveralEnvelopes
        );
        assert_eq!(
            kind(&format!("```json\n{e}\n```\n{e}")),
            InvalidKind::SeveralEnvelopes
        );
        assert_eq!(
            kind(&format!("```json\n{e}\n{e}\n```")),
            InvalidKind::SeveralEnvelopes
        );
        assert_eq!(kind(&format!("{e} Hello.")), InvalidKind::TrailingText);
        assert_eq!(kind(&format!("{e}\n```")), InvalidKind::TrailingText);
        assert_eq!(
            kind(&format!("```json\n{e} and more\n```")),
            InvalidKind::TrailingText
        );
    }

    #[test]
    fn g1_depth_has_a_limit() {
        let nested = |n: usize| {
            format!(
                "{{\"dialogue\": \"Hi. [[\", \"x\": {}{}}}",
                "[".repeat(n),
                "]".repeat(n)
            )
        };
        assert_eq!(ok(&nested(MAX_DEPTH - 1)).warnings.len(), 1);
        assert_eq!(kind(&nested(MAX_DEPTH)), InvalidKind::TooDeep);
        assert_eq!(kind(&nested(100_000)), InvalidKind::TooDeep);
        let text = format!("{{\"dialogue\": \"Hi.{}\"}}", "\\\"{".repeat(50));
        assert!(ok(&text).dialogue.starts_with("Hi."));
    }

    #[test]
    fn g1_dialogue_is_required() {
        assert_eq!(kind("{}"), InvalidKind::MissingDialogue);
        assert_eq!(kind(r#"{"dialogue": null}"#), InvalidKind::MissingDialogue);
        assert_eq!(
            kind(r#"{"intents": [{"type": "open"}]}"#),
            InvalidKind::MissingDialogue
        );
    }

    #[test]
    fn g1_empty_dialogue_needs_an_intent() {
        for said in ["", "  ", "*smiles*", "[nods]", "Eldrin: ", "\\u0007"] {
            assert_eq!(
                kind(&format!("{{\"dialogue\": \"{said}\"}}")),
                InvalidKind::NoSpeech,
                "{said}"
            );
            let beside = ok(&format!(
                "{{\"dialogue\": \"{said}\", \"intents\": [{{\"type\": \"open\"}}]}}"
            ));
            assert_eq!(beside.dialogue, "");
        }
        let emitted = ok(
            r#"{"dialogue": "", "mutations": [{"type": "EmitWorldIntent", "intent": {"type": "open"}}]}"#,
        );
        assert_eq!((emitted.intents.len(), emitted.mutations.len()), (1, 0));
        let memory =
            r#"{"dialogue": "", "mutations": [{"type": "AppendEpisodic", "content": "x"}]}"#;
        assert_eq!(kind(memory), InvalidKind::NoSpeech);
    }

    #[test]
    fn g1_wrong_types_are_refused() {
        for field in [
            r#""dialogue": 5"#,
            r#""dialogue": ["x"]"#,
            r#""dialogueText": {}, "dialogue": null"#,
            r#""dialogue": "x", "mutations": {}"#,
            r#""dialogue": "x", "intents": "open""#,
            r#""dialogue": "x", "worldIntents": 1"#,
            r#""dialogue": "x", "plan": []"#,
            r#""dialogue": "x", "mutations": [{"type": 5}]"#,
            r#""dialogue": "x", "mutations": [{"type": "AppendEpisodic", "content": 5}]"#,
            r#""dialogue": "x", "mutations": [{"type": "AppendEpisodic", "content": "x", "significance": "0.6"}]"#,
            r#""dialogue": "x", "mutations": [{"type": "TransformBelief", "target": ["a"]}]"#,
            r#""dialogue": "x", "mutations": [{"type": "TransformRelationship", "trust": true}]"#,
        ] {
            assert_eq!(
                kind(&format!("{{{field}}}")),
                InvalidKind::WrongType,
                "{field}"
            );
        }
        for entry in ["null", "5", "\"open\"", "[]"] {
            for list in ["mutations", "intents", "proposedMutations", "worldIntents"] {
                let text = format!("{{\"dialogue\": \"x\", \"{list}\": [{entry}]}}");
                assert_eq!(kind(&text), InvalidKind::NotAnObject, "{text}");
            }
        }
    }

    #[test]
    fn g1_null_in_an_optional_field_is_absent() {
        for list in ["mutations", "intents", "worldIntents"] {
            let reply = format!(r#"{{"dialogue": "x", "{list}": null}}"#);
            assert_eq!(kind(&reply), InvalidKind::WrongType);
        }
        let proposal = ok(r#"{"dialogue": "x", "plan": null}"#);
        assert!(
            proposal.mutations.is_empty()
                && proposal.intents.is_empty()
                && proposal.warnings.is_empty()
        );
        let nulls = ok(
            r#"{"dialogue": "x", "mutations": [{"type": "TransformBelief", "target": null, "content": "y", "confidence": null}]}"#,
        );
        assert_eq!(
            (
                nulls.mutations[0].target.clone(),
                nulls.mutations[0].confidence
            ),
            (None, None)
        );
    }

    #[test]
    fn g1_other_spellings_are_read() {
        let proposal = ok(
            r#"{"dialogueText": "x", "proposedMutations": [{"type": "AppendEpisodic", "content": "y"}],
            "worldIntents": [{"intentType": "open", "target": "door_1"}]}"#,
        );
        assert_eq!(proposal.dialogue, "x");
        assert_eq!(proposal.mutations.len(), 1);
        assert_eq!(proposal.intents[0].kind, "open");
        assert_eq!(
            proposal.intents[0].fields,
            [("target".to_owned(), json!("door_1"))].into()
        );
        assert!(proposal.warnings.is_empty());
    }

    #[test]
    fn g1_beside_its_first_spelling_the_other_is_unknown() {
        let proposal = ok(
            r#"{"dialogue": "x", "dialogueText": 5, "intents": [], "worldIntents": [{"intentType": "open"}]}"#,
        );
        assert_eq!(proposal.dialogue, "x");
        assert!(proposal.intents.is_empty());
        assert_eq!(proposal.warnings.len(), 2);
        let both = ok(r#"{"dialogue": "x", "intents": [{"type": "open", "intentType": "close"}]}"#);
        assert_eq!(both.intents[0].kind, "open");
        assert!(both.intents[0].fields.contains_key("intentType"));
    }

    #[test]
    fn g1_unknown_fields_are_ignored_with_a_warning() {
        let proposal = ok(r#"{"dialogue": "x", "mood": 1, "mutations": [
            {"type": "AppendEpisodic", "content": "y", "confidence": "high", "note": 1}, {"type": "Nope", "target": "t", "power": 9}]}"#);
        assert!(proposal.warnings.iter().all(|w| w.rule == "unknown_field"));
        let named: Vec<bool> = ["\"mood\"", "\"confidence\"", "\"note\"", "\"power\""]
            .iter()
            .zip(&proposal.warnings)
            .map(|(name, w)| w.message.contains(name))
            .collect();
        assert_eq!(named, [true; 4]);
        assert_eq!(proposal.mutations[0].confidence, None);
        assert_eq!(proposal.mutations[1].target.as_deref(), Some("t"));
    }

    #[test]
    fn g1_warnings_are_bounded() {
        let fields: String = (0..1_000).map(|i| format!(", \"f{i}\": 1")).collect();
        let warnings = ok(&format!("{{\"dialogue\": \"x\"{fields}}}")).warnings;
        assert_eq!(warnings.len(), MAX_WARNINGS);
        assert!(warnings[MAX_WARNINGS - 1].message.starts_with("937 more"));
    }

    #[test]
    fn g6_mutation_without_a_type_is_malformed() {
        for entry in [
            r#"{"content": "x"}"#,
            r#"{"type": null}"#,
            r#"{"type": " "}"#,
        ] {
            let proposal = ok(&format!(
                "{{\"dialogue\": \"x\", \"mutations\": [{entry}]}}"
            ));
            assert!(proposal.mutations[0].malformed.is_some(), "{entry}");
        }
        assert!(
            ok(r#"{"dialogue": "x", "mutations": [{"type": "Nope"}]}"#).mutations[0]
                .malformed
                .is_none()
        );
    }

    #[test]
    fn g6_numbers_out_of_range_are_carried() {
        let proposal = ok(
            r#"{"dialogue": "x", "mutations": [{"type": "TransformBelief", "content": "y", "confidence": 7}]}"#,
        );
        assert_eq!(proposal.mutations[0].confidence, Some(7.0));
    }

    #[test]
    fn g6_content_is_one_line() {
        let proposal = ok(
            r#"{"dialogue": "x", "mutations": [{"type": "AppendEpisodic", "content": " a\n\u0000b\tc "}]}"#,
        );
        assert_eq!(proposal.mutations[0].content.as_deref(), Some("a b c"));
    }

    #[test]
    fn g7_fields_of_an_intent_are_kept_raw() {
        let proposal = ok(
            r#"{"dialogue": "x", "intents": [{"type": "open", "target": 5, "tool": null, "priority": 1, "parameters": {"a": []}}]}"#,
        );
        let fields = &proposal.intents[0].fields;
        assert_eq!(fields["target"], json!(5));
        assert_eq!(fields["tool"], Value::Null);
        assert_eq!(fields["parameters"], json!({"a": []}));
        assert_eq!(fields.len(), 4);
        assert!(proposal.warnings.is_empty());
    }

    #[test]
    fn g7_intent_without_a_type_is_malformed() {
        for entry in [
            "{}",
            r#"{"type": null}"#,
            r#"{"type": 5}"#,
            r#"{"type": ""}"#,
            r#"{"type": {}, "target": "x"}"#,
        ] {
            let proposal = ok(&format!("{{\"dialogue\": \"x\", \"intents\": [{entry}]}}"));
            assert!(proposal.intents[0].malformed.is_some(), "{entry}");
        }
    }

    #[test]
    fn g7_emitted_intents_come_last_and_keep_their_target() {
        let proposal = ok(r#"{"dialogue": "x", "mutations": [
            {"type": "EmitWorldIntent", "target": "king_name", "intent": {"type": "open"}},
            {"type": "EmitWorldIntent"}, {"type": "EmitWorldIntent", "intent": "open"}], "intents": [{"type": "give"}]}"#);
        let kinds: Vec<(&str, bool)> = proposal
            .intents
            .iter()
            .map(|i| (i.kind.as_str(), i.malformed.is_some()))
            .collect();
        assert_eq!(
            kinds,
            [("give", false), ("open", false), ("", true), ("", true)]
        );
        assert_eq!(
            proposal
                .intents
                .iter()
                .filter_map(|i| i.beside.as_deref())
                .collect::<Vec<_>>(),
            ["king_name"]
        );
        assert!(proposal.mutations.is_empty());
    }

    #[test]
    fn g1_envelope_dialogue_is_plain_speech() {
        for (said, spoken) in [
            ("Come in. [INTENT: open door_1]", "Come in."),
            (
                "Read \\\"[INTENT: open door_1]\\\" aloud.",
                "Read \"\" aloud.",
            ),
            ("[MEMORY: x] *smiles* Come [softly] in.", "Come in."),
            ("Eldrin: Come\\n\\tin.\\u0000\\u0007", "Come in."),
            ("**Eldrin:** Come in.", "Come in."),
            ("Ann: Come in.", "Ann: Come in."),
            ("\\\"Come in.\\\"", "\"Come in.\""),
            ("[INTENT: open", "[INTENT: open"),
        ] {
            let proposal = ok(&format!("{{\"dialogue\": \"{said}\"}}"));
            assert_eq!(proposal.dialogue, spoken);
            assert!(proposal.intents.is_empty() && proposal.mutations.is_empty());
        }
    }

    #[test]
    fn g1_of_two_equal_keys_the_last_counts() {
        assert_eq!(ok(r#"{"dialogue": "a", "dialogue": "b"}"#).dialogue, "b");
    }

    #[test]
    fn g1_plan_is_kept_as_it_is() {
        assert_eq!(
            ok(r#"{"dialogue": "x", "plan": {"intent": "fetch"}}"#).plan,
            Some(json!({"intent": "fetch"}))
        );
    }

    #[test]
    fn g1_fence_without_an_object_is_prose() {
        for text in [
            "```\nCome in.\n```",
            "```text\nCome in.\n```",
            "```Come in.```",
            "``` text\nCome in.",
        ] {
            assert_eq!(ok(text).dialogue, "Come in.", "{text:?}");
        }
    }
}
