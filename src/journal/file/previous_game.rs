//! The game that was in a journal's file when it was opened, read and checked on another thread.

use crate::journal::save::file::{LoadGameError, Save};
use crate::journal::store::Store;
use crossbeam_channel::Receiver;
use std::path::Path;
use std::thread;

/// The game that was in the file. It is the one of the moment of opening, whatever is written to the file meanwhile.
pub(in crate::journal) enum PreviousGame {
    /// Another thread reads it.
    Reading(Receiver<Result<Save, LoadGameError>>),
    /// It was read. Boxed, since a game is large.
    Read(Box<Result<Save, LoadGameError>>),
}

impl PreviousGame {
    /// Begins to read. The view of the file is taken before this returns; where no thread can be started, all of it is read.
    pub(in crate::journal) fn read(path: &Path) -> Self {
        let store = Store::read(path).and_then(|store| store.hold_still().map(|()| store));
        let store = match store {
            Ok(store) => store,
            Err(error) => return Self::Read(Box::new(Err(error.into()))),
        };
        let (sender, receiver) = crossbeam_channel::bounded(1);
        let (path, at) = (path.to_path_buf(), path);
        let reading = thread::Builder::new().name("journal check".into());
        let begun = reading.spawn(move || {
            let _ = sender.send(Save::of(&store, &path));
        });
        match begun {
            Ok(_) => Self::Reading(receiver),
            Err(_) => Self::Read(Box::new(Save::read(at))),
        }
    }

    /// The game that was in the file. It waits until the other thread has read all of it, and fails where the file is damaged.
    pub(in crate::journal) fn wait(self) -> Result<Save, LoadGameError> {
        match self {
            Self::Reading(receiver) => match receiver.recv() {
                Ok(read) => read,
                // The thread has panicked: nothing is known of the file.
                Err(_) => Err(LoadGameError::StillLoading),
            },
            Self::Read(read) => *read,
        }
    }

    /// The result, once, as soon as it is known. The number of the last record, if all is well.
    pub(in crate::journal) fn look(&mut self) -> Option<Result<u64, LoadGameError>> {
        let Self::Reading(receiver) = self else {
            return None;
        };
        let read = match receiver.try_recv() {
            Ok(read) => read,
            Err(crossbeam_channel::TryRecvError::Empty) => return None,
            Err(crossbeam_channel::TryRecvError::Disconnected) => Err(LoadGameError::StillLoading),
        };
        let records = read.as_ref().map(|save| save.records);
        let records = records.map_err(Clone::clone);
        *self = Self::Read(Box::new(read));
        Some(records)
    }
}
