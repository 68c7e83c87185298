//! A second opinion on the truth engine (row Z2): in each state of a walk through a world of `TextWorld`, its rules and our rules must
//! allow the same actions and lead to the same world.
//!
//! `walk.py` writes the states; `DRAMATIS_TEXTWORLD_STATES` names a longer file of them. `textworld.rulebook.ron` contains its rules and
//! facts in our words.

mod actions;
mod worlds;

use self::actions::{Deed, deed_of, registry};
use self::worlds::{Facts, facts_of, world_of};
use bevy_dramatis::base::GameTime;
use bevy_dramatis::id;
use bevy_dramatis::text::Lexicon;
use bevy_dramatis::world::{ActionRegistry, ActionRules, May, Rulebook, WorldState};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::fmt::Debug;

const RULEBOOK: &str = include_str!("textworld/textworld.rulebook.ron");
const STATES: &str = include_str!("textworld/states.jsonl");

/// A state of a walk, as `TextWorld` sees it.
#[derive(Deserialize)]
struct State {
    /// The seed of its world. The states of one world are in order.
    world: u64,
    facts: Facts,
    /// Every action that applies.
    can: BTreeSet<String>,
    /// The action of the walk.
    does: String,
    /// The facts that the action removes, and those that it adds.
    lost: Facts,
    gained: Facts,
}

fn states(lines: &str) -> Vec<State> {
    let lines = lines.lines().enumerate();
    let read =
        |(at, line)| serde_json::from_str(line).unwrap_or_else(|e| panic!("line {}: {e}", at + 1));
    lines.map(read).collect()
}

/// What was compared, and each difference in a sentence.
#[derive(Default)]
struct Comparison {
    offers: usize,
    denials: usize,
    differences: Vec<String>,
}

impl Comparison {
    fn same<T: Ord + Debug>(&mut self, what: &str, ours: &BTreeSet<T>, theirs: &BTreeSet<T>) {
        if ours != theirs {
            let only_ours: Vec<&T> = ours.difference(theirs).collect();
            let only_theirs: Vec<&T> = theirs.difference(ours).collect();
            self.differences.push(format!(
                "{what}: only ours {only_ours:?}, only TextWorld's {only_theirs:?}"
            ));
        }
    }
}

/// Compares this book with `TextWorld`, for the actions with these names, until it has found this many differences.
fn compare(book: &str, states: &[State], names: &[String], most: usize) -> Comparison {
    let registry = registry();
    let book = Rulebook::parse(book.as_bytes(), "textworld.rulebook.ron", &registry);
    let book = book.unwrap_or_else(|error| panic!("{error}"));
    let mut found = Comparison::default();
    let (mut walked, mut seen) = (0, BTreeSet::new());
    for (at, state) in states.iter().enumerate() {
        if state.world != walked {
            (walked, seen) = (state.world, BTreeSet::new());
        }
        let place = format!("state {} (world {})", at + 1, state.world);
        let world = world_of(&state.facts);
        // Our words lose no fact: equal worlds have equal facts.
        found.same(
            &format!("{place}, its facts"),
            &facts_of(&world),
            &state.facts,
        );
        let theirs = state.can.iter().map(|action| deed_of(action));
        let theirs: BTreeSet<Deed> = theirs.filter(|deed| names.contains(&deed.action)).collect();
        let ours = offers(&book, &registry, &world, names);
        found.same(&format!("{place}, what can be done"), &ours, &theirs);
        found.offers += theirs.len();
        // Actions that were possible earlier in this walk, perhaps in another room, and are not possible now.
        for deed in seen.difference(&theirs) {
            found.denials += 1;
            if done(&book, &registry, &world, deed).is_ok() {
                found.differences.push(format!(
                    "{place}, {deed:?}: done, where TextWorld denies it"
                ));
            }
        }
        let deed = deed_of(&state.does);
        if names.contains(&deed.action) {
            let theirs: Facts = state.facts.difference(&state.lost).cloned().collect();
            let theirs = theirs.union(&state.gained).cloned().collect();
            match done(&book, &registry, &world, &deed) {
                Ok(after) if after == world_of(&theirs) => {}
                Ok(after) => found.differences.push(format!(
                    "{place}, after {deed:?}: {:?} where TextWorld has {:?}",
                    facts_of(&after).difference(&theirs).collect::<Vec<_>>(),
                    theirs.difference(&facts_of(&after)).collect::<Vec<_>>(),
                )),
                Err(why) => found
                    .differences
                    .push(format!("{place}, {deed:?}: denied: {why}")),
            }
        }
        if found.differences.len() >= most {
            break;
        }
        seen.extend(theirs);
    }
    found
}

