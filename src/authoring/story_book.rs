//! A story, loaded: what `.story.ron` becomes.

use super::asset_source::{AssetKind, AssetSource, ReadFiles};
use super::character::{Character, Example};
use super::files::{FileSource, WithSource};
use super::language::load_lexicon;
use super::rulebooks::load_rulebook;
use super::story_spec::{Gossip, LoreSpec, PersonaSpec, StorySpec};
use crate::adventure::AdventureSettings;
use crate::base::calendar::Calendar;
use crate::base::canonical::Digest;
use crate::base::ids::Id;
use crate::base::lock::lock;
use crate::format::error::{first_of_each_file, listed_twice};
use crate::format::{AuthoringError, Inline, Problem};
use crate::gate::{CanonFact, CanonJudge};
use crate::judged_world::action::newcomer::MAX_INTRODUCED;
use crate::limits::LimitOverrides;
use crate::policy::{Echo, Form, ReplyLanguage};
use crate::rules::compiled::{CompileRules, LevelRules, OpenRules};
use crate::rules::firing::Firing;
use crate::rules::{CustomRuleSpec, RuleLevel, RuleSpec, TriggerSpec};
use crate::sampling::Sampling;
use crate::text::{Lexicon, pattern};
use crate::world::{ActionRegistry, Group, Rulebook, WorldState, WorldValue};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, OnceLock};

/// In how many languages a story keeps its canon, in addition to its own.
const MAX_LANGUAGES: usize = 8;

fn english() -> Arc<Lexicon> {
    static ENGLISH: OnceLock<Arc<Lexicon>> = OnceLock::new();
    ENGLISH
        .get_or_init(|| Arc::new(Lexicon::english().clone()))
        .clone()
}

/// Everything authored that holds for every character, checked and compiled.
#[derive(Debug)]
pub struct StoryBook {
    /// The world as it is when the story is first installed, without its world facts.
    pub world: WorldState,
    /// The most entities that actions may have brought into the world.
    pub max_introduced: usize,
    /// The facts that must not change, ready to judge.
    pub(crate) canon: Arc<CanonJudge>,
    /// The language of the story.
    pub lexicon: Arc<Lexicon>,
    /// Its canon in the languages of characters who speak another one.
    translated: Mutex<Vec<(Arc<Lexicon>, Arc<CanonJudge>)>>,
    /// The facts that only the game may change, with their initial values, by key.
    pub world_facts: BTreeMap<String, WorldValue>,
    /// The rules that apply to every character.
    pub(crate) rules: LevelRules,
    /// Further rules, by the trigger id of the interaction.
    pub(crate) triggers: BTreeMap<String, LevelRules>,
    /// When triggers fire by themselves, in the order of the file.
    pub(crate) firings: Vec<Firing>,
    /// The few-shot exchanges of triggers that have some, by trigger id. They come before those of the character.
    pub(crate) trigger_examples: BTreeMap<String, Vec<Example>>,
    /// Numbers that bound every character, where the story sets them.
    pub limits: LimitOverrides,
    /// Whether characters write diaries.
    pub diary: bool,
    /// How the days of the game are counted.
    pub(crate) calendar: Calendar,
    /// How the model chooses its words.
    pub(crate) sampling: Sampling,
    /// Whether the model is asked for the actions of characters separately from their words; `None`: as the game says.
    pub form: Option<Form>,
    /// What happens when a character repeats what it has just said; `None`: it is only reported.
    pub(crate) echo: Option<Echo>,
    /// Whether characters must speak the language of their lexicon; `None`: the engine does not check it.
    pub(crate) reply_language: Option<ReplyLanguage>,
    /// The initial lore: what can be found out about the world.
    pub(crate) lore: Vec<LoreSpec>,
    /// The groups of the story, by id.
    pub groups: Arc<BTreeMap<String, Group>>,
    /// How characters who meet tell one another what they remember; `None`: they do not.
    pub(crate) gossip: Option<Gossip>,
    /// How its adventures are played; `None`: as the game says.
    pub adventure: Option<AdventureSettings>,
    /// The characters that players play.
    pub(crate) personas: Vec<PersonaSpec>,
    rulebook: Option<Rulebook>,
    source: Option<Arc<AssetSource>>,
}

