//! The numbers that bound a character: how much it remembers, how long its prompt and its lines are.
//!
//! Each number has a default. The setting nearest to the character counts: the resource [`Limits`] sets the numbers for the whole
//! game, `limits: (..)` of a story or scenario overrides it, `limits: (..)` of a character's file overrides both, and the
//! component [`NpcLimits`](crate::npc::NpcLimits) overrides all.
//!
//! ```
//! use bevy::prelude::*;
//! use bevy_dramatis::limits::{LimitOverrides, Limits};
//! use bevy_dramatis::npc::NpcLimits;
//! use bevy_dramatis::prelude::*;
//!
//! let mut app = App::new();
//! app.add_plugins((MinimalPlugins, DramatisPlugins::silent()))
//!     .insert_resource(Limits { reply_tokens: 200, ..default() });
//! // This one is brief, whatever its file says.
//! let brief = LimitOverrides { reply_chars: Some(120), ..default() };
//! app.world_mut().spawn(NpcLimits(brief));
//! ```

use crate::base::fixed::{Millionths, Millis};
use crate::format::Problem;
use bevy::prelude::*;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;

/// A number that a limit can be: counted in whole units, read from what an author writes.
trait LimitNumber: Copy {
    /// How it is written in RON.
    type Written: Copy;
    /// What is written, in its smallest units; `None` for a number that is none, such as NaN.
    fn read(written: Self::Written) -> Option<i64>;
    /// In its smallest units: pieces, millionths, or milliseconds.
    fn units(self) -> i64;
    /// From its smallest units, cut to its range.
    fn from_units(units: i64) -> Self;
    /// For people, the same number as it would be written.
    fn shown(units: i64) -> String;
}

macro_rules! count {
    ($($type:ty),*) => {$(
        impl LimitNumber for $type {
            type Written = $type;
            fn read(written: $type) -> Option<i64> {
                Some(written.units())
            }
            fn units(self) -> i64 {
                i64::try_from(self).unwrap_or(i64::MAX)
            }
            fn from_units(units: i64) -> Self {
                Self::try_from(units.max(0)).unwrap_or(Self::MAX)
            }
            fn shown(units: i64) -> String {
                units.to_string()
            }
        }
    )*};
}
count!(usize, u32);

/// In millionths.
impl LimitNumber for f32 {
    type Written = f64;
    fn read(written: f64) -> Option<i64> {
        Millionths::from_f64(written).map(|number| number.0)
    }
    fn units(self) -> i64 {
        Millionths::nearest(self).0
    }
    fn from_units(units: i64) -> Self {
        Millionths(units).to_f32()
    }
    fn shown(units: i64) -> String {
        Millionths(units).to_f64().to_string()
    }
}

/// In milliseconds.
impl LimitNumber for Duration {
    type Written = f64;
    fn read(written: f64) -> Option<i64> {
        Millis::from_seconds(written).map(|span| span.0)
    }
    fn units(self) -> i64 {
        Millis::from(self).0
    }
    fn from_units(units: i64) -> Self {
        Millis(units).into()
    }
    fn shown(units: i64) -> String {
        (units as f64 / 1e3).to_string()
    }
}

/// How long and by what a character remembers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Reflect, Deserialize)]
pub enum Memory {
    /// No episode is dropped for its age, and what was asked about comes before what is merely new. Words are compared by
    /// their stems, without the lexicon's stop words. The default.
    #[default]
    Lasting,
    /// Episodes fade within hours of game time, and what is new comes first. Words are compared as they are written. It has
    /// the numbers of [`LimitOverrides::FADING`].
    Fading,
}

impl LimitNumber for Memory {
    type Written = Self;
    fn read(written: Self) -> Option<i64> {
        Some(written.units())
    }
    fn units(self) -> i64 {
        i64::from(self == Self::Fading)
    }
    fn from_units(units: i64) -> Self {
        match units {
            0 => Self::Lasting,
            _ => Self::Fading,
        }
    }
    fn shown(units: i64) -> String {
        format!("{:?}", Self::from_units(units))
    }
}

