//! Whether the game that is played has begun: a mere start never replaces the game in the file.

use crate::journal::ledger::Sign;

/// The state of a game since its app started.
///
/// A file that holds a game is left alone until the player plays: [`Sign::Played`]. A file that holds none has nothing to lose:
/// there, what the game itself writes or changes begins it, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::journal) struct Beginning {
    /// Whether the file holds a game, or may hold one.
    holds_game: bool,
    /// The strongest sign so far.
    seen: Sign,
}

impl Beginning {
    /// An app that has just started, with a file that holds a game or holds none.
    pub fn of_file(holds_game: bool) -> Self {
        Self {
            holds_game,
            seen: Sign::SetUp,
        }
    }

    /// The file was looked at once more, since it could not be opened before.
    pub fn found(&mut self, holds_game: bool) {
        self.holds_game = holds_game;
    }

    /// Takes note of a sign. `is_set_up`: whether the app had loaded all that it asked for before. Until then, what systems
    /// change is how the game sets itself up.
    pub fn see(&mut self, sign: Sign, is_set_up: bool) {
        if sign != Sign::Changed || is_set_up {
            self.seen = self.seen.max(sign);
        }
    }

    /// Whether the game has begun.
    pub fn has_begun(self) -> bool {
        match self.holds_game {
            true => self.seen == Sign::Played,
            false => self.seen > Sign::SetUp,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn j6_only_play_begins_a_game_where_the_file_holds_another() {
        let mut start = Beginning::of_file(true);
        for sign in [Sign::SetUp, Sign::Changed, Sign::Written, Sign::SetUp] {
            start.see(sign, true);
            assert!(!start.has_begun(), "{sign:?}");
        }
        start.see(Sign::Played, false);
        assert!(start.has_begun());
        start.see(Sign::SetUp, true);
        assert!(start.has_begun(), "what has begun stays so");
    }

    #[test]
    fn j6_in_an_empty_file_the_game_itself_begins_it_once_it_is_set_up() {
        let mut start = Beginning::of_file(false);
        start.see(Sign::SetUp, true);
        start.see(Sign::Changed, false);
        assert!(!start.has_begun());
        let mut written = start;
        written.see(Sign::Written, false);
        assert!(written.has_begun(), "a write by name is no set-up");
        start.see(Sign::Changed, true);
        assert!(start.has_begun());
        // The file is found to hold a game: then that was too little.
        start.found(true);
        assert!(!start.has_begun());
    }
}
