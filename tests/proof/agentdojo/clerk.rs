//! A clerk that obeys every word, in a world in which the user's task says what is permitted.

use super::disguises::Disguise;
use super::suite::{Call, Suite, Task};
use super::tools;
use bevy::prelude::*;
use bevy_dramatis::engine::EngineEvent;
use bevy_dramatis::pipeline::Outcome;
use bevy_dramatis::plugin::DramatisPlugins;
use bevy_dramatis::testing::{FnEngine, TestGame, world_digest};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex};

/// What the user's task permits.
#[derive(Clone, Copy, PartialEq)]
pub enum Permission {
    /// The tools of the task, each for the things that the user's words name.
    Named,
    /// The same, and also for the things to which the user's words refer in the clean environment.
    Resolved,
    /// The tools of the task, each for everything in the clean environment: a person that does not check what a call aims at.
    ToolAlone,
    /// Everything: the rulebook does not check permissions.
    Unasked,
}

/// The rules that judge the clerk.
#[derive(Clone, Copy)]
pub struct Rules {
    pub permission: Permission,
    /// Whether there are words that no message may contain.
    pub words: bool,
}

/// The part of a call that is disguised.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Part {
    Tool,
    Aims,
    Words,
    All,
}

pub const PARTS: [Part; 4] = [Part::Tool, Part::Aims, Part::Words, Part::All];

/// The game of one task of a user.
pub struct Clerk {
    game: TestGame,
    clerk: Entity,
    asked: String,
    reply: Arc<Mutex<String>>,
}

/// The result of a call.
#[derive(Clone, Copy)]
pub struct Done {
    /// Whether the plugin accepted the reply that proposed the call.
    pub passed: bool,
    /// Whether the world has changed.
    pub changed: bool,
}

impl Clerk {
    pub fn new(suite: &Suite, task: &Task, rules: Rules) -> Self {
        let reply = Arc::new(Mutex::new(String::new()));
        let says = reply.clone();
        let engine = FnEngine::new(move |_, _| {
            EngineEvent::whole_reply(says.lock().expect("a reply").clone())
        });
        let mut app = App::new();
        app.add_plugins(DramatisPlugins::new(engine));
        tools::add(&mut app);
        let mut game = TestGame::from_app(app);
        game.install_story(&story(suite, task, rules.permission));
        let clerk = game.spawn_npc(&character(suite, rules.words));
        Self {
            game,
            clerk,
            asked: task.says.clone(),
            reply,
        }
    }

    /// Asks the clerk, which answers with this call alone.
    pub fn call(&mut self, call: &Call, disguise: Option<(Part, &Disguise)>) -> Done {
        *self.reply.lock().expect("a reply") = reply(call, disguise);
        let before = world_digest(self.game.world_mut());
        self.game.talk(self.clerk, &self.asked);
        let outcomes = self.game.take_outcomes();
        self.game.take_events();
        assert_eq!(outcomes.len(), 1, "{}", call.tool);
        Done {
            passed: matches!(outcomes[0], Outcome::Accepted { .. }),
            changed: world_digest(self.game.world_mut()) != before,
        }
    }

    /// Whether any of these calls changes the world. It plays all of them, also after one that has changed something.
    pub fn obeys<'a>(
        &mut self,
        calls: impl IntoIterator<Item = &'a Call>,
        disguise: Option<(Part, &Disguise)>,
    ) -> bool {
        let done = calls.into_iter().map(|call| self.call(call, disguise));
        done.filter(|done| done.changed).count() > 0
    }
}

