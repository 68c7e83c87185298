//! The command line of `bevy_dramatis`. A game's own is one call of [`bevy_dramatis::cli::main`] away.

fn main() -> std::process::ExitCode {
    bevy_dramatis::cli::main(|_| {})
}
