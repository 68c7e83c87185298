//! How the parts of a figure move.

use super::Figure;
use bevy::prelude::*;
use bevy_dramatis::prelude::*;

/// The orb of a staff: it shines while its bearer thinks.
#[derive(Component)]
pub struct Orb(pub Entity);

pub(super) fn pose(
    figures: Query<(&Figure, Has<Thinking>)>,
    mut parts: Query<&mut Transform, (Without<Figure>, Without<Orb>)>,
    mut orbs: Query<(&Orb, &mut Transform), Without<Figure>>,
    time: Res<Time>,
) {
    let t = time.elapsed_secs();
    let ease = (10.0 * time.delta_secs()).min(1.0);
    for (figure, thinks) in &figures {
        let (pace, step) = (figure.pace, (figure.walked * 4.2).sin());
        let talks = if figure.talking > 0.0 { 1.0 } else { 0.0 };
        let breath = (t * 1.7 + figure.phase).sin();
        if let Ok(mut body) = parts.get_mut(figure.body) {
            body.translation.y = 0.012 * breath + 0.07 * pace * step.abs();
            let goal = Quat::from_euler(EulerRot::XYZ, 0.09 * pace, 0.0, 0.03 * pace * step);
            body.rotation = body.rotation.slerp(goal, ease);
        }
        if let Ok(mut head) = parts.get_mut(figure.head) {
            let nod = talks * 0.07 * (t * 6.5).sin() + if thinks { -0.18 } else { 0.0 };
            let look = 0.10 * (t * 0.6 + figure.phase).sin() * (1.0 - talks);
            let goal = Quat::from_euler(EulerRot::YXZ, look, nod, talks * 0.05 * (t * 3.1).sin());
            head.rotation = head.rotation.slerp(goal, ease);
        }
        for (index, side) in [(0, -1.0), (1, 1.0f32)] {
            let Ok(mut arm) = parts.get_mut(figure.arms[index]) else {
                continue;
            };
            let rest = 0.30 + 0.03 * breath;
            let swing = -0.7 * pace * step * side;
            // The right hand goes with the words, and to the chin while its owner thinks.
            let lifted = match (index, thinks) {
                (1, true) => -2.1,
                (1, false) => talks * (-1.0 + 0.35 * (t * 4.3).sin()),
                _ => -0.35,
            };
            let inwards = if index == 1 && thinks { -0.75 } else { 0.0 };
            let goal = Quat::from_euler(
                EulerRot::YXZ,
                inwards,
                lifted + swing,
                (rest + 0.1 * talks) * side,
            );
            arm.rotation = arm.rotation.slerp(goal, ease);
        }
    }
    for (orb, mut transform) in &mut orbs {
        let thinks = figures.get(orb.0).is_ok_and(|(_, thinks)| thinks);
        let pulse = if thinks {
            1.25 + 0.25 * (t * 7.0).sin()
        } else {
            1.0
        };
        transform.scale = Vec3::splat(pulse);
    }
}
