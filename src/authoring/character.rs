//! A character, loaded: what `.npc.ron` becomes.

use super::asset_source::{AssetKind, AssetSource, ReadFiles};
use super::files::{FileSource, WithSource};
use super::language::load_lexicon;
use super::npc_spec::{FallbackSpec, NpcSpec};
use super::policy_spec::PolicySpec;
use super::routine::{Routine, load_routine};
use crate::base::fixed::{Millionths, Millis};
use crate::base::ids::Id;
use crate::base::time::GameTime;
use crate::format::error::{decode, first_of_each_file};
use crate::format::{AuthoringError, Problem};
use crate::gate::CanonJudge;
use crate::limits::{LimitOverrides, Limits};
use crate::memory::{Episode, Mind, NewBelief};
use crate::policy::{Delivery, Echo, Form, ReplyLanguage, RunPolicy};
use crate::rules::compiled::{CompileRules, LevelRules, OpenRules};
use crate::rules::{ConstraintSpec, ExampleSpec, RuleLevel, RuleSpec};
use crate::sampling::Sampling;
use crate::text::Lexicon;
use serde::Serialize;
use std::sync::Arc;

/// A short exchange that shows the model how a character speaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Example {
    /// What the player says in the example.
    pub player: String,
    /// What the character answers to it.
    pub npc: String,
}

impl Example {
    pub(crate) fn of(spec: &ExampleSpec) -> Self {
        Self {
            player: spec.player.clone(),
            npc: spec.npc.clone(),
        }
    }
}

/// Everything authored about one character, checked and compiled.
#[derive(Debug, Clone, PartialEq)]
pub struct Character {
    /// Its id, and the id of its entity in the judged world.
    pub id: Id,
    /// The name by which players and other characters call it; its id where the file gives none.
    pub name: String,
    /// The text that tells the model who it is.
    pub persona: String,
    /// The id of the location where it starts. `None`: offstage.
    pub location: Option<Id>,
    /// How readily it joins in the turns of an adventure, 0 to 100.
    pub chattiness: u8,
    /// The states that the game holds, each with its category and its label.
    pub held_states: Vec<(String, String)>,
    /// Whether it joins in every turn of an adventure.
    pub baked: bool,
    /// The names of the actions that it may propose. `None`: all of them but `introduce`.
    pub may: Option<Vec<String>>,
    /// Short exchanges that show the model how it speaks.
    pub(crate) examples: Vec<Example>,
    /// Its constraints, rules, custom rules and topics.
    pub(crate) rules: LevelRules,
    /// Numbers that bound its memory, its prompts and its lines, where its file sets them.
    pub limits: LimitOverrides,
    /// How the model chooses its words, where it differs from what the story says.
    pub(crate) sampling: Sampling,
    /// The language that it speaks. `None`: that of its story.
    pub lexicon: Option<Arc<Lexicon>>,
    /// The policy of its dialogue runs. `None`: the same as that of all others.
    pub policy: Option<RunPolicy>,
    /// Whether it writes a diary; `None`: as its story says.
    pub diary: Option<bool>,
    /// When its lines are heard; `None`: as the game says.
    pub delivery: Option<Delivery>,
    /// Whether the model is asked for its actions separately from its words; `None`: as its story says.
    pub form: Option<Form>,
    /// What happens when it repeats what it has just said; `None`: as its story says.
    pub(crate) echo: Option<Echo>,
    /// Whether it must speak the language of its lexicon; `None`: as its story says.
    pub(crate) reply_language: Option<ReplyLanguage>,
    /// Where it is at which time of the game's day, and what it does there. Empty: it has no routine.
    pub(crate) routine: Routine,
    /// The lines that it speaks when no reply of the model can be used.
    pub(crate) fallbacks: FallbackSpec,
    first_mind: FirstMind,
    source: Arc<AssetSource>,
}

/// The memories, beliefs and states with which a character starts.
#[derive(Debug, Clone, PartialEq, Default)]
struct FirstMind {
    /// Episodes; their time is how long ago they happened, negated.
    episodes: Vec<Episode>,
    beliefs: Vec<FirstBelief>,
    states: Vec<(String, String, u8)>,
}

