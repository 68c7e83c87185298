//! The canonical encoding, written straight from a value: no tree in between, which would cost most of a snapshot.

use super::{Digest, Hashing};
use crate::base::bytes::all_bytes;
use serde::ser::{self, Serialize};
use serde_json::Value;
use std::borrow::Cow;
use std::cell::RefCell;
use std::fmt::{Display, Write};

/// The name of a value that hands over its encoding instead of itself.
pub(super) const ENCODED: &str = "bevy_dramatis::Encoded";
/// The name of a value that hands over its hash instead of itself, where it is hashed by parts.
pub(super) const PART: &str = "bevy_dramatis::Part";

/// Writes any value that has no floats and only text keys.
///
/// # Errors
/// `NotCanonical` for a float, bytes, or a map whose keys are not texts.
pub(crate) fn to_canonical<T: Serialize + ?Sized>(value: &T) -> Result<String, NotCanonical> {
    Output::with(|out| {
        value.serialize(Writer::new(out))?;
        Ok(out.text.clone())
    })
}

/// Writes a value as [`to_canonical`] does, fractions too.
///
/// # Errors
/// `NotCanonical` for bytes, or a map whose keys are not texts.
pub(crate) fn to_canonical_with<T: Serialize + ?Sized>(
    value: &T,
    fractions: Fractions,
) -> Result<String, NotCanonical> {
    Output::with(|out| {
        out.fractions = fractions;
        value.serialize(Writer::new(out))?;
        Ok(out.text.clone())
    })
}

/// What becomes of a number with a fraction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Fractions {
    /// It has no canonical form.
    #[default]
    Refused,
    /// It is written as a text, in decimal.
    AsText,
    /// It is written as a number.
    AsNumber,
}

/// The hash of the canonical encoding of a value. For the whole it is the same as of [`to_canonical`], and quicker, since a
/// large object is hashed member by member instead of put in order. By parts, the hash of each `Encoded`
/// takes its place.
///
/// # Errors
/// `NotCanonical` for a float, bytes, or a map whose keys are not texts.
pub(crate) fn canonical_digest<T: Serialize + ?Sized>(
    value: &T,
    hashing: Hashing,
) -> Result<Digest, NotCanonical> {
    Output::with(|out| {
        out.is_hashed = true;
        out.hashing = hashing;
        value.serialize(Writer::new(out))?;
        let whole = || Digest::of_bytes(out.text.as_bytes());
        Ok(out.digest.unwrap_or_else(whole))
    })
}

thread_local! {
    /// Outputs that this thread used before, kept only for their memory. A snapshot is hashed for every attempt, and growing a
    /// text to its size takes more memory than all the rest of a run. There are several, since an encoded value may contain
    /// another that is encoded for the first time.
    static KEPT: RefCell<Vec<Output>> = const { RefCell::new(Vec::new()) };
}

/// How many outputs are kept.
const OUTPUTS_KEPT: usize = 4;
/// An output with more room than this, in bytes, is not kept.
const MOST_KEPT: usize = 1 << 20;

/// A value that has no canonical form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("this value has no canonical form: {0}")]
pub(crate) struct NotCanonical(String);

impl ser::Error for NotCanonical {
    fn custom<T: Display>(message: T) -> Self {
        Self(message.to_string())
    }
}

type Result0 = Result<(), NotCanonical>;

/// What has been written so far.
#[derive(Default)]
struct Output {
    text: String,
    /// The members of the objects that are being written, those of the innermost last: the key of each, and where
    /// `"key":value` is.
    members: Vec<(Cow<'static, str>, usize, usize)>,
    /// Whether the hash alone is asked for.
    is_hashed: bool,
    /// Whether parts are replaced by their hash.
    hashing: Hashing,
    /// The hash, where the whole is an object that was hashed member by member.
    digest: Option<Digest>,
    /// What becomes of a fraction.
    fractions: Fractions,
}

impl Output {
    /// Calls `write` with an empty output, and returns its result.
    fn with<R>(write: impl FnOnce(&mut Self) -> R) -> R {
        let kept = KEPT.with_borrow_mut(Vec::pop);
        let mut out = kept.unwrap_or_default();
        let written = write(&mut out);
        if out.text.capacity() <= MOST_KEPT {
            out.clear();
            KEPT.with_borrow_mut(|kept| {
                if kept.len() < OUTPUTS_KEPT {
                    kept.push(out);
                }
            });
        }
        written
    }

