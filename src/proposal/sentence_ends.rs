//! Where a spoken sentence ends: for a line that is heard sentence by sentence, and for
//! a reply that was cut.
//!
//! Rulings: a quotation that closes after an end mark closes the sentence with it. Of marks that the document does not name,
//! those of other scripts count as well. A place where text was cut out ends no sentence, and
//! what closes a sentence behind it belongs to the words before it.

use super::quotation_marks::Quotes;
use super::white_space::{GAP, closes};
use crate::text::Lexicon;
use crate::text::sentence::{
    is_abbreviation, is_closer, is_closing_abbreviation, is_end_mark, is_wide_mark,
};

/// A place where one sentence ends and the next one begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SentenceEnd {
    /// The end of the sentence, after its last character, as a byte offset.
    pub(super) end: usize,
    /// The first character of the next one.
    pub(super) next: usize,
}

/// The places between the sentences of a text. Every one of them is certain: whatever followed the text, it would stay.
pub(super) fn sentence_ends(text: &str, lexicon: &Lexicon) -> Vec<SentenceEnd> {
    sentence_ends_before(text, false, lexicon)
}

/// The same for a text that is followed by a quotation, or by something else that begins a sentence, if `begins` is true: after
/// white space it proves that the sentence before it has ended.
pub(super) fn sentence_ends_before(
    text: &str,
    begins: bool,
    lexicon: &Lexicon,
) -> Vec<SentenceEnd> {
    let mut found: Vec<SentenceEnd> = Vec::new();
    let mut quotes = Quotes::default();
    let (mut start, mut at, mut quoted_until) = (0, 0, 0);
    loop {
        // Most characters end nothing and open nothing.
        let matters =
            |byte: u8| !byte.is_ascii() || matches!(byte, b'.' | b'!' | b'?' | b'\n' | b'"');
        let passed = text.as_bytes()[at..].iter().position(|b| matters(*b));
        at = passed.map_or(text.len(), |passed| at + passed);
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        if at >= quoted_until
            && let Some(end) = quotes.end(text, at)
        {
            quoted_until = end;
        }
        let behind = at + c.len_utf8();
        let end = match c {
            '\n' if at >= quoted_until => Some(at),
            c if is_end_mark(c) => marks_end(text, at, quoted_until, begins, &mut quotes, lexicon),
            _ => None,
        };
        let Some(end) = end else {
            // A row of marks is looked at once.
            let marks = text[behind..].trim_start_matches(is_end_mark);
            at = if is_end_mark(c) {
                text.len() - marks.len()
            } else {
                behind
            };
            continue;
        };
        let Some(next) = next_sentence(text, end, begins) else {
            break;
        };
        // "Welcome. [nods] ... Come in.": the dots go to the words before the gap.
        if text[end..next].contains(GAP) && text[next..].starts_with(closes) {
            at = next;
            continue;
        }
        if !is_blank(&text[start..end]) {
            found.push(SentenceEnd { end, next });
        }
        start = next;
        at = next;
    }
    found
}

/// The byte offset after the last whole sentence; `None` when there is none. A reply that was cut is cut back to here.
pub(super) fn last_whole_end(text: &str, lexicon: &Lexicon) -> Option<usize> {
    let text = text.trim_end();
    match is_whole(text, lexicon) {
        true => Some(text.len()),
        false => sentence_ends(text, lexicon).last().map(|last| last.end),
    }
}

/// Whether an end mark closes the text.
fn is_whole(text: &str, lexicon: &Lexicon) -> bool {
    let open = text.trim_end_matches(is_closer);
    let before = open.trim_end_matches(is_end_mark);
    match &open[before.len()..] {
        "" => false,
        "." => !is_none(before, "", lexicon),
        _ => true,
    }
}

fn is_blank(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || c == GAP)
}

/// Where the next sentence begins; `None` when nothing follows.
fn next_sentence(text: &str, end: usize, begins: bool) -> Option<usize> {
    let rest = text[end..].trim_start_matches(|c: char| c.is_whitespace() || c == GAP);
    let is_parted = || text[end..].contains(char::is_whitespace);
    (!rest.is_empty() || begins && is_parted()).then(|| text.len() - rest.len())
}

/// Where a sentence ends whose end marks have ended at `from`: after closing quotes and brackets. After a mark that needs no
/// space after it, a quotation may begin at once: that is not closed there.
fn closed_end(
    text: &str,
    from: usize,
    quoted_until: usize,
    is_wide: bool,
    quotes: &mut Quotes,
) -> usize {
    let mut end = from;
    for c in text[from..].chars().take_while(|c| is_closer(*c)) {
        if is_wide && end >= quoted_until && quotes.end(text, end).is_some() {
            break;
        }
        end += c.len_utf8();
    }
    end
}

