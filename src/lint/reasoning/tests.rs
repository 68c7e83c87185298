use super::Verdict::{CannotFail, CannotHold, Open};
use super::*;
use crate::base::time::GameTime;
use crate::format::error::dialect;
use crate::id;
use crate::judged_world::rulebook::condition::holds;
use crate::judged_world::rulebook::spec::{EffectValue, RuleTime};
use crate::judged_world::words::normalise::{Referring, normalise};
use crate::lint::roles::given;
use crate::world::May;
use crate::world::{
    ActionRegistry, ActionScene, EntityView, LocationView, Placement, ProposedAction, WorldState,
    WorldValue,
};

/// The verdicts on checks, one after the other, up to the first that cannot hold.
fn verdicts(conditions: &[&str]) -> Vec<Verdict> {
    let parse = |source: &&str| dialect().from_str::<ActionCondition>(source).unwrap();
    let conditions: Vec<ActionCondition> = conditions.iter().map(parse).collect();
    let target = RoleKey(&ActionRole::Target);
    let given = [
        (Fact::Named(target), true),
        (Fact::Named(RoleKey(&ActionRole::To)), false),
        (Fact::Given("name"), false),
    ];
    let mut known = Known::new(given, MAX_STEPS);
    let mut verdicts = Vec::new();
    for (i, condition) in conditions.iter().enumerate() {
        verdicts.push(known.judge(condition, i + 1));
        if matches!(verdicts.last(), Some(CannotHold(_))) {
            break;
        }
    }
    verdicts
}

fn last(conditions: &[&str]) -> Verdict {
    *verdicts(conditions).last().unwrap()
}

#[test]
fn x2_a_check_that_follows_from_those_before_cannot_fail() {
    for (before, after) in [
        ("Flag(\"a\")", "Flag(\"a\")"),
        ("Custom(\"moon\")", "Custom(\"moon\")"),
        ("All([Flag(\"a\"), Exists(Target)])", "Exists(Target)"),
        ("Flag(\"a\")", "Any([Flag(\"b\"), Flag(\"a\")])"),
        (
            "Any([Flag(\"a\"), Flag(\"b\")])",
            "Any([Flag(\"b\"), Flag(\"a\")])",
        ),
        (
            "Any([Flag(\"a\"), Flag(\"b\")])",
            "Any([Flag(\"b\"), Flag(\"c\"), Flag(\"a\")])",
        ),
        ("AtLeast(Target, \"n\", 5)", "AtLeast(Target, \"n\", 3)"),
        ("AtMost(Target, \"n\", 3)", "AtMost(Target, \"n\", 3)"),
        ("Attribute(Target, \"n\", 4)", "AtLeast(Target, \"n\", 4)"),
        (
            "All([AtLeast(Target, \"n\", 4), AtMost(Target, \"n\", 4)])",
            "Attribute(Target, \"n\", 4)",
        ),
        ("AtLeast(Target, \"n\", 5)", "HasAttribute(Target, \"n\")"),
        ("AtLeast(Target, \"n\", 5)", "Not(AtMost(Target, \"n\", 4))"),
        (
            "AtLeast(Target, \"n\", 5)",
            "Not(Attribute(Target, \"n\", \"five\"))",
        ),
        (
            "Attribute(Target, \"a\", true)",
            "Not(Attribute(Target, \"a\", false))",
        ),
        ("Kind(Target, \"door\")", "Not(Kind(Target, \"item\"))"),
        ("Is(Target, \"x\")", "Not(Is(Target, \"y\"))"),
        ("IsLocation(Target)", "Not(HasAttribute(Target, \"n\"))"),
        ("IsLocation(Target)", "SameLocation(Target, Target)"),
        ("Connected(Here, Target)", "IsLocation(Target)"),
        ("Perceivable(Target)", "Exists(Target)"),
        ("Carries(Actor, Target)", "Exists(Target)"),
        ("Carries(Actor, Target)", "Perceivable(Target)"),
        ("SameLocation(Target, Actor)", "Perceivable(Target)"),
        ("SameLocation(Target, Actor)", "SameLocation(Actor, Target)"),
        ("SameLocation(Actor, Target)", "Named(Here)"),
        (
            "Any([SameLocation(Actor, Target), Carries(Actor, Target)])",
            "Perceivable(Target)",
        ),
        (
            "Carries(Actor, KeyOf(Target))",
            "HasAttribute(Target, \"key\")",
        ),
        ("Offstage(Target)", "Unowned(Target)"),
        ("Kind(Target, \"door\")", "Exists(Target)"),
        ("Attribute(Target, \"n\", 1)", "Exists(Target)"),
        ("IsLocation(Target)", "Exists(Target)"),
        ("Not(Exists(Target))", "Not(Kind(Target, \"door\"))"),
        (
            "Not(HasAttribute(Target, \"n\"))",
            "Not(AtLeast(Target, \"n\", 1))",
        ),
        (
            "Not(AtLeast(Target, \"n\", 3))",
            "Not(AtLeast(Target, \"n\", 5))",
        ),
        ("TimeBetween(10.0, 20.0)", "TimeBetween(5.0, 20.0)"),
        ("TimeBetween(10.0, 20.0)", "Not(TimeBetween(21.0, 30.0))"),
        (
            "All([Any([Flag(\"a\"), Flag(\"b\")]), Not(Flag(\"a\"))])",
            "Flag(\"b\")",
        ),
    ] {
        // The condition of the given action's name is never met here.
        let expected = if before == "NameFree" {
            CannotHold(0)
        } else {
            CannotFail(1)
        };
        assert_eq!(last(&[before, after]), expected, "{before} then {after}");
    }
    for alone in [
        "All([])",
        "Not(Any([]))",
        "Named(Actor)",
        "Named(Target)",
        "Named(The(\"x\"))",
        "Is(The(\"x\"), \"x\")",
        "Given(\"x\")",
        "Not(Exists(To))",
        "Not(Exists(KeyOf(To)))",
        "Not(Given(Name))",
        "Any([Flag(\"a\"), Not(Flag(\"a\"))])",
        "Not(TimeBetween(2.0, 1.0))",
    ] {
        assert_eq!(last(&[alone]), CannotFail(0), "{alone}");
    }
}

