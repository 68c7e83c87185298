//! Which actions an actor may propose.

/// The name of the action that brings a new entity into the world.
pub(crate) const INTRODUCE: &str = "introduce";

/// Which actions an actor may propose. The rulebook still judges every proposal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum May<'a> {
    /// Every action that is registered: what the game itself asks for.
    All,
    /// Every one except `introduce`: for a character whose file does not say, and for an actor whose words are typed, such as
    /// the player. A model or a player must not fill the world.
    AllButIntroduce,
    /// The actions with these names, and no others: what the `may` of a character's file lists.
    Only(&'a [String]),
}

impl<'a> May<'a> {
    /// What a character's `may` says; `None` where its file leaves it out.
    #[must_use]
    pub fn of_character(may: Option<&'a [String]>) -> Self {
        may.map_or(Self::AllButIntroduce, Self::Only)
    }

    /// Whether the action of this name is among them.
    #[must_use]
    pub fn allows(self, action: &str) -> bool {
        match self {
            Self::All => true,
            Self::AllButIntroduce => action != INTRODUCE,
            Self::Only(list) => list.iter().any(|allowed| allowed == action),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn w1_who_does_not_say_may_do_all_but_fill_the_world() {
        let some = ["open".to_owned()];
        let allowed = |may: May| ["open", "introduce", "cast"].map(|action| may.allows(action));
        assert_eq!(allowed(May::All), [true, true, true]);
        assert_eq!(allowed(May::of_character(None)), [true, false, true]);
        assert_eq!(
            allowed(May::of_character(Some(&some))),
            [true, false, false]
        );
    }
}
