//! What everything else is built on: ids, whole-number arithmetic, the canonical encoding, the two clocks, the seed and the
//! counters. Nothing here knows of characters or worlds.

pub(crate) mod bytes;
pub mod canonical;
pub mod clock;
pub mod counters;
pub mod extension;
pub mod fixed;
pub mod ids;
pub(crate) mod resource_ticks;
pub mod seed;
pub mod shared_text;
pub mod time;
