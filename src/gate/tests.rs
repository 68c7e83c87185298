//! Properties of what judges a model's words and of what a player's words can do.

mod german;
mod pieces;
mod traits;

use crate::authoring::{Character, NoFiles, StoryBook};
use crate::base::GameTime;
use crate::engine::EngineEvent;
use crate::engine::Inference;
use crate::gate::actions::{Recheck, recheck};
use crate::gate::{
    ActionContext, Approvals, Approved, CustomChecks, FailureReason, GateContext, MemoryChange,
    SnapshotView, Verdict, judge,
};
use crate::id;
use crate::judged_world::change::apply::TurnKey;
use crate::npc::MAX_INPUT_CHARS;
use crate::pipeline::AssembledPrompt;
use crate::proposal::{Finish, InvalidFormat, ParseOptions, Proposal, parse};
use crate::rules::{Interaction, TriggerReason};
use crate::testing::{FnEngine, GameEvent, TestGame};
use crate::world::{
    ActionRegistry, ActionRules, EntityView, Intent, LocationView, Placement, WorldState,
};
use pieces::{bytes, text};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// The same cases in every run.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0xD7A_3A71),
        ..ProptestConfig::default()
    }
}

fn read(bytes: &[u8], finish: Finish) -> Result<Proposal, InvalidFormat> {
    let names = ["Eldrin".to_owned(), "wizard".to_owned()];
    parse(
        bytes,
        &ParseOptions {
            finish,
            speaker_names: &names,
            ..ParseOptions::default()
        },
    )
}

const WIZARD: &str = r#"(
    id: "wizard", name: "Eldrin", may: ["open", "take", "speak"],
    forbidden: ["dragon*"],
    constraints: [
        (id: "no_secret", kind: Prohibition, severity: Hard, patterns: ["secret"]),
        (id: "ask", kind: Requirement, severity: Soft, patterns: ["who", "/why/"]),
    ],
    custom_rules: [(id: "no_computer", kind: Prohibition, severity: Hard, pattern: "computer")],
    fallbacks: (generic: ["Hm."]),
)"#;

const STORY: &str = r#"(canon: [(id: "king", text: "The king is named Arthur",
    slot: (subject: ["the king"], relation: "is named", value: "Arthur"))])"#;

/// Judges a reply in an empty world, with everything loaded again.
fn judged(reply: &str) -> (Verdict, Approvals) {
    judged_in(&WorldState::default(), reply)
}

fn judged_in(world: &WorldState, reply: &str) -> (Verdict, Approvals) {
    let character = Character::parse(WIZARD.as_bytes(), "test.npc.ron", &NoFiles).unwrap();
    let registry = ActionRegistry::default();
    let story = StoryBook::parse(STORY.as_bytes(), "test.story.ron", &NoFiles, &registry).unwrap();
    let bench = GateContext {
        run: 7,
        interaction: Interaction {
            reason: TriggerReason::PlayerUtterance,
            npc: &id!("wizard"),
            trigger_id: None,
            scene: None,
            tags: &[],
            interaction_count: 0,
        },
        constraints: &character.rules.constraints,
        canon: &story.canon,
        forbidden: &character.rules.forbidden,
        closed: &[],
        custom: &character.rules.custom,
        checks: &CustomChecks::default(),
        lines: None,
        may: crate::world::May::of_character(character.may.as_deref()),
        world,
        actions: ActionContext {
            rules: ActionRules {
                book: story.rulebook(),
                registry: &registry,
                now: GameTime(0),
                max_introduced: 64,
                lexicon: crate::text::Lexicon::english(),
            },
            key: TurnKey::default(),
            people: &[&id!("wizard")],
            seen: SnapshotView::default(),
        },
    };
    judge(&bench, &read(reply.as_bytes(), Finish::Stop))
}

/// Judges approved intents once more, as the commit does.
fn rechecked(world: &WorldState, run: u64, intents: &[Approved<Intent>]) -> Recheck {
    let registry = ActionRegistry::default();
    let story = StoryBook::parse(STORY.as_bytes(), "test.story.ron", &NoFiles, &registry).unwrap();
    let context = ActionContext {
        rules: ActionRules {
            book: story.rulebook(),
            registry: &registry,
            now: GameTime(0),
            max_introduced: 64,
            lexicon: crate::text::Lexicon::english(),
        },
        key: TurnKey::default(),
        people: &[&id!("wizard")],
        seen: SnapshotView::default(),
    };
    recheck(&context, world, run, intents)
}

/// A yard with the wizard and a door that can be opened.
fn yard() -> WorldState {
    let thing = |kind: &str| EntityView {
        kind: kind.to_owned(),
        at: Placement::In(id!("yard")),
        ..EntityView::default()
    };
    let mut world = WorldState::default();
    world.locations.insert(id!("yard"), LocationView::default());
    world.entities.insert(id!("wizard"), thing("character"));
    let mut door = thing("item");
    door.attributes.insert("openable".to_owned(), true.into());
    world.entities.insert(id!("door"), door);
    world
}

