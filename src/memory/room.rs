//! Lists that may be long, and are to take little room.

/// Makes room for one more: an eighth of what there is, where a list by itself would take as much again.
pub(super) fn make_room<T>(list: &mut Vec<T>) {
    if list.len() == list.capacity() {
        list.reserve_exact(list.len() / 8 + 4);
    }
}

/// Adds one at the end.
pub(super) fn push<T>(list: &mut Vec<T>, one: T) {
    make_room(list);
    list.push(one);
}
