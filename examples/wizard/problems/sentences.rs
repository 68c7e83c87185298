//! How a message becomes a part of a sentence.

/// How many characters of a message from outside are shown.
const SHOWN: usize = 200;

/// The beginning of a message from outside, without its last mark: it becomes a part of a sentence.
pub fn short(text: &str) -> String {
    let shown: String = text.chars().take(SHOWN).collect();
    let more = if shown.len() < text.len() { " …" } else { "" };
    let shown = shown.trim().trim_end_matches(['.', ':', ',']);
    format!("{shown}{more}")
}

/// An error of the plugin in words, without the code before them.
pub fn reason(error: &impl std::fmt::Display) -> String {
    let text = error.to_string();
    let words = match text.split_once(": ") {
        Some((code, words)) if !code.contains(' ') => words,
        _ => text.as_str(),
    };
    short(words)
}
