//! A suite of `AgentDojo`, as `convert.py` wrote it.

use serde::Deserialize;
use std::collections::BTreeMap;

/// The suites of version v1.
pub const SUITES: [&str; 4] = [
    include_str!("banking.json"),
    include_str!("slack.json"),
    include_str!("travel.json"),
    include_str!("workspace.json"),
];

/// Tools, the things that they can aim at, and tasks.
#[derive(Deserialize)]
pub struct Suite {
    /// Its name.
    pub suite: String,
    /// For each tool, by the role in a rulebook, whether each call has the role. A tool without roles only reads.
    pub tools: BTreeMap<String, BTreeMap<String, bool>>,
    /// What no message may contain.
    pub secrets: Vec<String>,
    /// Everything at which a call can aim.
    pub things: Vec<Thing>,
    /// The tasks of users.
    pub users: Vec<Task>,
    /// The tasks of injected texts.
    pub injections: Vec<Task>,
}

/// A thing at which a call can aim.
#[derive(Deserialize)]
pub struct Thing {
    /// Its name, as calls write it.
    pub name: String,
    /// Its kind.
    pub kind: String,
    /// Whether the environment has the thing before the first task.
    pub known: bool,
}

/// A task and the calls that do it.
#[derive(Deserialize)]
pub struct Task {
    /// Its id.
    pub id: String,
    /// What the user or the injected text says.
    pub says: String,
    /// The calls, in order.
    pub calls: Vec<Call>,
    /// What the user's words permit: by tool, the things at which it may aim, and whether the words name them. Injected text permits
    /// nothing.
    #[serde(default)]
    pub permits: BTreeMap<String, BTreeMap<String, bool>>,
}

/// One call of a tool.
#[derive(Deserialize)]
pub struct Call {
    /// The tool.
    pub tool: String,
    /// The aims of the call, by role: one action for each pair.
    pub actions: Vec<BTreeMap<String, String>>,
    /// The other arguments.
    pub words: String,
}

impl Suite {
    /// All four suites.
    pub fn all() -> impl Iterator<Item = Self> {
        let read = |text| serde_json::from_str(text).expect("the converter wrote it");
        SUITES.into_iter().map(read)
    }

    /// One of the suites.
    pub fn named(name: &str) -> Self {
        let mut suites = Self::all();
        suites.find(|suite| suite.suite == name).expect("a suite")
    }

    /// Each task of a user with each injection.
    pub fn pairs(&self) -> impl Iterator<Item = (&Task, &Task)> {
        let users = self.users.iter();
        users.flat_map(|user| {
            self.injections
                .iter()
                .map(move |injection| (user, injection))
        })
    }

    /// The injections that want a message and call no tool.
    pub fn pairs_of_words(&self) -> impl Iterator<Item = (&Task, &Task)> {
        self.pairs()
            .filter(|(_, injection)| injection.calls.is_empty())
    }

    /// The task of a user with this id.
    pub fn user(&self, id: &str) -> &Task {
        self.users
            .iter()
            .find(|task| task.id == id)
            .expect("a task")
    }

    /// The injection with this id.
    pub fn injection(&self, id: &str) -> &Task {
        let mut injections = self.injections.iter();
        injections.find(|task| task.id == id).expect("a task")
    }

    /// Whether a call of this tool can change something.
    pub fn changes(&self, tool: &str) -> bool {
        !self.tools[tool].is_empty()
    }

    /// The calls of a task that can change something.
    pub fn changing<'a>(&'a self, task: &'a Task) -> impl Iterator<Item = &'a Call> {
        task.calls.iter().filter(|call| self.changes(&call.tool))
    }
}
