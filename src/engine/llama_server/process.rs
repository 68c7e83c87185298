//! The server's process, its last words, and the shell that ends it when the game is killed.

use super::settings::LlamaServer;
use crate::base::lock::lock;
use crate::engine::setup_error::EngineSetupError;
use std::io::{self, Read};
use std::net::{Ipv4Addr, TcpListener};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};

/// How much of what the server prints is kept: the last of it.
const KEPT: usize = 16 * 1024;
/// The longest reason that is shown, in characters.
const SHOWN: usize = 300;

/// A server that runs, or has ended. Dropping it ends it.
pub(super) struct ServerProcess {
    child: Child,
    port: u16,
    printed: Arc<Mutex<Vec<u8>>>,
    /// Ends the server when this process is gone.
    guard: Option<Child>,
}

/// A port on which no program listens now.
pub(super) fn free_port() -> io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    Ok(listener.local_addr()?.port())
}

/// The error for a machine without a free port or room for a thread.
pub(super) fn no_room(error: io::Error) -> EngineSetupError {
    EngineSetupError::System(error.to_string())
}

impl ServerProcess {
    /// Starts the program. It listens on `port` of this machine alone, and wants `key`. The key is in its environment and not
    /// among its arguments, because every user of the machine can see the arguments.
    pub fn start(settings: &LlamaServer, port: u16, key: &str) -> Result<Self, EngineSetupError> {
        let tokens = u64::from(settings.slots) * u64::from(settings.context_tokens);
        let mut command = Command::new(&settings.program);
        command
            .arg("--model")
            .arg(&settings.model)
            .args(["--host", "127.0.0.1"])
            .args(["--port", &port.to_string()])
            .args(["--parallel", &settings.slots.to_string()])
            .args(["--ctx-size", &tokens.to_string()])
            .args(["--alias", &settings.model_name()])
            .args(&settings.arguments)
            .env("LLAMA_API_KEY", key)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        let started = command.spawn();
        let mut child = started.map_err(|error| EngineSetupError::Program {
            program: settings.program.clone(),
            error: error.to_string(),
        })?;
        let stderr = child.stderr.take();
        let guard = guard(child.id());
        // From here on whatever goes wrong ends the server: dropping it does.
        let process = Self {
            child,
            port,
            printed: Arc::default(),
            guard,
        };
        if let Some(stderr) = stderr {
            let printed = Arc::clone(&process.printed);
            // It ends with the server, which closes its end.
            let reader = std::thread::Builder::new().name("llama-server output".to_owned());
            reader
                .spawn(move || keep_last(stderr, &printed))
                .map_err(no_room)?;
        }
        Ok(process)
    }

    /// The port of this machine on which it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// How it has ended; `None` while it runs.
    pub fn ended(&mut self) -> Option<String> {
        let status = match self.child.try_wait() {
            Ok(None) => return None,
            Ok(Some(status)) => status_in_words(status),
            Err(error) => format!("it cannot be watched: {error}"),
        };
        let printed = lock(&self.printed);
        Some(match last_error(&String::from_utf8_lossy(&printed)) {
            Some(said) => format!("{status}: {said}"),
            None => status,
        })
    }
}

impl Drop for ServerProcess {
    fn drop(&mut self) {
        // One that has ended cannot be ended, which is all right.
        let _ = self.child.kill();
        let _ = self.child.wait();
        // Only now: the guard must not end another process that got the same number.
        if let Some(mut guard) = self.guard.take() {
            let _ = guard.kill();
            let _ = guard.wait();
        }
    }
}

/// A shell that reads from this process until it is gone, and then ends the server.
#[cfg(unix)]
fn guard(server: u32) -> Option<Child> {
    let script = r#"read -r _; kill "$0"; sleep 1; kill -9 "$0""#;
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", script, &server.to_string()])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    match shell.spawn() {
        Ok(guard) => Some(guard),
        Err(error) => {
            log::warn!("a server will outlive this game if it is killed: {error}");
            None
        }
    }
}

#[cfg(not(unix))]
fn guard(_: u32) -> Option<Child> {
    None
}

fn status_in_words(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("it has ended with {code}"),
        None => "it was killed".to_owned(),
    }
}

/// Keeps the last of what is printed.
fn keep_last(mut stderr: ChildStderr, printed: &Mutex<Vec<u8>>) {
    let mut part = [0; 4096];
    while let Ok(read) = stderr.read(&mut part) {
        if read == 0 {
            break;
        }
        let mut printed = lock(printed);
        printed.extend_from_slice(&part[..read]);
        let surplus = printed.len().saturating_sub(KEPT);
        printed.drain(..surplus);
    }
}

/// The last line that mentions an error; `None` where no line does.
fn last_error(printed: &str) -> Option<String> {
    let speaks_of_error = |line: &&str| {
        let line = line.to_lowercase();
        ["error", "failed", "unable", "cannot", "invalid"]
            .iter()
            .any(|word| line.contains(word))
    };
    let lines = printed.lines().map(str::trim);
    let said = lines.rev().find(speaks_of_error)?;
    Some(
        said.chars()
            .filter(|c| !c.is_control())
            .take(SHOWN)
            .collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e5_the_last_error_is_shown() {
        assert_eq!(last_error("\n \n"), None);
        assert_eq!(last_error("one\ntwo\n"), None);
        let printed = "load: error loading model: bad magic\nsrv: cleaning up\n";
        let said = last_error(printed);
        assert_eq!(
            said.as_deref(),
            Some("load: error loading model: bad magic")
        );
        let long = "error ".repeat(1_000);
        assert_eq!(last_error(&long).map(|said| said.len()), Some(SHOWN));
    }
}
