//! The call of a stage: what it is told, how its reply is judged, and its start.

use super::brief::{
    history, lore_value, messages, narration_lines, person, shown, summary, variables,
};
use super::markers::quiet_marker;
use super::message::{Message, MessageType};
use super::recap::{Recap, Recaps};
use super::record::TurnFailure;
use super::scene::Cast;
use super::states::Persona;
use super::stream::Stream;
use super::tools::ToolRegistry;
use super::turn::{AdventureTurn, Waiting};
use super::views::{ViewOf, Viewer};
use crate::authoring::Character;
use crate::authoring::adventure_settings::{AdventureSettings, VoiceSetting};
use crate::base::clock::DramatisClock;
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::engine::{Role, Stage};
use crate::gate::{KnownWrites, Told, Voices};
use crate::pipeline::stage::call::StageCall;
use crate::pipeline::stage::steps::stage_schema;
use crate::pipeline::stage::template::StageTemplates;
use crate::pipeline::steps::prompt::escape;
use crate::pipeline::{Run, StageForm, StageTask};
use crate::proposal::ToolSpec;
use crate::rules::TriggerReason;
use crate::story::ActiveStory;
use crate::story::lore::{LoreEntry, Lorebook};
use crate::text::PromptWords;
use crate::world::{WorldRead, WorldView};
use bevy::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How many older texts bring up lore, in addition to the intention.
const LORE_TEXTS: usize = 5;

/// Starts the call of a stage.
pub(super) fn start(
    world: &mut World,
    host: Entity,
    turn: &mut AdventureTurn,
    cast: &Cast,
    stage: Stage,
    actor: &Id,
    denied: &[Told],
) -> std::result::Result<(), TurnFailure> {
    let failed = |error: String| TurnFailure {
        stage: Some(stage),
        error,
    };
    let tools = world.get_resource_or_init::<ToolRegistry>().of(stage);
    let prompt_words = language(world, cast, stage, actor);
    let (name, language) = (stage.snake_case(), prompt_words.language());
    let templates = world.get_resource_or_init::<StageTemplates>().clone();
    world.get_resource_or_init::<Stream>();
    world.get_resource_or_init::<Lorebook>();
    let scene = SceneOf::new(world, turn, cast, stage, actor, &tools);
    let data = scene.data();
    let words = templates.render_around(|| scene.history(), name, language, &data);
    let words = words.map_err(|error| failed(error.to_string()))?;
    let is_persona = *actor == turn.persona;
    let input = match stage {
        // What it has heard last, and nothing that it has not.
        Stage::PersonaIntent | Stage::NpcIntent => last_heard(&data),
        Stage::LoreExtractor => turn
            .last_narration()
            .map(|told| told.content.clone())
            .unwrap_or_default(),
        _ => turn.intention(actor).unwrap_or_default().to_owned(),
    };
    let form = match stage {
        Stage::PersonaIntent => StageForm::Intention(None),
        Stage::NpcIntent => StageForm::Intention(cast.character(actor).map(|one| one.entity)),
        Stage::Narrator => StageForm::Narration {
            speakers: cast.speakers(),
            voices: voices(world, turn, cast, actor),
            denied: denied.to_vec(),
        },
        _ => {
            let book = world.resource::<Lorebook>();
            let own = (stage != Stage::LoreExtractor).then(|| actor.clone());
            StageForm::Calls {
                known: KnownWrites {
                    review_below: review_below(world),
                    ..turn.known(own.as_ref(), book, cast)
                },
                own,
                tools: tools.clone(),
            }
        }
    };
    let task = StageTask {
        npc: (stage != Stage::LoreExtractor).then(|| actor.clone()),
        keys: seed_keys(turn, actor),
        input,
        words,
        prompt_words,
        schema: stage_schema(stage, &tools).map(Arc::new),
        form,
    };
    let reason = match is_persona {
        true => TriggerReason::PlayerUtterance,
        false => TriggerReason::NpcInteraction,
    };
    let interactions = cast.character(actor).map_or(0, |one| one.interactions);
    let call = StageCall::start(world, host, stage, actor, reason, interactions, task)
        .map_err(|error| failed(error.to_string()))?;
    let acted = turn.staged.acted.len();
    let act = match stage {
        Stage::PersonaIntent | Stage::NpcIntent => acted,
        _ => acted.saturating_sub(1),
    };
    let number = world.get::<Run>(call.run()).map(Run::number);
    turn.staged.runs.extend(number.map(|number| (number, act)));
    turn.waiting.push(Waiting {
        call,
        stage,
        seq: match stage {
            Stage::PersonaIntent | Stage::NpcIntent => None,
            Stage::LoreExtractor => turn.last_narration().map(|told| told.seq),
            _ => turn.staged.resolving.map(|(_, seq)| seq),
        },
        at: world.get_resource_or_init::<DramatisClock>().game,
    });
    Ok(())
}

