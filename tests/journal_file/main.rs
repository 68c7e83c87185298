//! The journal and saves on disk (contract rows J1, J2, J3 and M5).

mod bell;
#[path = "../support/by_id.rs"]
mod by_id;
mod crash;
mod file_plugin;
#[path = "../support/heard.rs"]
mod heard;
#[path = "../support/loading.rs"]
mod loading;
mod old_save;
mod on_disk;
mod save;
mod saving;
mod secrets;
mod settings;
mod starts;
