//! From prose to proposed actions.
//!
//! A parser's answer is as untrusted as any reply, whichever parser it is: it is normalised and judged like a proposal. The
//! built-in [`ImperativeParser`] reads plain imperatives with no model; [`actor_turns`](crate::actor_turns) has one that asks
//! an engine, with the same trait.

use super::imperative::parse_imperatives;
use super::name_key::name_key as key;
use crate::base::ids::Id;
use crate::judged_world::action::ProposedAction;
use crate::judged_world::action::registry::ActionRegistry;
use crate::judged_world::state::WorldRead;
use crate::text::Lexicon;
use crate::text::lexicon::VerbFrame;
use std::sync::Arc;
use std::time::Duration;

/// The words of an actor that wants to do something, with what a parser may know of the scene.
#[derive(Debug, Clone)]
pub struct ParseRequest {
    /// The id of the speaker.
    pub actor: Id,
    /// The words, without control characters but with their line breaks.
    pub text: String,
    /// What the actor perceives, as pairs of id and name, in order of the ids.
    pub perceived: Vec<(Id, String)>,
    /// What else may be called by a name: the aliases of what the actor perceives, and the names of the places around.
    pub names: Vec<String>,
    /// The actions that exist in this game.
    pub registry: ActionRegistry,
    /// A seed for parsers that sample, derived from the world's seed and the number of the request.
    pub seed: u64,
    /// The language of the words.
    pub lexicon: Arc<Lexicon>,
    /// How long the parser may take, in call time. Then the built-in parser reads the words, and the task is dropped.
    pub patience: Duration,
}

/// How a parser answers: at once, later, or by a model.
pub enum Parsing {
    /// At once: the actions, in the order of the words.
    Done(Vec<ProposedAction>),
    /// Later: the task is polled once a frame until it answers.
    Waiting(Box<dyn ParseTask>),
    /// A model is asked: the engine of the stage `Parser` reads the words, in a run of the pipeline.
    AskModel,
}

/// A parser at work. Dropping it cancels the work.
pub trait ParseTask: Send + Sync {
    /// The answer, once it is there; never waits. `elapsed` is the call time since the start. An error is one sentence
    /// for the log, and the built-in parser reads the words instead.
    fn poll(&mut self, elapsed: Duration) -> Option<Result<Vec<ProposedAction>, String>>;
}

/// Turns prose into proposed actions. What it answers is judged like any other proposal.
pub trait ActionParser: Send + Sync + 'static {
    /// Begins to read the words. It must return at once; an answer that takes time is a [`Parsing::Waiting`].
    fn parse(&self, request: &ParseRequest) -> Parsing;

    /// Reads the words once more, after what it answered first could not be done. `denials` say why, a sentence each; they hold
    /// nothing that the actor does not know. `None`: there is no second try, and the first answer counts. Called at most once
    /// for the same words; `request.patience` is what is left of it.
    fn parse_again(&self, _request: &ParseRequest, _denials: &[String]) -> Option<Parsing> {
        None
    }
}

/// Reads plain imperatives, in English or in the language of the story: "take the brass key and open the door with it".
///
/// It knows verbs, the shapes of noun phrases and the names of what is near, and nothing else of the world: what "it" is,
/// and where a door leads, the normaliser finds out.
///
/// ```
/// use bevy_dramatis::world::ImperativeParser;
/// use bevy_dramatis::world::ActionRegistry;
/// let actions = ImperativeParser.read("take the brass key", &ActionRegistry::default());
/// assert_eq!(actions[0].kind, "take");
/// assert_eq!(actions[0].fields["target"], "the brass key");
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct ImperativeParser;

impl ImperativeParser {
    /// Reads the words at once, without names that count as one word; see [`ImperativeParser::read_knowing`].
    #[must_use]
    pub fn read(&self, text: &str, registry: &ActionRegistry) -> Vec<ProposedAction> {
        self.read_knowing(text, registry, &[])
    }

    /// Reads the words at once, and each of these names as one word, the longest first: with "salt and pepper" among them,
    /// "take the salt and pepper" is to take one thing.
    #[must_use]
    pub fn read_knowing(
        &self,
        text: &str,
        registry: &ActionRegistry,
        names: &[&str],
    ) -> Vec<ProposedAction> {
        self.read_in(Lexicon::english(), text, registry, names)
    }

