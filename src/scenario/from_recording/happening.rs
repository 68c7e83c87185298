//! Records in the order in which things began: a run's record stands at its end.

use super::error::NoScenario;
use super::reading::Said;
use crate::journal::record::RecordBody;
use crate::pipeline::driver::hook::RunStep;

/// Something that happened, with what happened while its reply was awaited.
pub(super) struct Happening {
    pub said: Said,
    pub while_waiting: Vec<Said>,
}

/// What happened, in order.
pub(super) fn happenings(records: Vec<Said>) -> Result<Vec<Happening>, NoScenario> {
    let mut done: Vec<Happening> = Vec::new();
    for said in records {
        let mut while_waiting = Vec::new();
        if let RecordBody::Interaction { inputs, .. } = &said.says {
            let refused = |why| Err(NoScenario::Record { seq: said.seq, why });
            let timeline = &inputs.run_timeline;
            let (Some(started), false) = (timeline.started, timeline.begun_before) else {
                return refused("its run began before the recording");
            };
            let first = done.partition_point(|earlier| earlier.said.seq <= started.after);
            let prompted = timeline.moment(RunStep::Snapshot, 0);
            let answered = [RunStep::Sentence, RunStep::Validation, RunStep::Failure]
                .into_iter()
                .filter_map(|step| timeline.moment(step, 0))
                .min();
            for earlier in done.drain(first..) {
                let seq = earlier.said.seq;
                let waited = prompted.is_some_and(|at| at.after < seq)
                    && answered.is_none_or(|at| at.after >= seq);
                match earlier.said.says {
                    RecordBody::Refused(_) | RecordBody::Checkpoint(_) | RecordBody::Part(_) => {}
                    RecordBody::Write(_) if waited => while_waiting.push(earlier.said),
                    _ => {
                        return Err(NoScenario::Record {
                            seq,
                            why: "it happened while a run was in flight",
                        });
                    }
                }
            }
        }
        done.push(Happening {
            said,
            while_waiting,
        });
    }
    Ok(done)
}
