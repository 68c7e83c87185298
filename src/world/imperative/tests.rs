//! What the parser reads, row by row.

use super::*;
use crate::text::lexicon::Lexicon;
use serde_json::json;

fn frames() -> Vec<VerbFrame> {
    let some = |text: &str| Some(text.to_owned());
    vec![
        VerbFrame {
            action: "cast".to_owned(),
            verbs: vec!["cast".to_owned(), "Hurl a spell of".to_owned()],
            object: some("spell"),
            to: some("target"),
            ..VerbFrame::default()
        },
        VerbFrame {
            action: "pray".to_owned(),
            verbs: vec!["pray".to_owned()],
            text: some("words"),
            ..VerbFrame::default()
        },
    ]
}

fn parse(text: &str) -> Vec<ProposedAction> {
    parse_imperatives(text, &Lexicon::english().imperatives, &frames(), &[])
}

/// Actions in short: `open target=the door tool=it; take target=the key`.
fn read(text: &str) -> String {
    in_short(text, parse(text))
}

fn in_short(text: &str, actions: Vec<ProposedAction>) -> String {
    let actions = actions.into_iter().map(|action| {
        assert_eq!((action.beside, action.malformed), (None, None), "{text}");
        let fields = action.fields.iter();
        let fields = fields.map(|(k, v)| format!(" {k}={}", v.as_str().unwrap()));
        format!("{}{}", action.kind, fields.collect::<String>())
    });
    actions.collect::<Vec<_>>().join("; ")
}