#[test]
fn x2_a_check_that_contradicts_those_before_cannot_hold() {
    for (before, after) in [
        ("Flag(\"a\")", "Not(Flag(\"a\"))"),
        (
            "Attribute(Target, \"open\", true)",
            "Not(Attribute(Target, \"open\", true))",
        ),
        (
            "Not(Attribute(Target, \"open\", true))",
            "Attribute(Target, \"open\", true)",
        ),
        (
            "Attribute(Target, \"n\", 1)",
            "Attribute(Target, \"n\", \"1\")",
        ),
        (
            "Attribute(Target, \"n\", \"1\")",
            "AtLeast(Target, \"n\", 0)",
        ),
        (
            "AtLeast(Target, \"n\", 0)",
            "Attribute(Target, \"n\", true)",
        ),
        ("AtLeast(Target, \"n\", 5)", "AtMost(Target, \"n\", 4)"),
        ("AtLeast(Target, \"n\", 5)", "Attribute(Target, \"n\", 4)"),
        ("Kind(Target, \"door\")", "Kind(Target, \"item\")"),
        ("Is(Target, \"x\")", "Is(Target, \"y\")"),
        ("IsLocation(Target)", "Kind(Target, \"door\")"),
        ("IsLocation(Target)", "Carries(Actor, Target)"),
        ("IsLocation(Target)", "Unowned(Target)"),
        ("HasAttribute(Target, \"n\")", "Connected(Here, Target)"),
        ("Carries(Actor, Target)", "SameLocation(Actor, Target)"),
        ("Carries(Actor, Target)", "Unowned(Target)"),
        ("Unowned(Target)", "Carries(Here, Target)"),
        ("Offstage(Target)", "Perceivable(Target)"),
        ("Perceivable(Target)", "Offstage(Target)"),
        (
            "Not(Exists(Target))",
            "Any([Kind(Target, \"a\"), Carries(Actor, Target)])",
        ),
        (
            "Any([Flag(\"a\"), Flag(\"b\")])",
            "All([Not(Flag(\"b\")), Not(Flag(\"a\"))])",
        ),
        ("TimeBetween(1.0, 2.0)", "TimeBetween(3.0, 4.0)"),
        ("TimeBetween(1.0, 4.0)", "Not(TimeBetween(1.0, 5.0))"),
    ] {
        assert_eq!(
            last(&[before, after]),
            CannotHold(1),
            "{before} then {after}"
        );
    }
    for alone in [
        "Any([])",
        "Not(All([]))",
        "Exists(To)",
        "Carries(Actor, KeyOf(To))",
        "Given(Name)",
        "NameFree",
        "Not(Named(Target))",
        "Is(The(\"x\"), \"y\")",
        "All([Flag(\"a\"), Any([Not(Flag(\"a\")), Any([])])])",
        "TimeBetween(2.0, 1.0)",
    ] {
        assert_eq!(last(&[alone]), CannotHold(0), "{alone}");
    }
}

