//! What is no speech, and honest lines that come near it.

use super::*;
use crate::id;
use crate::judged_world::{ActionRegistry, EntityView, LocationView, WorldState};

fn world() -> WorldState {
    let mut world = WorldState::default();
    let mut add = |id, name: &str, aliases: &[&str]| {
        let view = EntityView {
            name: name.to_owned(),
            aliases: aliases.iter().map(|&alias| alias.to_owned()).collect(),
            ..EntityView::default()
        };
        world.entities.insert(id, view);
    };
    add(id!("sword_1"), "Sword", &[]);
    add(id!("sword"), "old blade", &[]);
    add(id!("door-1"), "oak door", &[]);
    add(id!("key_9"), "key_9", &[]);
    add(id!("droid"), "Unit_7", &["R2-D2"]);
    add(id!("R2-D2"), "R2-D2", &[]);
    let yard = LocationView {
        name: "Yard".to_owned(),
        ..LocationView::default()
    };
    world.locations.insert(id!("yard.south"), yard);
    world
}

/// The rule that refuses a line and the words that it names, whole and with its sentences one by one.
fn refused(line: &str) -> Option<(String, String)> {
    let (world, registry) = (world(), ActionRegistry::default());
    let names = Names {
        world: &world,
        actions: Some(&registry),
    };
    let mut found = judge_words(names, line, Lexicon::english());
    let found = found.drain(..).next()?;
    Some((found.rule, found.span.unwrap().text))
}

fn rule(line: &str) -> Option<String> {
    refused(line).map(|(rule, _)| rule)
}

#[test]
fn g1_names_of_machines_are_no_speech() {
    for line in [
        "json_json",
        "dialogue_text.",
        "\"npc_response\"",
        "AppendEpisodic",
        "TransformBelief door-1 0.8",
        "null",
        "undefined",
        "json json json",
        "dialogue:",
        "describe",
        "sword_1",
        "key_9",
        "door-1.",
        "yard.south",
        "open door_1",
        "Well, then. player_name. I see.",
        "20220821_173500",
    ] {
        assert_eq!(rule(line).as_deref(), Some("degenerate"), "{line}");
    }
    let (_, words) = refused("Well, then. player_name. I see.").unwrap();
    assert_eq!(words, "player_name.");
}

#[test]
fn g1_names_that_people_say_are_speech() {
    for line in [
        "Sword.",
        "sword",
        "Unit_7.",
        "R2-D2.",
        "Yard.",
        "Move!",
        "Speak.",
        "Open",
        "Null.",
        "JSON!",
        "The file is player_name, I think.",
        "McDonald.",
        "iPhone?",
        "o_o",
        "T_T",
        "ann_lee@example.com",
        "Rat-catcher.",
        "give and take",
        "Well... open",
    ] {
        assert_eq!(rule(line), None, "{line}");
    }
}

#[test]
fn g1_a_time_stamp_is_no_speech() {
    for line in [
        "2022-08-21_17:35:00.105.02",
        "2022-08-21T17:35:00Z",
        "2022-08-21 17:35:00",
        "[21/08/2022 17:35:00]",
        "2022-08-21T17:35",
        "2022-08-21T17:35:00.105+02:00.",
    ] {
        assert_eq!(rule(line).as_deref(), Some("degenerate"), "{line}");
    }
    for line in [
        "42.",
        "1066.",
        "3.14159",
        "2022-08-21.",
        "17:35:00.",
        "10:00-18:00.",
        "192.168.0.1:8080",
        "+49 (0)30/1234-56-78",
        "10-9-8-7-6-5-4-3-2-1-0!",
        "1, 2, 3, 4, 5, 6, 7, 8, 9, 10!",
        "1 + 2 + 3 + 4 + 5 + 6 = 21.",
        "It came at 2022-08-21 17:35:00, the log says.",
    ] {
        assert_eq!(rule(line), None, "{line}");
    }
}

#[test]
fn g1_one_sign_again_and_again_is_no_speech() {
    let long = ["a", "!", ".", "ha", "哈"].map(|sign| format!("Well {}", sign.repeat(90)));
    let long = long.iter().map(String::as_str);
    for line in ["aaaaaaaa", "ооооооооо", "----", "========"]
        .into_iter()
        .chain(long)
    {
        assert_eq!(rule(line).as_deref(), Some("degenerate"), "{line}");
    }
    for line in [
        "...",
        "......",
        "…",
        "?!",
        "!!!!!",
        "—",
        "--",
        "♪♪♪♪",
        "Hmmmmm.",
        "zzzzzzzzzz",
        "Aaaaaaaaaaargh!",
        "Aaaaaaaa!",
        "Noooooooooo!",
        "hahahahahahahahaha",
        "55555555",
        "哈哈哈哈哈哈哈哈哈哈",
        "¯\\_(ツ)_/¯",
    ] {
        assert_eq!(rule(line), None, "{line}");
    }
}

