//! The sentences of a run that were heard so far, and what they leave in the mind of the character.

use crate::base::clock::DramatisClock;
use crate::events::SpokeSentence;
use crate::gate::HeardBefore;
use crate::judged_world::change::take_back::ChangedParts;
use crate::memory::{DormantMinds, Exchange, Mind};
use crate::npc::{LoadedCharacter, change_mind, tell_forgotten, watch};
use crate::outbox::Outbox;
use crate::pipeline::run::Run;
use crate::pipeline::run::looking_back::add_exchange;
use crate::pipeline::run::retraction::{MindBefore, note_line};
use crate::pipeline::run::said::said_episode;
use crate::pipeline::steps::interaction::InteractionContext;
use bevy::prelude::*;

/// A sentence that was heard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HeardSentence {
    /// The attempt that it belongs to, counted from 0.
    pub attempt: u32,
    /// Its words, without white space around them.
    pub words: String,
    /// Whether an author wrote it: it is the fallback line.
    pub authored: bool,
}

/// On a run with [`Delivery::Sentences`](crate::policy::Delivery::Sentences): the sentences heard so far, in order. It only
/// grows.
#[derive(Component, Debug, Clone, Default)]
#[component(storage = "SparseSet")]
pub(crate) struct HeardSentences {
    sentences: Vec<HeardSentence>,
    /// What attempts before this one have said.
    earlier: String,
    /// What this attempt has said.
    current: String,
    /// Where each sentence begins that was heard and judged, in bytes of the whole line.
    starts: Vec<usize>,
}

/// The next sentence is judged together with the sentences before it, up to this number of characters, and with at least
/// [`TAIL_SENTENCES`] of them.
const TAIL_CHARS: usize = 400;
/// See [`TAIL_CHARS`].
const TAIL_SENTENCES: usize = 3;

impl HeardSentences {
    /// The sentences in the order in which they were heard.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &HeardSentence> {
        self.sentences.iter()
    }

    /// The sentences that were judged and heard, as one line: everything except a fallback line. Empty while nothing was heard.
    #[must_use]
    pub fn judged_line(&self) -> String {
        let parts = [self.earlier.as_str(), &self.current];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    }

    /// Everything that was heard, as one line.
    #[must_use]
    pub fn line(&self) -> String {
        let authored = self.sentences.iter().filter(|one| one.authored);
        let judged = self.judged_line();
        let parts = std::iter::once(judged.as_str()).chain(authored.map(|one| one.words.as_str()));
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        parts.join(" ")
    }

    /// The part of the whole line of a run that belongs to this attempt.
    pub(in crate::pipeline) fn own_part(&self, line: &str) -> String {
        let own = line.get(self.earlier.len()..).unwrap_or_default();
        own.trim_start().to_owned()
    }

    /// What this attempt has said so far.
    pub(in crate::pipeline) fn current_line(&self) -> &str {
        &self.current
    }

    /// The text before the next words, which the judges see as well.
    pub(crate) fn before(&self) -> HeardBefore {
        HeardBefore::new(&self.earlier, &self.current).with_tail(self.tail())
    }

    /// Where the sentences begin that are judged together with the next one. It depends only on the sentences that were heard.
    fn tail(&self) -> usize {
        let mut chars = 0;
        let sentences = self.sentences.iter().filter(|one| !one.authored).rev();
        for (n, (sentence, start)) in sentences.zip(self.starts.iter().rev()).enumerate() {
            chars += sentence.words.chars().count();
            if chars >= TAIL_CHARS && n + 1 >= TAIL_SENTENCES {
                return *start;
            }
        }
        0
    }

    /// The line of this attempt goes on to here. The new part was heard just now.
    fn hear(&mut self, attempt: u32, line: &str) -> Option<String> {
        let new = line.get(self.current.len()..).unwrap_or_default();
        let words = new.trim().to_owned();
        let before = match self.earlier.len() {
            0 => 0,
            // One space separates attempts.
            earlier => earlier + 1,
        };
        let start = before + line.len() - new.trim_start().len();
        line.clone_into(&mut self.current);
        (!words.is_empty()).then(|| {
            self.starts.push(start);
            self.sentences.push(HeardSentence {
                attempt,
                words: words.clone(),
                authored: false,
            });
            words
        })
    }

    /// The next attempt continues after the sentences that were heard.
    pub(crate) fn begin_attempt(&mut self) {
        self.earlier = self.judged_line();
        self.current.clear();
    }
}

