//! What a word of a language may be, by the tables of the [`Lexicon`](crate::text::Lexicon).

/// What a word may be, as a set of bits.
pub type Tags = u128;

macro_rules! tags {
    ($($name:ident)*) => { tags!(@ 0; $($name)*); };
    (@ $n:expr; $name:ident $($rest:ident)*) => {
        pub const $name: Tags = 1 << ($n);
        tags!(@ $n + 1; $($rest)*);
    };
    (@ $n:expr;) => {};
}

tags! {
    NEGATOR ALL_TIME NOT_NEGATING FALSEHOOD TRUTH REPORT_BASE REPORT_ING REPORT_OTHER DOUBT HEARSAY ASSERTING
    FIRST HELPER PAST_HELPER CONDITION HYPOTHESIS ASIDE CONJUNCTION ADDITIVE CONTRAST SUBORDINATOR ATTRIBUTIVE THAT TO
    SUBJECT PRONOUN OBJECT ARTICLE DETERMINER DEMONSTRATIVE PREPOSITION AUXILIARY DO FINITE ADVERB CLITIC
    POSSESSIVE ADDRESS NO_ARTICLE NOBODY DENYING AHEAD BEHIND INWARD VOICE OWN GENERIC SECOND THIRD NECESSITY BE HAVE
    BIDDING VOUCH ASSENT YES NO FALSE RIGHT EMPHATIC NUMBER EXCEPT OTHER PENDING VAGUE MANNER TITLE BYGONE SELF ANNOUNCING TAG TELLING NEARLY FUTURE AWAITING
}

pub const REPORT: Tags = REPORT_BASE | REPORT_ING | REPORT_OTHER;
pub const VERB: Tags = FINITE | AUXILIARY | CLITIC | REPORT_BASE | REPORT_OTHER | DOUBT;
/// Words right before a word that is no verb.
pub const BEFORE_NOUN: Tags = ARTICLE | DETERMINER | PREPOSITION;
/// Words that no bare noun phrase goes across.
pub const FUNCTION: Tags = VERB
    | NEGATOR
    | CONJUNCTION
    | SUBORDINATOR
    | PREPOSITION
    | CONDITION
    | HYPOTHESIS
    | SUBJECT
    | PRONOUN
    | OBJECT
    | ARTICLE
    | DETERMINER
    | TO;
/// What a word means, whatever its part in a clause: a word with no other tag may be a noun, a name, an adjective or a rare verb.
pub const MEANING: Tags = VOICE
    | TITLE
    | VOUCH
    | RIGHT
    | FALSE
    | BYGONE
    | SELF
    | ASSENT
    | YES
    | NO
    | INWARD
    | ANNOUNCING
    | TAG
    | TELLING
    | NEARLY
    | MANNER;
