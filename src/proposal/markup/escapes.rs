//! Escapes of another layer: `&amp;` of a page, `\n` of a string.

/// The named entities that replies hold; others stay as they are.
const NAMED: [(&str, char); 28] = [
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("hellip", '…'),
    ("mdash", '—'),
    ("ndash", '–'),
    ("lsquo", '‘'),
    ("rsquo", '’'),
    ("ldquo", '“'),
    ("rdquo", '”'),
    ("laquo", '«'),
    ("raquo", '»'),
    ("bdquo", '„'),
    ("auml", 'ä'),
    ("ouml", 'ö'),
    ("uuml", 'ü'),
    ("Auml", 'Ä'),
    ("Ouml", 'Ö'),
    ("Uuml", 'Ü'),
    ("szlig", 'ß'),
    ("eacute", 'é'),
    ("egrave", 'è'),
    ("agrave", 'à'),
    ("ccedil", 'ç'),
    ("ntilde", 'ñ'),
];

/// The longest entity, in bytes with its `&`, without its `;`.
const MAX_ENTITY: usize = 10;

/// The meaning of a text that begins with `&`: `None` while it is not known, then a character, or plain text.
pub(super) fn entity(held: &str) -> Option<Option<char>> {
    let name = held.strip_prefix('&')?;
    let Some(name) = name.strip_suffix(';') else {
        let fits = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '#');
        return (!fits || held.len() > MAX_ENTITY).then_some(None);
    };
    let number = name.strip_prefix('#').and_then(|number| {
        let hex = number.strip_prefix(['x', 'X']);
        hex.map_or_else(
            || number.parse().ok(),
            |hex| u32::from_str_radix(hex, 16).ok(),
        )
    });
    let named = || {
        NAMED
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, c)| *c)
    };
    Some(number.and_then(char::from_u32).or_else(named))
}

/// The same of a text that begins with a backslash.
pub(super) fn escape(held: &str) -> Option<Option<char>> {
    let rest = held.strip_prefix('\\')?;
    let mut chars = rest.chars();
    let first = chars.next()?;
    match first {
        'n' | 'r' => Some(Some('\n')),
        't' => Some(Some(' ')),
        '"' | '\'' => Some(Some(first)),
        'u' => {
            let digits = chars.as_str();
            if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
                return Some(None);
            }
            (digits.len() == 4).then(|| {
                u32::from_str_radix(digits, 16)
                    .ok()
                    .and_then(char::from_u32)
            })
        }
        _ => Some(None),
    }
}