impl Default for StoryBook {
    fn default() -> Self {
        Self {
            world: WorldState::default(),
            max_introduced: MAX_INTRODUCED,
            canon: Arc::default(),
            lexicon: english(),
            translated: Mutex::default(),
            world_facts: BTreeMap::new(),
            rules: LevelRules::default(),
            triggers: BTreeMap::new(),
            firings: Vec::new(),
            trigger_examples: BTreeMap::new(),
            limits: LimitOverrides::default(),
            diary: false,
            calendar: Calendar::default(),
            sampling: Sampling::default(),
            form: None,
            echo: None,
            reply_language: None,
            lore: Vec::new(),
            groups: Arc::default(),
            gossip: None,
            adventure: None,
            personas: Vec::new(),
            rulebook: None,
            source: None,
        }
    }
}

impl StoryBook {
    /// The canon as it is judged in what this character says: in its language.
    #[must_use]
    pub(crate) fn canon_of(&self, character: &Character) -> Arc<CanonJudge> {
        let Some(lexicon) = &character.lexicon else {
            return self.canon.clone();
        };
        let mut translated = lock(&self.translated);
        let known = translated.iter().find(|(known, _)| known == lexicon);
        if let Some((_, canon)) = known {
            return canon.clone();
        }
        let facts = self.canon.facts().to_vec();
        // Its patterns have compiled before.
        let canon = CanonJudge::compile(facts, lexicon).map(Arc::new);
        let canon = canon.unwrap_or_else(|_| self.canon.clone());
        if translated.len() == MAX_LANGUAGES {
            translated.remove(0);
        }
        translated.push((lexicon.clone(), canon.clone()));
        canon
    }

    /// The language of what this character says.
    #[must_use]
    pub fn language_of<'a>(&'a self, character: &'a Character) -> &'a Lexicon {
        character.lexicon.as_deref().unwrap_or(&self.lexicon)
    }

    /// What happens when this character repeats what it has just said.
    #[must_use]
    pub(crate) fn echo_of(&self, character: &Character) -> Echo {
        character.echo.or(self.echo).unwrap_or_default()
    }

    /// The language that this character must speak; `None`: the engine does not check it.
    #[must_use]
    pub fn checked_language_of<'a>(&'a self, character: &'a Character) -> Option<&'a Lexicon> {
        let check = character.reply_language.or(self.reply_language);
        (check == Some(ReplyLanguage::Check)).then(|| self.language_of(character))
    }

    /// The rulebook, which says who may do what: the story's own, else the shipped one.
    #[must_use]
    pub fn rulebook(&self) -> &Rulebook {
        self.rulebook
            .as_ref()
            .unwrap_or_else(|| Rulebook::shipped())
    }

    /// The hash of the rulebook: [`Rulebook::digest`].
    pub(crate) fn rulebook_digest(&self) -> Digest {
        self.rulebook().digest()
    }

    /// The source that it was compiled from; `None` for an empty story.
    #[must_use]
    pub fn source(&self) -> Option<&Arc<AssetSource>> {
        self.source.as_ref()
    }

    /// The same story with another source text: that of a scenario file, which holds more than the story.
    pub(crate) fn retold(mut self, text: String) -> Self {
        let source = self.source.as_ref();
        self.source = source.map(|source| Arc::new(source.retold(text)));
        self
    }

    /// Parses and compiles a file.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place.
    pub fn parse(
        bytes: &[u8],
        file: &str,
        files: &dyn FileSource,
        registry: &ActionRegistry,
    ) -> Result<Self, Vec<AuthoringError>> {
        let spec = WithSource::<StorySpec>::parse(bytes, file)?;
        Self::compile(&spec, files, registry)
    }

