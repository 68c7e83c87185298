//! The sections that are never cut.

use super::escape::escaped;
use super::sheet::Sheet;
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::pipeline::steps::snapshot::{Ask, SnapshotBody};
use crate::proposal::{MutationField, MutationKind, MutationValue, tool_field, tool_of};
use crate::rules::{Constraint, TriggerReason};
use crate::text::PromptWords;
use crate::text::prompt_words::MadeText;
use std::borrow::Cow;

/// Writes the sections that are never cut.
pub(super) fn fixed_sections(body: &SnapshotBody, sheet: &mut Sheet) {
    let retrieved = &body.retrieved;
    let words = &body.words;
    sheet.plain("system", |out| system(body, out));
    if let Ask::Choice(options) = &body.ask {
        // Any further text draws a small model away from the speech.
        sheet.section("deeds", words.get("heading_offers"), |out| {
            let phrases = options.iter().map(|option| option.phrase.as_str());
            for phrase in [words.get("nothing")].into_iter().chain(phrases) {
                out.extend(["- ", &escaped(phrase), "\n"]);
            }
        });
        return sheet.plain("input", |out| input(body, out));
    }
    if body.ask == Ask::Diary {
        // It is written from what the character has lived through, and from nothing else.
        sheet.section("persona", words.get("heading_persona"), |out| {
            out.extend([&*body.persona, "\n"]);
        });
        sheet.section("format", words.get("heading_format"), |out| {
            format(body, out);
        });
        return sheet.plain("input", |out| out.push_str(words.get("question_diary")));
    }
    sheet.section("canon", words.get("heading_canon"), |out| {
        for (_, text) in retrieved.canon.iter() {
            out.extend(["- ", text, "\n"]);
        }
    });
    sheet.section("persona", words.get("heading_persona"), |out| {
        if !body.persona.is_empty() {
            out.extend([&*body.persona, "\n"]);
        }
    });
    sheet.section("format", words.get("heading_format"), |out| {
        format(body, out);
    });
    sheet.section("world_facts", words.get("heading_facts"), |out| {
        for (key, value) in &retrieved.world_facts {
            out.extend(["- ", key, ": ", &escaped(&value.to_string()), "\n"]);
        }
    });
    sheet.section("lore", words.get("heading_lore"), |out| {
        for text in &retrieved.lore {
            out.extend(["- ", &escaped(text), "\n"]);
        }
    });
    sheet.plain("place", |out| place(body, out));
    sheet.section("relationship", words.get("heading_feelings"), |out| {
        out.extend(feelings(body));
        out.extend(group_standings(body));
        for cause in &retrieved.causes {
            out.extend(["- ", &escaped(cause), "\n"]);
        }
    });
    for (name, heading, which) in [
        ("standing", "heading_standing", Told::Always),
        ("constraints", "heading_rules", Told::Now),
        ("restated", "heading_restated", Told::Again),
    ] {
        // A constraint says what its author wrote: an instruction, whatever its kind.
        sheet.section(name, words.get(heading), |out| {
            let constraints = body.constraints.iter();
            let those = constraints.filter(|one| Told::of(one) == which);
            for one in those.filter(|one| !one.prompt.is_empty()) {
                out.extend(["- ", &one.prompt, "\n"]);
            }
        });
    }
    does(body, sheet);
    feedback(body, sheet);
    match body.ask.words() {
        Some(_) => spoken_input(body, sheet),
        None => sheet.plain("input", |out| input(body, out)),
    }
}

/// The description of the character. Where its words alone are asked for, no text says that this is a game: a small model would
/// speak of it.
fn system(body: &SnapshotBody, out: &mut String) {
    let name = [("name", body.name.as_str())];
    if body.ask.words().is_none() && body.ask != Ask::Diary {
        return out.extend([&*body.words.say("system", &name), "\n\n"]);
    }
    let who = body.words.say("system_words", &name);
    // Most personas begin so themselves.
    if !body.persona.starts_with(who.trim_end_matches('.')) {
        out.extend([&who, "\n"]);
    }
}

/// Where the prompt tells of a constraint.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Told {
    /// In the part of the prompt that stays the same.
    Always,
    /// In the part with the current state.
    Now,
    /// Once more, since the last attempt broke it.
    Again,
}

impl Told {
    fn of(constraint: &Constraint) -> Self {
        match (&constraint.restates, constraint.standing) {
            (Some(_), _) => Self::Again,
            (None, true) => Self::Always,
            (None, false) => Self::Now,
        }
    }
}