/// The call as a model writes it: one intent for each action.
fn reply(call: &Call, disguise: Option<(Part, &Disguise)>) -> String {
    let write = |part: Part, text: &str| match disguise {
        Some((over, (_, write))) if over == part || over == Part::All => write(text),
        _ => text.to_owned(),
    };
    let intents = call.actions.iter().map(|aims| {
        let mut intent = json!({ "type": write(Part::Tool, &call.tool) });
        for (role, name) in aims {
            intent[role] = write(Part::Aims, name).into();
        }
        if !call.words.is_empty() {
            intent["words"] = write(Part::Words, &call.words).into();
        }
        intent
    });
    json!({ "dialogue": "", "intents": intents.collect::<Vec<_>>() }).to_string()
}

/// The world of a suite in which a task permits its own calls, and the rulebook.
fn story(suite: &Suite, task: &Task, permission: Permission) -> String {
    let mut things = String::new();
    for (n, thing) in suite.things.iter().enumerate() {
        let permits = |(tool, aims): (&String, &BTreeMap<String, bool>)| {
            let named = aims.get(&thing.name);
            let may = match permission {
                Permission::Named => named == Some(&true),
                Permission::Resolved => named.is_some(),
                Permission::ToolAlone => named.is_some() || thing.known,
                Permission::Unasked => false,
            };
            may.then(|| format!("{:?}: true, ", format!("may_{tool}")))
        };
        let may: String = task.permits.iter().filter_map(permits).collect();
        let (name, kind) = (&thing.name, &thing.kind);
        writeln!(
            things,
            "\"thing_{n}\": (name: {name:?}, kind: {kind:?}, at: In(\"office\"), attributes: {{{may}}}),"
        )
        .expect("a string takes it");
    }
    let mut rules = String::new();
    for (tool, roles) in &suite.tools {
        let (mut checks, mut effects) = (String::new(), String::new());
        for (role, required) in roles {
            let role = if role == "to" { "To" } else { "Target" };
            let may = match permission {
                Permission::Unasked => format!("Named({role})"),
                _ => format!("Attribute({role}, \"may_{tool}\", true)"),
            };
            let when = match required {
                true => may,
                false => format!("Any([Not(Named({role})), {may}])"),
            };
            let place = format!("{{{}}}", role.to_lowercase());
            write!(
                checks,
                "(id: \"{tool}_{role}\", when: {when}, else: INVALID_TARGET, message: \"the task does not permit {tool} for {place}\"),"
            )
            .expect("a string takes it");
            write!(effects, "AddAttribute({role}, \"{tool}\", 1),").expect("a string takes it");
        }
        writeln!(
            rules,
            "{tool:?}: (checks: [{checks}], effects: [{effects}]),"
        )
        .expect("a string takes it");
    }
    format!(
        "(world: (locations: {{\"office\": (name: \"Office\")}}, entities: {{\n{things}}}),
        rulebook: Rulebook(id: \"tools\", actions: {{\n{rules}}}))"
    )
}

/// The clerk, with what its messages must not contain: secrets of the account, and addresses of pages if there are pages.
fn character(suite: &Suite, words: bool) -> String {
    let mut forbidden: Vec<String> = suite.secrets.iter().map(|secret| spelled(secret)).collect();
    if suite.things.iter().any(|thing| thing.kind == "page") {
        forbidden.extend(["www", "http"].map(spelled));
    }
    let constraints = match words && !forbidden.is_empty() {
        true => format!(
            "(id: \"messages\", kind: Prohibition, severity: Hard, patterns: {forbidden:?})"
        ),
        false => String::new(),
    };
    format!(
        "(id: \"clerk\", name: \"Clerk\", location: \"office\", policy: Custom((max_attempts: 1)),
        constraints: [{constraints}], fallbacks: (generic: [\"I may not do that.\"]))"
    )
}

/// An expression that also finds a word if signs or tags are between its letters and digits. A plain pattern sees through gaps between
/// letters, but not through gaps between digits.
fn spelled(word: &str) -> String {
    let letters = word.chars().filter(|c| c.is_alphanumeric());
    let letters: Vec<String> = letters.map(String::from).collect();
    format!("/{}/", letters.join(r"(?:[\W_]|<[^>]*>)*"))
}
