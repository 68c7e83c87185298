//! Reply bytes become a `Proposal`, or a typed `InvalidFormat`; there is no third result.
//!
//! Here a reply stops being bytes. It is decided what was *said* and what was *asked for*; nothing is judged. Whether a belief
//! may be stored, a door opened or a sentence spoken is the gate's business, so a proposal is still untrusted.
//!
//! A reply has one of two forms with one meaning:
//!
//! * an **envelope**, a JSON object, alone, in a code fence, or with words around it, which are dropped. It is parsed as a whole
//!   or refused. It is never spoken as prose, because a half-read envelope would put machine text into a character's mouth.
//! * **prose with markers**, such as `Come in. [INTENT: open door_1]`.
//!
//! What models write around that is read in one place for all stages and both deliveries. [The page on
//! replies](crate::guide::replies) has the table; in the sources `markup` reads thoughts, tokens, wrappers, HTML and escapes, `heads` the labels and marks at the beginning
//! of lines, `stars` words between stars, and `quotation` knows which quotation marks belong together. Ordinary speech stays as it is: "Note: bring
//! rope.", "2 * 3", "He wrote {sic} in the margin."
//!
//! Every pass is linear in the length of the reply, and none recurses over it; the JSON parser does, and the depth
//! is checked before it starts.

mod choice;
mod envelope;
mod explanations;
#[cfg(fuzzing)]
mod for_fuzzing;
mod heads;
mod intention;
mod invalid;
mod json_fields;
mod json_text;
mod labels;
mod lines;
mod locate;
mod marker;
mod marker_words;
mod markers;
mod markup;
mod memories;
mod mutation;
mod mutation_kind;
mod names;
mod narration;
mod options;
mod plan_replies;
mod preambles;
mod proposed;
mod quotation;
mod quotation_marks;
mod remarks;
mod reply_text;
mod sanitise;
mod scan;
mod sentence_ends;
mod speak;
mod stars;
mod stream;
mod telling;
mod tool_calls;
mod tool_spec;
mod verbs;
mod white_space;
mod who;

#[cfg(test)]
mod tests;

pub(crate) use crate::judged_world::action::ProposedAction;
pub(crate) use choice::parse_choice;
#[cfg(fuzzing)]
pub use for_fuzzing::{check_reply, check_stream};
pub(crate) use intention::{IntentionReply, parse_intention};
pub(crate) use invalid::{InvalidFormat, InvalidKind};
pub(crate) use lines::{MAX_LINE_CHARS, MAX_LINES, parse_lines};
pub(crate) use markup::{ThoughtWatch, begins_in_form};
pub(crate) use memories::{parse_memories, tool_field, tool_of};
pub(crate) use mutation::ProposedMutation;
pub(crate) use mutation_kind::{MutationField, MutationKind, MutationValue};
pub(crate) use names::LabelNames;
pub use narration::{NarrationPart, PartKind};
pub(crate) use narration::{NarrationReply, Speaker, parse_narration};
pub use options::Finish;
pub(crate) use options::ParseOptions;
pub(crate) use plan_replies::PlanConstraintKind;
pub use plan_replies::PlanConstraintSpec;
pub(crate) use plan_replies::WishReply;
pub(crate) use plan_replies::{StepReply, parse_actions, parse_plan, parse_wish};
pub(crate) use proposed::{ParseWarning, Proposal, ReplyForm};
pub(crate) use reply_text::MAX_REPLY_BYTES;
pub(crate) use stream::{ReplyPart, ReplyReader};
pub use tool_calls::ToolCall;
pub(crate) use tool_calls::{ReadCall, parse_calls};
pub(crate) use tool_spec::ToolError;
pub use tool_spec::{ToolField, ToolReader, ToolSpec, ToolValue};

use locate::{Located, Object, locate};
use reply_text::{text_of, whole_sentences};

/// Reads a whole reply.
///
/// Total: any bytes give a proposal or an error, in linear time, with no panic. The bytes are those of all chunks
/// joined, so where a chunk ended, also inside a character, makes no difference.
///
/// Where prose was cut ([`Finish::Length`]), whole markers are kept, also those after the last whole sentence. An envelope whose
/// object is whole is read however the reply ended.
///
/// # Errors
///
/// `InvalidFormat`, with the kind of what is wrong.
pub(crate) fn parse(bytes: &[u8], options: &ParseOptions) -> Result<Proposal, InvalidFormat> {
    match locate(text_of(bytes)?)? {
        Located::Prose(text) => finished(prose(&text, options)?, options),
        Located::Envelope(object) => read_envelope(&object, options),
    }
}

/// Reads an envelope.
fn read_envelope(object: &Object, options: &ParseOptions) -> Result<Proposal, InvalidFormat> {
    finished(envelope::read(object, options)?, options)
}

fn finished(mut proposal: Proposal, options: &ParseOptions) -> Result<Proposal, InvalidFormat> {
    bound_line(&mut proposal, options);
    speak::clean(&mut proposal.intents, options);
    match locate::holds_object(&proposal.dialogue) {
        true => Err(InvalidFormat::machine()),
        false => Ok(proposal),
    }
}

/// Cuts a line of more than `ParseOptions::line_chars` characters back to its last whole sentence, or, where none ends before, to its
/// last whole word.
fn bound_line(proposal: &mut Proposal, options: &ParseOptions) {
    let most = options.line_chars;
    let Some((end, _)) = proposal.dialogue.char_indices().nth(most) else {
        return;
    };
    let begun = &proposal.dialogue[..end];
    let whole = proposal.sentence_ends().iter().rfind(|at| **at <= end);
    let kept = whole.copied().unwrap_or_else(|| {
        let words = begun.rfind(char::is_whitespace).unwrap_or(end);
        begun[..words].trim_end().len()
    });
    proposal.warn(
        "reply_chars",
        format!("the line is longer than {most} characters and was cut"),
    );
    proposal.cut_line(kept);
}

fn prose(text: &str, options: &ParseOptions) -> Result<Proposal, InvalidFormat> {
    let speech = sanitise::prose(text, scan::Reading::Prose, options);
    let mut proposal = Proposal::empty(ReplyForm::Prose);
    for marker in &speech.markers {
        markers::read(marker, &mut proposal);
    }
    if let Some(start) = speech.unterminated {
        proposal.warn(
            "unterminated_marker",
            format!(
                "the marker that begins at byte {start} of the text has no end and was dropped"
            ),
        );
    }
    proposal.speak(match options.finish {
        Finish::Length => whole_sentences(speech.spoken, options)?,
        Finish::Stop => speech.spoken,
    });
    proposal.speaks_or_acts()
}
