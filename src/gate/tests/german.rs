//! Another language is another file: German, with its own canon, reported speech and commands (contract rows G4 and W9).

use crate::gate::{CanonFact, CanonJudge, Said};
use crate::text::fold::fold;
use crate::text::{Lexicon, Readings};
use crate::world::ActionRegistry;
use crate::world::ImperativeParser;
use serde::Deserialize;

const SOURCE: &str = include_str!("../../../assets/lexicon/de.lexicon.ron");

#[derive(Deserialize)]
struct Rows {
    canon: Vec<CanonFact>,
    contradicts: Vec<(String, String, String)>,
    agrees: Vec<String>,
    commands: Vec<(String, Vec<String>)>,
}

fn rows() -> Rows {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/fixtures/german_rows.ron"
    );
    let rows = std::fs::read_to_string(path).expect("the rows are there");
    ron::from_str(&rows).expect("the rows can be read")
}

fn judge(rows: &Rows) -> CanonJudge {
    CanonJudge::compile(rows.canon.clone(), Lexicon::german()).expect("the canon compiles")
}

fn seen(judge: &CanonJudge, text: &str) -> Vec<(String, String)> {
    let found = judge.judge(&Readings::new(text), Said::Aloud).into_iter();
    found
        .map(|c| (judge.facts()[c.fact].id.clone(), format!("{:?}", c.how)))
        .collect()
}

#[test]
fn g4_german_denials_and_other_values_are_contradictions() {
    let rows = rows();
    let judge = judge(&rows);
    let mut wrong = Vec::new();
    for (text, fact, how) in &rows.contradicts {
        let seen = seen(&judge, text);
        if seen != [(fact.clone(), how.clone())] {
            wrong.push(format!("{text}: {seen:?}, not {fact} {how}"));
        }
    }
    assert!(rows.contradicts.len() > 40);
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn g4_german_questions_quotes_reports_and_conditions_are_exempt() {
    let rows = rows();
    let judge = judge(&rows);
    let seen = |text: &String| {
        let seen = seen(&judge, text);
        (!seen.is_empty()).then(|| format!("{text}: {seen:?}"))
    };
    let wrong: Vec<String> = rows.agrees.iter().filter_map(seen).collect();
    assert!(rows.agrees.len() > 60);
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn w9_german_commands_are_read() {
    let registry = ActionRegistry::default();
    let rows = rows();
    let mut wrong = Vec::new();
    for (text, expected) in &rows.commands {
        let read = ImperativeParser.read_in(Lexicon::german(), text, &registry, &[]);
        let read: Vec<String> = read
            .into_iter()
            .map(|action| {
                let fields = action.fields.iter();
                let fields = fields.map(|(k, v)| format!(" {k}={}", v.as_str().unwrap_or("?")));
                format!("{}{}", action.kind, fields.collect::<String>())
            })
            .collect();
        if read != *expected {
            wrong.push(format!("{text}: {read:?}, not {expected:?}"));
        }
    }
    assert!(rows.commands.len() > 30);
    assert!(
        wrong.is_empty(),
        "{} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn g4_every_german_entry_is_folded() {
    assert_eq!(
        &Lexicon::parse(SOURCE).expect("it parses"),
        Lexicon::german()
    );
    assert!(!Lexicon::german().negators.is_empty());
    // The words of the prompt are read by a model, as they are.
    let tables = SOURCE.lines();
    let tables = tables.take_while(|line| !line.trim_start().starts_with("prompt:"));
    for line in tables {
        let line = line.split("//").next().unwrap_or_default();
        for entry in line.split('"').skip(1).step_by(2) {
            assert_eq!(entry, fold(entry).trim(), "{line}");
        }
    }
}
