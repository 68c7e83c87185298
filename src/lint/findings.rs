//! What was found, less what is allowed.

use super::allow_comment::{AllowComment, allows};
use super::place::Place;
use super::report::{LintKind, LintReport};
use crate::format::AuthoringError;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// More findings in one file than anybody reads.
const MAX_PER_FILE: usize = 1_000;

/// Collects findings and errors of several files.
#[derive(Debug, Default)]
pub(super) struct Findings {
    found: BTreeSet<(String, usize, usize, LintKind, String)>,
    unreadable: Vec<AuthoringError>,
    /// The first name that each file was met under.
    names: BTreeMap<PathBuf, String>,
    /// For each name of a file, the first one.
    aliases: BTreeMap<String, String>,
    /// The files that findings were placed in, with the number of these.
    counts: BTreeMap<String, usize>,
    allows: BTreeMap<String, Vec<AllowComment>>,
    /// Files that were checked for themselves: all that is in them was seen.
    roots: BTreeSet<String>,
}

impl Findings {
    /// Notes that a file is checked for itself, not only as a part of another.
    pub fn root(&mut self, file: &str) {
        let name = self.name(file);
        self.roots.insert(name);
    }

    /// Whether a file is checked for itself.
    pub fn is_root(&mut self, file: &str) -> bool {
        let name = self.name(file);
        self.roots.contains(&name)
    }

    /// Notes the text of a file that was read.
    pub fn source(&mut self, file: &str, source: &str) {
        let name = self.name(file);
        self.allows.entry(name).or_insert_with(|| allows(source));
    }

    /// Adds a finding.
    pub(crate) fn add(&mut self, kind: LintKind, place: &Place, message: impl Into<String>) {
        self.source(place.file, place.source);
        let name = self.name(place.file);
        let count = self.counts.entry(name.clone()).or_default();
        *count += 1;
        if *count > MAX_PER_FILE {
            return;
        }
        let located = place.source.error(&name, &place.pointer, message);
        self.found
            .insert((name, located.line, located.column, kind, located.message));
    }

    /// Adds errors of a file that cannot be read.
    pub fn unreadable(&mut self, errors: impl IntoIterator<Item = AuthoringError>) {
        for mut error in errors {
            error.file = self.name(&error.file);
            if !self.unreadable.contains(&error) {
                self.unreadable.push(error);
            }
        }
    }

    /// A file is named as it was first, also when another file names it by another path.
    pub fn name(&mut self, file: &str) -> String {
        if let Some(name) = self.aliases.get(file) {
            return name.clone();
        }
        let path = std::fs::canonicalize(file).unwrap_or_else(|_| PathBuf::from(file));
        let name = self.names.entry(path).or_insert_with(|| file.to_owned());
        self.aliases.insert(file.to_owned(), name.clone());
        name.clone()
    }

    /// Takes away what is allowed, and adds what allows nothing.
    pub fn finish(self) -> LintReport {
        let mut used: BTreeSet<(&str, usize, LintKind)> = BTreeSet::new();
        let mut shown: Vec<(String, usize, usize, LintKind, String)> = Vec::new();
        for found in &self.found {
            let (file, line, _, kind, _) = found;
            let mut allowed = false;
            for allow in self.allows.get(file).into_iter().flatten() {
                if allow.covers(*kind, *line) {
                    allowed = true;
                    used.insert((file, allow.line, *kind));
                }
            }
            if !allowed {
                shown.push(found.clone());
            }
        }
        for (file, allows) in &self.allows {
            let too_many = self
                .counts
                .get(file)
                .is_some_and(|count| *count > MAX_PER_FILE);
            if !self.roots.contains(file) || too_many {
                continue;
            }
            for allow in allows {
                let unknown = allow
                    .unknown
                    .iter()
                    .map(|word| format!("\"{}\" is not a kind of finding", word.escape_debug()));
                let idle = allow
                    .kinds
                    .iter()
                    .filter(|kind| !used.contains(&(file, allow.line, **kind)));
                let idle =
                    idle.map(|kind| format!("there is no \"{}\" here to allow", kind.name()));
                for message in unknown.chain(idle) {
                    shown.push((file.clone(), allow.line, 1, LintKind::UnusedAllow, message));
                }
            }
        }
        shown.sort();
        let findings = shown
            .into_iter()
            .map(|(file, line, column, kind, message)| AuthoringError {
                file,
                line,
                column,
                message: format!("{message} [{}]", kind.name()),
            });
        LintReport {
            findings: findings.collect(),
            unreadable: self.unreadable,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::lint::found;

    #[test]
    fn x2_what_is_allowed_is_no_finding_and_what_allows_nothing_is_one() {
        let step = "Scenario(name: \"x\", steps: [\n  Cancel(npc: \"ghost\"),";
        assert_eq!(
            found("x.scenario.ron", &format!("{step}])")),
            ["2:15: there is no NPC \"ghost\" [unresolved]"]
        );
        let allowed = format!("{step} // lint: allow unresolved: on purpose\n])");
        assert_eq!(found("x.scenario.ron", &allowed), [""; 0]);
        let other = format!("{step} // lint: allow no_effect\n])");
        assert_eq!(
            found("x.scenario.ron", &other),
            [
                "2:1: there is no \"no_effect\" here to allow [unused_allow]",
                "2:15: there is no NPC \"ghost\" [unresolved]"
            ]
        );
        assert_eq!(
            found(
                "x.npc.ron",
                "(id: \"a\", // lint: allow all\n fallbacks: (generic: [\"Hm.\"]))"
            ),
            ["1:1: \"all\" is not a kind of finding [unused_allow]"]
        );
    }
}
