use bevy_dramatis::pipeline::StateSnapshot;

fn thaw(snapshot: &mut StateSnapshot) {
    snapshot.body().seed = 0;
}

fn main() {}
