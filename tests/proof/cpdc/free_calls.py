"""Asks a model for free tool calls, for comparison: free_calls.py ADDRESS TASK1_TRAIN_JSON [--quiet] [--reads] [--last | --line]

The same turns as in the benches of convert.py, over the chat API of a server (http://127.0.0.1:8080). The functions that act are
listed in the prompt with their texts, from function_call_langchain in the folder of the data or the one above; --reads also lists
those that look something up. The reply is read leniently: the first JSON that holds a call, else a call as in code. --quiet asks
the turns in which no function that acts is golden, too. The model sees the talk so far; with --last only the last exchange, with
--line only the player's line. Printed are counts for each function.
"""

import ast
import json
import re
import sys
import urllib.request
from collections import Counter
from pathlib import Path

from talks import ACTIONS, read

ASK = ('You can call functions: {functions}\nWhich of them do you call now? Answer with JSON alone: a list of '
       '{{"name": function, "parameters": {{parameter: value}}}}, or [] when nothing is to be done.')


def functions(folder, number, reads):
    """Name, text and parameters of the functions of one list, read from the source."""
    files = [f"action_functions_{number}.py"] + ([f"tool_functions_{number}.py"] if reads else [])
    for file in files:
        for node in ast.parse((folder / file).read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                yield {"name": node.name, "description": ast.get_docstring(node), "parameters": [arg.arg for arg in node.args.args]}


def chat(address, messages):
    body = {"messages": messages, "temperature": 0.2, "top_p": 0.9, "min_p": 0.1, "repeat_penalty": 1.1, "max_tokens": 200, "seed": 1}
    request = urllib.request.Request(f"{address.rstrip('/')}/v1/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=300) as answer:
        return json.load(answer)["choices"][0]["message"]["content"] or ""


def calls_in(text, names):
    """The calls of a reply as (name, first value). None: the reply cannot be read."""
    for start in (at for at, sign in enumerate(text) if sign in "[{"):
        try:
            found, _ = json.JSONDecoder().raw_decode(text[start:])
        except ValueError:
            continue
        found = found if isinstance(found, list) else [found]
        if all(isinstance(call, dict) and ("name" in call or "function" in call) for call in found):
            try:
                return [named(call) for call in found]
            except ValueError:
                return None
    written = re.findall(r"\b([a-z_]+)\(\s*(?:\w+\s*=\s*)?\[?[\"']?([^\"'\])]*)", text)
    return [call for call in written if call[0] in names] or None


def named(call):
    name, values = call.get("name", call.get("function")), call.get("parameters", call.get("arguments"))
    if isinstance(name, dict):
        name, values = name.get("name"), name.get("arguments", values)
    if isinstance(values, str) and values.startswith("{"):
        values = json.loads(values)
    value = next(iter(values.values()), None) if isinstance(values, dict) else values
    while isinstance(value, list):
        value = value[0] if value else None
    return str(name), str(value or "")


def main(address, path, options):
    quiet, reads = "--quiet" in options, "--reads" in options
    before = 0 if "--line" in options else 1 if "--last" in options else 1000
    folder = next(at for at in [Path(path).parent, *Path(path).parents] if (at / "function_call_langchain").is_dir()) / "function_call_langchain"
    asked, right_name, right, invalid, idle = Counter(), Counter(), Counter(), Counter(), Counter()
    for talk in read(path):
        known = list(functions(folder, talk.list, reads))
        names = [one["name"] for one in known]
        things = "\n".join(f"- {name}" for name in talk.names)
        for turn in range(len(talk.turns)):
            golden = list(talk.golden(turn))
            if not golden and not quiet:
                continue
            messages = [{"role": "system", "content": f"{talk.persona()}\n\nWhat there is:\n{things}"}]
            for player, said in talk.history(turn)[-before:] if before else []:
                messages += [{"role": "user", "content": player}, {"role": "assistant", "content": said}]
            messages.append({"role": "user", "content": talk.said(turn) + "\n\n" + ASK.format(functions=json.dumps(known, ensure_ascii=False))})
            reply = chat(address, messages)
            # A list without calls is a right reading; words without one are invalid.
            made = calls_in(reply, names)
            function = golden[0][0] if golden else "(nothing)"
            asked[function] += 1
            if made is None and not re.search(r"\[\s*\]", reply):
                invalid[function] += 1
            made = made or []
            invalid[function] += sum(name not in names or (name in ACTIONS and thing not in talk.names) for name, thing in made)
            acting = [call for call in made if call[0] in ACTIONS]
            idle[function] += not acting
            right_name[function] += [name for name, _ in acting] == [name for name, _ in golden]
            right[function] += acting == golden
            print(talk.id, turn, golden, made, file=sys.stderr)
    print(f'{"function":26}{"asked":>7}{"right name":>12}{"right":>7}{"invalid":>9}{"no call":>9}')
    for function in sorted(asked):
        print(f"{function:26}{asked[function]:7}{right_name[function]:12}{right[function]:7}{invalid[function]:9}{idle[function]:9}")
    print(f'{"all":26}{asked.total():7}{right_name.total():12}{right.total():7}{invalid.total():9}{idle.total():9}')


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
