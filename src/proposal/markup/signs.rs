//! What the marks of models and their templates mean.

/// What a text is that begins with a character that may begin a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Read {
    /// The next character decides.
    Partial,
    /// It is text.
    Text,
    Sign(Sign),
}

/// What a mark means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Sign {
    /// A thought begins; its name closes it.
    Thought(String),
    /// A thought may begin, or this is a stage direction: its closing mark decides.
    MayBeThought,
    /// A thought begins that the next token closes.
    ContentThought,
    ThoughtEnds(String),
    /// The answer itself begins.
    Answer,
    AnswerEnds,
    TurnEnds,
    /// The name of a role follows.
    Role,
    RoleIs(String),
    /// The name of a channel follows.
    Channel,
    /// The name of a role or a channel has ended.
    HeaderEnd,
    /// Says in what form a channel is written.
    Constrain,
    /// It is for machines.
    Machine,
    Gone,
    Char(char),
}

/// The longest mark, in bytes; a longer text is none.
pub(super) const MAX_MARK: usize = 96;

/// The name of every mark of a thought contains one of these words.
const THOUGHT_WORDS: [&str; 11] = [
    "think",
    "thought",
    "reason",
    "reflect",
    "scratchpad",
    "monologue",
    "ponder",
    "思考",
    "思维",
    "تفكير",
    "gedank",
];

/// Whether a mark with this name is that of a thought.
pub(super) fn is_thought(name: &str) -> bool {
    THOUGHT_WORDS.iter().any(|word| name.contains(word))
        || matches!(name, "analysis" | "internal" | "cot" | "تأمل")
}

/// Whether a thought with the first name is closed by the second.
pub(super) fn closes(open: &str, end: &str) -> bool {
    let family = |name: &str| name.split(['|', ':', '_']).next().map(str::to_owned);
    open == end || open.contains(['|', ':', '_']) && family(open) == family(end) && is_thought(end)
}
