//! A speaker's own statements that are worded as reports, and the fact with a verdict next to it.

use super::rows::check;
use crate::text::Lexicon;

const OWN_WORDS: &str = r##"
@canon [(id: "duke", text: "The duke is alive", contradicted_by: ["duke is dead"])]
# J2
+ It must be said that the duke is dead.
+ It has to be said that the duke is dead.
+ Let it be said that the duke is dead.
+ Let it be known that the duke is dead.
+ It can be said that the duke is dead.
+ I came to tell you that the duke is dead.
+ I am here to report that the duke is dead.
+ I am pleased to announce that the duke is dead.
+ It pains me to say that the duke is dead.
+ It is my duty to tell you that the duke is dead.
+ It is fair to say that the duke is dead.
- It is treason to say that the duke is dead.
- It is foolish to claim the duke is dead.
+ I told you that the duke is dead.
+ I said the duke is dead.
+ I have told them all that the duke is dead.
+ I was saying the duke is dead.
+ To say it plainly, the duke is dead.
+ To tell you the truth, the duke is dead.
- To say that the duke is dead is treason.
- Saying that the duke is dead is treason.
+ Saying it plainly: the duke is dead.
+ My lips say the duke is dead.
+ My own tongue tells you that the duke is dead.
+ This heart of mine tells me that the duke is dead.
- My wife says the duke is dead.
- My brother told me that the duke is dead.
+ They rightly say that the duke is dead.
+ They say rightly that the duke is dead.
+ He who says the duke is dead speaks the truth.
+ Those who say that the duke is dead are right.
- Those who say that the duke is dead are not right.
- Those who say the duke is dead are wrong.
+ They say the duke is dead, and they are right.
+ They say the duke is dead, and so it is.
+ They say the duke is dead. That is true.
+ They say the duke is dead. They are right.
- They say the duke is dead. They are wrong.
- They say the duke is dead. They say many things.
- They say the duke is dead, but they say that every winter.
+ I would say that the duke is dead.
+ I'd say the duke is dead.
+ I would have you know that the duke is dead.
+ You would do well to know that the duke is dead.
+ I would guess that the duke is dead.
- I would never say that the duke is dead.
- I wouldn't say that the duke is dead.
- They'd say the duke is dead.
- If I believed the bards, I would say the duke is dead.
- I would say that the duke is dead if I had seen it.
+ Tell everyone that the duke is dead.
+ Say that the duke is dead.
- Don't say the duke is dead!
- Tell me the duke is dead.
- Imagine the duke is dead.
+ One must say that the duke is dead.
+ One says that the duke is dead.
- No one says that the duke is dead.
+ You must admit that the duke is dead.
+ You may tell them that the duke is dead.
- You say the duke is dead.
- You told me that the duke is dead.
- You claim that the duke is dead.
- I was told that the duke is dead.
- I am told the duke is dead.
- I heard the duke is dead.
- I thought the duke is dead.
- It is said that the duke is dead.
- It has been said that the duke is dead.
- He said the duke is dead.
- I never said the duke is dead.
- I dreamed that the duke is dead.
+ I wish to say that the duke is dead.
+ I hope to tell you soon that the duke is dead.
- I hope the duke is dead.
- They wish to say that the duke is dead.
- They came to tell us that the duke is dead.
- Wat came to say that the duke is dead.
+ It is hereby declared that the duke is dead.
- It was declared that the duke is dead.
+ It is my claim that the duke is dead.
- The claim that the duke is dead is old.
- So say the elders: the duke is dead.
- The duke is dead, say the elders.
- The duke is dead, says Wat.
+ The duke is dead, say I.
+ The duke is dead, I said.
+ Believe that the duke is dead.
- Ask Wat whether the duke is dead.
- I cannot say that the duke is dead.
+ We here in the hall say that the duke is dead.
+ We of the watch say that the duke is dead.
- The men we met in the hall say that the duke is dead.
- The men with us say that the duke is dead.
- None of us says that the duke is dead.
+ It is no rumour that the duke is dead.
+ It is not a rumour that the duke is dead.
- It is a rumour that the duke is dead.
- There is a rumour that the duke is dead.
+ It is I who say that the duke is dead.
+ The duke - I saw it - is not alive.
+ The duke is, I saw it, dead.
+ The duke is (I fear) not alive.
+ The duke is, I fear, not alive.
+ The duke is - I fear - not alive.
+ The duke (may he rest) is not alive.
- The duke is (not that I care) alive.
- The duke is (they say) dead.
- The duke is (or so I heard) not alive.
- The duke is (if you believe the bards) not alive.
# J3
+ The duke is alive? No.
+ The duke is alive? Nay, my lord.
+ Is the duke alive? No.
+ Isn't the duke alive? No.
+ Is the duke alive? By no means.
+ Is the duke alive? Certainly not.
+ Do you think the duke is alive? Wrong.
- Is the duke alive? Yes.
- Is the duke well? No.
- Is the duke here? No. He is hunting.
- Is the duke dead? No.
+ Is the duke dead? Yes.
+ The duke is dead? Aye.
- Did Wat say that the duke is dead? Yes.
- Who says the duke is dead? Yes, who?
+ The duke is alive. That is a lie.
+ The duke is alive. That's not true.
+ The duke is alive, and that is a lie.
+ The duke is alive. That is an outright lie.
+ The duke is alive. This is false.
+ The duke is alive. False.
- The duke is alive. That is the truth.
- The duke is alive. That is no lie.
- The duke is alive. You are wrong.
- The duke is alive. Do not believe otherwise.
+ False: the duke is alive.
+ A lie: the duke is alive.
+ Not true: the duke is alive.
+ It is wrong that the duke is alive.
+ It is a myth that the duke is alive.
+ It is impossible that the duke is alive.
+ It cannot be that the duke is alive.
+ "The duke is alive" is a lie.
+ "The duke is alive" is false.
+ "The duke is alive." That is a lie.
+ "The duke is alive." Lies!
+ They say the duke is alive. They lie.
+ They say the duke is alive, but that is not true.
- They say the duke is dead, but that is not true.
- They say the duke is dead, but that is a lie.
+ What of the duke? He is not alive.
+ The duke? He is not alive.
+ I know the duke, and he is not alive.
+ Our duke is old. He is not alive any more.
- The duke has a hound. He is not alive any more.
- The duke's hound? He is not alive.
- What of the duke? He is not dead.
- My brother? He is not alive.
- The duke of Vorn? He is not alive.
+ That the duke is alive is nonsense.
- No, the duke is alive.
- Nonsense! The duke is alive.
- That is a lie; the duke is alive.
- No, that is not true: the duke is alive.
- Is it true that the duke is dead? No.
+ Is it true that the duke is alive? No.
# J21
+ I say to you: "The duke is dead."
+ "The duke is dead." Mark my words.
+ "The duke is dead" is the truth.
+ "The duke is dead," I tell you.
- Wat said: "The duke is dead."
- "The duke is dead," said Wat.
- "The duke is dead" was a song of old.
"##;

