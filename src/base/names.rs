//! Names that are almost right.

/// The most names that are compared. Among more than these, a suggestion would be a matter of luck.
const MAX_NAMES: usize = 256;

/// `" (did you mean \"tower\"?)"`, where one of the known names is close to `name`; else nothing.
pub(crate) fn hint<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map_or_else(String::new, |near| {
        format!(" (did you mean \"{}\"?)", near.escape_debug())
    })
}

/// The known name that differs in one or two letters.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = letters(name)?;
    let most = if name.len() <= 4 { 1 } else { 2 };
    known
        .into_iter()
        .take(MAX_NAMES)
        .filter_map(|known| {
            let other = letters(known)?;
            let far = name.len().abs_diff(other.len()) > most;
            let distance = if far {
                usize::MAX
            } else {
                distance(&name, &other)
            };
            (distance <= most).then_some((distance, known))
        })
        .min()
        .map(|(_, known)| known)
}

/// The known name that `name` must be meant for: long enough, with one letter added, dropped, changed or swapped.
///
/// "light" and "night" may both exist, and so may "door1" and "door2".
pub(crate) fn slip<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let name = letters(name)?;
    let bare = |letters: &[char]| -> Vec<char> {
        let kept = letters.iter().filter(|c| !c.is_numeric());
        kept.copied().collect()
    };
    known.into_iter().take(MAX_NAMES).find(|known| {
        letters(known).is_some_and(|other| {
            name.len().min(other.len()) >= 5
                && name.len().abs_diff(other.len()) <= 1
                && name.first() == other.first()
                && bare(&name) != bare(&other)
                && distance(&name, &other) == 1
        })
    })
}

/// The letters of a name in lower case; nothing for what is too long to be a name.
fn letters(name: &str) -> Option<Vec<char>> {
    let letters: Vec<char> = name
        .chars()
        .take(101)
        .flat_map(char::to_lowercase)
        .collect();
    (letters.len() <= 100).then_some(letters)
}

/// How many letters have to be added, dropped, changed or swapped with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if swapped {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x2_a_slip_of_the_pen_is_recognised() {
        let known = ["tower", "yard", "wizard_001"];
        assert_eq!(nearest("towr", known), Some("tower"));
        assert_eq!(nearest("Tower", known), Some("tower"));
        assert_eq!(nearest("yrad", known), Some("yard"));
        assert_eq!(nearest("wizard_010", known), Some("wizard_001"));
        assert_eq!(nearest("cellar", known), None);
        assert_eq!(nearest("day", ["dye"]), None);
        assert_eq!(nearest(&"x".repeat(1_000), known), None);
        assert_eq!(slip("crownd", ["night", "crowned"]), Some("crowned"));
        assert_eq!(slip("wizrad_001", known), Some("wizard_001"));
        for other in ["light", "key_1", "gate", "crowns", "wizard_002"] {
            assert_eq!(
                slip(other, ["night", "key_2", "gaet", "crowned", "wizard_001"]),
                None
            );
        }
        assert_eq!(hint("yadr", known), " (did you mean \"yard\"?)");
        assert_eq!(hint("moon", known), "");
    }
}
