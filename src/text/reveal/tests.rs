//! Texts that are revealed, and texts that are not a disguise.

use super::*;

fn revealed(text: &str) -> String {
    reveal(text).map_or_else(|| text.to_owned(), |reading| reading.text)
}

#[test]
fn g2_disguises_are_looked_through() {
    for disguised in [
        "s\u{336}e\u{336}c\u{336}r\u{336}e\u{336}t\u{336}",
        "s\u{332}e\u{332}c\u{332}r\u{332}e\u{332}t",
        "se\u{fff9}cr\u{fffc}e\u{2800}t",
        "\u{1f162}\u{1f154}\u{1f152}\u{1f161}\u{1f154}\u{1f163}",
        "\u{1f182}\u{1f174}\u{1f172}\u{1f181}\u{1f174}\u{1f183}",
        "\u{1f1f8}\u{1f1ea}\u{1f1e8}\u{1f1f7}\u{1f1ea}\u{1f1f9}",
        "⒮⒠⒞⒭⒠⒯",
        "ꜱᴇᴄʀᴇᴛ",
        "s e c r e t",
        "s.e.c.r.e.t",
        "s-e-c-r-e-t",
        "s_e_c_r_e_t",
        "s · e · c · r · e · t",
        "se\u{2011}cret",
        "sec\u{2027}ret",
        "se*cr*et",
        "se**cr**et",
        "se<b></b>cret",
        "se<!-- no -->cret",
        "se&shy;cret",
        "&#115;&#x65;cret",
        "se[]cr()et",
        "se\\cret",
    ] {
        assert_eq!(revealed(disguised), "secret", "{disguised}");
    }
}

#[test]
fn a_line_with_three_single_letters_is_looked_at() {
    for plain in [
        "", "a", "a b", "I am", "1 2 3", "a1 b2 c3", "x, y", "don't: I",
    ] {
        assert!(is_plain(plain), "{plain}");
    }
    for other in [
        "a b c",
        "I, a king, o!",
        "x y: z",
        "a-b-c",
        "see *it*",
        "caf\u{e9}",
        "&amp;",
    ] {
        assert!(!is_plain(other), "{other}");
    }
}

#[test]
fn g2_what_is_no_disguise_stays() {
    for text in [
        "It costs 2 * 3 coins.",
        "J. Tolkien and I went.",
        "The \u{1f1e9}\u{1f1ea} flag, and \u{1f1eb}\u{1f1f7}.",
        "x (a) y",
        "",
        "Ça va, señor?",
    ] {
        assert_eq!(revealed(text), text);
    }
}

#[test]
fn g2_accents_and_strokes_come_off() {
    for (text, plain) in [
        ("sécrèt", "secret"),
        ("sećr\u{301}et", "secret"),
        ("Łódź øre đak", "Lodz ore dak"),
        ("ħŧ", "ht"),
    ] {
        assert_eq!(bare(text).unwrap().text, plain);
    }
    assert!(bare("secret").is_none());
    assert!(bare("тайна").is_none());
}

#[test]
fn g2_spans_lead_back_to_the_disguise() {
    let text = "the s e c r e t is";
    let reading = reveal(text).unwrap();
    assert_eq!(reading.text, "the secret is");
    assert_eq!(reading.place(4, 10), (4, 15));
    let accented = "the s é c r e t is";
    let first = reveal(accented).unwrap();
    let second = bare(&first.text).unwrap().behind(&first);
    assert_eq!(second.text, "the secret is");
    assert_eq!(second.place(4, 10), (4, 15));
    assert!(second.apart.contains(&4));
}

#[test]
fn g2_long_texts_are_read_in_linear_time() {
    for unit in [
        "<",
        "a<b",
        "s ",
        "*",
        "a*",
        "&#",
        "[",
        "a[ ",
        "\u{336}",
        "é",
        "\u{1f1e6}",
    ] {
        let long = unit.repeat(100_000);
        let _ = reveal(&long);
        let _ = bare(&long);
    }
}
