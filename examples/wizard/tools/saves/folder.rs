//! Where saves and journals are.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// How many journals are kept, that of this start included.
const JOURNALS: usize = 5;

/// Where this user's games keep their data; where that is not known, where temporary files are.
pub(super) fn folder() -> PathBuf {
    let set = |name| {
        let folder = std::env::var_os(name).map(PathBuf::from);
        folder.filter(|folder| folder.is_absolute())
    };
    let data = set("XDG_DATA_HOME").or_else(|| Some(set("HOME")?.join(".local/share")));
    let data = data.unwrap_or_else(std::env::temp_dir);
    data.join("bevy_dramatis_wizard")
}

/// The journal of this start. The names of journals sort in the order in which they were begun.
pub(super) fn new_journal(folder: &Path) -> PathBuf {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let seconds = now.map_or(0, |now| now.as_secs());
    let process = std::process::id();
    folder.join(format!("journal-{seconds:012}-{process}.dramatis"))
}

/// Leaves room for the journal of this start.
pub(super) fn remove_old_journals(folder: &Path) {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = files.filter_map(|file| file.file_name().into_string().ok());
    let mut journals: Vec<String> = names
        .filter(|name| name.starts_with("journal-") && name.ends_with(".dramatis"))
        .collect();
    journals.sort_unstable();
    let too_many = (journals.len() + 1).saturating_sub(JOURNALS);
    for name in journals.iter().take(too_many) {
        // The last two are there only after a crash.
        for ending in ["", "-wal", "-shm"] {
            let _ = std::fs::remove_file(folder.join(format!("{name}{ending}")));
        }
    }
}
