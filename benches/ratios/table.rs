//! The table: which rows it shows, how it times two things against each other, and the guard.

use crate::beside::beside;
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The ratios that the guard compares with: a name and a ratio on each line.
const GUARDED: &str = include_str!("../guard.txt");
/// A row fails the guard when its ratio is more than this many times the stored one.
const MARGIN: f64 = 2.0;
/// How often the guard measures a row again that is too slow, so that a noisy machine does not fail it.
const TRIES: usize = 3;

/// How long the table measures each row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// A few rounds with small sizes: only to see that the row runs.
    Quick,
    /// A short measurement, precise enough to notice a ratio that doubles.
    Guard,
    /// A long measurement, for figures to be quoted.
    Full,
}

/// Prints the rows as they are measured.
pub struct Table {
    /// How long it measures each row.
    pub effort: Effort,
    /// Beginnings of the names of the wanted rows; empty: every row.
    wanted: Vec<String>,
    stored: BTreeMap<String, f64>,
    failed: Vec<String>,
}

impl Table {
    /// `cargo bench` passes `--bench`; `cargo test --benches` does not, and only checks that the benches run.
    pub fn from_arguments(arguments: impl Iterator<Item = String>) -> Self {
        let arguments: Vec<String> = arguments.collect();
        let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
        let effort = match (has("--guard"), has("--bench")) {
            (true, _) => Effort::Guard,
            (_, true) => Effort::Full,
            _ => Effort::Quick,
        };
        let mut stored = BTreeMap::new();
        for line in GUARDED.lines().filter(|line| !line.starts_with('#')) {
            if let Some((name, ratio)) = line.rsplit_once(' ') {
                let ratio = ratio.parse().expect("a ratio in benches/guard.txt");
                stored.insert(name.trim().to_owned(), ratio);
            }
        }
        println!("{:>9}  what", "ratio");
        Self {
            effort,
            wanted: arguments
                .into_iter()
                .filter(|argument| !argument.starts_with('-'))
                .collect(),
            stored,
            failed: Vec::new(),
        }
    }

    /// How many rounds to run for a row that needs `full` rounds.
    pub fn rounds(&self, full: usize) -> usize {
        match self.effort {
            Effort::Quick => 3,
            Effort::Guard => (full / 10).clamp(10, 200),
            Effort::Full => full,
        }
    }

    /// The size of something: `full`, or much less if the row only has to run.
    pub fn size(&self, full: usize) -> usize {
        match self.effort {
            Effort::Quick => (full / 100).max(10),
            Effort::Guard | Effort::Full => full,
        }
    }

    /// Whether the user asked for one of these rows.
    pub fn wants(&self, names: &[&str]) -> bool {
        let asked = |name: &&str| {
            let begins = |wanted: &String| name.starts_with(wanted.as_str());
            let guarded = self.effort != Effort::Guard || self.stored.contains_key(*name);
            guarded && (self.wanted.is_empty() || self.wanted.iter().any(begins))
        };
        names.iter().any(asked)
    }

    /// One row: `measure` gives a ratio and a few words on it.
    pub fn row(&mut self, name: &str, what: &str, mut measure: impl FnMut() -> (f64, String)) {
        if !self.wants(&[name]) {
            return;
        }
        let (mut ratio, mut detail) = measure();
        if self.effort == Effort::Guard
            && let Some(stored) = self.stored.get(name)
        {
            for _ in 1..TRIES {
                if ratio <= stored * MARGIN {
                    break;
                }
                let (again, detailed) = measure();
                if again < ratio {
                    (ratio, detail) = (again, detailed);
                }
            }
            if ratio > stored * MARGIN {
                self.failed
                    .push(format!("{name}: {ratio:.2}, it was {stored:.2}"));
            }
        }
        println!("{ratio:>9.2}  {name}: {what}  [{detail}]");
        if let Some(known) = beside(name) {
            println!("{:>9}    {known}", "");
        }
    }

    /// The end: what got slower, where the guard was asked.
    pub fn finish(self) -> ExitCode {
        if self.failed.is_empty() {
            return ExitCode::SUCCESS;
        }
        println!("\nmore than {MARGIN} times slower than benches/guard.txt says:");
        for line in &self.failed {
            println!("  {line}");
        }
        ExitCode::FAILURE
    }
}

/// The medians of two works that are done in turn, and the slowest hundredth of the first.
pub struct Pair {
    /// The median of the first one.
    pub first: Duration,
    /// The median of the second one.
    pub second: Duration,
    /// Of a hundred rounds of the first one, so long takes the slowest but one.
    pub p99: Duration,
}

impl Pair {
    /// Of the times that two works took in turn.
    pub fn of(mut first: Vec<Duration>, mut second: Vec<Duration>) -> Self {
        first.sort_unstable();
        second.sort_unstable();
        let rounds = first.len();
        Self {
            p99: first[(rounds * 99 / 100).min(rounds - 1)],
            first: first[rounds / 2],
            second: second[rounds / 2],
        }
    }

    /// How many times longer the first one takes.
    pub fn ratio(&self) -> f64 {
        ratio(self.first, self.second)
    }

    /// The ratio, and both times.
    pub fn row(&self) -> (f64, String) {
        let text = format!("{:.1?} / {:.1?}", self.first, self.second);
        (self.ratio(), text)
    }
}

/// How many times longer `a` is than `b`.
pub fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64().max(1e-9)
}

/// How long a work takes.
pub fn timed(work: impl FnOnce()) -> Duration {
    let start = Instant::now();
    work();
    start.elapsed()
}

/// Times two works in turn.
pub fn pair(rounds: usize, mut one: impl FnMut(), mut two: impl FnMut()) -> Pair {
    pair_with(&mut (), rounds, |()| one(), |()| two())
}

/// The same for works that change one thing.
pub fn pair_with<T>(
    of: &mut T,
    rounds: usize,
    mut one: impl FnMut(&mut T),
    mut two: impl FnMut(&mut T),
) -> Pair {
    let (mut first, mut second) = (Vec::with_capacity(rounds), Vec::with_capacity(rounds));
    for _ in 0..rounds {
        first.push(timed(|| one(of)));
        second.push(timed(|| two(of)));
    }
    Pair::of(first, second)
}
