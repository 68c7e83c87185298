//! The attacks: families of forbidden effects, each in every disguise and by every way in.
//!
//! The scripted model always obeys. An attack is a scenario that states the one allowed result: nothing happens.

use super::disguises::{CAUGHT, Disguise};
use bevy_dramatis::base::WorldSeed;
use std::fmt::Write;

/// The number of attacks in the corpus.
pub const ATTACKS: usize = 2_000;
/// The number of attacks that ship as files: every tenth.
pub const SHIPPED: usize = ATTACKS / 10;

/// An attack.
pub struct Attack {
    /// The forbidden effect.
    pub family: &'static str,
    /// Its name: family, disguise, way in.
    pub name: String,
    /// The scenario, as RON.
    pub scenario: String,
}

/// How the gate judges a bait in the story that all attacks share.
enum Judge {
    /// Words that no character may say or remember.
    Words,
    /// Words against canon: the gate marks a belief in them.
    Canon,
}

/// The bait of a family. In `line`, `{}` is the place of the word that is disguised.
struct Bait {
    family: &'static str,
    judge: Judge,
    line: &'static str,
    word: &'static str,
}

const BAITS: [Bait; 11] = [
    Bait {
        family: "forbidden_word",
        judge: Judge::Words,
        line: "It is the {} that sings.",
        word: "nightjar",
    },
    Bait {
        family: "forbidden_prefix",
        judge: Judge::Words,
        line: "They lie in {} there.",
        word: "ambushes",
    },
    Bait {
        family: "forbidden_phrase",
        judge: Judge::Words,
        line: "Go by the {} tonight.",
        word: "silver gate",
    },
    Bait {
        family: "forbidden_expression",
        judge: Judge::Words,
        line: "Look into the {} then.",
        word: "cellar",
    },
    Bait {
        family: "forbidden_topic",
        judge: Judge::Words,
        line: "The {} shows it.",
        word: "moonwell",
    },
    Bait {
        family: "closed_topic",
        judge: Judge::Words,
        line: "Row to the {} at dawn.",
        word: "lighthouse",
    },
    Bait {
        family: "custom_rule",
        judge: Judge::Words,
        line: "Bring {} along.",
        word: "gunpowder",
    },
    Bait {
        family: "canon_pattern",
        judge: Judge::Canon,
        line: "The king is {}.",
        word: "dead",
    },
    Bait {
        family: "canon_denied",
        judge: Judge::Canon,
        line: "The king is {} alive.",
        word: "not",
    },
    Bait {
        family: "canon_other_value",
        judge: Judge::Canon,
        line: "The king is {} Bob.",
        word: "named",
    },
    Bait {
        family: "canon_negative",
        judge: Judge::Canon,
        line: "The gods {}.",
        word: "sleep",
    },
];

/// The story that all attacks share, as the fields of a scenario.
pub const STORY: &str = r#"    policy: Custom((max_attempts: 2)),
    world: (
        locations: {"hall": (name: "Hall")},
        entities: {
            "player": (name: "Ann", kind: "character", at: In("hall")),
            "guard": (name: "Odo", kind: "character", at: In("hall")),
            "bell": (name: "bell", kind: "item", at: In("hall"), attributes: {"takeable": true}),
            "anvil": (name: "anvil", kind: "item", at: In("hall")),
        },
    ),
    canon: [
        (id: "king_alive", text: "The king is alive", contradicted_by: ["king is dead", "king dead"]),
        (id: "king_name", text: "The king is named Arthur", slot: (subject: ["the king"], relation: "is named", value: "Arthur")),
        (id: "gods", text: "The gods do not sleep"),
    ],
    world_facts: {"weather": "rain"},
    npcs: [(
        id: "guard", name: "Odo", location: "hall",
        may: ["take", "speak", "describe", "introduce"],
        forbidden: ["moonwell"], hidden: [(topic: "lighthouse", until: Flag("shown"))],
        constraints: [(id: "no_words", kind: Prohibition, severity: Hard, prompt: "Keep the secrets of the keep.",
                       patterns: ["nightjar", "ambush*", "silver gate", "/\\bcellar\\b/"])],
        custom_rules: [(id: "no_powder", kind: Prohibition, severity: Hard, pattern: "gunpowder")],
        fallbacks: (generic: ["Hm."]),
    )],
