//! Which files are checked: a file, or all authored files below a folder, in order of the alphabet.

use super::endings::{ENDINGS, ending_of};
use super::findings::Findings;
use super::linter::Linter;
use super::report::{LintOptions, LintReport};
use crate::authoring::files::{Files, files_below, read_bounded};
use crate::format::AuthoringError;
use std::fs;
use std::path::{Path, PathBuf};

/// Checks a file, or all below a folder.
pub(super) fn check(path: &Path, options: &LintOptions) -> LintReport {
    let mut findings = Findings::default();
    match authored_files(path) {
        Ok(paths) => {
            let mut linter = Linter::new(options, &mut findings);
            for path in &paths {
                let file = path.display().to_string();
                linter.findings.root(&file);
                // What one file names another one may describe.
                if let Ok(bytes) = read_file(path) {
                    linter.folder.take_in(path, &bytes);
                }
            }
            for path in &paths {
                let file = path.display().to_string();
                match read_file(path) {
                    Ok(bytes) => linter.check_file(&file, &bytes, &Files::beside(path)),
                    Err(error) => {
                        let error = AuthoringError::whole(&file, error.to_string());
                        linter.findings.unreadable([error]);
                    }
                }
            }
            linter.finish(path.is_dir());
        }
        Err(error) => findings.unreadable([error]),
    }
    findings.finish()
}

/// A pipe that has the name of a file would be read without an end.
pub(crate) fn read_file(path: &Path) -> std::io::Result<Vec<u8>> {
    if fs::metadata(path)?.is_file() {
        read_bounded(path)
    } else {
        Err(std::io::Error::other("this is not a file"))
    }
}

/// Checks a file that names no others.
#[cfg(test)]
pub(super) fn check_source(file: &str, source: &str) -> LintReport {
    let (mut findings, options) = (Findings::default(), LintOptions::default());
    findings.root(file);
    let mut linter = Linter::new(&options, &mut findings);
    linter.check_file(file, source.as_bytes(), &crate::authoring::NoFiles);
    linter.finish(false);
    findings.finish()
}

/// The files that a path names, in order of the alphabet.
pub(crate) fn authored_files(path: &Path) -> Result<Vec<PathBuf>, AuthoringError> {
    let whole = |message: String| AuthoringError::whole(&path.display().to_string(), message);
    let unreadable = |error: std::io::Error| whole(error.to_string());
    let authored = |path: &Path| ending_of(&path.to_string_lossy()).is_some();
    let kind = fs::metadata(path).map_err(unreadable)?;
    if !kind.is_dir() {
        return match (kind.is_file(), authored(path)) {
            (true, true) => Ok(vec![path.to_path_buf()]),
            (true, false) => Err(whole(format!(
                "this is not an authored file: their names end in {}",
                ENDINGS.join(", ")
            ))),
            (false, _) => Err(whole("this is neither a file nor a folder".to_owned())),
        };
    }
    let files = files_below(path, authored).map_err(unreadable)?;
    if files.is_empty() {
        return Err(whole("this folder has no authored files".to_owned()));
    }
    Ok(files)
}
