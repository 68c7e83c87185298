//! What the command line asks for.

use crate::looks::Quality;
use crate::{cast, problems};
use bevy_dramatis::plugin::EngineSource;
use bevy_dramatis::prelude::*;
use std::path::PathBuf;

pub const USAGE: &str =
    "usage: wizard [--headless | [--pictures FOLDER | --frames] [--low | --high]]";

/// What the command line asks for.
#[derive(Default)]
pub struct Options {
    pub headless: bool,
    /// The folder for pictures; `None` when a player plays.
    pub pictures: Option<PathBuf>,
    /// Whether to measure how long frames take.
    pub frames: bool,
    /// `None`: it depends on the machine.
    pub quality: Option<Quality>,
}

impl Options {
    pub fn from_args(mut args: impl Iterator<Item = String>) -> Option<Self> {
        let mut options = Self::default();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--headless" => options.headless = true,
                "--pictures" => options.pictures = Some(args.next()?.into()),
                "--frames" => options.frames = true,
                "--low" => options.quality = Some(Quality::Low),
                "--high" => options.quality = Some(Quality::High),
                _ => return None,
            }
        }
        // Pictures and frame times are taken apart.
        (options.pictures.is_none() || !options.frames).then_some(options)
    }

    /// What answers for the characters; and, in a sentence, what is wrong with the server that the environment names.
    pub fn engine(&self) -> (EngineSource, Option<String>) {
        // What is played by itself must go as written, so the script answers whatever the environment says.
        let plays_itself = self.frames || self.pictures.is_some();
        let named = match plays_itself {
            false => HttpEngine::from_env().engine(),
            true => None,
        };
        let script = EngineSource::Script(cast::SCRIPT.to_owned());
        match named {
            Some(Ok(engine)) => (engine.into(), None),
            Some(Err(error)) => {
                let why = problems::short(&error.to_string());
                let problem = format!("The environment names a server that cannot be used: {why}.");
                (script, Some(problem))
            }
            None => (script, None),
        }
    }
}
