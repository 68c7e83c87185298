//! What everything else is built on: ids, whole-number arithmetic, the canonical encoding, the two clocks, the seed and the
//! counters. Nothing here knows of characters or worlds.

pub(crate) mod bytes;
pub(crate) mod calendar;
pub(crate) mod canonical;
pub(crate) mod clock;
pub(crate) mod counters;
pub(crate) mod extension;
pub(crate) mod fixed;
pub(crate) mod ids;
pub(crate) mod lock;
pub(crate) mod names;
pub(crate) mod resource_ticks;
pub(crate) mod seed;
pub(crate) mod shared_text;
pub(crate) mod time;

pub use canonical::Digest;
pub use clock::{DramatisClock, ManualClock};
pub use counters::DramatisCounters;
pub use extension::ExtensionError;
pub use fixed::{Millionths, Millis};
#[doc(hidden)]
pub use ids::is_id;
pub use ids::{BadId, Id};
pub use seed::WorldSeed;
pub use time::{CallTime, GameTime};

/// Whether a field has its default value, so that serde may leave it out.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
