//! What a character can do now, each as a phrase of plain words.

use super::ask::NamedAction;
use crate::base::ids::Id;
use crate::judged_world::action::{ActionShape, FieldKind, Slot};
use crate::judged_world::rulebook::affordance::References;
use crate::judged_world::words::parser::own_frames;
use crate::judged_world::words::reference::display_name;
use crate::proposal::ProposedAction;
use crate::text::fold::fold;
use crate::text::lexicon::VerbFrame;
use crate::text::{Lexicon, PromptWords};
use crate::world::{ActionRules, Affordance, WorldRead, WorldValue};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Actions that are words: a reply says them by itself.
const SPOKEN: [&str; 2] = ["speak", "describe"];

/// The attribute of a thing that names its tool.
const KEY: &str = "key";

/// What the phrases are made with.
pub(crate) struct Naming<'a> {
    /// What actions are judged by, with their shapes.
    pub rules: ActionRules<'a>,
    /// The world, for names.
    pub world: &'a dyn WorldRead,
    /// The language of the character.
    pub lexicon: &'a Lexicon,
}

/// At most `most` of these affordances as phrases: those first that `spoken` mentions, then by the ids of target, tool and to,
/// then by action. Actions that need words, and actions that are only speech, are left out.
pub(crate) fn named_actions(
    affordances: &[Affordance],
    naming: &Naming,
    spoken: &str,
    most: usize,
) -> Vec<NamedAction> {
    let frames = own_frames(naming.rules.registry);
    let rules = naming.lexicon.term_rules();
    let spoken = rules.terms(spoken);
    let mut found: Vec<Found> = affordances
        .iter()
        .filter(|affordance| !SPOKEN.contains(&affordance.action))
        .flat_map(|affordance| deeds(affordance, naming, &frames))
        .collect();
    found.sort_by_cached_key(|found| {
        let words = rules.terms(&found.words);
        let mentioned = words.iter().filter(|word| spoken.contains(word));
        let order =
            [Slot::Target, Slot::Tool, Slot::To].map(|slot| found.slots.get(&slot).cloned());
        (
            Reverse(mentioned.count()),
            order,
            found.option.action.kind.clone(),
        )
    });
    found.truncate(most);
    tell_apart(&mut found);
    found.into_iter().map(|found| found.option).collect()
}

/// A named action, with what it is sorted by.
struct Found {
    option: NamedAction,
    /// The words of its verb and of its names, without articles and the like.
    words: String,
    slots: BTreeMap<Slot, Id>,
}

/// Every way in which an action can be done that needs no words.
fn deeds<'a>(
    affordance: &'a Affordance,
    naming: &'a Naming,
    own: &'a [VerbFrame],
) -> impl Iterator<Item = Found> + 'a {
    let shape = naming.rules.registry.shape(affordance.action);
    let combinations = affordance.combinations.iter();
    combinations.filter_map(move |ids| {
        let shape = shape?;
        let is_bare = ids.iter().all(Option::is_none);
        let mut free = affordance.words.iter();
        let needs_words = free.any(|field| field.required && field.fits(is_bare));
        if needs_words || !has_right_tool(affordance, shape, ids, naming.world) {
            return None;
        }
        let named = affordance.fields.iter().zip(ids);
        let named = named.filter_map(|(name, id)| Some((*name, id.as_ref()?)));
        let named: Vec<(&str, &Id)> = named.collect();
        let is_place = |name: &str| {
            let field = shape.field(name);
            field.is_some_and(|field| field.kind == FieldKind::Place)
        };
        let frame = frame_of(affordance.action, naming.lexicon, own);
        let mut phrase = Phrase::of(affordance.action, frame, naming);
        phrase.name_all(&named, frame, &is_place);
        let fields = named
            .iter()
            .map(|(name, id)| ((*name).to_owned(), id.as_str().into()));
        Some(Found {
            words: phrase.words,
            option: NamedAction {
                phrase: phrase.text,
                action: ProposedAction {
                    kind: affordance.action.to_owned(),
                    fields: fields.collect(),
                    ..ProposedAction::default()
                },
            },
            slots: [Slot::Target, Slot::Tool, Slot::To]
                .into_iter()
                .filter_map(|slot| Some((slot, in_slot(affordance, shape, ids, slot)?.clone())))
                .collect(),
        })
    })
}

/// What plays this part in a combination.
fn in_slot<'a>(
    affordance: &Affordance,
    shape: &ActionShape,
    ids: &'a References,
    slot: Slot,
) -> Option<&'a Id> {
    let mut fields = affordance.fields.iter().zip(ids);
    fields.find_map(|(name, id)| {
        let is_it = shape
            .field(name)
            .is_some_and(|field| field.slot == Some(slot));
        id.as_ref().filter(|_| is_it)
    })
}

