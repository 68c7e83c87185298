//! Saves a scenario to a file that is not there yet.

use std::fs::File;
use std::io::{ErrorKind, Write};

/// Writes a new file, and says in a sentence what became of it. A file that is there stays as it is.
pub(super) fn save_new(path: &str, text: &str) -> String {
    let written = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    match written {
        Ok(()) => format!("Saved to {path}. `dramatis run {path}` plays it."),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            format!("{path} is there already: choose another name.")
        }
        Err(error) => format!("{path} could not be written: {error}."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn i3_a_file_that_is_there_is_never_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.scenario.ron");
        let path = path.to_str().unwrap();
        assert!(save_new(path, "first").starts_with("Saved to"));
        let again = save_new(path, "second");
        assert!(again.contains("is there already"), "{again}");
        assert_eq!(fs::read_to_string(path).unwrap(), "first");
        let nowhere = folder.path().join("gone/a.scenario.ron");
        let told = save_new(nowhere.to_str().unwrap(), "third");
        assert!(told.contains("could not be written"), "{told}");
    }
}