/// The end of a sentence whose end marks begin at `at`, if it ends there and something follows that proves it.
fn marks_end(
    text: &str,
    at: usize,
    quoted_until: usize,
    begins: bool,
    quotes: &mut Quotes,
    lexicon: &Lexicon,
) -> Option<usize> {
    let rest = text[at..].trim_start_matches(is_end_mark);
    let marks = &text[at..text.len() - rest.len()];
    let is_wide = marks.ends_with(is_wide_mark);
    let end = closed_end(text, text.len() - rest.len(), quoted_until, is_wide, quotes);
    if end < quoted_until || marks == "." && is_none(&text[..at], &text[end..], lexicon) {
        return None;
    }
    let next = next_sentence(text, end, begins)?;
    let between = &text[end..next];
    let first = text[next..].chars().next();
    let begins = first.is_none_or(|c| !c.is_lowercase());
    let parted = is_wide || between.contains(char::is_whitespace);
    (between.contains('\n') || parted && begins).then_some(end)
}

/// Whether a full stop after these words ends no sentence.
fn is_none(before: &str, rest: &str, lexicon: &Lexicon) -> bool {
    let mut back = before.chars().rev();
    let is_initial = back.next().is_some_and(char::is_uppercase)
        && back.next().is_none_or(|c| !c.is_alphanumeric());
    is_initial || is_abbreviation(before, rest, lexicon) || is_closing_abbreviation(before, lexicon)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        let mut from = 0;
        let mut sentences = Vec::new();
        for SentenceEnd { end, next } in sentence_ends(text, Lexicon::english()) {
            sentences.push(&text[from..end]);
            from = next;
        }
        sentences.push(text[from..].trim_end());
        sentences
    }

    #[test]
    fn p12_a_sentence_ends_before_white_space_and_no_small_letter() {
        assert_eq!(
            cut("One. Two! Three? four"),
            ["One.", "Two!", "Three? four"]
        );
        assert_eq!(cut("Really?! Yes!!"), ["Really?!", "Yes!!"]);
        assert_eq!(
            cut("It is so.He left. He is gone"),
            ["It is so.He left.", "He is gone"]
        );
        assert_eq!(cut("Well... yes. Hm… No."), ["Well... yes.", "Hm…", "No."]);
        assert_eq!(
            cut("One. 2 are left. — So"),
            ["One.", "2 are left.", "— So"]
        );
        assert_eq!(
            cut("国王死了。是吗？不！"),
            ["国王死了。", "是吗？", "不！"]
        );
        assert_eq!(
            cut("「行こう。」彼は言った。"),
            ["「行こう。」", "彼は言った。"]
        );
    }

    #[test]
    fn p12_a_sentence_ends_at_a_line_break() {
        assert_eq!(
            cut("A title\nthe text\n\n Go. On"),
            ["A title", "the text", "Go.", "On"]
        );
        assert_eq!(
            cut("He said \"one\ntwo\" twice"),
            ["He said \"one\ntwo\" twice"]
        );
    }

    #[test]
    fn p12_abbreviations_initials_and_numbers_end_none() {
        for text in [
            "Mr. Smith met Dr. Who at St. Mary.",
            "It costs 3.5 coins.",
            "J. R. R. Tolkien wrote.",
            "It was I. He knew.",
            "The U.S. Army left.",
        ] {
            assert_eq!(cut(text), [text]);
        }
        assert_eq!(cut("No. I will not."), ["No.", "I will not."]);
    }

    #[test]
    fn p12_no_sentence_ends_inside_a_quotation() {
        assert_eq!(
            cut("He says \"Stop. Go away.\" Then he goes. “One. Two.” Three."),
            [
                "He says \"Stop. Go away.\"",
                "Then he goes.",
                "“One. Two.”",
                "Three."
            ]
        );
        assert_eq!(
            cut("\"Go!\" he said. (It rains.) We stay."),
            ["\"Go!\" he said.", "(It rains.)", "We stay."]
        );
    }

    #[test]
    fn p12_what_was_cut_out_parts_nothing() {
        assert_eq!(cut("Go.\0 \0On"), ["Go.", "On"]);
        assert_eq!(cut("Go.\0On"), ["Go.\0On"]);
    }

    #[test]
    fn g1_a_cut_reply_is_cut_back() {
        let back = |text| last_whole_end(text, Lexicon::english()).map(|end| &text[..end]);
        for (text, kept) in [
            ("One. Two! And th", Some("One. Two!")),
            ("He costs 3.5 co", None),
            ("Yes. I met Mr.", Some("Yes.")),
            ("“Go now.” He we", Some("“Go now.”")),
            ("Done.  ", Some("Done.")),
            ("好。」", Some("好。」")),
            ("One. A title\n\nunfinished", Some("One. A title")),
            ("nothing whole", None),
            ("", None),
            ("是的。我们", Some("是的。")),
        ] {
            assert_eq!(back(text), kept, "{text}");
        }
    }

    #[test]
    fn p12_any_text_is_cut_in_linear_time() {
        for unit in ["a.", "\n ", ". A", "x", "\"."] {
            let _ = sentence_ends(&unit.repeat(100_000), Lexicon::english());
        }
    }
}
