//! Looking for mistakes in authored files (contract row X2).

use crate::format::AuthoringError;
use std::path::Path;

/// What a check of a path found.
#[derive(Debug, Default)]
pub struct LintReport {
    /// Mistakes in files that can be read.
    pub findings: Vec<AuthoringError>,
    /// Files that cannot be read.
    pub unreadable: Vec<AuthoringError>,
}

/// Checks a file, or all authored files below a folder.
#[must_use]
pub fn check_path(_path: &Path) -> LintReport {
    LintReport::default()
}