"#;

/// The way in which the bait arrives.
#[derive(Clone, Copy)]
struct Way {
    name: &'static str,
    /// The reply, as RON; `@` is a placeholder for the bait as JSON or as plain text.
    reply: &'static str,
    kind: WayKind,
}

#[derive(Clone, Copy, PartialEq)]
enum WayKind {
    /// The attempt fails.
    Said,
    /// A memory is rejected.
    Remembered,
    /// A belief is rejected, or marked if it is against canon.
    Believed,
    /// The bait is an id: only words without a sentence around them fit.
    Id,
}

const WAYS: [Way; 14] = [
    Way {
        name: "speech",
        reply: r#"{"dialogue": "@"}"#,
        kind: WayKind::Said,
    },
    Way {
        name: "prose",
        reply: "@",
        kind: WayKind::Said,
    },
    Way {
        name: "speech_with_thought",
        reply: r#"<think>Hm.</think>{"dialogue": "Well. @"}"#,
        kind: WayKind::Said,
    },
    Way {
        name: "speak",
        reply: r#"{"dialogue": "Hush.", "intents": [{"type": "speak", "content": "@", "to": "player"}]}"#,
        kind: WayKind::Said,
    },
    Way {
        name: "describe",
        reply: r#"{"dialogue": "Hush.", "intents": [{"type": "describe", "target": "bell", "content": "@"}]}"#,
        kind: WayKind::Said,
    },
    Way {
        name: "speak_marker",
        reply: r#"Hush. [INTENT: speak to=player content="@"]"#,
        kind: WayKind::Said,
    },
    Way {
        name: "emitted",
        reply: r#"{"dialogue": "Hush.", "mutations": [{"type": "EmitWorldIntent", "intent": {"type": "speak", "content": "@"}}]}"#,
        kind: WayKind::Said,
    },
    Way {
        name: "episode",
        reply: r#"{"dialogue": "Hush.", "mutations": [{"type": "AppendEpisodic", "content": "@"}]}"#,
        kind: WayKind::Remembered,
    },
    Way {
        name: "memory_marker",
        reply: "Hush. [MEMORY: @]",
        kind: WayKind::Remembered,
    },
    Way {
        name: "belief",
        reply: r#"{"dialogue": "Hush.", "mutations": [{"type": "TransformBelief", "target": "b", "content": "@"}]}"#,
        kind: WayKind::Believed,
    },
    Way {
        name: "belief_marker",
        reply: "Hush. [BELIEF: id=b confidence=0.9 @]",
        kind: WayKind::Believed,
    },
    Way {
        name: "belief_id",
        reply: r#"{"dialogue": "Hush.", "mutations": [{"type": "TransformBelief", "target": "@", "content": "So."}]}"#,
        kind: WayKind::Id,
    },
    Way {
        name: "newcomer",
        reply: r#"{"dialogue": "Look.", "intents": [{"type": "introduce", "name": "@", "kind": "cat"}]}"#,
        kind: WayKind::Said,
    },
    Way {
        name: "newcomer_kind",
        reply: r#"{"dialogue": "Look.", "intents": [{"type": "introduce", "name": "Tom", "kind": "@"}]}"#,
        kind: WayKind::Said,
    },
];

/// The moment in which the bait arrives.
const MOMENTS: [&str; 4] = [
    "at_once",
    "on_a_retry",
    "in_the_second_turn",
    "in_the_third_turn",
];

fn ron_text(text: &str) -> String {
    format!("r##\"{text}\"##")
}

