//! Thinking blocks in a text that is still coming.

use super::super::thinking::{is_tag_beginning, thinking_tag};

/// Lets through what is no thinking.
#[derive(Debug, Default)]
pub(super) struct ThinkingFilter {
    /// What may be a tag, from its `<` on.
    held: String,
    /// The end of the block that is open.
    inside: Option<&'static str>,
}

/// What a character has brought.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Let {
    /// These characters are no thinking. There may be none.
    Through(String),
    /// All that was let through before was thinking: a block has ended that had no beginning.
    Clear,
}

impl ThinkingFilter {
    pub(super) fn take(&mut self, c: char) -> Let {
        if c != '<' && self.held.is_empty() {
            let kept = self.inside.is_none();
            return Let::Through(kept.then_some(c).into_iter().collect());
        }
        let mut through = String::new();
        if c == '<' {
            through = std::mem::take(&mut self.held);
        }
        self.held.push(c);
        let lower = self.held.to_ascii_lowercase();
        if let Some(tag) = thinking_tag(&lower) {
            self.held.clear();
            match self.inside {
                Some(name) if tag.closing && tag.name == name => self.inside = None,
                Some(_) => {}
                None if tag.closing => return Let::Clear,
                None => self.inside = Some(tag.name),
            }
        } else if !is_tag_beginning(&lower) {
            through.push_str(&std::mem::take(&mut self.held));
        }
        match self.inside {
            Some(_) => Let::Through(String::new()),
            None => Let::Through(through),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn through(text: &str) -> String {
        let mut filter = ThinkingFilter::default();
        let mut out = String::new();
        for c in text.chars() {
            match filter.take(c) {
                Let::Through(kept) => out.push_str(&kept),
                Let::Clear => out.clear(),
            }
        }
        out
    }

    #[test]
    fn e6_thinking_is_not_let_through() {
        assert_eq!(through("a<think>b</think>c <b>d</b>"), "ac <b>d</b>");
        assert_eq!(through("thought</think>Hello.<Reasoning >x"), "Hello.");
        assert_eq!(through("<think>a</thinking>b</think>c"), "c");
        assert_eq!(through("1 <2 << 3"), "1 <2 << 3");
        assert_eq!(through("a<<think>b</think>c"), "a<c");
        assert_eq!(through("a <thin"), "a ");
    }
}
