//! What most games need.

pub use crate::actor_turns::ActorCommandsExt;
pub use crate::adventure::AdventureCommandsExt;
pub use crate::app::DramatisAppExt;
pub use crate::authoring::Character;
pub use crate::authoring::assets::{CharacterAsset, StoryAsset};
pub use crate::base::ids::Id;
#[cfg(feature = "http")]
pub use crate::engine::HttpEngine;
pub use crate::engine::ScriptedEngine;
pub use crate::events::{
    Applied, AttemptFailed, AuthoringFailed, ClarificationNeeded, CommandFailed, DramatisReady,
    NotRemembered, PlanDecided, PlanEnded, PlanProposed, PlanQuestion, Remembered, RequestRefused,
    RunEnded, RunStarted, Spoke, SpokeSentence, StepDone, ThinkingLine, TurnEnded,
};
pub use crate::id;
pub use crate::journal::SaveCommandsExt;
pub use crate::judged_world::action::actions::{
    Close, Describe, Give, Introduce, MoveTo, Open, PutDown, Speak, Take, Use,
};
pub use crate::npc::{LoadedCharacter, Npc, NpcCommandsExt, Player, Request, Thinking};
pub use crate::pipeline::{EngineCommandsExt, Outcome};
pub use crate::plans::{PlanCharacterExt, PlanCommandsExt, PlanId, Plans};
pub use crate::plugin::{DramatisPlugins, PipelineSystems, dramatis_ready};
pub use crate::rules::TriggerReason;
pub use crate::staging::StoryCommandsExt;
pub use crate::story::Story;
pub use crate::town::TownCommandsExt;
pub use crate::world::{FieldKind, GameWrites, NpcAction, PlacedIn, WorldId, WorldValue};