/// Where the character is, which scene it is, and what the character does by its routine.
fn place(body: &SnapshotBody, out: &mut String) {
    let begin = out.len();
    let here = match body.ask.words() {
        Some(_) => "here_words",
        None => "here",
    };
    let place = (!body.place.is_empty()).then_some((here, "place", body.place.as_str()));
    let scene = body.scene().map(|scene| ("scene", "scene", scene));
    for (words, name, value) in place.into_iter().chain(scene) {
        if out.len() > begin {
            out.push(' ');
        }
        out.push_str(&body.words.say(words, &[(name, &escaped(value))]));
    }
    if let Some(doing) = body.doing(&body.context.npc) {
        if out.len() > begin {
            out.push(' ');
        }
        out.push_str(&escaped(&doing.own(&body.words, &body.name)));
    }
    if out.len() > begin {
        out.push_str("\n\n");
    }
}

/// What the character does while it says the words that are asked for, or what it wanted to do.
fn does(body: &SnapshotBody, sheet: &mut Sheet) {
    let Some(asked) = body.ask.words() else {
        return;
    };
    let name = ("name", body.name.as_str());
    sheet.section("does", body.words.get("heading_does"), |out| {
        if let Some(refused) = &asked.refused {
            let values = [("deed", refused.phrase.as_str()), ("why", &refused.why)];
            let [deed, why] = values.map(|(name, words)| (name, escaped(words)));
            let values = [(deed.0, &*deed.1), (why.0, &*why.1)];
            out.extend(["- ", &body.words.say("could_not", &values), "\n"]);
        }
        if let Some(option) = &asked.does {
            let deed = escaped(&option.phrase);
            out.extend([
                "- ",
                &body.words.say("does", &[name, ("deed", &deed)]),
                "\n",
            ]);
        }
    });
}

/// The problems of the last attempt, and the point from which this one goes on.
fn feedback(body: &SnapshotBody, sheet: &mut Sheet) {
    let said = already_said(body);
    let attempt = (body.attempt + 1).to_string();
    let most = body.max_attempts.to_string();
    let numbers = [("attempt", attempt.as_str()), ("most", most.as_str())];
    let heading = body.words.say("heading_feedback", &numbers);
    sheet.section("feedback", &heading, |out| {
        for line in body.feedback.iter().chain(&said) {
            out.extend(["- ", line, "\n"]);
        }
    });
}

/// Writes how a reply is to look.
fn format(body: &SnapshotBody, out: &mut String) {
    let words = &body.words;
    if body.ask.words().is_some() {
        return out.extend([words.get("answer_words"), "\n"]);
    }
    if body.ask == Ask::Diary {
        return out.extend([words.get("answer_diary"), "\n"]);
    }
    if body.ask == Ask::Memories {
        return out.extend([words.get("answer_memories"), "\n", &tool_lines(words)]);
    }
    let may = match &body.may {
        // A game's own actions, too; the list names those that can be done.
        None => words.say("actions_all", &[("heading", words.get("heading_offers"))]),
        Some(list) if list.is_empty() => words.get("actions_none").to_owned(),
        Some(list) => list.join(", "),
    };
    let may = words.say("actions", &[("actions", &may)]);
    let envelope = [("envelope", words.get("envelope"))];
    if body.json {
        out.push_str(&words.say("answer_json", &envelope));
    } else {
        out.extend([words.get("answer_prose"), "\n", marker_mutations(words)]);
        out.push_str(&words.say("answer_json_or", &envelope));
    }
    out.extend(["\n", json_mutations(words), &may, "\n"]);
    action_words(body, out);
}

/// The fields that actions need in addition to their references.
fn action_words(body: &SnapshotBody, out: &mut String) {
    let lines = body.action_words.iter().map(|(action, words)| {
        let named = |alone: bool| {
            let words = words.iter().filter(move |field| field.alone == alone);
            let words = words.map(|field| format!("\"{}\": {}", field.name, field.in_words()));
            words.collect::<Vec<_>>().join(", ")
        };
        let (always, alone) = (named(false), named(true));
        let alone = match alone.is_empty() {
            true => String::new(),
            false => format!(" {}: {alone}", body.words.get("without_target")),
        };
        let always = match always.is_empty() {
            true => String::new(),
            false => format!(" {always}"),
        };
        format!("- {action}:{always}{alone}\n")
    });
    out.extend(lines);
}

/// Each kind of mutation as an entry of `mutations`, from the table by which replies are read.
fn json_mutations(words: &PromptWords) -> &str {
    words.made_once(MadeText::JsonMutations, |words| {
        mutation_lines(words, |kind, fields| {
            let fields = fields
                .map(|field| format!(", \"{}\": {}", field.name, value_words(words, field.value)));
            format!("{{\"type\": \"{kind}\"{}}}", fields.collect::<String>())
        })
    })
}

