//! The registry of the tools that a game adds to those of the extractors.

use crate::engine::Stage;
use crate::proposal::{ToolError, ToolReader, ToolSpec};
use bevy::prelude::*;
use std::sync::Arc;

/// The tools of the game, in the order in which they were added. See
/// [`add_tool`](crate::app::DramatisAppExt::add_tool).
#[derive(Resource, Debug, Clone, Default)]
pub(crate) struct ToolRegistry(Arc<Vec<ToolSpec>>);

impl ToolRegistry {
    /// Adds a tool.
    ///
    /// # Errors
    /// See `ToolError`.
    pub(crate) fn add(&mut self, tool: ToolSpec) -> std::result::Result<(), ToolError> {
        tool.check()?;
        if self.0.iter().any(|other| other.name == tool.name) {
            return Err(ToolError::Taken(tool.name));
        }
        Arc::make_mut(&mut self.0).push(tool);
        Ok(())
    }

    /// The tools that the extractor of this stage has.
    pub(super) fn of(&self, stage: Stage) -> Vec<ToolSpec> {
        let reader = match stage {
            Stage::PersonaExtractor => ToolReader::Personas,
            Stage::CharacterExtractor => ToolReader::Characters,
            Stage::LoreExtractor => ToolReader::Lore,
            _ => return Vec::new(),
        };
        let tools = self.0.iter().filter(|tool| tool.reader == reader);
        tools.cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_once() {
        let promise = ToolSpec::new("promise", "notes a promise", ToolReader::Personas);
        let mut tools = ToolRegistry::default();
        tools.add(promise.clone()).unwrap();
        let taken = Err(ToolError::Taken("promise".to_owned()));
        assert_eq!(tools.add(promise), taken);
    }
}
