//! Thinking blocks, such as `<think>..</think>`, which are no part of a reply (contract row G1).

use std::borrow::Cow;

const NAMES: [&str; 4] = ["thinking", "think", "thought", "reasoning"];

/// A thinking block's tag.
pub(super) struct Tag {
    /// Its name in lower case.
    pub(super) name: &'static str,
    /// Whether it ends a block.
    pub(super) closing: bool,
    len: usize,
}

/// The tag that `lower`, a text in ASCII lower case, begins with.
pub(super) fn thinking_tag(lower: &str) -> Option<Tag> {
    let rest = lower.strip_prefix('<')?;
    let (closing, rest) = rest.strip_prefix('/').map_or((false, rest), |r| (true, r));
    NAMES.into_iter().find_map(|name| {
        let rest = rest
            .strip_prefix(name)?
            .trim_start_matches(' ')
            .strip_prefix('>')?;
        Some(Tag {
            name,
            closing,
            len: lower.len() - rest.len(),
        })
    })
}

/// Whether a text in ASCII lower case may become a thinking block's tag.
pub(super) fn is_tag_beginning(lower: &str) -> bool {
    let Some(rest) = lower.strip_prefix('<') else {
        return false;
    };
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let spaced = |name: &str| {
        let behind = rest.strip_prefix(name);
        behind.is_some_and(|behind| behind.trim_start_matches(' ').is_empty())
    };
    NAMES
        .into_iter()
        .any(|name| name.starts_with(rest) || spaced(name))
}

impl Tag {
    /// Where the block that this tag at `start` opens ends; a closing tag is the end itself.
    pub(super) fn block_end(&self, lower: &str, start: usize) -> usize {
        let mut at = start + self.len;
        if self.closing {
            return at;
        }
        while let Some(found) = lower[at..].find("</") {
            at += found;
            match thinking_tag(&lower[at..]) {
                Some(tag) if tag.closing && tag.name == self.name => return at + tag.len,
                _ => at += 2,
            }
        }
        lower.len()
    }
}

/// A text without its thinking blocks. What stands before an end without a beginning is thinking.
pub(super) fn without_thinking(text: &str) -> Cow<'_, str> {
    if !text.contains('<') {
        return Cow::Borrowed(text);
    }
    let lower = text.to_ascii_lowercase();
    let mut out = String::new();
    let (mut kept_from, mut at) = (0, 0);
    while let Some(found) = lower[at..].find('<') {
        at += found;
        let Some(tag) = thinking_tag(&lower[at..]) else {
            at += 1;
            continue;
        };
        out.push_str(&text[kept_from..at]);
        if tag.closing {
            out.clear();
        }
        at = tag.block_end(&lower, at);
        kept_from = at;
    }
    out.push_str(&text[kept_from..]);
    Cow::Owned(out)
}