/// The line of this attempt is heard up to here.
pub(in crate::pipeline) fn hear(world: &mut World, entity: Entity, line: &str) {
    let Some(run) = world.get::<Run>(entity) else {
        return;
    };
    let (attempt, npc, npc_entity) = (run.attempt(), run.npc().clone(), run.npc_entity());
    let Some(mut heard) = world.get_mut::<HeardSentences>(entity) else {
        return;
    };
    let Some(words) = heard.hear(attempt, line) else {
        return;
    };
    let index = heard.sentences.len() - 1;
    if let Some(mut run) = world.get_mut::<Run>(entity) {
        // A character that speaks does not say that it thinks.
        run.note_thinking_line();
    }
    world.get_resource_or_init::<Outbox>().tell(SpokeSentence {
        entity: npc_entity,
        npc,
        run: entity,
        index,
        sentence: words,
        fallback: false,
    });
}

/// The fallback line is heard after the other sentences. Returns everything together, as one line.
pub(in crate::pipeline) fn hear_fallback(
    world: &mut World,
    entity: Entity,
    line: &str,
) -> Option<String> {
    let run = world.get::<Run>(entity)?;
    let (attempt, npc, npc_entity) = (run.attempt(), run.npc().clone(), run.npc_entity());
    let mut heard = world.get_mut::<HeardSentences>(entity)?;
    heard.sentences.push(HeardSentence {
        attempt,
        words: line.to_owned(),
        authored: true,
    });
    let (index, whole) = (heard.sentences.len() - 1, heard.line());
    world.get_resource_or_init::<Outbox>().tell(SpokeSentence {
        entity: npc_entity,
        npc,
        run: entity,
        index,
        sentence: line.to_owned(),
        fallback: true,
    });
    Some(whole)
}

/// What a run that was not accepted leaves in the mind of its character: what it heard, and what it has said of it. `None` where
/// nothing was said that had been judged.
pub(in crate::pipeline) fn exchange_of_heard(world: &World, entity: Entity) -> Option<Exchange> {
    let answered = world.get::<HeardSentences>(entity)?.judged_line();
    let context = world.get::<InteractionContext>(entity)?;
    (!answered.is_empty()).then(|| context.exchange(answered))
}

/// The mind of a character keeps what it has said in a run that ended without a line: it was cancelled, or has no fallback.
pub(in crate::pipeline) fn remember_heard(world: &mut World, entity: Entity) {
    let Some(exchange) = exchange_of_heard(world, entity) else {
        return;
    };
    let Some(run) = world.get::<Run>(entity).cloned() else {
        return;
    };
    let (npc, npc_entity) = (run.npc().clone(), run.npc_entity());
    let before = MindBefore::of(world, npc_entity, std::iter::empty());
    let now = world.get_resource_or_init::<DramatisClock>().game;
    let episode = said_episode(world, entity, &exchange);
    // Another character may be on its entity by now.
    let is_there = LoadedCharacter::id_of(world, npc_entity).as_ref() == Some(&npc);
    let keep = |mind: &mut Mind| {
        add_exchange(mind, &run, exchange.clone(), episode.clone(), now);
    };
    let kept = is_there.then(|| change_mind(world, npc_entity, keep));
    let kept = kept.flatten();
    if let Some(before) = before.filter(|_| is_there) {
        note_line(world, entity, before, ChangedParts::default());
    }
    if kept.is_none()
        && let Some(mut dormant) = world.get_resource_mut::<DormantMinds>()
        && let Some(mind) = dormant.get_mut(&npc)
    {
        let add = |mind: &mut Mind| add_exchange(mind, &run, exchange, episode, now);
        let ((), forgotten) = watch(mind, add);
        tell_forgotten(world, None, &npc, forgotten);
    }
}
