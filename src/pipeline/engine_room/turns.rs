//! Whose turn it is at one engine: a pure function of what waits and of what the engine can take.

use super::spending::{Ahead, Spending};
use crate::base::fixed::Millis;
use crate::base::time::CallTime;
use crate::engine::Budget;
use bevy::prelude::Entity;
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// The most slots whose prompts are remembered.
pub(super) const MAX_SLOTS: u32 = 64;

/// About how many tokens this number of bytes is.
pub(super) fn tokens_of(bytes: usize) -> u64 {
    u64::try_from(bytes.div_ceil(4)).unwrap_or(u64::MAX)
}

fn common_prefix(a: &str, b: &str) -> usize {
    let pairs = a.as_bytes().iter().zip(b.as_bytes());
    pairs.take_while(|(a, b)| a == b).count()
}

/// What each slot of an engine has read last.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Slots {
    read: Vec<LastRead>,
    /// How many prompts all of them have read.
    prompts: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct LastRead {
    text: String,
    /// The number of that prompt; 0: it has read none.
    number: u64,
}

impl Slots {
    /// This slot reads a prompt.
    pub fn read(&mut self, slot: u32, prompt: &str) {
        let Ok(slot) = usize::try_from(slot.min(MAX_SLOTS - 1)) else {
            return;
        };
        if self.read.len() <= slot {
            self.read.resize_with(slot + 1, Default::default);
        }
        self.prompts += 1;
        self.read[slot] = LastRead {
            text: prompt.to_owned(),
            number: self.prompts,
        };
    }

    /// How much of a prompt this slot has read already, in pieces of some tokens, and how long ago it has read anything: the
    /// more, and the longer ago, the better it suits.
    fn suits(&self, slot: u32, prompt: &str) -> (usize, Reverse<u64>) {
        const PIECE: usize = 64;
        let slot = usize::try_from(slot).ok();
        let Some(last) = slot.and_then(|slot| self.read.get(slot)) else {
            return (0, Reverse(0));
        };
        (
            common_prefix(&last.text, prompt) / PIECE,
            Reverse(last.number),
        )
    }

    /// The slot of these that suits a prompt best.
    pub fn best(&self, prompt: &str, of: impl Iterator<Item = u32>) -> Option<u32> {
        of.max_by_key(|slot| (self.suits(*slot, prompt), Reverse(*slot)))
    }
}

/// A call that waits for its turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Waiting<'a> {
    pub run: Entity,
    /// The number of the run: an earlier run has a lower one.
    pub number: u64,
    /// How soon it has its turn; the lowest first.
    pub rank: i64,
    /// How long its run may still take.
    pub time_left: Millis,
    /// How long the budget of its character makes it wait.
    pub own_wait: Millis,
    /// Its prompt as one text, as far as prompts are compared.
    pub prompt: &'a str,
    /// The most tokens of its reply.
    pub reply_tokens: u32,
}

impl Waiting<'_> {
    /// The most tokens that the call takes, at about.
    pub fn tokens(&self) -> u64 {
        tokens_of(self.prompt.len()) + u64::from(self.reply_tokens)
    }
}

/// What an engine can take now.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room<'a> {
    pub now: CallTime,
    /// The most calls at once; `None`: no limit.
    pub calls: Option<u32>,
    /// How many are in flight.
    pub in_flight: u32,
    /// The slots that they have.
    pub busy: &'a BTreeSet<u32>,
    pub slots: &'a Slots,
    pub budget: Budget,
    pub spending: &'a Spending,
    /// How long a call takes; `None` where it is not known.
    pub pace: Option<Millis>,
}

/// What becomes of a call now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// It is made now, in this slot where the engine limits its calls in flight.
    Now { slot: Option<u32> },
    /// It waits. `before` says how many others have their turn first.
    Later { before: usize },
    /// It is not made: its reply would come too late.
    TooLate,
}

