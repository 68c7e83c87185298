//! What only the crate sees of scenarios that begin from a recording.

mod from_recording;
