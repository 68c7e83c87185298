//! What the gate judges by: the frozen input, the rules, and the live world.

use super::canon::CanonJudge;
use super::custom::CustomChecks;
use crate::base::canonical::Encoded;
use crate::base::fixed::Millionths;
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::judged_world::change::apply::TurnKey;
use crate::judged_world::{ActionRules, EntityView, May, WorldRead};
use crate::memory::said_line::SaidLine;
use crate::rules::{Constraint, CustomRule, Interaction, RuleSeverity, Topic};
use crate::text::Lexicon;
use std::collections::VecDeque;
use std::sync::Arc;

/// Everything that the gate judges by. The pipeline builds it for each attempt, from the snapshot and the live world.
pub(crate) struct GateContext<'a> {
    /// The number of the run that approvals are bound to.
    pub run: u64,
    /// Why the character responds, the speaker, and what was said.
    pub interaction: Interaction<'a>,
    /// The constraints of this attempt, as the snapshot froze them.
    pub(crate) constraints: &'a [Arc<Encoded<Constraint>>],
    /// Canon: facts that no reply may change or contradict.
    pub canon: &'a CanonJudge,
    /// Topics that the character must never speak of.
    pub(crate) forbidden: &'a [Topic],
    /// Hidden topics that were closed when the input was frozen.
    pub(crate) closed: &'a [Topic],
    /// Custom rules in data: of the story and of the character.
    pub(crate) custom: &'a [CustomRule],
    /// Custom checks in Rust that the game registered.
    pub checks: &'a CustomChecks,
    /// What its lines are judged by in addition to their words; `None` for a character without a mind.
    pub(crate) lines: Option<LineRules<'a>>,
    /// Which actions the character may propose.
    pub may: May<'a>,
    /// The world as it is now.
    pub world: &'a dyn WorldRead,
    /// What the actions of the reply are judged by.
    pub actions: ActionContext<'a>,
}

impl GateContext<'_> {
    /// What people call the character that speaks.
    pub(super) fn speaker(&self) -> Option<String> {
        self.world.name_of(self.interaction.npc.as_str())
    }
}

/// What a line is judged by in addition to its words: what its character has said before, and in which language it speaks.
pub(crate) struct LineRules<'a> {
    /// The last lines of the character, oldest first.
    pub earlier: &'a VecDeque<Arc<SaidLine>>,
    /// How much of a line may also be in one of them, as a share of its runs of words.
    pub echo: Millionths,
    /// What happens when a line exceeds this share.
    pub echo_severity: RuleSeverity,
    /// The language that it must be in; `None`: the gate does not check the language.
    pub language: Option<&'a Lexicon>,
}

/// What the gate judges actions by. It is used for a reply, and again at the moment of commit.
#[derive(Clone)]
pub(crate) struct ActionContext<'a> {
    /// The rulebook, the registered actions, and the game time now.
    pub rules: ActionRules<'a>,
    /// What the ids of things and characters that an `introduce` brings are derived from.
    pub key: TurnKey,
    /// Ids of the speakers here: actions can name them although they may have no entity.
    pub people: &'a [&'a Id],
    /// What the character perceived when the snapshot was taken, so that a denial can name what has changed since.
    pub seen: SnapshotView<'a>,
}

/// What the snapshot of an attempt held of the world.
#[derive(Debug, Clone, Default)]
pub(crate) struct SnapshotView<'a> {
    /// The entities that the character perceived, with their ids.
    pub entities: &'a [(Id, EntityView)],
    /// The flags that rules of the rulebook ask for, and whether each was set.
    pub flags: &'a [(String, bool)],
    /// The game time of the snapshot.
    pub time: GameTime,
    /// The id of the speaker that the character answers; `None` when there is none.
    pub speaker: Option<&'a Id>,
    /// What the character was told, as texts: of what it cannot see, it can refer only to what these texts name. `None`: to
    /// everything.
    pub told: Option<Vec<&'a str>>,
}
