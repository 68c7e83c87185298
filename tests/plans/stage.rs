//! A small stage for plans: it builds a scenario from replies and steps.

use crate::studio::project::add_studio;
use bevy::prelude::*;
use bevy_dramatis::authoring::Files;
use bevy_dramatis::prelude::*;
use bevy_dramatis::scenario::{Scenario, play};
use bevy_dramatis::world::ActionRegistry;
use serde_json::{Value, json};
use std::path::Path;

/// The parts of the scenario.
#[derive(Default)]
pub struct Stage {
    /// Fields of `plans`.
    pub plans: String,
    /// Further fields of the scenario.
    pub more: String,
    replies: Vec<String>,
    steps: Vec<String>,
    studio: bool,
}

impl Stage {
    /// In the courtyard, with the shipped taxonomy `npc`.
    pub fn npc() -> Self {
        Self::default()
    }

    /// In the studio's project, with the shipped taxonomy `studio`.
    pub fn studio() -> Self {
        Self {
            studio: true,
            plans: "taxonomy: \"studio\"".to_owned(),
            ..Self::default()
        }
    }

    pub fn plans(mut self, fields: &str) -> Self {
        if !self.plans.is_empty() {
            self.plans.push_str(", ");
        }
        self.plans.push_str(fields);
        self
    }

    pub fn more(mut self, fields: &str) -> Self {
        self.more.push_str(fields);
        self
    }

    pub fn wish(self, reply: &Value) -> Self {
        self.says("PlanIntent", &reply.to_string())
    }

    pub fn plan(self, steps: &[Value]) -> Self {
        self.says("Plan", &json!({ "steps": steps }).to_string())
    }

    pub fn says(mut self, stage: &str, text: &str) -> Self {
        self.replies
            .push(format!("Reply((stage: {stage}, text: r##\"{text}\"##))"));
        self
    }

    pub fn fails(mut self, stage: &str, kind: &str, times: usize) -> Self {
        for _ in 0..times {
            self.replies
                .push(format!("Fail((kind: {kind}, stage: {stage}))"));
        }
        self
    }

    /// Adds a step that asks for the plan once.
    pub fn ask(self) -> Self {
        let npc = match self.studio {
            true => "assistant",
            false => "porter",
        };
        self.step(&format!("Ask(npc: \"{npc}\", text: \"Please.\")"))
    }

    pub fn step(mut self, step: &str) -> Self {
        self.steps.push(step.to_owned());
        self
    }

    /// Plays the scenario and returns the trace.
    pub fn trace(&self) -> Value {
        let (world, npc) = match self.studio {
            false => (
                "\"worlds/courtyard.world.ron\"".to_owned(),
                "\"npcs/porter.npc.ron\"".to_owned(),
            ),
            true => (PROJECT.to_owned(), ASSISTANT.to_owned()),
        };
        let source = format!(
            "Scenario(name: \"plans\", world: {world}, npcs: [{npc}], plans: ({}), {}\nreplies: [\n{}\n], steps: [\n{}\n])",
            self.plans,
            self.more,
            self.replies.join(",\n"),
            self.steps.join(",\n")
        );
        let configure: &dyn Fn(&mut App) = match self.studio {
            true => &add_studio,
            false => &|_| {},
        };
        let mut app = App::new();
        app.add_plugins(DramatisPlugins::silent());
        configure(&mut app);
        let registry = app.world().resource::<ActionRegistry>().clone();
        let files = Files::beside(Path::new("assets/x.scenario.ron"));
        let scenario = Scenario::parse(source.as_bytes(), "x.scenario.ron", &files, &registry)
            .unwrap_or_else(|errors| panic!("{errors:?}\n{source}"));
        play(&scenario, configure).trace
    }

    /// Plays the scenario and returns the first plan.
    pub fn first(&self) -> Value {
        self.trace()["plans"][0].clone()
    }
}

/// A wish that the model understands as this intent, with this confidence.
pub fn wish(intent: &str, confidence: impl Into<Value>, context: Value) -> Value {
    json!({"intent": intent, "confidence": confidence.into(), "context": context})
}

/// The usual wish: the rope for the player.
pub fn fetch() -> Value {
    wish("fetch", 0.95, json!({"thing": "rope", "to": "player"}))
}

/// A step.
pub fn step(id: &str, action: Value) -> Value {
    json!({"id": id, "action": action, "why": "that is what is wanted"})
}

/// The usual plan.
pub fn carry() -> Vec<Value> {
    vec![
        step("s1", json!({"type": "take", "target": "rope"})),
        json!({"id": "s2", "needs": ["s1"], "why": "she wants it", "action": {"type": "give", "target": "rope", "to": "player"}}),
    ]
}

const PROJECT: &str = r#"(
    locations: {"project": (name: "Project")},
    entities: {
        "player": (name: "Dana", kind: "character", at: In("project")),
        "main": (name: "src/main.rs", kind: "entry_point", at: In("project")),
        "login": (name: "src/login.rs", kind: "logic", at: In("project")),
        "logo": (name: "assets/logo.png", kind: "binary", at: In("project"), attributes: {"binary": true}),
        "vendor": (name: "vendor", kind: "link", at: In("project"), attributes: {"links_to": "../elsewhere"}),
        "gates": (name: "policy/gates.ron", kind: "policy", at: In("project")),
    },
)"#;
const ASSISTANT: &str = r#"(id: "assistant", name: "Assistant", persona: "You work on a project of files.", location: "project",
    fallbacks: (generic: ["Hm."]))"#;
