//! A text that was changed, such as one whose escapes were read. For each of its bytes it knows the place in the first text.

use std::ops::Range;

/// How many layers of escapes are read: text in JSON that is itself in JSON has two.
const MAX_LAYERS: usize = 2;

/// A text that was made from another one, the first text.
pub(super) struct View {
    /// The text.
    pub text: String,
    /// For each byte, the place in the first text from which it was made; `None` where the text is the first one.
    from: Option<Vec<(usize, usize)>>,
}

impl View {
    /// The text as it is, and then, for each layer of escapes, the text with this layer read.
    pub fn all(text: &str) -> Vec<Self> {
        let mut views = vec![Self {
            text: text.to_owned(),
            from: None,
        }];
        while let Some(last) = views.last()
            && views.len() <= MAX_LAYERS
            && last.text.contains('\\')
        {
            let next = last.unescaped();
            views.push(next);
        }
        views
    }

    /// The place in the first text from which a range of this text was made. A part of a character counts as the whole one.
    pub fn origin(&self, range: &Range<usize>) -> Range<usize> {
        let (mut start, mut end) = (range.start, range.end);
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        while !self.text.is_char_boundary(end) {
            end += 1;
        }
        match &self.from {
            None => start..end,
            // What was left out of the first text after the last character is not in the range.
            Some(from) => {
                let first = from.get(start).map_or(0, |place| place.0);
                let last = end.checked_sub(1).and_then(|last| from.get(last));
                first..last.map_or(first, |place| place.1)
            }
        }
    }

    /// Makes a view from this one, character by character: `read` takes the rest of the text and returns how many bytes it has
    /// read, and the character that they mean.
    fn made(&self, read: impl Fn(&str) -> (usize, Option<char>)) -> Self {
        let mut text = String::with_capacity(self.text.len());
        let mut from = Vec::with_capacity(self.text.len());
        let mut at = 0;
        while at < self.text.len() {
            let (length, character) = read(&self.text[at..]);
            if let Some(character) = character {
                text.push(character);
                let place = self.origin(&(at..at + length));
                from.resize(text.len(), (place.start, place.end));
            }
            at += length.max(1);
        }
        Self {
            text,
            from: Some(from),
        }
    }

    /// The text with one layer of the escapes of JSON, RON and Rust read.
    fn unescaped(&self) -> Self {
        self.made(|rest| {
            let first = rest.chars().next();
            let plain = (first.map_or(1, char::len_utf8), first);
            escape(rest).map_or(plain, |(length, meant)| (length, Some(meant)))
        })
    }

    /// The text with ASCII letters in lower case, without control characters and invisible characters.
    pub fn squeezed(&self) -> Self {
        self.made(|rest| {
            let first = rest.chars().next();
            let visible = first.filter(|c| !c.is_control() && !is_invisible(*c));
            let small = visible.map(|c| c.to_ascii_lowercase());
            (first.map_or(1, char::len_utf8), small)
        })
    }
}

fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}')
}

/// The escape with which a text begins: its length, and what it means.
fn escape(text: &str) -> Option<(usize, char)> {
    let after = text.strip_prefix('\\')?;
    let kind = after.chars().next()?;
    let meant = match kind {
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'b' | 'f' | '0' => '\0',
        '"' | '\'' | '/' | '\\' => kind,
        'x' => return hex(after.get(1..3)?).map(|meant| (4, meant)),
        'u' => {
            if let Some(braced) = after.strip_prefix("u{") {
                let end = braced.find('}').filter(|end| *end <= 6)?;
                return hex(&braced[..end]).map(|meant| (end + 4, meant));
            }
            let high = after.get(1..5)?;
            if let Some(meant) = hex(high) {
                return Some((6, meant));
            }
            let low = after.get(5..)?.strip_prefix("\\u")?.get(..4)?;
            let unit = |digits| u16::from_str_radix(digits, 16).ok();
            let mut meant = char::decode_utf16([unit(high)?, unit(low)?]);
            return meant.next()?.ok().map(|meant| (12, meant));
        }
        _ => return None,
    };
    Some((2, meant))
}

fn hex(digits: &str) -> Option<char> {
    char::from_u32(u32::from_str_radix(digits, 16).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_read_as_they_are_meant() {
        let meant = |text: &str| View::all(text).into_iter().nth(1).map(|view| view.text);
        let read = |text: &str| meant(text).unwrap_or_default();
        assert_eq!(meant("plain"), None);
        assert_eq!(read(r#"\"a\"\/\\n\n"#), "\"a\"/\\n\n");
        assert_eq!(read(r"\u0073\x6b\u{2d}\ud83d\ude00"), "sk-\u{1f600}");
        for broken in [
            r"\u12",
            r"\x",
            r"\q",
            r"\ud83d",
            r"\u{}",
            r"\u{zz}",
            "\\é",
            "\\",
            r"\ud83d\u0041",
        ] {
            assert!(read(broken).starts_with('\\'), "{broken}");
        }
    }

    #[test]
    fn every_range_leads_back() {
        let text = r"é\u0073k \\n";
        let views = View::all(text);
        assert_eq!(views.len(), 3);
        assert_eq!(views[1].text, "ésk \\n");
        assert_eq!(&text[views[1].origin(&(2..4))], r"\u0073k");
        // Half a character is a whole one.
        assert_eq!(&text[views[1].origin(&(1..3))], r"é\u0073");
        assert_eq!(views[2].text, "ésk \n");
        assert_eq!(&text[views[2].origin(&(5..6))], r"\\n");
        let squeezed = views[0].squeezed();
        assert_eq!(&text[squeezed.origin(&(0..squeezed.text.len()))], text);
        let lines = View::all("a\nb\n").remove(0).squeezed();
        assert_eq!(lines.origin(&(0..1)), 0..1);
        assert_eq!(lines.origin(&(0..2)), 0..3);
    }
}
