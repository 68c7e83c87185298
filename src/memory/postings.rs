//! In which slots something occurs, in little room.

use super::room;
use bevy::platform::collections::HashTable;
use bevy::platform::hash::FixedHasher;
use std::hash::BuildHasher;

/// Where something is looked up by a name: the same in every process, and maybe the same of several names.
pub(super) fn hash_of(name: &str) -> u64 {
    FixedHasher.hash_one(name)
}

/// Slots in rising order. What is kept of each is how many were left out before it: seven bits a byte, the low ones first,
/// and the highest bit where another byte follows. Most take one byte.
#[derive(Debug, Clone, Default)]
pub(super) struct Slots {
    left_out: Vec<u8>,
    count: u32,
    /// The first slot that can still be added.
    next: u32,
}

impl Slots {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.count as usize
    }

    /// Adds a slot after all others.
    fn push(&mut self, slot: u32) {
        let mut rest = slot.saturating_sub(self.next);
        while rest >= 0x80 {
            room::push(&mut self.left_out, low_bits(rest) | 0x80);
            rest >>= 7;
        }
        room::push(&mut self.left_out, low_bits(rest));
        self.count += 1;
        self.next = slot.saturating_add(1);
    }

    /// All of them.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        let (mut next, mut rest, mut bits) = (0, 0, 0);
        self.left_out.iter().filter_map(move |byte| {
            rest |= usize::from(byte & 0x7f) << bits;
            if *byte >= 0x80 {
                bits += 7;
                return None;
            }
            let slot = next + rest;
            (next, rest, bits) = (slot + 1, 0, 0);
            Some(slot)
        })
    }
}

fn low_bits(number: u32) -> u8 {
    let [low, ..] = number.to_le_bytes();
    low & 0x7f
}

/// For each key the slots in which it occurs.
#[derive(Debug, Clone, Default)]
pub(super) struct Postings {
    keys: Vec<(Box<str>, Slots)>,
    /// The place of each in `keys`, by its hash.
    places: HashTable<u32>,
}

impl Postings {
    fn place(&self, key: &str) -> Option<usize> {
        let is_it = |place: &u32| *self.keys[*place as usize].0 == *key;
        let place = self.places.find(hash_of(key), is_it)?;
        Some(*place as usize)
    }

    /// Adds a slot, after all others, to those of a key.
    pub(super) fn add(&mut self, key: &str, slot: u32) {
        if let Some(place) = self.place(key) {
            self.keys[place].1.push(slot);
            return;
        }
        let mut slots = Slots::default();
        slots.push(slot);
        self.insert(key.into(), slots);
    }

    fn insert(&mut self, key: Box<str>, slots: Slots) {
        let (hash, place) = (hash_of(&key), self.keys.len());
        room::push(&mut self.keys, (key, slots));
        let hash_at = |place: &u32| hash_of(&self.keys[*place as usize].0);
        let place = u32::try_from(place).unwrap_or(u32::MAX);
        self.places.insert_unique(hash, place, hash_at);
    }

    /// The slots of a key; `None` where it occurs nowhere.
    pub(super) fn of(&self, key: &str) -> Option<&Slots> {
        Some(&self.keys[self.place(key)?].1)
    }

    /// The slots have other numbers from now on, in the same order: `moved` holds the new number at the place of the old one,
    /// or none.
    pub(super) fn renumber(&mut self, moved: &[Option<u32>]) {
        for (key, old) in std::mem::take(self).keys {
            let mut slots = Slots::default();
            for slot in old.iter().filter_map(|slot| moved[slot]) {
                slots.push(slot);
            }
            if slots.count > 0 {
                self.insert(key, slots);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn m7_slots_come_back_in_order() {
        let kept = [0, 1, 129, 130, 258, 16_643, 2_113_795, u32::MAX - 1];
        let mut postings = Postings::default();
        for slot in kept {
            postings.add("key", slot);
        }
        let slots = postings.of("key").unwrap();
        let found: Vec<usize> = slots.iter().collect();
        assert_eq!(found, kept.map(|slot| slot as usize));
        assert_eq!(slots.len(), kept.len());
        assert_eq!(slots.left_out.len(), 1 + 1 + 1 + 1 + 1 + 3 + 3 + 5);
    }
}
