"""Writes the talks of CPDC 2025, task 1, as scenarios and benches: convert.py TASK1_TRAIN_JSON OUTDIR

OUTDIR gets two rulebooks (a shop, a guild) with their words, and
  talks/   a scenario for each talk: each golden action is proposed and must be applied
  absent/  the same with a target that is not there: each must be refused
  early/   each golden action before what it needs (to equip before the sale, ..): each must be refused
  asked_*.bench.ron, quiet_*.bench.ron   what the player says where an action is golden, and where none is: the line alone, or
           with the last exchange before it, since the call that chooses an action shows one exchange and a bench begins without any
The licence of the data is not stated: OUTDIR lies outside of the repository.
"""

import json
import re
import sys
from pathlib import Path

from talks import ACTIONS, DONE, read, slug

LEXICON = Path(__file__).parents[3] / "assets/lexicon/en.lexicon.ron"
ABSENT = {True: "Moonlit Glaive", False: "Slaying the Sea Serpent"}
MISSING = "MISSING_REQUIREMENT"


def check(name, when, otherwise, message):
    return f'                (id: "{name}", when: {when}, else: {otherwise}, message: "{message}"),\n'


def rule(function, kind):
    """One acting function as an action: its target is there, is not done yet, and what comes first was done."""
    (action, first), done = ACTIONS[function], DONE[function]
    checks = check(f"{function}_exists", "Exists(Target)", "NOT_FOUND", "there is no {target}")
    checks += check(f"{function}_here", "Perceivable(Target)", "NOT_PRESENT", "{target} is not here")
    checks += check(f"{function}_kind", f'Kind(Target, "{kind}")', "INVALID_TARGET", "{target} is no " + kind)
    checks += check(f"{function}_new", f'Not(Attribute(Target, "{done}", true))', "INVALID_TARGET", "{target} is " + done)
    if function in ("sell", "select"):
        checks += check(f"{function}_confirmed", 'Any([Not(Flag("confirms")), Attribute(Target, "confirmed", true)])', MISSING, "{target} was not confirmed")
    elif function in ("equip", "start"):
        checks += check(f"{function}_{DONE[first]}", f'Attribute(Target, "{DONE[first]}", true)', MISSING, "{target} was not " + DONE[first])
    if function == "sell":
        checks += check("sell_buyer", 'Is(To, "player")', "INVALID_TARGET", "{to} buys nothing")
    carried = ', Place(Target, CarriedBy(The("player")))' if function == "equip" else ""
    return f'        "{action}": (\n            checks: [\n{checks}            ],\n            effects: [SetAttribute(Target, "{done}", true){carried}],\n        ),\n'


def rulebook(name, kind, functions):
    actions = "".join(rule(function, kind) for function in functions)
    return f'Rulebook(\n    id: "{name}",\n    actions: {{\n{actions}        "speak": (),\n    }},\n)\n'


def lexicon(verbs):
    """English, with the verbs of this place for the actions."""
    text = LEXICON.read_text(encoding="utf-8")
    for action, verb in verbs.items():
        text = re.sub(rf'(\(action: "{action}",[^\]]*?verbs: \[)', lambda hit: f'{hit[1]}"{verb}", ', text, count=1)
    return text


def quoted(text):
    return json.dumps(text, ensure_ascii=False)


def things(talk, place, prefix=""):
    kind = "weapon" if talk.is_shop else "quest"
    return [f'"{prefix}{slug(name)}": (name: {quoted(name)}, kind: "{kind}", at: In("{place}"))' for name in talk.names]


def npc(talk, name, place, examples=()):
    may = sorted({ACTIONS[function][0] for function in talk.functions} | {"speak"})
    pairs = ", ".join(f"(player: {quoted(player)}, npc: {quoted(said)})" for player, said in examples)
    return (f'(id: "{name}", name: {quoted(talk.raw["npc"]["persona"]["name"])}, persona: {quoted(talk.persona())}, location: "{place}", '
            f'may: {json.dumps(may)}, examples: [{pairs}], fallbacks: (generic: ["One moment, please."]))')


