//! The words of a language that the gate needs: one data table, no words in code (design row "Languages").

use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A verb with a content clause, such as "say".
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReportingVerb {
    /// The form that goes with "I" in the present.
    pub base: String,
    /// The progressive form.
    pub progressive: String,
    /// The other forms: third person, past, participle.
    pub other: Vec<String>,
}

/// How the words of a command fill the fields of an action: one of the ten built-in ones, or a game's own.
///
/// With an object and a text, the object stands first ("describe the door as old"); with a text alone, all that
/// follows the verb is text, but for a receiver at its end ("say hello to Ann"). No `and` ends a text. A field whose
/// name is empty drops its phrase.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VerbFrame {
    /// The action's name.
    pub action: String,
    /// Its verbs in the imperative. One that ends in a particle may be parted from it ("pick the lamp up").
    pub verbs: Vec<String>,
    /// The field that takes the direct object.
    pub object: Option<String>,
    /// The field that takes the phrase behind one of [`Imperatives::tools`].
    pub tool: Option<String>,
    /// The field that takes the phrase behind one of [`Imperatives::receivers`] or, unless the field is called `to`
    /// and is a receiver, of [`Imperatives::goals`].
    pub to: Option<String>,
    /// The field that takes free text.
    pub text: Option<String>,
}

/// The words by which plain imperatives are read as actions (contract row W9). Entries are as in [`Lexicon`], but
/// contractions stand as they are written, with a straight apostrophe.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Imperatives {
    /// The verbs of the built-in actions.
    pub frames: Vec<VerbFrame>,
    /// Verbs of looking, with what may stand between them and the thing ("look at"). They change nothing: each begins a
    /// command whose type is its first word, and which only a game's own action of that name answers.
    pub looking: Vec<String>,
    /// Verbs of no action: each begins a command of its own, which is unknown.
    pub other_verbs: Vec<String>,
    /// Second words of verbs that the object may part from the first ("up").
    pub particles: Vec<String>,
    /// What may stand before a command and changes nothing ("please", "I want to").
    pub openers: Vec<String>,
    /// What may stand before a command or at either end of a phrase, and changes nothing ("carefully").
    pub adverbs: Vec<String>,
    /// Conjunctions between commands, and between the objects of one command.
    pub conjunctions: Vec<String>,
    /// Words between commands that are done one after the other ("then").
    pub sequencers: Vec<String>,
    /// What begins a command not to do something; up to the end of its sentence nothing is done.
    pub negators: Vec<String>,
    /// What makes its whole sentence conditional.
    pub conditionals: Vec<String>,
    /// What begins a question, or a statement about what can or should be.
    pub questions: Vec<String>,
    /// Articles.
    pub articles: Vec<String>,
    /// Other words that begin a noun phrase.
    pub determiners: Vec<String>,
    /// Words that are a noun phrase of their own.
    pub pronouns: Vec<String>,
    /// What stands before that by which something is done ("with").
    pub tools: Vec<String>,
    /// What stands before a receiver ("to").
    pub receivers: Vec<String>,
    /// What else stands before that at which something is aimed ("at", "on").
    pub goals: Vec<String>,
    /// What stands between a verb of motion and what one goes through ("through").
    pub passages: Vec<String>,
    /// What else may stand between a verb of motion and the place ("inside").
    pub ways: Vec<String>,
    /// What stands before a phrase that no action has a field for ("from").
    pub sources: Vec<String>,
    /// What stands before the name of somebody who is introduced ("named").
    pub namings: Vec<String>,
    /// What stands between an object and the text about it ("as"); a colon does so too.
    pub text_marks: Vec<String>,
    /// What begins the words told to somebody and is none of them ("that").
    pub complementizers: Vec<String>,
    /// What begins the words told to somebody and is one of them ("about").
    pub topics: Vec<String>,
    /// Abbreviations whose full stop ends no sentence, without it.
    pub abbreviations: Vec<String>,
}

