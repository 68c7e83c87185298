//! The example with a window has a package of its own, so that the core builds without a renderer.
