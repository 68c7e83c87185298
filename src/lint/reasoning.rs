//! What is known of an action after some checks have held: which later one can no longer fail, or no longer hold.
//!
//! Only what is sure is said. What would take too long to find out counts as open.

use super::facts::{Fact, Formula, Quantity, RoleKey, Value};
use crate::judged_world::rulebook::{ActionCondition, ActionRole};
use std::collections::BTreeMap;

/// How many facts may be looked at for one rulebook.
pub(super) const MAX_STEPS: usize = 1_000_000;

/// More alternatives than are kept in mind of the checks that have held.
const MAX_OPEN: usize = 64;
/// An `Any` of more parts is not kept in mind.
const MAX_PARTS: usize = 16;

/// What is sure of a check. The number is that of the latest check that makes it so, from 1; 0 where none is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It may hold and it may fail.
    Open,
    CannotFail(usize),
    CannotHold(usize),
}

/// Why facts cannot be so together: the number of the latest check that is a part of it.
type Conflict = usize;

/// What a number must be, if it is one, and the checks that say so.
#[derive(Debug, Clone, Copy)]
struct Number {
    is_one: Option<usize>,
    least: (i64, usize),
    most: (i64, usize),
}

impl Number {
    const ANY: Self = Self {
        is_one: None,
        least: (i64::MIN, 0),
        most: (i64::MAX, 0),
    };

    fn conflict(&self) -> Result<(), Conflict> {
        match self.is_one {
            Some(check) if self.least.0 > self.most.0 => {
                Err(check.max(self.least.1).max(self.most.1))
            }
            _ => Ok(()),
        }
    }
}

/// What was known before.
enum Undo<'a> {
    Fact(Fact<'a>, Option<(bool, usize)>),
    Value(Quantity<'a>, Option<(Value<'a>, usize)>),
    Number(Quantity<'a>, Option<Number>),
}

/// What holds of an action.
pub(super) struct Known<'a> {
    facts: BTreeMap<Fact<'a>, (bool, usize)>,
    values: BTreeMap<Quantity<'a>, (Value<'a>, usize)>,
    numbers: BTreeMap<Quantity<'a>, Number>,
    /// Alternatives of which at least one holds.
    open: Vec<(Formula<'a>, usize)>,
    trail: Vec<Undo<'a>>,
    steps_left: usize,
}

impl<'a> Known<'a> {
    /// Where these facts are given. With no steps left nothing is sure any more.
    pub fn new(given: impl IntoIterator<Item = (Fact<'a>, bool)>, steps_left: usize) -> Self {
        let time = Number {
            is_one: Some(0),
            ..Number::ANY
        };
        let mut known = Self {
            facts: BTreeMap::new(),
            values: BTreeMap::new(),
            numbers: BTreeMap::from([(Quantity::Time, time)]),
            open: Vec::new(),
            trail: Vec::new(),
            steps_left,
        };
        for (fact, wanted) in given {
            // What is given does not conflict.
            let _ = known.learn(fact, wanted, 0);
        }
        known.trail.clear();
        known
    }

    /// How many facts may still be looked at.
    pub fn steps_left(&self) -> usize {
        self.steps_left
    }

    /// What is sure of the check with this number, from 1. Afterwards it counts as one that has held.
    pub(crate) fn judge(&mut self, condition: &'a ActionCondition, check: usize) -> Verdict {
        let holds = Formula::of(condition, true);
        if let Err(conflict) = self.can_hold(&holds) {
            return Verdict::CannotHold(conflict);
        }
        if let Err(conflict) = self.can_hold(&Formula::of(condition, false)) {
            return Verdict::CannotFail(conflict);
        }
        let mut alternatives = Vec::new();
        let _ = self.assume(&holds, check, &mut alternatives);
        self.trail.clear();
        for formula in alternatives {
            let short = matches!(&formula, Formula::Any(parts) if parts.len() <= MAX_PARTS);
            if short && self.open.len() < MAX_OPEN {
                self.open.push((formula, check));
            }
        }
        Verdict::Open
    }

    /// Whether this is ruled out.
    pub fn rules_out(&mut self, fact: Fact<'a>) -> bool {
        self.can_hold(&Formula::Fact(fact, true)).is_err()
    }

    /// The value that an attribute must have.
    pub(crate) fn value(&self, role: &'a ActionRole, name: &'a str) -> Option<Value<'a>> {
        let value = self.values.get(&Quantity::Attribute(RoleKey(role), name));
        value.map(|(value, _)| *value)
    }