impl Imperatives {
    /// Whether an action's type is a verb of looking.
    #[must_use]
    pub fn looks(&self, kind: &str) -> bool {
        let mut verbs = self.looking.iter();
        verbs.any(|verb| verb.split(' ').next() == Some(kind))
    }
}

/// Words that refer to something without naming it.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReferringWords {
    /// The one who speaks ("me").
    pub oneself: Vec<String>,
    /// What was mentioned last and is no character ("it").
    pub things: Vec<String>,
    /// What was mentioned last ("them").
    pub anything: Vec<String>,
    /// The character who was mentioned last ("him").
    pub people: Vec<String>,
    /// The character who was mentioned last, or the speaker ("he").
    pub subjects: Vec<String>,
    /// What points at the thing that is named after it ("that").
    pub pointing: Vec<String>,
    /// What stands before things that the speaker carries ("my").
    pub mine: Vec<String>,
    /// What stands before a thing that somebody goes through ("through").
    pub passages: Vec<String>,
}

/// The word tables of one language. Entries are in lower case; where a table takes phrases, their words are
/// separated by one space and contractions are written out ("is not it").
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lexicon {
    /// Words and phrases that deny.
    pub negators: Vec<String>,
    /// Those of them that deny for all time, so that a past form denies the present too.
    pub negators_for_all_time: Vec<String>,
    /// Phrases with a negator in them that deny nothing ("not only").
    pub not_negating: Vec<String>,
    /// Endings that are a negator of their own, and the word they stand for.
    pub negative_endings: BTreeMap<String, String>,
    /// Contractions that the endings do not explain, written out.
    pub contractions: BTreeMap<String, String>,
    /// Endings after an apostrophe, and the words that each may stand for.
    pub clitics: BTreeMap<String, Vec<String>>,
    /// The possessive among the clitics.
    pub possessives: Vec<String>,
    /// Words that begin with an apostrophe of their own, without it ("tis").
    pub elisions: Vec<String>,
    /// Phrases that deny what follows them ("false that").
    pub falsehoods: Vec<String>,
    /// What may follow a negator that looks back ("is not true").
    pub truths: Vec<String>,
    /// Verbs of saying, hearing, believing and dreaming.
    pub reporting: Vec<ReportingVerb>,
    /// Verbs whose content is not asserted, whoever the subject is.
    pub doubting: Vec<String>,
    /// Those verbs of saying whose bare form at the head of a clause is a command to pass it on ("tell Odo"), no
    /// attribution.
    pub addressing: Vec<String>,
    /// Phrases that report without a verb of their own ("rumour has it").
    pub hearsay: Vec<String>,
    /// Phrases with a reporting verb that do assert ("believe me").
    pub asserting: Vec<String>,
    /// The subject of a speaker's own statement.
    pub first_person: Vec<String>,
    /// Words that may stand between that subject and its verb in the present.
    pub helpers: Vec<String>,
    /// Words that make that verb past or hypothetical.
    pub past_helpers: Vec<String>,
    /// Conjunctions that make their own clause and its main clause conditional.
    pub conditionals: Vec<String>,
    /// Words that make only what follows them hypothetical.
    pub hypotheticals: Vec<String>,
    /// Conditional phrases that leave the main clause asserted ("if you ask me").
    pub asides: Vec<String>,
    /// Conjunctions that may begin a clause of the same rank.
    pub conjunctions: Vec<String>,
    /// Those of them that only add, so that what was reported or conditional goes on.
    pub additive: Vec<String>,
    /// Words that set what follows against what was denied ("not Bob but Arthur").
    pub contrasts: Vec<String>,
    /// Words that begin a dependent clause.
    pub subordinators: Vec<String>,
    /// Those words that begin an inserted attribution ("as they say").
    pub attributives: Vec<String>,
    /// The conjunction of a content clause.
    pub complementizers: Vec<String>,
    /// The mark of an infinitive.
    pub infinitives: Vec<String>,
    /// Pronouns that are always a subject.
    pub subject_pronouns: Vec<String>,
    /// Pronouns that may be a subject.
    pub pronouns: Vec<String>,
    /// Pronouns that are never a subject.
    pub object_pronouns: Vec<String>,
    /// Articles.
    pub articles: Vec<String>,
    /// Other words that begin a noun phrase and stand beside nothing else.
    pub determiners: Vec<String>,
    /// Words that begin a noun phrase or stand alone as one.
    pub demonstratives: Vec<String>,
    /// Prepositions that are never a conjunction.
    pub prepositions: Vec<String>,
    /// Auxiliary verbs.
    pub auxiliaries: Vec<String>,
    /// The auxiliary that a negated full verb takes.
    pub do_support: Vec<String>,
    /// Other finite verbs, common ones.
    pub finite_verbs: Vec<String>,
    /// Endings by which an unknown word may be a finite verb.
    pub verb_endings: Vec<String>,
    /// Finite endings and what the bare form has in their place.
    pub bare_endings: Vec<(String, String)>,
    /// Finite forms whose bare form the endings do not explain.
    pub bare_forms: BTreeMap<String, String>,
    /// Present forms and their past forms.
    pub past_forms: BTreeMap<String, Vec<String>>,
    /// Adverbs and interjections that may stand between the parts of a statement.
    pub adverbs: Vec<String>,
    /// Abbreviations that never end a sentence, without the last full stop.
    pub abbreviations: Vec<String>,
    /// Abbreviations that end one when a capital follows.
    pub closing_abbreviations: Vec<String>,
    /// Abbreviations only before a number.
    pub number_abbreviations: Vec<String>,
    /// Words that refer to something without naming it.
    pub references: ReferringWords,
    /// What the imperative parser reads.
    pub imperatives: Imperatives,
}

