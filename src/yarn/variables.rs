//! The variables of a dialogue: how texts get into them, and out of them.

use bevy::prelude::*;
use bevy_yarnspinner::prelude::{DialogueRunner, YarnValue};
use icu_normalizer::ComposingNormalizerBorrowed;

/// How many choices there are at most: `$choice_1` to `$choice_4`.
pub(super) const MOST_CHOICES: usize = 4;
const CHOICES: [&str; MOST_CHOICES] = ["$choice_1", "$choice_2", "$choice_3", "$choice_4"];

/// Sets variables of a dialogue. Nothing happens where there is no runner any more.
///
/// Not to be called while Yarn Spinner calls a function: the runner has no variables then.
pub(super) fn set<const N: usize>(
    world: &mut World,
    runner: Entity,
    values: [(&str, YarnValue); N],
) {
    let Some(mut runner) = world.get_mut::<DialogueRunner>(runner) else {
        return;
    };
    let storage = runner.variable_storage_mut();
    for (name, value) in values {
        if let Err(error) = storage.set(name.to_owned(), value) {
            log::error!("the variable {name} of a Yarn dialogue cannot be set: {error}");
        }
    }
}

/// Sets the variables that say how a command has ended.
pub(super) fn set_outcome(
    world: &mut World,
    runner: Entity,
    outcome: &str,
    line: &str,
    action: &str,
) {
    set(
        world,
        runner,
        [
            ("$npc_outcome", outcome.into()),
            ("$npc_line", escape(line).into()),
            ("$npc_action", action.into()),
        ],
    );
}

/// Sets the variables that hold choices. Those that are left over are empty.
pub(super) fn set_choices(world: &mut World, runner: Entity, choices: &[String]) {
    let count = u8::try_from(choices.len().min(MOST_CHOICES)).unwrap_or(0);
    set(world, runner, [("$choices", YarnValue::from(count))]);
    for (at, name) in CHOICES.into_iter().enumerate() {
        let choice = choices.get(at).map(|choice| escape(choice));
        set(
            world,
            runner,
            [(name, YarnValue::from(choice.unwrap_or_default()))],
        );
    }
}

/// What a parameter of a command says. `$name` is the text of the variable, where there is one; so any text can be passed, quotes
/// in it too.
pub(super) fn parameter(world: &World, runner: Entity, value: &YarnValue) -> String {
    let written = String::from(value);
    if !written.starts_with('$') {
        return written;
    }
    let runner = world.get::<DialogueRunner>(runner);
    let held = runner.and_then(|runner| runner.variable_storage().get(&written).ok());
    held.map_or(written, |held| unescape(&String::from(held)))
}

/// The text as one line, as Yarn Spinner shows it: in the composed form, without line breaks and other control characters.
pub(super) fn one_line(text: &str) -> String {
    let breaks = |sign: char| sign.is_control() || matches!(sign, '\u{2028}' | '\u{2029}');
    let parts: Vec<&str> = text
        .split(breaks)
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .collect();
    let line = parts.join(" ");
    ComposingNormalizerBorrowed::new_nfc()
        .normalize(&line)
        .into_owned()
}

/// The text as a variable holds it: one line in which no sign is markup.
pub(super) fn escape(text: &str) -> String {
    let line = one_line(text);
    // At the end, a backslash would change what the writer has put behind the variable.
    let line = line.trim_end_matches(|sign: char| sign == '\\' || sign.is_whitespace());
    let mut escaped = String::with_capacity(line.len());
    for sign in line.chars() {
        if matches!(sign, '[' | ']') {
            escaped.push('\\');
        }
        escaped.push(sign);
    }
    escaped
}

/// The text that a variable holds, as it is shown.
pub(super) fn unescape(text: &str) -> String {
    text.replace("\\[", "[").replace("\\]", "]")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x9_no_text_in_a_variable_is_markup() {
        assert_eq!(escape("Look [b]here[/b]."), r"Look \[b\]here\[/b\].");
        assert_eq!(escape(" One.\n\n  Two.\t"), "One. Two.");
        assert_eq!(escape("C:\\"), "C:");
        for text in ["", "plain", "[", "]]", "10:30 [a=\"b\"/]", r"a\[b"] {
            assert_eq!(unescape(&escape(text)), text, "{text}");
        }
    }
}
