//! What the linter reports, and the options that it gets in addition to the files.

use crate::format::AuthoringError;
use crate::world::ActionRegistry;

/// What kind of mistake a finding is: the word in brackets at its end, and the word that allows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum LintKind {
    /// `unresolved`: a reference names nothing.
    Unresolved,
    /// `never_set`: a condition or a trigger waits for a flag or a world fact that nothing sets.
    NeverSet,
    /// `never_matches`: a pattern cannot match, or a requirement cannot be met.
    NeverMatches,
    /// `repeated`: something is in a list twice, or two entries of a routine begin at the same time.
    Repeated,
    /// `never_fires`: a condition contradicts itself, so that its rule never applies.
    NeverFires,
    /// `no_effect`: something is written down and changes nothing.
    NoEffect,
    /// `shadowed`: another rule or constraint says the same already, or entries of a routine before this one take all its times.
    Shadowed,
    /// `no_fallback`: where a line is needed, only the built-in one would be spoken.
    NoFallback,
    /// `skipped`: a memory or belief that is corrupt, and skipped when the character is spawned.
    Skipped,
    /// `against_canon`: canon contradicts itself, or what a character remembers contradicts it.
    AgainstCanon,
    /// `bad_effect`: an effect of a rulebook can never succeed, so that the action would always be denied.
    BadEffect,
    /// `unreachable`: a check of a rulebook that is never asked, or that can never fail; or a place to which no way leads.
    Unreachable,
    /// `never_possible`: no actor can ever do the action.
    NeverPossible,
    /// `unknown_attribute`: a rulebook or a trigger asks for an attribute that no entity has and no effect sets.
    UnknownAttribute,
    /// `unprotected`: something is forbidden or settled that the gate cannot guard as it is written.
    Unprotected,
    /// `unused_allow`: a comment that allows what is not there, or a kind that does not exist.
    UnusedAllow,
}

impl LintKind {
    /// Every kind, in the order of the variants.
    pub const ALL: [Self; 16] = [
        Self::Unresolved,
        Self::NeverSet,
        Self::NeverMatches,
        Self::Repeated,
        Self::NeverFires,
        Self::NoEffect,
        Self::Shadowed,
        Self::NoFallback,
        Self::Skipped,
        Self::AgainstCanon,
        Self::BadEffect,
        Self::Unreachable,
        Self::NeverPossible,
        Self::UnknownAttribute,
        Self::Unprotected,
        Self::UnusedAllow,
    ];

    /// Its name in messages and in comments that allow it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Unresolved => "unresolved",
            Self::NeverSet => "never_set",
            Self::NeverMatches => "never_matches",
            Self::Repeated => "repeated",
            Self::NeverFires => "never_fires",
            Self::NoEffect => "no_effect",
            Self::Shadowed => "shadowed",
            Self::NoFallback => "no_fallback",
            Self::Skipped => "skipped",
            Self::AgainstCanon => "against_canon",
            Self::BadEffect => "bad_effect",
            Self::Unreachable => "unreachable",
            Self::NeverPossible => "never_possible",
            Self::UnknownAttribute => "unknown_attribute",
            Self::Unprotected => "unprotected",
            Self::UnusedAllow => "unused_allow",
        }
    }
}

/// What a check of a path found.
#[derive(Debug, Default)]
pub struct LintReport {
    /// Mistakes in files that can be read, sorted by file and place. Of one file at most 1,000 are looked at.
    pub findings: Vec<AuthoringError>,
    /// Why files cannot be read or loaded at all, with the place of each error.
    pub unreadable: Vec<AuthoringError>,
}

/// What a game knows in addition to its files.
#[derive(Debug, Clone, Default)]
pub(crate) struct LintOptions {
    /// The actions and functions that the game registers. Only the built-in ones by default.
    pub registry: ActionRegistry,
}