/// What the sampling seed of a call is drawn from: another play of the same turn gets another one.
fn seed_keys(turn: &AdventureTurn, actor: &Id) -> Vec<String> {
    match turn.redo {
        None => vec![turn.turn_id.to_string(), actor.to_string()],
        Some((root, plays)) => vec![root.to_string(), actor.to_string(), format!("redo {plays}")],
    }
}

/// The last words of a narration that a view holds.
fn last_heard(data: &Value) -> String {
    let messages = data["msgs"]
        .as_array()
        .map(Vec::as_slice)
        .unwrap_or_default();
    let mut narrations = messages
        .iter()
        .rev()
        .filter(|message| message["type"] == "narration");
    let last = narrations
        .next()
        .and_then(|message| message["text"].as_str());
    last.unwrap_or_default().to_owned()
}

/// Who may speak in the narration of an intention.
fn voices(world: &World, turn: &AdventureTurn, cast: &Cast, actor: &Id) -> Voices {
    let settings = world
        .get_resource::<AdventureSettings>()
        .copied()
        .unwrap_or_default();
    let mut present: BTreeSet<Id> = turn.staged.audience.iter().cloned().collect();
    present.extend(cast.at(cast.place(actor)));
    let allowed = match settings.voices {
        VoiceSetting::Any => None,
        VoiceSetting::Acting => Some([actor.clone()].into()),
        VoiceSetting::Present => Some(present.clone()),
    };
    // Who cannot speak has no voice.
    let speakers = cast.speakers().into_iter().map(|speaker| speaker.id);
    let (mute, able): (BTreeSet<Id>, BTreeSet<Id>) = speakers.partition(|id| cast.senses(id).mute);
    let allowed = match allowed {
        None if mute.is_empty() => None,
        None => Some(able),
        Some(allowed) => Some(allowed.difference(&mute).cloned().collect()),
    };
    let personas = cast.personas.keys().map(|persona| {
        let intention = turn.intention(persona).unwrap_or_default();
        (persona.clone(), intention.to_owned())
    });
    Voices {
        allowed,
        personas: personas.collect(),
        present,
    }
}

/// What was told last in this turn, as far as a view holds it.
fn told_in_turn(view: &ViewOf, cast: &Cast, turn: &AdventureTurn) -> Option<String> {
    let mut told = turn.staged.messages.iter().rev();
    let last =
        told.find(|message| message.kind == MessageType::Narration && view.shows(message))?;
    let lines = narration_lines(view, cast, last);
    (!lines.is_empty()).then(|| lines.join("\n"))
}

/// Whether only the persona acted in the turn before this one, and a marker says so.
fn was_quiet(stream: &Stream) -> bool {
    let mut tail = stream.live_tail().rev();
    let last = tail.next().map(|message| message.turn_id);
    let mut of_turn = stream
        .live_tail()
        .rev()
        .take_while(|message| Some(message.turn_id) == last);
    of_turn.any(|message| {
        message.kind == MessageType::SceneMarker && message.content == quiet_marker()
    })
}

/// The language of a stage: a character's own where it says what it wants, else the story's.
fn language(world: &World, cast: &Cast, stage: Stage, actor: &Id) -> PromptWords {
    let own = cast
        .character(actor)
        .filter(|_| stage == Stage::NpcIntent)
        .map(|one| {
            let story = &world.resource::<ActiveStory>().0;
            story.language_of(&one.character).prompt.clone()
        });
    own.unwrap_or_else(|| cast.bands.words.clone())
}

/// All stages that have a template here.
const ALL: &[Stage] = &[PI, CI, N, PE, CE, L];
const PI: Stage = Stage::PersonaIntent;
const CI: Stage = Stage::NpcIntent;
const N: Stage = Stage::Narrator;
const PE: Stage = Stage::PersonaExtractor;
const CE: Stage = Stage::CharacterExtractor;
const L: Stage = Stage::LoreExtractor;

