"""Reads the talks of CPDC 2025, task 1: its turns, and the functions that act. The functions that only look something up are reads."""

import json
import re

CONFIRMS = ("sell_request_confirm", "select_request_confirm")
# Of each function that acts: the action of ours that it is, and what must have been done before it.
ACTIONS = {
    "sell_request_confirm": ("open", None), "sell": ("give", "sell_request_confirm"), "equip": ("use", "sell"),
    "select_request_confirm": ("open", None), "select": ("take", "select_request_confirm"), "start": ("use", "select"),
}
# The attribute that says that it was done.
DONE = {"sell_request_confirm": "confirmed", "sell": "sold", "equip": "equipped",
        "select_request_confirm": "confirmed", "select": "selected", "start": "started"}


def slug(name):
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")


class Talk:
    """One talk. A function that must be confirmed first must be so only where its list of functions has the confirming one."""

    def __init__(self, raw):
        self.raw, self.id, self.list = raw, raw["data_id"], raw["function_list_id"][-4:]
        self.is_shop = self.list in ("0001", "0002", "0003")
        self.confirms = self.list in ("0002", "0005")
        self.names = [thing["name"] for thing in raw["knowledge"]["knowledge_info"]]
        self.turns = [raw[f"turn_{i}"] for i in range(raw["total_turn"])]
        acting = ["sell", "equip"] if self.is_shop else ["select", "start"]
        self.functions = ([CONFIRMS[0 if self.is_shop else 1]] if self.confirms else []) + acting

    def golden(self, turn):
        """The acting functions of a turn, each with the thing that it is about."""
        for call in self.turns[turn]["gold_functions"]:
            if call["name"] in ACTIONS:
                value = next(iter(call["parameters"].values()))
                yield from ((call["name"], name) for name in (value if isinstance(value, list) else [value]))

    def before(self, turn):
        """What was done in earlier turns."""
        return [call for earlier in range(turn) for call in self.golden(earlier)]

    def needs(self, function):
        """What must have been done to the thing before, as an attribute, or None."""
        first = ACTIONS[function][1]
        return DONE[first] if first in self.functions else None

    def said(self, turn):
        """The line of the player in this turn."""
        return self.turns[turn]["dialogue"][-1]["text"]

    def history(self, turn):
        """What was said before, as pairs of player and character."""
        texts = [line["text"] for line in self.turns[turn]["dialogue"][:-1]]
        return list(zip(texts[::2], texts[1::2]))

    def persona(self):
        who = self.raw["npc"]["persona"]
        return f'You are {who["name"]}. {who["occupation"]} {self.raw["npc"]["role"]}'


def read(path):
    with open(path, encoding="utf-8") as file:
        return [Talk(raw) for raw in json.load(file)]
