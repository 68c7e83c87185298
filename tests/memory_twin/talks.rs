//! Long invented talks between two people: scenes and small talk with their blanks filled in, always the same.

use super::dice::Dice;
use bevy_dramatis::base::GameTime;
use serde::Deserialize;
use std::collections::BTreeSet;

const TALKS: usize = 10;
const SESSIONS: usize = 24;
const TOPICS_OF_A_TALK: usize = 14;
const SMALL_TALK_OF_A_TALK: usize = 50;
/// A pause follows one in this many lines of the listener.
const PAUSES: usize = 5;
const DAY_MS: i64 = 86_400_000;

const SPEAKERS: [[&str; 2]; TALKS] = [
    ["Nora", "Tobias"],
    ["Amira", "Linus"],
    ["Greta", "Hakim"],
    ["Selma", "Ruben"],
    ["Paula", "Yannick"],
    ["Freya", "Matteo"],
    ["Hanne", "Oskar"],
    ["Mina", "Valentin"],
    ["Lydia", "Rashid"],
    ["Carla", "Edgar"],
];
/// Third people, and their relation to the teller.
const OTHERS: [&str; 14] = [
    "Irene", "Bruno", "Kofi", "Leonie", "Marek", "Dalia", "Simon", "Aiko", "Joris", "Petra",
    "Samir", "Wanda", "Emil", "Thea",
];
const RELATIONS: [&str; 5] = ["cousin", "colleague", "neighbour", "old friend", "flatmate"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const DAYS: [&str; 7] = [
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
    "Sunday",
];

/// The difficulty of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
pub enum Kind {
    /// The question has few words of the line that answers it, or only a name.
    Paraphrase,
    /// The question has words of the line in other forms.
    Inflection,
    /// The question names a third person, or asks for one.
    Names,
    /// The question names a month or a day of the week.
    Date,
    /// The question has the words of a line, and the next line answers it.
    NextLine,
    /// Other lines have the words of the question, too.
    Rivals,
}

/// How many questions of each kind are asked about a talk.
const ASKED: [(Kind, usize); 6] = [
    (Kind::Paraphrase, 4),
    (Kind::Inflection, 3),
    (Kind::Names, 3),
    (Kind::Date, 3),
    (Kind::NextLine, 4),
    (Kind::Rivals, 3),
];

pub struct Talk {
    pub speakers: [&'static str; 2],
    pub lines: Vec<Line>,
    pub questions: Vec<Question>,
}

pub struct Line {
    pub id: String,
    pub time: GameTime,
    /// `NAME: ".."`.
    pub text: String,
}

pub struct Question {
    pub kind: Kind,
    pub text: String,
    /// The ids of the lines that answer it.
    pub answers: BTreeSet<String>,
}

#[derive(Deserialize)]
struct Topic {
    things: Vec<String>,
    places: Vec<String>,
    scenes: Vec<Scene>,
    /// Lines about the topic without new facts, each with an answer.
    chat: Vec<(String, String)>,
}

#[derive(Deserialize)]
struct Scene {
    /// ">" marks a line of the teller, "<" a line of the listener.
    lines: Vec<String>,
    /// Questions with the places of the lines that answer them.
    asks: Vec<(Kind, Vec<usize>, String)>,
}

#[derive(Deserialize)]
struct SmallTalk {
    greetings: Vec<(String, String)>,
    closings: Vec<(String, String)>,
    exchanges: Vec<(String, String)>,
    /// Texts that follow a line of the teller.
    tails: Vec<String>,
    /// Texts before a line of the listener.
    heads: Vec<String>,
    /// Texts before the teller goes on.
    pauses: Vec<(String, String)>,
}

/// The ten talks.
pub fn talks() -> Vec<Talk> {
    let topics: Vec<Topic> =
        ron::from_str(include_str!("scenes.ron")).expect("the scenes can be read");
    let small_talk: SmallTalk =
        ron::from_str(include_str!("small_talk.ron")).expect("the small talk can be read");
    let seeds = (0..).zip(SPEAKERS);
    seeds
        .map(|(seed, speakers)| Writer::new(seed, speakers, &small_talk).talk(&topics))
        .collect()
}

/// Lines that follow each other, and the questions about them.
struct Block {
    /// The speaker, 0 or 1, and the words.
    lines: Vec<(usize, String)>,
    /// Questions with the places of the lines that answer them.
    asks: Vec<(Kind, Vec<usize>, String)>,
}

/// Writes one talk.
struct Writer<'a> {
    dice: Dice,
    speakers: [&'static str; 2],
    /// The person of whom each speaker tells: name and relation.
    others: [Vec<(&'static str, &'static str)>; 2],
    /// The months of which the speakers tell.
    months: [&'static str; 4],
    small_talk: &'a SmallTalk,
}

impl<'a> Writer<'a> {
    fn new(seed: u64, speakers: [&'static str; 2], small_talk: &'a SmallTalk) -> Self {
        let mut dice = Dice(seed);
        let mut names = OTHERS.to_vec();
        dice.shuffle(&mut names);
        let mut relations = RELATIONS.to_vec();
        dice.shuffle(&mut relations);
        let others: Vec<_> = names.into_iter().zip(relations).collect();
        let first_month = dice.below(MONTHS.len());
        Self {
            dice,
            speakers,
            others: [others[..2].to_vec(), others[2..4].to_vec()],
            months: std::array::from_fn(|nth| MONTHS[(first_month + nth) % MONTHS.len()]),
            small_talk,
        }
    }

    fn talk(mut self, topics: &[Topic]) -> Talk {
        let mut topics: Vec<&Topic> = topics.iter().collect();
        self.dice.shuffle(&mut topics);
        topics.truncate(TOPICS_OF_A_TALK);
        let mut blocks = Vec::new();
        for topic in topics {
            self.add_topic(topic, &mut blocks);
        }
        for _ in 0..SMALL_TALK_OF_A_TALK {
            let (said, answer) = self.dice.pick(&self.small_talk.exchanges);
            blocks.push(self.pair(said, answer, "", ""));
        }
        self.dice.shuffle(&mut blocks);
        self.in_sessions(blocks)
    }

    /// One of the two tells every scene of a topic, and the other one tells half of them, too.
    fn add_topic(&mut self, topic: &Topic, blocks: &mut Vec<Block>) {
        let (mut things, mut places) = (topic.things.clone(), topic.places.clone());
        self.dice.shuffle(&mut things);
        self.dice.shuffle(&mut places);
        let mut drawn = things.iter().cycle().zip(places.iter().cycle());
        let teller = self.dice.below(2);
        for scene in &topic.scenes {
            let tellers = if self.dice.one_in(2) { 2 } else { 1 };
            for teller in [teller, 1 - teller].into_iter().take(tellers) {
                if let Some((thing, place)) = drawn.next() {
                    blocks.push(self.scene(scene, teller, thing, place));
                }
            }
        }
        for (said, answer) in &topic.chat {
            if let Some((thing, place)) = drawn.next() {
                blocks.push(self.pair(said, answer, thing, place));
            }
        }
    }

    fn scene(&mut self, scene: &Scene, teller: usize, thing: &str, place: &str) -> Block {
        let blanks = Blanks {
            thing,
            place,
            ..self.blanks(teller)
        };
        let listener = 1 - teller;
        let mut lines = Vec::new();
        // The places of the lines of the scene.
        let mut places = Vec::new();
        for line in &scene.lines {
            let (mark, line) = line.split_at(2);
            let line = blanks.fill(line, self.dice.one_in(2));
            places.push(lines.len());
            if mark == "> " {
                let tail = match self.dice.one_in(2) {
                    true => self.dice.pick(&self.small_talk.tails).as_str(),
                    false => "",
                };
                let tail = self.blanks(teller).fill(tail, false);
                lines.push((teller, format!("{line} {tail}").trim_end().to_owned()));
                continue;
            }
            let head = match self.dice.one_in(2) {
                true => self.dice.pick(&self.small_talk.heads).as_str(),
                false => "",
            };
            lines.push((listener, format!("{head} {line}").trim_start().to_owned()));
            if self.dice.one_in(PAUSES) {
                let (said, answer) = self.dice.pick(&self.small_talk.pauses);
                lines.push((teller, said.clone()));
                lines.push((listener, answer.clone()));
            }
        }
        let ask = |(kind, answers, ask): &(Kind, Vec<usize>, String)| {
            let answers = answers.iter().map(|line| places[*line]);
            (*kind, answers.collect(), blanks.fill(ask, false))
        };
        Block {
            asks: scene.asks.iter().map(ask).collect(),
            lines,
        }
    }

    /// A line and an answer without facts.
    fn pair(&mut self, said: &str, answer: &str, thing: &str, place: &str) -> Block {
        let begins = self.dice.below(2);
        let blanks = Blanks {
            thing,
            place,
            ..self.blanks(begins)
        };
        Block {
            lines: vec![
                (begins, blanks.fill(said, false)),
                (1 - begins, blanks.fill(answer, false)),
            ],
            asks: Vec::new(),
        }
    }

    fn blanks(&mut self, teller: usize) -> Blanks<'static> {
        let (friend, kin) = *self.dice.pick(&self.others[teller]);
        let month = *self.dice.pick(&self.months);
        let day = *self.dice.pick(&DAYS);
        Blanks {
            teller: self.speakers[teller],
            listener: self.speakers[1 - teller],
            friend,
            kin,
            month,
            day,
            thing: "",
            place: "",
        }
    }

    /// Distributes the blocks to sessions that are days apart, and chooses the questions.
    fn in_sessions(mut self, blocks: Vec<Block>) -> Talk {
        let count = blocks.len();
        let mut blocks = blocks.into_iter();
        let mut time = 0;
        let mut lines = Vec::new();
        let mut questions = Vec::new();
        for session in 1..=SESSIONS {
            time += DAY_MS * 2 + millis(&mut self.dice, DAY_MS * 3);
            let (said, answer) = self.dice.pick(&self.small_talk.greetings);
            let greeting = self.pair(said, answer, "", "");
            let (said, answer) = self.dice.pick(&self.small_talk.closings);
            let closing = self.pair(said, answer, "", "");
            let share = count * session / SESSIONS - count * (session - 1) / SESSIONS;
            let told = blocks.by_ref().take(share);
            let told: Vec<Block> = [greeting]
                .into_iter()
                .chain(told)
                .chain([closing])
                .collect();
            for block in told {
                let first = lines.len();
                for (speaker, text) in block.lines {
                    time += 4_000 + millis(&mut self.dice, 26_000);
                    lines.push(Line {
                        id: format!("{session}:{}", lines.len()),
                        time: GameTime(time),
                        text: format!("{}: \"{text}\"", self.speakers[speaker]),
                    });
                }
                for (kind, answers, text) in block.asks {
                    let answers = answers.iter().map(|nth| lines[first + nth].id.clone());
                    questions.push(Question {
                        kind,
                        text,
                        answers: answers.collect(),
                    });
                }
            }
        }
        self.dice.shuffle(&mut questions);
        let mut left = ASKED;
        questions.retain(|question| {
            let left = left.iter_mut().find(|(kind, _)| *kind == question.kind);
            left.is_some_and(|(_, left)| {
                let asked = *left > 0;
                *left -= usize::from(asked);
                asked
            })
        });
        Talk {
            speakers: self.speakers,
            lines,
            questions,
        }
    }
}

/// The words for the blanks of a text.
struct Blanks<'a> {
    teller: &'static str,
    listener: &'static str,
    friend: &'static str,
    kin: &'static str,
    month: &'static str,
    day: &'static str,
    thing: &'a str,
    place: &'a str,
}

impl Blanks<'_> {
    /// `with_kin`: whether the text gives the third person's relation to the teller.
    fn fill(&self, text: &str, with_kin: bool) -> String {
        let mut friend = self.friend.to_owned();
        if with_kin {
            let begins = text.starts_with("{friend}") || text.contains(". {friend}");
            let my = if begins { "My" } else { "my" };
            friend = format!("{my} {} {friend}", self.kin);
        }
        text.replace("{a}", self.teller)
            .replace("{b}", self.listener)
            .replace("{friend}", &friend)
            .replace("{month}", self.month)
            .replace("{day}", self.day)
            .replace("{thing}", self.thing)
            .replace("{place}", self.place)
    }
}

/// Milliseconds, fewer than `bound`.
fn millis(dice: &mut Dice, bound: i64) -> i64 {
    i64::try_from(dice.roll(bound.unsigned_abs())).unwrap()
}