    /// Compiles a parsed file.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place.
    pub(crate) fn compile(
        sourced: &WithSource<StorySpec>,
        files: &dyn FileSource,
        registry: &ActionRegistry,
    ) -> Result<Self, Vec<AuthoringError>> {
        let near = sourced.files(files);
        let files = &ReadFiles::new(&near);
        let spec = &sourced.value;
        let mut errors = Vec::new();
        let mut max_introduced = MAX_INTRODUCED;
        let world = match &spec.world {
            None => WorldState::default(),
            Some(world) => match sourced.part(world, "/world", files) {
                Ok(world) => {
                    max_introduced = world.value.max_introduced;
                    world.value.compile().unwrap_or_else(|problems| {
                        errors.extend(world.locate_all(&problems));
                        WorldState::default()
                    })
                }
                Err(error) => {
                    errors.push(error);
                    WorldState::default()
                }
            },
        };
        let rulebook = spec.rulebook.as_ref();
        let rulebook = rulebook.map(|book| load_rulebook(sourced, book, files, registry));
        let rulebook = rulebook.transpose().unwrap_or_else(|error| {
            errors.push(error);
            None
        });
        let lexicon = spec.lexicon.as_ref();
        let lexicon = lexicon.map(|lexicon| load_lexicon(sourced, lexicon, files));
        let lexicon = lexicon.transpose().unwrap_or_else(|error| {
            errors.push(error);
            None
        });
        let lexicon = lexicon.unwrap_or_else(english);
        let canon = match compile_canon(&spec.canon, &lexicon) {
            Ok(canon) => canon,
            Err(problems) => {
                errors.extend(sourced.locate_all(&problems));
                CanonJudge::default()
            }
        };
        let mut problems = Vec::new();
        for key in spec.world_facts.keys() {
            if let Err(error) = Id::new(key) {
                problems.push(Problem::new(
                    format!("/world_facts/{key}"),
                    error.to_string(),
                ));
            }
        }
        errors.extend(sourced.locate_all(&problems));
        let mut level =
            |level, rules: &[Inline<RuleSpec>], custom: &[CustomRuleSpec], base: &str| {
                compile_level(sourced, level, rules, custom, base, files).unwrap_or_else(|found| {
                    errors.extend(found);
                    LevelRules::default()
                })
            };
        let rules = level(RuleLevel::World, &spec.rules, &spec.custom_rules, "");
        let mut triggers = BTreeMap::new();
        let mut trigger_examples = BTreeMap::new();
        let mut firings = Vec::new();
        let mut problems = Vec::new();
        for (i, trigger) in spec.triggers.iter().enumerate() {
            let TriggerSpec {
                id,
                rules,
                custom_rules,
                examples,
                fires,
            } = trigger;
            let base = format!("/triggers/{i}");
            if let Err(error) = Id::new(id) {
                problems.push(Problem::new(format!("{base}/id"), error.to_string()));
            }
            if let (Some(fires), Ok(id)) = (fires, Id::new(id)) {
                match fires.compile(&id, &format!("{base}/fires")) {
                    Ok(firing) => firings.push(firing),
                    Err(found) => problems.extend(found),
                }
            }
            let shown: Vec<Example> = examples.iter().map(Example::of).collect();
            if !shown.is_empty() {
                trigger_examples.insert(id.clone(), shown);
            }
            let compiled = level(RuleLevel::Trigger, rules, custom_rules, &base);
            if triggers.insert(id.clone(), compiled).is_some() {
                problems.push(Problem::new(
                    format!("{base}/id"),
                    format!("the trigger \"{id}\" is listed twice"),
                ));
            }
        }
        let calendar = spec.calendar.compile().unwrap_or_else(|found| {
            problems.extend(found);
            Calendar::default()
        });
        let limits = spec.limits.compile().unwrap_or_else(|found| {
            problems.extend(found);
            LimitOverrides::default()
        });
        problems.extend(spec.sampling.problems());
        problems.extend(spec.adventure.and_then(|own| own.problem()));
        problems.extend(PersonaSpec::problems(&spec.personas));
        let keys = spec.lore.iter().map(|entry| &*entry.key);
        problems.extend(listed_twice("lore", "/lore", "key", keys));
        let groups = spec.groups(&mut problems);
        let gossip = spec.gossip.map(|gossip| gossip.compile(&mut problems));
        errors.extend(sourced.locate_all(&problems));
        if !errors.is_empty() {
            return Err(first_of_each_file(errors));
        }
        Ok(Self {
            world,
            max_introduced,
            canon: Arc::new(canon),
            lexicon,
            translated: Mutex::default(),
            world_facts: spec.world_facts.clone(),
            rules,
            triggers,
            firings,
            trigger_examples,
            limits: limits.with_memory(spec.memory),
            diary: spec.diary,
            calendar,
            sampling: spec.sampling.clone(),
            form: spec.form,
            echo: spec.echo,
            reply_language: spec.reply_language,
            lore: spec.lore.clone(),
            groups: Arc::new(groups),
            gossip,
            adventure: spec.adventure,
            personas: spec.personas.clone(),
            rulebook,
            source: Some(Arc::new(AssetSource::of(AssetKind::Story, sourced, files))),
        })
    }
}