/// Who sees what: the variables of templates, each with the stages that have it.
const SEEN_BY: [(Variable, &[Stage]); 18] = [
    (Variable::PlayerName, ALL),
    (Variable::Player, &[PI, N, PE]),
    (Variable::Char, &[CI, N, CE]),
    (Variable::Chars, &[N]),
    (Variable::Canon, &[PI, CI, N]),
    (Variable::Facts, &[N]),
    (Variable::Place, &[CI, N]),
    (Variable::Present, &[CI, N]),
    (Variable::Tools, &[PE, CE, L]),
    (Variable::LoreOfScene, &[CI, N]),
    (Variable::LoreOfTold, &[L]),
    (Variable::Verdicts, &[N, PE, CE]),
    (Variable::Outcomes, &[N]),
    (Variable::Actor, &[N, PE, CE]),
    (Variable::Turn, ALL),
    (Variable::Quiet, &[N]),
    (Variable::Recap, ALL),
    (Variable::Msgs, ALL),
];

/// A variable of the templates.
#[derive(Clone, Copy)]
enum Variable {
    PlayerName,
    Player,
    Char,
    Chars,
    Canon,
    Facts,
    Place,
    Present,
    Tools,
    LoreOfScene,
    LoreOfTold,
    Verdicts,
    Outcomes,
    Actor,
    Turn,
    Quiet,
    Recap,
    Msgs,
}

/// What the variables of a stage's template are taken from.
struct SceneOf<'a> {
    world: &'a World,
    turn: &'a AdventureTurn,
    cast: &'a Cast,
    stage: Stage,
    actor: &'a Id,
    tools: &'a [ToolSpec],
    view: ViewOf<'a>,
    recap: Option<&'a Recap>,
    /// The messages that the stage may see, oldest first.
    shown: Vec<&'a Message>,
    /// The last of them, as templates see them.
    msgs: Vec<Value>,
    /// Who is at the place of the actor.
    here: Vec<Id>,
}

impl<'a> SceneOf<'a> {
    fn new(
        world: &'a World,
        turn: &'a AdventureTurn,
        cast: &'a Cast,
        stage: Stage,
        actor: &'a Id,
        tools: &'a [ToolSpec],
    ) -> Self {
        let viewer = match stage {
            Stage::PersonaIntent => Viewer::PersonaIntent,
            Stage::NpcIntent => Viewer::NpcIntent,
            Stage::Narrator => Viewer::Narrator,
            Stage::PersonaExtractor => Viewer::PersonaExtractor,
            Stage::CharacterExtractor => Viewer::CharacterExtractor,
            _ => Viewer::LoreExtractor,
        };
        let place = cast.place(actor);
        let told = turn.last_narration();
        let view = ViewOf {
            viewer,
            own: (stage != Stage::LoreExtractor).then_some(actor),
            place,
            current: match stage {
                Stage::LoreExtractor => told.map(|told| (told.turn_id, told.seq)),
                _ => turn.staged.resolving,
            },
        };
        let recaps = world.get_resource::<Recaps>();
        let recap = recaps.and_then(|recaps| recaps.of(&view));
        let shown = shown(
            &view,
            world.resource(),
            &turn.staged.messages,
            recap.map(Recap::through),
        );
        let mut msgs = messages(&view, cast, &shown);
        if matches!(stage, N | PE | CE) {
            // The intention is the input of the call: its prompt holds it once.
            msgs.retain(|message| message["type"] != "intention");
        }
        Self {
            world,
            turn,
            cast,
            stage,
            actor,
            tools,
            view,
            recap,
            shown,
            msgs,
            here: cast.at(place),
        }
    }

    /// The variables of the stage's template.
    fn data(&self) -> Value {
        let seen = SEEN_BY.iter();
        let seen = seen.filter(|(_, stages)| stages.contains(&self.stage));
        variables(seen.map(|(variable, _)| self.value(*variable)))
    }

    /// What has happened, as messages of the prompt.
    fn history(&self) -> Vec<(Role, String)> {
        history(&self.view, self.cast, &self.shown)
    }

