//! Random towns.

use crate::chance::Chance;
use crate::trace_of;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

const PLACES: [&str; 5] = ["inn", "mill", "forge", "well", "farm"];
const PEOPLE: [&str; 6] = ["ada", "bo", "cy", "dee", "eli", "flo"];

/// The world of a town: a ring of places, and a lane that leads one way.
fn world(player_at: &str) -> String {
    let mut places = String::new();
    for (i, place) in PLACES.iter().enumerate() {
        let (next, before) = (PLACES[(i + 1) % 5], PLACES[(i + 4) % 5]);
        let lane = if i == 0 { ", \"well\"" } else { "" };
        let _ = write!(
            places,
            "\"{place}\": (name: \"{place}\", connected_to: [\"{next}\", \"{before}\"{lane}]), "
        );
    }
    format!(
        "world: (locations: {{{places}}}, entities: {{\"player\": (name: \"Ann\", kind: \"character\", at: In(\"{player_at}\"))}})"
    )
}

/// Characters with a home, a day and something to remember.
fn people(chance: &mut Chance, routines: bool) -> String {
    let mut npcs = String::new();
    for person in PEOPLE {
        let home = chance.one(&PLACES);
        let mut routine = String::new();
        for _ in 0..if routines { chance.below(5) } else { 0 } {
            let hour =
                |chance: &mut Chance| format!("{:02}:{:02}", chance.below(24), chance.below(60));
            let (from, to) = (hour(chance), hour(chance));
            let place = chance.one(&PLACES);
            let when = chance.one(&[
                "",
                ", when: Flag(\"market\")",
                ", when: Not(Flag(\"market\"))",
            ]);
            let _ = write!(
                routine,
                "(from: \"{from}\", to: \"{to}\", place: \"{place}\", doing: \"works\", done: \"worked\"{when}), "
            );
        }
        let mut memories = String::new();
        for i in 0..chance.below(3) {
            let significance = chance.one(&["0.2", "0.5", "0.9"]);
            let private = chance.below(4) == 0;
            let _ = write!(
                memories,
                "(id: \"{person}{i}\", text: \"You saw thing {i} of {person}.\", significance: {significance}, private: {private}), "
            );
        }
        let _ = write!(
            npcs,
            "(id: \"{person}\", name: \"{person}\", location: \"{home}\", routine: [{routine}], memories: [{memories}]), "
        );
    }
    npcs
}

fn town(npcs: &str, player_at: &str, steps: &str) -> Value {
    let day = "calendar: (day_seconds: 7200.0, starts_at_seconds: 1000.0)";
    trace_of(&format!(
        "Scenario(name: \"town\", {day}, {}, gossip: (every_seconds: 300.0, least: 0.1), npcs: [{npcs}], steps: [{steps}])",
        world(player_at)
    ))
}

/// The state of a town: people, memories, news, blocked steps.
fn lived(trace: &Value) -> [&Value; 4] {
    ["characters", "memory", "news", "blocked"].map(|key| &trace[key])
}

#[test]
fn l2_diaries_and_looking_back_do_not_depend_on_how_time_is_cut() {
    let life = |steps: &str| {
        trace_of(&format!(
            r#"Scenario(name: "diary", form: Apart, limits: (episodes: 3), npcs: [
                (id: "odo", diary: true, may: [], fallbacks: (generic: ["Hm."]), routine: [
                    (from: "11:00", to: "12:00", doing: "rests", done: "rested"),
                    (from: "18:00", to: "19:00", doing: "eats", done: "ate")]),
                (id: "eve", may: [], fallbacks: (generic: ["Hm."]))],
            replies: [Reply((npc: "odo", text: "Good day.")), Reply((npc: "eve", text: "Well met.")),
                Reply((stage: Remember, object: {{"calls": [{{"tool": "episode", "text": "Ann came."}}]}}, delay_seconds: 3.0)),
                Reply((stage: Remember, object: {{"calls": [{{"tool": "episode", "text": "Ann left."}}]}})),
                Reply((stage: Diary, text: "I slept.")), Reply((stage: Diary, text: "I slept again."))],
            steps: [Remember(npc: "odo", id: "rain", text: "It rained."), Say(to: "odo", text: "Hello?"),
                Advance(seconds: 50.0), Say(to: "eve", text: "Hello?"), {steps}])"#
        ))
    };
    let whole = life("Advance(seconds: 200000.0)");
    assert_eq!(whole["runs"].as_array().unwrap().len(), 6);
    for (first, then) in [(1_u32, 199_999_u32), (70, 199_930), (86_400, 113_600)] {
        let cut = life(&format!(
            "Advance(seconds: {first}.0), Advance(seconds: {then}.0)"
        ));
        assert_eq!(whole["hash"], cut["hash"], "{first}");
    }
    let mut many = String::new();
    for _ in 0..200 {
        many.push_str("Advance(seconds: 1000.0), ");
    }
    assert_eq!(whole["hash"], life(&many)["hash"]);
}

