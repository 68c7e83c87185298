use bevy_dramatis::world::Intent;

fn forge(mut intent: Intent) -> Intent {
    intent.actor = "king".to_owned();
    intent
}

fn main() {
    let _ = forge;
}
