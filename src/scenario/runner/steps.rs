//! What each step of a scenario does when it begins.

use super::ScenarioRunner;
use crate::actor_turns;
use crate::adventure::PlayerTurn;
use crate::adventure::aside::ask_aside;
use crate::adventure::markers::{SceneMarker, current_persona, set_marker_after, skip_time};
use crate::adventure::submit::{cancel_stages, submit_turn};
use crate::adventure::undo::{pick_turn, redo_turn, retract_last, retract_turn};
use crate::base::fixed::Millis;
use crate::base::ids::{BadId, Id};
use crate::engine::Engine;
use crate::memory::authority::WriteSource;
use crate::npc::submit::submit_request;
use crate::npc::{
    LoadedCharacter, MindChange, MindWrite, NewEpisode, PlayerId, Request, RequestError, cancel,
};
use crate::plans::PlanId;
use crate::plans::submit::{PlanError, approve_plan, ask_plan, deny_plan, regenerate_plan};
use crate::recorded::record_named;
use crate::scenario::spec::{ActionSpec, MarkerSpec, StepSpec};
use crate::staging::ensure_location;
use crate::town::offer::offer_lines;
use crate::world::{GameWrite, Groups, Placement, WorldIndex};
use bevy::prelude::*;
use serde_json::json;
use std::collections::BTreeMap;

