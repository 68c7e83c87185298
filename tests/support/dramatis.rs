//! Runs the command line.

use std::path::Path;
use std::process::Command;

/// What the command line printed.
pub struct Said {
    pub out: String,
    pub err: String,
}

/// Runs `dramatis`, which must end with this code.
#[track_caller]
pub fn dramatis(code: i32, arguments: &[&str]) -> Said {
    dramatis_in(Path::new("."), code, arguments)
}

/// The same in another folder.
#[track_caller]
pub fn dramatis_in(folder: &Path, code: i32, arguments: &[&str]) -> Said {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dramatis"));
    for name in [
        "DRAMATIS_URL",
        "DRAMATIS_MODEL",
        "DRAMATIS_SERVER",
        "DRAMATIS_GGUF",
    ] {
        command.env_remove(name);
    }
    let output = command.args(arguments).current_dir(folder).output();
    let output = output.unwrap();
    let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
    assert_eq!(output.status.code(), Some(code), "{out}{err}");
    Said { out, err }
}