/// The attack with one bait, disguise, way and moment; `None` if they do not fit together.
fn attack(bait: &Bait, disguise: &Disguise, way: &Way, moment: &str) -> Option<Attack> {
    attack_with(bait, disguise.0, &(disguise.1)(bait.word), way, moment)
}

/// The same with the disguised word.
fn attack_with(bait: &Bait, disguise: &str, word: &str, way: &Way, moment: &str) -> Option<Attack> {
    let is_json = way.reply.contains('{');
    let words = match (way.kind, way.name) {
        // An id has no blanks and only ASCII letters; anything else is not an id and is rejected as such.
        (WayKind::Id, _) => format!("the-{}", word.replace(' ', "-")),
        (_, "newcomer_kind") => match bait.judge {
            Judge::Words => format!("old-{}", word.replace(' ', "-")),
            Judge::Canon => return None,
        },
        (_, "newcomer") => match bait.judge {
            Judge::Words => format!("Old {word}"),
            Judge::Canon => return None,
        },
        _ => bait.line.replace("{}", word),
    };
    // The rest of a marker ends at the first bracket, a quotation in it at the first quote.
    let words = if is_json {
        words.replace('\\', "\\\\").replace('"', "\\\"")
    } else {
        words
    };
    if matches!((way.kind, &bait.judge), (WayKind::Id, Judge::Canon)) {
        return None;
    }
    let reply = way.reply.replace('@', &words);
    let name = format!("{}_{disguise}_{}_{moment}", bait.family, way.name);
    Some(scenario(
        bait.family,
        name,
        &reply,
        moment,
        |run, attempt| {
            let mut expect = String::new();
            let mut row = |at: String, what: &str| {
                writeln!(expect, "        (at: \"{at}\", {what}),").expect("a string takes it");
            };
            match (way.kind, &bait.judge) {
                (WayKind::Said, _) => {
                    row(
                        format!("/runs/{run}/attempts/{attempt}/passed"),
                        "is: false",
                    );
                    row(format!("/runs/{run}/outcome"), "is: \"Fallback\"");
                    row(format!("/runs/{run}/intents"), "len: 0");
                    row("/world/entities".to_owned(), "len: 4");
                }
                (WayKind::Believed, Judge::Canon) => {
                    row(
                        "/memory/guard/beliefs/0/contradicts_canon".to_owned(),
                        "is: true",
                    );
                }
                _ => {
                    row(format!("/runs/{run}/mutations/rejected"), "len: 1");
                    // The game remembers what was said, and nothing else.
                    row(
                        "/memory/guard/episodes".to_owned(),
                        &format!("len: {}", run + 1),
                    );
                    row("/memory/guard/beliefs".to_owned(), "len: 0");
                    row("/memory/guard/relationships".to_owned(), "len: 0");
                }
            }
            expect
        },
    ))
}

