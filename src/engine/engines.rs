//! Which engine serves a run: that of the character, else that of the stage, else the default one.

use super::{
    Capabilities, Capacity, DefaultEngine, Engine, EngineIdentity, EngineStatus, SharedEngine,
    Stage,
};
use bevy::prelude::*;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// The engines that a game has in addition to its default one, by name, and which stages they serve. Fill it while the app is
/// built with [`add_engine`](crate::app::DramatisAppExt::add_engine) and
/// [`set_stage_engine`](crate::app::DramatisAppExt::set_stage_engine), or later as a resource: a change counts for runs that
/// start after it.
///
/// ```
/// use bevy::prelude::*;
/// use bevy_dramatis::engine::{NpcEngine, ScriptedEngine, Stage};
/// use bevy_dramatis::prelude::*;
///
/// App::new()
///     .add_plugins((MinimalPlugins, DramatisPlugins::silent()))
///     .add_engine("small", ScriptedEngine::silent())
///     .add_engine("large", ScriptedEngine::silent())
///     .set_stage_engine(Stage::Dialogue, "small")
///     .add_systems(Startup, |mut commands: Commands, assets: Res<AssetServer>| {
///         // This one is worth the large model.
///         commands.spawn((Npc(assets.load("npcs/king.npc.ron")), NpcEngine("large".to_owned())));
///     });
/// ```
#[derive(Resource, Clone, Default)]
pub struct Engines {
    named: BTreeMap<String, DefaultEngine>,
    stages: BTreeMap<Stage, String>,
}

/// On a character: the name of the engine that serves its runs, in place of that of their stage. While no engine has that
/// name, requests to the character are refused with [`RequestError::Engine`](crate::npc::RequestError::Engine).
#[derive(Component, Debug, Clone, PartialEq, Eq, Reflect)]
#[reflect(Component)]
pub struct NpcEngine(pub String);

/// Why a run gets no engine.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum EngineChoiceError {
    /// No engine has this name, which the character or the stage names.
    #[error("no engine is called \"{0}\"")]
    Unknown(String),
    /// The engine lacks what the stage needs.
    #[error("{engine} cannot serve the stage {}: it lacks {lacks}", .stage.snake_case())]
    Unfit {
        /// The engine, as people say it: `the engine "small"`, or `the default engine`.
        engine: String,
        /// The stage that the run plays.
        stage: Stage,
        /// What it lacks: the name of a field of [`Capabilities`].
        lacks: &'static str,
    },
}

/// On a run: the engine that serves all of its attempts, chosen when it starts. What the engine can do decides how the prompt
/// is written.
#[derive(Component, Clone)]
#[component(immutable)]
pub struct RunEngine {
    /// The name under which the game has it; `None` for the default one.
    name: Option<String>,
    engine: SharedEngine,
    identity: EngineIdentity,
}

impl RunEngine {
    /// The same engine under another identity: a replay answers for the one that was recorded.
    pub(crate) fn with_identity(&self, identity: EngineIdentity) -> Self {
        Self {
            name: self.name.clone(),
            engine: self.engine.clone(),
            identity,
        }
    }

    /// Which model answers, and what its engine can do.
    #[must_use]
    pub fn identity(&self) -> &EngineIdentity {
        &self.identity
    }

    /// The name under which the game has it; `None` for the default one.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Whether it is this default engine. It is not, when another one took its place after the run started.
    #[must_use]
    pub fn is_default(&self, default: &DefaultEngine) -> bool {
        Arc::ptr_eq(&self.engine, &default.engine)
    }

    /// What it can take at once.
    #[must_use]
    pub fn capacity(&self) -> Capacity {
        self.engine.capacity()
    }

    /// Whether it can be asked now.
    #[must_use]
    pub fn status(&self) -> EngineStatus {
        self.engine.status()
    }

    pub(crate) fn engine(&self) -> &SharedEngine {
        &self.engine
    }
}

impl From<&DefaultEngine> for RunEngine {
    fn from(default: &DefaultEngine) -> Self {
        Self {
            name: None,
            engine: default.engine.clone(),
            identity: default.identity.clone(),
        }
    }
}

impl fmt::Debug for RunEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("RunEngine").field(&self.identity).finish()
    }
}

impl Engines {
    /// Adds an engine under a name, and asks for its identity. It replaces an engine that has the name already.
    pub fn add(&mut self, name: impl Into<String>, engine: impl Engine) {
        let engine = DefaultEngine::new(Arc::new(engine));
        self.named.insert(name.into(), engine);
    }

    /// Lets the engine of this name serve a stage, except for the characters that name another one. The name may be added
    /// later.
    pub fn assign(&mut self, stage: Stage, name: impl Into<String>) {
        self.stages.insert(stage, name.into());
    }

    /// Asks every engine once more who it is. What has changed, by name.
    pub(crate) fn identify(&mut self) -> Vec<(String, EngineIdentity, EngineIdentity)> {
        let mut changed = Vec::new();
        for (name, engine) in &mut self.named {
            let now = engine.engine.identity();
            if now != engine.identity {
                let before = std::mem::replace(&mut engine.identity, now.clone());
                changed.push((name.clone(), before, now));
            }
        }
        changed
    }

    /// The engine with this name; `None` when there is none.
    #[cfg(feature = "inspector")]
    pub(crate) fn get(&self, name: &str) -> Option<&DefaultEngine> {
        self.named.get(name)
    }