/// A belief with which a character starts.
#[derive(Debug, Clone, PartialEq)]
struct FirstBelief {
    id: Id,
    text: String,
    confidence: Millionths,
    pinned: bool,
}

/// Who a character is, as its file says or the text file that it names.
fn persona(
    sourced: &WithSource<NpcSpec>,
    files: &dyn FileSource,
) -> Result<String, AuthoringError> {
    let Some(path) = sourced.value.persona_file() else {
        return Ok(sourced.value.persona.clone());
    };
    let missing = |why| sourced.locate(&Problem::new("/persona", why));
    let (file, bytes) = files.read(path).map_err(missing)?;
    Ok(decode(&bytes, &file)?.trim().to_owned())
}

impl Character {
    /// Parses and compiles a file.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place.
    pub fn parse(
        bytes: &[u8],
        file: &str,
        files: &dyn FileSource,
    ) -> Result<Self, Vec<AuthoringError>> {
        let spec = WithSource::<NpcSpec>::parse(bytes, file)?;
        Self::compile(&spec, files)
    }

    /// Compiles a parsed file.
    ///
    /// # Errors
    /// Everything that is wrong, each with its place.
    pub(crate) fn compile(
        sourced: &WithSource<NpcSpec>,
        files: &dyn FileSource,
    ) -> Result<Self, Vec<AuthoringError>> {
        let near = sourced.files(files);
        let files = &ReadFiles::new(&near);
        let spec = &sourced.value;
        let mut compile = CompileRules::new(RuleLevel::Npc);
        let mut open = OpenRules::default();
        let mut errors = Vec::new();
        let id = compile.claim("NPC", &spec.id, "");
        compile.constraints(&mut open, &spec.constraints, "/constraints");
        let never = spec
            .never
            .iter()
            .enumerate()
            .map(|(i, words)| ConstraintSpec {
                id: format!("never_{}", i + 1),
                patterns: vec![words.clone()],
                ..ConstraintSpec::default()
            });
        compile.constraints(&mut open, &never.collect::<Vec<_>>(), "/never");
        let mut parts = Vec::new();
        for (i, rule) in spec.rules.iter().enumerate() {
            let pointer = format!("/rules/{i}");
            match sourced.part::<RuleSpec>(rule, &pointer, files) {
                Ok(rule) => {
                    compile.rule(&mut open, &rule.value, &pointer);
                    parts.push((pointer, rule));
                }
                Err(error) => errors.push(error),
            }
        }
        compile.custom_rules(&mut open, &spec.custom_rules, "/custom_rules");
        for (i, topic) in spec.forbidden.iter().enumerate() {
            compile.topic(&mut open, topic, None, &format!("/forbidden/{i}"));
        }
        for (i, hidden) in spec.hidden.iter().enumerate() {
            let until = Some(hidden.until.as_ref());
            compile.topic(
                &mut open,
                &hidden.topic,
                until,
                &format!("/hidden/{i}/topic"),
            );
        }
        let persona = persona(sourced, files).unwrap_or_else(|error| {
            errors.push(error);
            String::new()
        });
        let first_mind = first_mind(spec, &mut compile);
        if spec.chattiness > 100 {
            compile
                .problems
                .push(Problem::new("/chattiness", "`chattiness` must be 0 to 100"));
        }
        let limits = spec.limits.compile().unwrap_or_else(|problems| {
            compile.problems.extend(problems);
            LimitOverrides::default()
        });
        compile.problems.extend(spec.sampling.problems());
        let lexicon = spec.lexicon.as_ref();
        let lexicon = lexicon.map(|lexicon| load_lexicon(sourced, lexicon, files));
        let lexicon = lexicon.transpose().unwrap_or_else(|error| {
            errors.push(error);
            None
        });
        let routine =
            load_routine(sourced, &spec.routine, "/routine", files).unwrap_or_else(|found| {
                errors.extend(found);
                Routine::default()
            });
        let policy = spec.policy.map(PolicySpec::compile).transpose();
        let policy = policy.unwrap_or_else(|problems| {
            compile.problems.extend(problems);
            None
        });
        let location = spec.location.as_ref().map(Id::new).transpose();
        let location = location.unwrap_or_else(|error| {
            let problem = Problem::new("/location", error.to_string());
            compile.problems.push(problem);
            None
        });
        let rules = match compile.finish(open) {
            Ok(rules) => rules,
            Err(problems) => {
                errors.extend(sourced.locate_in_parts(&parts, &problems));
                return Err(first_of_each_file(errors));
            }
        };
        let (Some(id), true) = (id, errors.is_empty()) else {
            return Err(errors);
        };
        let examples = spec.examples.iter().map(Example::of);
        Ok(Self {
            id,
            name: spec.name.clone().unwrap_or_else(|| spec.id.clone()),
            persona,
            location,
            chattiness: spec.chattiness,
            held_states: spec
                .states
                .iter()
                .filter(|state| state.held)
                .map(|state| (state.category.clone(), state.label.clone()))
                .collect(),
            baked: spec.baked,
            may: spec.may.clone(),
            examples: examples.collect(),
            rules,
            limits: limits.with_memory(spec.memory),
            sampling: spec.sampling.clone(),
            lexicon,
            policy,
            diary: spec.diary,
            delivery: spec.delivery,
            form: spec.form,
            echo: spec.echo,
            reply_language: spec.reply_language,
            routine,
            fallbacks: spec.fallbacks.clone(),
            first_mind,
            source: Arc::new(AssetSource::of(AssetKind::Npc, sourced, files)),
        })
    }

