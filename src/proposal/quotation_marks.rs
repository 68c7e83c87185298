//! Quotation marks.

/// Marks that open a quotation, and those that may close it. The last four only ever enclose a whole line, because inside a
/// text an apostrophe looks the same.
pub(super) const PAIRS: [(char, &[char]); 13] = [
    ('"', &['"', '”', '“']),
    ('＂', &['＂']),
    ('“', &['”', '"', '“']),
    ('„', &['“', '”', '"']),
    ('«', &['»']),
    ('»', &['«', '»']),
    ('「', &['」']),
    ('『', &['』']),
    ('”', &['”']),
    ('‘', &['’']),
    ('‚', &['‘', '’']),
    ('‹', &['›']),
    ('\'', &['\'']),
];

/// Marks that open or close a quotation and are never an apostrophe.
pub(super) fn is_double(c: char) -> bool {
    matches!(
        c,
        '"' | '＂' | '“' | '”' | '„' | '«' | '»' | '「' | '」' | '『' | '』'
    )
}
