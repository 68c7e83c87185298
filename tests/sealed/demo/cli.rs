//! One run from an input file to an exit status, and the two commands that look at finished runs.

use super::arguments::{self, USAGE, Wish};
use super::artifact::{self, ARTIFACT_FILE, INPUT_FILE, PROPOSAL_SET_FILE, SIDECAR_FILE};
use super::gateway::{self, OUTPUT_FILE, Passage};
use super::records::{self, Hashes, MANIFEST_FILE, Manifest, TRACE_FILE, Trace, UnfitRecord};
use super::wrapper::{self, Facts};
use bevy_dramatis::engine::{SealedCall, SealedSeam};
use std::ffi::OsString;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Every file that a run may leave in its folder.
const RUN_FILES: [&str; 7] = [
    INPUT_FILE,
    PROPOSAL_SET_FILE,
    ARTIFACT_FILE,
    SIDECAR_FILE,
    OUTPUT_FILE,
    TRACE_FILE,
    MANIFEST_FILE,
];

/// An operational failure. A REJECT is not one, and a failure in the seam's engine is not one either.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error("{USAGE}")]
    Usage,
    #[error("cannot read {}: {source}", path.display())]
    CannotRead { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", path.display())]
    CannotWrite { path: PathBuf, source: io::Error },
    #[error("cannot print: {0}")]
    CannotPrint(io::Error),
    #[error("the run would overwrite its own input {}", path.display())]
    OverwritesInput { path: PathBuf },
    #[error("not an artifact: {}", codes.join(", "))]
    NoArtifact { codes: Vec<String> },
    #[error(transparent)]
    Unfit(#[from] UnfitRecord),
}

/// Does what the arguments say, and returns the exit status.
pub fn run(
    args: &[OsString],
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
    engine: &SealedSeam,
) -> u8 {
    let done = match arguments::read(args) {
        Some(Wish::Run { input, out }) => one_run(&input, &out, engine.call(), stdout, stderr),
        Some(Wish::Wrap { run_dir }) => wrap(&run_dir, stdout),
        Some(Wish::Compare { left, right }) => compare(&left, &right, stdout),
        None => Err(Trouble::Usage),
    };
    done.unwrap_or_else(|trouble| {
        say(stderr, &trouble.to_string());
        match trouble {
            Trouble::NoArtifact { .. } => 2,
            _ => 1,
        }
    })
}

/// One run. It owns one call, so it cannot ask the engine twice.
fn one_run(
    input_file: &Path,
    dir: &Path,
    call: SealedCall,
    stdout: &mut dyn Write,
    stderr: &mut dyn Write,
) -> Result<u8, Trouble> {
    let mut trace = Trace::default();
    trace.note("M4_RUN_START");

    say(stderr, "== INPUT ==");
    let input = read_input(input_file, dir)?;
    let run_id = records::run_id(&input);
    prepare(dir)?;
    write(dir, INPUT_FILE, &input)?;

    say(stderr, "== PROPOSAL ==");
    let proposal_bytes = call.propose(&input).into_bytes();
    let proposal_sha256 = artifact::sha256_hex(&proposal_bytes);
    let event = match proposal_bytes.as_slice() {
        [] => "PROPOSAL_EMPTY",
        _ => "PROPOSAL_GENERATED",
    };
    trace.note_hash(event, &proposal_sha256);
    write(dir, PROPOSAL_SET_FILE, &proposal_bytes)?;

    say(stderr, "== ARTIFACT ==");
    let artifact = artifact::artifact(&run_id, &proposal_bytes)
        .map_err(|codes| Trouble::NoArtifact { codes })?;
    write(dir, ARTIFACT_FILE, &artifact)?;
    write(dir, SIDECAR_FILE, artifact::sidecar(&artifact).as_bytes())?;
    let hashes = Hashes {
        input: artifact::sha256_hex(&input),
        proposal_set: proposal_sha256,
        artifact: artifact::sha256_hex(&artifact),
    };
    trace.note_hash("ARTIFACT_WRITTEN", &hashes.artifact);

    say(stderr, "== EXECUTION ==");
    let passage = gateway::pass(&artifact, dir);
    let (decision, status, output_sha256) = match &passage {
        Passage::Executed { output_sha256 } => {
            trace.note("GATE_ACCEPT");
            trace.note("EXECUTION_STARTED");
            trace.note_hash("EXECUTION_COMPLETE", output_sha256);
            ("ACCEPT", "OK", Some(output_sha256.as_str()))
        }
        Passage::NotExecuted { .. } => {
            trace.note("GATE_REJECT");
            trace.note("EXECUTION_SKIPPED");
            ("REJECT", "SKIP", None)
        }
        Passage::Failed { why } => {
            trace.note("GATE_ACCEPT");
            trace.note("EXECUTION_STARTED");
            say(stderr, why);
            ("ACCEPT", "FAILED", None)
        }
        Passage::Refused { codes } => {
            let codes = codes.clone();
            return Err(Trouble::NoArtifact { codes });
        }
    };
    trace.note("M4_RUN_COMPLETE");

    say(stderr, "== OBSERVABILITY ==");
    let manifest = Manifest {
        run_id: &run_id,
        input_ref: records::external_ref(input_file),
        hashes: &hashes,
        decision,
        status,
        output_sha256,
    };
    write(dir, TRACE_FILE, trace.into_text()?.as_bytes())?;
    write(dir, MANIFEST_FILE, manifest.into_text()?.as_bytes())?;

    match &passage {
        Passage::Executed { .. } => print(stdout, "decision=ACCEPT executed=true\n")?,
        Passage::NotExecuted { reason } => {
            let line = format!("decision=REJECT reason_code={}\n", reason.code());
            print(stdout, &line)?;
        }
        Passage::Failed { .. } | Passage::Refused { .. } => {}
    }
    Ok(passage.exit_code())
}

fn read_input(input_file: &Path, dir: &Path) -> Result<Vec<u8>, Trouble> {
    let cannot_read = |source| Trouble::CannotRead {
        path: input_file.to_owned(),
        source,
    };
    let input = fs::read(input_file).map_err(cannot_read)?;
    let itself = fs::canonicalize(input_file).map_err(cannot_read)?;
    let overwrites = RUN_FILES
        .iter()
        .any(|name| fs::canonicalize(dir.join(name)).is_ok_and(|path| path == itself));
    if overwrites {
        return Err(Trouble::OverwritesInput { path: itself });
    }
    Ok(input)
}

/// Makes the run's folder, and removes the files of an earlier run: a REJECT must not be next to the output of another run.
fn prepare(dir: &Path) -> Result<(), Trouble> {
    fs::create_dir_all(dir).map_err(|source| Trouble::CannotWrite {
        path: dir.to_owned(),
        source,
    })?;
    for name in RUN_FILES {
        let path = dir.join(name);
        match fs::remove_file(&path) {
            Err(source) if source.kind() != ErrorKind::NotFound => {
                return Err(Trouble::CannotWrite { path, source });
            }
            _ => {}
        }
    }
    Ok(())
}

fn wrap(run_dir: &Path, stdout: &mut dyn Write) -> Result<u8, Trouble> {
    let report = wrapper::report(run_dir).map_err(|source| Trouble::CannotRead {
        path: run_dir.to_owned(),
        source,
    })?;
    print(stdout, &report.json)?;
    Ok(report.exit_code)
}

fn compare(left: &Path, right: &Path, stdout: &mut dyn Write) -> Result<u8, Trouble> {
    let comparison = Facts::of_run(left).compare(&Facts::of_run(right));
    print(stdout, &format!("{}\n", comparison.word()))?;
    Ok(comparison.exit_code())
}

fn write(dir: &Path, name: &str, bytes: &[u8]) -> Result<(), Trouble> {
    let path = dir.join(name);
    fs::write(&path, bytes).map_err(|source| Trouble::CannotWrite { path, source })
}

fn print(stdout: &mut dyn Write, text: &str) -> Result<(), Trouble> {
    stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
        .map_err(Trouble::CannotPrint)
}

/// A text for the reader at the terminal. No code depends on it, so an error here does not matter.
fn say(stderr: &mut dyn Write, line: &str) {
    let _ = writeln!(stderr, "{line}");
}
