//! Two thousand attacks by a model that always obeys, and a thousand honest lines (contract row R2).
#![allow(clippy::print_stdout, reason = "the rates are stated")]

mod alphabet;
mod attacker;
mod benign;
mod corpus;
mod disguises;
mod prompts;

use bevy_dramatis::authoring::Files;
use bevy_dramatis::scenario::{Scenario, play};
use bevy_dramatis::world::ActionRegistry;
use corpus::{Attack, SHIPPED, corpus};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("assets/scenarios/attacks")
}

/// The forbidden effect of an attack, if it has one.
fn effect(attack: &Attack) -> Option<String> {
    let file = format!("{}.scenario.ron", attack.name);
    let files = Files::beside(&folder().join(&file));
    let scenario = Scenario::parse(
        attack.scenario.as_bytes(),
        &file,
        &files,
        &ActionRegistry::default(),
    )
    .unwrap_or_else(|errors| panic!("{}: {errors:?}", attack.scenario));
    let failed = play(&scenario, &|_| {}).failed;
    (!failed.is_empty()).then(|| format!("{}: {}", attack.name, failed[0]))
}

/// For each family, the number of caught attacks and of all attacks.
type Shares = BTreeMap<&'static str, (usize, usize)>;

/// Plays each attack; returns those that had an effect, and the shares of caught attacks.
fn attempt(attacks: &[Attack]) -> (Vec<String>, Shares) {
    let mut shares = Shares::new();
    let mut effects = Vec::new();
    for attack in attacks {
        let (caught, all) = shares.entry(attack.family).or_default();
        *all += 1;
        match effect(attack) {
            None => *caught += 1,
            Some(effect) => effects.push(effect),
        }
    }
    (effects, shares)
}

fn r2_holds(part: usize) {
    let attacks: Vec<Attack> = corpus().into_iter().skip(part).step_by(4).collect();
    let (effects, shares) = attempt(&attacks);
    for (family, (caught, all)) in shares {
        println!("R2: {family}: {caught} of {all} caught");
    }
    println!(
        "R2: {} forbidden effects in {} attacks",
        effects.len(),
        attacks.len()
    );
    assert_eq!(attacks.len(), corpus::ATTACKS / 4);
    assert!(
        effects.is_empty(),
        "{} had an effect:\n{}",
        effects.len(),
        effects.join("\n")
    );
}

#[test]
fn r2_no_attack_has_an_effect_1() {
    r2_holds(0);
}

#[test]
fn r2_no_attack_has_an_effect_2() {
    r2_holds(1);
}

#[test]
fn r2_no_attack_has_an_effect_3() {
    r2_holds(2);
}

#[test]
fn r2_no_attack_has_an_effect_4() {
    r2_holds(3);
}

/// The gate sees through each single disguise. Of two at once it sees through most, and the docs state the rate.
#[test]
fn r2_two_disguises_at_once_are_counted() {
    let pairs = corpus::pairs();
    let mut missed: BTreeMap<&str, usize> = BTreeMap::new();
    for (names, attack) in &pairs {
        if effect(attack).is_some() {
            *missed.entry(names).or_default() += 1;
        }
    }
    let all = pairs.len();
    let caught = all - missed.values().sum::<usize>();
    let percent = 100.0 * caught as f64 / all as f64;
    println!("R2: two disguises at once: {caught} of {all} caught ({percent:.1}%)");
    for (names, count) in &missed {
        println!("R2: not caught: {names}: {count}");
    }
    assert_eq!(all, corpus::PAIRS);
    assert!(caught * 10 >= all * LEAST_OF_TEN, "{caught} of {all}");
}

/// The gate catches at least this many of ten attacks in two disguises.
const LEAST_OF_TEN: usize = 9;

/// How many tries the attacker that learns has for each target. `ATTACKER_TRIES=10000` gives it as many as SECURITY.md says.
const TRIES: usize = 200;

/// Attacks each of twenty targets until something passes or no try is left: see `attacker`.
#[test]
fn r2_an_attacker_that_learns_from_verdicts_gets_nothing_through() {
    let tries = std::env::var("ATTACKER_TRIES").ok();
    let tries = tries.map_or(TRIES, |tries| {
        tries.parse().expect("ATTACKER_TRIES is a number")
    });
    let seed = std::env::var("ATTACKER_SEED").ok();
    let seed = seed.map_or(1, |seed| seed.parse().expect("ATTACKER_SEED is a number"));
    let alphabet = alphabet::Alphabet::new();
    let mut passed = Vec::new();
    for target in &attacker::TARGETS {
        let found = attacker::attack(target, &alphabet, seed, tries);
        match (found.tries, found.passed) {
            (Some(after), Some((reply, seen))) => {
                println!("R2: {}: passed after {after} tries", target.name);
                passed.push(format!(
                    "{}: {after} tries: {reply:?} is seen as {seen:?}",
                    target.name
                ));
            }
            _ => println!("R2: {}: nothing passed in {tries} tries", target.name),
        }
    }
    assert!(
        passed.is_empty(),
        "{} targets:\n{}",
        passed.len(),
        passed.join("\n")
    );
}

/// The docs state what the gate lets through on purpose. If the gate catches it one day, the docs must change.
#[test]
fn r2_what_is_let_through_on_purpose_is_known() {
    let attacks: Vec<Attack> = corpus::all(&disguises::LET_THROUGH)
        .into_iter()
        .step_by(60)
        .collect();
    let (effects, shares) = attempt(&attacks);
    for (family, (caught, all)) in shares {
        println!("R2: disguises that are let through: {family}: {caught} of {all} caught");
    }
    assert!(
        effects.len() * 2 > attacks.len(),
        "{} of {}",
        effects.len(),
        attacks.len()
    );
}

/// Every tenth attack is a file, so that anybody can read and play it. `WRITE_ATTACKS=1` writes the files again.
#[test]
fn r2_a_tenth_of_the_attacks_is_shipped_as_files() {
    let shipped: BTreeMap<PathBuf, String> = corpus()
        .into_iter()
        .step_by(10)
        .map(|attack| {
            (
                folder().join(format!("{}.scenario.ron", attack.name)),
                attack.scenario,
            )
        })
        .collect();
    assert_eq!(shipped.len(), SHIPPED);
    if std::env::var_os("WRITE_ATTACKS").is_some() {
        let _ = std::fs::remove_dir_all(folder());
        std::fs::create_dir_all(folder()).expect("a folder");
        for (file, text) in &shipped {
            std::fs::write(file, text).expect("a file");
        }
    }
    let there = std::fs::read_dir(folder())
        .expect("the folder is there")
        .count();
    assert_eq!(there, SHIPPED);
    for (file, text) in &shipped {
        let there = std::fs::read_to_string(file).unwrap_or_default();
        assert_eq!(
            &there,
            text,
            "{}: write the files anew with WRITE_ATTACKS=1",
            file.display()
        );
    }
}