    /// Tries whether something can be true, and forgets it again.
    fn can_hold(&mut self, formula: &Formula<'a>) -> Result<(), Conflict> {
        let mark = self.trail.len();
        let open = std::mem::take(&mut self.open);
        let mut result = self.assume(formula, 0, &mut Vec::new());
        for (alternatives, check) in &open {
            if result.is_ok() {
                result = self.assume(alternatives, *check, &mut Vec::new());
            }
        }
        self.open = open;
        self.undo(mark);
        result
    }

    /// Assumes that something is true. `left` gets the alternatives that stay open.
    fn assume(
        &mut self,
        formula: &Formula<'a>,
        check: usize,
        left: &mut Vec<Formula<'a>>,
    ) -> Result<(), Conflict> {
        let mut alternatives = Vec::new();
        self.assume_facts(formula, check, &mut alternatives)?;
        loop {
            let mut undecided = Vec::new();
            let mut settled = true;
            for any in std::mem::take(&mut alternatives) {
                let Formula::Any(parts) = any else { continue };
                let mut possible = Vec::new();
                let mut latest = check;
                for part in parts {
                    let mark = self.trail.len();
                    match self.assume(part, check, &mut Vec::new()) {
                        Ok(()) => possible.push(part),
                        Err(conflict) => latest = latest.max(conflict),
                    }
                    self.undo(mark);
                    if possible.len() > 1 {
                        break;
                    }
                }
                match possible[..] {
                    [] => return Err(latest),
                    // The one that remains, since all the others are ruled out.
                    [only] => {
                        settled = false;
                        self.assume_facts(only, latest, &mut undecided)?;
                    }
                    _ => undecided.push(any),
                }
            }
            alternatives = undecided;
            if settled {
                break;
            }
        }
        left.extend(alternatives.into_iter().cloned());
        Ok(())
    }