#[test]
fn x2_what_is_not_sure_stays_open() {
    for (before, after) in [
        ("Exists(Target)", "Perceivable(Target)"),
        ("Exists(Target)", "IsLocation(Target)"),
        ("Perceivable(Target)", "IsLocation(Target)"),
        ("Perceivable(Target)", "SameLocation(Actor, Target)"),
        ("Perceivable(Target)", "Kind(Target, \"door\")"),
        ("Kind(Target, \"door\")", "Kind(Actor, \"character\")"),
        ("SameLocation(Actor, Target)", "IsLocation(Target)"),
        ("Carries(Actor, Target)", "Exists(Actor)"),
        ("Carries(Actor, Target)", "Carries(Target, Actor)"),
        ("Connected(Here, Target)", "Connected(Target, Here)"),
        ("Unowned(Target)", "Offstage(Target)"),
        (
            "HasAttribute(Target, \"n\")",
            "AtLeast(Target, \"n\", -9223372036854775808)",
        ),
        ("AtLeast(Target, \"n\", 3)", "AtLeast(Target, \"n\", 4)"),
        ("AtLeast(Target, \"n\", 3)", "AtLeast(Actor, \"n\", 3)"),
        ("AtLeast(Target, \"n\", 3)", "AtMost(Target, \"m\", 2)"),
        ("Not(AtLeast(Target, \"n\", 3))", "AtMost(Target, \"n\", 2)"),
        (
            "Not(Attribute(Target, \"a\", true))",
            "Attribute(Target, \"a\", false)",
        ),
        (
            "Not(Attribute(Target, \"a\", true))",
            "HasAttribute(Target, \"a\")",
        ),
        (
            "Any([Flag(\"a\"), Flag(\"b\"), Flag(\"c\")])",
            "Any([Flag(\"a\"), Flag(\"b\")])",
        ),
        ("Any([Flag(\"a\"), Flag(\"b\")])", "Flag(\"a\")"),
        ("Is(Target, \"x\")", "Exists(Target)"),
        ("TimeBetween(10.0, 20.0)", "TimeBetween(10.0, 19.0)"),
        ("Named(Tool)", "Exists(Tool)"),
        (
            "Any([Not(Named(Tool)), Exists(Tool)])",
            "Any([Not(Named(Tool)), Carries(Actor, Tool)])",
        ),
    ] {
        assert_eq!(
            verdicts(&[before, after]),
            [Open, Open],
            "{before} then {after}"
        );
    }
}

#[test]
fn x2_the_check_that_decides_is_named() {
    let checks = [
        "Flag(\"x\")",
        "AtLeast(Target, \"n\", 5)",
        "AtMost(Target, \"n\", 9)",
        "Flag(\"y\")",
        "AtLeast(Target, \"n\", 3)",
    ];
    assert_eq!(last(&checks), CannotFail(2));
    assert_eq!(
        last(&["Flag(\"x\")", "Flag(\"y\")", "Not(Flag(\"x\"))"]),
        CannotHold(1)
    );
}

