//! A virtual project of files as a judged world: its actions, their rules, and the checks that every plan must pass.

use super::paths::outside;
use bevy::prelude::*;
use bevy_dramatis::plans::{Answer, CheckedStep};
use bevy_dramatis::prelude::*;
use bevy_dramatis::world::name_key;
use bevy_dramatis::world::{Slot, WorldRead};
use serde::{Deserialize, Serialize};

/// Makes a new file. Its kind says which part of the project it is, such as `entry_point`: a checklist asks for the kind.
#[derive(Debug, Clone, Reflect, Serialize, Deserialize)]
pub struct CreateFile {
    /// The path, inside the project.
    pub name: String,
    /// Which part of the project it is.
    #[reflect(@Slot::Target)]
    pub kind: String,
}

/// Changes a file by a diff.
#[derive(Debug, Clone, Reflect, Serialize, Deserialize)]
pub struct ModifyFile {
    /// The file, by its path.
    #[reflect(@FieldKind::Thing)]
    pub target: String,
    /// The change, in words.
    pub change: Option<String>,
}

/// Removes a file.
#[derive(Debug, Clone, Reflect, Serialize, Deserialize)]
pub struct DeleteFile {
    /// The file, by its path.
    #[reflect(@FieldKind::Thing)]
    pub target: String,
}

/// Compiles and packages the project.
#[derive(Debug, Clone, Reflect, Serialize, Deserialize)]
pub struct Build {
    /// The configuration, such as `Release`: a checklist asks for it.
    #[reflect(@Slot::Target)]
    pub configuration: String,
}

/// Checks whether something still works.
#[derive(Debug, Clone, Reflect, Serialize, Deserialize)]
pub struct Check {
    /// The thing to check, in words.
    pub content: String,
}

impl NpcAction for CreateFile {
    const NAME: &'static str = "create_file";
    const RULE: &'static str = "(checks: [], effects: [Spawn(Name, KindOf, In(Here))])";
}

impl NpcAction for ModifyFile {
    const NAME: &'static str = "modify_file";
    const RULE: &'static str = r#"(checks: [
        (id: "modify_exists", when: SameLocation(Actor, Target), else: NOT_FOUND, message: "there is no {target}"),
    ], effects: [AddAttribute(Target, "changes", 1)])"#;
}

impl NpcAction for DeleteFile {
    const NAME: &'static str = "delete_file";
    const RULE: &'static str = r#"(checks: [
        (id: "delete_exists", when: SameLocation(Actor, Target), else: NOT_FOUND, message: "there is no {target}"),
    ], effects: [Place(Target, Offstage)])"#;
}

impl NpcAction for Build {
    const NAME: &'static str = "build";
    const RULE: &'static str = r#"(checks: [], effects: [SetFlag("built", true)])"#;
}

impl NpcAction for Check {
    const NAME: &'static str = "check";
    const RULE: &'static str = "(checks: [], effects: [])";
}

/// Adds the project's actions, and the checks that every plan for it must pass.
pub fn add_studio(app: &mut App) {
    app.add_npc_action::<CreateFile>()
        .add_npc_action::<ModifyFile>()
        .add_npc_action::<DeleteFile>()
        .add_npc_action::<Build>()
        .add_npc_action::<Check>()
        .add_plan_check("outside_project", |_, steps, world| {
            Ok(problems(steps, |step| leads_outside(step, world)))
        })
        .add_plan_check("binary", |_, steps, world| {
            Ok(problems(steps, |step| is_binary(step, world)))
        })
        // A plan that changes the policy of the project always needs the player's approval, in every profile.
        .add_plan_gate("policy_files", |_, steps, world| {
            let mut targets = steps.iter().filter_map(|step| step.intent.target());
            Ok(match targets.any(|id| world.is_kind(id, "policy")) {
                true => Answer::Confirm,
                false => Answer::Pass,
            })
        });
}

fn problems(
    steps: &[CheckedStep],
    problem: impl Fn(&CheckedStep) -> Option<String>,
) -> Vec<String> {
    let told = |step: &CheckedStep| {
        let id = step.id().escape_debug();
        Some(format!("step \"{id}\": {}", problem(step)?))
    };
    steps.iter().filter_map(told).collect()
}

/// Why a step would reach outside of the project: by the path of a new file, by a link on the path, or by a file that is a link.
fn leads_outside(step: &CheckedStep, world: &dyn WorldRead) -> Option<String> {
    let intent = &step.intent;
    let path = match intent.kind() {
        "create_file" => {
            let path = intent.text("name").unwrap_or_default();
            if let Some(why) = outside(path) {
                return Some(why.to_owned());
            }
            path.to_owned()
        }
        _ => world.name_of(intent.target()?)?,
    };
    let folders = path.match_indices('/').map(|(at, _)| &path[..at]);
    let mut on_the_way = folders.chain([path.as_str()]);
    let (link, leads) = on_the_way.find_map(|part| Some((part, link_of(world, part)?)))?;
    Some(format!("\"{}\" is a link to {leads}", link.escape_debug()))
}

/// The target of a file with this name, if the file is a link. On many machines file names ignore case, so this function ignores it.
fn link_of(world: &dyn WorldRead, name: &str) -> Option<WorldValue> {
    let mut named = world.named(&name_key(name)).into_iter();
    named.find_map(|id| world.attribute(&id, "links_to"))
}

/// A diff cannot change a binary file.
fn is_binary(step: &CheckedStep, world: &dyn WorldRead) -> Option<String> {
    let target = step
        .intent
        .target()
        .filter(|_| step.intent.kind() == "modify_file")?;
    let binary = world.attribute(target, "binary") == Some(WorldValue::Bool(true));
    binary.then(|| format!("\"{target}\" is binary: it cannot be changed by a diff"))
}
