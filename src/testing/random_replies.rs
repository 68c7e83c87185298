//! Random replies, made from the schema that an engine gets.

use super::engines::identity;
use crate::engine::{Engine, EngineCall, EngineEvent, EngineIdentity, EngineRequest};
use crate::text::fold::is_ignorable;
use regex_syntax::hir::{Class, Hir, HirKind};
use serde_json::{Map, Value};

/// The most times that an open repetition of a pattern is drawn beyond its least.
const OPEN_ENDED: u32 = 8;
/// As long a prompt as a test could want, in characters.
const CONTEXT_CHARS: usize = 1_000_000;
/// Characters of which strings without a pattern are made: words of several scripts, and signs that mean something to some
/// reader. No control character and no lone surrogate, which JSON strings of a model do not hold unescaped.
const ALPHABET: &str =
    "aeinrst AEINRST 0129 .,!?;:'-_()/+=%&#@$^~|[]{}<>*\"\\` äßéñçø Яшт 日本語 العر 🙂";

/// An engine that obeys the schema of each request and nothing else: the reply is a value drawn from it, every branch of it
/// sooner or later, lists and texts as short and as long as they may be. What it says is drawn from the seed and from the
/// request's own seed, so that a test repeats.
///
/// A test with it shows, without a model, what any reply that obeys the schema can do to a character: whether each reply can be
/// read, how many the gate refuses and why, and how the character's memory changes.
///
/// ```
/// use bevy_dramatis::testing::{RandomReplies, TestGame};
///
/// let mut game = TestGame::new(RandomReplies::new(7));
/// let wizard = game.spawn_npc(r#"(id: "wizard")"#);
/// game.talk(wizard, "What do you make of this?");
/// assert!(game.attempts()[0].reply.is_some());
/// ```
#[derive(Debug, Clone)]
pub struct RandomReplies {
    seed: u64,
}

impl RandomReplies {
    /// Another seed gives other replies.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { seed }
    }
}

impl Engine for RandomReplies {
    fn identity(&self) -> EngineIdentity {
        identity(CONTEXT_CHARS)
    }

    /// # Panics
    /// When the request brings no schema.
    fn start(&self, request: EngineRequest) -> EngineCall {
        let schema = request.schema.as_ref().expect("a schema to draw from");
        let reply = draw_from_schema(schema, self.seed ^ request.seed);
        EngineCall::ready(EngineEvent::whole_reply(reply.to_string()))
    }
}

/// A value that a JSON schema allows, drawn from the seed. It knows the words that requests to engines use: `const`, `enum`,
/// `anyOf`, `pattern`, and the types with their limits.
///
/// # Panics
/// When the schema holds something else.
#[must_use]
pub fn draw_from_schema(schema: &Value, seed: u64) -> Value {
    Dice(seed).value(schema)
}

