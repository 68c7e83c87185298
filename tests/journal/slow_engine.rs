//! An engine whose replies take several frames.

pub use super::dice::Dice;
use bevy_dramatis::engine::{
    BreakerSettings, Budget, Capacity, Engine, EngineCall, EngineError, EngineEvent,
    EngineIdentity, EngineRequest,
};
use bevy_dramatis::proposal::Finish;
use crossbeam_channel::Sender;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

/// A call with events that arrive when the test says so.
pub struct SlowCall {
    frames: u64,
    events: VecDeque<EngineEvent>,
    to: Sender<EngineEvent>,
}

/// An engine whose replies take some frames, in pieces that end anywhere.
#[derive(Clone)]
pub struct SlowEngine {
    dice: Arc<Mutex<Dice>>,
    capacity: Capacity,
    calls: Arc<Mutex<Vec<SlowCall>>>,
}

pub const REPLIES: [&str; 9] = [
    "Wer da? Grüß dich, Wanderer – who goes there?",
    "It is a secret.",
    "Good day!",
    r#"{"dialogue": "There.", "intents": [{"type": "open", "target": "box"}]}"#,
    r#"{"dialogue": "Shut.", "intents": [{"type": "close", "target": "box"}]}"#,
    r#"{"dialogue": "Mine.", "intents": [{"type": "take", "target": "key"}, {"type": "move", "target": "cellar"}]}"#,
    r#"{"dialogue": "Back.", "intents": [{"type": "put", "target": "key"}, {"type": "move", "target": "hall"}],
        "mutations": [{"type": "AppendEpisodic", "content": "I put the key down."}]}"#,
    r#"{"dialogue": "The crown is gold.", "mutations": [{"type": "TransformBelief", "target": "gold", "content": "Gold is heavy."},
        {"type": "TransformRelationship", "target": "player", "content": "liked", "affinity": 0.1}]}"#,
    r#"{"dialogue": "Meet Zoë.", "intents": [{"type": "introduce", "name": "Zoë", "kind": "character"}]}"#,
];

impl SlowEngine {
    pub fn new(seed: u64) -> Self {
        Self {
            dice: Arc::new(Mutex::new(Dice(seed ^ 0xabcd))),
            capacity: match seed % 3 {
                0 => Capacity::default(),
                1 => Capacity {
                    calls: Some(1),
                    slots: true,
                    breaker: Some(BreakerSettings {
                        faults: 1,
                        ..BreakerSettings::default()
                    }),
                    ..Capacity::default()
                },
                _ => Capacity {
                    calls: Some(2),
                    budget: Budget {
                        calls: Some(8),
                        tokens: Some(20_000),
                    },
                    ..Capacity::default()
                },
            },
            calls: Arc::default(),
        }
    }

    /// Plays one frame.
    pub fn tick(&self) {
        let mut dice = self.dice.lock().unwrap();
        let mut calls = self.calls.lock().unwrap();
        for call in calls.iter_mut() {
            if call.frames > 0 {
                call.frames -= 1;
                continue;
            }
            for _ in 0..=dice.roll(2) {
                if let Some(event) = call.events.pop_front() {
                    // The receiver may be gone.
                    let _ = call.to.try_send(event);
                }
            }
        }
        // A call that stays pending forever keeps its sender.
        calls.retain(|call| !call.events.is_empty() || call.frames > 1_000);
    }
}

impl Engine for SlowEngine {
    /// In two games of three it limits its calls: waiting and refused calls replay like all others.
    fn capacity(&self) -> Capacity {
        self.capacity
    }

    fn identity(&self) -> EngineIdentity {
        EngineIdentity::new("test", "test")
    }

    fn start(&self, request: EngineRequest) -> EngineCall {
        let mut dice = self.dice.lock().unwrap();
        let (to, events) = crossbeam_channel::bounded(64);
        let mut frames = dice.roll(6);
        let mut bytes = dice.pick(&REPLIES).as_bytes().to_vec();
        let mut ending = EngineEvent::Finished(Finish::Stop);
        match dice.roll(16) {
            0 => bytes.insert(bytes.len() / 2, 0xff),
            1 => ending = EngineEvent::Failed(EngineError::Timeout("slow".to_owned())),
            2 => ending = EngineEvent::Failed(EngineError::Unreachable("gone".to_owned())),
            3 => {
                let limit = request.max_reply_bytes;
                ending = EngineEvent::Failed(EngineError::Oversized { limit });
            }
            4 => ending = EngineEvent::Finished(Finish::Length),
            5 => frames = 1_000_000,
            _ => {}
        }
        let mut sent: VecDeque<EngineEvent> = VecDeque::new();
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let most = u64::try_from(rest.len()).unwrap();
            let size = usize::try_from(1 + dice.roll(most)).unwrap();
            let (chunk, later) = rest.split_at(size);
            sent.push_back(EngineEvent::Chunk(chunk.to_vec()));
            rest = later;
            if sent.len() == 8 {
                sent.push_back(EngineEvent::Chunk(rest.to_vec()));
                rest = &[];
            }
        }
        sent.push_back(ending);
        self.calls.lock().unwrap().push(SlowCall {
            frames,
            events: sent,
            to,
        });
        EngineCall::new(events, ())
    }
}
