//! The words and `key=value` pairs inside a marker.

use super::white_space::tidy;

/// The rest of a marker.
pub(super) struct MarkerWords<'a>(pub(super) &'a str);

impl<'a> MarkerWords<'a> {
    /// The key and what follows `=`, if the next word is a pair of any name.
    fn split_pair(&self) -> Option<(&'a str, &'a str)> {
        let rest = self.0.trim_start();
        let after = rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        let key = &rest[..rest.len() - after.len()];
        let value = after.strip_prefix('=')?;
        (!key.is_empty()).then_some((key, value))
    }

    pub(super) fn at_pair(&self) -> bool {
        self.split_pair().is_some()
    }

    /// Takes the next word if it is a pair of one of `keys`; with no `keys`, of any name.
    pub(super) fn pair(&mut self, keys: Option<&[&str]>) -> Option<(&'a str, String)> {
        let (key, value) = self.split_pair()?;
        if keys.is_some_and(|keys| !keys.contains(&key)) {
            return None;
        }
        let (value, rest) = if value.starts_with(char::is_whitespace) {
            (String::new(), value)
        } else {
            next_word(value)
        };
        self.0 = rest;
        Some((key, value))
    }

    /// Takes the next word, or the text in double quotes.
    pub(super) fn word(&mut self) -> Option<String> {
        let rest = self.0.trim_start();
        if rest.is_empty() {
            return None;
        }
        let (word, rest) = next_word(rest);
        self.0 = rest;
        Some(word)
    }

    /// All that is left, on one line; without its quotes, if it is one quoted string.
    pub(super) fn content(self) -> Option<String> {
        let all = tidy(self.0);
        let bare = quoted(&all)
            .filter(|(_, rest)| rest.is_empty())
            .map(|(inner, _)| tidy(inner));
        Some(bare.unwrap_or(all)).filter(|c| !c.is_empty())
    }
}

fn next_word(text: &str) -> (String, &str) {
    if let Some((inner, rest)) = quoted(text) {
        return (tidy(inner), rest);
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (
        text[..end].trim_end_matches([',', ';']).to_owned(),
        &text[end..],
    )
}

/// What a text begins with in double quotes, and what follows.
fn quoted(text: &str) -> Option<(&str, &str)> {
    if let Some(inner) = text.strip_prefix('"') {
        return inner.split_once('"');
    }
    let inner = text.strip_prefix('“')?;
    // The search ends at the next opening too, else a row of openings is searched to the end once for each.
    let end = inner
        .find(['“', '”'])
        .filter(|i| inner[*i..].starts_with('”'))?;
    Some((&inner[..end], &inner[end + '”'.len_utf8()..]))
}
