//! Looking for mistakes in authored files (contract row X2).
//!
//! Files are parsed by the functions that the loaders and the scenario runner use. What these refuse is unreadable:
//! no RON, unknown fields, patterns that do not compile, a repeated id. What they take and what cannot be meant all
//! the same is a finding. It prints as `FILE:LINE:COLUMN: message [kind]`, with one of the names of [`LintKind`].
//!
//! A scenario is a closed world: nothing but its own steps sets a flag or speaks to a character. A character or a
//! story alone is not, since the game has a say in it; there only what the file itself rules out is a finding.
//!
//! A rulebook in a file of its own serves many worlds. What none of them knows is a finding where all of them are seen:
//! in a folder, or from the story whose book it is.
//!
//! What is meant as it stands is allowed by a comment, with the reason after a second colon:
//!
//! ```ron
//! Say(to: "nobody", text: "Hello?"), // lint: allow unresolved: it is refused
//! ```
//!
//! It holds for its own line; alone on a line, for the next line that is no comment; before everything else in a
//! file, for the whole file. Several kinds are separated by commas. A comment that allows nothing is a finding, too.

mod allow_comment;
mod canon;
mod closed;
mod conditions;
mod effects;
mod facts;
mod fallbacks;
mod files;
mod findings;
mod known_names;
mod level;
mod linter;
mod minds;
mod names;
mod patterns;
mod place;
mod reasoning;
mod roles;
mod rulebook_files;
mod rulebooks;
mod rules;
mod steps;
mod worlds;

use crate::format::AuthoringError;
use crate::world::ActionRegistry;
use std::path::Path;

/// What kind of mistake a finding is: the word in brackets at its end, and the word that allows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LintKind {
    /// `unresolved`: a reference names nothing.
    Unresolved,
    /// `never_set`: a condition waits for a flag or a world fact that nothing sets.
    NeverSet,
    /// `never_matches`: a pattern cannot match, or a requirement cannot be met.
    NeverMatches,
    /// `repeated`: something stands in a list twice.
    Repeated,
    /// `never_fires`: a condition contradicts itself, so that its rule never applies.
    NeverFires,
    /// `no_effect`: something is written down and changes nothing.
    NoEffect,
    /// `shadowed`: another rule or constraint says the same already.
    Shadowed,
    /// `no_fallback`: where a line is needed, only the built-in one would be spoken.
    NoFallback,
    /// `skipped`: a memory or belief that is corrupt, and skipped when the character is spawned.
    Skipped,
    /// `against_canon`: canon contradicts itself, or what a character remembers contradicts it.
    AgainstCanon,
    /// `bad_effect`: an effect of a rulebook can never succeed, so that the action would always be denied.
    BadEffect,
    /// `unreachable`: a check of a rulebook that is never asked, or that can never fail.
    Unreachable,
    /// `never_possible`: no actor can ever do the action.
    NeverPossible,
    /// `unknown_attribute`: a rulebook asks for an attribute that no entity has and no effect sets.
    UnknownAttribute,
    /// `unused_allow`: a comment that allows what is not there, or a kind that does not exist.
    UnusedAllow,
}

impl LintKind {
    /// Every kind.
    pub const ALL: [Self; 15] = [
        Self::Unresolved,
        Self::NeverSet,
        Self::NeverMatches,
        Self::Repeated,
        Self::NeverFires,
        Self::NoEffect,
        Self::Shadowed,
        Self::NoFallback,
        Self::Skipped,
        Self::AgainstCanon,
        Self::BadEffect,
        Self::Unreachable,
        Self::NeverPossible,
        Self::UnknownAttribute,
        Self::UnusedAllow,
    ];

    /// Its name in messages and in comments that allow it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unresolved => "unresolved",
            Self::NeverSet => "never_set",
            Self::NeverMatches => "never_matches",
            Self::Repeated => "repeated",
            Self::NeverFires => "never_fires",
            Self::NoEffect => "no_effect",
            Self::Shadowed => "shadowed",
            Self::NoFallback => "no_fallback",
            Self::Skipped => "skipped",
            Self::AgainstCanon => "against_canon",
            Self::BadEffect => "bad_effect",
            Self::Unreachable => "unreachable",
            Self::NeverPossible => "never_possible",
            Self::UnknownAttribute => "unknown_attribute",
            Self::UnusedAllow => "unused_allow",
        }
    }
}

/// What a check of a path found.
#[derive(Debug, Default)]
pub struct LintReport {
    /// Mistakes in files that can be read, sorted by file and place; at most 1000.
    pub findings: Vec<AuthoringError>,
    /// Why files cannot be read or loaded at all, with the place of each error.
    pub unreadable: Vec<AuthoringError>,
}

/// What a game knows beside its files.
#[derive(Debug, Clone, Default)]
pub struct LintOptions {
    /// The actions and functions that the game registers. Only the built-in ones by default.
    pub registry: ActionRegistry,
}

/// Checks a file, or all authored files below a folder. Links to folders are not followed.
///
/// ```
/// use bevy_dramatis::authoring::lint::check_path;
/// let report = check_path(std::path::Path::new("assets/rulebooks"));
/// assert!(report.findings.is_empty() && report.unreadable.is_empty());
/// ```
#[must_use]
pub fn check_path(path: &Path) -> LintReport {
    check_path_with(path, &LintOptions::default())
}

/// As [`check_path`], for a game with actions of its own.
#[must_use]
pub fn check_path_with(path: &Path, options: &LintOptions) -> LintReport {
    files::check(path, options)
}

/// For the tests of the parts: the findings of one file that names no others, without their file name.
#[cfg(test)]
fn found(name: &str, source: &str) -> Vec<String> {
    let report = files::check_source(name, source);
    assert!(
        report.unreadable.is_empty(),
        "{:?}\n{source}",
        report.unreadable
    );
    let shown =
        |error: &AuthoringError| format!("{}:{}: {}", error.line, error.column, error.message);
    report.findings.iter().map(shown).collect()
}

/// For the tests of the parts: the kinds that a scenario with these fields brings up.
#[cfg(test)]
fn kinds(fields: &str) -> Vec<String> {
    kinds_in(
        "x.scenario.ron",
        &format!("Scenario(name: \"x\", {fields})"),
    )
}

#[cfg(test)]
fn kinds_in(name: &str, source: &str) -> Vec<String> {
    let kind = |line: &String| {
        line.rsplit_once('[')
            .map(|(_, kind)| kind.trim_end_matches(']').to_owned())
    };
    found(name, source).iter().filter_map(kind).collect()
}
