//! What a window needs before the game can begin.

/// On Linux a window needs a display server; elsewhere there is one. These examples are built for X11.
pub fn has_display() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY")
}

/// Bevy panics where there is no graphics driver and no display: from now on that is a sentence, and exit code 2.
pub fn explain_what_is_missing() {
    let panic = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let said = info.payload_as_str().unwrap_or_default();
        let sentence = if said.contains("Unable to find a GPU") {
            "No graphics driver was found: install one for Vulkan, or try `-- --headless`."
        } else if said.contains("Failed to build event loop") {
            "The display cannot be opened: look at the variable DISPLAY, or try `-- --headless`."
        } else {
            return panic(info);
        };
        eprintln!("{sentence}");
        std::process::exit(2);
    }));
}
