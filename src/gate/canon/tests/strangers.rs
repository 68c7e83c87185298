//! Lines of a writer who had not seen the judge: what small models say, and what is near to it and honest.

use super::rows::check;
use crate::text::Lexicon;

fn lines(language: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/canon");
    std::fs::read_to_string(format!("{folder}/{language}.txt")).unwrap()
}

#[test]
fn g4_english_lines_of_a_writer_who_had_not_seen_the_judge() {
    check(&lines("english"), Lexicon::english());
}

#[test]
fn g4_german_lines_of_a_writer_who_had_not_seen_the_judge() {
    check(&lines("german"), Lexicon::german());
}

#[test]
fn g4_english_lines_of_a_second_writer() {
    check(&lines("english_2"), Lexicon::english());
}

#[test]
fn g4_german_lines_of_a_second_writer() {
    check(&lines("german_2"), Lexicon::german());
}

#[test]
fn g4_words_near_a_pattern_or_a_value_do_not_hide_a_contradiction() {
    check(NEAR, Lexicon::english());
}

const NEAR: &str = r##"
@canon [(id: "king", text: "The king is alive", contradicted_by: ["king is dead", "/king (has )?(died|perished)/", "has died"])]
+ First of all the king is dead.
+ Worst of all the king is dead.
+ But above all the king is dead.
+ Because of this the king died.
+ Without an heir the king has died.
+ With no heir the king has died.
+ None of this helps. The king is dead.
+ By the gods, the king is dead.
+ On my honour the king is dead.
+ The steward of the king is dead, and the king is dead.
+ The king is truly dead.
+ The king is now dead, sir.
+ The king, our lord, is dead.
- The friend of the king is dead.
- The window above the king is dead.
- None of the sons of the king is dead.
- No king is dead.
- The king is perhaps dead, I cannot say.
- The king is probably dead.
- The king is almost dead.
- The king may be dead.
- The king might soon be dead.
- Had the king died, we would know.
- Had the king been dead, we would know.
- The king's dead brother sleeps in the crypt.
@canon [(id: "hills", text: "Nobody has returned from the hills", contradicted_by: ["returned from the hills"]), (id: "troll", text: "Odo killed the troll", contradicted_by: ["wat killed the troll"])]
+ Nobody besides Wat returned from the hills.
+ Nobody but Wat returned from the hills.
+ Wat killed the troll.
+ Wat really killed the troll.
+ The troll was killed by Wat.
+ The troll was not killed by Odo.
- Wat killed another troll.
- Wat killed some other troll years ago.
- Wat killed the goat of the troll.
- Wat killed the troll's goat.
- My brother never returned from the hills.
- None of us returned from the hills.
- Not one of them returned from the hills.
- The troll was not killed by Wat.
@canon [(id: "room", text: "A room costs twenty five coins", slot: (subject: ["a room"], relation: "costs", value: "twenty five coins", exclusive: Any)), (id: "bed", text: "A bed costs half a crown", slot: (subject: ["a bed"], relation: "costs", value: "half a crown", exclusive: Any)), (id: "mill", text: "The mill belongs to Old Berta", slot: (subject: ["the mill"], relation: "belongs to", value: "Old Berta", exclusive: Any))]
+ A room costs five coins.
+ A room costs twenty.
+ A room costs thirty five coins.
+ A bed costs a crown.
+ A bed costs one crown.
+ The mill belongs to Old Bert.
+ The mill really belongs to Tom.
+ The mill belongs to nobody.
- A room costs twenty five.
- A bed costs half a crown.
- The mill belongs to Berta.
- The mill belongs to nobody but Old Berta.
"##;
