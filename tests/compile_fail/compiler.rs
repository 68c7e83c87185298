//! One call of the compiler for one small program, against the crate as Cargo has built it.
//!
//! Cargo builds the crate before this test and puts both into one folder. The folder may contain several builds: one for each set of
//! features that was ever built. The test takes the newest, and only if none of its source files is newer: then it is a build of the
//! current sources, and any such build proves the same.

use serde_json::Value;
use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;
use tempfile::TempDir;

/// An error of the compiler.
#[derive(Debug)]
pub struct Diagnostic {
    /// The line of its first place, from 1; `None` if it has no place.
    pub line: Option<u64>,
    /// For example `E0616`; empty for the few errors without a code, such as wrong syntax.
    pub code: String,
    /// Its first line.
    pub message: String,
    /// The whole message, as people read it.
    pub rendered: String,
}

/// How to compile a program that uses this crate.
pub struct Compiler {
    library: PathBuf,
    dependencies: PathBuf,
    output: TempDir,
}

impl Compiler {
    /// A compiler for the crate that Cargo built before this test.
    ///
    /// # Panics
    ///
    /// When that build is not in the folder of the running test, or is older than the sources.
    pub fn for_this_crate() -> Self {
        let test = env::current_exe().expect("the running test knows its own path");
        let dependencies = test.parent().expect("the test is in a folder").to_owned();
        let (library, built) = newest_library(&dependencies)
            .unwrap_or_else(|| panic!("no libbevy_dramatis-*.rlib in {}", dependencies.display()));
        for source in sources_of(&library) {
            let changed = modified(&source);
            assert!(
                changed <= built,
                "{} is newer than {}: was it changed while the tests ran?",
                source.display(),
                library.display()
            );
        }
        Self {
            library,
            dependencies,
            output: TempDir::new().expect("a folder for what is compiled"),
        }
    }

    /// The errors of a program, in the compiler's order; none if it compiles.
    ///
    /// # Panics
    ///
    /// When the compiler cannot be started, or ends in an unexpected way.
    pub fn errors(&self, source: &str) -> Vec<Diagnostic> {
        let mut call = Command::new(rustc())
            .args([
                "-",
                "--crate-name=case",
                "--crate-type=bin",
                "--edition=2024",
            ])
            .args([
                "--emit=metadata",
                "--error-format=json",
                "--cap-lints=allow",
            ])
            .arg("--out-dir")
            .arg(self.output.path())
            .arg("-L")
            .arg(joined("dependency=", &self.dependencies))
            .arg("--extern")
            .arg(joined("bevy_dramatis=", &self.library))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("rustc starts");
        let mut input = call.stdin.take().expect("standard input is piped");
        input
            .write_all(source.as_bytes())
            .expect("rustc reads the program");
        drop(input);
        let ended = call.wait_with_output().expect("rustc ends");
        let said = String::from_utf8_lossy(&ended.stderr);
        let errors: Vec<_> = said.lines().filter_map(error).collect();
        assert_eq!(
            ended.status.success(),
            errors.is_empty(),
            "rustc: {}\n{said}",
            ended.status
        );
        errors
    }
}

/// An error from a line of the compiler's JSON; `None` for warnings and for the final count of errors.
fn error(line: &str) -> Option<Diagnostic> {
    let value: Value = serde_json::from_str(line).ok()?;
    let places = value["spans"].as_array()?;
    let message = value["message"].as_str()?;
    if value["level"] != "error" || (places.is_empty() && message.starts_with("aborting due to")) {
        return None;
    }
    let line = places
        .iter()
        .find(|place| place["is_primary"] == true)
        .and_then(|place| place["line_start"].as_u64());
    Some(Diagnostic {
        line,
        code: value["code"]["code"]
            .as_str()
            .unwrap_or_default()
            .to_owned(),
        message: message.to_owned(),
        rendered: value["rendered"].as_str().unwrap_or_default().to_owned(),
    })
}

/// The compiler that Cargo used: the one in the same folder, else the one in the path.
fn rustc() -> PathBuf {
    env::var_os("CARGO")
        .map(|cargo| {
            PathBuf::from(cargo).with_file_name(format!("rustc{}", env::consts::EXE_SUFFIX))
        })
        .filter(|rustc| rustc.is_file())
        .unwrap_or_else(|| PathBuf::from("rustc"))
}

/// The newest build of this crate in a folder, and when it was made.
fn newest_library(folder: &Path) -> Option<(PathBuf, SystemTime)> {
    fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| {
            let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
            name.starts_with("libbevy_dramatis-") && name.ends_with(".rlib")
        })
        .map(|path| (modified(&path), path))
        .max()
        .map(|(built, path)| (path, built))
}

/// The sources of a library, which the compiler wrote down in a file next to it: those of `libx-1.rlib` in `x-1.d`.
fn sources_of(library: &Path) -> Vec<PathBuf> {
    let name = library
        .file_stem()
        .and_then(OsStr::to_str)
        .unwrap_or_default();
    let list = library.with_file_name(format!("{}.d", name.trim_start_matches("lib")));
    let text =
        fs::read_to_string(&list).unwrap_or_else(|error| panic!("{}: {error}", list.display()));
    // `library: source source ..`, and then each source again as `source:`, on its own line.
    let sources: Vec<_> = text
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.strip_suffix(':'))
        .map(|source| Path::new(env!("CARGO_MANIFEST_DIR")).join(source.replace("\\ ", " ")))
        .collect();
    assert!(!sources.is_empty(), "{} names no source", list.display());
    sources
}

fn modified(path: &Path) -> SystemTime {
    fs::metadata(path)
        .and_then(|about| about.modified())
        .unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn joined(option: &str, path: &Path) -> std::ffi::OsString {
    let mut whole = std::ffi::OsString::from(option);
    whole.push(path);
    whole
}
