//! Doorway, step and ground.

use super::*;

#[test]
fn who_stands_in_a_door_that_shuts_can_step_out_of_it_on_either_side() {
    let out = around(DOOR_ANGLE, 1.0).xz();
    let middle = out * (RADIUS + WALL / 2.0);
    for side in [-1.0, 1.0] {
        let mut at = middle + out * 0.1 * side;
        assert!(!is_free(at, false));
        for _ in 0..20 {
            at = slide(at, at + out * 0.04 * side, false);
        }
        assert!(is_free(at, false), "{at}");
        // The way back is shut.
        for _ in 0..40 {
            at = slide(at, at - out * 0.04 * side, false);
        }
        assert!(doorway_position(at).0 * side > 0.35, "{at}");
    }
}

#[test]
fn one_stands_on_the_floor_the_step_and_the_ground() {
    let out = around(DOOR_ANGLE, 1.0).xz();
    let beside = |along: f32| height(out * (RADIUS + WALL / 2.0 + along));
    assert_eq!([beside(-1.0), beside(0.0), beside(1.0)], [0.0; 3]);
    assert_eq!(beside(1.5), GROUND);
    assert_eq!(height(vec2(9.5, -5.0)), GROUND);
}
