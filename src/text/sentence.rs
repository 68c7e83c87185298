//! Where the sentences of a text end, by the abbreviations of its language.

use super::lexicon::Lexicon;
use std::ops::Range;

/// The byte ranges of the sentences of `text`, in order and without outer white space. Together they hold all
/// that is not blank; what follows the last end mark is a sentence too. Linear in the length of the text.
#[must_use]
pub fn sentences(text: &str, lexicon: &Lexicon) -> Vec<Range<usize>> {
    split(text, lexicon)
}

/// Marks that may end a sentence.
#[must_use]
pub fn is_end_mark(c: char) -> bool {
    matches!(
        c,
        '.' | '!' | '?' | '…' | '‼' | '⁇' | '⁈' | '⁉' | '‽' | '؟' | '۔' | '।' | '॥'
    ) || is_wide_mark(c)
}

/// End marks that need no space after them.
pub(crate) fn is_wide_mark(c: char) -> bool {
    matches!(c, '。' | '！' | '？' | '｡' | '．')
}

/// Closing quotation marks and brackets, and the marks of emphasis.
pub(crate) fn is_closer(c: char) -> bool {
    matches!(
        c,
        '"' | '\''
            | '”'
            | '’'
            | '»'
            | '›'
            | '«'
            | '‹'
            | '“'
            | '‘'
            | '」'
            | '』'
            | '）'
            | '】'
            | '》'
            | ')'
            | ']'
            | '}'
            | '*'
            | '_'
            | '＂'
    )
}

fn split(text: &str, lexicon: &Lexicon) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        if c == '\n' && blank_line_follows(&text[at + 1..]) {
            push(&mut found, text, start..at);
            start = at;
            continue;
        }
        if !is_end_mark(c) {
            continue;
        }
        let mut end = at + c.len_utf8();
        let mut strong = c != '.' && c != '…';
        let mut marks = 1;
        while let Some((next, mark)) = chars.next_if(|&(_, m)| is_end_mark(m)) {
            strong |= mark != '.' && mark != '…';
            marks += 1;
            end = next + mark.len_utf8();
        }
        let run = &text[at..end];
        while let Some((next, closer)) = chars.next_if(|&(_, m)| is_closer(m)) {
            end = next + closer.len_utf8();
        }
        let before = &text[start..at];
        let closed = end > at + run.len();
        let single = run == ".";
        let rest = &text[end..];
        let is_end = if single && is_abbreviation(before, rest, lexicon) {
            false
        } else if strong {
            !closed || !goes_on(rest)
        } else if marks > 1 || run == "…" {
            // Three dots are a pause where a small letter goes on.
            !goes_on(rest) && (rest.is_empty() || rest.starts_with(char::is_whitespace))
        } else if closed {
            !goes_on(rest) && !rest.starts_with(char::is_alphanumeric)
        } else {
            rest.is_empty()
                || rest.starts_with(char::is_whitespace)
                || lacks_its_space(before, rest)
        };
        if is_end {
            push(&mut found, text, start..end);
            start = end;
        }
    }
    push(&mut found, text, start..text.len());
    found
}

fn push(found: &mut Vec<Range<usize>>, text: &str, range: Range<usize>) {
    let whole_text = &text[range.clone()];
    let trimmed = whole_text.trim_start();
    let start = range.end - trimmed.len();
    let end = start + trimmed.trim_end().len();
    if start < end {
        found.push(start..end);
    }
}

fn blank_line_follows(rest: &str) -> bool {
    rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n')
}

/// Whether the sentence goes on: after blanks on the same paragraph comes a small letter, a comma or the like.
fn goes_on(rest: &str) -> bool {
    let next = rest.trim_start_matches([' ', '\t']).chars().next();
    next.is_some_and(|c| c.is_lowercase() || matches!(c, ',' | ';' | ':' | '—' | '–'))
}

/// "It is so.He left": no blank, but a capital after a small letter.
fn lacks_its_space(before: &str, rest: &str) -> bool {
    let mut next = rest.chars();
    let capital = next.next().is_some_and(char::is_uppercase);
    capital
        && before.ends_with(char::is_lowercase)
        && next
            .next()
            .is_some_and(|c| c.is_lowercase() || c.is_whitespace())
}

/// Whether these words end with an abbreviation that often closes a sentence ("etc").
pub(crate) fn is_closing_abbreviation(before: &str, lexicon: &Lexicon) -> bool {
    let word = last_word(before).to_lowercase();
    lexicon.closing_abbreviations.contains(&word)
}

/// The word in front of a full stop, with the full stops in it.
fn last_word(before: &str) -> &str {
    // The longest abbreviations are short; looking back no further keeps the whole linear.
    const LONGEST: usize = 16;
    let from = before
        .char_indices()
        .rev()
        .take(LONGEST)
        .find(|(_, c)| !(c.is_alphanumeric() || *c == '.'))
        .map_or_else(
            || {
                before
                    .char_indices()
                    .rev()
                    .nth(LONGEST - 1)
                    .map_or(0, |(at, _)| at)
            },
            |(at, c)| at + c.len_utf8(),
        );
    &before[from..]
}

