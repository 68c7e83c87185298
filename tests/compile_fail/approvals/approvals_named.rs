//! Only the crate makes approvals, snapshots and the answers of stages: code outside of it can neither make nor change nor name them.

use bevy_dramatis::gate::Approvals; //~ E0603 struct `Approvals` is private
use bevy_dramatis::gate::Approved; //~ E0603 struct `Approved` is private
use bevy_dramatis::gate::ApprovedFor; //~ E0603 struct `ApprovedFor` is private
use bevy_dramatis::gate::SpendsApprovals; //~ E0603 trait `SpendsApprovals` is private
use bevy_dramatis::pipeline::StageResult; //~ E0603 enum `StageResult` is private
use bevy_dramatis::pipeline::StateSnapshot; //~ E0603 struct `StateSnapshot` is private

fn main() {}
