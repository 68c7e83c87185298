//! The examples of `bevy_dramatis`: this member holds them, so that the core builds without a renderer.
