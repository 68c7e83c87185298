//! Looking for mistakes in authored files.
//!
//! Files are parsed by the functions that the loaders and the scenario runner use. What these refuse is unreadable: text that
//! is not RON, unknown fields, patterns that do not compile, a repeated id. What they accept and what the author still cannot
//! mean is a finding. It prints as `FILE:LINE:COLUMN: message [kind]`, with one of the names of `LintKind`.
//!
//! A scenario is a closed world: only its own steps set a flag or speak to a character. A character or a
//! story alone is not, since the game has a say in it; there only what the file itself rules out is a finding.
//!
//! A rulebook in its own file serves many worlds. A name that none of these worlds knows is a finding if the linter sees all
//! of them: in a folder, or from the story whose book it is.
//!
//! If you mean something as it is, allow it with a comment. The reason follows a second colon:
//!
//! ```ron
//! Say(to: "nobody", text: "Hello?"), // lint: allow unresolved: it is refused
//! ```
//!
//! It is valid for its own line; alone on a line, for the next line that is not a comment; before everything else in a file,
//! for the whole file. Several kinds are separated by commas. A comment that allows nothing is a finding, too.

mod adventures;
mod allow_comment;
mod canon;
mod closed;
mod conditions;
mod effects;
mod endings;
mod facts;
mod fallbacks;
mod files;
mod findings;
mod firings;
mod folder;
mod known_names;
mod level;
mod linter;
mod minds;
mod patterns;
mod place;
mod protection;
mod reasoning;
mod report;
mod roles;
mod rulebook_files;
mod rulebooks;
mod rules;
mod spoken;
mod steps;
mod taxonomies;
mod towns;
mod worlds;

#[cfg(feature = "cli")]
pub(crate) use files::{authored_files, read_file};
pub use report::LintReport;
pub(crate) use report::{LintKind, LintOptions};

#[cfg(test)]
use crate::format::AuthoringError;
use std::path::Path;

/// Checks a file, or all authored files below a folder. Links to folders are not followed.
///
/// ```
/// use bevy_dramatis::lint::check_path;
/// let report = check_path(std::path::Path::new("assets/rulebooks"));
/// assert!(report.findings.is_empty() && report.unreadable.is_empty());
/// ```
#[must_use]
pub fn check_path(path: &Path) -> LintReport {
    check_path_with(path, &LintOptions::default())
}

/// As [`check_path`], for a game with actions of its own.
#[must_use]
pub(crate) fn check_path_with(path: &Path, options: &LintOptions) -> LintReport {
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

#[cfg(test)]
mod tests {
    use super::{LintKind, LintOptions, check_path_with};
    use crate::world::NpcAction;
    use bevy::prelude::Reflect;
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Clone, Reflect, Serialize, Deserialize)]
    struct Summon {}

    impl NpcAction for Summon {
        const NAME: &'static str = "summon";
    }

    #[test]
    fn x2_a_game_names_its_own_actions() {
        let folder = tempfile::tempdir().unwrap();
        let npc = r#"(id: "a", may: ["summon"], fallbacks: (generic: ["Hm."]))"#;
        std::fs::write(folder.path().join("a.npc.ron"), npc).unwrap();
        let mut options = LintOptions::default();
        let findings = |options: &LintOptions| check_path_with(folder.path(), options).findings;
        assert_eq!(findings(&options).len(), 1);
        options.registry.add::<Summon>();
        assert!(findings(&options).is_empty());
    }

    #[test]
    fn x2_kinds_have_names_of_their_own() {
        let names: std::collections::BTreeSet<&str> =
            LintKind::ALL.iter().map(|kind| kind.name()).collect();
        assert_eq!(names.len(), LintKind::ALL.len());
    }
}
