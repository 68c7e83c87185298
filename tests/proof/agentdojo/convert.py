#!/usr/bin/env python3
"""Writes banking.json, slack.json, travel.json and workspace.json next to this file, from the wheel of AgentDojo.

    pip download --no-deps agentdojo==0.1.35
    pip install 'pydantic[email]' pyyaml docstring-parser
    python3 -m zipfile -e agentdojo-0.1.35-py3-none-any.whl unpacked
    python3 convert.py unpacked

The tasks of version "v1" are read: each with its prompt or goal, and the calls that solve it in the clean environment, the one
without an injection. ../README.md says what the rules below mean.
"""

import json
import re
import sys
from pathlib import Path
from unittest.mock import MagicMock

# What a call aims at: the argument and the kind of thing that it names. A tool that is not listed reads, and changes nothing.
TOOLS = {
    "send_money": {"to": ("recipient", "account")},
    "schedule_transaction": {"to": ("recipient", "account")},
    "update_scheduled_transaction": {"target": ("id", "transaction"), "to": ("recipient", "account")},
    "update_password": {"target": ("password", "password")},
    "update_user_info": {"target": (None, "information")},
    "add_user_to_channel": {"target": ("user", "user"), "to": ("channel", "channel")},
    "send_direct_message": {"to": ("recipient", "user")},
    "send_channel_message": {"to": ("channel", "channel")},
    "invite_user_to_slack": {"target": ("user", "user"), "to": ("user_email", "address")},
    "remove_user_from_slack": {"target": ("user", "user")},
    # A request leaves the house, whatever it brings back.
    "get_webpage": {"to": ("url", "page")},
    "post_webpage": {"to": ("url", "page")},
    "send_email": {"target": ("attachments", "file"), "to": ("recipients", "address")},
    "delete_email": {"target": ("email_id", "email")},
    "create_calendar_event": {"target": ("title", "title"), "to": ("participants", "address")},
    "reschedule_calendar_event": {"target": ("event_id", "event")},
    "add_calendar_event_participants": {"target": ("event_id", "event"), "to": ("participants", "address")},
    "append_to_file": {"target": ("file_id", "file")},
    "create_file": {"target": ("filename", "filename")},
    "delete_file": {"target": ("file_id", "file")},
    "share_file": {"target": ("file_id", "file"), "to": ("email", "address")},
    "reserve_hotel": {"target": ("hotel", "hotel")},
}
# Roles that a call may leave out.
OPTIONAL = {
    ("update_scheduled_transaction", "to"),
    ("send_email", "target"),
    ("create_calendar_event", "to"),
}
# Things that AgentDojo calls by a number alone. In a world where several kinds have numbers the kind comes before it.
NUMBERED = {"transaction", "email", "event", "file"}
# What no message may hold: what the account's record holds and only its owner is to know.
SECRETS = {"password", "ID_number", "passport_number", "bank_account_number", "credit_card_number"}


def suites(unpacked):
    """The suites of version v1. What only asks models is left out: it would need their libraries."""
    sys.path.insert(0, unpacked)
    for name in ["", ".base_pipeline_element", ".errors", ".ground_truth_pipeline"]:
        sys.modules["agentdojo.agent_pipeline" + name] = MagicMock()
    for name in ["deepdiff", "deepdiff.diff", "openai", "openai.types", "openai.types.chat"]:
        sys.modules[name] = MagicMock()
    from agentdojo.task_suite.load_suites import get_suites

    return get_suites("v1")


def name_of(kind, value):
    if isinstance(value, dict):  # An attachment.
        value = value["file_id"]
    return f"{kind} {value}" if kind in NUMBERED else str(value)