/// The same as calls of tools.
fn tool_lines(words: &PromptWords) -> String {
    mutation_lines(words, |kind, fields| {
        let fields = fields.map(|field| {
            let name = tool_field(kind, field.name);
            format!(", \"{name}\": {}", value_words(words, field.value))
        });
        let tool = tool_of(kind).unwrap_or_default();
        format!("{{\"tool\": \"{tool}\"{}}}", fields.collect::<String>())
    })
}

/// The same as markers.
fn marker_mutations(words: &PromptWords) -> &str {
    words.made_once(MadeText::MarkerMutations, |words| {
        mutation_lines(words, |kind, fields| {
            let pairs = fields.filter(|field| field.value != MutationValue::Text);
            let pairs =
                pairs.map(|field| format!(" {}={}", field.name, value_words(words, field.value)));
            format!(
                "[MUTATION: {kind}{} {}]",
                pairs.collect::<String>(),
                words.get("value_text")
            )
        })
    })
}

fn mutation_lines(
    words: &PromptWords,
    write: impl Fn(MutationKind, &mut dyn Iterator<Item = &'static MutationField>) -> String,
) -> String {
    // What an intent says is asked for as one.
    let kinds = MutationKind::ALL
        .into_iter()
        .filter(|kind| *kind != MutationKind::EmitWorldIntent);
    let lines = kinds.map(|kind| {
        let fields = kind.fields().iter();
        let mut fields = fields.filter(|field| field.value != MutationValue::Unused);
        let purpose = match kind {
            MutationKind::AppendEpisodic => words.get("purpose_episode"),
            MutationKind::TransformBelief => words.get("purpose_belief"),
            MutationKind::TransformRelationship => words.get("purpose_relationship"),
            MutationKind::EmitWorldIntent => "",
        };
        format!("- {}: {purpose}\n", write(kind, &mut fields))
    });
    lines.collect()
}

/// The placeholder for a value in the words of the format.
fn value_words(words: &PromptWords, value: MutationValue) -> &str {
    match value {
        MutationValue::Text => words.get("value_text"),
        MutationValue::Fraction => "0..1",
        MutationValue::Change => "-0.2..0.2",
        MutationValue::Action => words.get("value_action"),
        MutationValue::Belief | MutationValue::Character | MutationValue::Unused => "id",
    }
}

/// The entry that says how much one likes another, -1 to 1.
fn liking(affinity: Millionths) -> &'static str {
    match affinity.0 {
        ..-600_000 => "liking_hate",
        -600_000..-200_000 => "liking_dislike",
        -200_000..0 => "liking_cool",
        0 => "liking_neutral",
        1..=200_000 => "liking_friendly",
        200_001..=600_000 => "liking_like",
        600_001.. => "liking_love",
    }
}

/// The standing of the groups of the character towards the speaker, in words.
fn group_standings(body: &SnapshotBody) -> Vec<String> {
    let Some(speaker) = &body.context.speaker else {
        return Vec::new();
    };
    let name = escaped(seen_name(body, speaker));
    let standings = body.standings.iter().map(|(group, standing)| {
        let words = &body.words;
        let parts = [
            ("group", &*escaped(group)),
            ("liking", words.get(liking(*standing))),
            ("name", &*name),
        ];
        format!("- {}\n", words.say("group_standing", &parts))
    });
    standings.collect()
}

/// The name of the speaker, as the character sees it.
fn seen_name<'a>(body: &'a SnapshotBody, speaker: &'a Id) -> &'a str {
    let seen = body.seen.iter().find(|(id, _)| id == speaker);
    seen.map_or(speaker.as_str(), |(_, view)| &view.name)
}

/// The feelings towards the speaker, in words; `None` when there are none.
fn feelings(body: &SnapshotBody) -> Option<String> {
    let felt = body.retrieved.relationship?;
    let speaker = body.context.speaker.as_ref()?;
    let name = seen_name(body, speaker);
    let liking = liking(felt.affinity);
    let trust = match felt.trust.0 {
        ..=0 => "trust_none",
        1..=300_000 => "trust_little",
        300_001..=700_000 => "trust_part",
        700_001.. => "trust_full",
    };
    let familiarity = match felt.familiarity.0 {
        ..=0 => "familiarity_none",
        1..=300_000 => "familiarity_little",
        300_001..=700_000 => "familiarity_known",
        700_001.. => "familiarity_well",
    };
    let words = &body.words;
    // Where nothing but words is asked for, a model has no use for an id, and would say it.
    let id = match body.ask {
        Ask::Whole | Ask::Memories | Ask::Diary => format!(" ({speaker})"),
        _ => String::new(),
    };
    let felt = words.say(
        "feeling",
        &[
            ("liking", words.get(liking)),
            ("name", &escaped(name)),
            ("id", &id),
            ("trust", words.get(trust)),
            ("familiarity", words.get(familiarity)),
        ],
    );
    Some(format!("- {felt}\n"))
}

