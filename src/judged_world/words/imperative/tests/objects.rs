//! Objects, tools, receivers, and what one goes through.

use super::rows;

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
