//! Reads the command line of the demo.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

pub const USAGE: &str = "usage: sealed INPUT_FILE [--out DIR] | sealed --wrap RUN_DIR | sealed --compare RUN_DIR RUN_DIR";

const DEFAULT_OUT: &str = "sealed-run";

/// What the user wants.
#[derive(Debug, PartialEq, Eq)]
pub enum Wish {
    Run { input: PathBuf, out: PathBuf },
    Wrap { run_dir: PathBuf },
    Compare { left: PathBuf, right: PathBuf },
}

/// Reads the arguments, without the program's name. `None` for everything that the usage line does not offer: no flag names a run or
/// chooses an engine.
pub fn read(args: &[OsString]) -> Option<Wish> {
    let args: Vec<&OsStr> = args.iter().map(OsString::as_os_str).collect();
    let path = |arg: &OsStr| (!is_flag(arg)).then(|| PathBuf::from(arg));
    match args.as_slice() {
        [flag, run_dir] if *flag == "--wrap" => Some(Wish::Wrap {
            run_dir: path(run_dir)?,
        }),
        [flag, left, right] if *flag == "--compare" => Some(Wish::Compare {
            left: path(left)?,
            right: path(right)?,
        }),
        [input] => Some(Wish::Run {
            input: path(input)?,
            out: DEFAULT_OUT.into(),
        }),
        [input, flag, out] | [flag, out, input] if *flag == "--out" => Some(Wish::Run {
            input: path(input)?,
            out: path(out)?,
        }),
        _ => None,
    }
}

fn is_flag(arg: &OsStr) -> bool {
    arg.is_empty() || arg.as_encoded_bytes().starts_with(b"-")
}
