//! Commands one after the other, what is none, and verbs of a game's own.

use crate::judged_world::words::imperative::tests::{read, rows};
use crate::judged_world::words::imperative::{VerbFrame, parse_imperatives};
use crate::text::lexicon::Lexicon;
use serde_json::json;

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
fn w9_what_is_no_action_of_the_actor_does_nothing() {
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
        ("he nods at the door", "he"),
        ("they open the door", "they"),
        ("open the door, Eldrin.", "open the door, eldrin"),
        (
            "Open the door, Eldrin, please.",
            "open the door, eldrin, please",
        ),
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
fn w9_what_is_told_of_the_actor_is_a_command() {
    for (text, is) in [
        ("he takes the key", "take target=the key"),
        (
            "She opens the door with it.",
            "open target=the door tool=it",
        ),
        ("He quickly goes to the yard", "move target=the yard"),
        ("he picks the lamp up", "take target=the lamp"),
        ("Then she hurries to the yard", "move target=the yard"),
        ("he gives the key to Ann", "give target=the key to=Ann"),
        ("he take the key", "take target=the key"),
        (
            "He takes the key, opens the door and goes to the yard",
            "take target=the key; open target=the door; move target=the yard",
        ),
        (
            "he takes the key and she opens the door",
            "take target=the key; open target=the door",
        ),
    ] {
        assert_eq!(read(text), is, "{text}");
    }
    for text in [
        "he is tired",
        "he wants the key",
        "the key opens the door",
        "her key opens it",
        "does he take the key?",
    ] {
        let found = read(text);
        assert!(!found.contains("target="), "{text}: {found}");
    }
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
fn w9_words_to_another_character_do_nothing_where_nouns_have_capitals() {
    let german = &Lexicon::german().imperatives;
    let actions = |text: &str| {
        let read = parse_imperatives(text, german, &[], &[]);
        let read = read.into_iter().map(|action| action.kind);
        read.collect::<Vec<_>>()
    };
    for text in [
        "Öffne die Tür, Eldrin!",
        "Öffne bitte die Tür, Eldrin, bitte.",
        "Nimm den Schlüssel, Odo.",
        "Öffne die alte Tür, Eldrin!",
        "Nimm den goldenen Schlüssel, Odo.",
        "Öffne unsere Tür, Eldrin.",
    ] {
        assert!(
            !actions(text)
                .iter()
                .any(|action| action == "open" || action == "take"),
            "{text}"
        );
    }
    assert_eq!(actions("Öffne die Tür."), ["open"]);
    assert_eq!(actions("Nimm das Brot und den Käse."), ["take", "take"]);
}
