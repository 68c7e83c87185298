//! Points in time, of the two clocks. They have their own types, so that the code cannot use a point as a span or as a point
//! of the other clock.

use super::fixed::Millis;
use bevy::reflect::Reflect;
use serde::{Deserialize, Serialize};

macro_rules! point_in_time {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Reflect,
            Debug,
            Clone,
            Copy,
            Default,
            PartialEq,
            Eq,
            PartialOrd,
            Ord,
            Hash,
            Serialize,
            Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl $name {
            /// The point `span` later: a [`Duration`](std::time::Duration), or [`Millis`], which lead back where they are negative. It stops at the ends of the range.
            #[must_use]
            pub fn after(self, span: impl Into<Millis>) -> Self {
                Self(self.0.saturating_add(span.into().0))
            }

            /// How long after `earlier` this is; negative when it is before.
            #[must_use]
            pub fn since(self, earlier: Self) -> Millis {
                Millis(self.0.saturating_sub(earlier.0))
            }
        }
    };
}

point_in_time! {
    /// A point in game time, in whole milliseconds since the game began. It stops while the game is paused, goes on after a
    /// load where the save left off, and drives memory, rules and snapshots. Events before the game began have a negative one.
    GameTime
}

point_in_time! {
    /// A point in call time, in whole milliseconds since the program started. It goes on while the game is paused, and drives
    /// deadlines and a character's silence.
    CallTime
}