def known(env):
    """The things of the clean environment that calls can aim at: (kind, name, what people call it)."""
    if bank := env.get("bank_account"):
        yield "account", bank["iban"], None
        yield "information", "account information", None
        for transaction in bank["transactions"] + bank["scheduled_transactions"]:
            for account in {transaction["sender"], transaction["recipient"]} - {"me"}:
                yield "account", account, None
        for transaction in bank["scheduled_transactions"]:
            yield "transaction", name_of("transaction", transaction["id"]), transaction["subject"]
    if slack := env.get("slack"):
        yield from (("user", name, None) for name in slack["users"])
        yield from (("channel", name, None) for name in slack["channels"])
        yield from (("page", name, None) for name in env["web"]["web_content"])
    if inbox := env.get("inbox"):
        for contact in inbox["contact_list"]:
            yield "address", contact["email"], contact["name"]
        for email in inbox["initial_emails"]:
            yield "email", name_of("email", email["id_"]), email["subject"]
    if calendar := env.get("calendar"):
        for event in calendar["initial_events"]:
            yield "event", name_of("event", event["id_"]), event["title"]
    if drive := env.get("cloud_drive"):
        for file in drive["initial_files"]:
            yield "file", name_of("file", file["id_"]), file["filename"]
    if hotels := env.get("hotels"):
        yield from (("hotel", hotel["name"], None) for hotel in hotels["hotel_list"])


def secrets(env):
    record = env.get("user_account") or env.get("user") or {}
    return sorted(str(value) for field, value in record.items() if field in SECRETS)


def call_of(call, things):
    """A call as the actions of our world: one for each pair of what it aims at. All that aims at nothing is in its words."""
    roles = TOOLS.get(call.function, {})
    aims = {}
    for role, (argument, kind) in roles.items():
        values = call.args.get(argument, []) if argument else ["account information"]
        values = values if isinstance(values, list) else [values]
        aims[role] = [name_of(kind, value) for value in values]
        for name in aims[role]:
            things.setdefault(name, {"name": name, "kind": kind, "known": False})
    actions = [{}]
    for role, names in aims.items():
        actions = [{**action, role: name} for action in actions for name in names] if names else actions
    aimed = {argument for argument, _ in roles.values()}
    words = [f"{key}: {value}" for key, value in call.args.items() if key not in aimed]
    return {"tool": call.function, "actions": actions, "words": "\n".join(words)}


def is_named(thing, prompt):
    """Whether the prompt names the thing: by its name, or by what people call it."""
    names = [name for name in (thing["name"], thing.get("called")) if name]
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", prompt, re.IGNORECASE) for name in names)


def convert(suite):
    env = suite.load_and_inject_default_environment({})
    record = env.model_dump()
    things = {}
    for kind, name, called in known(record):
        thing = things.setdefault(name, {"name": name, "kind": kind, "known": True})
        if called:
            thing["called"] = called
    tasks = {}
    for key, part, said in [("users", suite.user_tasks, "PROMPT"), ("injections", suite.injection_tasks, "GOAL")]:
        tasks[key] = []
        for task in sorted(part.values(), key=lambda task: int(task.ID.rsplit("_", 1)[1])):
            clean = env.model_copy(deep=True)
            clean = task.init_environment(clean) if key == "users" else clean
            calls = [call_of(call, things) for call in task.ground_truth(clean)]
            tasks[key].append({"id": task.ID, "says": " ".join(getattr(task, said).split()), "calls": calls})
    for task in tasks["users"]:
        permits = {}
        for call in task["calls"]:
            for name in (name for action in call["actions"] for name in action.values()):
                permits.setdefault(call["tool"], {})[name] = is_named(things[name], task["says"])
        task["permits"] = permits
    called = sorted({call["tool"] for part in tasks.values() for task in part for call in task["calls"]})
    roles = {tool: {role: (tool, role) not in OPTIONAL for role in TOOLS.get(tool, {})} for tool in called}
    return {
        "suite": suite.name,
        "tools": roles,
        "secrets": secrets(record),
        "things": sorted(things.values(), key=lambda thing: (thing["kind"], thing["name"])),
        **tasks,
    }


def main(unpacked):
    for name, suite in suites(unpacked).items():
        text = json.dumps(convert(suite), indent=1, ensure_ascii=False, sort_keys=True)
        (Path(__file__).parent / f"{name}.json").write_text(text + "\n", encoding="utf-8")


main(*sys.argv[1:])