impl Lexicon {
    /// The English lexicon that is part of the crate.
    #[must_use]
    pub fn english() -> &'static Self {
        static ENGLISH: OnceLock<Lexicon> = OnceLock::new();
        ENGLISH.get_or_init(|| {
            Self::parse(include_str!("../../assets/lexicon/en.lexicon.ron")).unwrap_or_default()
        })
    }

    /// Reads a lexicon from RON.
    ///
    /// # Errors
    /// A syntax error, a wrong type or an unknown table, with its place.
    pub fn parse(source: &str) -> Result<Self, ron::error::SpannedError> {
        ron::from_str(source)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = include_str!("../../assets/lexicon/en.lexicon.ron");

    #[test]
    fn g4_the_english_lexicon_parses_and_has_the_words_of_the_scenario_document() {
        let lexicon = Lexicon::parse(SOURCE).unwrap();
        assert_eq!(&lexicon, Lexicon::english());
        for word in ["not", "never", "no longer", "cannot"] {
            assert!(lexicon.negators.iter().any(|w| w == word), "{word}");
        }
        assert_eq!(lexicon.negative_endings["n't"], "not");
        for phrase in ["not true that", "false that"] {
            assert!(lexicon.falsehoods.iter().any(|w| w == phrase), "{phrase}");
        }
        for word in ["if", "unless"] {
            assert!(lexicon.conditionals.iter().any(|w| w == word), "{word}");
        }
        for word in ["suppose", "would"] {
            assert!(lexicon.hypotheticals.iter().any(|w| w == word), "{word}");
        }
        for word in ["say", "hear", "believe", "dream"] {
            assert!(lexicon.reporting.iter().any(|v| v.base == word), "{word}");
        }
    }

    #[test]
    fn g4_every_entry_is_folded() {
        // What is not lower case, or has outer white space, would never be found.
        for line in SOURCE.lines() {
            let line = line.split("//").next().unwrap_or_default();
            for entry in line.split('"').skip(1).step_by(2) {
                assert_eq!(entry, crate::text::fold::fold(entry).trim(), "{line}");
            }
        }
    }

    #[test]
    fn g4_an_unknown_table_is_an_error_with_its_place() {
        let error = Lexicon::parse("(\n  negatives: [\"not\"],\n)").unwrap_err();
        assert_eq!(error.span.start.line, 2);
        assert!(Lexicon::parse("(negators: \"not\")").is_err());
        assert_eq!(Lexicon::parse("()").unwrap(), Lexicon::default());
    }
}
