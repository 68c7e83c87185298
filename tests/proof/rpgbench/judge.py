"""Judges recorded turns of RPGBench by rulebooks: judge.py DRAMATIS GAMES_JSONL TRAJECTORIES_JSONL..

DRAMATIS is the program. A game's events become actions: what an event needs is a check, what it changes an effect. Of each turn the
events that the model planned are done one by one from the state that the model wrote in the turn before; the state that results, cut
to the ranges of the game, is compared with the state that the model wrote. A rulebook compares a variable with a number; a game
that compares or adds variables is passed over, and named.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

# Action types that have a target alone. What each does is written anew for each turn.
TYPES = ["open", "close", "take", "drop", "use"]
WHY = ["event not allowed", "wrong sum", "changed without an event", "out of range", "unreadable"]


def condition(text):
    """`v.wit > 40` as a condition of a rulebook. None: a rulebook cannot say it."""
    hit = re.fullmatch(r"\s*[vh]\.(\w+)\s*(>=|<=|==|>|<)\s*(-?\d+)\s*", text)
    if not hit:
        return None
    name, sign, number = hit[1], hit[2], int(hit[3])
    least, most = [f'{bound}(Target, "{name}", {{}})' for bound in ("AtLeast", "AtMost")]
    return {">": least.format(number + 1), ">=": least.format(number), "<": most.format(number - 1), "<=": most.format(number),
            "==": f"All([{least.format(number)}, {most.format(number)}])"}[sign]


def effect(text):
    hit = re.fullmatch(r"\s*[vh]\.(\w+)\s*(\+=|-=|=)\s*(-?\d+)\s*", text)
    if not hit:
        return None
    name, sign, number = hit[1], hit[2], int(hit[3])
    if sign == "=":
        return f'SetAttribute(Target, "{name}", {number})'
    return f'AddAttribute(Target, "{name}", {number if sign == "+=" else -number})'


class Game:
    def __init__(self, raw):
        variables = raw["state_variables"] + raw["hidden_variables"]
        self.names = {v["unique_id"]: v["value_name"] for v in variables}
        self.start = {v["value_name"]: int(v["initial_value"]) for v in variables}
        self.range = {v["value_name"]: (int(v["min_value"]), int(v["max_value"])) for v in variables}
        self.events = {event["unique_id"]: event for event in raw["events"]}
        parts = [(part, text) for event in raw["events"] for part in ("entering_condition", "succeed_condition", "succeed_effect", "fail_effect")
                 for text in event[part]]
        self.inexpressible = [text for part, text in parts if (effect if "effect" in part else condition)(text) is None]

    def rule(self, event, kind, outcome):
        """The rule of an event's begin or end, or None where it has no outcome."""
        event, succeeds = self.events[event], "All([" + ", ".join(map(condition, self.events[event]["succeed_condition"])) + "])"
        when, effects = {"Start": ("All([" + ", ".join(map(condition, event["entering_condition"])) + "])", []),
                         "Success": (succeeds, event["succeed_effect"]),
                         "Failure": (f"Not({succeeds})", event["fail_effect"])}.get("Start" if kind == "Start" else outcome, (None, None))
        return None if when is None else (when, effects)


def read_turn(text):
    """The planned events and the written values of a turn. None: they cannot be read."""
    plan = re.search(r"===EVENT PLAN START===(.*?)===EVENT PLAN END===", text, re.S)
    state = re.search(r"===STATE START===(.*?)===STATE END===", text, re.S)
    try:
        strip = lambda part: json.loads(re.sub(r"```(json)?", "", part[1]))
        events, state = strip(plan), strip(state)
        return ([(event["event_id"], event["type"], event["outcome"]) for event in events],
                {v["value_id"]: int(v["current_value"]) for v in state["state_variables"] + state["hidden_variables"]})
    except (TypeError, ValueError, KeyError):
        return None


def scenario(game, before, events):
    """The turn as a scenario, with the variables that each of its actions changes."""
    rules, steps, touched = {}, [], []
    for event in events:
        rule = game.rule(*event) if event[0] in game.events else None
        if rule is None:
            # No rule covers it.
            steps.append('Do(actor: "player", actions: [Describe(target: "state", content: "it happens")])')
            touched.append(set())
            continue
        if event not in rules:
            rules[event] = (TYPES[len(rules)], rule)
        steps.append(f'Do(actor: "player", actions: [{rules[event][0].capitalize()}(target: "state")])')
        touched.append({re.search(r"\.(\w+)", text)[1] for text in rule[1]})
    actions = "".join(f'"{kind}": (checks: [(id: "{kind}_holds", when: {when}, else: MISSING_REQUIREMENT)], effects: [{", ".join(map(effect, effects))}]), '
                      for kind, (when, effects) in rules.values())
    attributes = ", ".join(f'"{name}": {value}' for name, value in before.items())
    text = (f'Scenario(name: "turn", world: (locations: {{"room": (name: "room")}}, entities: {{"player": (name: "Ann", kind: "character", at: In("room")), '
            f'"state": (name: "state", kind: "item", at: In("room"), attributes: {{{attributes}}})}}), rulebook: Rulebook(id: "game", actions: {{{actions}}}), '
            f"steps: [{', '.join(steps)}])")
    return text, touched


def judge(dramatis, game, before, events, after):
    """Why a rulebook refuses the turn: the reasons, without what follows from an event that was refused."""
    text, touched = scenario(game, before, events)
    with tempfile.NamedTemporaryFile("w", suffix=".scenario.ron") as file:
        file.write(text)
        file.flush()
        trace = json.loads(subprocess.run([dramatis, "run", "--json", file.name], capture_output=True, text=True, check=True).stdout)
    results = [turn["actions"][0]["result"] for turn in trace["turns"]]
    assert len(results) == len(events), "each event is judged"
    refused = [result != "OK" for result in results]
    why = {WHY[0]} if any(refused) else set()
    excused = set().union(*[names for names, no in zip(touched, refused) if no])
    changed = set().union(*[names for names, no in zip(touched, refused) if not no])
    values = trace["world"]["entities"]["state"]["attributes"]
    for name, (least, most) in game.range.items():
        if not least <= after[name] <= most:
            why.add(WHY[3])
        elif after[name] != max(least, min(most, values[name])) and name not in excused:
            why.add(WHY[1] if name in changed else WHY[2])
    return why


def main(dramatis, games, files):
    games = [Game(json.loads(line)) for line in Path(games).read_text(encoding="utf-8").splitlines()]
    print(f'{"turns of":40}{"games":>6}{"turns":>6}{"refused":>8}  ' + "".join(f"{why:>27}" for why in WHY))
    for file in files:
        turns, refused, played, why = 0, 0, 0, Counter()
        for game, line in zip(games, Path(file).read_text(encoding="utf-8").splitlines()):
            if game.inexpressible:
                print("passed over:", game.inexpressible[0], file=sys.stderr)
                continue
            played += 1
            before = game.start
            for message in json.loads(line):
                if message["role"] != "assistant":
                    continue
                turn = read_turn(message["content"])
                turns += 1
                if turn is None or set(game.names) - set(turn[1]):
                    reasons = {WHY[4]}
                else:
                    after = {name: turn[1][key] for key, name in game.names.items()}
                    reasons = judge(dramatis, game, before, turn[0], after)
                    before = after
                print(Path(file).stem, turns, sorted(reasons), file=sys.stderr)
                refused += bool(reasons)
                why.update(reasons)
        print(f"{Path(file).stem:40}{played:6}{turns:6}{refused:8}  " + "".join(f"{why[one]:27}" for one in WHY))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
