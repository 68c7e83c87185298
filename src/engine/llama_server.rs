//! [`LlamaServer`]: a llama.cpp server that the game brings along, starts and ends.

mod health;
mod process;
mod settings;
mod supervisor;

pub use settings::LlamaServer;

use self::supervisor::Supervisor;
use crate::engine::setup_error::EngineSetupError;
use crate::engine::{
    Capacity, Engine, EngineCall, EngineError, EngineEvent, EngineIdentity, EngineRequest,
    EngineStatus, IdentityProbe, TokenUsage,
};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// What a file of a model begins with.
const MAGIC: [u8; 4] = *b"GGUF";

impl LlamaServer {
    /// Starts the server and returns at once: it loads its model while the game goes on. See [`Engine::status`]. Clones of the engine
    /// share the server, and it ends with the last of them.
    ///
    /// # Errors
    /// See [`EngineSetupError`].
    pub fn start(self) -> Result<impl Engine + Clone, EngineSetupError> {
        check_model(&self.model)?;
        let supervisor = Supervisor::start(self)?;
        Ok(LlamaServerEngine(Arc::new(supervisor)))
    }
}

fn check_model(path: &Path) -> Result<(), EngineSetupError> {
    let no_model = |error: std::io::Error| EngineSetupError::NoModel {
        path: path.to_owned(),
        error: error.to_string(),
    };
    let mut magic = Vec::new();
    let file = std::fs::File::open(path).map_err(no_model)?;
    let mut beginning = file.take(4);
    beginning.read_to_end(&mut magic).map_err(no_model)?;
    if magic == MAGIC {
        return Ok(());
    }
    let path = path.to_owned();
    Err(EngineSetupError::NotAModel { path })
}

/// A server that was started: an engine. Clones share it, and it ends with the last of them.
#[derive(Clone)]
struct LlamaServerEngine(Arc<Supervisor>);

impl Engine for LlamaServerEngine {
    fn identity(&self) -> EngineIdentity {
        self.0.http().identity()
    }

    fn probe(&self) -> Option<IdentityProbe> {
        self.0.http().probe()
    }

    fn capacity(&self) -> Capacity {
        self.0.http().capacity()
    }

    fn status(&self) -> EngineStatus {
        match self.0.status() {
            // It has slots now, and they are asked for before the first call.
            EngineStatus::Ready => self.0.http().status(),
            other => other,
        }
    }

    fn usage(&self) -> TokenUsage {
        self.0.http().usage()
    }

    fn warm(&self, request: EngineRequest) -> Option<EngineCall> {
        self.0.http().warm(request)
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        match self.0.status().hindrance() {
            None => self.0.http().start(request),
            Some(why) => {
                let error = EngineError::Unreachable(why.to_owned());
                EngineCall::ready([EngineEvent::Failed(error)])
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn started(program: &str, model: &Path) -> String {
        match LlamaServer::new(program, model).start() {
            Ok(_) => "started".to_owned(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn e5_what_cannot_be_started_is_said_in_one_sentence() {
        let folder = tempfile::tempdir().unwrap();
        let nothing = folder.path().join("none.gguf");
        let gone = started("llama-server", &nothing);
        assert!(gone.starts_with("the model "), "{gone}");
        assert!(gone.contains("none.gguf cannot be read: "), "{gone}");

        let text = folder.path().join("text.gguf");
        std::fs::write(&text, "GGU").unwrap();
        let text = started("llama-server", &text);
        assert!(text.ends_with("text.gguf is not a GGUF model"), "{text}");

        let model = folder.path().join("model.gguf");
        std::fs::write(&model, "GGUF....").unwrap();
        let program = started("there-is-no-such-program", &model);
        let wanted = "the program there-is-no-such-program cannot be started: ";
        assert!(program.starts_with(wanted), "{program}");
    }
}
