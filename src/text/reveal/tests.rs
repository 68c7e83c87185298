//! Texts that are revealed, and texts that are not a disguise.

use super::*;
use crate::text::fold::fold;

/// The first reading of this kind.
fn reading_of(text: &str, look_in: LookIn) -> Option<Reading> {
    let mut readings = revealed(text).into_iter();
    readings.find_map(|(kind, reading)| (kind == look_in).then_some(reading))
}

fn plain(text: &str) -> String {
    let reading = reading_of(text, LookIn::Revealed);
    reading.map_or_else(|| text.to_owned(), |reading| reading.text)
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
        "s→e→c→r→e→t",
        "s) (e) (c) (r) (e) (t",
        "s.e-c.r-e!t",
        "s🔥e👨\u{200d}👩\u{200d}👧c🔥r🔥e🔥t",
        "s  e c   r e\nt",
        "se-cr-et",
        "se.cr/et",
        "s-ec-r-et",
        "se\u{600}cr\u{1d159}et\u{e000}\u{fdd0}\u{378}",
        "\u{301}secret",
        "s.e.c.r<i></i>.e.t",
        "s e c \u{fffa} r <!-- x --> e t",
        "se*<i></i>*cret",
        "s-e~c^r-e`t",
        "s.ec*r-et",
        "s e~c <b>r</b>-e t",
        "seⅽ**ret",
        "s-e-Ⅽ-r-e-t",
        "seⅽr<wbr>et",
        "s\u{3000}e\u{2800}c-r-e-t",
        "se\u{1d161}cr-et",
        "~~secret~~",
    ] {
        assert_eq!(fold(&plain(disguised)), "secret", "{disguised}");
    }
}

#[test]
fn g2_what_touches_a_disguised_word_is_no_part_of_it() {
    for touched in [
        "²s-e-c-r-e-t",
        "①sec`ret②",
        "①ѕ-e-ⅽ-r-e-t②",
        "secretⅴ",
        "אs-e-ⅽ-re-tב",
        "the™ s*e*c*r*e*t¹",
        "אѕ-e-c-r-e-tב",
        "的s e c r e tの",
        "א𝐬ecretב",
    ] {
        let words = plain(touched);
        assert!(
            words.split(' ').any(|word| fold(word) == "secret"),
            "{touched}: {words}"
        );
    }
}

#[test]
fn g2_words_that_are_spelled_with_blanks_of_many_widths_are_found() {
    for spelled in [
        "s-i.l v-e-r   g a-t.e",
        "s-i‧l-v🭥\u{2005}e-r       g-a-t\u{2004}e",
    ] {
        let readings: Vec<String> = revealed(spelled)
            .into_iter()
            .map(|(_, reading)| reading.text)
            .collect();
        assert!(readings.contains(&"silvergate".to_owned()), "{readings:?}");
        assert!(readings.contains(&"silver gate".to_owned()), "{readings:?}");
    }
}

#[test]
fn a_line_with_three_single_letters_is_looked_at() {
    for plain in [
        "",
        "a",
        "a b",
        "I am",
        "1 2 3",
        "a1 b2 c3",
        "x, y",
        "don't: I",
        "so-so, my boy, go!",
        "12-03-24",
    ] {
        assert!(is_plain(plain), "{plain}");
    }
    for other in [
        "a b c",
        "I, a king, o!",
        "x y: z",
        "a-b-c",
        "so-and-so",
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
        assert_eq!(plain(text), text);
    }
}

#[test]
fn g2_a_blank_comes_between_a_word_and_what_nobody_reads_as_a_part_of_it() {
    for (text, parts) in [
        ("nightjar™ nightjarª", "nightjar  nightjar "),
        ("№nightjar¹²", " nightjar "),
        ("ⁿnightjar℠", " nightjar "),
        ("жnightjarж", "ж nightjar ж"),
        ("秘nightjar는", "秘 nightjar 는"),
        ("тайнаx", "тайна x"),
        ("тайна日本", "тайна 日本"),
        ("nightjarΨ's", "nightjar Ψ's"),
    ] {
        assert_eq!(plain(text), parts);
    }
    // Letters that look like ASCII letters, other alphabets alone, and what belongs to a word.
    for text in [
        "nіghtjаr",
        "NIGНTJAR",
        "тайна",
        "東京タワーです",
        "ミラー",
        "𝐧ight",
        "ˢᵉᶜʳᵉᵗ",
        "ｎight2",
        "nightjar2",
        "O\u{2bc}Brien",
        "दिल की बात",
        "कुत्ता",
        "ปลา",
        "שָׁלוֹם",
        "5²",
        "km²",
        "CO₂",
        "№ 5 ™",
        "½",
        "naïve",
        "straße",
    ] {
        assert_eq!(plain(text), text);
    }
}

#[test]
fn g2_blanks_of_several_widths_are_read_in_both_ways() {
    let readings = |text: &str| -> Vec<String> {
        revealed(text)
            .into_iter()
            .map(|(_, reading)| reading.text)
            .collect()
    };
    assert_eq!(readings("n o t   a l i v e"), ["notalive", "not alive"]);
    assert_eq!(
        readings("a n i  g h t j a r!"),
        ["anightjar!", "ani ghtjar!"]
    );
    assert_eq!(readings("n i g h t"), ["night"]);
}

#[test]
fn g2_accents_and_strokes_come_off() {
    for (text, plain) in [
        ("sécrèt", "secret"),
        ("sećr\u{301}et", "secret"),
        ("Łódź øre đak", "Lodz ore dak"),
        ("ħŧ", "ht"),
    ] {
        assert_eq!(bare(text), plain);
    }
    for text in ["secret", "тайна", "мой", "が", "한국", "कि", "ปิ", "ဝိ"] {
        assert_eq!(bare(text), text);
    }
    for text in [
        "sѐcrѐt",
        "sе́crе́t",
        "sе́cre͂t",
        "𝐬́𝐞́𝐜́𝐫́𝐞́𝐭́",
        "s\u{93f}ecret",
        "ⓢ\u{301}ecret",
    ] {
        let read = reading_of(text, LookIn::Bare).map(|reading| fold(&reading.text));
        assert_eq!(read.as_deref(), Some("secret"), "{text}");
    }
    // Stress, points and vowel signs that their readers leave out.
    assert_eq!(bare("клю́ч"), "ключ");
    assert_eq!(bare("סוֹד"), "סוד");
    assert_eq!(bare("سِرّ"), "سر");
}

#[test]
fn g2_spans_lead_back_to_the_disguise() {
    let of =
        |text: &str| reading_of(text, LookIn::Bare).or_else(|| reading_of(text, LookIn::Revealed));
    for text in ["the s e c r e t is", "the s é c r e t is"] {
        let reading = of(text).unwrap();
        assert_eq!(reading.text, "the secret is");
        assert_eq!(reading.place(4, 10), (4, 15));
        assert!(reading.apart.contains(&4));
    }
    let glued = of("the secret™ is").unwrap();
    assert_eq!(glued.place(4, 10), (4, 10));
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
        "ab-",
        "a  b ",
        "жa",
        "a→",
        "<a<",
    ] {
        let long = unit.repeat(100_000);
        let _ = revealed(&long);
        let _ = bare(&long);
    }
}