/// Decides whose turn it is. The call with the lowest rank goes first. Among equals, if a slot is free, the call goes first
/// whose prompt begins most like one that a free slot has read; after that, the oldest call goes first.
pub(super) fn turns(room: &Room, mut waiting: Vec<Waiting>) -> Vec<(Entity, Turn)> {
    waiting.sort_unstable_by_key(|call| (call.rank, call.number));
    let most = room.calls.map(|calls| calls.max(1));
    let mut places = most.map(|most| most.saturating_sub(room.in_flight));
    let mut free: Vec<u32> = match most {
        None => Vec::new(),
        Some(most) => (0..most.min(MAX_SLOTS))
            .filter(|slot| !room.busy.contains(slot))
            .collect(),
    };
    let mut given = Vec::with_capacity(waiting.len());
    let mut ahead = Ahead::default();
    // How many of those before it wait for a place.
    let mut row = 0;
    let mut next = 0;
    while next < waiting.len() {
        let has_place = places != Some(0);
        let slot = match has_place && !free.is_empty() {
            true => choose_slot(room, &mut waiting[next..], &free),
            false => None,
        };
        let call = waiting[next];
        next += 1;
        let budget_wait = room
            .spending
            .wait(&room.budget, room.now, ahead, call.tokens());
        let wait = call.own_wait.0.max(budget_wait.0);
        if has_place && wait == 0 {
            places = places.map(|places| places - 1);
            free.retain(|other| Some(*other) != slot);
            ahead.calls += 1;
            ahead.tokens = ahead.tokens.saturating_add(call.tokens());
            given.push((call.run, Turn::Now { slot }));
            continue;
        }
        let pace = room.pace.map_or(0, |pace| pace.0);
        let rounds = match most {
            Some(most) if !has_place => i64::try_from(row / most as usize).unwrap_or(i64::MAX),
            _ => 0,
        };
        let start = wait.max(rounds.saturating_mul(pace));
        // One whose deadline has passed ends by that alone.
        if call.time_left.0 >= 0 && start.saturating_add(pace) > call.time_left.0 {
            given.push((call.run, Turn::TooLate));
            continue;
        }
        given.push((call.run, Turn::Later { before: row }));
        if call.own_wait.0 == 0 {
            // A call that waits only for its own budget holds up no other call.
            row += 1;
            ahead.calls += 1;
            ahead.tokens = ahead.tokens.saturating_add(call.tokens());
        }
    }
    given
}

