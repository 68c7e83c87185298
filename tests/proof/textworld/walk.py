#!/usr/bin/env python3
"""Seeded walks through worlds of TextWorld's generator, one JSON line for each state.

A line holds the facts of the world, every action that TextWorld's logic allows there, the chosen one, and the facts that it
takes away and adds. The same numbers give the same bytes. No game is compiled: facts and rules are all that is used.
"""
import argparse
import json
import random
from collections import Counter
from itertools import chain

from textworld.generator import GameOptions, make_game
from textworld.generator.vtypes import get_new
from textworld.logic import Proposition, Variable


def written(name, arguments):
    return f"{name}({','.join(argument.name for argument in arguments)})"


def facts_of(state):
    """Its facts, without those that say again from the other side what `north_of` and `west_of` say: no rule asks for them."""
    return {written(fact.name, fact.arguments) for fact in state.facts if fact.name not in ("south_of", "east_of")}


def world(seed, rng, most_objects):
    """The state in which a game begins. The generator gives keys only to the doors of its quests: the others get theirs here."""
    options = GameOptions()
    options.seeds = seed
    options.nb_rooms = rng.randint(1, 5)
    options.nb_objects = rng.randint(4, most_objects)
    options.quest_length = rng.randint(1, 4)
    state = make_game(options).world.state
    facts = list(state.facts)
    matched = {fact.arguments[1].name for fact in facts if fact.name == "match"}
    counts = options.kb.types.count(state)
    rooms = sorted(state.variables_of_type("r"))
    for door in sorted(state.variables_of_type("d")):
        if door.name not in matched and rng.random() < 0.7:
            key = Variable(get_new("k", counts), "k")
            place = Proposition("at", [key, rng.choice(rooms)])
            state.add_facts([Proposition("match", [key, door]), rng.choice([place, Proposition("in", [key, Variable("I")])])])
    return options.kb, state


def jolt(state, rng):
    """Opens or blocks a way out of the player's room, each direction for itself, as no action does: what a rule asks of both
    directions, and of a door and its way, then makes a difference."""
    here = next(fact.arguments[1] for fact in state.facts if fact.name == "at" and fact.arguments[0].name == "P")
    ways = [fact for fact in state.facts if fact.name in ("north_of", "west_of") and here in fact.arguments]
    if ways:
        a, b = rng.choice(sorted(ways)).arguments
        for free in Proposition("free", [a, b]), Proposition("free", [b, a]):
            if state.is_fact(free) != (rng.random() < 0.7):
                (state.remove_fact if state.is_fact(free) else state.add_fact)(free)


def walk(seed, steps, most_objects):
    rng, done = random.Random(seed), Counter()
    kb, state = world(seed, rng, most_objects)
    for _ in range(steps):
        if rng.random() < 0.2:
            jolt(state, rng)
        before = facts_of(state)
        can = {}
        for name in sorted(kb.rules):
            rule = kb.rules[name]
            # As its games do: the player and the inventory are there whatever the facts say.
            for assignment in state.all_assignments(rule, kb.types.constants_mapping):
                arguments = [assignment[placeholder] for placeholder in rule.placeholders]
                can[written(name, arguments)] = (name, rule.instantiate(assignment))
        # Half of the time something that changes the world, half of the time what was done least so far: some rules apply seldom.
        changing = [action for action in sorted(can) if can[action][1].added]
        if changing and rng.random() < 0.5:
            chosen = rng.choice(changing)
        else:
            chosen = min(sorted(can), key=lambda action: (done[can[action][0]], rng.random()))
        name, action = can[chosen]
        done[name] += 1
        assert state.apply(action)
        after = facts_of(state)
        yield {"world": seed, "facts": sorted(before), "can": sorted(can), "does": chosen,
               "lost": sorted(before - after), "gained": sorted(after - before)}


def seeds(text):
    first, _, last = text.partition("-")
    return range(int(first), int(last or first) + 1)


def main():
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("seeds", type=seeds, nargs="+", help="of worlds: numbers, or spans such as 1-400")
    asked.add_argument("--steps", type=int, default=25, help="states of each world")
    asked.add_argument("--objects", type=int, default=12, help="the most things in a world, without keys of doors")
    asked = asked.parse_args()
    for seed in chain.from_iterable(asked.seeds):
        for state in walk(seed, asked.steps, asked.objects):
            print(json.dumps(state, separators=(",", ":")))


if __name__ == "__main__":
    main()