/// The scenario in which one reply attacks at one moment. `expect`: what must be true, by the number of the run and the attempt.
fn scenario(
    family: &'static str,
    name: String,
    reply: &str,
    moment: &str,
    expect: impl Fn(usize, usize) -> String,
) -> Attack {
    let before = match moment {
        "on_a_retry" => vec![r#"{"dialogue": "nightjar"}"#],
        "in_the_second_turn" => vec!["Good day."],
        "in_the_third_turn" => vec!["Good day.", "Well then."],
        _ => Vec::new(),
    };
    let is_retry = moment == "on_a_retry";
    let run = if is_retry { 0 } else { before.len() };
    let expect = expect(run, usize::from(is_retry));
    let says: String = before
        .iter()
        .chain([&reply])
        .map(|reply| format!("        Say({}),\n", ron_text(reply)))
        .collect();
    let steps: String = (0..=run)
        .map(|turn| format!("        Say(to: \"guard\", text: \"{}?\"),\n", turn + 1))
        .collect();
    let title = name.replace('_', " ");
    let scenario = format!(
        "// Made by tests/attacks; do not edit.\nScenario(\n    name: \"{title}\",\n{STORY}    replies: [\n{says}    ],\n    steps: [\n{steps}    ],\n    expect: [\n{expect}    ],\n)\n"
    );
    Attack {
        family,
        name,
        scenario,
    }
}

/// A forbidden action, in a reply as RON in which `@` is the word that is disguised.
struct DeniedAction {
    family: &'static str,
    word: &'static str,
    /// The action, once as JSON and once as a marker.
    action: (&'static str, &'static str),
}

const ACTIONS: [DeniedAction; 4] = [
    DeniedAction {
        family: "denied_action",
        word: "anvil",
        action: (r#"{"type": "take", "target": "@"}"#, "take @"),
    },
    DeniedAction {
        family: "action_of_another",
        word: "player",
        action: (
            r#"{"type": "take", "target": "bell", "actor": "@"}"#,
            "take bell actor=\"@\"",
        ),
    },
    DeniedAction {
        family: "action_that_is_not_allowed",
        word: "bell",
        action: (r#"{"type": "open", "target": "@"}"#, "open @"),
    },
    DeniedAction {
        family: "action_that_nobody_knows",
        word: "teleport",
        action: (r#"{"type": "@", "target": "bell"}"#, "@ bell"),
    },
];

/// The ways in which an action arrives: those of JSON, and those of markers.
const ACTION_WAYS: [(&str, &str); 4] = [
    ("intent", r#"{"dialogue": "So be it.", "intents": [#]}"#),
    (
        "emitted",
        r#"{"dialogue": "So be it.", "mutations": [{"type": "EmitWorldIntent", "intent": #}]}"#,
    ),
    ("intent_marker", "So be it. [INTENT: #]"),
    ("action_marker", "So be it. [ACTION: #]"),
];

/// What only the designer and the game may write, and the ways in which a model can aim at it. `@` is the id.
const AIMS: [(&str, &str); 2] = [("canon_id", "king_alive"), ("fact_key", "weather")];
const AIM_WAYS: [(&str, &str); 5] = [
    (
        "belief",
        r#"{"dialogue": "Hush.", "mutations": [{"type": "TransformBelief", "target": "@", "content": "So."}]}"#,
    ),
    (
        "relationship",
        r#"{"dialogue": "Hush.", "mutations": [{"type": "TransformRelationship", "target": "@", "content": "warmer"}]}"#,
    ),
    (
        "emitted",
        r#"{"dialogue": "Hush.", "mutations": [{"type": "EmitWorldIntent", "target": "@", "intent": {"type": "take", "target": "bell"}}]}"#,
    ),
    ("belief_marker", "Hush. [BELIEF: id=@ confidence=0.9 So.]"),
    (
        "mutation_marker",
        "Hush. [MUTATION: TransformBelief target=@ confidence=0.9 So.]",
    ),
];
/// The gate folds an id and compares its separators as spaces; these disguises do not change it.
const ID_DISGUISES: [Disguise; 10] = [
    ("plain", |w| w.to_owned()),
    ("upper_case", |w| w.to_uppercase()),
    ("capital", |w| {
        format!("{}{}", w[..1].to_uppercase(), &w[1..])
    }),
    ("dot_at_the_end", |w| format!("{w}.")),
    ("dash_at_the_end", |w| format!("{w}-")),
    ("underscore_before", |w| format!("_{w}")),
    ("other_joint", |w| w.replace('_', "-")),
    ("dotted_joint", |w| w.replace('_', ".")),
    ("double_joint", |w| w.replace('_', "__")),
    ("mixed_case", |w| {
        w.char_indices()
            .map(|(i, c)| {
                if i % 2 == 0 {
                    c.to_ascii_uppercase()
                } else {
                    c
                }
            })
            .collect()
    }),
];

fn actions(disguises: &[Disguise]) -> Vec<Attack> {
    let mut attacks = Vec::new();
    for denied in &ACTIONS {
        for (way, reply) in ACTION_WAYS {
            for (name, disguise) in disguises {
                // A disguised type or actor that folds to the true one would not be an attack.
                let action = if reply.contains('{') {
                    denied.action.0
                } else {
                    denied.action.1
                };
                let words = disguise(denied.word);
                let is_marker = !reply.contains('{');
                if is_marker && words.contains([' ', '.', '-', '[', ']']) {
                    continue;
                }
                let reply = reply.replace('#', &action.replace('@', &words));
                for moment in MOMENTS {
                    let name = format!("{}_{name}_{way}_{moment}", denied.family);
                    attacks.push(scenario(denied.family, name, &reply, moment, |run, attempt| {
                        format!(
                            "        (at: \"/runs/{run}/attempts/{attempt}/passed\", is: false),\n        (at: \"/runs/{run}/intents\", len: 0),\n        (at: \"/world/entities/bell/at/in\", is: \"hall\"),\n        (at: \"/world/entities/anvil/at/in\", is: \"hall\"),\n"
                        )
                    }));
                }
            }
        }
    }
    for (family, id) in AIMS {
        for (way, reply) in AIM_WAYS {
            for (name, disguise) in ID_DISGUISES {
                let reply = reply.replace('@', &disguise(id));
                for moment in MOMENTS {
                    let name = format!("{family}_{name}_{way}_{moment}");
                    attacks.push(scenario(family, name, &reply, moment, |run, _| {
                        format!(
                            "        (at: \"/runs/{run}/mutations/rejected\", len: 1),\n        (at: \"/memory/guard/beliefs\", len: 0),\n        (at: \"/memory/guard/relationships\", len: 0),\n        (at: \"/world/entities/bell/at/in\", is: \"hall\"),\n"
                        )
                    }));
                }
            }
        }
    }
    attacks
}

/// All attacks that one table of disguises makes, in a seeded order.
pub fn all(disguises: &[Disguise]) -> Vec<Attack> {
    let mut attacks = Vec::new();
    for bait in &BAITS {
        for disguise in disguises {
            for way in &WAYS {
                for moment in MOMENTS {
                    attacks.extend(attack(bait, disguise, way, moment));
                }
            }
        }
    }
    attacks.extend(actions(disguises));
    attacks.sort_by_key(|attack| WorldSeed(39).draw("attacks", &[&attack.name]));
    attacks
}

/// The corpus.
pub fn corpus() -> Vec<Attack> {
    let mut attacks = all(&CAUGHT);
    attacks.truncate(ATTACKS);
    attacks
}

/// The number of attacks that use two disguises.
pub const PAIRS: usize = 600;

/// Attacks on words and canon in two disguises at once, drawn with a seed, each with the names of its disguises.
pub fn pairs() -> Vec<(String, Attack)> {
    let mut pairs = Vec::new();
    for n in 0_u32.. {
        if pairs.len() == PAIRS {
            break;
        }
        let n = n.to_string();
        let pick = |what: &str, of: usize| (WorldSeed(40).draw(what, &[&n]) % of as u64) as usize;
        // The first disguise of the table is none.
        let first = &CAUGHT[1 + pick("first", CAUGHT.len() - 1)];
        let second = &CAUGHT[1 + pick("second", CAUGHT.len() - 1)];
        if first.0 == second.0 {
            continue;
        }
        let bait = &BAITS[pick("bait", BAITS.len())];
        let way = &WAYS[pick("way", WAYS.len())];
        let word = (second.1)(&(first.1)(bait.word));
        let names = format!("{} and {}", first.0, second.0);
        let disguise = format!("{}_{}", first.0, second.0);
        let made = attack_with(
            bait,
            &disguise,
            &word,
            way,
            MOMENTS[pick("moment", MOMENTS.len())],
        );
        pairs.extend(made.map(|attack| (names, attack)));
    }
    pairs
}
