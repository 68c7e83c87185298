//! The panel of what characters remember.

use super::*;
use crate::npc::{MindChange, MindWrite};

#[test]
fn i3_a_belief_says_where_it_comes_from_and_the_last_query_is_shown() {
    use memory::BeliefSource;
    let mut app = after_a_run();
    let keeper = Character::parse(NPC.as_bytes(), "keeper.npc.ron", &NoFiles).unwrap();
    let view = InspectorView::of(app.world_mut());
    let source =
        |text: &str| BeliefSource::of(&view.runs, Some(&keeper), "keeper", ("honest", text));
    assert_eq!(source("Visitors are honest."), BeliefSource::File);
    assert_eq!(source("Visitors lie."), BeliefSource::Earlier);
    let dormant = BeliefSource::of(&view.runs, None, "keeper", ("honest", "Visitors lie."));
    assert_eq!(dormant, BeliefSource::NotKnown);
    let (run, retrieved) = memory::last_retrieved(&view.runs, "keeper").unwrap();
    assert_eq!(run, 0);
    assert!(
        retrieved
            .episodes
            .iter()
            .any(|one| one.text.contains("flooded"))
    );
    assert!(memory::last_retrieved(&view.runs, "cook").is_none());
    let mut watched = Watched::new(on(Tab::Memory));
    watched.assert_shows(
        &mut app,
        &["from its file", "What run 0 has remembered", "was there"],
    );
}

#[test]
fn i3_memory_is_asked_a_question() {
    let mut app = after_a_run();
    let selection = Selection {
        query: "the river".to_owned(),
        ..on(Tab::Memory)
    };
    let mut watched = Watched::new(selection);
    watched.assert_shows(
        &mut app,
        &[
            "relevance",
            "The river flooded the yard.",
            "Changes by the last runs (1)",
        ],
    );
    watched.click(&mut app, "Changes by the last runs (1)");
    watched.assert_shows(&mut app, &["AppendEpisodic"]);
}

#[test]
fn m8_ages_are_told_in_words_and_what_is_forgotten_is_listed() {
    let mut app = after_a_run();
    let forget = MindChange::Forget { id: id!("said-1") };
    MindWrite::new(id!("keeper"), forget)
        .apply_to(app.world_mut())
        .unwrap();
    let mut watched = Watched::new(on(Tab::Memory));
    watched.assert_shows(
        &mut app,
        &["a moment ago", "Forgotten (1)", "said-1 (forget)"],
    );
}
