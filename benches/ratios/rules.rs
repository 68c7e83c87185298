//! Many rules: what rules, facts and checks cost that do not concern a run, and how long a large story takes to load.

use crate::hall::{HALL, Ready, hall_of, say};
use crate::table::{Table, pair, ratio, timed};
use bevy_dramatis::authoring::{NoFiles, StoryBook};
use bevy_dramatis::world::ActionRegistry;
use std::fmt::Write;
use std::hint::black_box;

/// The rows of this file.
pub fn rows(table: &mut Table) {
    let count = table.size(10_000);
    let rounds = table.rounds(300);
    let silent = story("", &rules(count, "somebody_else"), "");
    let what = format!("a run in a story with {count} rules for others / with none");
    table.row("R1 others", &what, || {
        let (mut many, mut none) = (
            hall_of(Ready, HALL, 1_000, 100),
            hall_of(Ready, &silent, 1_000, 100),
        );
        pair(rounds, || say(&mut none), || say(&mut many)).row()
    });
    let what =
        format!("loading a story with {count} rules of three patterns each / with a tenth of them");
    table.row("R2 load", &what, || {
        let load = |source: &str| {
            let registry = ActionRegistry::default();
            let parsed =
                StoryBook::parse(source.as_bytes(), "bench.story.ron", &NoFiles, &registry);
            drop(black_box(parsed.expect("a story")));
        };
        let tenth = story("", &rules(count / 10, "somebody_else"), "");
        let (many, few) = (timed(|| load(&silent)), timed(|| load(&tenth)));
        (ratio(many, few), format!("{many:.1?} / {few:.1?}"))
    });
    let expressions: String = (0..table.size(1_000)).fold(String::new(), |mut all, i| {
        let _ = write!(
            all,
            "(id: \"x{i}\", when: Npc(\"somebody_else\"), constraints: [(id: \"xc{i}\", kind: Prohibition, severity: Hard, patterns: [\"/forbidden+{i}x/\"])]),"
        );
        all
    });
    let applying = r#"(id: "own", constraints: [(id: "own_c", kind: Prohibition, severity: Hard, patterns: ["never said"])]),"#;
    let what = "a run whose words are scanned for 1,000 regular expressions / for none";
    table.row("R3 regex", what, || {
        let many = story("", &format!("{expressions}{applying}"), "");
        let few = story("", applying, "");
        let (mut many, mut few) = (
            hall_of(Ready, &many, 1_000, 100),
            hall_of(Ready, &few, 1_000, 100),
        );
        pair(rounds, || say(&mut many), || say(&mut few)).row()
    });
    let checks = table.size(1_000);
    let what = format!("a run whose action has a rule of {checks} checks / of one");
    table.row("R4 checks", &what, || {
        let many = story("", "", &self::checks(checks));
        let few = story("", "", &self::checks(1));
        let (mut many, mut few) = (
            hall_of(Ready, &many, 1_000, 100),
            hall_of(Ready, &few, 1_000, 100),
        );
        pair(rounds, || say(&mut many), || say(&mut few)).row()
    });
    let facts = table.size(1_000);
    let what = format!("a run among {facts} world facts, which all stand in its prompt / among 10");
    table.row("R5 facts", &what, || {
        let with = |count: usize| {
            let list: String = (0..count).map(|i| format!("\"fact_{i}\": {i},")).collect();
            story(&format!("world_facts: {{{list}}},"), "", "")
        };
        let (many, few) = (with(facts), with(10));
        let (mut many, mut few) = (
            hall_of(Ready, &many, 1_000, 100),
            hall_of(Ready, &few, 1_000, 100),
        );
        pair(rounds, || say(&mut many), || say(&mut few)).row()
    });
}

/// This many rules for one character, with three patterns each.
fn rules(count: usize, npc: &str) -> String {
    let mut rules = String::new();
    for i in 0..count {
        let _ = write!(
            rules,
            "(id: \"r{i}\", when: Npc(\"{npc}\"), constraints: [(id: \"c{i}\", kind: Prohibition, severity: Hard, patterns: [\"forbidden{i}\", \"hidden{i}\", \"a lost thing {i}\"])]),"
        );
    }
    rules
}

/// This many checks, all of which pass.
fn checks(count: usize) -> String {
    (0..count)
        .map(|i| {
            format!("(id: \"k{i}\", when: Not(Attribute(Target, \"a{i}\", true)), else: LOCKED),")
        })
        .collect()
}

/// The hall with more in its story: fields, rules, and checks of `open`.
fn story(fields: &str, rules: &str, checks: &str) -> String {
    HALL.replacen(
        "world: (",
        &format!("{fields} rules: [{rules}], world: ("),
        1,
    )
    .replacen("checks: [", &format!("checks: [{checks}"), 1)
}