def lines(items):
    return "".join(f"        {item},\n" for item in items)


def scenario(talk, title, steps, replies, expect):
    place = "shop" if talk.is_shop else "guild"
    people = [f'"player": (name: {quoted(talk.raw["player"]["persona"]["name"])}, kind: "character", at: In("{place}"))']
    entities = "".join(f"            {entity},\n" for entity in people + things(talk, place))
    return (f"Scenario(\n    name: {quoted(title)},\n    policy: Custom((max_attempts: 1)),\n    world: (\n"
            f'        locations: {{"{place}": (name: "{place}")}},\n        entities: {{\n{entities}        }},\n'
            f'        flags: {{"confirms": {str(talk.confirms).lower()}}},\n    ),\n    rulebook: "../{place}.rulebook.ron",\n'
            f'    npcs: [{npc(talk, "npc", place)}],\n    replies: [\n{lines(replies)}    ],\n    steps: [\n{lines(steps)}    ],\n'
            f"    expect: [\n{lines(expect)}    ],\n)\n")


def reply(words, calls=()):
    intents = []
    for function, name in calls:
        action = ACTIONS[function][0]
        intents.append({"type": action, "target": name} | ({"to": "player"} if action == "give" else {}))
    return 'Say(r##"' + json.dumps({"dialogue": words, "intents": intents}, ensure_ascii=False) + '"##)'


def say(talk, turn):
    return f'Say(to: "npc", text: {quoted(talk.said(turn))})'


def did(function, name, prefix=""):
    return f'SetAttribute(entity: "{prefix}{slug(name)}", name: "{DONE[function]}", value: true)'


def talks_as_they_are(talk):
    """Every turn with its golden line; the golden actions are proposed and happen."""
    steps, replies, expect = [], [], []
    for turn, raw in enumerate(talk.turns):
        calls = list(talk.golden(turn))
        steps.append(say(talk, turn))
        replies.append(reply(raw["gold_response"], calls))
        if calls:
            expect.append(f'(at: "/runs/{turn}/outcome", is: "Accepted")')
            expect.append(f'(at: "/runs/{turn}/intents", len: {len(calls)})')
        for function, name in calls:
            expect.append(f'(at: "/world/entities/{slug(name)}/attributes/{DONE[function]}", is: true)')
    return steps, replies, expect


def each_refused(talk, wrong):
    """Only the turns with golden actions, each made wrong: `wrong` gives the call and what happened before it, or None."""
    steps, replies, expect = [], [], []
    for turn in range(len(talk.turns)):
        for call in talk.golden(turn):
            made = wrong(talk, turn, call)
            if made is None:
                continue
            call, before = made
            run = len(replies)
            steps += before + [say(talk, turn)]
            replies.append(reply("It is done.", [call]))
            expect += [f'(at: "/runs/{run}/outcome", is: "Fallback")', f'(at: "/runs/{run}/intents", len: 0)',
                       f'(at: "/runs/{run}/attempts/0/failures/0/reason", is: "ActionRejected")']
    for name in talk.names:
        for function in talk.functions[-1:]:
            expect.append(f'(at: "/world/entities/{slug(name)}/attributes/{DONE[function]}", absent: true)')
    return steps, replies, expect


def absent(talk, turn, call):
    # What is right in this turn was done in the turn before; steps of the turns before that have been taken already.
    return (call[0], ABSENT[talk.is_shop]), [did(*earlier) for earlier in talk.before(turn)[-1:]]


def early(talk, turn, call):
    return (call, []) if talk.needs(call[0]) else None


def heard(talk, turn, told):
    """The player's line; where `told`, with the last exchange before it."""
    last = talk.history(turn)[-1:] if told else []
    return "".join(f"(A moment ago I said: {player} You answered: {said}) " for player, said in last) + talk.said(turn)