impl AssetSource {
    /// Compiles the story from this source.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn story(&self, registry: &ActionRegistry) -> Result<StoryBook, Vec<AuthoringError>> {
        StoryBook::parse(self.text.as_bytes(), &self.file, &self.files(), registry)
    }
}

fn compile_canon(facts: &[CanonFact], lexicon: &Lexicon) -> Result<CanonJudge, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut seen = BTreeSet::new();
    for (i, fact) in facts.iter().enumerate() {
        let place = format!("/canon/{i}");
        if let Err(error) = Id::new(&fact.id) {
            problems.push(Problem::new(format!("{place}/id"), error.to_string()));
        }
        if !seen.insert(&fact.id) {
            let message = format!("the canon entry \"{}\" is listed twice", fact.id);
            problems.push(Problem::new(format!("{place}/id"), message));
        }
        for (j, pattern) in fact.contradicted_by.iter().enumerate() {
            if let Err(error) = pattern::parse(pattern) {
                problems.push(Problem::new(
                    format!("{place}/contradicted_by/{j}"),
                    error.to_string(),
                ));
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    // Sorted, so that nothing downstream depends on the order in which facts were written.
    let mut facts = facts.to_vec();
    facts.sort_by(|a, b| a.id.cmp(&b.id));
    CanonJudge::compile(facts, lexicon)
        .map_err(|error| vec![Problem::new("/canon", error.to_string())])
}

fn compile_level<T>(
    sourced: &WithSource<T>,
    level: RuleLevel,
    rules: &[Inline<RuleSpec>],
    custom: &[CustomRuleSpec],
    base: &str,
    files: &dyn FileSource,
) -> Result<LevelRules, Vec<AuthoringError>> {
    let mut compile = CompileRules::new(level);
    let mut open = OpenRules::default();
    let (mut errors, mut parts) = (Vec::new(), Vec::new());
    for (i, rule) in rules.iter().enumerate() {
        let pointer = format!("{base}/rules/{i}");
        match sourced.part::<RuleSpec>(rule, &pointer, files) {
            Ok(rule) => {
                compile.rule(&mut open, &rule.value, &pointer);
                parts.push((pointer, rule));
            }
            Err(error) => errors.push(error),
        }
    }
    compile.custom_rules(&mut open, custom, &format!("{base}/custom_rules"));
    match compile.finish(open) {
        Ok(rules) if errors.is_empty() => Ok(rules),
        Ok(_) => Err(errors),
        Err(problems) => {
            errors.extend(sourced.locate_in_parts(&parts, &problems));
            Err(errors)
        }
    }
}
