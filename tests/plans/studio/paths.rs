//! The sandbox: which paths are inside the project.

/// The longest path, in characters: it is the name of a file's entity.
pub const MAX_CHARS: usize = 64;
/// Names of devices on some machines, with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "com1", "lpt1"];

/// Why a path is not inside the project; `None` if it is inside.
///
/// A path that is not clearly inside counts as outside. A path consists of ASCII letters, digits, `_`, `-` and `.`, separated by single
/// `/`. So the sandbox need not know other spellings of an escape, such as `..`, a drive, a share, a backslash, a percent code or a letter
/// that only looks like one of these.
pub fn outside(path: &str) -> Option<&'static str> {
    if path.is_empty() || path.chars().count() > MAX_CHARS {
        return Some("a path has 1 to 64 characters");
    }
    if path.starts_with('/') {
        return Some("a path begins in the project");
    }
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./".contains(c);
    if !path.chars().all(is_plain) {
        return Some("a path is made of letters, digits, _, -, . and /");
    }
    for part in path.split('/') {
        if part.is_empty() || part.ends_with('.') || part.starts_with("..") {
            return Some("no part of a path is empty, ends with a dot, or leads up");
        }
        let stem = part
            .split('.')
            .next()
            .unwrap_or_default()
            .to_ascii_lowercase();
        if DEVICES.contains(&stem.as_str()) {
            return Some("no part of a path is the name of a device");
        }
    }
    None
}
