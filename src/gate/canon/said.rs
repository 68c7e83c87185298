//! Whether words are said or remembered.

/// How words are said: what is exempt depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Said {
    /// Aloud, now: a listener takes neither a quotation nor a question for a statement.
    Aloud,
    /// Aloud, and more words follow: what is in quotation marks so far is not the whole reply.
    Begun,
    /// In a memory, that is read later: a quotation or question counts as a statement unless it names who said it.
    InMemory,
}
