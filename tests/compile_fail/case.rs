//! A program that must not compile: its marks, and whether the compiler reports the same errors.

use crate::compiler::{Compiler, Diagnostic};
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// The mark on a line that must not compile. The error's code and the beginning of its message follow.
const MARK: &str = "//~ ";

/// One program that must not compile.
pub struct Case {
    name: String,
    source: String,
}

impl Case {
    /// The programs of a folder, by name.
    ///
    /// # Panics
    ///
    /// When the folder cannot be read or has no program.
    pub fn read_all(folder: &Path) -> Vec<Self> {
        let mut cases: Vec<_> = fs::read_dir(folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
            .map(|entry| entry.expect("a folder's entry can be read").path())
            .filter(|path| path.extension().is_some_and(|ending| ending == "rs"))
            .map(|path| Self {
                name: path.display().to_string(),
                source: fs::read_to_string(&path)
                    .unwrap_or_else(|error| panic!("{}: {error}", path.display())),
            })
            .collect();
        assert!(!cases.is_empty(), "{} has no program", folder.display());
        cases.sort_by(|one, other| one.name.cmp(&other.name));
        cases
    }

    /// Compiles the program as it is and without its marked lines, and returns the mistakes of both results.
    pub fn check(&self, compiler: &Compiler) -> Vec<String> {
        let mut problems = Vec::new();
        let errors = compiler.errors(&self.source);
        if let Err(difference) = compare(&self.source, &errors) {
            problems.push(format!("{}: {difference}", self.name));
        }
        let errors = compiler.errors(&without_marked_lines(&self.source));
        if !errors.is_empty() {
            let errors: Vec<_> = errors.iter().map(|error| error.rendered.as_str()).collect();
            problems.push(format!(
                "{}: does not compile without its marked lines:\n{}",
                self.name,
                errors.join("\n")
            ));
        }
        problems
    }
}

/// The program without the lines that must not compile; the other lines keep their numbers.
fn without_marked_lines(source: &str) -> String {
    source
        .lines()
        .map(|line| if line.contains(MARK) { "" } else { line })
        .collect::<Vec<_>>()
        .join("\n")
}

/// Whether the compiler reported every marked error on its line, and nothing else.
fn compare(source: &str, errors: &[Diagnostic]) -> Result<(), String> {
    let marks: Vec<_> = source
        .lines()
        .zip(1..)
        .filter_map(|(line, number)| Some((number, line.split_once(MARK)?.1.trim())))
        .collect();
    let mut difference = String::new();
    if marks.is_empty() {
        difference.push_str("no line is marked");
    }
    let fits = |(line, mark): (u64, &str), error: &Diagnostic| {
        error.line == Some(line) && format!("{} {}", error.code, error.message).starts_with(mark)
    };
    for &(line, mark) in &marks {
        if !errors.iter().any(|error| fits((line, mark), error)) {
            let _ = write!(difference, "\nline {line} does not fail with: {mark}");
        }
    }
    for error in errors {
        if !marks.iter().any(|&mark| fits(mark, error)) {
            let _ = write!(difference, "\nnobody expected:\n{}", error.rendered);
        }
    }
    if difference.is_empty() {
        Ok(())
    } else {
        Err(difference)
    }
}

#[test]
fn every_error_must_be_marked_and_every_mark_must_fail() {
    let error = |line, code: &str, message: &str| Diagnostic {
        line: Some(line),
        code: code.to_owned(),
        message: message.to_owned(),
        rendered: String::new(),
    };
    let source = "fn main() {\n    a.b = 1; //~ E0616 field `b`\n}\n";
    let expected = error(2, "E0616", "field `b` of struct `A` is private");
    assert_eq!(compare(source, std::slice::from_ref(&expected)), Ok(()));
    for errors in [
        vec![],
        vec![error(1, "E0616", "field `b` of struct `A` is private")],
        vec![error(2, "E0609", "no field `b` on type `A`")],
        vec![error(2, "E0616", "field `c` of struct `A` is private")],
        vec![expected, error(3, "", "expected `;`")],
    ] {
        assert!(compare(source, &errors).is_err(), "{errors:?}");
    }
    assert!(compare("fn main() {}\n", &[]).is_err());
    assert_eq!(without_marked_lines(source), "fn main() {\n\n}");
}
