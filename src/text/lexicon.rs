//! The words of a language that the gate needs: one data table, no words in code.

use super::prompt_words::PromptWords;
use super::terms::{StemmerLanguage, StopWords, TermRules};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

/// A verb with a content clause, such as "say". The judge of canon exempts what another person reports with it. It judges
/// what the speaker says in its own name, and what has no subject ("it must be said that ..").
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ReportingVerb {
    /// The form that goes with "I" in the present: "say". What follows it after "I" is judged.
    pub base: String,
    /// The progressive form: "saying". What follows it after "I am" is judged.
    pub progressive: String,
    /// The other forms: third person, past, participle.
    pub other: Vec<String>,
    /// Whether it is a verb of hearing, believing or dreaming. What the speaker once heard or believed is exempt ("I heard
    /// that .."). What it once said is judged.
    pub inward: bool,
}

/// How the words of a command fill the fields of an action: one of the ten built-in actions, or an action of the game.
///
/// With an object and a text, the object comes first ("describe the door as old"). With a text alone, all that follows the
/// verb is text, except for a receiver at its end ("say hello to Ann"). The word `and` does not end a text. If the name of a
/// field is empty, the parser drops its phrase.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VerbFrame {
    /// The name of the action that the verbs ask for.
    pub action: String,
    /// Its verbs in the imperative, each of one word or several. The object may separate the last word of a verb from the
    /// rest if that word is a particle ("pick the lamp up").
    pub verbs: Vec<String>,
    /// The field that takes the direct object. `None`: the verb takes no object.
    pub object: Option<String>,
    /// The field that takes the phrase after one of [`Imperatives::tools`]. `None`: such a word begins no phrase.
    pub tool: Option<String>,
    /// The field that takes the phrase after one of [`Imperatives::receivers`]. It also takes the phrase after one of
    /// [`Imperatives::goals`], unless the field is called `to` and is a receiver. `None`: such a word begins no phrase.
    pub to: Option<String>,
    /// The field that takes free text, such as the words of "say". `None`: the verb takes only objects.
    pub text: Option<String>,
}