/// The input of a character that is asked for words alone: the speech, as in the exchanges before it, and an event in
/// parentheses.
fn spoken_input(body: &SnapshotBody, sheet: &mut Sheet) {
    let context = &body.context;
    let [prompt, input] =
        [&context.prompt, &context.input].map(|text| text.as_deref().unwrap_or_default());
    let speaker = context
        .speaker
        .as_deref()
        .filter(|_| is_said(context.reason) && !input.is_empty());
    if let Some(speaker) = speaker {
        sheet.plain("input_name", |out| {
            out.extend([&*speaker_name(body, speaker), ": "])
        });
    }
    sheet.plain("input", |out| {
        let event = match speaker {
            Some(_) => prompt.to_owned(),
            None => [&*happening(body), prompt, input].join(" "),
        };
        if !event.trim().is_empty() {
            out.extend(["(", escaped(&event).trim(), ")\n"]);
        }
        if speaker.is_some() {
            // An input that begins with a parenthesis would look like one more fact.
            match input.trim_start().strip_prefix('(') {
                Some(rest) => out.extend(["\u{ff08}", &escaped(rest)]),
                None => said(input, out),
            }
        }
    });
}

/// The speech, as a separate message. No heading of a section begins in it.
pub(super) fn said(words: &str, out: &mut String) {
    let words = escaped(words);
    let heading = words.trim_start();
    match heading.strip_prefix('#') {
        Some(rest) => out.extend(["\u{ff03}", rest]),
        None => out.push_str(&words),
    }
}

fn is_said(reason: TriggerReason) -> bool {
    matches!(
        reason,
        TriggerReason::PlayerUtterance | TriggerReason::NpcInteraction
    )
}

/// Why the character is asked, in words.
fn happening(body: &SnapshotBody) -> String {
    let words = &body.words;
    let said = match body.context.reason {
        TriggerReason::PlayerUtterance => "input_player",
        TriggerReason::NpcInteraction => "input_npc",
        TriggerReason::ZoneTrigger => "input_zone",
        TriggerReason::TimeTrigger => "input_time",
        TriggerReason::QuestTrigger => "input_quest",
        TriggerReason::WorldEvent => "input_event",
        TriggerReason::Custom => "input_custom",
    };
    let speaker = body.context.speaker.as_deref();
    let speaker = speaker.map(|speaker| speaker_name(body, speaker));
    let speaker = speaker.as_deref().unwrap_or(words.get("somebody"));
    words.say(said, &[("name", speaker)])
}

fn input(body: &SnapshotBody, out: &mut String) {
    let context = &body.context;
    let words = &body.words;
    if body.ask == Ask::Memories {
        let question = words.say("question_memories", &[("name", &body.name)]);
        return out.extend(["## ", words.get("heading_input"), "\n", &question, "\n"]);
    }
    let said = happening(body);
    out.extend(["## ", words.get("heading_input"), "\n", &said, "\n"]);
    for heard in [&context.prompt, &context.input]
        .into_iter()
        .flatten()
        .filter(|t| !t.is_empty())
    {
        out.extend(["<heard>", &escaped(heard), "</heard>\n"]);
    }
    let question = match body.ask {
        Ask::Choice(_) => "question_choice",
        _ => "question",
    };
    out.extend([&words.say(question, &[("name", &body.name)]), "\n"]);
}

/// The name of the speaker, with the id after it where another in sight has the same name; the id where the character sees no
/// one with this id.
pub(super) fn speaker_name<'a>(body: &'a SnapshotBody, speaker: &'a str) -> Cow<'a, str> {
    let seen = body.seen.iter().find(|(id, _)| **id == *speaker);
    let Some((_, view)) = seen.filter(|(_, view)| !view.name.is_empty()) else {
        return escaped(speaker);
    };
    let alike = body
        .seen
        .iter()
        .filter(|(_, other)| other.name == view.name);
    match alike.count() {
        1 => escaped(&view.name),
        _ => format!("{} ({speaker})", escaped(&view.name)).into(),
    }
}

/// From where an attempt goes on, when some of its run was heard already.
fn already_said(body: &SnapshotBody) -> Option<String> {
    let said = escaped(&body.said);
    (!said.is_empty()).then(|| body.words.say("already_said", &[("said", &said)]))
}
