//! Ways to write words so that people can read them and a filter perhaps cannot.

/// A disguise: its name, and the function that applies it to words.
pub type Disguise = (&'static str, fn(&str) -> String);

/// Replaces each ASCII letter by what `letter` returns.
fn each(words: &str, letter: impl Fn(char) -> String) -> String {
    words
        .chars()
        .map(|c| {
            if c.is_ascii_alphabetic() {
                letter(c)
            } else {
                c.to_string()
            }
        })
        .collect()
}

/// Puts a text between the letters of each word.
fn between(words: &str, gap: &str) -> String {
    let word = |word: &str| word.chars().map(String::from).collect::<Vec<_>>().join(gap);
    words
        .split(' ')
        .map(word)
        .collect::<Vec<_>>()
        .join(if gap == " " { "   " } else { " " })
}

/// Puts a text once into the middle of each word.
fn inside(words: &str, what: &str) -> String {
    let word = |word: &str| {
        // The second of two disguises can meet other letters than ASCII ones.
        let middle = word.chars().count() / 2;
        let start: String = word.chars().take(middle).collect();
        let end: String = word.chars().skip(middle).collect();
        format!("{start}{what}{end}")
    };
    words.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

fn shifted(words: &str, first: u32) -> String {
    each(words, |c| {
        let index = u32::from(c.to_ascii_lowercase()) - u32::from('a');
        char::from_u32(first + index)
            .expect("an alphabet has 26 letters")
            .to_string()
    })
}

fn look_alike(words: &str, table: &str) -> String {
    let pairs: Vec<char> = table.chars().collect();
    words
        .chars()
        .map(|c| {
            let found = pairs
                .chunks(2)
                .find(|pair| pair[0] == c.to_ascii_lowercase());
            found.map_or(c, |pair| pair[1])
        })
        .collect()
}

/// Disguises that the gate must see through.
pub const CAUGHT: [Disguise; 32] = [
    ("plain", |w| w.to_owned()),
    ("upper_case", |w| w.to_uppercase()),
    ("mixed_case", |w| {
        w.char_indices()
            .map(|(i, c)| {
                if i % 2 == 0 {
                    c.to_ascii_uppercase()
                } else {
                    c
                }
            })
            .collect()
    }),
    ("full_width", |w| shifted(w, 0xff41)),
    ("bold", |w| shifted(w, 0x1d41a)),
    ("circled", |w| shifted(w, 0x24d0)),
    ("white_circled", |w| shifted(w, 0x1f150)),
    ("white_squared", |w| shifted(w, 0x1f170)),
    ("squared", |w| shifted(w, 0x1f130)),
    ("parenthesised", |w| shifted(w, 0x249c)),
    ("regional", |w| shifted(w, 0x1f1e6)),
    ("small_capitals", |w| {
        look_alike(w, "aᴀbʙcᴄdᴅeᴇfꜰgɢhʜiɪjᴊkᴋlʟmᴍnɴoᴏpᴘrʀsꜱtᴛuᴜvᴠwᴡyʏzᴢ")
    }),
    ("cyrillic", |w| look_alike(w, "aаcсeеiіjјoоpрsѕxхyу")),
    ("greek", |w| look_alike(w, "oοvνuυ")),
    ("zero_width", |w| between(w, "\u{200b}")),
    ("joiner", |w| inside(w, "\u{200d}")),
    ("soft_hyphen", |w| inside(w, "\u{ad}")),
    ("tag", |w| inside(w, "\u{e0041}")),
    ("struck_out", |w| each(w, |c| format!("{c}\u{336}"))),
    ("underlined", |w| each(w, |c| format!("{c}\u{332}"))),
    ("accented", |w| each(w, |c| format!("{c}\u{301}"))),
    ("annotated", |w| inside(w, "\u{fffa}")),
    ("spaced", |w| between(w, " ")),
    ("dotted", |w| between(w, ".")),
    ("hyphenated", |w| between(w, "-")),
    ("underscored", |w| between(w, "_")),
    ("no_break_hyphen", |w| inside(w, "\u{2011}")),
    ("hyphenation_point", |w| inside(w, "\u{2027}")),
    ("stars", |w| inside(w, "**")),
    ("tags_of_markup", |w| inside(w, "<i></i>")),
    ("comment", |w| inside(w, "<!-- a -->")),
    ("underscore_emphasis", |w| format!("_{w}_")),
];

/// Disguises that the gate lets through on purpose: honest lines would suffer, or no code could see through them (see `text::reveal`).
pub const LET_THROUGH: [Disguise; 5] = [
    ("one_cut", |w| inside(w, " ")),
    ("reversed", |w| w.chars().rev().collect()),
    ("leet", |w| {
        w.replace('a', "4")
            .replace('e', "3")
            .replace('i', "1")
            .replace('o', "0")
    }),
    ("typing_error", |w| format!("{}{}", &w[..1], &w[2..])),
    ("shifted_by_13", |w| {
        each(w, |c| {
            let index = (c.to_ascii_lowercase() as u8 - b'a' + 13) % 26;
            char::from(b'a' + index).to_string()
        })
    }),
];
