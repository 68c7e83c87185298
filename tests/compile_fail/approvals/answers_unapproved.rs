//! What a stage has answered is approved, or it is no answer: no plan and no turn takes what the gate has not seen.

use bevy_dramatis::gate::Approved;
use bevy_dramatis::pipeline::StageResult;
use bevy_dramatis::proposal::{IntentionReply, NarrationReply, StepReply, ToolCall, WishReply};

fn forge(
    steps: Vec<StepReply>,
    wish: WishReply,
    calls: Vec<ToolCall>,
    narration: NarrationReply,
    intention: IntentionReply,
    approved: Approved<Vec<StepReply>>,
) -> StageResult {
    let _steps = StageResult::Steps(steps); //~ E0308 mismatched types
    let _wish = StageResult::Wish(wish); //~ E0308 mismatched types
    let _calls = StageResult::Calls(calls); //~ E0308 mismatched types
    let _narration = StageResult::Narration(narration); //~ E0308 mismatched types
    let _intention = StageResult::Intention(intention); //~ E0308 mismatched types
    StageResult::Steps(approved)
}

fn main() {
    let _ = forge;
}
