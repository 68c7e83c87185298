//! Names of what is near, each read as one word.

use super::super::parse_imperatives;
use crate::judged_world::words::imperative::tests::{frames, in_short};
use crate::text::lexicon::Lexicon;

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