/// Puts first, among the calls of the first one's rank, the one whose prompt begins most like what a free slot has read, and
/// names that slot.
fn choose_slot(room: &Room, waiting: &mut [Waiting], free: &[u32]) -> Option<u32> {
    let rank = waiting.first()?.rank;
    let equals = waiting.iter().take_while(|call| call.rank == rank);
    let fits = equals.enumerate().filter_map(|(place, call)| {
        let slot = room.slots.best(call.prompt, free.iter().copied())?;
        Some((room.slots.suits(slot, call.prompt), Reverse(place), slot))
    });
    let (_, Reverse(place), slot) = fits.max()?;
    // The others keep their order.
    waiting.get_mut(..=place)?.rotate_right(1);
    Some(slot)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    static FREE: BTreeSet<u32> = BTreeSet::new();

    fn run(n: u32) -> Entity {
        Entity::from_raw_u32(n).unwrap_or(Entity::PLACEHOLDER)
    }

    fn call(n: u32, rank: i64, prompt: &str) -> Waiting<'_> {
        Waiting {
            run: run(n),
            number: u64::from(n),
            rank,
            time_left: Millis(30_000),
            own_wait: Millis(0),
            prompt,
            reply_tokens: 100,
        }
    }

    fn room<'a>(calls: Option<u32>, slots: &'a Slots, spending: &'a Spending) -> Room<'a> {
        Room {
            now: CallTime(0),
            calls,
            in_flight: 0,
            busy: &FREE,
            slots,
            budget: Budget::default(),
            spending,
            pace: None,
        }
    }

    #[test]
    fn e2_calls_that_begin_alike_follow_each_other_in_one_slot() {
        let (mut slots, spending) = (Slots::default(), Spending::default());
        let [ann, bob, cid, dan] = ["Ann", "Bob", "Cid", "Dan"].map(|name| name.repeat(40));
        for (slot, prompt) in [(0, &ann), (1, &bob)] {
            slots.read(slot, prompt);
        }
        let bob = format!("{bob} And?");
        let waiting = vec![call(1, 1, &cid), call(2, 1, &bob), call(3, 0, &dan)];
        let given = turns(&room(Some(2), &slots, &spending), waiting);
        // The more urgent call goes first, whatever was read before.
        assert_eq!(given[0], (run(3), Turn::Now { slot: Some(0) }));
        assert_eq!(given[1], (run(2), Turn::Now { slot: Some(1) }));
        assert_eq!(given[2], (run(1), Turn::Later { before: 0 }));
    }

    #[test]
    fn e1_what_cannot_be_in_time_is_said_at_once() {
        let (slots, spending) = (Slots::default(), Spending::default());
        let mut full = room(Some(2), &slots, &spending);
        full.in_flight = 2;
        full.pace = Some(Millis(10_000));
        let waiting = (0..8).map(|n| call(n, 0, "Hello?")).collect();
        let given = turns(&full, waiting);
        let late = |(_, turn): &&(Entity, Turn)| *turn == Turn::TooLate;
        // The third pair would begin after 20 s and take 10 more.
        assert_eq!(given.iter().filter(late).count(), 2, "{given:?}");
        assert_eq!(given[5], (run(5), Turn::Later { before: 5 }));
    }

    #[test]
    fn e1_a_character_without_budget_holds_nobody_up() {
        let (slots, spending) = (Slots::default(), Spending::default());
        let mut poor = call(1, 0, "Hello?");
        poor.own_wait = Millis(5_000);
        let mut broke = call(2, 0, "Hello?");
        broke.own_wait = Millis(50_000);
        let waiting = vec![poor, broke, call(3, 2, "Hello?")];
        let given = turns(&room(Some(1), &slots, &spending), waiting);
        assert_eq!(given[0], (run(1), Turn::Later { before: 0 }));
        assert_eq!(given[1], (run(2), Turn::TooLate));
        assert_eq!(given[2], (run(3), Turn::Now { slot: Some(0) }));
    }

    proptest! {
        /// Never more at once than the engine takes, never one slot twice, and no free place while a call could go.
        #[test]
        fn e1_no_place_is_given_twice_and_none_is_left_free(
            calls in 1_u32..6,
            in_flight in 0_u32..6,
            ranks in prop::collection::vec((0_i64..4, "[ab]{0,4}"), 0..12),
        ) {
            let (slots, spending) = (Slots::default(), Spending::default());
            let busy: BTreeSet<u32> = (0..in_flight.min(calls)).collect();
            let mut room = room(Some(calls), &slots, &spending);
            room.in_flight = in_flight.min(calls);
            room.busy = &busy;
            let waiting: Vec<Waiting> = (0..).zip(&ranks).map(|(n, (rank, user))| call(n, *rank, user)).collect();
            let given = turns(&room, waiting.clone());
            prop_assert_eq!(given.len(), waiting.len());
            let mut used = busy.clone();
            let mut now = 0;
            for (_, turn) in &given {
                if let Turn::Now { slot } = turn {
                    now += 1;
                    prop_assert!(slot.is_some_and(|slot| slot < calls && used.insert(slot)));
                }
            }
            let places = (calls - in_flight.min(calls)) as usize;
            prop_assert_eq!(now, places.min(waiting.len()));
            // No call goes before a more urgent one.
            let rank = |run: Entity| waiting.iter().find(|call| call.run == run).map(|call| call.rank);
            prop_assert!(given.windows(2).all(|pair| rank(pair[0].0) <= rank(pair[1].0)));
        }
    }
}
