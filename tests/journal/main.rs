//! Tests of the journal from outside (contract sections J, M5 and X4).

#[path = "../support/by_id.rs"]
mod by_id;
mod changes;
mod concurrency;
#[path = "../support/dice.rs"]
mod dice;
mod export;
mod forgetting;
mod mutation;
mod one_at_a_time;
mod replay;
mod saved_recording;
mod slow_engine;