    /// The names of the engines, in order of the alphabet.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.named.keys().map(String::as_str)
    }

    /// Whether the engines can be asked now, by name.
    pub(crate) fn statuses(&self) -> impl Iterator<Item = (&str, EngineStatus)> {
        let named = self.named.iter();
        named.map(|(name, engine)| (name.as_str(), engine.engine.status()))
    }

    fn name_for<'a>(&'a self, npc: Option<&'a NpcEngine>, stage: Stage) -> Option<&'a String> {
        npc.map(|npc| &npc.0).or_else(|| self.stages.get(&stage))
    }

    /// The engine that is there for a run, whether or not it can serve it.
    ///
    /// # Errors
    /// `EngineChoiceError::Unknown` when no engine has the name that the character or the stage names.
    pub(crate) fn serving<'a>(
        &'a self,
        npc: Option<&NpcEngine>,
        stage: Stage,
        default: &'a DefaultEngine,
    ) -> Result<&'a DefaultEngine, EngineChoiceError> {
        match npc.map(|npc| &npc.0).or_else(|| self.stages.get(&stage)) {
            None => Ok(default),
            Some(name) => self
                .named
                .get(name)
                .ok_or_else(|| EngineChoiceError::Unknown(name.clone())),
        }
    }

    /// The engine of a run: the one that the character names, else that of the stage, else `default`.
    ///
    /// # Errors
    /// See `EngineChoiceError`. Another engine never steps in for one that was named.
    pub(crate) fn choose(
        &self,
        npc: Option<&NpcEngine>,
        stage: Stage,
        default: &DefaultEngine,
    ) -> Result<RunEngine, EngineChoiceError> {
        let name = self.name_for(npc, stage);
        let engine = self.serving(npc, stage, default)?;
        match stage.lacking(&engine.identity.capabilities) {
            None => Ok(RunEngine {
                name: name.cloned(),
                ..engine.into()
            }),
            Some(lacks) => Err(EngineChoiceError::Unfit {
                engine: name.map_or("the default engine".to_owned(), |name| {
                    format!("the engine \"{name}\"")
                }),
                stage,
                lacks,
            }),
        }
    }
}

impl Stage {
    /// Whether it is one of the calls of a dialogue in which not all is asked for at once.
    pub(crate) fn is_part_of_dialogue(self) -> bool {
        matches!(self, Self::Decide | Self::Speak)
    }

    /// Whether a reply of a script answers it only where the reply names it.
    pub(super) fn is_asked_by_name(self) -> bool {
        matches!(
            self,
            Self::Decide | Self::Remember | Self::Diary | Self::PlayerLines
        )
    }

    /// What an engine of these capabilities lacks to serve this stage; `None` when it can. A plan is read from JSON alone;
    /// all other stages read prose too.
    #[must_use]
    pub fn lacking(self, capabilities: &Capabilities) -> Option<&'static str> {
        (matches!(self, Self::PlanIntent | Self::Plan) && !capabilities.json).then_some("json")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::ScriptedEngine;

    fn engine(model: &str, json: bool) -> ScriptedEngine {
        ScriptedEngine::silent().with_identity(EngineIdentity {
            model: model.to_owned(),
            capabilities: Capabilities {
                json,
                ..Capabilities::default()
            },
            ..EngineIdentity::new("test", "test")
        })
    }

    fn chosen(engines: &Engines, npc: Option<&str>, stage: Stage) -> Result<String, String> {
        let default = DefaultEngine::new(Arc::new(engine("default", true)));
        let npc = npc.map(|name| NpcEngine(name.to_owned()));
        let chosen = engines.choose(npc.as_ref(), stage, &default);
        chosen
            .map(|engine| engine.identity().model.clone())
            .map_err(|error| error.to_string())
    }

    #[test]
    fn s7_a_character_names_its_engine_else_the_stage_else_the_default_one_serves() {
        let mut engines = Engines::default();
        let ok = |model: &str| Ok(model.to_owned());
        assert_eq!(chosen(&engines, None, Stage::Dialogue), ok("default"));
        engines.add("small", engine("tiny-1", true));
        engines.add("large", engine("huge-1", true));
        engines.assign(Stage::Dialogue, "small");
        assert_eq!(chosen(&engines, None, Stage::Dialogue), ok("tiny-1"));
        assert_eq!(chosen(&engines, None, Stage::Narrator), ok("default"));
        assert_eq!(
            chosen(&engines, Some("large"), Stage::Dialogue),
            ok("huge-1")
        );
    }

    #[test]
    fn s7_an_engine_that_is_not_there_or_lacks_something_is_refused_with_the_reason() {
        let mut engines = Engines::default();
        engines.add("prose", engine("bard-1", false));
        engines.assign(Stage::Plan, "prose");
        engines.assign(Stage::Narrator, "gone");
        assert_eq!(
            chosen(&engines, None, Stage::Plan),
            Err("the engine \"prose\" cannot serve the stage plan: it lacks json".to_owned())
        );
        assert_eq!(
            chosen(&engines, None, Stage::Narrator),
            Err("no engine is called \"gone\"".to_owned())
        );
        assert!(chosen(&engines, Some("prose"), Stage::Dialogue).is_ok());
    }
}
