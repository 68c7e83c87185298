//! Approvals and the answers of stages are the crate's own: outside of it they can be neither made nor spent, nor named.

use bevy_dramatis::gate::Approvals; //~ E0603 struct import `Approvals` is private
use bevy_dramatis::gate::Approved; //~ E0603 struct import `Approved` is private
use bevy_dramatis::gate::ApprovedFor; //~ E0603 struct import `ApprovedFor` is private
use bevy_dramatis::gate::SpendsApprovals; //~ E0603 trait import `SpendsApprovals` is private
use bevy_dramatis::gate::judge; //~ E0603 function import `judge` is private
use bevy_dramatis::pipeline::StageResult; //~ E0603 enum import `StageResult` is private

fn main() {}
