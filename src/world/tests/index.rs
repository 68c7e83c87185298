//! Ids, names and the hash of the world keep in step with the ECS (row W7).

use super::{HOUSE, read};
use crate::base::Id;
use crate::engine::ScriptedEngine;
use crate::id;
use crate::testing::TestGame;
use crate::world::refresh::world_digest;
use crate::world::tracker::WorldTracker;
use crate::world::{Attributes, DisplayName, Location, PlacedIn, WorldId, WorldRead, WorldView};
use bevy::prelude::*;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

#[test]
fn w7_who_waits_for_a_taken_id_comes_in_when_it_is_free() {
    let mut game = TestGame::new(ScriptedEngine::silent());
    game.install_story(&HOUSE);
    let first = game.entity("key_1");
    let hall = game.entity("hall");
    let second = game
        .world_mut()
        .spawn((
            WorldId(id!("key_1")),
            DisplayName("a copy".into()),
            PlacedIn(hall),
        ))
        .id();
    assert_eq!(
        read(&game, |w| w.contents("hall").len()),
        4,
        "it is no part of the world"
    );
    let before = world_digest(game.world_mut());
    game.world_mut().despawn(first);
    assert_eq!(game.entity("key_1"), second);
    assert_ne!(world_digest(game.world_mut()), before);
    assert_eq!(read(&game, |w| w.named("copy")), ["key_1"]);
}

#[test]
fn w7_unmarked_entities_are_no_part_of_the_world() {
    let mut game = TestGame::new(ScriptedEngine::silent());
    game.install_story(&HOUSE);
    let before = world_digest(game.world_mut());
    for _ in 0..1_000 {
        let leaf = game.world_mut().spawn(Name::new("a leaf")).id();
        let hall = game.entity("hall");
        game.world_mut().entity_mut(leaf).insert(PlacedIn(hall));
    }
    assert_eq!(world_digest(game.world_mut()), before);
    assert_eq!(read(&game, |w| w.contents("hall").len()), 4);
}

/// What happens to a world, by the ids of six entities and three places.
#[derive(Debug, Clone)]
enum Happening {
    Spawn(usize, usize),
    Despawn(usize),
    Rename(usize, usize),
    Rekey(usize, usize),
    Put(usize, usize),
    Lift(usize),
    Pave(usize),
    Unpave(usize),
    Note(usize, i64),
    Look,
}

fn happening() -> impl Strategy<Value = Happening> {
    use Happening as H;
    let n = 0..6usize;
    prop_oneof![
        3 => (n.clone(), n.clone()).prop_map(|(a, b)| H::Spawn(a, b)),
        1 => n.clone().prop_map(H::Despawn),
        2 => (n.clone(), n.clone()).prop_map(|(a, b)| H::Rename(a, b)),
        1 => (n.clone(), n.clone()).prop_map(|(a, b)| H::Rekey(a, b)),
        4 => (n.clone(), n.clone()).prop_map(|(a, b)| H::Put(a, b)),
        1 => n.clone().prop_map(H::Lift),
        1 => n.clone().prop_map(H::Pave),
        1 => n.clone().prop_map(H::Unpave),
        2 => (n, 0..3i64).prop_map(|(a, v)| H::Note(a, v)),
        3 => Just(H::Look),
    ]
}

fn happen(world: &mut World, entities: &mut Vec<Entity>, what: &Happening) {
    let pick = |entities: &[Entity], i: usize| entities.get(i % entities.len().max(1)).copied();
    let (one, other) = match what {
        Happening::Spawn(id, name) => {
            let id = Id::new(format!("id{id}")).unwrap();
            entities.push(
                world
                    .spawn((WorldId(id), DisplayName(format!("name {name}"))))
                    .id(),
            );
            return;
        }
        Happening::Look => {
            world_digest(world);
            return;
        }
        Happening::Despawn(a) | Happening::Lift(a) | Happening::Pave(a) | Happening::Unpave(a) => {
            (a, a)
        }
        Happening::Rename(a, b) | Happening::Rekey(a, b) | Happening::Put(a, b) => (a, b),
        Happening::Note(a, _) => (a, a),
    };
    let Some(entity) = pick(entities, *one).filter(|e| world.get_entity(*e).is_ok()) else {
        return;
    };
    match what {
        Happening::Despawn(_) => {
            world.despawn(entity);
        }
        Happening::Rename(..) => {
            world
                .entity_mut(entity)
                .insert(DisplayName(format!("name {other}")));
        }
        Happening::Rekey(..) => {
            world
                .entity_mut(entity)
                .insert(WorldId(Id::new(format!("id{other}")).unwrap()));
        }
        Happening::Put(..) => {
            let holder =
                pick(entities, *other).filter(|e| *e != entity && world.get_entity(*e).is_ok());
            if let Some(holder) = holder {
                world.entity_mut(entity).insert(PlacedIn(holder));
            }
        }
        Happening::Lift(_) => {
            world.entity_mut(entity).remove::<PlacedIn>();
        }
        Happening::Pave(_) => {
            world.entity_mut(entity).insert(Location::default());
        }
        Happening::Unpave(_) => {
            world.entity_mut(entity).remove::<Location>();
        }
        Happening::Note(_, value) => {
            world
                .entity_mut(entity)
                .modify_component(|attributes: &mut Attributes| {
                    attributes.0.insert("n".to_owned(), (*value).into());
                });
        }
        Happening::Spawn(..) | Happening::Look => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { rng_seed: RngSeed::Fixed(5), failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn w7_hash_names_and_offstage_keep_in_step_with_whatever_happens(happenings in prop::collection::vec(happening(), 1..40)) {
        let mut game = TestGame::new(ScriptedEngine::silent());
        let world = game.world_mut();
        let mut entities = Vec::new();
        for what in &happenings {
            happen(world, &mut entities, what);
        }
        let kept = world_digest(world);
        let ask = |world: &World| {
            let judged = WorldView::new(world);
            let named: Vec<Vec<Id>> = (0..6).map(|i| judged.named(&format!("name {i}"))).collect();
            (named, judged.offstage())
        };
        let indexed = ask(world);
        // Against one that looks at everything again.
        world.insert_resource(WorldTracker::default());
        prop_assert_eq!(kept, world_digest(world));
        world.remove_resource::<WorldTracker>();
        prop_assert_eq!(indexed, ask(world));
    }
}