    /// The name of a variable, and what it holds. One that is empty is left out.
    fn value(&self, variable: Variable) -> (&'static str, Value) {
        let (turn, cast, actor) = (self.turn, self.cast, self.actor);
        match variable {
            Variable::PlayerName => ("player_name", cast.player_name(&turn.persona).into()),
            Variable::Player => ("player", self.persona()),
            Variable::Char => {
                let own = cast.character(actor);
                ("char", own.map(|one| self.character(&one.character)).into())
            }
            Variable::Chars => ("chars", json!({"summary": self.summary()})),
            Variable::Canon => {
                let facts = self.world.resource::<ActiveStory>().0.canon.facts().iter();
                let canon: Vec<&str> = facts.map(|fact| fact.text.as_str()).collect();
                ("canon", canon.into())
            }
            Variable::Facts => {
                let facts = WorldView::new(self.world).facts().into_iter();
                let facts =
                    facts.map(|(key, value)| format!("{key}: {}", escape(&value.to_string())));
                ("facts", facts.collect::<Vec<_>>().into())
            }
            Variable::Place => {
                let place = cast.place(actor);
                let name = place.and_then(|place| WorldView::new(self.world).name_of(place));
                ("place", name.into())
            }
            Variable::Present => ("present", cast.seen_beside(actor).join(", ").into()),
            Variable::Tools => {
                let words = &cast.bands.words;
                let lines = self.tools.iter().map(|tool| tool.line(words));
                ("tools", lines.collect::<Vec<_>>().into())
            }
            Variable::LoreOfScene => ("lore", self.lore_of_scene()),
            Variable::LoreOfTold => {
                let told = turn.last_narration();
                let texts: Vec<&str> = told.iter().map(|told| told.content.as_str()).collect();
                let book = self.world.resource::<Lorebook>();
                let view = WorldView::new(self.world);
                let actors = [self.actor, &turn.persona];
                let is_open = |entry: &LoreEntry| view.groups().is_open(&entry.key, &actors);
                ("lore", lore_value(&book.relevant(&texts, is_open)))
            }
            Variable::Verdicts => ("verdicts", turn.staged.verdicts.clone().into()),
            Variable::Outcomes => ("outcomes", turn.staged.outcomes.clone().into()),
            Variable::Actor => ("actor", cast.name(actor).into()),
            Variable::Turn => {
                let told = told_in_turn(&self.view, cast, turn);
                let told = told.map(|told| json!({"narration": told}));
                ("turn", told.into())
            }
            Variable::Quiet => {
                let is_quiet = *actor == turn.persona && was_quiet(self.world.resource::<Stream>());
                ("quiet", is_quiet.into())
            }
            Variable::Recap => {
                let recap = self.recap.map(|recap| escape(&recap.text));
                ("recap", recap.into())
            }
            Variable::Msgs => ("msgs", self.msgs.clone().into()),
        }
    }

    /// Whether the stage may see what its person does not know of itself.
    fn extracts(&self) -> bool {
        matches!(self.stage, PE | CE)
    }

    fn persona(&self) -> Value {
        let (cast, id) = (self.cast, &self.turn.persona);
        let written = cast.personas.get(id);
        let description = written.map_or("", |persona: &Persona| persona.description.as_str());
        let states = self.turn.states(id, cast);
        let description = escape(description);
        person(cast, cast.name(id), &description, &states, self.extracts())
    }

    fn character(&self, one: &Character) -> Value {
        let states = self.turn.states(&one.id, self.cast);
        let mut shown = person(self.cast, &one.name, &one.persona, &states, self.extracts());
        if let Some(doing) = self.cast.own_doing(&one.id) {
            shown["doing"] = escape(&doing).into();
        }
        shown
    }

    /// What the visible actors are like. Invisible ones have no part in what is told.
    fn summary(&self) -> String {
        let cast = self.cast;
        let seen = self.here.iter();
        let seen = seen.filter(|id| *id == self.actor || !cast.senses(id).invisible);
        let seen: Vec<Id> = seen.cloned().collect();
        summary(cast, &seen, &|id| self.turn.states(id, cast))
    }

    /// The lore that the last messages and the intention bring up. A character is told what it knows itself; the narrator what a
    /// character here has heard of, and of the lore of groups what the actor or the played character may know.
    fn lore_of_scene(&self) -> Value {
        let seen = self.msgs.iter().rev();
        let seen = seen.filter_map(|line| line["text"].as_str());
        let mut texts: Vec<&str> = seen.take(LORE_TEXTS).collect();
        texts.extend(self.turn.intention(self.actor));
        let view = WorldView::new(self.world);
        let knows = |entry: &LoreEntry| {
            if self.stage == Stage::NpcIntent {
                return entry.is_known_to(self.actor, view.groups());
            }
            let audience = entry.audience.as_ref();
            let is_heard =
                audience.is_none_or(|heard| self.here.iter().any(|id| heard.contains(id)));
            is_heard
                && view
                    .groups()
                    .is_open(&entry.key, &[self.actor, &self.turn.persona])
        };
        let book = self.world.resource::<Lorebook>();
        lore_value(&book.relevant(&texts, knows))
    }
}

/// How sure an extractor must be for its call not to wait for the player.
pub(super) fn review_below(world: &World) -> Millionths {
    let settings = world.get_resource::<AdventureSettings>();
    Millionths::nearest(settings.copied().unwrap_or_default().review_below)
}
