//! What text means, in one place: cleaning, folding, readings, patterns, sentences, and the lexicon.
//!
//! Nothing here knows of characters, worlds or engines. Everything is a pure function of its input, in linear time.
//!
//! Every text of a player or a model goes through the same steps, whichever way it comes in: as speech, in an action, a memory,
//! an id, a name or a marker. So no way in is laxer than another.
//!
//! | step | what it does | why | who asks |
//! |---|---|---|---|
//! | controls go | one line; control characters, marks of direction and what no font draws go; joiners between letters and inside emoji stay | no text forges a line, and what is stripped later hides nothing now | requests, replies, prompts, messages |
//! | is anything visible? | asks for one letter or digit | silence is not speech | speech, memories, names |
//! | folding | case, width, compatibility forms, look-alike letters, and the shapes of apostrophes and hyphens become one | `ＳＥСRET` is a secret; at most four times as long as the text | everything that compares or searches |
//! | revealing | takes disguises off: letters in dress, overlays, markup, signs at the edge of a word, spelling letter by letter | people read them as the word | what forbids |
//! | the same, bare | takes accents and strokes off, too | `sécrèt` is read as the word, but in other languages it is another one | what forbids with severity Hard or Critical |
//! | readings | the text as written, revealed, and bare, each with the way back to the characters as written | spans quote what was written | constraints, canon, topics, custom rules, plans |
//! | patterns | finds all patterns of a rule set at once | cost | the same |
//! | excerpts | at most 40 characters of a text, without a mark that ends a quotation | feedback becomes part of the next prompt | messages |
//!
//! Authors write patterns in four forms:
//!
//! | pattern | hits |
//! |---|---|
//! | `secret` | the whole word, whatever its case, width or look-alike letters; `king's` also hits `king’s`, and `north-gate` a hyphen of any shape |
//! | `assassin*` | every word that begins so |
//! | `crown jewels` | these words one after the other, with any white space between them; for what is forbidden with severity Hard or Critical also with signs that end no sentence |
//! | `/o+ps/` | a regular expression, case-insensitive |

pub(crate) mod controls;
pub(crate) mod excerpt;
pub(crate) mod fold;
pub(crate) mod lexicon;
pub(crate) mod pattern;
pub(crate) mod prompt_words;
pub(crate) mod reading;
pub(crate) mod readings;
pub(crate) mod reveal;
pub(crate) mod script;
pub(crate) mod sentence;
mod signs;
pub(crate) mod terms;
pub(crate) mod twin;
mod when;
pub(crate) mod whole_word;
pub(crate) mod word_runs;

pub(crate) use controls::{is_visible, shows_something, single_spaced, without_controls};
pub(crate) use excerpt::{excerpt, name_excerpt};
pub(crate) use fold::FoldedText;
pub use fold::Span;
pub use lexicon::Lexicon;
pub(crate) use pattern::{PatternError, PatternSet};
pub(crate) use prompt_words::PromptWords;
pub(crate) use reading::LookIn;
pub(crate) use readings::Readings;
pub(crate) use reveal::{bare, revealed};