/// Whether an action has no tool that it does not need: the key of its target alone, and that where it can be used.
fn has_right_tool(
    affordance: &Affordance,
    shape: &ActionShape,
    ids: &References,
    world: &dyn WorldRead,
) -> bool {
    let tool = shape.fields.iter().find(|it| it.slot == Some(Slot::Tool));
    if tool.is_none_or(|tool| tool.required) {
        return true;
    }
    let part = |ids, slot| in_slot(affordance, shape, ids, slot);
    let target = part(ids, Slot::Target);
    let key = target.and_then(|target| world.attribute(target, KEY));
    let is_key = |tool: &Id| key == Some(WorldValue::Text(tool.to_string()));
    match part(ids, Slot::Tool) {
        Some(tool) => is_key(tool),
        None => !affordance.combinations.iter().any(|other| {
            part(other, Slot::Target) == target && part(other, Slot::Tool).is_some_and(is_key)
        }),
    }
}

/// How the verbs of an action take its references: those of a game's own actions, else those of the language.
fn frame_of<'a>(action: &str, lexicon: &'a Lexicon, own: &'a [VerbFrame]) -> Option<&'a VerbFrame> {
    let mut frames = own.iter().chain(&lexicon.imperatives.frames);
    frames.find(|frame| frame.action == action)
}

/// A phrase that is being written.
struct Phrase<'a> {
    naming: &'a Naming<'a>,
    text: String,
    words: String,
}

impl<'a> Phrase<'a> {
    fn of(action: &str, frame: Option<&VerbFrame>, naming: &'a Naming) -> Self {
        let verb = frame.and_then(|frame| frame.verbs.first());
        let text = verb.cloned().unwrap_or_else(|| action.replace('_', " "));
        Self {
            naming,
            words: text.clone(),
            text,
        }
    }

    /// Names everything that the action refers to, in the order in which one says it.
    fn name_all(
        &mut self,
        named: &[(&str, &Id)],
        frame: Option<&VerbFrame>,
        is_place: &impl Fn(&str) -> bool,
    ) {
        let is = |field: Option<&String>, name: &str| field.is_some_and(|field| field == name);
        let frame = |name: &str| {
            let (object, tool, to) = frame.map_or((None, None, None), |frame| {
                (
                    frame.object.as_ref(),
                    frame.tool.as_ref(),
                    frame.to.as_ref(),
                )
            });
            match name {
                name if is(object, name) => Part::Object,
                // The tool comes before the thing that it is used on.
                name if is(tool, name) && is(to, name) => Part::On,
                name if is(tool, name) => Part::With,
                name if is(to, name) => Part::To,
                _ => Part::Other,
            }
        };
        let mut named: Vec<(Part, &str, &Id)> = named
            .iter()
            .map(|(name, id)| (frame(name), *name, *id))
            .collect();
        named.sort_by_key(|(part, ..)| *part);
        for (nth, (part, name, id)) in named.into_iter().enumerate() {
            let entry = match part {
                _ if is_place(name) => Some("phrase_place"),
                _ if nth == 0 => None,
                Part::Object => None,
                Part::On => Some("phrase_on"),
                Part::With => Some("phrase_with"),
                Part::To | Part::Other => Some("phrase_to"),
            };
            self.name(entry, id);
        }
    }

    fn name(&mut self, entry: Option<&str>, id: &Id) {
        let Naming { world, lexicon, .. } = self.naming;
        let name = display_name(*world, id);
        let words = &lexicon.prompt;
        let named = with_article(&name, lexicon, words);
        self.text = match entry {
            Some(entry) => words.say(entry, &[("phrase", &self.text), ("name", &named)]),
            None => format!("{} {named}", self.text),
        };
        self.words.extend([" ", &name]);
    }
}

/// Which part a reference plays in a phrase, in the order in which one says it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    Object,
    With,
    On,
    To,
    Other,
}

/// A name as it appears in a sentence. A name that begins with a capital letter, or with an article, gets none.
fn with_article(name: &str, lexicon: &Lexicon, words: &PromptWords) -> String {
    let is_proper = name.chars().next().is_none_or(char::is_uppercase);
    let first = fold(name.split_whitespace().next().unwrap_or_default());
    match is_proper || lexicon.imperatives.articles.contains(&first) {
        true => name.to_owned(),
        false => words.say("phrase_name", &[("name", name)]),
    }
}

/// Adds the ids where two phrases would be equal.
fn tell_apart(found: &mut [Found]) {
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for one in &*found {
        *times.entry(fold(&one.option.phrase)).or_default() += 1;
    }
    for one in found {
        if times
            .get(&fold(&one.option.phrase))
            .is_some_and(|times| *times > 1)
        {
            let ids = one.option.action.fields.values();
            let ids: Vec<&str> = ids.filter_map(serde_json::Value::as_str).collect();
            one.option.phrase = format!("{} ({})", one.option.phrase, ids.join(", "));
        }
    }
}
