//! The words of a language that the gate needs: one data table, no words in code (design row "Languages").

use super::prompt_words::PromptWords;
use super::terms::{StemmerLanguage, StopWords, TermRules};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A verb with a content clause, such as "say". The judge of canon exempts what it reports where another person says it.
/// What the speaker says in its own name, or what has no subject ("it must be said that .."), is judged.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReportingVerb {
    /// The form that goes with "I" in the present: "say". After "I" what follows it is judged.
    pub base: String,
    /// The progressive form: "saying". After "I am" what follows it is judged.
    pub progressive: String,
    /// The other forms: third person, past, participle.
    pub other: Vec<String>,
    /// Whether it is a verb of hearing, believing or dreaming. What the speaker once heard or believed is exempt ("I heard that.
    /// ."); what it once said is judged.
    pub inward: bool,
}

/// How the words of a command fill the fields of an action: one of the ten built-in ones, or a game's own.
///
/// With an object and a text, the object stands first ("describe the door as old"); with a text alone, all that
/// follows the verb is text, but for a receiver at its end ("say hello to Ann"). No `and` ends a text. A field whose
/// name is empty drops its phrase.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VerbFrame {
    /// The name of the action that the verbs ask for.
    pub action: String,
    /// Its verbs in the imperative, each of one word or several. One that ends in a particle may be parted from it
    /// ("pick the lamp up").
    pub verbs: Vec<String>,
    /// The field that takes the direct object. `None`: the verb takes none.
    pub object: Option<String>,
    /// The field that takes the phrase behind one of [`Imperatives::tools`]. `None`: such a word begins no phrase.
    pub tool: Option<String>,
    /// The field that takes the phrase behind one of [`Imperatives::receivers`] or, unless the field is called `to` and
    /// is a receiver, of [`Imperatives::goals`]. `None`: such a word begins no phrase.
    pub to: Option<String>,
    /// The field that takes free text, such as the words of "say". `None`: the verb takes objects alone.
    pub text: Option<String>,
}

/// The words by which plain imperatives are read as actions. Entries are as in [`Lexicon`], but
/// contractions stand as they are written, with a straight apostrophe.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Imperatives {
    /// The verbs of the built-in actions, and how their objects fill the fields. A game's own verbs win over equal
    /// ones.
    pub frames: Vec<VerbFrame>,
    /// Verbs of looking, with what may stand between them and the thing ("look at"). They change nothing: each begins a
    /// command whose type is its first word, and which only a game's own action of that name answers.
    pub looking: Vec<String>,
    /// Verbs of no action, such as "wait": each begins a command of its own, which becomes an action of an unknown
    /// type.
    pub other_verbs: Vec<String>,
    /// Second words of verbs that the object may part from the first: "up" in "pick the lamp up".
    pub particles: Vec<String>,
    /// What may stand before a command and changes nothing ("please", "I want to").
    pub openers: Vec<String>,
    /// Subjects of a sentence that tells what the actor does ("he"): "he takes the key" is "take the key".
    pub narrated: Vec<String>,
    /// The endings of a verb behind such a subject, each with the ending of the imperative: none for "s", "y" for "ies".
    /// The first that makes a known verb counts, from the end of the alphabet.
    pub verb_endings: BTreeMap<String, String>,
    /// What may stand before a command or at either end of a phrase, and changes nothing ("carefully").
    pub adverbs: Vec<String>,
    /// Conjunctions between commands, and between the objects of one command ("and"). Each object is an action of its
    /// own.
    pub conjunctions: Vec<String>,
    /// Words between commands that are done one after the other ("then"). A command behind one of them ends a free
    /// text, too.
    pub sequencers: Vec<String>,
    /// What begins a command not to do something ("don't"). Up to the end of its sentence nothing is done.
    pub negators: Vec<String>,
    /// What makes its whole sentence conditional ("if"). Nothing of such a sentence is done, unless it is speech
    /// without quotation marks.
    pub conditionals: Vec<String>,
    /// What begins a question, or a statement about what can or should be ("can"). Nothing of it is done.
    pub questions: Vec<String>,
    /// Articles. No command begins with one; a noun phrase does. A name is known without its article.
    pub articles: Vec<String>,
    /// Other words that begin a noun phrase ("my"). No command begins with one.
    pub determiners: Vec<String>,
    /// Words that are a noun phrase of their own ("it"). No command begins with one.
    pub pronouns: Vec<String>,
    /// What stands before that with which something is done ("with"). The phrase behind it fills [`VerbFrame::tool`].
    pub tools: Vec<String>,
    /// What stands before a receiver ("to"). The phrase behind it fills [`VerbFrame::to`].
    pub receivers: Vec<String>,
    /// What else stands before that at which something is aimed ("at", "on"). The phrase behind it fills
    /// [`VerbFrame::to`], unless that is the field `to`.
    pub goals: Vec<String>,
    /// What stands between a verb of motion and what one goes through ("through"). The reference begins with the first
    /// entry then, and the normaliser finds out where the thing leads.
    pub passages: Vec<String>,
    /// What else may stand between a verb of motion or of looking and its object ("inside"). It is left out.
    pub ways: Vec<String>,
    /// What stands before a phrase that no action has a field for ("from"). The phrase is left out.
    pub sources: Vec<String>,
    /// What stands before the name of somebody new in a command to introduce ("named"). What stands before it is the
    /// kind.
    pub namings: Vec<String>,
    /// What stands between an object and the text about it ("as"). A mark such as a colon does so too.
    pub text_marks: Vec<String>,
    /// What begins the words told to somebody and is none of them ("that").
    pub complementizers: Vec<String>,
    /// What begins the words told to somebody and is one of them ("about").
    pub topics: Vec<String>,
    /// Abbreviations whose full stop ends no sentence ("dr"), written without it.
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

