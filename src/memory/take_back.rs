//! Taking back what was done to a mind, except for what has been changed again since.

use super::saved::SavedMind;
use std::collections::BTreeMap;

/// Takes back what made `after` of `before`, value by value, in the mind as it is `now`. What is no longer as it was left is
/// kept; the ids of it are returned, sorted.
#[must_use]
pub fn take_back(
    now: &SavedMind,
    before: &SavedMind,
    after: &SavedMind,
) -> (SavedMind, Vec<String>) {
    let mut mind = now.clone();
    let mut kept = Vec::new();
    let by_id = |saved: &SavedMind| -> BTreeMap<String, _> {
        let episodes = saved.episodes.iter();
        episodes
            .map(|episode| (episode.id.clone(), episode.clone()))
            .collect()
    };
    let mut episodes = by_id(now);
    take_back_map(&mut episodes, &by_id(before), &by_id(after), |id| {
        kept.push(id.clone())
    });
    mind.episodes = episodes.into_values().collect();
    mind.episodes.sort_by_key(|episode| episode.number);
    take_back_map(&mut mind.beliefs, &before.beliefs, &after.beliefs, |id| {
        kept.push(id.clone())
    });
    take_back_map(
        &mut mind.relationships,
        &before.relationships,
        &after.relationships,
        |other| kept.push(other.clone()),
    );
    for (other, causes) in &after.causes {
        // The causes go that the run has brought.
        let before = before
            .causes
            .get(other)
            .map(Vec::as_slice)
            .unwrap_or_default();
        if let Some(now) = mind.causes.get_mut(other) {
            now.retain(|cause| before.contains(cause) || !causes.contains(cause));
        }
    }
    mind.causes.retain(|_, causes| !causes.is_empty());
    let states = |saved: &SavedMind| -> BTreeMap<(String, String), u8> {
        let states = saved.states.iter();
        states
            .map(|(label, category, level)| ((category.clone(), label.clone()), *level))
            .collect()
    };
    let mut levels = states(now);
    take_back_map(
        &mut levels,
        &states(before),
        &states(after),
        |(_, label)| kept.push(label.clone()),
    );
    let levels = levels.into_iter();
    mind.states = levels
        .map(|((category, label), level)| (label, category, level))
        .collect();
    let done = after.interactions.saturating_sub(before.interactions);
    mind.interactions = mind.interactions.saturating_sub(done);
    take_back_last(&mut mind.exchanges, &before.exchanges, &after.exchanges);
    if mind.exchanges.len() < now.exchanges.len()
        && let Some((waiting, tried, last)) = now.unremembered
    {
        // What was not said is not looked back on.
        let waiting = waiting.saturating_sub(now.exchanges.len() - mind.exchanges.len());
        mind.unremembered = (waiting > 0).then_some((waiting, tried.min(waiting), last));
    }
    if now.exchanges_gone == after.exchanges_gone {
        mind.exchanges_gone = before.exchanges_gone;
    }
    take_back_last(
        &mut mind.recent_fallbacks,
        &before.recent_fallbacks,
        &after.recent_fallbacks,
    );
    take_back_last(&mut mind.lines, &before.lines, &after.lines);
    kept.sort();
    kept.dedup();
    (mind, kept)
}

/// Takes back entries of a map: those that are no longer as they were left stay, and are told.
pub fn take_back_map<K: Ord + Clone, V: PartialEq + Clone>(
    now: &mut BTreeMap<K, V>,
    before: &BTreeMap<K, V>,
    after: &BTreeMap<K, V>,
    mut keep: impl FnMut(&K),
) {
    let mut keys: Vec<&K> = before.keys().chain(after.keys()).collect();
    keys.sort();
    keys.dedup();
    for key in keys {
        let (was, left) = (before.get(key), after.get(key));
        if was == left {
            continue;
        }
        if now.get(key) != left {
            keep(key);
            continue;
        }
        match was {
            Some(was) => now.insert(key.clone(), was.clone()),
            None => now.remove(key),
        };
    }
}

/// Takes back what was added to the end of a list, and what left its beginning for it.
fn take_back_last<T: PartialEq + Clone>(now: &mut Vec<T>, before: &[T], after: &[T]) {
    if before == after {
        return;
    }
    if now == after {
        *now = before.to_vec();
        return;
    }
    if let Some(added) = after.last()
        && let Some(at) = now.iter().rposition(|one| one == added)
    {
        now.remove(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t12_what_somebody_else_has_changed_is_kept() {
        let before = BTreeMap::from([("a", 1), ("b", 2), ("gone", 3)]);
        let after = BTreeMap::from([("a", 9), ("b", 9), ("new", 4)]);
        let mut now = BTreeMap::from([("a", 9), ("b", 7), ("new", 4), ("other", 5)]);
        let mut kept = Vec::new();
        take_back_map(&mut now, &before, &after, |key| kept.push(*key));
        assert_eq!(
            now,
            BTreeMap::from([("a", 1), ("b", 7), ("gone", 3), ("other", 5)])
        );
        assert_eq!(kept, ["b"]);
    }

    #[test]
    fn t12_the_end_of_a_list_is_taken_back() {
        let (before, after) = (["a", "b"], ["b", "c"]);
        let mut now = vec!["b", "c"];
        take_back_last(&mut now, &before, &after);
        assert_eq!(now, ["a", "b"]);
        let mut now = vec!["b", "c", "d"];
        take_back_last(&mut now, &before, &after);
        assert_eq!(now, ["b", "d"]);
    }
}