#[test]
fn g1_the_same_again_and_again_is_refused() {
    for (once, times) in [
        ("I am the keeper of this tower. ", 40),
        ("I do not know what you mean by that at all. ", 3),
        ("I can help you. ", 5),
        ("I am here. ", 5),
        ("Come in. ", 10),
        ("I do not know what you mean. ", 3),
        ("The king is here, and the king is ", 6),
        ("no ", 40),
        ("tick tock ", 10),
        ("the ", 24),
        ("我是这座塔的守护者。", 5),
        ("我不知道你在说什么，朋友，我真的不知道。", 3),
        ("ฉันไม่เข้าใจคำถามของคุณ ", 4),
        ("Ich weiss es nicht. Frag den Müller. ", 4),
        ("I DO not KNOW. i do not know! I do, not know; ", 2),
    ] {
        let line = once.repeat(times);
        assert_eq!(rule(&line).as_deref(), Some("degenerate"), "{line}");
        let behind = format!("Good day to you, {line}");
        assert_eq!(rule(&behind).as_deref(), Some("degenerate"), "{behind}");
    }
}

#[test]
fn g1_refrains_chants_and_laughter_are_speech() {
    for line in [
        "No, no, no, no!",
        "Never, never, never, never, never!",
        "Ha ha ha ha ha ha ha ha ha ha ha ha!",
        "Tick, tock, tick, tock, tick, tock.",
        "Oh! Oh! Oh! The ship!",
        "Run! Run! Run! Run!",
        "Long live the king! Long live the king! Long live the king!",
        "Let me out! Let me out! Let me out! Let me out!",
        "Come in. Come in. Come in. Come in.",
        "There is no place like home. There is no place like home. There is no place like home.",
        "For he's a jolly good fellow, for he's a jolly good fellow, for he's a jolly good fellow, which nobody can deny!",
        "What shall we do with a drunken sailor, what shall we do with a drunken sailor, what shall we do with a drunken sailor, early in the morning?",
        "Ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha ha!",
        "The bells, bells, bells, bells, bells, bells, bells!",
        "Na na na na na na na na na na na, hey!",
        "万岁！万岁！万岁！",
        "两只老虎，两只老虎，跑得快，跑得快。",
        "I told the miller, and the miller told the smith, and the smith told the baker, and the baker told the priest.",
    ] {
        assert_eq!(rule(line), None, "{line}");
    }
}

#[test]
fn g1_markup_is_not_spoken() {
    for line in [
        "Come in. {\"dialogue\": 1}",
        "{ \"a",
        "Come in.<|im_end|>",
        "<｜end｜>",
        "Welcome, {{user}}.",
        "I am {{ char }}.",
        "Welcome, {player_name}.",
    ] {
        assert_eq!(rule(line).as_deref(), Some("markup"), "{line}");
    }
    for line in [
        "I {heart} you.",
        "1 < 2 | 3",
        "Set {a, b}.",
        "{{{ }}} is what the rune shows.",
        "Good day, friend {{x}} my.",
        "<3",
        "He said \"go\".",
    ] {
        assert_eq!(rule(line), None, "{line}");
    }
}

/// A line that begins with a whole sentence that is refused is refused itself.
#[test]
fn g1_what_is_refused_stays_refused_whatever_follows() {
    for begin in [
        "json_json.",
        "2022-08-21T17:35:00.",
        "Aye. reply_text.",
        "Come <|x|>.",
    ] {
        let Some(refused) = rule(begin) else {
            panic!("{begin}");
        };
        for more in [" And so on.", " Ja.", " ..."] {
            assert_eq!(
                rule(&format!("{begin}{more}")),
                Some(refused.clone()),
                "{begin}{more}"
            );
        }
    }
}

#[test]
fn g1_any_text_is_judged_in_linear_time() {
    for unit in [
        "a ",
        "ab",
        "a. ",
        "{",
        "<",
        "我",
        "\u{301}",
        "a_",
        "_ ",
        "one two three ",
        "1:",
    ] {
        let _ = rule(&unit.repeat(60_000));
    }
    let many: String = (0..40_000).map(|number| format!("w{number} ")).collect();
    assert_eq!(rule(&many), None);
}