def bench(name, cases, told):
    """One scenario in which each case has a room, things and a character of its own, whose few-shot pairs are the golden talk so far."""
    locations, entities, npcs, asked = [], [], [], []
    for talk, turn in cases:
        calls = list(talk.golden(turn))
        room = f'{calls[0][0] if calls else "quiet"}_{talk.id[-4:]}_{turn}'
        locations.append(f'"{room}": (name: "{"shop" if talk.is_shop else "guild"}")')
        prefix = f"t{talk.id[-4:]}_{turn}_"
        entities += things(talk, room, prefix)
        npcs.append(npc(talk, f"npc_{room}", room, talk.history(turn)))
        before = [f'Place(entity: "player", at: In("{room}"))', f'SetFlag(name: "confirms", value: {str(talk.confirms).lower()})']
        before += [did(*call, prefix) for call in talk.before(turn)]
        does = ", ".join(quoted(f"{ACTIONS[function][0]} {prefix}{slug(thing)}") for function, thing in calls)
        asked.append(f'(id: "{room}", to: "npc_{room}", say: {quoted(heard(talk, turn, told))}, before: [{", ".join(before)}], does: [{does}])')
    kind = "shop" if cases[0][0].is_shop else "guild"
    return (f'Bench(\n    name: "{name}",\n    scenario: (\n    name: "{name}",\n    form: Apart,\n    budget: Expanded,\n'
            f'    lexicon: "{kind}.lexicon.ron",\n    rulebook: "{kind}.rulebook.ron",\n'
            "    sampling: (temperature: 0.2, top_p: 0.9, min_p: 0.1, repeat_penalty: 1.1, max_tokens: 200),\n"
            "    limits: (sentences: 2, options: 64),\n    policy: Custom((deadline_seconds: 300.0)),\n    world: (\n"
            f'        locations: {{\n{lines(locations)}        }},\n        entities: {{\n        "player": (name: "the adventurer", kind: "character", at: Offstage),\n'
            f"{lines(entities)}        }},\n    ),\n    npcs: [\n{lines(npcs)}    ],\n    ),\n    cases: [\n{lines(asked)}    ],\n)\n")


def main(path, out):
    talks = read(path)
    kinds = {"shop": ("weapon", ["sell_request_confirm", "sell", "equip"]), "guild": ("quest", ["select_request_confirm", "select", "start"])}
    verbs = {"shop": {"open": "ask whether to buy", "give": "sell", "use": "equip"},
             "guild": {"open": "ask whether to choose", "take": "sign up for", "use": "start"}}
    out.mkdir(parents=True, exist_ok=True)
    for name, (kind, functions) in kinds.items():
        (out / f"{name}.rulebook.ron").write_text(rulebook(name, kind, functions), encoding="utf-8")
        (out / f"{name}.lexicon.ron").write_text(lexicon(verbs[name]), encoding="utf-8")
    counts = {}
    made = {"talks": talks_as_they_are, "absent": lambda talk: each_refused(talk, absent), "early": lambda talk: each_refused(talk, early)}
    for folder, make in made.items():
        (out / folder).mkdir(exist_ok=True)
        for talk in talks:
            steps, replies, expect = make(talk)
            counts[folder] = counts.get(folder, 0) + sum(text.count('"type"') for text in replies)
            if replies:
                (out / folder / f"{talk.id}.scenario.ron").write_text(scenario(talk, f"{folder} {talk.id}", steps, replies, expect), encoding="utf-8")
    print("actions:", counts)
    turns = [(talk, turn) for talk in talks for turn in range(len(talk.turns))]
    for place in kinds:
        here = [(talk, turn) for talk, turn in turns if talk.is_shop == (place == "shop")]
        asked = [(talk, turn) for talk, turn in here if list(talk.golden(turn))]
        quiet = [(talk, turn) for talk, turn in here if not list(talk.golden(turn))]
        for name, cases in [("asked", asked), ("quiet", quiet)]:
            print(name, place, len(cases))
            for told in ("line", "last"):
                text = bench(f"{name} {place} {told}", cases, told == "last")
                (out / f"{name}_{place}_{told}.bench.ron").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))
