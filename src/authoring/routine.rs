//! The day of a character: where it is at which time, and what it does there.

use super::files::{FileSource, WithSource};
use crate::base::calendar::{Calendar, TimeOfDay};
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::format::{AuthoringError, Inline, Problem};
use crate::rules::RuleCondition;
use serde::Deserialize;
use std::sync::Arc;

/// A part of a character's day. The first one of a routine that fits counts.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename = "RoutineEntry")]
pub struct RoutineEntrySpec {
    /// When it begins, `HH:MM` of the game's day, `00:00` to `24:00`.
    pub from: String,
    /// When it ends, `HH:MM`; this time is not part of it. Earlier than `from`: it lasts past midnight. Equal: the whole day.
    pub to: String,
    /// The id of the location where the character is then: it sets out when the entry begins. `None`: it stays where it is.
    pub place: Option<String>,
    /// What it does there, as in `forges nails`: others see it, and its own prompt says so. `None`: nothing.
    pub doing: Option<String>,
    /// What it remembers of it, as in `forged nails`. `None`: as `doing`.
    pub done: Option<String>,
    /// When the entry holds at all. `Trigger`, `TriggerId`, `Scene` and `HasTag` never hold here.
    #[serde(default)]
    pub(crate) when: RuleCondition,
    /// Whether it is too busy to talk: a talk delays it only as long as the talk lasts.
    #[serde(default)]
    pub busy: bool,
}

/// A part of a character's day, checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoutineEntry {
    /// When it begins and when it ends; the end is not part of it.
    pub times: (TimeOfDay, TimeOfDay),
    /// Where the character is then; `None`: where it is.
    pub place: Option<Id>,
    /// What it does there, for others and itself; `None`: nothing.
    pub doing: Option<String>,
    /// What it remembers of it; `None`: nothing.
    pub done: Option<String>,
    /// When it holds at all.
    pub(crate) when: RuleCondition,
    /// Whether the character is too busy to talk.
    pub busy: bool,
}

/// The parts of a character's day, in the order of its file.
pub type Routine = Arc<[RoutineEntry]>;

impl RoutineEntry {
    /// Whether it is its time.
    #[must_use]
    pub(crate) fn is_now(&self, calendar: Calendar, now: GameTime) -> bool {
        calendar.is_within(self.times, now)
    }

    /// When it begins or ends next by the clock, later than `now`.
    #[must_use]
    pub(crate) fn next_change(&self, calendar: Calendar, now: GameTime) -> GameTime {
        let (from, to) = self.times;
        calendar.next(from, now).min(calendar.next(to, now))
    }

    fn of(spec: &RoutineEntrySpec, place: &str, problems: &mut Vec<Problem>) -> Option<Self> {
        let mut time = |field: &str, text: &str| {
            let time = TimeOfDay::parse(text);
            if time.is_none() {
                let shown = text.escape_debug();
                let message = format!("\"{shown}\" is not a time: write HH:MM, 00:00 to 24:00");
                problems.push(Problem::new(format!("{place}/{field}"), message));
            }
            time
        };
        let times = (time("from", &spec.from), time("to", &spec.to));
        let at = spec.place.as_ref().map(Id::new).transpose();
        let at = at.map_err(|error| {
            problems.push(Problem::new(format!("{place}/place"), error.to_string()));
        });
        let said = |text: &Option<String>| {
            let text = text.as_deref().map(str::trim);
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        let doing = said(&spec.doing);
        Some(Self {
            times: (times.0?, times.1?),
            place: at.ok()?,
            done: said(&spec.done).or_else(|| doing.clone()),
            doing,
            when: without_requests(&spec.when),
            busy: spec.busy,
        })
    }
}

/// The same condition where no request has come: what it asks of one does not hold.
pub(crate) fn without_requests(condition: &RuleCondition) -> RuleCondition {
    use RuleCondition as C;
    let each = |list: &[C]| list.iter().map(without_requests).collect();
    match condition {
        C::Trigger(_) | C::TriggerId(_) | C::Scene(_) | C::HasTag(_) => C::Any(Vec::new()),
        C::Not(inner) => C::Not(Box::new(without_requests(inner))),
        C::All(list) => C::All(each(list)),
        C::Any(list) => C::Any(each(list)),
        other => other.clone(),
    }
}

/// The routine of a character, which is in its file at this place, or in a file of its own.
///
/// # Errors
/// Everything that is wrong, each with its place.
pub(crate) fn load_routine<T>(
    npc: &WithSource<T>,
    routine: &Inline<Vec<RoutineEntrySpec>>,
    pointer: &str,
    files: &dyn FileSource,
) -> Result<Routine, Vec<AuthoringError>> {
    let part = npc.part(routine, pointer, files)?;
    let mut problems = Vec::new();
    let entries = part.value.iter().enumerate();
    let entries = entries
        .filter_map(|(i, entry)| RoutineEntry::of(entry, &format!("/{i}"), &mut problems))
        .collect();
    match problems.is_empty() {
        true => Ok(entries),
        false => Err(part.locate_all(&problems)),
    }
}