fn rules<'a>(book: &'a Rulebook, registry: &'a ActionRegistry) -> ActionRules<'a> {
    ActionRules {
        book,
        registry,
        now: GameTime(0),
        max_introduced: 0,
        lexicon: Lexicon::english(),
    }
}

/// All actions that the plugin offers to the player.
fn offers(
    book: &Rulebook,
    registry: &ActionRegistry,
    world: &WorldState,
    names: &[String],
) -> BTreeSet<Deed> {
    let offered = rules(book, registry).affordances(world, &id!("P"), May::Only(names));
    let deeds = offered.iter().flat_map(|offer| {
        let combinations = offer.combinations.iter();
        combinations.map(|ids| Deed {
            action: offer.action.to_owned(),
            fields: offer
                .fields
                .iter()
                .zip(ids)
                .filter_map(|(field, id)| Some(((*field).to_owned(), id.as_ref()?.to_string())))
                .collect(),
        })
    });
    deeds.collect()
}

/// The world after the player's turn, or why the turn failed.
fn done(
    book: &Rulebook,
    registry: &ActionRegistry,
    world: &WorldState,
    deed: &Deed,
) -> Result<WorldState, String> {
    let record = rules(book, registry).judge(world, &id!("P"), None, vec![deed.proposed()]);
    match record.actions.first() {
        Some(action) if action.judgement.is_ok() => {
            let mut after = world.clone();
            after.install(&record.changes);
            Ok(after)
        }
        Some(action) => Err(format!("{:?}", action.judgement)),
        None => Err(format!("{:?}", record.rejected)),
    }
}

fn all_names() -> Vec<String> {
    let names = actions::ALL.iter();
    names.map(|(_, name, _)| (*name).to_owned()).collect()
}

#[test]
fn z2_what_can_be_done_and_what_it_changes_is_what_textworld_says() {
    let longer = std::env::var("DRAMATIS_TEXTWORLD_STATES").ok();
    let longer = longer.map(|path| std::fs::read_to_string(path).unwrap());
    let states = states(longer.as_deref().unwrap_or(STATES));
    let found = compare(RULEBOOK, &states, &all_names(), 10);
    println!(
        "{} states, {} actions that apply, {} that do not any more, {} differences",
        states.len(),
        found.offers,
        found.denials,
        found.differences.len()
    );
    assert!(
        found.differences.is_empty(),
        "\n{}",
        found.differences.join("\n")
    );
    // The walk carried out each rule, and not only offered it.
    let done: BTreeSet<String> = states.iter().map(|s| deed_of(&s.does).action).collect();
    assert_eq!(done, all_names().into_iter().collect());
    assert!(found.denials > states.len());
}

#[test]
fn z2_a_fault_in_any_line_of_the_rulebook_is_found() {
    let states = states(STATES);
    let lines: Vec<&str> = RULEBOOK.lines().collect();
    let (mut action, mut faults, mut missed) = (String::new(), 0, Vec::new());
    for (at, line) in lines.iter().enumerate() {
        let line = line.trim_start();
        if let Some((name, _)) = line.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
            action = name.to_owned();
        }
        // The planted faults: one check is missing, one check is negated, one effect is missing.
        let is_check = line.starts_with("(id:");
        let turned = line
            .replace("when: ", "when: Not(")
            .replace(", else", "), else");
        let planted: &[&str] = match is_check {
            true => &["", &turned],
            false if line.starts_with("Place(") || line.starts_with("SetAttribute(") => &[""],
            false => &[],
        };
        for fault in planted {
            faults += 1;
            let book = [&lines[..at], &[*fault], &lines[at + 1..]]
                .concat()
                .join("\n");
            let found = compare(&book, &states, std::slice::from_ref(&action), 1);
            match found.differences.first() {
                Some(told) => assert!(told.contains("state ") && told.contains(&action), "{told}"),
                None => missed.push(format!("{action}: {line} -> {fault}")),
            }
        }
    }
    assert!(
        missed.is_empty(),
        "of {faults} faults:\n{}",
        missed.join("\n")
    );
    assert!(faults > 150, "only {faults}");
}