/// `SplitMix64` (Steele, Lea and Flood, 2014): small, and the same on every machine.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is at least 1.
    fn below(&mut self, bound: usize) -> usize {
        // The remainder is below a number that was a usize.
        usize::try_from(self.next() % bound.max(1) as u64).unwrap_or_default()
    }

    fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }

    /// The least, the most, or something between: limits are where mistakes are.
    fn count(&mut self, least: usize, most: usize) -> usize {
        match self.below(4) {
            0 => least,
            1 => most,
            _ => least + self.below(most.saturating_sub(least) + 1),
        }
    }

    fn value(&mut self, schema: &Value) -> Value {
        if let Some(only) = schema.get("const") {
            return only.clone();
        }
        if let Some(choices) = schema["enum"].as_array() {
            return self.pick(choices).clone();
        }
        if let Some(branches) = schema["anyOf"].as_array() {
            let branch = self.pick(branches);
            return self.value(branch);
        }
        let limit = |name: &str, default: usize| {
            let limit = schema[name].as_u64();
            limit.map_or(default, |limit| usize::try_from(limit).unwrap_or(default))
        };
        match schema["type"].as_str() {
            Some("object") => self.object(schema),
            Some("array") => {
                let count = self.count(limit("minItems", 0), limit("maxItems", 4));
                (0..count).map(|_| self.value(&schema["items"])).collect()
            }
            Some("string") => match schema["pattern"].as_str() {
                Some(pattern) => self.matching(pattern).into(),
                None => {
                    let count = self.count(limit("minLength", 0), limit("maxLength", 64));
                    let letters: Vec<char> = ALPHABET.chars().collect();
                    let text: String = (0..count).map(|_| *self.pick(&letters)).collect();
                    text.into()
                }
            },
            Some("integer") => {
                let numbers = [0, 1, -1, i64::MAX, i64::MIN, 1_000];
                (*self.pick(&numbers)).into()
            }
            Some("null") => Value::Null,
            Some("boolean") => (self.below(2) == 0).into(),
            other => panic!("a schema with the type {other:?} cannot be drawn from: {schema}"),
        }
    }

    fn object(&mut self, schema: &Value) -> Value {
        let required = schema["required"].as_array();
        let is_required = |name: &str| {
            let mut names = required.into_iter().flatten();
            names.any(|required| required == name)
        };
        let mut drawn = Map::new();
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            if is_required(name) || self.below(2) == 0 {
                drawn.insert(name.clone(), self.value(property));
            }
        }
        drawn.into()
    }

    fn matching(&mut self, pattern: &str) -> String {
        let parsed = regex_syntax::parse(pattern);
        let parsed = parsed.unwrap_or_else(|error| panic!("{pattern} is not a pattern: {error}"));
        let mut text = String::new();
        self.write(&parsed, &mut text);
        text
    }

    fn write(&mut self, pattern: &Hir, text: &mut String) {
        match pattern.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => text.push_str(&String::from_utf8_lossy(&literal.0)),
            HirKind::Class(Class::Unicode(class)) => {
                let ranges = class.ranges();
                let range = self.pick(ranges);
                let (from, to) = (u32::from(range.start()), u32::from(range.end()));
                let offset = self.below(usize::try_from(to - from).unwrap_or_default() + 1);
                let code = from + u32::try_from(offset).unwrap_or_default();
                // A range of characters holds no surrogates, but may reach across them, and no model writes what no font draws.
                let drawn = char::from_u32(code).filter(|c| !is_ignorable(*c));
                text.push(drawn.unwrap_or(range.start()));
            }
            HirKind::Class(Class::Bytes(_)) => panic!("a pattern of bytes"),
            HirKind::Repetition(repetition) => {
                let most = repetition.max.unwrap_or(repetition.min + OPEN_ENDED);
                let size = |n: u32| usize::try_from(n).unwrap_or_default();
                for _ in 0..self.count(size(repetition.min), size(most)) {
                    self.write(&repetition.sub, text);
                }
            }
            HirKind::Capture(capture) => self.write(&capture.sub, text),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.write(part, text)),
            HirKind::Alternation(parts) => {
                let part = self.pick(parts);
                self.write(part, text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn p13_what_is_drawn_keeps_to_the_schema_and_reaches_every_branch() {
        let schema = json!({
            "type": "object",
            "properties": {
                "kind": {"anyOf": [{"const": "a"}, {"enum": ["b", null]}]},
                "id": {"type": "string", "pattern": "^[A-Z][a-z0-9]{0,3}$"},
                "text": {"type": "string", "minLength": 1, "maxLength": 3},
                "list": {"type": "array", "maxItems": 2, "items": {"type": "boolean"}},
            },
            "required": ["kind", "id", "text", "list"],
            "additionalProperties": false
        });
        let id = regex::Regex::new("^[A-Z][a-z0-9]{0,3}$").unwrap();
        let (mut kinds, mut lengths, mut counts) = (Vec::new(), Vec::new(), Vec::new());
        for seed in 0..200 {
            let drawn = draw_from_schema(&schema, seed);
            assert_eq!(drawn, draw_from_schema(&schema, seed));
            assert!(id.is_match(drawn["id"].as_str().unwrap()), "{drawn}");
            kinds.push(drawn["kind"].to_string());
            lengths.push(drawn["text"].as_str().unwrap().chars().count());
            counts.push(drawn["list"].as_array().unwrap().len());
        }
        for list in [&mut lengths, &mut counts] {
            list.sort_unstable();
            list.dedup();
        }
        kinds.sort_unstable();
        kinds.dedup();
        assert_eq!(kinds, ["\"a\"", "\"b\"", "null"]);
        assert_eq!(
            (&lengths[..], &counts[..]),
            (&[1, 2, 3][..], &[0, 1, 2][..])
        );
    }
}
