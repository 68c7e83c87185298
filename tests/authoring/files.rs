//! A game with its files in memory, with the asset server and hot reload.

use bevy::asset::io::memory::{Dir, MemoryAssetReader};
use bevy::asset::io::{
    AssetReader, AssetReaderError, AssetSourceBuilder, AssetSourceId, PathStream, Reader,
};
use bevy::prelude::*;
use bevy_dramatis::authoring::StoryAsset;
use bevy_dramatis::events::AuthoringFailed;
use bevy_dramatis::format::AuthoringError;
use bevy_dramatis::npc::Npc;
use bevy_dramatis::plugin::DramatisPlugins;
use bevy_dramatis::story::Story;
use bevy_dramatis::testing::{FnEngine, SpokenLine, TestGame};
use std::future::poll_fn;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::task::{Poll, Waker};

/// Files in memory, which a test can hold back.
#[derive(Clone, Default)]
pub struct Disk {
    files: Dir,
    held: Arc<Mutex<Option<Vec<Waker>>>>,
}

impl Disk {
    pub fn write(&self, path: &str, text: &str) {
        self.files.insert_asset_text(Path::new(path), text);
    }

    fn reader(&self) -> MemoryAssetReader {
        MemoryAssetReader {
            root: self.files.clone(),
        }
    }

    /// From now on no file can be read.
    pub fn hold(&self) {
        *self.held.lock().unwrap() = Some(Vec::new());
    }

    /// Lets the reads go on that were held back.
    pub fn release(&self) {
        let waiting = self.held.lock().unwrap().take();
        waiting.into_iter().flatten().for_each(Waker::wake);
    }

    async fn released(&self) {
        poll_fn(|context| match &mut *self.held.lock().unwrap() {
            None => Poll::Ready(()),
            Some(waiting) => {
                waiting.push(context.waker().clone());
                Poll::Pending
            }
        })
        .await;
    }
}

impl AssetReader for Disk {
    async fn read<'a>(
        &'a self,
        path: &'a Path,
    ) -> std::result::Result<impl Reader + 'a, AssetReaderError> {
        self.released().await;
        let mut bytes = Vec::new();
        self.reader()
            .read(path)
            .await?
            .read_to_end(&mut bytes)
            .await?;
        Ok(bevy::asset::io::VecReader::new(bytes))
    }

    async fn read_meta<'a>(
        &'a self,
        path: &'a Path,
    ) -> std::result::Result<impl Reader + 'a, AssetReaderError> {
        Err::<bevy::asset::io::VecReader, _>(AssetReaderError::NotFound(path.to_owned()))
    }

    async fn read_directory<'a>(
        &'a self,
        path: &'a Path,
    ) -> std::result::Result<Box<PathStream>, AssetReaderError> {
        Err(AssetReaderError::NotFound(path.to_owned()))
    }

    async fn is_directory<'a>(
        &'a self,
        _: &'a Path,
    ) -> std::result::Result<bool, AssetReaderError> {
        Ok(false)
    }
}

#[derive(Resource, Default)]
struct Failures(Vec<AuthoringError>);

pub struct GameWithFiles {
    pub game: TestGame,
    pub disk: Disk,
}

/// More frames than any file needs to load, so that a hang is a failed test.
pub const MOST_FRAMES: usize = 100_000;

impl GameWithFiles {
    pub fn new(plugins: DramatisPlugins, files: &[(&str, &str)]) -> Self {
        let disk = Disk::default();
        files.iter().for_each(|(path, text)| disk.write(path, text));
        let mut app = App::new();
        let source = disk.clone();
        app.add_plugins(TaskPoolPlugin::default())
            .register_asset_source(
                AssetSourceId::Default,
                AssetSourceBuilder::new(move || Box::new(source.clone())),
            )
            .add_plugins(AssetPlugin::default())
            .init_resource::<Failures>()
            .add_observer(
                |failed: On<AuthoringFailed>, mut failures: ResMut<Failures>| {
                    failures.0.push(failed.error.clone());
                },
            );
        app.add_plugins(plugins);
        let mut game = TestGame::from_app(app);
        // As in `App::run`: the game registers loaders when it knows every action.
        game.app.finish();
        game.app.cleanup();
        Self { game, disk }
    }

    /// With an engine that always says one line.
    pub fn saying(line: &str, files: &[(&str, &str)]) -> Self {
        Self::new(DramatisPlugins::new(FnEngine::always(line)), files)
    }

    pub fn load<A: Asset>(&mut self, path: &str) -> Handle<A> {
        self.game
            .world()
            .resource::<AssetServer>()
            .load(path.to_owned())
    }

    pub fn npc(&mut self, path: &str) -> Entity {
        let handle = self.load(path);
        self.game.world_mut().spawn(Npc(handle)).id()
    }

    pub fn story(&mut self, path: &str) {
        let handle = self.load::<StoryAsset>(path);
        self.game.world_mut().insert_resource(Story(handle));
    }

    /// Changes a file and reloads it, as a file watcher does.
    pub fn rewrite(&mut self, path: &str, text: &str) {
        self.disk.write(path, text);
        self.game
            .world()
            .resource::<AssetServer>()
            .reload(path.to_owned());
    }

    /// Plays frames until something holds.
    pub fn until(&mut self, what: &str, mut holds: impl FnMut(&mut TestGame) -> bool) {
        assert!(
            (0..MOST_FRAMES).any(|_| {
                self.game.frame();
                std::thread::yield_now();
                holds(&mut self.game)
            }),
            "never happened: {what}"
        );
    }

    /// The next line that a character says after the player has spoken.
    pub fn answer(&mut self, npc: Entity) -> SpokenLine {
        self.game.say(npc, "Hello");
        self.next_line()
    }

    pub fn next_line(&mut self) -> SpokenLine {
        let mut lines = Vec::new();
        self.until("a character speaks", |game| {
            lines.extend(game.take_lines());
            !lines.is_empty()
        });
        assert_eq!(lines.len(), 1);
        lines.remove(0)
    }

    /// Waits for the next errors and returns them.
    pub fn errors(&mut self) -> Vec<AuthoringError> {
        self.until("an error is told", |game| {
            !game.world().resource::<Failures>().0.is_empty()
        });
        std::mem::take(&mut self.game.world_mut().resource_mut::<Failures>().0)
    }

    pub fn has_failures(&mut self) -> bool {
        !self.game.world().resource::<Failures>().0.is_empty()
    }

    pub fn prompt(&mut self, npc: Entity) -> String {
        self.answer(npc);
        self.game.attempts().last().unwrap().prompt.to_string()
    }
}