/// The words by which the parser reads plain imperatives as actions. Entries are as in [`Lexicon`], except that contractions
/// are as people write them, with a straight apostrophe.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Imperatives {
    /// The verbs of the built-in actions, and how their objects fill the fields. Where a game has the same verb, the game's
    /// verb counts.
    pub frames: Vec<VerbFrame>,
    /// Verbs of looking, with what may come between them and the thing ("look at"). They change nothing: each begins a
    /// command whose type is its first word. Only an action of the game with that name answers it.
    pub looking: Vec<String>,
    /// Verbs of no action, such as "wait". Each begins its own command, which becomes an action of an unknown type.
    pub other_verbs: Vec<String>,
    /// Second words of verbs that an object may separate from the first word: "up" in "pick the lamp up".
    pub particles: Vec<String>,
    /// Whether nouns begin with a capital, as in German.
    pub capital_nouns: bool,
    /// Words that may come before a command and change nothing ("please", "I want to").
    pub openers: Vec<String>,
    /// Subjects of a sentence that tells what the actor does ("he"): "he takes the key" means "take the key".
    pub narrated: Vec<String>,
    /// The endings of a verb after such a subject, each with the ending of the imperative: none for "s", "y" for "ies". The
    /// parser tries them from the end of the alphabet; the first one that makes a known verb counts.
    pub verb_endings: BTreeMap<String, String>,
    /// Words that may come before a command, or at either end of a phrase, and change nothing ("carefully").
    pub adverbs: Vec<String>,
    /// Conjunctions between commands, and between the objects of one command ("and"). Each object makes its own action.
    pub conjunctions: Vec<String>,
    /// Words between commands that are done one after the other ("then"). A command after one of them also ends a free text.
    pub sequencers: Vec<String>,
    /// Words that begin a command not to do something ("don't"). The actor does nothing up to the end of that sentence.
    pub negators: Vec<String>,
    /// Words that make their whole sentence conditional ("if"). The actor does nothing of such a sentence, unless it is
    /// speech without quotation marks.
    pub conditionals: Vec<String>,
    /// Words that begin a question, or a statement about what can or should be ("can"). The actor does nothing of it.
    pub questions: Vec<String>,
    /// Articles. A command never begins with one; a noun phrase does. A name is also known without its article.
    pub articles: Vec<String>,
    /// Other words that begin a noun phrase ("my"). A command never begins with one.
    pub determiners: Vec<String>,
    /// Words that are a whole noun phrase ("it"). A command never begins with one.
    pub pronouns: Vec<String>,
    /// Words before the thing that the actor uses ("with"). The phrase after one fills [`VerbFrame::tool`].
    pub tools: Vec<String>,
    /// Words before a receiver ("to"). The phrase after one fills [`VerbFrame::to`].
    pub receivers: Vec<String>,
    /// Other words before the target of an action ("at", "on"). The phrase after one fills [`VerbFrame::to`], unless that is
    /// the field `to`.
    pub goals: Vec<String>,
    /// Words between a verb of motion and the thing that the actor goes through ("through"). The reference then begins with
    /// the first entry, and the normaliser finds out where the thing leads.
    pub passages: Vec<String>,
    /// Other words that may come between a verb of motion or of looking and its object ("inside"). The parser drops them.
    pub ways: Vec<String>,
    /// Words before a phrase that no action has a field for ("from"). The parser drops the phrase.
    pub sources: Vec<String>,
    /// Words before the name of a new character in a command to introduce one ("named"). What comes before such a word is the
    /// kind.
    pub namings: Vec<String>,
    /// Words between an object and the text about it ("as"). A mark such as a colon does the same.
    pub text_marks: Vec<String>,
    /// Words before what a character is told, when they are not part of it ("that").
    pub complementizers: Vec<String>,
    /// Words before what a character is told, when they are part of it ("about").
    pub topics: Vec<String>,
    /// Abbreviations whose full stop does not end a sentence ("dr"), written without it.
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
    /// Words that point at the thing that is named after them ("that"). A name is compared without such a word, as without an
    /// article.
    pub pointing: Vec<String>,
    /// Words before a thing that the actor carries ("my"). The resolver tries this when the whole phrase names nothing.
    pub mine: Vec<String>,
    /// Words that mean any person, or all of them, and are never a name ("everyone", "narrator"). No new character may have
    /// such a name.
    pub reserved: Vec<String>,
    /// Words before a thing that a character goes through ("through"), where a place is wanted.
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
    /// Words that follow such a verb when it reports no speech ("nothing").
    pub silences: Vec<String>,
    /// Words that may be between a name and its verb, or after the verb, and are not part of the speech ("softly").
    pub manners: Vec<String>,
}