    fn clear(&mut self) {
        self.text.clear();
        self.members.clear();
        self.is_hashed = false;
        self.hashing = Hashing::Whole;
        self.digest = None;
        self.fractions = Fractions::Refused;
    }
}

struct Writer<'a> {
    out: &'a mut Output,
    /// Whether the text that comes is encoded already.
    is_encoded: bool,
}

fn needs_escape(byte: u8) -> bool {
    matches!(byte, 0..0x20 | b'"' | b'\\')
}

/// A JSON string, escaped as `serde_json` does.
fn write_text(out: &mut String, text: &str) {
    out.reserve(text.len() + 2);
    out.push('"');
    if all_bytes(text, |byte| !needs_escape(byte)) {
        out.push_str(text);
        out.push('"');
        return;
    }
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0x08 => "\\b",
            0x0c => "\\f",
            0..0x20 => "",
            _ => continue,
        };
        out.push_str(&text[from..at]);
        if escape.is_empty() {
            let _ = write!(out, "\\u{byte:04x}");
        } else {
            out.push_str(escape);
        }
        from = at + 1;
    }
    out.push_str(&text[from..]);
    out.push('"');
}

impl Writer<'_> {
    fn plain(self, text: &str) -> Result0 {
        self.out.text.push_str(text);
        Ok(())
    }

    fn number(self, number: impl itoa::Integer) -> Result0 {
        self.plain(itoa::Buffer::new().format(number))
    }

    /// A number that may have a fraction, as JSON has it: `null` where it is none.
    fn fraction(self, value: Value) -> Result0 {
        match (self.out.fractions, value) {
            (Fractions::Refused, _) => self.none("a float"),
            (Fractions::AsText, Value::Number(number)) => {
                let text = &mut self.out.text;
                // Writing to a string cannot fail.
                let _ = write!(text, "\"{number}\"");
                Ok(())
            }
            (_, value) => self.plain(&value.to_string()),
        }
    }

    fn none<T>(self, what: &str) -> Result<T, NotCanonical> {
        Err(NotCanonical(what.to_owned()))
    }
}

/// A list, or the tail of a variant around one.
struct List<'a> {
    out: &'a mut Output,
    first: bool,
    tail: &'static str,
}

impl List<'_> {
    fn item<T: Serialize + ?Sized>(&mut self, value: &T) -> Result0 {
        if !std::mem::take(&mut self.first) {
            self.out.text.push(',');
        }
        value.serialize(Writer::new(self.out))
    }

    fn close(self) -> Result0 {
        self.out.text.push_str(self.tail);
        Ok(())
    }
}

/// An object: its members are written as they come, and put in order at the end where they were not.
struct Members<'a> {
    out: &'a mut Output,
    /// Where its first member begins.
    start: usize,
    /// How many members of objects around it come before its own.
    around: usize,
    key: Option<String>,
    tail: &'static str,
}

impl Members<'_> {
    fn member<T: Serialize + ?Sized>(&mut self, key: Cow<'static, str>, value: &T) -> Result0 {
        if self.out.members.len() > self.around {
            self.out.text.push(',');
        }
        let from = self.out.text.len();
        match &key {
            // The name of a field needs no escape.
            Cow::Borrowed(name) => self.out.text.extend(["\"", name, "\":"]),
            Cow::Owned(key) => {
                write_text(&mut self.out.text, key);
                self.out.text.push(':');
            }
        }
        value.serialize(Writer::new(self.out))?;
        let to = self.out.text.len();
        self.out.members.push((key, from, to));
        Ok(())
    }

    fn close(self) -> Result0 {
        let Output {
            text,
            members,
            is_hashed,
            digest,
            ..
        } = self.out;
        let own = &mut members[self.around..];
        if !own.is_sorted_by(|a, b| a.0 <= b.0) {
            own.sort_by(|a, b| a.0.cmp(&b.0));
            // The object around all others: nothing comes before it.
            if *is_hashed && self.start == 1 {
                *digest = Some(digest_of_members(text, own));
                return Ok(());
            }
            // The members are copied in order to the end of the text, and then move to where they began.
            let end = text.len();
            for (i, (_, from, to)) in own.iter().enumerate() {
                if i > 0 {
                    text.push(',');
                }
                text.extend_from_within(*from..*to);
            }
            text.drain(self.start..end);
        }
        members.truncate(self.around);
        text.push_str(self.tail);
        Ok(())
    }
}