#[test]
fn l2_a_town_does_not_depend_on_how_time_is_cut_or_who_looks() {
    let (mut steps_taken, mut told) = (0, 0);
    for seed in 0..100 {
        let chance = &mut Chance::new(seed);
        let npcs = people(chance, true);
        let flip = |value: bool| format!("SetFlag(name: \"market\", value: {value}), ");
        // Half a day, the market opens, and another day.
        let spans = [4_000_000_u64, 9_000_000];
        let whole = spans.map(|span| format!("Advance(seconds: {}.0), ", span / 1_000));
        let whole = whole.join(&flip(true));
        let cut = spans.map(|span| {
            let mut left = span;
            let mut steps = String::new();
            while left > 0 {
                let part = left.min(1 + chance.below(900_000));
                left -= part;
                let _ = write!(
                    steps,
                    "Advance(seconds: {}.{:03}), ",
                    part / 1_000,
                    part % 1_000
                );
            }
            steps
        });
        let cut = cut.join(&flip(true));
        let one = town(&npcs, "inn", &whole);
        let many = town(&npcs, "inn", &cut);
        assert_eq!(lived(&one), lived(&many), "seed {seed}");
        // The hash of a trace covers everything in it; advances leave nothing there.
        assert_eq!(one["hash"], many["hash"], "seed {seed}");
        let elsewhere = town(&npcs, "farm", &whole);
        assert_eq!(lived(&one), lived(&elsewhere), "seed {seed}");
        let people = one["memory"].as_object().unwrap().values();
        let days = people.flat_map(|mind| mind["episodes"].as_array().unwrap());
        steps_taken += days
            .filter(|episode| episode["id"].as_str().unwrap().starts_with("day-"))
            .count();
        told += one["news"].as_array().unwrap().len();
    }
    assert!(
        steps_taken > 500 && told > 250,
        "{steps_taken} days, {told} tellings"
    );
}

/// What each character can know after all news that characters could tell while they were together long enough.
fn could_know(
    positions: &[(u64, BTreeMap<&str, &str>)],
    every: u64,
) -> BTreeMap<String, BTreeSet<String>> {
    let mut known: BTreeMap<String, BTreeSet<String>> = PEOPLE
        .iter()
        .map(|person| ((*person).to_owned(), BTreeSet::from([(*person).to_owned()])))
        .collect();
    for window in positions {
        let (span, places) = window;
        if *span < every {
            continue;
        }
        // Within a span, news may reach all characters that are together.
        for place in PLACES {
            let here: Vec<&str> = PEOPLE
                .into_iter()
                .filter(|one| places[one] == place)
                .collect();
            let all: BTreeSet<String> = here.iter().flat_map(|one| known[*one].clone()).collect();
            for one in here {
                known.insert(one.to_owned(), all.clone());
            }
        }
    }
    known
}

#[test]
fn l4_no_character_knows_what_no_chain_of_tellings_reaches() {
    let mut told = 0;
    for seed in 0..300 {
        let chance = &mut Chance::new(seed);
        let npcs = people(chance, false);
        let mut places: BTreeMap<&str, &str> = BTreeMap::new();
        let mut steps = String::new();
        let mut positions = Vec::new();
        for _ in 0..6 {
            for person in PEOPLE {
                if places.is_empty() || chance.below(3) == 0 || !places.contains_key(person) {
                    let place = *chance.one(&PLACES);
                    places.insert(person, place);
                    let _ = write!(steps, "Place(entity: \"{person}\", at: In(\"{place}\")), ");
                }
            }
            let span = chance.below(1_500);
            let _ = write!(steps, "Advance(seconds: {span}.0), ");
            positions.push((span, places.clone()));
        }
        // Characters that stay together over several spans may have been together long enough in all of them.
        let known = could_know(
            &positions
                .iter()
                .map(|(_, at)| (1_500, at.clone()))
                .collect::<Vec<_>>(),
            300,
        );
        let trace = town(&npcs, "inn", &steps);
        let news: Vec<(&str, &str)> = trace["news"]
            .as_array()
            .unwrap()
            .iter()
            .map(|one| (one["from"].as_str().unwrap(), one["to"].as_str().unwrap()))
            .collect();
        told += news.len();
        for person in PEOPLE {
            for episode in trace["memory"][person]["episodes"].as_array().unwrap() {
                let witness = episode["origin"]["npc"].as_str().unwrap();
                assert!(
                    known[person].contains(witness),
                    "seed {seed}: {person} knows {episode}"
                );
                if witness == person {
                    continue;
                }
                // A character told the news at each link of its way.
                let way: Vec<&str> = episode["way"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|id| id.as_str().unwrap())
                    .collect();
                let links = way
                    .iter()
                    .copied()
                    .zip(way.iter().copied().skip(1).chain([person]));
                for link in links {
                    assert!(news.contains(&link), "seed {seed}: {link:?} of {episode}");
                }
                assert_eq!(episode["hops"], way.len(), "seed {seed}");
                let id = episode["origin"]["id"].as_str().unwrap();
                let own = &trace["memory"][witness]["episodes"];
                let own = own
                    .as_array()
                    .unwrap()
                    .iter()
                    .find(|one| one["id"] == id)
                    .unwrap();
                assert_eq!(own["private"], false, "seed {seed}: {episode}");
            }
        }
    }
    assert!(told > 2_000, "{told} tellings");
}

#[test]
fn l1_a_day_of_any_length_and_a_year_at_once_come_to_an_end() {
    let day = |seconds: &str, advance: &str| {
        trace_of(&format!(
            "Scenario(name: \"day\", calendar: (day_seconds: {seconds}), {}, npcs: [(id: \"ada\", location: \"inn\", limits: (episodes: 50), routine: [(from: \"00:00\", to: \"12:00\", place: \"inn\", doing: \"sleeps\"), (from: \"12:00\", to: \"24:00\", place: \"mill\", doing: \"mills\")])], steps: [Advance(seconds: {advance})])",
            world("inn")
        ))
    };
    // Days that are shorter than a step, and more days than the plugin plays at once.
    let short = day("0.001", "100.0");
    assert_eq!(short["characters"][0]["id"], "ada");
    let year = day("86400.0", "31536000.0");
    let episodes = year["memory"]["ada"]["episodes"].as_array().unwrap();
    assert_eq!(episodes.len(), 50);
    assert_eq!(episodes[49]["id"], "day-730");
}
