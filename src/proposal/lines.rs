//! Lines that a player could say, as a model proposes them.

use super::invalid::{InvalidFormat, InvalidKind};
use super::json_fields::array;
use super::options::ParseOptions;
use super::plan_replies::object_of;
use super::proposed::ParseWarning;
use super::remarks::is_no_narration;
use super::sanitise;
use super::scan::Reading;
use serde_json::Value;

/// The most lines that are offered.
pub(crate) const MAX_LINES: usize = 4;
/// The most characters of one.
pub(crate) const MAX_LINE_CHARS: u32 = 80;

/// Reads an object with `lines`. One that is no text, or a text for machines, becomes an empty line.
///
/// # Errors
/// The reply is no such object.
pub(crate) fn parse_lines(
    bytes: &[u8],
    options: &ParseOptions,
) -> Result<(Vec<String>, Vec<ParseWarning>), InvalidFormat> {
    let mut fields = object_of(bytes, options)?;
    if !fields.contains_key("lines") {
        let message = "the answer has no \"lines\"";
        return Err(InvalidFormat::new(InvalidKind::WrongType, message));
    }
    let lines = array(&mut fields, "lines", "")?.into_iter();
    let lines = lines.map(|line| match line {
        Value::String(text) => sanitise::speech(&text, Reading::Told, options)
            .map(|spoken| spoken.line)
            .ok()
            .filter(|line| !is_no_narration(line))
            .unwrap_or_default(),
        _ => String::new(),
    });
    Ok((lines.collect(), Vec::new()))
}
