//! How the names of authored files end.

/// How authored files end. Benches are read where the command line is built.
pub(super) const ENDINGS: &[&str] = &[
    ".npc.ron",
    ".routine.ron",
    ".story.ron",
    ".world.ron",
    ".rulebook.ron",
    ".rules.ron",
    ".script.ron",
    ".lexicon.ron",
    ".scenario.ron",
    ".hbs",
    ".taxonomy.ron",
    #[cfg(feature = "cli")]
    ".bench.ron",
];

/// How the name of an authored file ends, as in [`ENDINGS`]. With the feature `json`, `.json` is as good as `.ron`.
pub(super) fn ending_of(file: &str) -> Option<&'static str> {
    let ron = match file.strip_suffix(".json") {
        Some(stem) if cfg!(feature = "json") => format!("{stem}.ron"),
        _ => file.to_owned(),
    };
    let mut endings = ENDINGS.iter().copied();
    endings.find(|ending| ron.ends_with(ending))
}
