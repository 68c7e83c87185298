//! No code changes an intent after it was made.

use bevy_dramatis::world::Intent;

fn forge(mut intent: Intent) -> Intent {
    intent.actor = "king".to_owned(); //~ E0616 field `actor` of struct `Intent` is private
    intent
}

fn main() {
    let _ = forge;
}
