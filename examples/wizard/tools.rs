//! Tools: a game can do without them.
//!
//! | file | what it holds |
//! |---|---|
//! | `options.rs` | what the command line asks for |
//! | `settings.rs` | who answers, and how, on F3 |
//! | `saves.rs` | saving on F5, loading on F9, and the journal |
//! | `help.rs` | the keys, on F1 |
//! | `visit.rs`, `headless.rs` | the scripted visit, and how it is played without a window |
//! | `pictures.rs` | the visit for the pictures of the docs |
//! | `frame_times.rs` | how long frames take |

pub mod frame_times;
pub mod headless;
pub mod help;
pub mod options;
pub mod pictures;
pub mod saves;
pub mod settings;
mod visit;