/// Words that refer to something without naming it. The resolver of references reads them.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReferringWords {
    /// Words for the actor itself ("me").
    pub oneself: Vec<String>,
    /// Words for what was mentioned last and is no character ("it").
    pub things: Vec<String>,
    /// Words for what was mentioned last, a character or not ("them").
    pub anything: Vec<String>,
    /// Words for the other character who was mentioned last ("him").
    pub people: Vec<String>,
    /// Words for the other character who was mentioned last or, where none was, for the actor ("he").
    pub subjects: Vec<String>,
    /// Words for the speaker who has just addressed the actor ("you").
    pub addressed: Vec<String>,
    /// What points at the thing that is named after it ("that"). A name is compared without it, as without an article.
    pub pointing: Vec<String>,
    /// What stands before a thing that the actor carries ("my"). It is tried when the whole words name nothing.
    pub mine: Vec<String>,
    /// Words that mean somebody or everybody and are nobody's name ("everyone", "narrator"): nobody new is called so.
    pub reserved: Vec<String>,
    /// What stands before a thing that somebody goes through ("through"), where a place is wanted.
    pub passages: Vec<String>,
}

/// The words by which prose tells that a person speaks: `Odo whispers that ..`, `"..", says Odo`. The gate reads them to find out
/// whose words a narration tells.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Voicing {
    /// Verbs of saying, in the forms that go with a name ("whispers", "whispering"). What follows one is said.
    pub verbs: Vec<String>,
    /// Verbs that tell of speech only next to a quotation or before a content clause ("answers", "goes on").
    pub tags: Vec<String>,
    /// What follows such a verb where nothing is said ("nothing").
    pub silences: Vec<String>,
    /// Words that may be between a name and its verb, or behind the verb, and are not said ("softly").
    pub manners: Vec<String>,
}

