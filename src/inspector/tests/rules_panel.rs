//! The panel of the rules: what has found something and where, and what has not.

use super::*;

#[test]
fn i3_a_failure_leads_to_its_rule_and_the_rule_to_where_it_hit() {
    let mut app = after_a_run();
    let mut watched = Watched::new(Selection::default());
    watched.click(&mut app, "attempt 0");
    watched.assert_shows(&mut app, &["failed", "ProhibitionViolated"]);
    watched.click(&mut app, "no_secret");
    assert_eq!(watched.selection.rule.as_deref(), Some("no_secret"));
    watched.assert_shows(&mut app, &["have found nothing yet", "run 0: SECRET"]);
    watched.selection.attempt = None;
    watched.click(&mut app, "run 0: SECRET");
    assert_eq!(watched.selection.attempt, Some(0));
    watched.assert_shows(&mut app, &["7 Validation", "ProhibitionViolated"]);
}

#[test]
fn i3_rules_that_have_found_nothing_can_be_listed_alone() {
    let mut app = after_a_run();
    let mut watched = Watched::new(on(Tab::Rules));
    let has_found = |watched: &mut Watched, app: &mut App| {
        let rows = watched.rows(app);
        rows.iter().any(|(words, _)| words == "no_secret")
    };
    assert!(has_found(&mut watched, &mut app));
    watched.click(&mut app, "list only these");
    assert!(!has_found(&mut watched, &mut app));
    // A selection that asks for the rule shows it.
    watched.selection.show_rule("no_secret");
    assert!(has_found(&mut watched, &mut app));
}

#[test]
fn i3_a_check_that_denies_an_actor_something_is_counted() {
    let mut app = after_a_run();
    app.init_resource::<rules::RecentTurns>()
        .init_resource::<rules::FindingCounts>()
        .add_observer(rules::note_turn);
    let yard = app
        .world()
        .resource::<crate::world::WorldIndex>()
        .get("yard");
    let player = (WorldId(id!("player")), PlacedIn(yard.unwrap()));
    let player = app.world_mut().spawn(player).id();
    // The run has opened it.
    let open = crate::judged_world::action::actions::Open {
        target: "gate".to_owned(),
        tool: None,
    };
    for _ in 0..=rules::RecentTurns::MOST {
        let open = crate::world::ProposedAction::of(&open);
        let mut commands = app.world_mut().commands();
        commands.entity(player).perform_all(vec![open]);
        app.world_mut().flush();
        app.update();
    }
    app.update();
    let turns = &app.world().resource::<rules::RecentTurns>().0;
    assert_eq!(turns.len(), rules::RecentTurns::MOST);
    let last = turns.back().unwrap().id;
    let mut watched = Watched::new(on(Tab::Rules));
    watched.assert_shows(&mut app, &["open_closed", &format!("turn {last}: ")]);
}

#[test]
fn i3_a_rule_without_a_file_says_so() {
    let mut app = after_a_run();
    let mut selection = Selection::default();
    selection.show_rule("circular");
    let mut watched = Watched::new(selection);
    watched.assert_shows(&mut app, &["circular", "It is in no file"]);
}

#[test]
fn i3_a_rule_shows_which_of_its_patterns_hit() {
    let npc = NPC.replace(r#"["secret"]"#, r#"["treasure", "secret", "secre*"]"#);
    let mut app = after_a_run_of(&npc, RunPolicy::DIALOGUE, MemoryJournalPlugin);
    let mut watched = Watched::new(on(Tab::Rules));
    watched.assert_shows(&mut app, &["treasure", "secret (1)", "secre* (1)"]);
    assert!(!watched.words(&mut app).contains("treasure ("));
    watched.click(&mut app, "secret (1)");
    assert_eq!(watched.selection.attempt, Some(0));
    watched.assert_shows(&mut app, &["7 Validation", "ProhibitionViolated"]);
}

#[test]
fn i3_findings_are_counted_since_the_game_began() {
    let plugins = (MemoryJournalPlugin, InspectorPlugin);
    let mut app = after_a_run_with(RunPolicy::DIALOGUE, plugins);
    let counts = &app.world().resource::<rules::FindingCounts>().0;
    let own = ("keeper".to_owned(), "no_secret".to_owned());
    assert_eq!(counts.get(&own), Some(&1));
    let mut watched = Watched::new(on(Tab::Rules));
    assert!(!watched.words(&mut app).contains("0 of 1"));
    // A run that is not kept any more has still been counted.
    let history = app.world().resource::<RunHistory>();
    let run = history.iter().next().unwrap();
    app.world_mut().despawn(run);
    app.update();
    Watched::new(on(Tab::Rules)).assert_shows(&mut app, &["0 of 1"]);
}

#[test]
fn i3_two_rules_of_one_id_are_counted_apart() {
    let story = crate::authoring::StoryBook::default();
    let other = NPC.replace(r#"id: "keeper""#, r#"id: "cook""#);
    let parse = |npc: &str| Character::parse(npc.as_bytes(), "a.npc.ron", &NoFiles).unwrap();
    let (keeper, cook) = (parse(NPC), parse(&other));
    let key = |who: &str| (who.to_owned(), "no_secret".to_owned());
    let counts = rules::FindingCounts([(key("cook"), 9), (key("player"), 2)].into());
    let rows = rules::rule_rows(
        &story,
        &[&keeper, &cook],
        &Default::default(),
        &[],
        &Default::default(),
        &counts,
    );
    let of = |owner: &str| {
        let mut rows = rows.iter();
        let row = rows.find(|row| row.id == "no_secret" && row.owner == owner);
        row.map(|row| row.in_all)
    };
    assert_eq!((of("keeper"), of("cook")), (Some(0), Some(9)));
}