#[test]
fn p8_what_was_approved_is_judged_again_and_stays_bound_to_its_run() {
    let mut world = yard();
    let (verdict, approvals) = judged_in(&world, "Who comes? [INTENT: open door]");
    assert!(verdict.passed, "{:?}", verdict.failures);
    let intents = approvals.intents;

    let again = rechecked(&world, 7, &intents);
    assert!(again.actions[0].judgement.is_ok());
    let changes = again.changes.unwrap();
    assert!(changes.is_for_run(7));
    // It is unlocked, and it is open.
    assert_eq!(changes.get().len(), 2);

    let elsewhere = rechecked(&world, 8, &intents).changes.unwrap_err();
    assert_eq!(elsewhere[0].reason, FailureReason::ActionRejected);
    assert_eq!(elsewhere[0].rule, "approval");

    world.entities.remove("door");
    let gone = rechecked(&world, 7, &intents);
    assert!(!gone.actions[0].judgement.is_ok());
    assert_eq!(gone.changes.unwrap_err().len(), 1);
}

/// All words that a verdict let through.
fn approved_words(approvals: &Approvals) -> Vec<String> {
    let line = approvals.line.iter().map(|line| line.get().0.clone());
    let memories = approvals
        .memories
        .iter()
        .filter_map(|memory| match memory.get() {
            MemoryChange::AppendEpisodic { content, .. }
            | MemoryChange::TransformBelief { content, .. } => Some(content.clone()),
            MemoryChange::TransformRelationship { .. } => None,
        });
    let intents = approvals
        .intents
        .iter()
        .flat_map(|intent| intent.get().words().map(str::to_owned).collect::<Vec<_>>());
    line.chain(memories).chain(intents).collect()
}

proptest! {
    #![proptest_config(cases(1_500))]

    #[test]
    fn g1_the_parser_is_total_and_deterministic(bytes in bytes()) {
        for finish in [Finish::Stop, Finish::Length] {
            let reply = read(&bytes, finish);
            prop_assert_eq!(&read(&bytes, finish), &reply);
            if let Ok(proposal) = reply {
                prop_assert!(!proposal.dialogue.is_empty() || !proposal.intents.is_empty());
                prop_assert!(!proposal.dialogue.chars().any(char::is_control));
            }
        }
    }

}

proptest! {
    #![proptest_config(cases(300))]

    #[test]
    fn g9_the_same_reply_gives_the_same_verdict_and_a_failed_one_approves_nothing(reply in text()) {
        let (verdict, approvals) = judged(&reply);
        let (again, approved_again) = judged(&reply);
        prop_assert_eq!(&verdict, &again);
        prop_assert_eq!(format!("{approvals:?}"), format!("{approved_again:?}"));
        prop_assert_eq!(verdict.passed, verdict.failures.is_empty());
        prop_assert_eq!(verdict.passed, approvals.line.is_some());
        prop_assert!(approvals.memories.len() <= 4);
        if !verdict.passed {
            prop_assert!(approvals.memories.is_empty() && approvals.intents.is_empty());
        }
        for intent in &approvals.intents {
            prop_assert!(intent.is_for_run(7));
            prop_assert_eq!(intent.get().actor(), "wizard");
            prop_assert!(["open", "take", "speak"].contains(&intent.get().kind()));
        }
    }

    #[test]
    fn g3_no_prohibited_word_gets_through(reply in text()) {
        let (_, approvals) = judged(&reply);
        // Beyond ASCII the borders of words are the matcher's own business.
        for words in approved_words(&approvals).iter().filter(|words| words.is_ascii()) {
            let plain = words.to_lowercase();
            let mut whole = plain.split(|c: char| !c.is_alphanumeric() && c != '_');
            prop_assert!(!whole.any(|word| word == "secret"), "{:?}", words);
        }
    }
}

/// What a game is told about one reply, with the mind that it leaves.
fn told(chunks: Vec<Vec<u8>>) -> (Vec<GameEvent>, String, Vec<usize>) {
    let mut game = TestGame::new(FnEngine::new(move |_, _| {
        let chunks = chunks.iter().cloned().map(EngineEvent::Chunk);
        chunks
            .chain([EngineEvent::Finished(Finish::Stop)])
            .collect()
    }));
    game.install_story(STORY);
    let wizard = game.spawn_npc(WIZARD);
    game.talk(wizard, "Hello");
    let mind = format!("{:?}", game.mind(wizard));
    let world = game.world_mut();
    let chunk_ends = world
        .query::<&Inference>()
        .iter(world)
        .flat_map(|i| i.chunk_ends.clone())
        .collect();
    (game.take_events(), mind, chunk_ends)
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn g1_where_a_chunk_ends_makes_no_difference(reply in bytes(), cuts in proptest::collection::vec(any::<prop::sample::Index>(), 0..12)) {
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(reply.len() + 1)).chain([0, reply.len()]).collect();
        cuts.sort_unstable();
        let chunks: Vec<Vec<u8>> = cuts.windows(2).map(|cut| reply[cut[0]..cut[1]].to_vec()).collect();
        let (split, split_mind, chunk_ends) = told(chunks);
        let (one, mind, _) = told(vec![reply.clone()]);
        prop_assert_eq!(split, one);
        prop_assert_eq!(split_mind, mind);
        prop_assert!(chunk_ends.is_sorted());
    }
}

