//! That a type lacks a trait: approvals cannot be copied, and what is trusted is made of no outside data.

use crate::engine::EngineRequest;
use crate::gate::{
    Approvals, Approved, ApprovedFor, Failure, Line, MemoryChange, SpendsApprovals, Verdict,
};
use crate::memory::{DormantMinds, Mind};
use crate::pipeline::{AttemptLog, MutationReport, Outcome, StateSnapshot};
use crate::proposal::StepReply;
use crate::world::{Intent, JudgedChange, WorldChange, WorldId};
use bevy::reflect::FromReflect;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;

/// Whether a type has a trait: where it has, the constant of the type hides that of the trait.
macro_rules! has {
    ($type:ty: $bound:path) => {{
        #[allow(dead_code, reason = "one of the two is hidden")]
        trait Otherwise {
            const HAS: bool = false;
        }
        struct Probe<T>(PhantomData<T>);
        impl<T> Otherwise for Probe<T> {}
        #[allow(dead_code, reason = "only where the type has the trait")]
        impl<T: $bound> Probe<T> {
            const HAS: bool = true;
        }
        Probe::<$type>::HAS
    }};
}

macro_rules! lack {
    ($($type:ty)* : $($bound:path),*) => { lack!(@each [$($type)*] [$($bound),*]) };
    (@each [$($type:ty)*] $bounds:tt) => { $(lack!(@one $type, $bounds);)* };
    (@one $type:ty, [$($bound:path),*]) => {
        $(assert!(!has!($type: $bound), "{} has {}", stringify!($type), stringify!($bound));)*
    };
}

#[test]
fn the_probe_can_tell() {
    assert!(has!(Line: Clone));
    assert!(has!(String: DeserializeOwned));
    assert!(has!(WorldId: FromReflect));
}

#[test]
fn an_approval_can_be_neither_copied_nor_read_from_data() {
    lack!(Approved<Line> Approved<MemoryChange> Approved<Intent> Approvals: Clone, Copy, DeserializeOwned, FromReflect);
    lack!(Approved<Vec<StepReply>> Approved<Vec<JudgedChange>>: Clone, Copy, DeserializeOwned, FromReflect, Default);
    lack!(ApprovedFor: DeserializeOwned, FromReflect, Default, From<u64>);
    lack!(u64 ApprovedFor: SpendsApprovals);
    lack!(Approved<Line> Approved<MemoryChange> Approved<Intent>: Default, From<Line>, From<MemoryChange>, From<Intent>);
}

#[test]
fn what_is_trusted_is_made_of_no_outside_data() {
    lack!(Verdict Failure Mind DormantMinds StateSnapshot Outcome MutationReport AttemptLog Intent EngineRequest: DeserializeOwned, FromReflect);
    lack!(StateSnapshot: Default);
}

#[test]
fn m1_a_mind_is_neither_made_nor_copied_nor_changed_in_place() {
    use bevy::ecs::component::{Component, Mutable};
    lack!(Mind: Default, Clone, Component<Mutability = Mutable>);
    lack!(DormantMinds: Clone);
}

#[test]
fn w2_a_judged_change_comes_from_the_applier_alone() {
    lack!(JudgedChange: Default, From<WorldChange>, DeserializeOwned, FromReflect);
}
