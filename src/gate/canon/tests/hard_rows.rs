//! One line each: what a reader would call a contradiction, and what not.

use super::*;

/// `+` contradicts canon, `-` does not.
const HARD_ROWS: &str = r#"
    + Traveler, the king is not named Arthur, whatever they tell you.
    + The king? He is fine. But the king is not named Arthur.
    - The king is named Arthur, though many do not know it.
    - The king is named Arthur, isn't he?
    - The king is named Arthur, and that is not a secret.
    - The king is named Arthur, and nobody calls him otherwise.
    - I am not sure, but the king is named Arthur.
    - I don't know you, yet the king is named Arthur to all.
    + You may not believe it, but the sky is green.
    + You wouldn't believe it, but the sky is green.
    - You would not believe that the sky is green.
    - No one says the sky is green.
    - Nobody believes the king is dead.
    - He thinks the king is dead, but he is wrong.
    - The rumor that the king is dead is false.
    - There is a rumor that the king is dead.
    - Who told you the king is dead?
    - Don't say the king is dead!
    - If only the king is dead.
    - I wonder whether the king is dead.
    - I wonder if the sky is green.
    - Imagine the sky is green.
    - Perhaps you heard that the king is dead; that is a lie.
    - It is a lie that the sky is green.
    - It's not the case that the king is dead.
    + It is a lie that the sky is blue.
    + The sky is green — trust me.
    + Look, the sky is green!
    + Ha! The king is dead, you fool.
    + The king is dead, and you cannot change it.
    + I think the king is dead.
    + As I said, the king is dead.
    + I swear the king is dead.
    + I swear to you, the king is dead.
    + I have to say the sky is green.
    + I must tell you that the king is dead.
    + The king is dead, I tell you!
    + Magic is not forbidden in Eldoria.
    + Magic isn't forbidden here in Eldoria.
    + In Eldoria magic is never forbidden, magic is not forbidden in Eldoria.
    - Magic is forbidden in Eldoria, so do not use it.
    - Magic is forbidden in Eldoria and you must not use it.
    - Magic is forbidden in Eldoria. Never use it.
    - Magic is forbidden in Eldoria, traveler; do not speak of it.
    - Magic is forbidden in Eldoria but not in Mercia.
    - Magic is forbidden in Eldoria, not in Mercia.
    - Magic is forbidden in Eldoria for those who do not serve the king.
    + The war did not end ten years ago.
    + The war never ended ten years ago.
    - The war ended ten years ago, yet there is no peace.
    - The war ended ten years ago and never came back.
    + Eldrin does not live in the tower.
    + Eldrin lives in the cave.
    - Eldrin lives in the tower.
    - Eldrin does not live in the cave.
    + The capital is Mercia.
    - The capital is Camelot.
    - The capital is not Mercia.
    + Camelot is not the capital.
    - Camelot is the capital, not Mercia.
    - Camelot is the capital and it is not small.
    - "The king is dead," said Mordred, and he laughed.
    - Mordred said, "The king is dead."
    - Mordred shouted that the king is dead and the sky is green.
    + Mordred shouted. The king is dead.
    - They'd say the king is dead.
    - Word has it the king is dead.
    + Yes the sky is green.
    + the sky is, um, green
    - the sky is not green, no.
    - Under the sky is green grass.
    + Oh, the king is not alive.
    + The king is neither alive nor well.
    - The king is alive and well, not dead.
    - The king is alive, is he not.
    + The king is hardly loved and not alive.
    - No, the king is alive.
    - Not a day passes that the king is alive without joy.
    - The king is alive no matter what they say.
    - The king is alive; he is not dead, whatever you have heard.
    - Never doubt that the king is alive.
    - I do not lie, the king is alive.
    - The king is alive... not that I care.
    - Arthur? Yes, the king is named Arthur, and I'll not hear otherwise.
    - The king is named Arthur – don't you know?
    - The king is named Arthur (not Bob).
    - The king is named Arthur (I do not like him).
    + The king is (sadly) not named Arthur.
    + The king is named Bob (or so I believe).
    - The king is named Bob (or so they say).
    - The king is named Bob, or so they say.
    - The king is named Bob, if you believe the bard.
    - Should the king fall, we weep.
    - Had the king died, we would weep.
    + *waves* The sky is green.
    + The king is _not_ named Arthur.
    + The king is **not** named Arthur.
    + The king is NOT named Arthur!
    + The king is n‌ot named Arthur.
    + It can't be that the king is named Arthur, the king is named Bob.
    - They claim the king's dead, but the king is alive.
    + The dragon, a great beast, does not guard the gate.
    + The dragon has never guarded the gate, the dragon doesn't guard the gate
    - The dragon guards the gate so that no one enters.
    - The dragon guards the gate that is not closed.
    - The dragon guards the gate, and it does not sleep.
    - The dragon guards the gate and doesn't sleep.
    - The dragon guards the gate while the king does not care.
    - The dragon that guards the gate is not evil.
    - The dragon who guards the gate does not sleep.
    - The king who is named Arthur is not old.
    - The king is named Arthur the Unbroken, never beaten in war.
    - The king is named Arthur of Camelot, and he won't see you.
    - The king is named Arthur, son of Uther, and does not suffer fools.
    - The sky is blue today, not a cloud in it.
    - The sky is blue without end, not one cloud.
    - The sky is blue when it does not rain.
    - The sky is blue like a lake that never freezes.
    - The sky is blue as never before.
    - The sky is so blue I can't look away.
    - The sky is blue, can't you see?
    - The sky is blue. Can't you see.
    - The sky is blue, you cannot deny it.
    - The sky is blue, that you cannot deny.
    + Deny it all you like: the sky is green.
    + The king’s not named Arthur anymore.
    + The king is named Bob and I do not like him.
    + The king is named Bob; do not tell anyone.
    + The king is named Bob, I say!
    + I am saying the king is named Bob.
    + I was saying the king is named Bob.
    - I used to believe the sky is green.
    - I once believed the sky is green.
    - I never said the sky is green.
    - I don't believe the sky is green.
    + We say the sky is green.
    - You say the sky is green.
    - People say that the sky is green and red.
    - The bards sing that the sky is green, that the king is dead.
    - She dreams the sky is green.
    - As they say, the sky is green.
    - They told me long ago that the sky is green.
    + They told me long ago. But the sky is green.
    + They told me; the sky is green.
    + They lied to me - the sky is green.
    + I hear that the sky is green.
    - I overheard that the sky is green.
    + The sky is green if you ask me.
    - The sky is green unless it rains.
    + The sky is green and I would know.
    + The king is dead; if only I knew why.
    - If you say the sky is green, you lie.
    + The sky is green as if painted.
    + The queen and king are well. The king is dead.
    + Well... the king is dead.
    + The king... is dead? No! The king is dead.
    + The king is dead!?! The king is dead.
    + “Welcome,” he said. The sky is green.
    - “The sky is green,” he said.
    - 'The sky is green,' he said, 'and the king is dead.'
    + The sky is green, my "friend".
    + Don't you see: the sky is green and 'tis so.
    + The king's crown is lost, and the king is dead.
    + We don't care that the king is dead.
    + I do not care that the sky is green.
    + Do not forget that the sky is green.
    - Do not think that the sky is green.
    - Do not believe the king is dead.
    + You know the sky is green.
    + Everyone knows the sky is green.
    + Truth be told, the sky is green.
    + Believe it or not, the sky is green.
    + Whether you like it or not, the sky is green.
    + Say what you will, the sky is green.
    + Say what you like, but the sky is green.
    + The answer is simple: the sky is green.
    + The answer, my friend, is that the sky is green.
    + The truth is that the sky is green.
    + In truth the sky is green.
    + Of course the sky is green.
    + Remember, the sky is green.
    + Listen, child, the sky is green.
    + Here the sky is green.
    + Tonight the sky is always green.
    - The sky is blue, never green.
    - The sky is blue rather than green.
    + The sky is green rather than blue.
    + The sky is either green or red.
    - The sky is not as green as grass.
    - The sky is neither green nor red.
    - The sky is no longer green.
    - The sky is hardly green.
    - My lord, the king is named Arthur; would I lie to you?
    - Would that the king is dead!
    + My lord, would you look at that: the sky is green!
    + Sire, I regret to inform you that the king is dead.
    + I fear the king is dead.
    - They fear the king is dead.