    /// Short exchanges that show the model how it speaks: what the player says, and what the character answers.
    pub fn examples(&self) -> impl Iterator<Item = (&str, &str)> {
        let examples = self.examples.iter();
        examples.map(|one| (one.player.as_str(), one.npc.as_str()))
    }

    /// The source that it was compiled from. When a game changes a field afterwards, the source stays the same, and a replay of
    /// that game shows the difference.
    #[must_use]
    pub fn source(&self) -> &Arc<AssetSource> {
        &self.source
    }

    /// The mind that the character has when it is first spawned, within these limits.
    ///
    /// A corrupt memory or belief is skipped and logged.
    #[must_use]
    pub(crate) fn first_mind(
        &self,
        now: GameTime,
        canon: &CanonJudge,
        limits: &Limits,
        lexicon: &Lexicon,
    ) -> Mind {
        let mut mind = Mind {
            states: self.first_mind.states.clone(),
            ..Mind::empty()
        };
        mind.keep_to(limits, 0, lexicon);
        for episode in &self.first_mind.episodes {
            let episode = Episode {
                // The authored age counts back from the beginning of the game.
                time: now.after(episode.time.since(GameTime(0))),
                ..episode.clone()
            };
            if let Err(error) = mind.episodes.store(episode, now) {
                log::warn!("{}: {error}, skipped", self.id);
            }
        }
        for first in &self.first_mind.beliefs {
            let belief = NewBelief {
                text: &first.text,
                confidence: first.confidence,
                contradicts_canon: canon.contradicts_belief(first.id.as_str(), &first.text),
                pinned: first.pinned,
            };
            if let Err(error) = mind.beliefs.hold(&first.id, belief, now) {
                log::warn!("{}: {error}, skipped", self.id);
            }
        }
        mind
    }
}

#[cfg(feature = "inspector")]
impl Character {
    /// The belief with this id that its file gives it at the start; `None` where its file has no such belief.
    pub(crate) fn first_belief(&self, id: &str) -> Option<&str> {
        let mut first = self.first_mind.beliefs.iter();
        let belief = first.find(|belief| belief.id.as_str() == id)?;
        Some(&belief.text)
    }
}

impl AssetSource {
    /// Compiles the character from this source.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with its place.
    pub fn character(&self) -> Result<Character, Vec<AuthoringError>> {
        Character::parse(self.text.as_bytes(), &self.file, &self.files())
    }
}

