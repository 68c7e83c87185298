//! The label of a known speaker before its words: `Eldrin (softly): Come in.` (contract row G1).

use crate::text::fold::fold;

/// A text without the leading labels of known speakers.
pub(super) fn without_labels<'a>(text: &'a str, names: &[String]) -> &'a str {
    let mut text = text.trim_start();
    loop {
        // What a label in brackets leaves.
        let rest = text.trim_start_matches([':', '：']).trim_start();
        if rest.len() < text.len() {
            text = rest;
            continue;
        }
        let Some((label, rest)) = text.split_once([':', '：']) else {
            return text;
        };
        if !is_label(label, names) {
            return text;
        }
        text = rest.trim_start();
    }
}

fn is_label(label: &str, names: &[String]) -> bool {
    if label.len() > 512 {
        return false;
    }
    let name = label.trim();
    let plain = match name.strip_suffix(')').and_then(|n| n.rsplit_once('(')) {
        Some((name, _mood)) => name.trim(),
        None => name,
    };
    let fits = |label: &str| {
        let folded = fold(label);
        let folded = folded.trim();
        !folded.is_empty() && names.iter().any(|n| fold(n).trim() == folded)
    };
    fits(name) || plain != name && fits(plain)
}
