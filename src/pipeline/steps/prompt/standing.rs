//! Which exchanges are in a prompt, and how long they are.

use super::escape::escaped_chars;
use crate::base::canonical::Encoded;
use crate::memory::Exchange;
use std::sync::Arc;

/// How long an exchange is in a prompt, in characters. `name`: that of the character.
pub(super) fn exchange_chars(exchange: &Encoded<Exchange>, name: &str) -> usize {
    // An exchange does not change any more, and is measured for each prompt.
    let words = exchange.shown_chars(|one| {
        let words = [&one.speaker, &one.heard, &one.answered];
        words.map(|words| escaped_chars(words)).iter().sum()
    });
    words + name.chars().count() + ": \n: \n".len()
}

/// How many of `all` kept exchanges have left a prompt that shows at most `most`. `gone` more are not kept any more.
pub(super) fn leaving(all: usize, gone: usize, most: usize) -> usize {
    let block = most.div_ceil(2).max(1);
    // Counted from the first exchange ever: a ring that lets go of its oldest must not move the blocks.
    let surplus = (gone + all).saturating_sub(most);
    (surplus.div_ceil(block) * block).saturating_sub(gone)
}

/// The exchanges that fit into the characters that are left, the newest first: as a prompt will show them.
pub(in crate::pipeline::steps) fn standing<'a>(
    all: &'a [Arc<Encoded<Exchange>>],
    gone: usize,
    most: usize,
    left: usize,
    name: &str,
) -> impl Iterator<Item = &'a Exchange> {
    let shown = all.iter().skip(leaving(all.len(), gone, most)).rev();
    let mut left = left;
    shown.filter_map(move |exchange| {
        left = left.checked_sub(exchange_chars(exchange, name))?;
        Some(&***exchange)
    })
}
