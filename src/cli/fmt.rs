//! `dramatis fmt`: authored files in one style.

use super::output::{BROKEN, HELD, print_errors, print_line};
use crate::format::error::{check_syntax, decode};
use crate::format::{AuthoringError, layout::formatted};
use crate::lint::{authored_files, read_file};
use std::fs;
use std::path::{Path, PathBuf};

/// Writes the files, or with `check` lists those that it would write. Exit 0: done; 1: with `check`, there is one; 2: a file cannot
/// be read or written, and is as it was.
pub(super) fn write_all(paths: &[PathBuf], check: bool) -> u8 {
    let mut errors = Vec::new();
    let mut exit = HELD;
    for path in paths {
        match authored_files(path) {
            Ok(files) => {
                for file in files {
                    let ending = file.extension().unwrap_or_default();
                    if ending == "json" {
                        print_line(&format!("left to the editor  {}", file.display()));
                    }
                    if ending != "ron" {
                        continue;
                    }
                    match write(&file, check) {
                        Ok(false) => {}
                        Ok(true) if check => {
                            print_line(&format!("not formatted  {}", file.display()));
                            exit = BROKEN;
                        }
                        Ok(true) => print_line(&format!("written  {}", file.display())),
                        Err(error) => errors.push(error),
                    }
                }
            }
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() {
        exit
    } else {
        print_errors(&errors)
    }
}

/// Whether the file was not in the one style.
fn write(path: &Path, check: bool) -> Result<bool, AuthoringError> {
    let file = path.display().to_string();
    let unwritten = |error: std::io::Error| AuthoringError::whole(&file, error.to_string());
    let bytes = read_file(path).map_err(unwritten)?;
    check_syntax(&bytes, &file)?;
    let source = decode(&bytes, &file)?;
    let mut text = formatted(source);
    // The ends of lines are those of the file: on Windows Git may have chosen them.
    if source.contains("\r\n") {
        text = text.replace("\r\n", "\n").replace('\n', "\r\n");
    }
    if text.as_bytes() == bytes {
        return Ok(false);
    }
    if !check {
        fs::write(path, text).map_err(unwritten)?;
    }
    Ok(true)
}