/// What player text must never hold in a prompt, in any case of letters.
const FORBIDDEN: &[&str] = &[
    "<|",
    "|>",
    "<s>",
    "</s>",
    "[inst]",
    "[/inst]",
    "<<sys>>",
    "<start_of_turn>",
    "<end_of_turn>",
    "[intent",
    "[action",
    "[memory",
    "[belief",
    "[mutation",
    "<heard>",
    "</heard>",
    "{{",
    "}}",
];

/// The headings, without that of the feedback which a retry has.
fn headings(prompt: &str) -> Vec<&str> {
    let all = prompt.lines().filter(|line| line.starts_with('#'));
    all.filter(|line| !line.ends_with("our last answer was not accepted"))
        .collect()
}

/// The volatile part before the input: words that were said, and feedback that quotes them.
fn before_now(prompt: &AssembledPrompt) -> &str {
    prompt.user().split("## Now\n").next().unwrap_or_default()
}

/// The headings that this character's prompts may have, in order.
const ALL_HEADINGS: &[&str] = &[
    "## What is always true",
    "## Who you are",
    "## How to answer",
    "## What you believe",
    "## What you believe, but are uncertain of",
    "## What you remember",
    "## What you can do now",
    "## Now",
];

/// The words between the fence, without the fence.
fn fenced(prompt: &str) -> Vec<&str> {
    let parts = prompt.split("<heard>").skip(1);
    parts
        .map(|part| part.split("</heard>").next().unwrap_or_default())
        .collect()
}

fn check_inert(words: &str) -> Result<(), TestCaseError> {
    let lower = words.to_lowercase();
    for token in FORBIDDEN {
        prop_assert!(!lower.contains(token), "{token} in {words:?}");
    }
    let mut controls = words.chars().filter(|c| c.is_control());
    prop_assert!(controls.all(|c| c == '\n'), "{words:?}");
    Ok(())
}

/// The volatile part of the last prompt.
fn prompt(game: &TestGame) -> AssembledPrompt {
    game.last_run::<AssembledPrompt>().clone()
}

proptest! {
    #![proptest_config(cases(250))]

    #[test]
    fn p5_player_text_opens_no_section_no_fence_and_no_marker(input in text(), echoed in any::<bool>()) {
        let heard: String = input.chars().take(MAX_INPUT_CHARS).collect();
        // A model that repeats every word carries them into the next prompt, too.
        let reply = if echoed { heard.clone() } else { "Well.".to_owned() };
        let mut game = TestGame::new(FnEngine::new(move |_, _| EngineEvent::whole_reply(reply.clone())));
        game.install_story(STORY);
        let npc = game.spawn_npc("(id: \"guard\", persona: \"You guard the gate.\")");
        game.say(npc, &heard);
        game.run_until_idle();
        prop_assume!(!game.runs().is_empty());
        let first = prompt(&game);
        let text = first.text();
        prop_assert_eq!(headings(text), ["## What is always true", "## Who you are", "## How to answer", "## What you can do now", "## Now"]);
        check_inert(before_now(&first))?;
        prop_assert!(first.system().starts_with("You play guard"));
        let user = first.user().split("## Now\n").nth(1).unwrap_or_default();
        prop_assert_eq!(user.lines().count(), 3, "{:?}", user);
        let inside = fenced(first.user());
        prop_assert_eq!(inside.len(), 1);
        check_inert(inside[0])?;
        prop_assert!(!inside[0].contains('\n'));
        prop_assert_eq!(first.sections.iter().map(|s| s.chars).sum::<usize>(), text.chars().count());

        game.say(npc, "And now?");
        game.run_until_idle();
        let second = prompt(&game);
        // What the model repeated may be remembered as well; no heading comes from anywhere else, and none twice.
        let mut known = ALL_HEADINGS.iter();
        let text = second.text();
        let found = headings(text);
        prop_assert!(found.iter().all(|heading| known.any(|k| k == heading)), "{:?}", found);
        prop_assert_eq!(fenced(second.user()), ["And now?"]);
        check_inert(before_now(&second))?;
    }

    #[test]
    fn p5_the_current_input_stands_once(input in "[a-z]{12,30}") {
        let mut game = TestGame::new(FnEngine::always("Well."));
        let npc = game.spawn_npc("(id: \"guard\")");
        game.talk(npc, "Hello");
        game.talk(npc, &input);
        prop_assert_eq!(prompt(&game).text().matches(&input).count(), 1);
    }
}