fn rows(rows: &[(&str, &str)]) {
    let wrong: Vec<String> = rows
        .iter()
        .map(|(text, expected)| (text, read(text), expected))
        .filter(|(_, got, expected)| got != *expected)
        .map(|(text, got, expected)| format!("{text}\n   got {got}\n  want {expected}"))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn w9_an_action_keeps_the_words_of_its_object() {
    rows(&[
        ("take the brass key", "take target=the brass key"),
        ("open the door with it", "open target=the door tool=it"),
        ("go to the yard", "move target=the yard"),
        ("go yard", "move target=yard"),
        ("walk into the yard", "move target=the yard"),
        ("enter the yard", "move target=the yard"),
        ("head to the yard", "move target=the yard"),
        (
            "go back to the house on the hill",
            "move target=the house on the hill",
        ),
        ("return to the yard", "move target=the yard"),
        ("go north", "move target=north"),
        ("pick up the lamp", "take target=the lamp"),
        ("pick the lamp up", "take target=the lamp"),
        (
            "pick the lamp up and open the door",
            "take target=the lamp; open target=the door",
        ),
        ("put the lamp down", "drop target=the lamp"),
        ("put down the lamp", "drop target=the lamp"),
        ("put the lamp down on the table", "drop target=the lamp"),
        ("grab the lamp", "take target=the lamp"),
        ("get the lamp", "take target=the lamp"),
        ("collect Ann's lamp", "take target=Ann's lamp"),
        ("fetch my lamp", "take target=my lamp"),
        ("take \"the brass key\"", "take target=the brass key"),
        (
            "unlock the chest using the iron key",
            "open target=the chest tool=the iron key",
        ),
        ("shut the door", "close target=the door"),
        ("take the key from Eldrin", "take target=the key"),
        ("take the key out of the box", "take target=the key"),
        ("open", "open"),
        ("Open.", "open"),
        ("TAKE THE  BRASS   KEY.", "take target=THE BRASS KEY"),
        ("  take\tthe key . ", "take target=the key"),
        (
            "take the lamp with the blue shade",
            "take target=the lamp with the blue shade",
        ),
    ]);
}

#[test]
fn w9_a_verb_carries_over_to_further_objects() {
    rows(&[
        (
            "take the key and the lamp",
            "take target=the key; take target=the lamp",
        ),
        (
            "take the key, the lamp and the rope",
            "take target=the key; take target=the lamp; take target=the rope",
        ),
        (
            "take the key, the lamp, and the rope.",
            "take target=the key; take target=the lamp; take target=the rope",
        ),
        (
            "give the key and the lamp to Eldrin",
            "give target=the key to=Eldrin; give target=the lamp to=Eldrin",
        ),
        (
            "give Eldrin the key and the lamp",
            "give target=the key to=Eldrin; give target=the lamp to=Eldrin",
        ),
        (
            "give the key to Eldrin and the lamp to Ann",
            "give target=the key to=Eldrin; give target=the lamp to=Ann",
        ),
        (
            "open the door and the chest with the key",
            "open target=the door tool=the key; open target=the chest tool=the key",
        ),
        (
            "open the door, with the key",
            "open target=the door tool=the key",
        ),
        (
            "take the key from Ann and the lamp",
            "take target=the key; take target=the lamp",
        ),
        (
            "go to the yard and to the hall",
            "move target=the yard; move target=the hall",
        ),
    ]);
}

#[test]
fn w9_giving_and_using() {
    rows(&[
        ("give the key to Eldrin", "give target=the key to=Eldrin"),
        ("give Eldrin the key", "give target=the key to=Eldrin"),
        ("GIVE ELDRIN THE KEY", "give target=THE KEY to=ELDRIN"),
        (
            "give the old guard the key",
            "give target=the key to=the old guard",
        ),
        ("hand him the brass key", "give target=the brass key to=him"),
        ("give her her key", "give target=her key to=her"),
        ("give it to him", "give target=it to=him"),
        (
            "hand the key over to Eldrin",
            "give target=the key to=Eldrin",
        ),
        (
            "offer the key to the guard",
            "give target=the key to=the guard",
        ),
        ("pass me the key", "give target=the key to=me"),
        (
            "give the key on the table to Ann",
            "give target=the key on the table to=Ann",
        ),
        (
            "give Ann the key to the cellar",
            "give target=the key to the cellar to=Ann",
        ),
        (
            "give the key to the cellar to Ann",
            "give target=the key to the cellar to=Ann",
        ),
        ("give the key", "give target=the key"),
        (
            "use the key on the door",
            "use target=the door tool=the key",
        ),
        (
            "use the key with the door",
            "use target=the door tool=the key",
        ),
        ("use the lever", "use target=the lever"),
        (
            "cast fireball at the door",
            "cast spell=fireball target=the door",
        ),
        (
            "cast fireball on the door",
            "cast spell=fireball target=the door",
        ),
        (
            "Cast Greater Fireball to the door",
            "cast spell=Greater Fireball target=the door",
        ),
        (
            "hurl a spell of frost at him",
            "cast spell=frost target=him",
        ),
        ("pray for rain and sun", "pray words=for rain and sun"),
    ]);
}

#[test]
fn w9_speech_keeps_its_words() {
    rows(&[
        (
            "say \"hello there\" to Eldrin",
            "speak content=hello there to=Eldrin",
        ),
        (
            "say to Eldrin: \"hello there\"",
            "speak content=hello there to=Eldrin",
        ),
        ("say hello", "speak content=hello"),
        ("say hello.", "speak content=hello"),
        ("say hello to Eldrin", "speak content=hello to=Eldrin"),
        ("say hello to the guard", "speak content=hello to=the guard"),
        ("say I want to go home", "speak content=I want to go home"),
        (
            "say I went to bed, to sleep",
            "speak content=I went to bed, to sleep",
        ),
        (
            "say to Eldrin that I am Ann",
            "speak content=I am Ann to=Eldrin",
        ),
        (
            "tell Eldrin \"I am Ann\"",
            "speak content=I am Ann to=Eldrin",
        ),
        (
            "tell \"I am Ann\" to Eldrin",
            "speak content=I am Ann to=Eldrin",
        ),
        (
            "tell Eldrin that I am Ann",
            "speak content=I am Ann to=Eldrin",
        ),
        ("tell Eldrin I'm Ann", "speak content=I'm Ann to=Eldrin"),
        (
            "tell the old guard about the key",
            "speak content=about the key to=the old guard",
        ),
        (
            "ask him where the key is",
            "speak content=where the key is to=him",
        ),
        (
            "ask Eldrin: where is the key?",
            "speak content=where is the key? to=Eldrin",
        ),
        ("say how are you?", "speak content=how are you?"),
        (
            "tell Eldrin to take the key and open the door",
            "speak content=to take the key and open the door to=Eldrin",
        ),
        (
            "shout \"fire and flood, then run\"",
            "speak content=fire and flood, then run",
        ),
        (
            "shout “fire. Open the door”, then run home",
            "speak content=fire. Open the door; move target=home",
        ),
        ("\"Hello\"", "speak content=Hello"),
        ("“Hello”", "speak content=Hello"),
        (
            "\"Open the door!\" to Eldrin",
            "speak content=Open the door! to=Eldrin",
        ),
        (
            "\"Hello,\" I say to Eldrin, \"open the door.\"",
            "speak content=Hello, open the door. to=Eldrin",
        ),
        (
            "\"Hello,\" I tell Eldrin.",
            "speak content=Hello, to=Eldrin",
        ),
        (
            "\"Hello.\" Open the door.",
            "speak content=Hello.; open target=the door",
        ),
        (
            "\"open the door and run",
            "speak content=open the door and run",
        ),
        ("\"open the door\" he cries", "\"open the door\" he cries"),
        (
            "say hello and open the door",
            "speak content=hello and open the door",
        ),
        (
            "say hello to Eldrin and open the door",
            "speak content=hello to=Eldrin; open target=the door",
        ),
        (
            "say hello, then open the door",
            "speak content=hello; open target=the door",
        ),
        (
            "say hello\nopen the door",
            "speak content=hello; open target=the door",
        ),
        (
            "say \"hello\" and open the door",
            "speak content=hello; open target=the door",
        ),
        (
            "say if he comes I will run",
            "speak content=if he comes I will run",
        ),
    ]);
}

#[test]
fn w9_introducing_and_describing() {
    rows(&[
        ("introduce Bob", "introduce target=Bob"),
        ("introduce Bob to Eldrin", "introduce target=Bob"),
        (
            "introduce a merchant named Tom",
            "introduce kind=merchant name=Tom",
        ),
        (
            "introduce a merchant called Tom",
            "introduce kind=merchant name=Tom",
        ),
        ("introduce a stranger", "introduce target=a stranger"),
        (
            "describe the door as old and grey",
            "describe content=old and grey target=the door",
        ),
        (
            "describe the door: old and grey",
            "describe content=old and grey target=the door",
        ),
        (
            "describe the door as \"old. Open it\"",
            "describe content=old. Open it target=the door",
        ),
        (
            "describe the door as old, then open it",
            "describe content=old target=the door; open target=it",
        ),
        ("describe the door", "describe target=the door"),
    ]);
}

#[test]
fn w9_wrappings_change_nothing() {
    for text in [
        "please open the door",
        "Please, open the door!",
        "I open the door",
        "I want to open the door.",
        "I try to open the door",
        "I would like to open the door",
        "I’d like to open the door",
        "I am going to open the door",
        "let me open the door",
        "now open the door",
        "then open the door",
        "quickly open the door",
        "I carefully open the door",
        "open the door carefully, please",
        "OK, first I quietly try to open the door now",
        "go and open the door",
        "op\u{200b}en the door",
    ] {
        assert_eq!(read(text).to_lowercase(), "open target=the door", "{text}");
    }
}

#[test]
fn w9_commands_follow_each_other() {
    assert_eq!(
        read("Take the key and open the door with it."),
        "take target=the key; open target=the door tool=it"
    );
    for between in [
        ". ",
        "; ",
        "! ",
        "\n",
        ", then ",
        " and then ",
        " then ",
        ", ",
        " and ",
        ", and ",
        " but ",
        ".Then ",
        " — ",
        "... ",
        "\n\n- ",
        ", and then I quickly ",
    ] {
        let text = format!("take the key{between}open the door");
        if between == "\n\n- " || between == ".Then " {
            assert!(read(&text).starts_with("take target=the key"), "{text}");
            continue;
        }
        assert_eq!(
            read(&text),
            "take target=the key; open target=the door",
            "{text}"
        );
    }
    rows(&[
        ("sing and open the door", "sing; open target=the door"),
        (
            "take the key and look at the door",
            "take target=the key; look target=the door",
        ),
        ("take the\nbrass key", "take target=the brass key"),
        (
            "talk to Mr. Smith about the key",
            "speak content=about the key to=Mr. Smith",
        ),
    ]);
}

#[test]
fn w9_what_is_no_deed_of_the_actor_does_nothing() {
    rows(&[
        ("don't open the door", "don't"),
        ("Don’t open the door and take the key", "don't"),
        ("please do not open the door", "do"),
        ("never open the door, take the key", "never"),
        ("I do not open the door", "do"),
        (
            "take the key and don't open the door",
            "take target=the key; don't",
        ),
        ("if the door is locked, open it", "if"),
        (
            "unless the door is locked, open it and take the key",
            "unless",
        ),
        ("open the door if it is locked", "if"),
        ("say \"hello\" if he comes", "if"),
        ("can I open the door?", "can i open the door?"),
        ("can I take the key and open the door", "can"),
        ("open the door?", "open the door?"),
        ("open?", "open?"),
        (
            "take the key and open the door?!",
            "take the key and open the door?",
        ),
        ("Eldrin opens the door", "eldrin target=opens the door"),
        ("Eldrin, open the door", "eldrin target=open the door"),
        (
            "Eldrin, take the key and open the door",
            "eldrin target=take the key and open the door",
        ),
        (
            "make Eldrin take the key and open the door",
            "make target=Eldrin take the key and open the door",
        ),
        (
            "I want Eldrin to take the key and open it",
            "want target=Eldrin to take the key and open it",
        ),
        ("the guard takes the key and open the door", "the"),
        ("he opens the door", "he"),
        ("open the door, Eldrin.", "open the door, eldrin"),
        (
            "get Eldrin to open the chest and take the key",
            "get eldrin to open the chest and take the key",
        ),
        (
            "use the key to take the lamp",
            "use the key to take the lamp",
        ),
        (
            "use the ladder to go to the yard, take the key",
            "use the ladder to go to the yard, take the key",
        ),
        ("dance wildly", "dance target=wildly"),
        ("fly to the moon", "fly target=to the moon"),
        ("[INTENT: open door_1]", "[intent: open door_1]"),
        (
            "[INTENT: take key. open the door",
            "[intent: take key. open the door",
        ),
        (
            "{\"type\": \"open\", \"target\": \"door\"}",
            "{\"type\": \"open\", \"target\": \"door\"}",
        ),
        ("```json\n{\"type\": \"open\"}\n```", "```json"),
        ("", ""),
        (" \t\n", ""),
        ("... ?! , ; \"\" - *", ""),
    ]);
}

#[test]
fn w9_what_is_used_to_open_is_the_tool() {
    rows(&[
        (
            "use the key to open the door",
            "open target=the door tool=the key",
        ),
        (
            "use it to unlock the door and the chest, then take the lamp",
            "open target=the door tool=it; open target=the chest tool=it; take target=the lamp",
        ),
        (
            "take the key and use the key to open the door",
            "take target=the key; open target=the door tool=the key",
        ),
        (
            "use the key to pry the door open",
            "open target=the door tool=the key",
        ),
        (
            "use the key to open the door with the crowbar",
            "open target=the door tool=the crowbar",
        ),
        ("use to open the door", "use to open the door"),
        (
            "use the key to open the door?",
            "use the key to open the door?",
        ),
    ]);
}

#[test]
fn w9_going_through_keeps_the_word() {
    rows(&[
        ("go through the door", "move target=through the door"),
        (
            "walk quickly out through the oak door",
            "move target=through the oak door",
        ),
        (
            "open the door and go through it",
            "open target=the door; move target=through it",
        ),
        ("enter the door", "move target=the door"),
        (
            "take the key through the door",
            "take target=the key through the door",
        ),
    ]);
}

#[test]
fn w9_looking_is_an_action_of_its_own() {
    rows(&[
        ("look", "look"),
        ("look around", "look"),
        ("I look around the room", "look target=the room"),
        ("look at the door", "look target=the door"),
        ("look for the key", "look target=the key"),
        ("look through the window", "look target=the window"),
        ("examine the chest", "examine target=the chest"),
        (
            "inspect the chest and take the key",
            "inspect target=the chest; take target=the key",
        ),
    ]);
    // A game's own action wins.
    let look = [VerbFrame {
        action: "look".to_owned(),
        verbs: vec!["look".to_owned(), "examine".to_owned()],
        object: Some("target".to_owned()),
        ..VerbFrame::default()
    }];
    let words = &Lexicon::english().imperatives;
    for text in ["look at the door", "examine the door"] {
        let actions = parse_imperatives(text, words, &look, &[]);
        assert_eq!(actions[0].kind, "look");
        assert_eq!(actions[0].fields["target"], json!("the door"));
    }
}

/// As [`read`], near things of these names.
fn read_near(text: &str, names: &[&str]) -> String {
    let words = &Lexicon::english().imperatives;
    in_short(text, parse_imperatives(text, words, &frames(), names))
}

#[test]
fn w9_a_name_of_what_is_near_is_one_word() {
    let names = [
        "Salt and Pepper",
        "salt",
        "the book with the red cover",
        "Dr. Moe's chest",
        "Yahoo!",
        "If",
        "bread, butter and jam",
        "5\" pipe",
        "Open the Door",
        "it's raining",
        "The Man from Rome",
        "key to the cellar",
        "note to Ann",
        "Rock and Hard Place",
        "",
        "and",
    ];
    for (text, expected) in [
        (
            "take the salt and pepper",
            "take target=the salt and pepper",
        ),
        (
            "take the SALT  and Pepper, and then the lamp.",
            "take target=the SALT and Pepper; take target=the lamp",
        ),
        (
            "take the salt and the pepper",
            "take target=the salt; take target=the pepper",
        ),
        (
            "open the book with the red cover with the knife",
            "open target=the book with the red cover tool=the knife",
        ),
        ("open Dr. Moe's chest.", "open target=Dr. Moe's chest"),
        (
            "open Dr. Moe’s chest. Go home",
            "open target=Dr. Moe’s chest; move target=home",
        ),
        ("take Yahoo!", "take target=Yahoo!"),
        (
            "take Yahoo! and the lamp",
            "take target=Yahoo!; take target=the lamp",
        ),
        (
            "give the bread, butter and jam to Ann",
            "give target=the bread, butter and jam to=Ann",
        ),
        (
            "take the 5\" pipe and open the door",
            "take target=the 5\" pipe; open target=the door",
        ),
        (
            "open the door and take it's raining",
            "open target=the door; take target=it's raining",
        ),
        ("take open the door", "take target=open the door"),
        ("open the door", "open target=the door"),
        (
            "take the key and open the door",
            "take target=the key; open target=the door",
        ),
        ("take the man from Rome", "take target=the man from Rome"),
        (
            "give the note to Ann to Bob",
            "give target=the note to Ann to=Bob",
        ),
        ("give the note to Ann", "give target=the note to Ann"),
        (
            "use the key to the cellar to open the salt and pepper",
            "open target=the salt and pepper tool=the key to the cellar",
        ),
        (
            "go to the rock and hard place",
            "move target=the rock and hard place",
        ),
        (
            "say hello to the man from Rome",
            "speak content=hello to=the man from Rome",
        ),
        (
            "take the salt and\npepper",
            "take target=the salt; take target=pepper",
        ),
        ("if it rains, take the lamp", "if"),
    ] {
        assert_eq!(read_near(text, &names), expected, "{text}");
    }
}

#[test]
fn w9_game_verbs_win() {
    let frames = [VerbFrame {
        action: "pick_lock".to_owned(),
        verbs: vec!["open".to_owned()],
        object: Some("lock".to_owned()),
        ..VerbFrame::default()
    }];
    let actions = parse_imperatives(
        "open the door",
        &Lexicon::english().imperatives,
        &frames,
        &[],
    );
    assert_eq!(actions[0].kind, "pick_lock");
    assert_eq!(actions[0].fields["lock"], json!("the door"));
}

#[test]
fn w9_no_text_panics_and_the_output_is_bounded() {
    let pieces = [
        "and ",
        "then ",
        "open ",
        "take",
        " the key",
        "\"",
        "“",
        "”",
        "‘",
        "’",
        "[",
        "]",
        "{",
        "}",
        ",",
        ".",
        "?",
        "!",
        "…",
        ":",
        "\n",
        " to ",
        "with ",
        "say ",
        "tell ",
        "give ",
        "pick ",
        "up ",
        "İ",
        "ß",
        "🗝",
        "e\u{301}",
        "\u{200b}",
        "\u{0}",
        "Mr",
        "3.5",
        "don't ",
        "if ",
        "use ",
        "as ",
        "describe ",
        "introduce ",
        "named ",
        "me ",
        "Eldrin ",
        "from ",
        "cast ",
        "pray ",
        "-",
        "I ",
        "please ",
    ];
    let mut seed = 7_u64;
    let mut next = |n: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n
    };
    let mut texts: Vec<String> = pieces
        .iter()
        .map(|piece| piece.repeat(2_000 / piece.chars().count()))
        .collect();
    texts.push("take the key. ".repeat(143));
    texts.push("take the key and ".repeat(117));
    texts.push("pick a ".repeat(285));
    for _ in 0..2_000 {
        let len = next(60);
        texts.push((0..len).map(|_| pieces[next(pieces.len())]).collect());
    }
    for text in &texts {
        let actions = parse(text);
        assert!(actions.len() <= MAX_ACTIONS, "{text}");
        for action in actions {
            assert!(
                !action.kind.is_empty() && action.kind.chars().count() <= 60,
                "{text}"
            );
            assert!(!action.kind.contains(char::is_control), "{text}");
            assert!(
                action
                    .fields
                    .values()
                    .all(|v| v.as_str().is_some_and(|v| v.len() <= text.len() + 1))
            );
        }
    }
    // Names of what is near change nothing of that.
    let names = [
        "key and open",
        "take. the\"",
        "\"",
        "pick up ",
        "[",
        "}]",
        "me to",
        "e\u{301} ,",
    ];
    for text in &texts {
        let words = &Lexicon::english().imperatives;
        let actions = parse_imperatives(text, words, &frames(), &names);
        assert!(actions.len() <= MAX_ACTIONS, "{text}");
        assert!(
            actions.iter().all(|action| !action.kind.is_empty()),
            "{text}"
        );
    }
    // Without any words, all is unknown.
    for text in &texts {
        let actions = parse_imperatives(text, &Imperatives::default(), &[], &[]);
        assert!(actions.len() <= MAX_ACTIONS, "{text}");
    }
}