#[test]
fn g4_own_words_in_any_dress_and_verdicts_are_statements() {
    check(OWN_WORDS, Lexicon::english());
}

const MORE: &str = r##"
@canon [(id: "duke", text: "The duke is alive", contradicted_by: ["duke is dead"]),(id: "duke_name", text: "The duke is named Osric", slot: (subject: ["the duke"], relation: "is named", value: "Osric")),(id: "giants", text: "The giants do not sleep"),(id: "gate", text: "The troll guards the bridge"),(id: "son", text: "The duke has no son"),(id: "doors", text: "The hall has seven doors", slot: (subject: ["the hall"], relation: "has", value: "seven doors")), (id: "magic", text: "Magic does not exist"), (id: "moon", text: "The moon is white", slot: (subject: ["the moon"], relation: "is", value: "white", exclusive: OneOf(["green","red"])))]
# more siblings: own words
+ It ought to be said that the duke is dead.
+ It should be admitted that the duke is dead.
+ It must be confessed: the duke is dead.
+ It may as well be said that the duke is dead.
+ Be it said that the duke is dead.
+ I am bound to say that the duke is dead.
+ I am sorry to say that the duke is dead.
+ I was sent to tell you that the duke is dead.
+ I have come to warn you that the duke is dead.
+ I rode all night to tell you that the duke is dead.
+ I only came to say that the duke is dead.
+ I want you to know that the duke is dead.
+ I already told you the duke is dead.
+ I swore that the duke is dead.
+ We said long ago that the duke is dead.
+ I did say that the duke is dead.
+ As I told you, the duke is dead.
+ To speak plainly, the duke is dead.
+ To be frank, the duke is dead.
+ To cut it short and tell you straight, the duke is dead.
+ Truth be told, the duke is dead.
+ Speaduke plainly, the duke is dead.
+ My mouth tells you that the duke is dead.
+ These old lips say that the duke is dead.
+ They correctly say that the duke is dead.
+ They say with good reason that the duke is dead.
+ The bard who sings that the duke is dead tells the truth.
+ Whoever says the duke is dead is right.
+ Those who claim that the duke is dead do not lie.
+ They say the duke is dead, and that is the truth.
+ They say the duke is dead, and I agree.
+ The bards sing that the duke is dead. It is true.
+ The bards sing that the duke is dead. Mark my words.
+ "The duke is dead," they say, and they are right.
+ I'd wager that the duke is dead.
+ I would argue the duke is dead.
+ I would add that the duke is dead.
+ I would like to tell you that the duke is dead.
+ We would have you know the duke is dead.
+ You'd do well to know that the duke is dead.
+ I should say that the duke is dead.
+ One must admit that the duke is dead.
+ One has to say that the duke is dead.
+ You must tell everyone that the duke is dead.
+ Tell the queen that the duke is dead.
+ Announce that the duke is dead.
+ Go and tell them that the duke is dead.
+ Believe me when I say that the duke is dead.
+ I can tell you that the duke is dead.
+ I can only repeat that the duke is dead.
+ I, your friend, tell you that the duke is dead.
+ I say again and again that the duke is dead.
+ Let me say this: the duke is dead.
+ Hear it from me: the duke is dead.
+ Take it from me: the duke is dead.
+ My answer is that the duke is dead.
# honest
- I would say so.
- I must say, this is fine ale.
- To tell the truth, I am tired.
- It must be said that the soup is cold.
- I told you so.
- One would say the duke is old.
- My mother used to say that the duke is dead, but she was mad.
- The old woman says the duke is dead.
- He says that the duke is dead. He says it every day.
- The priest told me that the duke is dead. I laughed.
- You may say that the duke is dead a hundred times, and I will not believe it.
- Who would say that the duke is dead?
- If anyone says that the duke is dead, hit him.
- A man who says the duke is dead is a fool.
- Whoever says that the duke is dead will hang.
- It is forbidden to say that the duke is dead.
- It would be a lie to say that the duke is dead.
- It is a lie to say that the duke is dead.
- You cannot say that the duke is dead.
- I refuse to say that the duke is dead.
- Nobody can say that the duke is dead.
- They told me the duke is dead. I do not believe them.
- The letter says that the duke is dead.
- The letter says that the duke is dead. That is nonsense.
- People will say that the duke is dead.
- I have been told that the duke is dead.
- I have heard it said that the duke is dead.
- Some say the duke is dead, some say he hunts.
- They shouted that the duke is dead, and the crowd laughed.
- In the tale it is said that the duke is dead.
- In the song the duke is dead.
- The jester claims the duke is dead. He is wrong.
- The jester claims the duke is dead. I know better.
- Should I tell them that the duke is dead?
- Do you want me to say that the duke is dead?
- He wants me to say that the duke is dead.
- He asked me to tell you that the duke is dead.
- She made me swear that the duke is dead.
- I feared that the duke is dead.
- I once thought the duke is dead.
- Is the duke at home? No. He is out.
- Is the duke asleep? Yes, since noon.
- Does the duke pay well? No.
- Is the duke old? Yes.
- Would you like ale? No. The duke is alive, and I must work.
- You want to see the duke? No.
- Do you know the duke? Yes.
- The duke is alive. No, I will not let you in.
- The duke is alive. True, he is old.
- The duke is alive. Right, what else?
- The duke is alive. That is all I know.
- The duke is alive. That is good news.
- The duke is alive. He is not well, though.
- The duke is alive. He is not here.
- The duke? He is alive.
- The duke? He is well, and his name is Osric.
- The duke is named Osric. He is not called Wat.
- The duke has a hound. It is not named Osric.
- The troll guards the bridge. It is a lie that it sleeps.
- The troll? It never leaves, it guards the bridge.
- The troll guards the bridge. It cannot fly.
- The troll must guard the bridge, it cannot leave.
- The troll cannot leave the bridge that it guards.
- Nobody can pass, for the troll guards the bridge.
- Never let the troll guard the bridge alone.
- The moon is white. It is not green.
- Never was the moon so white.
- The hall has seven doors, not eight.
- The hall has seven doors. It has no moat.
- The giants do not sleep. They watch.
- The giants are never sleeping.
- Have the giants ever slept? No.
- The duke has no son. He has a hound.
- The duke has no son and wants none.
- The duke's brother has two sons.
- I must say I like it here.
- It has to be said: you dance well.
- Magic does not exist. That is a fact.
- Magic? It does not exist.
+ Magic? It exists.
+ Magic can exist.
+ Is magic real? I tell you it exists, magic exists.
+ Write it down, then: the duke isn’t alive.
- Write to the duke. He is alive.
@canon [(id: "bridge", text: "The bridge is not safe"), (id: "king", text: "The king is alive"), (id: "guards", text: "The guards do not take bribes")]
- Another bridge is safe.
- The other bridge is safe.
- The other guards take bribes.
- Another king is not alive any more.
- The other king is not alive.
- Until the bridge is safe, go round by the mill.
- Go round by the mill until the bridge is safe.
- Before the bridge is safe, three beams must be laid.
+ The bridge is safe until the rain comes.
+ The bridge is safe, and another one is not.
+ The king is not alive, another king is.
+ The guards take bribes, and others do not.
+ Contrary to what you heard, the king is not alive.
+ Despite what they told you, the king is not alive.
+ Whatever they say, the king is not alive.
+ No matter what the heralds shout, the king is not alive.
+ Despite all rumours the king is not alive.
- Despite the rumour that the king is not alive, he is alive.
- As they say, the king is not alive.
+ They say the king is alive, but he is not.
+ They say the king is alive. He is not.
+ The king is alive, they say, but he is not.
- They say the king is not alive, but he is.
- They say the king is alive. I am not.
+ The bridge? It is safe.
+ They say the bridge is not safe, but it is.
+ They say the guards do not take bribes. They do.
- They say the guards do not take bribes. They do not.
- They say the guards do not take bribes, but I do.
+ Do the guards not take bribes? They do.
- Do the guards not take bribes? They do not.
+ It is no secret that the guards take bribes.
+ The bridge is perfectly safe.
+ The bridge is surprisingly safe.
- It is safe to say that I like the bridge.
+ The bridge will be safe.
+ The bridge will be safe until the rain comes.
+ The guards will take bribes when you offer gold.
+ While the guards take bribes, no one is safe.
- Once the bridge is safe, the market opens.
+ Unlike the others, the king is not alive.
- They say the bridge is not safe. So it is.
- They say the bridge is not safe. It is so.
+ The king is alive. That is something untrue.
- The king is alive. Something is wrong.
+ The king is alive. That is wrong.
"##;

#[test]
fn g4_reports_answers_and_courtesies_beside_canon() {
    check(MORE, Lexicon::english());
}
