//! A snapshot cannot be changed after it was hashed.

use bevy_dramatis::pipeline::StateSnapshot;

fn thaw(snapshot: &mut StateSnapshot) {
    snapshot.body().seed = 0; //~ E0594 cannot assign to data in a `&` reference
}

fn main() {}
