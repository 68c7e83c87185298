//! The journal and saves on disk (contract rows J1, J2, J3 and M5).

mod bell;
mod crash;
mod file_plugin;
mod old_save;
mod save;
mod saving;
mod secrets;
mod settings;
mod starts;
