//! A snapshot cannot be changed after it was hashed: what it holds is private.

use bevy_dramatis::pipeline::StateSnapshot;

fn thaw(snapshot: &mut StateSnapshot) {
    let _ = &snapshot;
    snapshot.body().seed = 0; //~ E0624 method `body` is private
}

fn main() {}