#[test]
fn x2_many_and_deep_checks_come_to_an_end() {
    let either = |i: usize| -> ActionCondition {
        let parts = (0..8).map(|j| format!("Flag(\"f{i}_{j}\")"));
        let parts: Vec<String> = parts.collect();
        dialect()
            .from_str(&format!("Any([{}])", parts.join(", ")))
            .unwrap()
    };
    let checks: Vec<ActionCondition> = (0..10_000).map(either).collect();
    let mut known = Known::new([], MAX_STEPS);
    for (i, check) in checks.iter().enumerate() {
        assert_eq!(known.judge(check, i + 1), Open);
    }
    let no = || ActionCondition::Any(Vec::new());
    let mut deep = ActionCondition::Flag("a".into());
    for _ in 0..60 {
        deep = ActionCondition::Any(vec![no(), ActionCondition::All(vec![deep])]);
    }
    let mut known = Known::new([], MAX_STEPS);
    assert_eq!(known.judge(&deep, 1), Open);
}

/// A small source of chance, always the same.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % sides as u64).unwrap()
    }

    fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.roll(list.len())].clone()
    }

    fn role(&mut self) -> ActionRole {
        use ActionRole as R;
        let target = || R::KeyOf(Box::new(R::Target));
        let named = [R::The("b".into()), R::The("p".into())];
        let roles = [
            R::Actor,
            R::Target,
            R::Target,
            R::Tool,
            R::To,
            R::Here,
            target(),
        ];
        let which = self.roll(roles.len() + 1);
        roles
            .get(which)
            .cloned()
            .unwrap_or_else(|| self.pick(&named))
    }

    fn value(&mut self) -> WorldValue {
        self.pick(&[
            WorldValue::Bool(true),
            1.into(),
            2.into(),
            "b".into(),
            "p".into(),
        ])
    }

    fn condition(&mut self, depth: usize) -> ActionCondition {
        use ActionCondition as C;
        let name = self.pick(&["n", "key"]).to_owned();
        let number = i64::try_from(self.roll(4)).unwrap();
        let time = |n: usize| RuleTime(GameTime(i64::try_from(n).unwrap()));
        let roll = self.roll(if depth == 0 { 20 } else { 29 });
        let list = |dice: &mut Self| {
            let length = dice.roll(4);
            (0..length).map(|_| dice.condition(depth - 1)).collect()
        };
        match roll {
            0 => C::Exists(self.role()),
            1 => C::IsLocation(self.role()),
            2 => C::Kind(self.role(), self.pick(&["x", "y"]).to_owned()),
            3 => C::Perceivable(self.role()),
            4 => C::SameLocation(self.role(), self.role()),
            5 => C::Connected(self.role(), self.role()),
            6 => C::Carries(self.role(), self.role()),
            7 => C::Unowned(self.role()),
            8 | 9 => C::Attribute(self.role(), name, self.value()),
            10 => C::HasAttribute(self.role(), name),
            11 => C::AtLeast(self.role(), name, number),
            12 => C::AtMost(self.role(), name, number),
            13 => C::Is(self.role(), self.pick(&["b", "p", "a"]).to_owned()),
            14 => C::Flag(self.pick(&["f", "g"]).to_owned()),
            15 => C::TimeBetween(time(self.roll(5)), time(self.roll(5))),
            16 => self.pick(&[C::ActorsTurn, C::SpawnedThisTurn, C::NameFree]),
            17 => C::Named(self.role()),
            18 => {
                C::Given(self.pick(&[EffectValue::Name, EffectValue::Content, EffectValue::KindOf]))
            }
            19 => C::Offstage(self.role()),
            20..=23 => C::Not(Box::new(self.condition(depth - 1))),
            24..=25 => C::All(list(self)),
            _ => C::Any(list(self)),
        }
    }

    fn world(&mut self) -> WorldState {
        let mut world = WorldState::default();
        for id in [id!("p"), id!("q")] {
            let roads = [vec![], vec![id!("p")], vec![id!("q"), id!("b"), id!("zz")]];
            let location = LocationView {
                connected_to: self.pick(&roads),
                ..LocationView::default()
            };
            world.locations.insert(id, location);
        }
        for id in [id!("a"), id!("b"), id!("c")] {
            if self.roll(8) == 0 {
                continue;
            }
            let place = self.pick(&[id!("p"), id!("p"), id!("q"), id!("zz")]);
            let holder = self.pick(&[id!("a"), id!("a"), id!("b"), id!("c"), id!("zz")]);
            let places = [
                Placement::In(place),
                Placement::CarriedBy(holder),
                Placement::Offstage,
            ];
            let mut entity = EntityView {
                at: self.pick(&places),
                kind: self.pick(&["x", "y"]).to_owned(),
                name: self.pick(&["", "tom"]).to_owned(),
                ..EntityView::default()
            };
            for name in ["n", "key"] {
                if self.roll(3) > 0 {
                    entity.attributes.insert(name.into(), self.value());
                }
            }
            world.entities.insert(id, entity);
        }
        for flag in ["f", "g"] {
            world.flags.insert(flag.into(), self.roll(2) == 0);
        }
        world.turn_of = self.pick(&[None, Some(id!("a")), Some(id!("b"))]);
        world
    }
}

