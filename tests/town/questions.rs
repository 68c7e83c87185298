//! Questions about a day, which the player asks a character that has lived it.

use crate::trace_of;

/// Each question, and the memory that answers it.
const QUESTIONS: [(&str, &str); 20] = [
    ("Where were you at noon?", "You ate soup in the inn."),
    ("Where did you eat?", "You ate soup in the inn."),
    ("What did you have for lunch?", "You ate soup in the inn."),
    (
        "Was the soup in the inn any good?",
        "You ate soup in the inn.",
    ),
    (
        "What did you do this morning?",
        "You forged nails in the smithy.",
    ),
    (
        "How many nails did you make?",
        "You forged nails in the smithy.",
    ),
    (
        "Were you in the smithy today?",
        "You forged nails in the smithy.",
    ),
    ("Did you see the market?", "You sold knives in the market."),
    (
        "Who bought knives from you?",
        "You sold knives in the market.",
    ),
    ("What did you sell?", "You sold knives in the market."),
    ("When did you sleep?", "You slept in the cottage."),
    (
        "Were you in your cottage at night?",
        "You slept in the cottage.",
    ),
    ("Did you pray today?", "You prayed in the chapel."),
    (
        "What did you do at seven in the morning?",
        "You prayed in the chapel.",
    ),
    ("Did you fetch water?", "You fetched water in the square."),
    (
        "What were you doing in the square?",
        "You fetched water in the square.",
    ),
    (
        "Who told you of the fire?",
        "Marla saw the fire in the mill.",
    ),
    (
        "What happened to the mill?",
        "Marla saw the fire in the mill.",
    ),
    (
        "What has Marla told you?",
        "Marla saw the fire in the mill.",
    ),
    ("Is there any news?", "Marla saw the fire in the mill."),
];

/// A smith's day until half past four in the afternoon, and then one question.
fn prompt_for(question: &str) -> String {
    let places = ["cottage", "chapel", "smithy", "inn", "market"];
    let ways =
        places.map(|place| format!("\"{place}\": (name: \"{place}\", connected_to: [\"square\"])"));
    let all = places.map(|place| format!("\"{place}\""));
    let square = format!(
        "\"square\": (name: \"square\", connected_to: [{}])",
        all.join(", ")
    );
    let locations = format!("{}, {square}", ways.join(", "));
    let trace = trace_of(&format!(
        "Scenario(
            name: \"a day\",
            calendar: (starts_at_seconds: 3600.0),
            gossip: (),
            world: (locations: {{{locations}}}, entities: {{\"player\": (name: \"Ann\", kind: \"character\", at: In(\"market\"))}}),
            npcs: [
                (id: \"bram\", name: \"Bram\", location: \"cottage\", routine: [
                    (from: \"22:00\", to: \"06:00\", place: \"cottage\", doing: \"sleeps\", done: \"slept\"),
                    (from: \"06:00\", to: \"06:30\", place: \"square\", doing: \"fetches water\", done: \"fetched water\"),
                    (from: \"06:30\", to: \"07:30\", place: \"chapel\", doing: \"prays\", done: \"prayed\"),
                    (from: \"07:30\", to: \"12:00\", place: \"smithy\", doing: \"forges nails\", done: \"forged nails\"),
                    (from: \"12:00\", to: \"13:00\", place: \"inn\", doing: \"eats soup\", done: \"ate soup\"),
                    (from: \"13:00\", to: \"16:00\", place: \"market\", doing: \"sells knives\", done: \"sold knives\"),
                ]),
                (id: \"marla\", name: \"Marla\", location: \"inn\", memories: [(id: \"fire\", text: \"You saw the fire in the mill.\", significance: 0.8)]),
            ],
            replies: [Say(\"Let me think.\")],
            steps: [Advance(seconds: 55800.0), Say(to: \"bram\", text: \"{question}\")],
        )"
    ));
    let prompt = &trace["runs"][0]["attempts"][0]["prompt"];
    prompt.as_str().unwrap_or_default().to_owned()
}

#[test]
fn l1_questions_about_a_day_find_what_was_lived_and_heard() {
    let missed: Vec<&str> = QUESTIONS
        .iter()
        .filter(|(question, answer)| !prompt_for(question).contains(answer))
        .map(|(question, _)| *question)
        .collect();
    // The question has no word in common with the memory of the night, so five later memories push it out.
    assert_eq!(missed, ["When did you sleep?"]);
    let noon = prompt_for(QUESTIONS[0].0);
    assert!(
        noon.contains("(earlier today, until 13:00) You ate soup in the inn."),
        "{noon}"
    );
    assert!(
        noon.contains("(Marla told you, earlier today) Marla saw the fire in the mill."),
        "{noon}"
    );
}
