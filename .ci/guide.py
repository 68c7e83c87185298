#!/usr/bin/env python3
"""Does what the guide says, in a new project, and compares what it prints with what the guide says it prints.

    .ci/guide.py [TARGET]     TARGET (default target/guide) keeps the compiled dependencies

Of each page, in the order in which a reader reads them:

- a block behind a line such as "`src/main.rs`:" becomes that file; behind "`src/main.rs` (change):" it changes that file: its first
  or last line stands in the file already, and the block takes the place of what is there of it;
- the commands of a block `sh` are run, in the project;
- a block `text` behind commands holds lines that the last one printed, in that order.

`bevy_dramatis` is taken from this checkout, with its versions of all dependencies. Leaves with 1 at the first difference.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["first_npc", "talk_to_actions", "rules", "two_characters", "saving"]
BLOCK = re.compile(r"^```(\w+)?[^\n]*\n(.*?)^```$", re.M | re.S)
FILE = re.compile(r"^`([\w./-]+)`( \(change\))?:\s*$")
HOT_RELOAD = "<!-- CI does this"
# A beginner's shell has none of these.
ENV = {key: value for key, value in os.environ.items() if not key.startswith("DRAMATIS_")}


class Guide:
    def __init__(self, folder):
        # Outside of this checkout: a new project inside of a workspace becomes a part of it.
        self.folder = folder
        self.project = folder / "gate"
        self.printed = ""
        self.page = ""

    def fail(self, why):
        sys.exit(f"docs/guide/{self.page}.md: {why}")

    def play(self, page):
        self.page = page
        text = (ROOT / "docs" / "guide" / f"{page}.md").read_text()
        end = 0
        ran = False
        for block in BLOCK.finditer(text):
            between, (kind, body) = text[end : block.start()], block.groups()
            end = block.end()
            if HOT_RELOAD in between:
                self.reload()
            named = FILE.match(between.strip().splitlines()[-1]) if between.strip() else None
            if named:
                (self.change if named[2] else self.write)(named[1], body)
            elif kind == "sh":
                for command in body.strip().splitlines():
                    self.run(command)
                ran = True
                continue
            elif kind == "text" and ran and not between.strip():
                self.compare(body)
            ran = False
        print(f"docs/guide/{page}.md holds")

    def write(self, name, body):
        file = self.project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(body)

    def change(self, name, body):
        file = self.project / name
        old, new = file.read_text().splitlines(), body.splitlines()
        at = next((i for i, line in enumerate(old) if line == new[0]), None)
        if at is None:
            self.fail(f"no line of {name} is `{new[0]}`")
        # What the block repeats of the file is replaced, and the rest of the block is new.
        end = at
        for line in new:
            if end < len(old) and old[end] == line:
                end += 1
        file.write_text("\n".join(old[:at] + new + old[end:]) + "\n")

    def run(self, command):
        print(f"$ {command}", flush=True)
        if command.startswith("cd "):
            return
        if command.startswith("cargo add bevy_dramatis"):
            command += f" --path {ROOT}"
        at = self.project if self.project.exists() else self.folder
        if command.startswith("cargo new"):
            command += " --vcs none"
        done = subprocess.run(["bash", "-c", command], cwd=at, env=ENV, text=True, capture_output=True, timeout=1800)
        self.printed = done.stdout
        if done.returncode:
            self.fail(f"`{command}` left with {done.returncode}:\n{done.stdout}{done.stderr[-4000:]}")
        if command.startswith("cargo new"):
            # The versions that this checkout is tested with.
            shutil.copy(ROOT / "Cargo.lock", self.project)

    def compare(self, body):
        printed = self.printed.splitlines()
        at = 0
        for line in body.strip().splitlines():
            if line not in printed[at:]:
                self.fail(f"`{line}` was not printed, or not there. It printed:\n{self.printed}")
            at = printed.index(line, at) + 1

    def reload(self):
        """Changes a character's file while the game runs."""
        file = self.project / "assets/npcs/bram.npc.ron"
        before = file.read_text()
        game = subprocess.Popen(
            ["cargo", "run", "--quiet"], cwd=self.project, env=ENV, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

        def ask():
            game.stdin.write("What is the password?\n")
            game.stdin.flush()
            game.stdout.readline()
            return game.stdout.readline().strip()

        said = ask()
        file.write_text(before.replace("Move along, please.", "The gate stays shut."))
        for _ in range(60):
            time.sleep(0.5)
            if (now := ask()) != said:
                break
        game.stdin.close()
        game.wait(30)
        if (said, now) != ("bram: Move along, please.", "bram: The gate stays shut."):
            self.fail(f"a changed file was not loaded again: `{said}`, then `{now}`")
        file.write_text(before)
        print("a changed file is loaded again", flush=True)


ENV["CARGO_TARGET_DIR"] = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/guide").resolve())
with tempfile.TemporaryDirectory() as folder:
    guide = Guide(pathlib.Path(folder))
    for page in PAGES:
        guide.play(page)
