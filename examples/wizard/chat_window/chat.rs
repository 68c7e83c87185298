//! A chat on the screen: the last lines, a line to type in, and a sign that a character is thinking.

use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::prelude::*;
use bevy_dramatis::prelude::*;

/// The player has typed this line.
#[derive(Event)]
pub struct Typed(pub String);

#[derive(Component)]
struct Log;

#[derive(Component)]
struct Draft;

pub fn plugin(app: &mut App) {
    app.add_systems(Startup, spawn)
        .add_systems(Update, (type_line, show_thinking).chain())
        .add_observer(|typed: On<Typed>, log: Single<&mut Text, With<Log>>| {
            add(log, &format!("You: {}", typed.0));
        })
        .add_observer(|spoke: On<Spoke>, log: Single<&mut Text, With<Log>>| {
            add(log, &format!("{}: {}", spoke.npc, spoke.line));
        });
}

fn spawn(mut commands: Commands) {
    commands.spawn(Camera2d);
    let column = Node {
        width: percent(100),
        height: percent(100),
        padding: px(20).all(),
        row_gap: px(10),
        flex_direction: FlexDirection::Column,
        justify_content: JustifyContent::FlexEnd,
        ..default()
    };
    let amber = TextColor(Color::srgb(1.0, 0.8, 0.4));
    let (log, draft) = ((Log, Text::default()), (Draft, Text::default(), amber));
    commands.spawn((column, children![log, draft]));
}

/// Adds a line, and keeps the last twelve.
fn add(mut log: Single<&mut Text, With<Log>>, line: &str) {
    let mut lines: Vec<&str> = log.lines().chain([line]).collect();
    lines.drain(..lines.len().saturating_sub(12));
    log.0 = lines.join("\n");
}

fn type_line(
    mut keys: MessageReader<KeyboardInput>,
    mut draft: Single<&mut Text, With<Draft>>,
    mut line: Local<String>,
    mut commands: Commands,
) {
    for key in keys.read().filter(|key| key.state.is_pressed()) {
        match &key.logical_key {
            Key::Character(letters) => line.push_str(letters),
            Key::Space => line.push(' '),
            Key::Backspace => drop(line.pop()),
            Key::Enter if !line.trim().is_empty() => {
                commands.trigger(Typed(std::mem::take(&mut line)));
            }
            _ => {}
        }
    }
    draft.0 = format!("> {}_", *line);
}

fn show_thinking(thinking: Query<(), With<Thinking>>, mut draft: Single<&mut Text, With<Draft>>) {
    if !thinking.is_empty() {
        draft.0 = "..".to_owned();
    }
}
