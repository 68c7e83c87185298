//! JSON as text, before it is parsed: which parts are in strings, and how deep it is nested.

use super::invalid::{InvalidFormat, InvalidKind};

/// The deepest nesting that an envelope may have; its outermost object is depth 1.
pub const MAX_DEPTH: usize = 32;

/// Follows JSON text byte by byte and knows which parts are in strings.
#[derive(Default)]
pub(super) struct JsonStrings {
    inside: bool,
    escaped: bool,
}

impl JsonStrings {
    /// Takes the next byte; whether it is outside strings (the quotes themselves are not).
    pub(super) fn outside(&mut self, byte: u8) -> bool {
        if self.inside {
            if self.escaped {
                self.escaped = false;
            } else if byte == b'\\' {
                self.escaped = true;
            } else if byte == b'"' {
                self.inside = false;
            }
            return false;
        }
        self.inside = byte == b'"';
        !self.inside
    }
}

/// Checked before parsing, because the parser recurses.
pub(super) fn check_depth(json: &str) -> Result<(), InvalidFormat> {
    let mut strings = JsonStrings::default();
    let mut depth = 0usize;
    for byte in json.bytes() {
        if !strings.outside(byte) {
            continue;
        }
        match byte {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => continue,
        }
        if depth > MAX_DEPTH {
            let message = format!("the envelope is nested deeper than {MAX_DEPTH}");
            return Err(InvalidFormat::new(InvalidKind::TooDeep, message));
        }
        if depth == 0 {
            break;
        }
    }
    Ok(())
}