/// Whether the full stop between `before` and `rest` belongs to an abbreviation or an initial.
pub(crate) fn is_abbreviation(before: &str, rest: &str, lexicon: &Lexicon) -> bool {
    let word = last_word(before);
    if word.is_empty() {
        return false;
    }
    let folded = word.to_lowercase();
    let listed = |table: &[String]| table.contains(&folded);
    let next = rest.trim_start().chars().next();
    let has_room = rest.starts_with(char::is_whitespace);
    let is_initial = word.chars().count() == 1
        && word.starts_with(char::is_uppercase)
        && !listed(&lexicon.first_person);
    let dotted =
        word.contains('.') && !word.contains("..") && word.chars().any(char::is_alphabetic);
    if listed(&lexicon.closing_abbreviations) {
        next.is_some_and(|c| !c.is_uppercase())
    } else if listed(&lexicon.abbreviations) {
        true
    } else if listed(&lexicon.number_abbreviations) {
        next.is_some_and(char::is_numeric)
    } else if is_initial {
        has_room && next.is_some_and(char::is_uppercase)
    } else {
        dotted && next.is_some_and(char::is_lowercase)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        sentences(text, Lexicon::english())
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn g1_sentences_end_at_end_marks() {
        assert_eq!(
            cut("One. Two! Three? four"),
            ["One.", "Two!", "Three?", "four"]
        );
        assert_eq!(cut("Really?! Yes!! no"), ["Really?!", "Yes!!", "no"]);
        assert_eq!(
            cut("the king sleeps. he snores."),
            ["the king sleeps.", "he snores."]
        );
        assert_eq!(cut("It is so.He left."), ["It is so.", "He left."]);
        assert!(cut("  \n\t ").is_empty());
        assert!(cut("").is_empty());
    }

    #[test]
    fn g1_abbreviations_decimals_and_initials_end_none() {
        for text in [
            "Mr. Smith met Dr. Who at St. Mary.",
            "It costs 3.5 coins, e.g. two and i.e. that.",
            "J. Smith and J. R. R. Tolkien wrote.",
            "See No. 5 and fig. 3 there.",
            "Rope, etc. is sold at 5 p.m. in town.",
            "The U.S. army left.",
            "Version 1.2.3 is out!",
            "visit example.com today.",
        ] {
            assert_eq!(cut(text), [text]);
        }
        assert_eq!(cut("No. I will not."), ["No.", "I will not."]);
        assert_eq!(cut("It was I. He knew."), ["It was I.", "He knew."]);
        assert_eq!(
            cut("Rope, etc. The rest is gone."),
            ["Rope, etc.", "The rest is gone."]
        );
        assert_eq!(cut("I have 3. You have 4."), ["I have 3.", "You have 4."]);
    }

    #[test]
    fn g1_dots_pause_and_end() {
        assert_eq!(cut("Well... yes. Hm… no."), ["Well... yes.", "Hm… no."]);
        assert_eq!(cut("Well... Yes."), ["Well...", "Yes."]);
        assert_eq!(cut("...and so on."), ["...and so on."]);
        assert_eq!(cut("What...? Oh."), ["What...?", "Oh."]);
    }

    #[test]
    fn g1_closing_quotes_belong_to_their_sentence() {
        assert_eq!(cut("“Go.” He went."), ["“Go.”", "He went."]);
        assert_eq!(
            cut("\"Go!\" he said. \"Now.\""),
            ["\"Go!\" he said.", "\"Now.\""]
        );
        assert_eq!(cut("(It rains.) We stay."), ["(It rains.)", "We stay."]);
        assert_eq!(cut("Yes. \"No.\""), ["Yes.", "\"No.\""]);
    }

    #[test]
    fn g1_wide_marks_and_blank_lines_end_sentences() {
        assert_eq!(
            cut("国王死了。是吗？不！"),
            ["国王死了。", "是吗？", "不！"]
        );
        assert_eq!(
            cut("「行こう。」彼は言った。"),
            ["「行こう。」", "彼は言った。"]
        );
        assert_eq!(cut("A title\n\nThe text"), ["A title", "The text"]);
        assert_eq!(
            cut("A title\r\n \r\nThe text\nof it"),
            ["A title", "The text\nof it"]
        );
    }

    #[test]
    fn g1_any_text_is_covered_in_order_and_in_linear_time() {
        let odd = [
            "....",
            ". . .",
            "?.!\"'",
            "\n\n\n",
            "a.\u{301}b",
            "\u{200b}.",
            "”.“",
            ".a.b.c. D",
            "…………",
        ];
        for text in odd {
            let mut last = 0;
            for range in sentences(text, Lexicon::english()) {
                assert!(text[last..range.start].trim().is_empty(), "{text:?}");
                last = range.end;
            }
            assert!(text[last..].trim().is_empty(), "{text:?}");
        }
        for unit in ["a.", "\n ", ". ", "x", "\"."] {
            let long = unit.repeat(200_000);
            let _ = sentences(&long, Lexicon::english());
        }
    }
}
