//! A paragraph: its quotations, the prose between them, and whose words they are.

use super::fragment::{Beside, Fragment, fragments};
use super::saying::Saying;
use super::words::Words;
use crate::gate::canon::{quoted_characters, straighten_apostrophes};
use crate::text::sentence::is_end_mark;
use std::ops::Range;

enum Segment {
    Quotation(Range<usize>),
    Prose(Vec<Fragment>),
}

pub(super) struct Paragraph<'a> {
    text: &'a str,
    words: &'a Words<'a>,
    segments: Vec<Segment>,
}

impl<'a> Paragraph<'a> {
    pub(super) fn read(text: &'a str, words: &'a Words<'a>) -> Self {
        let quoted = quoted_characters(&straighten_apostrophes(text), words.lexicon, false);
        let mut parts: Vec<(bool, Range<usize>)> = Vec::new();
        for ((at, c), quoted) in text.char_indices().zip(quoted) {
            let end = at + c.len_utf8();
            match parts.last_mut() {
                Some((last, range)) if *last == quoted => range.end = end,
                _ => parts.push((quoted, at..end)),
            }
        }
        let segments = parts.into_iter().map(|(quoted, range)| match quoted {
            true => Segment::Quotation(range),
            false => Segment::Prose(fragments(text, range, words)),
        });
        Self {
            text,
            words,
            segments: segments.collect(),
        }
    }

    /// The speakers with their words, in bytes of the paragraph.
    pub(super) fn told(&self) -> Vec<(usize, Range<usize>)> {
        let mut told = Vec::new();
        for (at, segment) in self.segments.iter().enumerate() {
            match segment {
                Segment::Quotation(range) => {
                    let who = self.speakers_of(at);
                    told.extend(who.into_iter().map(|who| (who, range.clone())));
                }
                Segment::Prose(fragments) => {
                    for (number, fragment) in fragments.iter().enumerate() {
                        let before = at.checked_sub(1).filter(|_| number == 0);
                        let beside = Beside {
                            ended: before.map(|before| self.ends_a_sentence(before)),
                            leads: number + 1 == fragments.len()
                                && !fragment.is_ended
                                && at + 1 < self.segments.len(),
                        };
                        told.extend(self.words.reported(fragment, beside));
                    }
                }
            }
        }
        told
    }

    fn prose(&self, at: Option<usize>) -> Option<&[Fragment]> {
        match self.segments.get(at?)? {
            Segment::Prose(fragments) => Some(fragments),
            Segment::Quotation(_) => None,
        }
    }

    /// The speakers of a quotation: the persons that the words right before or right after it name.
    fn speakers_of(&self, at: usize) -> Vec<usize> {
        let before = self.prose(at.checked_sub(1));
        let last = before.and_then(<[Fragment]>::last);
        let leads = last.filter(|fragment| !fragment.is_ended);
        let saying = leads.and_then(Fragment::last_speaker);
        if let Some(saying) = saying.or_else(|| self.tag_behind(at)) {
            return saying.who.clone();
        }
        let (Some(before), Some(last)) = (before, last) else {
            return Vec::new();
        };
        // "..," says Odo. "..": he goes on.
        let earlier = at.checked_sub(2).filter(|_| before.len() == 1);
        if let Some(saying) = earlier.and_then(|earlier| self.tag_behind(earlier)) {
            return saying.who.clone();
        }
        // Odo whispers to Kael. ".."
        match last.sayings.iter().rposition(Saying::may_introduce) {
            Some(number) if self.words.content(last, number).is_none() => {
                last.sayings[number].who.clone()
            }
            Some(_) => Vec::new(),
            None if self.is_tagged(at) => Vec::new(),
            None => self.actor_of(last).into_iter().collect(),
        }
    }

    /// Whether the sentence of a quotation goes on behind it and says who speaks: `"..," a sign says`.
    fn is_tagged(&self, at: usize) -> bool {
        let behind = self.prose(Some(at + 1)).and_then(<[Fragment]>::first);
        !self.ends_a_sentence(at) && behind.is_some_and(|behind| !behind.sayings.is_empty())
    }

    /// The known name with which a short sentence before a quotation begins: `Odo nods. ".."`, `Odo, loudly: ".."`.
    fn actor_of(&self, fragment: &Fragment) -> Option<usize> {
        /// The most words of such a sentence, apart from the name.
        const WORDS: usize = 6;
        let tokens = &fragment.tokens;
        let leads = |at: &usize| !tokens[*at].is_word || self.words.is_manner(&tokens[*at]);
        let start = (0..tokens.len()).find(|at| !leads(at))?;
        let (len, who) = self.words.name_at(self.text, tokens, start)?;
        let behind = &tokens[start + len..];
        let mut words = behind.iter().filter(|token| token.is_word);
        let fits = match fragment.is_ended {
            true => words.count() <= WORDS,
            // A part of a sentence without a verb.
            false => {
                words.all(|word| self.words.is_manner(word))
                    && behind.last().is_some_and(|last| !last.is_word)
            }
        };
        fits.then_some(who)
    }

    /// The saying right after a quotation that names its speaker: `"..," says Odo`.
    fn tag_behind(&self, at: usize) -> Option<&Saying> {
        let fragment = self.prose(Some(at + 1))?.first()?;
        let saying = fragment.sayings.first()?;
        let leading = &fragment.tokens[..saying.start];
        let is_first = leading
            .iter()
            .all(|token| !token.is_word || self.words.is_manner(token));
        // "Where is it?" Odo answers: "..": what he answers follows.
        let leads_on = !fragment.is_ended
            && fragment.tokens.last().is_some_and(|last| last.text == ":")
            && self.ends_a_sentence(at);
        (is_first && !leads_on).then_some(saying)
    }

    /// Whether the words of a quotation end with a mark that ends a sentence.
    fn ends_a_sentence(&self, at: usize) -> bool {
        let Some(Segment::Quotation(range)) = self.segments.get(at) else {
            return false;
        };
        let inner = self.text.get(range.clone()).unwrap_or_default().trim_end();
        let mut chars = inner.chars().rev();
        chars.next();
        chars.next().is_some_and(is_end_mark)
    }
}