macro_rules! limits {
    (
        memory: $memory_default:expr;
        weights { $($(#[$weight_doc:meta])* $weight_name:ident: $weight_default:expr, $weight_key:ident;)* }
        numbers { $($(#[$doc:meta])* $name:ident: $type:ty as $written:ty = $default:expr, $least:literal ..= $most:literal, $key:literal;)* }
        of_the_prompt { $($(#[$prompt_doc:meta])* $prompt_name:ident: $prompt_most:literal;)* }
    ) => {
        /// Every number that bounds a character, for the whole game. A resource; a change counts from the
        /// next run on. A number outside its range counts as the nearest one in it, and NaN as 0.
        #[derive(Resource, Debug, Clone, Copy, PartialEq, Reflect)]
        #[reflect(Resource, Default)]
        pub struct Limits {
            /// How long and by what a character remembers; [`Memory::Lasting`] by default.
            pub memory: Memory,
            $($(#[$weight_doc])* pub $weight_name: f32,)*
            $($(#[$doc])* pub $name: $type,)*
        }

        impl Limits {
            /// The numbers that count if neither the game nor a file sets others.
            pub const DEFAULT: Self = Self {
                memory: $memory_default,
                $($weight_name: $weight_default,)*
                $($name: $default,)*
            };

            /// Each number cut to its range.
            #[must_use]
            pub fn bounded(self) -> Self {
                Self {
                    memory: self.memory,
                    $($weight_name: LimitNumber::from_units(self.$weight_name.units().clamp(0, 1_000_000)),)*
                    $($name: LimitNumber::from_units(self.$name.units().clamp($least, $most)),)*
                }
            }

            /// All numbers in their smallest units, by name.
            pub(crate) fn units(self) -> BTreeMap<&'static str, i64> {
                [
                    ("memory", self.memory.units()),
                    $((stringify!($weight_name), self.$weight_name.units()),)*
                    $((stringify!($name), self.$name.units()),)*
                ].into()
            }

            /// The numbers that are not those of a fading memory that knows no echo, in their smallest units, by name.
            pub(crate) fn changed_from_fading(self) -> BTreeMap<String, i64> {
                let fading = LimitOverrides::LEFT_OUT.over(Self::DEFAULT).units();
                let changed = self.units().into_iter().filter(|(name, number)| fading[name] != *number);
                changed.map(|(name, number)| (name.to_owned(), number)).collect()
            }

            /// The numbers of a fading memory without echo, with these in their place. Unknown names are skipped.
            pub(crate) fn changing_fading(changed: &BTreeMap<String, i64>) -> Self {
                LimitOverrides::from_units(changed).over(LimitOverrides::LEFT_OUT.over(Self::DEFAULT))
            }
        }

        /// Replaces some numbers of [`Limits`] and of [`PromptBudget`](crate::pipeline::PromptBudget). `None`: the number stays as it
        /// is.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Reflect)]
        pub struct LimitOverrides {
            /// In place of [`Limits::memory`].
            pub memory: Option<Memory>,
            $(
                #[doc = concat!("In place of [`Limits::", stringify!($weight_name), "`].")]
                pub $weight_name: Option<f32>,
            )*
            $(
                #[doc = concat!("In place of [`Limits::", stringify!($name), "`].")]
                pub $name: Option<$type>,
            )*
            $($(#[$prompt_doc])* pub $prompt_name: Option<usize>,)*
        }

        impl LimitOverrides {
            /// Leaves every number as it is.
            const NONE: Self = Self {
                memory: None,
                $($weight_name: None,)*
                $($name: None,)*
                $($prompt_name: None,)*
            };

            /// These numbers, and `base` where they say nothing.
            #[must_use]
            pub fn over(&self, base: Limits) -> Limits {
                Limits {
                    memory: self.memory.unwrap_or(base.memory),
                    $($weight_name: self.$weight_name.unwrap_or(base.$weight_name),)*
                    $($name: self.$name.unwrap_or(base.$name),)*
                }
            }

            /// These numbers, and those of `farther` where they say nothing.
            #[must_use]
            pub fn or(&self, farther: &Self) -> Self {
                Self {
                    memory: self.memory.or(farther.memory),
                    $($weight_name: self.$weight_name.or(farther.$weight_name),)*
                    $($name: self.$name.or(farther.$name),)*
                    $($prompt_name: self.$prompt_name.or(farther.$prompt_name),)*
                }
            }

            /// The numbers that are set, in their smallest units, by name.
            pub(crate) fn units(&self) -> BTreeMap<String, i64> {
                let mut units = BTreeMap::new();
                if let Some(memory) = self.memory {
                    units.insert("memory".to_owned(), memory.units());
                }
                $(if let Some(weight) = self.$weight_name {
                    units.insert(stringify!($weight_name).to_owned(), weight.units());
                })*
                $(if let Some(number) = self.$name {
                    units.insert(stringify!($name).to_owned(), number.units());
                })*
                $(if let Some(number) = self.$prompt_name {
                    units.insert(stringify!($prompt_name).to_owned(), number.units());
                })*
                units
            }

            /// From numbers in their smallest units, each cut to its range. Names that are unknown are passed over.
            pub(crate) fn from_units(units: &BTreeMap<String, i64>) -> Self {
                let of = |name: &str, least: i64, most: i64| units.get(name).map(|units| (*units).clamp(least, most));
                Self {
                    memory: of("memory", 0, 1).map(LimitNumber::from_units),
                    $($weight_name: of(stringify!($weight_name), 0, 1_000_000).map(LimitNumber::from_units),)*
                    $($name: of(stringify!($name), $least, $most).map(LimitNumber::from_units),)*
                    $($prompt_name: of(stringify!($prompt_name), 0, $prompt_most).map(LimitNumber::from_units),)*
                }
            }
        }

        /// `limits: (..)` of a story, a scenario or a character, as it is written. Every number may be left out.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct LimitsSpec {
            /// How much each part of an episode's score counts.
            pub weights: WeightsSpec,
            $(
                $(#[$doc])*
                #[serde(rename = $key)]
                pub $name: Option<$written>,
            )*
            $($(#[$prompt_doc])* pub $prompt_name: Option<usize>,)*
        }

        /// `weights: (..)` of `limits: (..)`, as it is written. Every number may be left out.
        #[derive(Debug, Clone, Copy, Default, PartialEq, Deserialize)]
        #[serde(deny_unknown_fields, default)]
        pub struct WeightsSpec {
            $($(#[$weight_doc])* pub $weight_key: Option<f64>,)*
        }

        impl LimitsSpec {
            /// The numbers, each checked for its range.
            ///
            /// # Errors
            /// Every number outside its range, with its place below `/limits`.
            pub fn compile(&self) -> Result<LimitOverrides, Vec<Problem>> {
                let mut problems = Vec::new();
                let compiled = LimitOverrides {
                    memory: None,
                    $($weight_name: self.weights.$weight_key.and_then(|written| {
                        let key = concat!("weights/", stringify!($weight_key));
                        in_range::<f32>(written, key, 0, 1_000_000, &mut problems)
                    }),)*
                    $($name: self.$name.and_then(|written| {
                        in_range::<$type>(written, $key, $least, $most, &mut problems)
                    }),)*
                    $($prompt_name: self.$prompt_name.and_then(|written| {
                        in_range::<usize>(written, stringify!($prompt_name), 0, $prompt_most, &mut problems)
                    }),)*
                };
                if problems.is_empty() { Ok(compiled) } else { Err(problems) }
            }
        }
    };
}

fn in_range<N: LimitNumber>(
    written: N::Written,
    key: &str,
    least: i64,
    most: i64,
    problems: &mut Vec<Problem>,
) -> Option<N> {
    let number = N::read(written).filter(|units| (least..=most).contains(units));
    if number.is_none() {
        let (least, most) = (N::shown(least), N::shown(most));
        let message = format!("`{key}` is a number from {least} to {most}");
        problems.push(Problem::new(format!("/limits/{key}"), message));
    }
    number.map(N::from_units)
}

limits! {
    memory: Memory::Lasting;
    weights {
        /// How much relevance to what is said counts in the score of an episode, 0 to 1; 0.9 by default.
        weight_relevance: 0.9, relevance;
        /// How much newness counts in the score of an episode, 0 to 1; 0.05 by default.
        weight_recency: 0.05, recency;
        /// How much significance counts in the score of an episode, 0 to 1; 0.05 by default.
        weight_significance: 0.05, significance;
    }
    numbers {
        /// How many episodes a character keeps, 0 to 100,000; 1,000 by default. A new one replaces the one that is worth
        /// least.
        episodes: usize as usize = 1_000, 0..=100_000, "episodes";
        /// How long it takes until an episode counts as half as new, in game time, at least a millisecond; one hour by
        /// default. In RON: seconds.
        half_life: Duration as f64 = Duration::from_secs(3_600), 1..=1_000_000_000_000, "half_life_seconds";
        /// How much an episode matters that keeps what was said to a character and what it answered, 0 to 1; 0.2 by default.
        said_significance: f32 as f64 = 0.2, 0..=1_000_000, "said_significance";
        /// How much of the relevance of an episode goes to the ones just before and after it in time, 0 to 0.5; 0.4 by
        /// default.
        neighbours: f32 as f64 = 0.4, 0..=500_000, "neighbours";
        /// How many beliefs a character keeps, 0 to 10,000; 200 by default. The least firm makes room for a new one.
        beliefs: usize as usize = 200, 0..=10_000, "beliefs";
        /// How much strength an episode of significance 0 loses with each step, 0 to 1; 0 by default: no episode fades.
        decay_rate: f32 as f64 = 0.0, 0..=1_000_000, "decay_rate";
        /// How long a step of decay is, in game time, at least a millisecond; 300 seconds by default. In RON: seconds.
        decay_step: Duration as f64 = Duration::from_secs(300), 1..=1_000_000_000_000, "decay_step_seconds";
        /// How many of the last fallback lines of a character are not spoken again where there are others, 0 to 1,000; 3 by
        /// default.
        no_repeat: usize as usize = 3, 0..=1_000, "no_repeat";
        /// How much of a line may be in one of the character's last 20 lines, as a share of its runs of four words, 0 to 1;
        /// 0.7 by default. A line with a larger share is an echo (`Echo`). With 1 no line is an echo.
        echo: f32 as f64 = 0.7, 0..=1_000_000, "echo";
        /// How many episodes are retrieved for a run at most, 0 to 1,000; 15 by default.
        retrieved_episodes: usize as usize = 15, 0..=1_000, "retrieved_episodes";
        /// How many beliefs are retrieved for a run at most, 0 to 1,000; 10 by default.
        retrieved_beliefs: usize as usize = 10, 0..=1_000, "retrieved_beliefs";
        /// Beliefs that are held less firmly are not retrieved; 0 to 1, 0.3 by default.
        min_confidence: f32 as f64 = 0.3, 0..=1_000_000, "min_confidence";
        /// How many characters of a prompt tell what is seen and what can be done, 0 to 1,000,000; 3,000 by default.
        surroundings_chars: usize as usize = 3_000, 0..=1_000_000, "surroundings_chars";
        /// How many characters a spoken line has at most, 1 to 262,144; 2,000 by default. A longer one is cut back to its
        /// last whole sentence.
        reply_chars: usize as usize = 2_000, 1..=262_144, "reply_chars";
        /// How many sentences a character says at most where the model is asked for its words separately
        /// ([`Form::Apart`](crate::policy::Form)), 1 to 1,000; 4 by default. The engine does not wait for what comes after them.
        sentences: u32 as u32 = 4, 1..=1_000, "sentences";
        /// After how many exchanges a character that is asked in parts looks back on them, to choose what it remembers, 1 to
        /// 64; 4 by default.
        remember_every: usize as usize = 4, 1..=64, "remember_every";
        /// How long after the last words of a shorter talk a character that is asked in parts looks back on it, in game time, at
        /// least a millisecond; 120 seconds by default. In RON: seconds.
        talk_ends: Duration as f64 = Duration::from_secs(120), 1..=1_000_000_000_000, "talk_ends_seconds";
        /// How long a character with a routine takes from one location to the next, in game time, at least a millisecond; 30 seconds
        /// by default. In RON: seconds.
        step: Duration as f64 = Duration::from_secs(30), 1..=1_000_000_000_000, "step_seconds";
        /// From how many actions a character can choose where the model is asked for its actions separately, 0 to 100; 12 by default.
        /// To do nothing is not counted.
        options: usize as usize = 12, 0..=100, "options";
        /// How many tokens a reply may take, 1 to 1,000,000; 512 by default. The engine cuts what is longer.
        reply_tokens: u32 as u32 = 512, 1..=1_000_000, "reply_tokens";
        /// The sampling temperature, 0 to 10; 0.7 by default. 0 asks for the most likely reply.
        temperature: f32 as f64 = 0.7, 0..=10_000_000, "temperature";
        /// How long a character waits for its reply, in call time from the start of its run, before it speaks one of its
        /// `thinking` lines; 2 seconds by default. In RON: seconds.
        thinking_after: Duration as f64 = Duration::from_secs(2), 0..=1_000_000_000, "thinking_after_seconds";
        /// How long an engine-backed parser may take to read the words of an actor, in call time, before the built-in
        /// parser reads them; 10 seconds by default. In RON: seconds.
        parser_patience: Duration as f64 = Duration::from_secs(10), 0..=1_000_000_000, "parser_patience_seconds";
    }
    of_the_prompt {
        /// How many exchanges are in a prompt at most, 0 to 1,000; 5 by default.
        exchanges: 1_000;
        /// How many characters the variable part of a prompt has at most, 1 to 1,000,000; 2,000 by default. 0 counts as invalid: the
        /// default is used, which is logged.
        prompt_chars: 1_000_000;
        /// How many episodes are in a prompt at most, 0 to 1,000; 5 by default.
        prompt_episodes: 1_000;
        /// How many beliefs are in a prompt at most, 0 to 1,000; 3 by default.
        prompt_beliefs: 1_000;
        /// How many few-shot pairs are in a prompt at most, 0 to 1,000; 3 by default.
        prompt_examples: 1_000;
    }
}

impl LimitOverrides {
    /// The numbers of [`Memory::Fading`]: 100 episodes, which fade at a rate of 0.05 for each step of 300 seconds; the weights
    /// 0.4 of relevance, 0.4 of recency and 0.2 of significance; and no neighbours.
    pub const FADING: Self = Self {
        memory: Some(Memory::Fading),
        weight_relevance: Some(0.4),
        weight_recency: Some(0.4),
        weight_significance: Some(0.2),
        episodes: Some(100),
        half_life: Some(Duration::from_secs(3_600)),
        neighbours: Some(0.0),
        decay_rate: Some(0.05),
        decay_step: Some(Duration::from_secs(300)),
        ..Self::NONE
    };

    /// The numbers that a save leaves out: they are the defaults of an older version, in which no line counted as an echo.
    const LEFT_OUT: Self = Self {
        echo: Some(1.0),
        ..Self::FADING
    };

    /// These numbers, and where they say nothing those of a kind of memory.
    #[must_use]
    pub(crate) fn with_memory(self, memory: Option<Memory>) -> Self {
        match memory {
            None => self,
            Some(Memory::Fading) => self.or(&Self::FADING),
            // The default numbers, where the other kind has its own.
            Some(Memory::Lasting) => {
                let default = Limits::DEFAULT.units();
                let mut lasting = Self::FADING.units();
                for (name, number) in &mut lasting {
                    *number = default[&**name];
                }
                self.or(&Self::from_units(&lasting))
            }
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m6_what_is_nearer_counts_and_the_rest_stays() {
        let story = LimitOverrides {
            episodes: Some(10),
            beliefs: Some(20),
            ..default()
        };
        let own = LimitOverrides {
            episodes: Some(5),
            exchanges: Some(1),
            ..default()
        };
        let both = own.or(&story);
        let limits = both.over(Limits::DEFAULT);
        assert_eq!((limits.episodes, limits.beliefs), (5, 20));
        assert_eq!(limits.decay_rate, Limits::DEFAULT.decay_rate);
        assert_eq!(both.exchanges, Some(1));
        assert_eq!(LimitOverrides::from_units(&both.units()), both);
    }

    #[test]
    fn m6_numbers_outside_their_range_are_named() {
        let spec: LimitsSpec = crate::format::error::dialect()
            .from_str("(decay_rate: 2.0, decay_step_seconds: 0.0, episodes: 7)")
            .unwrap();
        let problems = spec.compile().unwrap_err();
        let places: Vec<String> = problems.iter().map(|p| format!("{p:?}")).collect();
        assert!(places[0].contains("/limits/decay_rate"), "{places:?}");
        assert!(
            places[1].contains("/limits/decay_step_seconds"),
            "{places:?}"
        );
        let wild = Limits {
            decay_step: Duration::ZERO,
            reply_chars: 0,
            ..default()
        };
        assert_eq!(wild.bounded().decay_step, Duration::from_millis(1));
        assert_eq!(wild.bounded().reply_chars, 1);
        let default = Limits::DEFAULT;
        let saved = default.changed_from_fading();
        assert_eq!(Limits::changing_fading(&saved), default);
        let left_out = LimitOverrides::LEFT_OUT.over(default);
        assert!(left_out.changed_from_fading().is_empty());
        // What an older version has saved knows no echo.
        assert_eq!(Limits::changing_fading(&BTreeMap::new()).echo, 1.0);
    }
}