    /// The same in another language.
    #[must_use]
    pub fn read_in(
        &self,
        lexicon: &Lexicon,
        text: &str,
        registry: &ActionRegistry,
        names: &[&str],
    ) -> Vec<ProposedAction> {
        parse_imperatives(text, &lexicon.imperatives, &own_frames(registry), names)
    }
}

impl ActionParser for ImperativeParser {
    fn parse(&self, request: &ParseRequest) -> Parsing {
        let perceived = request.perceived.iter();
        let names: Vec<&str> = perceived
            .flat_map(|(id, name)| [id.as_str(), name])
            .chain(request.names.iter().map(String::as_str))
            .collect();
        let lexicon = &request.lexicon;
        let mut actions = self.read_in(lexicon, &request.text, &request.registry, &names);
        for action in &mut actions {
            split_receiver(action, &request.perceived, lexicon);
        }
        Parsing::Done(actions)
    }
}

/// "Say hello to mary": in words without a capital, only a character that is there counts as a receiver.
fn split_receiver(action: &mut ProposedAction, perceived: &[(Id, String)], lexicon: &Lexicon) {
    let words = &lexicon.imperatives.receivers;
    if action.kind != "speak" || action.fields.contains_key("to") {
        return;
    }
    let Some(content) = action.fields.get("content").and_then(|c| c.as_str()) else {
        return;
    };
    let split = words.iter().find_map(|word| {
        let (said, receiver) = content.rsplit_once(&format!(" {word} "))?;
        let wanted = key(receiver);
        let mut near = perceived.iter();
        near.any(|(id, name)| key(id) == wanted || key(name) == wanted)
            .then(|| (said.trim().to_owned(), receiver.to_owned()))
    });
    if let Some((said, receiver)) = split.filter(|(said, _)| !said.is_empty()) {
        action.fields.insert("content".to_owned(), said.into());
        action.fields.insert("to".to_owned(), receiver.into());
    }
}

/// The names around an actor that [`ParseRequest::perceived`] does not hold: aliases, and names of the places around.
#[must_use]
pub fn further_names(world: &dyn WorldRead, actor: &str) -> Vec<String> {
    let perceived = world.perceived_by(actor).into_iter();
    let aliases = perceived.flat_map(|(_, view)| view.aliases);
    let here = world.place_of(actor);
    let around = here.iter().filter_map(|here| world.location(here));
    let around: Vec<Id> = around.flat_map(|here| here.connected_to).collect();
    let places = here.iter().chain(&around);
    aliases
        .chain(places.filter_map(|place| world.name_of(place)))
        .collect()
}

/// How the verbs of a game's own actions take their objects.
pub(crate) fn own_frames(registry: &ActionRegistry) -> Vec<VerbFrame> {
    use crate::judged_world::action::{FieldKind, Slot};
    let own = registry
        .shapes()
        .filter(|shape| !crate::judged_world::action::actions::BUILT_IN.contains(&shape.name));
    own.map(|shape| {
        let playing = |slot| {
            let field = shape.fields.iter().find(|field| field.slot == Some(slot));
            field.map(|field| field.name.to_owned())
        };
        let text = shape.fields.iter().find(|f| f.kind == FieldKind::Text);
        let text = text.map(|field| field.name.to_owned());
        let target = playing(Slot::Target);
        // "cast fireball at the door": the words come first where there are words.
        let (object, to) = match (&text, &target) {
            (Some(text), Some(target)) => (Some(text.clone()), Some(target.clone())),
            (None, Some(target)) => (Some(target.clone()), playing(Slot::To)),
            (Some(text), None) => (Some(text.clone()), playing(Slot::To)),
            (None, None) => (None, playing(Slot::To)),
        };
        let verbs = shape.verbs.iter().map(|verb| (*verb).to_owned());
        VerbFrame {
            action: shape.name.to_owned(),
            verbs: [shape.name.replace('_', " ")]
                .into_iter()
                .chain(verbs)
                .collect(),
            object,
            tool: playing(Slot::Tool),
            to,
            text: None,
        }
    })
    .collect()
}