impl ScenarioRunner<'_> {
    /// Starts what a step says. What it causes happens in the frames that follow.
    pub(super) fn start_step(&mut self, step: &StepSpec) {
        let player = self.app.world().resource::<PlayerId>().0.clone();
        let world = self.app.world_mut();
        match step.clone() {
            StepSpec::Say {
                to,
                text,
                from,
                tags,
                scene,
                whisper,
                ..
            } => {
                let speaker = from.unwrap_or_else(|| player.to_string());
                let mut request = Request::speech(&speaker, &player, &text);
                request.tags.extend(tags);
                request.scene = scene;
                request.whisper = whisper;
                submit_request(world, &to, request);
            }
            StepSpec::Trigger {
                npc,
                reason,
                trigger_id,
                prompt,
                tags,
                scene,
                ..
            } => {
                let request = Request {
                    trigger_id,
                    prompt,
                    tags,
                    scene,
                    ..Request::new(reason)
                };
                submit_request(world, &npc, request);
            }
            StepSpec::Advance { seconds } => {
                let span = Millis::from_seconds(seconds).unwrap_or_default();
                let rest = self.live_through(span, Self::advance_clock);
                self.advance_clock(rest);
            }
            StepSpec::SetFlag { name, value } => {
                self.apply_write(&name.clone(), GameWrite::flag(name, value))
            }
            StepSpec::SetStanding {
                group,
                target,
                value,
            } => self.with_id(&target, |runner, id| {
                let mut groups = runner.app.world_mut().get_resource_or_init::<Groups>();
                if !groups.set_standing(&group, id, value as f32) {
                    let why = format!("UnknownGroup: no group of the story has the id \"{group}\"");
                    runner.add_refusal(&group, why);
                }
            }),
            StepSpec::SetWorldFact { key, value } => {
                self.apply_write(&key.clone(), GameWrite::fact(key, value))
            }
            StepSpec::SetAttribute {
                entity,
                name,
                value,
            } => {
                self.with_id(&entity, |runner, id| {
                    runner.apply_write(&id, GameWrite::attribute(id.clone(), name, value));
                });
            }
            StepSpec::Place { entity, at } => {
                self.with_id(&entity, |runner, id| {
                    let at = match at.compile() {
                        Ok(at) => at,
                        Err(error) => return runner.add_refusal(&id, bad_id(error)),
                    };
                    if let Placement::In(place) = &at {
                        // As in the file, a place without a description is a place without roads.
                        ensure_location(runner.app.world_mut(), place);
                    }
                    runner.apply_write(&id, GameWrite::place(id.clone(), at));
                });
            }
            StepSpec::Remember {
                npc,
                id,
                text,
                source,
                significance,
                provenance,
                age_seconds,
                participants,
                place,
                pinned,
                private,
            } => self.write_mind(&npc, &id, source, |id| {
                MindChange::Remember(NewEpisode {
                    significance: significance.to_f32(),
                    provenance,
                    age: Millis::from_seconds(age_seconds).unwrap_or_default().into(),
                    participants,
                    place,
                    pinned,
                    private,
                    ..NewEpisode::new(id, text)
                })
            }),
            StepSpec::Believe {
                npc,
                id,
                text,
                confidence,
                source,
            } => self.write_mind(&npc, &id, source, |id| MindChange::Believe {
                id,
                text,
                confidence: confidence.to_f32(),
            }),
            StepSpec::Forget { npc, id, source } => {
                self.write_mind(&npc, &id, source, |id| MindChange::Forget { id });
            }
            StepSpec::Correct { npc, id, text } => {
                let source = WriteSource::GameSystem;
                self.write_mind(&npc, &id, source, |id| MindChange::Correct { id, text });
            }
            StepSpec::Offer { npc } => match find_npc(world, &npc) {
                Some(entity) => offer_lines(world, entity),
                None => self.add_refusal(&npc, RequestError::UnknownNpc(npc.clone()).to_string()),
            },
            StepSpec::Cancel { npc } => match find_npc(world, &npc) {
                Some(entity) => {
                    cancel(world, entity);
                    cancel_stages(world, &npc);
                }
                None => self.add_refusal(&npc, unknown_npc(&npc)),
            },
            StepSpec::Despawn { npc } => match find_npc(world, &npc) {
                Some(entity) => {
                    world.despawn(entity);
                }
                None => self.add_refusal(&npc, unknown_npc(&npc)),
            },
            StepSpec::Act { actor, text } => actor_turns::act(world, &actor, &text),
            StepSpec::Do { actor, actions } => {
                let actions = actions.iter().map(ActionSpec::proposed).collect();
                actor_turns::perform(world, &actor, actions);
            }
            StepSpec::Turn {
                persona,
                intention,
                thought,
                whisper_to,
                ..
            } => self.with_id(&persona, |runner, persona| {
                let listeners: std::result::Result<Vec<Id>, BadId> =
                    whisper_to.iter().map(Id::new).collect();
                match listeners {
                    Ok(whisper_to) => submit_turn(
                        runner.app.world_mut(),
                        PlayerTurn {
                            persona,
                            intention,
                            thought,
                            whisper_to,
                        },
                    ),
                    Err(error) => runner.add_refusal(&persona, bad_id(error)),
                }
            }),
            StepSpec::Marker(marker) => self.set_marker(&marker),
            StepSpec::Retract { npc } => {
                if let Err(error) = retract_last(world, &npc) {
                    self.add_refusal(&npc, error.to_string());
                }
            }
            StepSpec::Aside { text } => ask_aside(world, &text),
            StepSpec::Record { name, input } => match record_named(world, &name, input.0) {
                Some(Ok(())) => {}
                Some(Err(error)) => self.add_refusal(&name, error.to_string()),
                None => self.add_refusal(
                    &name,
                    "no plugin of this game has added it with add_recorded".to_owned(),
                ),
            },
            StepSpec::RetractTurn => {
                if let Err(error) = retract_turn(world) {
                    self.add_refusal("", error.to_string());
                }
            }
            StepSpec::Redo { turn } => {
                if let Err(error) = redo_turn(world, turn) {
                    self.add_refusal("", error.to_string());
                }
            }
            StepSpec::Pick { turn, n } => {
                if let Err(error) = pick_turn(world, turn, n) {
                    self.add_refusal("", error.to_string());
                }
            }
            StepSpec::Ask {
                npc,
                text,
                from,
                between,
                ..
            } => {
                let speaker = from.unwrap_or_else(|| player.to_string());
                if let Some(plan) = ask_plan(world, &npc, &speaker, &text) {
                    self.add_between(plan, between);
                }
            }
            StepSpec::Approve { plan, between } => {
                let done = self.with_plan(&plan, approve_plan);
                if let Some((id, ())) = done {
                    self.add_between(id, between);
                }
            }
            StepSpec::Deny { plan } => {
                self.with_plan(&plan, deny_plan);
            }
            StepSpec::Regenerate { plan } => {
                self.with_plan(&plan, regenerate_plan);
            }
            StepSpec::SwapModel {
                provider,
                model,
                version,
                hash,
                json,
                streaming,
                context_chars,
            } => {
                let mut identity = self.engine.identity();
                identity.provider = provider.unwrap_or(identity.provider.clone());
                identity.model = model.unwrap_or(identity.model.clone());
                identity.version = version.or(identity.version.take());
                identity.hash = hash.or(identity.hash.take());
                let can = &mut identity.capabilities;
                can.json = json.unwrap_or(can.json);
                can.streaming = streaming.unwrap_or(can.streaming);
                can.context_chars = context_chars.unwrap_or(can.context_chars);
                self.engine.set_identity(identity);
            }
        }
    }

    /// Sets a scene marker, for the persona that plays now.
    fn set_marker(&mut self, marker: &MarkerSpec) {
        let marker = match marker {
            MarkerSpec::LocationChange { from, to } => Id::new(from)
                .and_then(|from| {
                    Ok(SceneMarker::LocationChange {
                        from,
                        to: Id::new(to)?,
                    })
                })
                .map_err(bad_id),
            MarkerSpec::TimeSkip { seconds } => Millis::from_seconds(*seconds)
                .map(SceneMarker::TimeSkip)
                .ok_or_else(|| "BadTime: no such span".to_owned()),
            MarkerSpec::SceneOpen => Ok(SceneMarker::SceneOpen),
            MarkerSpec::SceneClose => Ok(SceneMarker::SceneClose),
        };
        let mut skipped = Millis(0);
        if let Ok(SceneMarker::TimeSkip(span)) = &marker {
            let rest = self.live_through(*span, |runner, part| {
                skip_time(runner.app.world_mut(), part);
            });
            skipped = Millis(span.0 - rest.0);
        }
        let world = self.app.world_mut();
        let persona = current_persona(world);
        let set = marker.and_then(|marker| {
            set_marker_after(world, &persona, marker, skipped).map_err(|error| error.to_string())
        });
        if let Err(error) = set {
            self.add_refusal(&persona, error);
        }
    }

    /// Writes with the authority of the game. A write that is impossible is listed under `refused`.
    fn apply_write(&mut self, what: &str, write: GameWrite) {
        if let Err(error) = write.apply(self.app.world_mut()) {
            self.add_refusal(what, error.to_string());
        }
    }

    /// Writes into a mind. A write that is impossible, or that its source has no right to make, is listed under `refused`.
    fn write_mind(
        &mut self,
        npc: &str,
        id: &str,
        source: WriteSource,
        change: impl FnOnce(Id) -> MindChange,
    ) {
        self.with_id(npc, |runner, npc| {
            runner.with_id(id, |runner, id| {
                let write = MindWrite::new(npc.clone(), change(id)).from_source(source);
                if let Err(error) = write.apply_to(runner.app.world_mut()) {
                    runner.add_refusal(&npc, error.to_string());
                }
            });
        });
    }

    /// Does something with an id. A text that is none is listed under `refused`.
    fn with_id(&mut self, text: &str, then: impl FnOnce(&mut Self, Id)) {
        match Id::new(text) {
            Ok(id) => then(self, id),
            Err(error) => self.add_refusal(text, bad_id(error)),
        }
    }

    /// Does something with a plan. What cannot be done is listed under `refused`, for no character.
    fn with_plan<T>(
        &mut self,
        plan: &str,
        then: impl FnOnce(&mut World, PlanId) -> std::result::Result<T, PlanError>,
    ) -> Option<(PlanId, T)> {
        let id = PlanId::parse(plan).ok_or_else(|| PlanError::Unknown(plan.to_owned()));
        let done = id.and_then(|id| Ok((id, then(self.app.world_mut(), id)?)));
        done.map_err(|error| {
            let refused = json!({"step": self.step, "npc": null, "error": error.to_string()});
            self.trace.refused.push(refused);
        })
        .ok()
    }

    fn add_between(&mut self, plan: PlanId, between: BTreeMap<String, Vec<StepSpec>>) {
        let known = self.between_steps.entry(plan).or_default();
        for (step, inner) in between {
            known.entry(step).or_default().extend(inner);
        }
    }

    fn add_refusal(&mut self, npc: &str, error: String) {
        self.trace
            .refused
            .push(json!({"step": self.step, "npc": npc, "error": error}));
    }
}

fn find_npc(world: &World, id: &str) -> Option<Entity> {
    let entity = WorldIndex::find(world, id)?;
    world.get::<LoadedCharacter>(entity).map(|_| entity)
}

fn bad_id(error: BadId) -> String {
    RequestError::from(error).to_string()
}

fn unknown_npc(id: &str) -> String {
    RequestError::UnknownNpc(id.to_owned()).to_string()
}
