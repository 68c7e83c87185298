//! Denied auxiliaries, slots with something between their parts, and negative facts in other forms.

use super::rows::check;
use crate::text::Lexicon;

const FORMS: &str = r##"
# J4
@canon [(id: "gate", text: "The troll guards the bridge"), (id: "duke", text: "The duke is alive", contradicted_by: ["duke is dead"])]
+ The troll shall never guard the bridge.
+ The troll cannot guard the bridge.
+ The troll won't guard the bridge.
+ The troll could not guard the bridge.
+ The troll must not guard the bridge.
+ The troll refuses to guard the bridge.
+ The troll fails to guard the bridge.
+ The troll is unable to guard the bridge.
+ The troll used to guard the bridge.
+ The troll stopped guarding the bridge.
+ The troll is not guarding the bridge.
+ The troll has never guarded the bridge.
+ The troll is forbidden to guard the bridge.
+ Never does the troll guard the bridge.
+ Never is the duke alive.
+ Not alive is the duke.
+ The duke is everything but alive.
+ The duke cannot be alive.
+ Under no circumstances is the duke alive.
+ No longer is the duke alive.
- The troll can guard the bridge.
- The troll will guard the bridge and never sleep.
- The troll must guard the bridge.
- Never fear, the duke is alive.
- Never! The duke is alive.
- Not only is the duke alive, he rides.
- The troll cannot fly, but it can guard the bridge.
- Nobody guards the bridge as the troll does.
- The troll likes to guard the bridge.
# J5
@canon [(id: "name", text: "The duke is named Osric", slot: (subject: ["the duke", "our duke"], relation: "is named", value: "Osric"))]
+ The duke is named: Wat.
+ The duke is named... Wat.
+ The duke is named – Wat.
+ The duke is really, truly, wholly named Wat.
+ The duke himself is named Wat.
+ The duke, who is named Wat, is here.
+ The duke, our lord, is named Wat.
+ The duke, long may he live, is named Wat.
+ The duke – our lord – is named Wat.
+ The duke (may he rest) is named Wat.
+ The duke was named Wat.
+ The duke has been named Wat.
+ The duke has always been named Wat.
+ The duke is named Osric or Wat.
+ The duke is named Osric-Wat.
+ The duke is named Osric Wat.
+ The duke will be named Wat.
- What of the duke? He is named Osric.
+ What of the duke? He is named Wat.
- The duke is named Sir Osric.
- The duke is named good Duke Osric.
- The duke is named: Osric.
- The duke is named... Osric.
- The duke is named Osric the Great.
- The duke is named Osric, and Wat is his fool.
- The duke is named Osric and Wat is his fool.
- The duke is named Osric, Sir.
- When he was a boy the duke was named Wat.
- The duke was once named Wat.
- The duke, who is named Osric, is here.
- I know how the duke is named: the queen told me.
- THE DUKE IS NAMED OSRIC INDEED
- The duke, not Wat, is named Osric.
# J6
@canon [(id: "giants", text: "The giants do not sleep"), (id: "son", text: "The duke has no son")]
+ The giants are sleeping.
+ The giants have slept.
+ The giants will sleep.
+ The giants can sleep.
+ The giants were always sleeping.
+ The duke has two sons.
+ The duke has sons.
+ The duke has several young sons.
+ The duke will have an son.
+ The duke has had an son.
+ The duke has no son but Tom.
+ The duke has no son except a dog.
+ The giants do not sleep except at noon.
+ Do the giants sleep? Yes.
- The giants are not sleeping.
- The giants will never sleep.
- The duke has no son, but he has a dog.
- The duke has no son but hopes for one.
- The duke has lost his son.
- The duke has no sons.
- The duke will have no son.
- While the giants watch over us, we sleep soundly.
- The giants want to keep watch while we sleep.
# k37
@canon [(id: "doors", text: "The hall has seven doors", slot: (subject: ["the hall"], relation: "has", value: "seven doors"))]
- The hall has 7 doors.
- The hall has exactly seven doors.
- The hall has seven strong doors.
- The hall has seven doors and a moat.
+ The hall has 8 doors.
+ The hall has eight doors.
+ The hall has seven or eight doors.
+ The hall has seven hundred doors.
@canon [(id: "bridge", text: "The bridge is not safe"), (id: "boy", text: "The boy has no name"), (id: "heir", text: "The king has no heir"), (id: "night", text: "The night does not sleep"), (id: "gate", text: "The gate is closed"), (id: "elves", text: "The elves live in the forest"), (id: "gold", text: "The treasure is a myth"), (id: "bribes", text: "The guards do not take bribes")]
# What stresses a negative fact, possessives, and negators of another part
- The bridge is not safe, not anymore.
- The bridge is not safe, not at all.
- The bridge is not safe at all, never.
- The bridge isn't safe, never was.
- The bridge is not in any way safe.
- The bridge is no longer safe.
- The guards do not take bribes, never.
+ The bridge is safe.
+ The bridge is safe, believe it or not.
+ The guards take bribes.
- That is a boy's name.
- They all want to be the king's heir.
+ The king has an heir.
- All I need is a good night's sleep.
+ The night sleeps.
+ The night's sleeping.
- The elves live in the forest, not far from here.
- The elves live in the forest not far from the river.
- The gate is closed because the guards are no longer here.
- Believe it or not, the gate is closed.
- The gate is closed, like it or not.
+ The gate is not closed.
+ The gate is closed no longer.
- The treasure is only a story.
@canon [(id: "magic", text: "There is no magic in this world")]
+ There's magic in this world, lad.
- There's no magic in this world, lad.
- The treasure is a myth.
"##;

#[test]
fn g4_facts_and_slots_in_other_forms() {
    check(FORMS, Lexicon::english());
}
