//! Rows of lines: `+` contradicts the canon above it, `-` does not.

use super::*;

/// Checks each row. A line that begins with `@canon` has the facts for the rows after it; one with `#` says what they are
/// about. A `?` before a row says that the judge still gets it wrong; it goes when the judge gets the row right.
pub fn check(rows: &str, lexicon: &Lexicon) {
    let mut judge = CanonJudge::default();
    let mut wrong = Vec::new();
    let mut count = 0;
    for row in rows.lines().map(str::trim).filter(|row| !row.is_empty()) {
        if let Some(facts) = row.strip_prefix("@canon ") {
            let facts = format!("#![enable(implicit_some)]\n{facts}");
            judge = CanonJudge::compile(ron::from_str(&facts).unwrap(), lexicon).unwrap();
            continue;
        }
        let unmarked = row.strip_prefix("? ");
        let claim = unmarked.unwrap_or(row);
        if let Some(line) = claim.strip_prefix(['+', '-']) {
            count += 1;
            let is_right =
                judge.contradicts_any(line.trim(), Said::Aloud) == claim.starts_with('+');
            if is_right == unmarked.is_some() {
                wrong.push(row);
            }
        }
    }
    assert!(count > 50);
    assert!(wrong.is_empty(), "{wrong:#?}");
}