fn first_mind(spec: &NpcSpec, compile: &mut CompileRules) -> FirstMind {
    let mut first = FirstMind::default();
    // A number that is no fraction at all becomes one that the memory refuses as corrupt.
    let fraction = |value: f64| Millionths::from_f64(value).unwrap_or(Millionths(-1));
    for (i, memory) in spec.memories.iter().enumerate() {
        compile.claim("memory", &memory.id, &format!("/memories/{i}"));
        let Some(age) = Millis::from_seconds(memory.age_seconds).filter(|age| age.0 >= 0) else {
            compile.problems.push(Problem::new(
                format!("/memories/{i}/age_seconds"),
                "an age is a number of seconds, 0 to 10^12",
            ));
            continue;
        };
        first.episodes.push(Episode {
            significance: fraction(memory.significance),
            participants: memory.participants.clone(),
            place: memory.place.clone(),
            provenance: memory.provenance.clone(),
            pinned: memory.pinned,
            private: memory.private,
            ..Episode::new(&memory.id, &memory.text, GameTime(-age.0))
        });
    }
    for (i, belief) in spec.beliefs.iter().enumerate() {
        if let Some(id) = compile.claim("belief", &belief.id, &format!("/beliefs/{i}")) {
            first.beliefs.push(FirstBelief {
                id,
                text: belief.text.clone(),
                confidence: fraction(belief.confidence),
                pinned: belief.pinned,
            });
        }
    }
    for (i, state) in spec.states.iter().enumerate() {
        if state.level > 30 {
            let place = format!("/states/{i}/level");
            compile
                .problems
                .push(Problem::new(place, "a level is 0-30"));
        }
        first
            .states
            .push((state.label.clone(), state.category.clone(), state.level));
    }
    first
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::authoring::NoFiles;

    fn errors(source: &str) -> Vec<String> {
        Character::parse(source.as_bytes(), "a.npc.ron", &NoFiles)
            .map(|_| Vec::new())
            .unwrap_or_else(|errors| errors.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn x1_a_typo_names_file_line_and_column() {
        let found = errors("(\n  id: \"a\",\n  persna: \"x\",\n)");
        assert_eq!(found.len(), 1);
        assert!(found[0].starts_with("a.npc.ron:3:"), "{found:?}");
        assert!(found[0].contains("persna"), "{found:?}");
    }

    #[test]
    fn x1_a_bad_pattern_deep_inside_is_found_with_its_place() {
        let source = "(id: \"a\",\n constraints: [\n  (id: \"c\", kind: Prohibition, severity: Hard,\n   patterns: [\"ok\", \"/(/\"])])";
        assert!(
            errors(source)[0].starts_with("a.npc.ron:4:21: "),
            "{:?}",
            errors(source)
        );
    }

    #[test]
    fn x1_an_inline_rule_refuses_unknown_fields_too() {
        let source = "(id: \"a\", rules: [(id: \"r\",\n whn: Always)])";
        assert!(
            errors(source)[0].starts_with("a.npc.ron:2:"),
            "{:?}",
            errors(source)
        );
        assert!(errors("(id: \"a\", rules: [\"gone.rules.ron\"])")[0].contains("gone.rules.ron"));
    }

    #[test]
    fn p3_a_corrupt_memory_is_skipped_and_the_rest_goes_on() {
        let source = "(id: \"a\", memories: [(id: \"m\", text: \" \"), (id: \"n\", text: \"y\", significance: 7.0), (id: \"o\", text: \"z\")])";
        let character = Character::parse(source.as_bytes(), "a", &NoFiles).unwrap();
        let mind = character.first_mind(
            GameTime(0),
            &CanonJudge::default(),
            &Limits::DEFAULT,
            Lexicon::english(),
        );
        let ids: Vec<&str> = mind.episodes.iter().map(|e| e.id.as_str()).collect();
        assert_eq!(ids, ["o"]);
    }

    #[test]
    fn m8_a_file_writes_no_diary() {
        let source = "(id: \"a\", memories: [\n (id: \"m\", text: \"y\", provenance: Diary)])";
        let found = errors(source);
        assert!(found[0].starts_with("a.npc.ron:2:"), "{found:?}");
        assert!(found[0].contains("it is one of Saw, ToldBy"), "{found:?}");
    }
}