/// The word tables of one language. Entries are in lower case; where a table takes phrases, their words are separated
/// by one space and contractions are written out ("is not it").
///
/// The judge of canon reads all tables up to `adverbs`. It takes a dialogue apart into clauses, and exempts what is asked,
/// quoted, reported or conditional. The splitter of sentences reads the abbreviations. The resolver of references reads
/// `references`, and the parser of commands reads `imperatives`. A table that a file leaves out is empty.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lexicon {
    /// Words and phrases that deny ("not"). A clause contradicts a fact when one of them is among the fact's words, or comes
    /// after them and denies them.
    pub negators: Vec<String>,
    /// Those negators that deny for all time ("never"). Next to one of them, a past form of a fact's word counts as the
    /// present form.
    pub negators_for_all_time: Vec<String>,
    /// Those negators that deny only what follows them ("far from"). After a fact they are about something else.
    pub negators_ahead: Vec<String>,
    /// Those negators that, after an auxiliary, deny what comes before it ("false", in "That .. is false").
    pub negators_behind: Vec<String>,
    /// Articles that deny ("no"). Before a noun of a fact, one counts as the fact's article and denies the fact. In a fact,
    /// it makes the fact a negative one.
    pub negative_articles: Vec<String>,
    /// Subjects that mean no person ("nobody"), and other words that reverse a verb of doubting ("without"): "nobody denies
    /// that .." is a statement.
    pub negative_subjects: Vec<String>,
    /// Phrases that contain a negator and deny nothing ("not only"). That negator does not count.
    pub not_negating: Vec<String>,
    /// Endings that are negators themselves, each with the word that it means ("n't" for "not"). The code cuts a word before
    /// such an ending.
    pub negative_endings: BTreeMap<String, String>,
    /// Contractions that the endings do not explain, each with its full form ("won't": "will not").
    pub contractions: BTreeMap<String, String>,
    /// Endings after an apostrophe, each with the words that it may mean ("'s": "is", "has"). The code cuts a word before
    /// them, and each of them counts as a verb.
    pub clitics: BTreeMap<String, Vec<String>>,
    /// The possessive among the clitics ("'s"). Where it is not a verb, the clause may be about another subject than the fact
    /// ("the king's son").
    pub possessives: Vec<String>,
    /// Words that begin with an apostrophe, written without it ("tis"). That apostrophe does not open a quotation.
    pub elisions: Vec<String>,
    /// Phrases that deny what follows them ("false that"), unless a negator comes before them.
    pub falsehoods: Vec<String>,
    /// Words that may follow a negator that denies what comes before it ("is not true").
    pub truths: Vec<String>,
    /// Verbs of saying, hearing, believing and dreaming. What they report is exempt.
    pub(crate) reporting: Vec<ReportingVerb>,
    /// Verbs that do not assert their content, with any subject ("doubt"). What follows them is exempt.
    pub doubting: Vec<String>,
    /// Those verbs of doubting that assert their content when they are denied ("doubt": "I do not doubt that .."). The other
    /// ones assert nothing, as in "I do not hope that ..".
    pub denying: Vec<String>,
    /// Those verbs of saying whose bare form at the head of a clause is a command to pass something on ("tell Odo"), and not
    /// an attribution. What comes before such a command is judged.
    pub addressing: Vec<String>,
    /// Phrases that report without their own verb ("rumour has it"). Their whole clause is exempt. `..` is one to four
    /// words before a noun, the first of them an article or an owner: "in .. song" is "in the old tavern song". Each list of phrases
    /// may have it.
    pub hearsay: Vec<String>,
    /// Phrases that contain a reporting verb and still assert ("believe me"). They exempt nothing.
    pub asserting: Vec<String>,
    /// Nouns by which a speaker means itself after one of [`Lexicon::own_words`] or after a demonstrative ("lips": "my lips
    /// say that ..").
    pub own_voices: Vec<String>,
    /// Words of the first person that are not a subject ("my", "me").
    pub own_words: Vec<String>,
    /// Subjects that mean all people, the speaker included ("one"). What they say is judged.
    pub generic_subjects: Vec<String>,
    /// The subjects for the listener ("you"). What the listener must say is judged; what the listener says is not judged.
    pub second_person: Vec<String>,
    /// Pronouns for a person that was named before ("he"). A clause that begins with one is about the subject that was named
    /// last, if there was only one.
    pub third_person: Vec<String>,
    /// Verbs of duty ("must").
    pub necessities: Vec<String>,
    /// The forms of "be". After one, a participle of a verb of saying is passive: "it is said" reports, "it must be said"
    /// does not.
    pub copulas: Vec<String>,
    /// The auxiliaries of the perfect ("has").
    pub perfects: Vec<String>,
    /// Verbs of hearing or believing whose command asserts their content ("believe").
    pub bidding: Vec<String>,
    /// Words that make "it is .. to say that" a statement ("fair").
    pub vouching: Vec<String>,
    /// Phrases and adverbs that turn what is reported or quoted into a statement of the speaker ("speaks the truth",
    /// "rightly").
    pub assents: Vec<String>,
    /// Phrases that announce a quotation as the speaker's own words ("know this").
    pub announcing: Vec<String>,
    /// Phrases at the end of a question that make what is before them a statement ("you know", "right").
    pub statement_tags: Vec<String>,
    /// Questions that state what follows them ("did you know").
    pub telling_questions: Vec<String>,
    /// Answers that assert what was asked ("yes").
    pub answers_yes: Vec<String>,
    /// Answers that deny what was asked ("no").
    pub answers_no: Vec<String>,
    /// Words by which a clause says that another clause is not true ("false", "lie").
    pub verdicts_false: Vec<String>,
    /// Words by which a clause says that another clause is true ("true", "right").
    pub verdicts_true: Vec<String>,
    /// Words that stress the subject before them ("himself"). They may be between the parts of a slot.
    pub emphatics: Vec<String>,
    /// Numerals as words, each with its digits ("seven": "7"). The word and the digits count as the same.
    pub numbers: BTreeMap<String, String>,
    /// Words that take something out of a denial ("but": "no heir but Tom").
    pub exceptives: Vec<String>,
    /// Conjunctions before what has not happened yet ("until").
    pub pending: Vec<String>,
    /// Words for a thing without a name ("something"). What is said of it is no verdict on what was said before.
    pub vague: Vec<String>,
    /// Endings of adverbs that no table lists ("ly").
    pub adverb_endings: Vec<String>,
    /// Words for a thing that is not the one of which a fact tells ("another").
    pub others: Vec<String>,
    /// Titles and adjectives that may come before a name ("sir", "old").
    pub titles: Vec<String>,
    /// Prepositions before the one who does it, where a verb is in the passive ("by"). Empty in a language that puts the verb last
    /// there.
    pub agents: Vec<String>,
    /// Words that take back a part of what is said ("almost", "perhaps", "half").
    pub approximations: Vec<String>,
    /// Verbs of a time to come ("will").
    pub futures: Vec<String>,
    /// Conjunctions that name a time ("when"). A clause that begins with one, before a main clause with one of
    /// [`Lexicon::futures`], is exempt.
    pub awaiting: Vec<String>,
    /// Words for another time ("once", "when"). What was true then is not a statement about now.
    pub bygone: Vec<String>,
    /// The subjects of a speaker's own statement ("i", "we"). One that is a single capital letter is not an initial, so a
    /// full stop after it ends a sentence.
    pub first_person: Vec<String>,
    /// Words that may come between that subject and its verb in the present ("must"). The statement is still judged.
    pub helpers: Vec<String>,
    /// Words that make that verb past or hypothetical ("did"). What the verb reports is then exempt.
    pub past_helpers: Vec<String>,
    /// Conjunctions that make their own clause and its main clause conditional ("if"). Both are exempt.
    pub conditionals: Vec<String>,
    /// Words that make only what follows them hypothetical ("suppose"). That is exempt.
    pub hypotheticals: Vec<String>,
    /// Conditional phrases that leave the main clause asserted ("if you ask"). It is still judged.
    pub asides: Vec<String>,
    /// Conjunctions that may begin a clause of the same rank ("and"). They do so where a subject and a verb follow them.
    pub conjunctions: Vec<String>,
    /// Those conjunctions that only add ("or"). What was reported or conditional goes on in their clause.
    pub additive: Vec<String>,
    /// Words that contrast what follows with what was denied ("not Bob but Arthur"). The negator does not deny what follows
    /// them.
    pub contrasts: Vec<String>,
    /// Words that begin a dependent clause ("because"). A negator after one of them denies only that clause.
    pub subordinators: Vec<String>,
    /// Those subordinators that begin an inserted attribution ("as they say"). What comes before one in its clause is exempt.
    pub attributives: Vec<String>,
    /// The conjunction of a content clause ("that"). When one follows a noun, the noun reports like a verb ("my claim that
    /// ..").
    pub complementizers: Vec<String>,
    /// The mark of an infinitive ("to"). After a reporting verb it exempts what follows up to the next comma ("said to be
    /// ..").
    pub infinitives: Vec<String>,
    /// Pronouns that are always a subject ("he"). A clause may begin with one.
    pub subject_pronouns: Vec<String>,
    /// Pronouns that may be a subject ("it"). A clause may begin with one where a verb can follow.
    pub pronouns: Vec<String>,
    /// Pronouns that may be an object ("him"). After a reporting verb they are not yet part of what it reports ("they told
    /// me, ..").
    pub object_pronouns: Vec<String>,
    /// Articles ("the"). A noun phrase begins with one. Names are compared without a leading article.
    pub articles: Vec<String>,
    /// Other words that begin a noun phrase and are nothing else ("my"). The judge does not take the word after one for a
    /// verb because of its ending.
    pub determiners: Vec<String>,
    /// Words that begin a noun phrase or are a whole one ("this"). They tell where a clause has its subject.
    pub demonstratives: Vec<String>,
    /// Prepositions that are never a conjunction ("of"). A fact's words after one belong to another subject ("the son of the
    /// king").
    pub prepositions: Vec<String>,
    /// Auxiliary verbs ("is"). Each is a verb of its clause, and a negator may come after it.
    pub auxiliaries: Vec<String>,
    /// The auxiliaries of a negated full verb ("does"). After one, or after another auxiliary, the bare form of a fact's verb
    /// counts as the finite form.
    pub do_support: Vec<String>,
    /// Other finite verbs, only the common ones ("knows"). They tell where a clause has its verb.
    pub finite_verbs: Vec<String>,
    /// Endings that may make a word that is in no table a finite verb ("ed").
    pub verb_endings: Vec<String>,
    /// Finite endings, each with the ending of the bare form ("ies", "y").
    pub bare_endings: Vec<(String, String)>,
    /// Finite forms whose bare form the endings do not explain, each with that form ("went": "go").
    pub bare_forms: BTreeMap<String, String>,
    /// Endings of a bare form, each with the ending of the participle ("e", "ing").
    pub participle_endings: Vec<(String, String)>,
    /// What a participle may begin with ("ge"). Left out: nothing.
    pub participle_beginnings: Vec<String>,
    /// Whether the verb of a dependent clause is its last word ("dass der König lebt").
    pub verb_last: bool,
    /// Participles that the endings do not explain, each with its bare form ("spoken": "speak").
    pub participles: BTreeMap<String, String>,
    /// Present forms of a fact's words, each with its past forms ("is": "was"). The past forms count next to one of
    /// [`Lexicon::negators_for_all_time`].
    pub past_forms: BTreeMap<String, Vec<String>>,
    /// Adverbs and interjections that may come between the parts of a statement ("really"). The judge finds a phrase although
    /// they are in it.
    pub adverbs: Vec<String>,
    /// Abbreviations whose full stop never ends a sentence ("mr"), written without it.
    pub abbreviations: Vec<String>,
    /// Abbreviations whose full stop ends a sentence when a capital follows, or nothing ("etc"). An entry here counts more
    /// than one in the other table. Where a line is heard sentence by sentence, their full stop ends no sentence.
    pub closing_abbreviations: Vec<String>,
    /// Words that are an abbreviation only before a number ("no" in "No. 5").
    pub number_abbreviations: Vec<String>,
    /// Words that are also given as names ("will", "rose"). A character of such a name counts as named only where the
    /// text writes it as the character does.
    pub common_words: Vec<String>,
    /// The language whose stemmer finds other forms of a word when the engine searches memories ("english"). Left out: the
    /// engine finds only the same form.
    pub(crate) stemmer: StemmerLanguage,
    /// Words that say nothing about the topic of a text ("the"). The engine does not search memories for them.
    pub(crate) stop_words: StopWords,
    /// Verbs that begin a stage direction about a gesture ("smiles"). Between stars they are not spoken.
    pub gestures: Vec<String>,
    /// The words by which prose tells that a person speaks, for the judge of narrations.
    pub(crate) voicing: Voicing,
    /// The words that refer to something without naming it, for the resolver of references.
    pub(crate) references: ReferringWords,
    /// The words of commands, for the built-in parser of imperatives.
    pub(crate) imperatives: Imperatives,
    /// The headings and fixed sentences of the dialogue prompt. This is the last part of a file: the lint reads everything
    /// before it as words that are compared folded.
    pub(crate) prompt: PromptWords,
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
    fn g4_the_english_lexicon_parses_and_has_the_words_that_checks_need() {
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
