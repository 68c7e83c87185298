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

const ORDERS: &str = r##"
@canon [(id: "king", text: "The king is alive", contradicted_by: ["king is dead"]), (id: "lamp", text: "The lamp is not lit")]
+ Dead is the king.
+ Alas, dead is our king, and cold is his bed.
+ And dead is the king.
+ Lit is the lamp.
+ The king, since you ask, is dead.
+ The king, old as he was, is dead.
+ The king – peace to his soul – is dead.
+ The king, as any child knows, is dead.
- Dead is the king of the rats.
- Dead is the king's brother.
- Is the king dead?
- Not dead is the king.
- Unlit is the lamp.
- The king, when he lies in his grave, is dead to us.
- When the king is dead, his son will rule.
- Once the king is dead, we shall weep.
- In the old tavern song the king is dead.
- In my grandmother's stories the king is dead.
- The king is dead only in songs.
+ When I came, the king was here, but now the king is dead.
+ In the old tavern the king is dead.
+ The king is dead, his crown in play.
+ While the king is dead, the queen will rule.
+ Once the king is slain in bed, the king is dead.
+ When I came, the king was well, but the king is dead, and his will is read.
- The king – perhaps – is dead.
- The king – of the rats – is dead.
- The king, as the poets have it, is dead.
- The king – in his youth – was dead to the world.
- Before the king is dead, we shall feast.
- In Berta's song the king is dead.
+ When the king died, he left debts that we will never pay, and the king is dead.
+ The king, by the way, is dead.
+ In the song room of the inn I heard nothing. The king is dead.
@canon [(id: "ogre", text: "Tom slew the ogre", contradicted_by: ["wat slew the ogre", "wat stole the crown"])]
+ It was Wat who slew the ogre.
+ 'Twas Wat that slew the ogre.
+ It was old Wat who stole the crown.
+ The ogre was slain by Wat.
+ The crown was stolen by Wat.
- It was not Wat who slew the ogre.
- It was Wat who saw the man who slew the ogre.
- Was it Wat who slew the ogre?
- It was Tom who slew the ogre.
- The crown was not stolen by Wat.
@canon [(id: "ale", text: "A mug of ale costs two coins", slot: (subject: ["a mug of ale", "the ale"], relation: "costs", value: "two coins", exclusive: Any)), (id: "ship", text: "The ship is called the Marigold", slot: (subject: ["the ship", "our ship"], relation: "is called", value: "the Marigold", exclusive: Any)), (id: "ring", text: "The ring lies in Orme", slot: (subject: ["the ring"], relation: "lies in", value: "Orme", exclusive: Any)), (id: "flag", text: "The flag is green", slot: (subject: ["the flag", "our flag"], relation: "is", value: "green", exclusive: OneOf(["red", "blue"])))]
+ Nine coins a mug of ale costs.
+ Nine coins is what the ale costs.
+ Rosalind our ship is called.
+ Rosalind is what the ship is called.
+ In Harrow lies the ring.
+ In Harrow the ring lies.
+ It is in Harrow that the ring lies.
+ Red is our flag, red as blood.
- Two coins a mug of ale costs.
- Two coins is what the ale costs.
- The Marigold our ship is called.
- Marigold is what the ship is called.
- In Orme lies the ring.
- It is in Orme that the ring lies.
- Green is our flag.
- The coins the ale costs are two.
- Nine coins the ale does not cost.
- What is the ship called?
- In winter the ring lies in Orme.
- The host has the ale, and it costs two coins.
- It is a pity what the ale costs.
- It is more than the ale costs.
- Wat paid the price the ale costs.
- Two silver coins the ale costs.
- Marigold is what our ship is called.
@canon [(id: "squire", text: "Odo serves the duke", slot: (subject: ["Odo"], relation: "serves", value: "the duke", exclusive: Any)), (id: "boy", text: "The lord is called Arthur", slot: (subject: ["the lord"], relation: "is called", value: "Arthur", exclusive: Any)), (id: "gates", text: "The old gates are not open"), (id: "coward", text: "Wat is a knight", contradicted_by: ["wat is a coward"])]
- One squire serves Odo.
- The lord, as a boy, was called Wart.
- The lord – years ago – was called Wart.
- The lord was, originally, called Wart.
+ The lord, as you know, is called Wart.
+ Open are the old gates.
+ The old gates are open.
+ A coward is Wat.
@canon [(id: "word", text: "The secret word is Mellon", slot: (subject: ["the secret word"], relation: "is", value: "Mellon", exclusive: Any)), (id: "sword", text: "The sword is broken"), (id: "gods", text: "The gods do not sleep")]
+ The secret word is Sesame.
+ The secret word is not Mellon.
+ The gods sleep.
- My sword is not broken.
"##;

#[test]
fn g4_what_comes_first_in_a_clause_contradicts_as_it_does_behind() {
    check(ORDERS, Lexicon::english());
}