"#;

const HARD_CANON: &str = r#"#![enable(implicit_some)]
[
    (id: "king_name", text: "The king is named Arthur", contradicted_by: ["king is called bob"],
     slot: (subject: ["the king", "our king"], relation: "is named", value: "Arthur")),
    (id: "sky", text: "The sky is blue",
     slot: (subject: ["the sky"], relation: "is", value: "blue", exclusive: OneOf(["green", "red"]))),
    (id: "alive", text: "The king is alive", contradicted_by: ["king is dead"]),
    (id: "dragon", text: "The dragon guards the gate"),
    (id: "magic", text: "Magic is forbidden in Eldoria"),
    (id: "war", text: "The war ended ten years ago"),
    (id: "home", text: "Eldrin lives in the tower",
     slot: (subject: ["Eldrin", "I"], relation: "lives in", value: "the tower")),
    (id: "capital", text: "Camelot is the capital",
     slot: (subject: ["the capital"], relation: "is", value: "Camelot")),
]"#;

#[test]
fn g4_hard_rows() {
    let judge =
        CanonJudge::compile(ron::from_str(HARD_CANON).unwrap(), Lexicon::english()).unwrap();
    let rows = HARD_ROWS
        .lines()
        .map(str::trim)
        .filter(|row| !row.is_empty());
    let wrong: Vec<&str> = rows
        .filter(|row| judge.contradicts_any(&row[2..], Said::Aloud) != row.starts_with('+'))
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
