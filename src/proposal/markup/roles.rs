//! The roles of templates, by name.

/// Whose turn a role is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    Own,
    Other,
}

/// The roles of templates, as they are spelled in lower case.
const OWN_ROLES: [&str; 12] = [
    "assistant",
    "model",
    "chatbot",
    "bot",
    "gpt",
    "ai",
    "char",
    "npc",
    "ассистент",
    "助手",
    "assistent",
    "gpt4 correct assistant",
];
const OTHER_ROLES: [&str; 17] = [
    "user",
    "human",
    "system",
    "developer",
    "tool",
    "function",
    "ipython",
    "observation",
    "environment",
    "player",
    "instruction",
    "input",
    "пользователь",
    "用户",
    "benutzer",
    "gpt4 correct user",
    "person 1",
];

/// Whether it is the name of another role than the model's.
pub(in super::super) fn is_other_role(name: &str) -> bool {
    role_of(name) == Some(Role::Other)
}

/// Whether it is the name of the model's own role.
pub(in super::super) fn is_own_role(name: &str) -> bool {
    role_of(name) == Some(Role::Own)
}

/// The role with this name; `None` where it is none.
pub(super) fn role_of(name: &str) -> Option<Role> {
    let name = name
        .trim()
        .trim_start_matches("{{")
        .trim_end_matches("}}")
        .to_lowercase();
    if OWN_ROLES.contains(&name.as_str()) {
        Some(Role::Own)
    } else if OTHER_ROLES.contains(&name.as_str()) {
        Some(Role::Other)
    } else {
        None
    }
}
