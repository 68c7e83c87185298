//! What a llama.cpp server says of itself in `/props`: which model it serves, with the hash of the model's file where it can be
//! read, how many slots it has, and how large each of them is.

use super::exchange::{Body, is_unreachable};
use super::reply::short_text;
use super::shared::{SeenModel, Shared, SlotCount};
use crate::base::lock::lock;
use futures_lite::future::or;
use futures_timer::Delay;
use reqwest::{Response, StatusCode, header};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, SystemTime};

/// How long the server may take to say which model it serves.
const PATIENCE: Duration = Duration::from_secs(2);
/// How much of what it says is read.
const MAX_BODY: usize = 1024 * 1024;
/// How much of a file is read before others have their turn.
const BLOCK: usize = 1024 * 1024;

/// The most characters of a prompt for a slot of this many tokens: three for each token, a careful guess for English, without the
/// tokens of the reply, which are 1,024, or a quarter of a small slot.
pub(in crate::engine) fn prompt_chars(tokens: u32) -> usize {
    const CHARS_PER_TOKEN: usize = 3;
    const REPLY_TOKENS: u32 = 1_024;
    let tokens = tokens - REPLY_TOKENS.min(tokens / 4);
    usize::try_from(tokens)
        .unwrap_or(usize::MAX)
        .saturating_mul(CHARS_PER_TOKEN)
}

/// Asks the server how many slots it has, and how large they are.
pub(super) async fn ask_slots(shared: &Shared) {
    let late = async {
        Delay::new(PATIENCE).await;
        Some(None)
    };
    let answered = or(answer(shared), late).await;
    shared.note(|seen| match &answered {
        None => seen.slots = SlotCount::Unknown,
        Some(props) => {
            seen.slots = SlotCount::Told(None);
            note_slots(seen, props.as_ref());
        }
    });
}

/// Notes what a server has said of its slots.
fn note_slots(seen: &mut SeenModel, props: Option<&Value>) {
    let number = |pointer: &str| {
        let told = props.and_then(|props| props.pointer(pointer));
        let number = told.and_then(Value::as_u64).filter(|number| *number > 0);
        number.and_then(|number| u32::try_from(number).ok())
    };
    if let Some(slots) = number("/total_slots") {
        seen.slots = SlotCount::Told(Some(slots));
    }
    let context_tokens = number("/default_generation_settings/n_ctx");
    seen.context_tokens = context_tokens.or(seen.context_tokens);
}

/// Asks the server which model it serves, and how many slots it has. One that does not say leaves everything as it is known.
pub(super) async fn ask(shared: &Shared) {
    let late = async {
        Delay::new(PATIENCE).await;
        None
    };
    let Some(Some(props)) = or(answer(shared), late).await else {
        return;
    };
    shared.note(|seen| note_slots(seen, Some(&props)));
    let Some(path) = short_text(&props, "model_path") else {
        return;
    };
    let hash = hash_of(&path).await;
    let file = Path::new(&path).file_name();
    let file = file.map(|name| name.to_string_lossy().into_owned());
    shared.note(|seen| {
        seen.file = file;
        seen.hash = hash;
    });
}

/// What the server answers: `None` when it is not there or not ready, `Some(None)` when it says no such thing.
async fn answer(shared: &Shared) -> Option<Option<Value>> {
    let mut call = shared.client.get(shared.props.clone()?);
    if let Some(authorization) = &shared.authorization {
        call = call.header(header::AUTHORIZATION, authorization.clone());
    }
    let response = match call.send().await {
        Ok(response) => response,
        Err(error) if is_unreachable(&error) => return None,
        Err(_) => return Some(None),
    };
    // While it loads a model it answers 503 to everything.
    let is_loading = response.status() == StatusCode::SERVICE_UNAVAILABLE;
    (!is_loading).then_some(())?;
    Some(read(response).await)
}

async fn read(response: Response) -> Option<Value> {
    let mut all = Body::of(response.error_for_status().ok()?);
    let mut body = Vec::new();
    while let Some(chunk) = all.chunk().await.ok()? {
        if body.len() + chunk.len() > MAX_BODY {
            return None;
        }
        body.extend_from_slice(&chunk);
    }
    serde_json::from_slice(&body).ok()
}

/// A file as it was when it was read: its path, its length, and when it was written last.
type FileKey = (String, u64, SystemTime);

/// Hashes of files that were read once: reading gigabytes before each step would take long.
static KNOWN: Mutex<BTreeMap<FileKey, String>> = Mutex::new(BTreeMap::new());
/// The largest file that is read.
const MAX_FILE: u64 = 64 << 30;
/// The most files that are remembered.
const MAX_KNOWN: usize = 64;

/// The BLAKE3 hash of a file on this machine, in hexadecimal; `None` where there is none that can be read.
async fn hash_of(path: &str) -> Option<String> {
    // The server is not trusted: it names no other file than a model's.
    if !path.to_ascii_lowercase().ends_with(".gguf") {
        return None;
    }
    let about = std::fs::metadata(path).ok()?;
    if !about.is_file() || about.len() > MAX_FILE {
        return None;
    }
    let mut file = File::open(path).ok()?;
    let key = (path.to_owned(), about.len(), about.modified().ok()?);
    let known = |key: &FileKey| {
        let known = lock(&KNOWN);
        known.get(key).cloned()
    };
    if let Some(hash) = known(&key) {
        return Some(hash);
    }
    let mut hasher = blake3::Hasher::new();
    let mut block = vec![0; BLOCK];
    loop {
        match file.read(&mut block).ok()? {
            0 => break,
            read => hasher.update(&block[..read]),
        };
        // A model has gigabytes: the game goes on meanwhile.
        Delay::new(Duration::ZERO).await;
    }
    let hash = hasher.finalize().to_hex().to_string();
    let mut known = lock(&KNOWN);
    if known.len() >= MAX_KNOWN {
        known.clear();
    }
    known.insert(key, hash.clone());
    Some(hash)
}