/// The word tables of one language. Entries are in lower case; where a table takes phrases, their words are separated
/// by one space and contractions are written out ("is not it").
///
/// The judge of canon reads all tables up to `adverbs` (G4). It takes a dialogue apart into
/// clauses, and exempts what is asked, quoted, reported or conditional. The splitter of
/// sentences reads the abbreviations (G1). The resolver of references and the parser of
/// commands read the last two tables (W3, W9). A table that a file leaves out is empty.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lexicon {
    /// Words and phrases that deny ("not"). A clause contradicts a fact when one of them stands among the fact's words,
    /// or denies them from behind.
    pub negators: Vec<String>,
    /// Those of them that deny for all time ("never"). Beside one of them a past form of a fact's word stands for the
    /// present one.
    pub negators_for_all_time: Vec<String>,
    /// Those of them that deny only what follows them ("far from"): behind a fact they speak of something else.
    pub negators_ahead: Vec<String>,
    /// Those of them that deny what stands before them by an auxiliary ("false", in "That .. is false").
    pub negators_behind: Vec<String>,
    /// Articles that deny ("no"). Before a noun of a fact one stands for the fact's article and denies it; in a fact it makes
    /// the fact a negative one.
    pub negative_articles: Vec<String>,
    /// Subjects that are nobody ("nobody"), and what else turns a verb of doubting round ("without"): "nobody denies that .."
    /// is a statement.
    pub negative_subjects: Vec<String>,
    /// Phrases with a negator in them that deny nothing ("not only"). The negator in them does not count.
    pub not_negating: Vec<String>,
    /// Endings that are a negator of their own, and the word they stand for ("n't" for "not"). A word is cut before
    /// them.
    pub negative_endings: BTreeMap<String, String>,
    /// Contractions that the endings do not explain, each with what it is written out as ("won't": "will not").
    pub contractions: BTreeMap<String, String>,
    /// Endings after an apostrophe, and the words that each may stand for ("'s": "is", "has"). A word is cut before
    /// them, and each of them counts as a verb.
    pub clitics: BTreeMap<String, Vec<String>>,
    /// The possessive among the clitics ("'s"). Where it is no verb, the clause may speak of another than the fact does
    /// ("the king's son").
    pub possessives: Vec<String>,
    /// Words that begin with an apostrophe of their own, without it ("tis"). That apostrophe opens no quotation.
    pub elisions: Vec<String>,
    /// Phrases that deny what follows them ("false that"), unless a negator stands before them.
    pub falsehoods: Vec<String>,
    /// What may follow a negator that denies what stands before it ("is not true").
    pub truths: Vec<String>,
    /// Verbs of saying, hearing, believing and dreaming. What they report is exempt.
    pub(crate) reporting: Vec<ReportingVerb>,
    /// Verbs whose content is not asserted, whoever the subject is ("doubt"). What follows them is exempt.
    pub doubting: Vec<String>,
    /// Those of them that assert their content when they are denied ("doubt": "I do not doubt that .."). After the others, as
    /// in "I do not hope that ..", nothing is asserted.
    pub denying: Vec<String>,
    /// Those verbs of saying whose bare form at the head of a clause is a command to pass it on ("tell Odo"), no
    /// attribution. What stands before such a command is judged.
    pub addressing: Vec<String>,
    /// Phrases that report without a verb of their own ("rumour has it"). Their whole clause is exempt.
    pub hearsay: Vec<String>,
    /// Phrases with a reporting verb that do assert ("believe me"). They exempt nothing.
    pub asserting: Vec<String>,
    /// Nouns by which a speaker means itself behind one of [`Lexicon::own_words`] or a demonstrative ("lips": "my lips say that ..").
    pub own_voices: Vec<String>,
    /// Words of the first person that are no subject ("my", "me").
    pub own_words: Vec<String>,
    /// Subjects that mean all people and so the speaker, too ("one"). What they say is judged.
    pub generic_subjects: Vec<String>,
    /// The subjects for the listener ("you"). What the listener must say is judged, what the listener says is not.
    pub second_person: Vec<String>,
    /// Pronouns that speak of what was named before ("he"). A clause that begins with one speaks of the subject that was named
    /// last, where only one was.
    pub third_person: Vec<String>,
    /// Verbs of having to ("must").
    pub necessities: Vec<String>,
    /// The forms of "be". Behind one a participle of a verb of saying is passive: "it is said" reports, "it must be said" does not.
    pub copulas: Vec<String>,
    /// The auxiliaries of the perfect ("has").
    pub perfects: Vec<String>,
    /// Verbs of hearing or believing whose command asserts their content ("believe").
    pub bidding: Vec<String>,
    /// What makes "it is .. to say that" a statement ("fair").
    pub vouching: Vec<String>,
    /// Phrases and adverbs by which a speaker makes what is reported or quoted its own statement ("speaks the truth", "rightly").
    pub assents: Vec<String>,
    /// Answers that assert what was asked ("yes").
    pub answers_yes: Vec<String>,
    /// Answers that deny what was asked ("no").
    pub answers_no: Vec<String>,
    /// Words by which a clause says of another one that it is not so ("false", "lie").
    pub verdicts_false: Vec<String>,
    /// Words by which a clause says of another one that it is so ("true", "right").
    pub verdicts_true: Vec<String>,
    /// Words that stress the subject behind it ("himself"). They may be between the parts of a slot.
    pub emphatics: Vec<String>,
    /// Numerals as words, each with its digits ("seven": "7"). Each counts as the other.
    pub numbers: BTreeMap<String, String>,
    /// What takes something out of a denial ("but": "no heir but Tom").
    pub exceptives: Vec<String>,
    /// Titles and adjectives that may come before a name ("sir", "old").
    pub titles: Vec<String>,
    /// Words that tell of another time ("once", "when"): what was so then is no statement about now.
    pub bygone: Vec<String>,
    /// The subjects of a speaker's own statement ("i", "we"). As a single capital it is no initial, so that a full stop behind
    /// it ends a sentence.
    pub first_person: Vec<String>,
    /// Words that may stand between that subject and its verb in the present ("must"): the statement is judged all the
    /// same.
    pub helpers: Vec<String>,
    /// Words that make that verb past or hypothetical ("did"): what the verb reports is exempt then.
    pub past_helpers: Vec<String>,
    /// Conjunctions that make their own clause and its main clause conditional ("if"). Both are exempt.
    pub conditionals: Vec<String>,
    /// Words that make only what follows them hypothetical ("suppose"). That is exempt.
    pub hypotheticals: Vec<String>,
    /// Conditional phrases that leave the main clause asserted ("if you ask"). It is judged all the same.
    pub asides: Vec<String>,
    /// Conjunctions that may begin a clause of the same rank ("and"): with a subject and a verb behind them they do.
    pub conjunctions: Vec<String>,
    /// Those of them that only add ("or"), so that what was reported or conditional goes on in their clause.
    pub additive: Vec<String>,
    /// Words that set what follows against what was denied ("not Bob but Arthur"): the negator does not deny what
    /// follows them.
    pub contrasts: Vec<String>,
    /// Words that begin a dependent clause ("because"). A negator behind one of them denies that clause alone.
    pub subordinators: Vec<String>,
    /// Those words that begin an inserted attribution ("as they say"). What stands before it in its clause is exempt.
    pub attributives: Vec<String>,
    /// The conjunction of a content clause ("that"). With one behind it a noun reports like a verb ("my claim that.
    /// .").
    pub complementizers: Vec<String>,
    /// The mark of an infinitive ("to"). After a reporting verb it exempts what follows up to the next comma ("said to
    /// be ..").
    pub infinitives: Vec<String>,
    /// Pronouns that are always a subject ("he"). A clause may begin with one.
    pub subject_pronouns: Vec<String>,
    /// Pronouns that may be a subject ("it"). A clause may begin with one where a verb can follow.
    pub pronouns: Vec<String>,
    /// Pronouns that may be an object ("him"). Behind a reporting verb they are not yet what it reports ("they told me,.
    /// .").
    pub object_pronouns: Vec<String>,
    /// Articles ("the"). A noun phrase begins with one, and names are compared without a leading one (W3).
    pub articles: Vec<String>,
    /// Other words that begin a noun phrase and are nothing else ("my"). The word behind one is not taken for a verb by
    /// its ending.
    pub determiners: Vec<String>,
    /// Words that begin a noun phrase or stand alone as one ("this"). They tell where a clause has its subject.
    pub demonstratives: Vec<String>,
    /// Prepositions that are never a conjunction ("of"). A fact's words behind one are of another subject ("the son of
    /// the king").
    pub prepositions: Vec<String>,
    /// Auxiliary verbs ("is"). Each is a verb of its clause, and a negator may stand behind it.
    pub auxiliaries: Vec<String>,
    /// The auxiliaries that a negated full verb takes ("does"). Behind one, or another auxiliary, the bare form of a fact's verb
    /// counts as the finite one.
    pub do_support: Vec<String>,
    /// Other finite verbs, the common ones ("knows"). They tell where a clause has its verb.
    pub finite_verbs: Vec<String>,
    /// Endings by which a word in no table may be a finite verb ("ed").
    pub verb_endings: Vec<String>,
    /// Finite endings and what the bare form has in their place ("ies", "y").
    pub bare_endings: Vec<(String, String)>,
    /// Finite forms whose bare form the endings do not explain, each with it ("went": "go").
    pub bare_forms: BTreeMap<String, String>,
    /// Endings of a bare form and what a participle has in their place ("e", "ing").
    pub participle_endings: Vec<(String, String)>,
    /// What a participle may have before it ("ge"). Left out: nothing.
    pub participle_beginnings: Vec<String>,
    /// Participles that the endings do not explain, each with its bare form ("spoken": "speak").
    pub participles: BTreeMap<String, String>,
    /// Present forms of a fact's words and their past forms ("is": "was"), which count beside
    /// [`Lexicon::negators_for_all_time`].
    pub past_forms: BTreeMap<String, Vec<String>>,
    /// Adverbs and interjections that may stand between the parts of a statement ("really"). Phrases are found across
    /// them.
    pub adverbs: Vec<String>,
    /// Abbreviations whose full stop never ends a sentence ("mr"), written without it.
    pub abbreviations: Vec<String>,
    /// Abbreviations whose full stop ends a sentence when a capital follows, or nothing ("etc"). They win over the
    /// others. Where a line is heard sentence by sentence, their full stop ends none.
    pub closing_abbreviations: Vec<String>,
    /// Words that are an abbreviation only before a number ("no" in "No. 5").
    pub number_abbreviations: Vec<String>,
    /// Words that are also given as names ("will", "rose"). A character of such a name counts as named only where the
    /// text writes it as the character does.
    pub common_words: Vec<String>,
    /// The language whose stemmer finds a word in its other forms when memories are searched ("english"). Left out: only the same form is
    /// found.
    pub stemmer: StemmerLanguage,
    /// Words that say nothing of what a text is about ("the"). Memories are not searched for them.
    pub stop_words: StopWords,
    /// Verbs of gestures, as a stage direction begins with one ("smiles"). Between stars they are not spoken.
    pub gestures: Vec<String>,
    /// The words by which prose tells that a person speaks, for the judge of narrations.
    pub(crate) voicing: Voicing,
    /// The words that refer to something without naming it, for the resolver of references.
    pub(crate) references: ReferringWords,
    /// The words of commands, for the built-in parser of imperatives.
    pub(crate) imperatives: Imperatives,
    /// The headings and fixed sentences of the dialogue prompt. It is the last part of a file: the lint reads what stands
    /// before it as words that are compared folded.
    pub prompt: PromptWords,
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

    /// The German lexicon that is part of the crate.
    #[must_use]
    pub fn german() -> &'static Self {
        static GERMAN: OnceLock<Lexicon> = OnceLock::new();
        GERMAN.get_or_init(|| {
            Self::parse(include_str!("../../assets/lexicon/de.lexicon.ron")).unwrap_or_default()
        })
    }

    /// The languages that the crate ships, each with its English name.
    pub(crate) fn all_shipped() -> [(&'static str, &'static Self); 2] {
        [("English", Self::english()), ("German", Self::german())]
    }

    /// How words are compared when memories are searched.
    pub(crate) fn term_rules(&self) -> TermRules {
        TermRules::stems(self.stemmer, &self.stop_words, &self.possessives)
    }

    /// Whether these are its own.
    pub(crate) fn has_term_rules(&self, rules: &TermRules) -> bool {
        rules.are_stems(self.stemmer, &self.stop_words, &self.possessives)
    }

    /// Those of the English that the crate ships.
    pub(crate) fn english_term_rules() -> &'static Arc<TermRules> {
        static RULES: OnceLock<Arc<TermRules>> = OnceLock::new();
        RULES.get_or_init(|| Arc::new(Self::english().term_rules()))
    }

    /// A lexicon of the crate by the path of its file among the crate's assets; `None` for another path.
    #[must_use]
    pub fn shipped(path: &str) -> Option<&'static Self> {
        match path {
            "lexicon/en.lexicon.ron" => Some(Self::english()),
            "lexicon/de.lexicon.ron" => Some(Self::german()),
            _ => None,
        }
    }

    /// Whether a name is also a common word of the language. `folded` is the name, folded.
    #[must_use]
    pub fn is_common_word(&self, folded: &str) -> bool {
        self.common_words.iter().any(|word| word == folded)
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
