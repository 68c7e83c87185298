//! Plans from outside: the rows of the origin by name, hostile plans, the game's own checks, and a restart at a bad moment.

mod changes;
#[path = "../support/heard.rs"]
mod heard;
mod hostile;
#[path = "../support/loading.rs"]
mod loading;
mod origin;
mod stage;
mod studio;
