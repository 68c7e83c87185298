//! A village lives for weeks while a traveler talks to its people: nothing accumulates. `DRAMATIS_SOAK_DAYS=60` makes the test longer (24
//! hours of play at sixty times the speed) and prints how much memory the process uses.
#![allow(clippy::print_stdout, reason = "the figures are stated")]

use crate::resident::resident_pages;
use bevy_dramatis::engine::{ScriptSpec, ScriptedEngine};
use bevy_dramatis::format::parse_ron;
use bevy_dramatis::testing::TestGame;

const DAYS: i64 = 4;
const MINUTE: i64 = 60_000;
const PEOPLE: [&str; 8] = [
    "ada", "bram", "cole", "dora", "edwin", "finn", "gwen", "hal",
];
/// The most that a character remembers.
const EPISODES: usize = 200;

#[test]
fn r3_a_village_lives_for_weeks_and_nothing_piles_up() {
    let days = std::env::var("DRAMATIS_SOAK_DAYS").map_or(DAYS, |days| days.parse().unwrap());
    let assets = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/village");
    let story = std::fs::read_to_string(assets.join("village.story.ron")).unwrap();
    let limited = format!("step_seconds: 60.0, episodes: {EPISODES}");
    let story = story.replace("step_seconds: 60.0", &limited);
    assert!(story.contains(&limited));
    let script = br#"(replies: [Say("Good day."), Say("So they say."), Say("It is good flour.")], repeat: true)"#;
    let script: ScriptSpec = parse_ron(script, "script").unwrap();
    let mut game = TestGame::new(ScriptedEngine::new(&script).unwrap());
    game.install_story(&story);
    let people = PEOPLE.map(|person| game.spawn_npc_file(assets.join(format!("{person}.npc.ron"))));
    game.frame();
    let (mut lines, mut refused) = (0, 0);
    let mut pages = Vec::new();
    for day in 0..days {
        for minute in 0..24 * 60 {
            game.advance(MINUTE);
            if minute % 10 == 0 {
                let person = people[(minute / 10 + day) as usize % people.len()];
                game.say(person, &format!("What of day {day}, minute {minute}?"));
            }
            game.frame();
            lines += game.take_lines().len();
            refused += game.take_refusals().len();
            // Clears what the test's game keeps for the test: it is not the plugin's memory.
            game.forget_events();
        }
        pages.push(resident_pages().unwrap_or_default());
    }
    let most = people.map(|person| game.mind(person).episodes.len());
    println!("R3: {days} days: {lines} lines, {refused} refused; remembered: {most:?}");
    println!("R3: pages of memory at the end of each day: {pages:?}");
    assert!(
        lines > 10 * days as usize,
        "{lines} lines, {refused} refused"
    );
    assert!(
        most.iter()
            .all(|episodes| (1..=EPISODES).contains(episodes)),
        "{most:?}"
    );
    // After the first half all memories are full.
    if let [half, .., end] = pages[pages.len() / 2..]
        && days >= 30
    {
        assert!(
            end * 100 <= half * 101,
            "{half} pages at half time, {end} at the end"
        );
    }
}