#[test]
fn x2_what_is_sure_is_so_in_every_world() {
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15);
    let registry = ActionRegistry::default();
    let (mut cannot_fail, mut cannot_hold) = (0, 0);
    for _ in 0..4_000 {
        let action = dice.pick(&["use", "give", "speak", "introduce", "move"]);
        let shape = registry.shape(action).unwrap();
        let count = 2 + dice.roll(4);
        let conditions: Vec<ActionCondition> = (0..count).map(|_| dice.condition(2)).collect();
        let mut known = Known::new(given(shape), MAX_STEPS);
        let verdicts: Vec<Verdict> = conditions
            .iter()
            .enumerate()
            .map(|(i, condition)| known.judge(condition, i + 1))
            .collect();
        let stop = verdicts.iter().position(|v| matches!(v, CannotHold(_)));
        let sure = verdicts.iter().take(stop.map_or(count, |i| i + 1));
        if sure.clone().all(|verdict| *verdict == Open) {
            continue;
        }
        for _ in 0..60 {
            let world = dice.world();
            let mut proposed = ProposedAction {
                kind: action.to_owned(),
                ..ProposedAction::default()
            };
            for field in &shape.fields {
                if field.required || dice.roll(2) == 0 {
                    let id = dice.pick(&["a", "b", "b", "c", "p", "q", "zz"]);
                    proposed.fields.insert(field.name.into(), id.into());
                }
            }
            let Ok(intent) = normalise(&registry, &proposed, &id!("a"), May::All, Referring::ByIds)
            else {
                continue;
            };
            let scene = ActionScene {
                world: &world,
                intent: &intent,
                now: GameTime(i64::try_from(dice.roll(5)).unwrap()),
                spawned: dice.roll(2) == 0,
            };
            for (condition, verdict) in conditions.iter().zip(sure.clone()) {
                let is = holds(condition, &scene, &registry);
                cannot_fail += usize::from(is && matches!(verdict, CannotFail(_)));
                cannot_hold += usize::from(!is && matches!(verdict, CannotHold(_)));
                let wrong = if is {
                    matches!(verdict, CannotHold(_))
                } else {
                    matches!(verdict, CannotFail(_))
                };
                assert!(
                    !wrong,
                    "{verdict:?} of {conditions:#?}\n{intent:?}\n{world:#?}"
                );
                if !is {
                    break;
                }
            }
        }
    }
    assert!(
        cannot_fail > 1_000 && cannot_hold > 1_000,
        "{cannot_fail} {cannot_hold}"
    );
}