/// The hash of an object whose members are in `text` in another order than these.
fn digest_of_members(text: &str, members: &[(Cow<'static, str>, usize, usize)]) -> Digest {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"{");
    for (i, (_, from, to)) in members.iter().enumerate() {
        if i > 0 {
            hasher.update(b",");
        }
        hasher.update(&text.as_bytes()[*from..*to]);
    }
    hasher.update(b"}");
    Digest(*hasher.finalize().as_bytes())
}

impl<'a> Writer<'a> {
    fn new(out: &'a mut Output) -> Self {
        Self {
            out,
            is_encoded: false,
        }
    }

    fn list(self, head: &str, tail: &'static str) -> List<'a> {
        self.out.text.push_str(head);
        List {
            out: self.out,
            first: true,
            tail,
        }
    }

    fn members(self, tail: &'static str) -> Members<'a> {
        self.out.text.push('{');
        Members {
            start: self.out.text.len(),
            around: self.out.members.len(),
            out: self.out,
            key: None,
            tail,
        }
    }

    fn variant(&mut self, name: &str) {
        self.out.text.push('{');
        write_text(&mut self.out.text, name);
        self.out.text.push(':');
    }
}

impl<'a> ser::Serializer for Writer<'a> {
    type Ok = ();
    type Error = NotCanonical;
    type SerializeSeq = List<'a>;
    type SerializeTuple = List<'a>;
    type SerializeTupleStruct = List<'a>;
    type SerializeTupleVariant = List<'a>;
    type SerializeMap = Members<'a>;
    type SerializeStruct = Members<'a>;
    type SerializeStructVariant = Members<'a>;

    fn is_human_readable(&self) -> bool {
        !self.is_encoded
    }
    fn serialize_bool(self, v: bool) -> Result0 {
        self.plain(if v { "true" } else { "false" })
    }
    fn serialize_i8(self, v: i8) -> Result0 {
        self.number(v)
    }
    fn serialize_i16(self, v: i16) -> Result0 {
        self.number(v)
    }
    fn serialize_i32(self, v: i32) -> Result0 {
        self.number(v)
    }
    fn serialize_i64(self, v: i64) -> Result0 {
        self.number(v)
    }
    fn serialize_u8(self, v: u8) -> Result0 {
        self.number(v)
    }
    fn serialize_u16(self, v: u16) -> Result0 {
        self.number(v)
    }
    fn serialize_u32(self, v: u32) -> Result0 {
        self.number(v)
    }
    fn serialize_u64(self, v: u64) -> Result0 {
        self.number(v)
    }
    fn serialize_f32(self, v: f32) -> Result0 {
        self.fraction(v.into())
    }
    fn serialize_f64(self, v: f64) -> Result0 {
        self.fraction(v.into())
    }
    fn serialize_char(self, v: char) -> Result0 {
        self.serialize_str(v.encode_utf8(&mut [0; 4]))
    }
    fn serialize_str(self, v: &str) -> Result0 {
        if self.is_encoded {
            return self.plain(v);
        }
        write_text(&mut self.out.text, v);
        Ok(())
    }
    fn collect_str<T: Display + ?Sized>(self, value: &T) -> Result0 {
        let out = &mut self.out.text;
        let from = out.len() + 1;
        // Writing to a string cannot fail.
        let _ = write!(out, "\"{value}\"");
        let text = &out[from..out.len() - 1];
        if text.bytes().any(needs_escape) {
            let text = text.to_owned();
            out.truncate(from - 1);
            write_text(out, &text);
        }
        Ok(())
    }
    fn serialize_bytes(self, _: &[u8]) -> Result0 {
        self.none("bytes")
    }
    fn serialize_none(self) -> Result0 {
        self.serialize_unit()
    }
    fn serialize_some<T: Serialize + ?Sized>(self, value: &T) -> Result0 {
        value.serialize(self)
    }
    fn serialize_unit(self) -> Result0 {
        self.plain("null")
    }
    fn serialize_unit_struct(self, _: &'static str) -> Result0 {
        self.serialize_unit()
    }
    fn serialize_unit_variant(self, _: &'static str, _: u32, variant: &'static str) -> Result0 {
        self.serialize_str(variant)
    }
    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        name: &'static str,
        value: &T,
    ) -> Result0 {
        let by_hash = name == PART && self.out.hashing == Hashing::ByParts;
        if by_hash {
            self.out.text.push('"');
        }
        value.serialize(Writer {
            is_encoded: name == ENCODED || by_hash,
            out: &mut *self.out,
        })?;
        if by_hash {
            self.out.text.push('"');
        }
        Ok(())
    }
    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        value: &T,
    ) -> Result0 {
        self.variant(variant);
        value.serialize(Writer::new(self.out))?;
        self.out.text.push('}');
        Ok(())
    }
    fn serialize_seq(self, _: Option<usize>) -> Result<List<'a>, NotCanonical> {
        Ok(self.list("[", "]"))
    }
    fn serialize_tuple(self, _: usize) -> Result<List<'a>, NotCanonical> {
        Ok(self.list("[", "]"))
    }
    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<List<'a>, NotCanonical> {
        Ok(self.list("[", "]"))
    }
    fn serialize_tuple_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<List<'a>, NotCanonical> {
        self.variant(variant);
        Ok(self.list("[", "]}"))
    }
    fn serialize_map(self, _: Option<usize>) -> Result<Members<'a>, NotCanonical> {
        Ok(self.members("}"))
    }
    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Members<'a>, NotCanonical> {
        Ok(self.members("}"))
    }
    fn serialize_struct_variant(
        mut self,
        _: &'static str,
        _: u32,
        variant: &'static str,
        _: usize,
    ) -> Result<Members<'a>, NotCanonical> {
        self.variant(variant);
        Ok(self.members("}}"))
    }
}

