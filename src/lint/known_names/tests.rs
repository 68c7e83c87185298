use crate::lint::{found, kinds, kinds_in};

const WORLD: &str = "world: (locations: {\"yard\": (name: \"Yard\")}, entities: {\"well\": (name: \"well\", kind: \"well\", at: In(\"yard\"), attributes: {\"depth\": 3, \"mood\": \"dark\"})})";

fn check(when: &str) -> String {
    format!(
        "(id: \"r\", actions: {{\"use\": (checks: [(id: \"a\", when: {when}, else: LOCKED)])}})"
    )
}

fn scene(when: &str) -> Vec<String> {
    kinds(&format!("{WORLD}, rulebook: {}", check(when)))
}

#[test]
fn x2_attributes_of_a_described_world_are_had_or_set() {
    for wrong in [
        "Attribute(Target, \"deep\", 3)",
        "HasAttribute(Target, \"wet\")",
        "Any([Flag(\"x\"), AtLeast(Target, \"water\", 1)])",
        "Not(Attribute(Target, \"lokced\", true))",
        "Not(Attribute(Target, \"opne\", true))",
    ] {
        assert_eq!(scene(wrong), ["unknown_attribute"], "{wrong}");
    }
    for right in [
        "Attribute(Target, \"depth\", 3)",
        "Attribute(Target, \"takeable\", true)",
        "Not(Attribute(Target, \"sealed\", true))",
        "Any([Not(HasAttribute(Target, \"water\")), AtLeast(Target, \"water\", 1)])",
        "Carries(Actor, KeyOf(Target))",
    ] {
        assert_eq!(scene(right), [""; 0], "{right}");
    }
    assert_eq!(
        found(
            "x.scenario.ron",
            &format!(
                "Scenario(name: \"x\", {WORLD},\nrulebook: {})",
                check("Attribute(Target, \"detph\", 3)")
            )
        ),
        ["2:64: nothing has the attribute \"detph\" (did you mean \"depth\"?) [unknown_attribute]"]
    );
}

#[test]
fn x2_steps_and_effects_set_attributes() {
    let water = check("AtLeast(Target, \"water\", 1)");
    let step = "steps: [SetAttribute(entity: \"well\", name: \"water\", value: 2)]";
    assert_eq!(
        kinds(&format!("{WORLD}, {step}, rulebook: {water}")),
        [""; 0]
    );
    let fill = water.replace(
        "])})",
        "], effects: [AddAttribute(Target, \"water\", 1)])})",
    );
    assert_eq!(kinds(&format!("{WORLD}, rulebook: {fill}")), [""; 0]);
    // A scenario's world is all there is, a story's is the game's, too.
    assert_eq!(kinds(&format!("rulebook: {water}")), [""; 0]);
    let story =
        |world: &str| kinds_in("x.story.ron", &format!("Story({world}, rulebook: {water})"));
    assert_eq!(story(WORLD), ["unknown_attribute"]);
    assert_eq!(
        story(&WORLD.replace("\"depth\": 3, \"mood\": \"dark\"", "")),
        [""; 0]
    );
}

#[test]
fn x2_a_rulebook_alone_is_looked_through_for_slips_only() {
    let alone = |when: &str| kinds_in("x.rulebook.ron", &check(when));
    for wrong in [
        "Attribute(Target, \"openabel\", true)",
        "Not(Attribute(Target, \"takable\", true))",
        "Attribute(Target, \"opne\", true)",
    ] {
        assert_eq!(alone(wrong), ["unknown_attribute"], "{wrong}");
    }
    for right in [
        "Attribute(Target, \"wet\", true)",
        "Attribute(Target, \"lock\", true)",
    ] {
        assert_eq!(alone(right), [""; 0], "{right}");
    }
    let set = |effect: &str| {
        let book = format!("(id: \"r\", actions: {{\"use\": (effects: [{effect}])}})");
        kinds_in("x.rulebook.ron", &book)
    };
    assert_eq!(
        set("SetAttribute(Target, \"locekd\", true)"),
        ["unknown_attribute"]
    );
    assert_eq!(set("SetAttribute(Target, \"broken\", true)"), [""; 0]);
    let twice = |once: &str| {
        format!(
            "(id: \"r\", actions: {{\"use\": (checks: [(id: \"a\", when: AtLeast(Target, \"strength\", 1), else: LOCKED), (id: \"b\", when: AtLeast(Actor, \"strength\", 1), else: LOCKED), (id: \"c\", when: AtLeast(Tool, \"{once}\", 1), else: LOCKED)])}})"
        )
    };
    assert_eq!(
        kinds_in("x.rulebook.ron", &twice("strenght")),
        ["unknown_attribute"]
    );
    assert_eq!(kinds_in("x.rulebook.ron", &twice("strengths")), [""; 0]);
}

#[test]
fn x2_ids_in_a_rulebook_are_those_of_its_world() {
    assert_eq!(scene("Exists(The(\"wlel\"))"), ["unresolved"]);
    assert_eq!(
        scene("Not(Is(KeyOf(The(\"well\")), \"key\"))"),
        ["unresolved"]
    );
    assert_eq!(
        scene("Any([Is(Target, \"yard\"), Is(Target, \"player\")])"),
        [""; 0]
    );
    assert_eq!(
        kinds(&format!("rulebook: {}", check("Is(Target, \"x\")"))),
        [""; 0]
    );
    let place = "(id: \"r\", actions: {\"use\": (effects: [Place(Actor, In(The(\"moon\")))])})";
    assert_eq!(
        kinds(&format!("{WORLD}, rulebook: {place}")),
        ["unresolved"]
    );
}

#[test]
fn x2_nothing_is_added_to_a_text() {
    let add = |name: &str| {
        let effect = format!("AddAttribute(Target, \"{name}\", 1)");
        kinds(&format!(
            "{WORLD}, rulebook: (id: \"r\", actions: {{\"use\": (effects: [{effect}])}})"
        ))
    };
    assert_eq!(add("mood"), ["bad_effect"]);
    assert_eq!(add("depth"), [""; 0]);
    assert_eq!(add("uses"), [""; 0]);
}