    /// Assumes all facts of something that is true, and lists its alternatives.
    fn assume_facts<'f>(
        &mut self,
        formula: &'f Formula<'a>,
        check: usize,
        alternatives: &mut Vec<&'f Formula<'a>>,
    ) -> Result<(), Conflict> {
        if self.steps_left == 0 {
            return Ok(());
        }
        self.steps_left -= 1;
        match formula {
            Formula::Fact(fact, wanted) => self.learn(*fact, *wanted, check),
            Formula::All(parts) => parts
                .iter()
                .try_for_each(|part| self.assume_facts(part, check, alternatives)),
            Formula::Any(parts) => match &parts[..] {
                [] => Err(check),
                [only] => self.assume_facts(only, check, alternatives),
                _ => {
                    alternatives.push(formula);
                    Ok(())
                }
            },
        }
    }

    /// Takes in a fact with all that follows from it.
    fn learn(&mut self, fact: Fact<'a>, wanted: bool, check: usize) -> Result<(), Conflict> {
        let mut next = vec![(fact, wanted)];
        while let Some((fact, wanted)) = next.pop() {
            if self.steps_left == 0 {
                return Ok(());
            }
            self.steps_left -= 1;
            let is_new = match fact {
                Fact::Equals(of, value) if wanted => self.learn_value(of, value, check)?,
                Fact::Equals(of, value) => {
                    self.deny_value(of, value, check)?;
                    self.learn_plain(fact, wanted, check)?
                }
                Fact::AtLeast(of, n) | Fact::AtMost(of, n) => {
                    let is_least = matches!(fact, Fact::AtLeast(..));
                    self.learn_bound(of, n, is_least, wanted, check)?
                }
                _ => self.learn_plain(fact, wanted, check)?,
            };
            if is_new && wanted {
                fact.consequences(|fact, wanted| next.push((fact, wanted)));
            }
        }
        Ok(())
    }

    /// Whether it is new.
    fn learn_plain(
        &mut self,
        fact: Fact<'a>,
        wanted: bool,
        check: usize,
    ) -> Result<bool, Conflict> {
        match self.facts.get(&fact) {
            Some((is, _)) if *is == wanted => Ok(false),
            Some((_, before)) => Err(check.max(*before)),
            None => {
                let before = self.facts.insert(fact, (wanted, check));
                self.trail.push(Undo::Fact(fact, before));
                Ok(true)
            }
        }
    }

    fn learn_value(
        &mut self,
        of: Quantity<'a>,
        value: Value<'a>,
        check: usize,
    ) -> Result<bool, Conflict> {
        if let Some((is, before)) = self.values.get(&of) {
            return if *is == value {
                Ok(false)
            } else {
                Err(check.max(*before))
            };
        }
        if let Some((false, before)) = self.facts.get(&Fact::Equals(of, value)) {
            return Err(check.max(*before));
        }
        match (value, self.numbers.get(&of)) {
            (Value::Int(n), _) => {
                self.learn_bound(of, n, true, true, check)?;
                self.learn_bound(of, n, false, true, check)?;
            }
            (
                _,
                Some(Number {
                    is_one: Some(before),
                    ..
                }),
            ) => return Err(check.max(*before)),
            _ => {}
        }
        let before = self.values.insert(of, (value, check));
        self.trail.push(Undo::Value(of, before));
        Ok(true)
    }

    fn deny_value(&self, of: Quantity<'a>, value: Value<'a>, check: usize) -> Result<(), Conflict> {
        match self.values.get(&of) {
            Some((is, before)) if *is == value => return Err(check.max(*before)),
            _ => {}
        }
        match (value, self.numbers.get(&of)) {
            (Value::Int(n), Some(number)) if number.least.0 == n && number.most.0 == n => {
                let bounds = number.least.1.max(number.most.1).max(check);
                number.is_one.map_or(Ok(()), |is| Err(is.max(bounds)))
            }
            _ => Ok(()),
        }
    }

    /// Takes in that a number is at least, or at most, `n`; or, not `wanted`, that it is not, if it is a number.
    fn learn_bound(
        &mut self,
        of: Quantity<'a>,
        n: i64,
        is_least: bool,
        wanted: bool,
        check: usize,
    ) -> Result<bool, Conflict> {
        let before = self.numbers.get(&of).copied();
        let mut number = before.unwrap_or(Number::ANY);
        if wanted {
            match self.values.get(&of) {
                Some((Value::Int(_), _)) | None => {}
                Some((_, before)) => return Err(check.max(*before)),
            }
            number.is_one = number.is_one.or(Some(check));
        }
        let bound = match (is_least, wanted) {
            (_, true) => Some(n),
            (true, false) => n.checked_sub(1),
            (false, false) => n.checked_add(1),
        };
        match bound {
            // No number is less than the least one.
            None => return number.is_one.map_or(Ok(false), |is| Err(check.max(is))),
            Some(n) if is_least == wanted => {
                if n > number.least.0 {
                    number.least = (n, check);
                }
            }
            Some(n) => {
                if n < number.most.0 {
                    number.most = (n, check);
                }
            }
        }
        number.conflict()?;
        self.numbers.insert(of, number);
        self.trail.push(Undo::Number(of, before));
        Ok(true)
    }

    fn undo(&mut self, mark: usize) {
        fn put<K: Ord, V>(map: &mut BTreeMap<K, V>, key: K, value: Option<V>) {
            match value {
                Some(value) => map.insert(key, value),
                None => map.remove(&key),
            };
        }
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Undo::Fact(fact, before)) => put(&mut self.facts, fact, before),
                Some(Undo::Value(of, before)) => put(&mut self.values, of, before),
                Some(Undo::Number(of, before)) => put(&mut self.numbers, of, before),
                None => {}
            }
        }
    }
}

#[cfg(test)]
mod tests;