macro_rules! lists {
    ($($trait:ident $method:ident),*) => {$(
        impl ser::$trait for List<'_> {
            type Ok = ();
            type Error = NotCanonical;
            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result0 {
                self.item(value)
            }
            fn end(self) -> Result0 {
                self.close()
            }
        }
    )*};
}
lists!(SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field, SerializeTupleVariant serialize_field);

macro_rules! structs {
    ($($trait:ident),*) => {$(
        impl ser::$trait for Members<'_> {
            type Ok = ();
            type Error = NotCanonical;
            fn serialize_field<T: Serialize + ?Sized>(&mut self, key: &'static str, value: &T) -> Result0 {
                self.member(Cow::Borrowed(key), value)
            }
            fn end(self) -> Result0 {
                self.close()
            }
        }
    )*};
}
structs!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Members<'_> {
    type Ok = ();
    type Error = NotCanonical;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result0 {
        let mut written = Output::default();
        key.serialize(Writer::new(&mut written))?;
        let quoted = written.text.strip_prefix('"');
        let plain = quoted.and_then(|text| text.strip_suffix('"'));
        self.key = Some(match plain.filter(|text| !text.contains('\\')) {
            Some(text) => text.to_owned(),
            None => serde_json::from_str(&written.text)
                .map_err(|_| NotCanonical("a key that is not a text".to_owned()))?,
        });
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, value: &T) -> Result0 {
        let key = self.key.take().unwrap_or_default();
        self.member(Cow::Owned(key), value)
    }

    fn end(self) -> Result0 {
        self.close()
    }
}

#[cfg(test)]
mod tests;
