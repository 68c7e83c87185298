#!/usr/bin/env python3
"""Does what the guide says, in a new project, and compares what it prints with what the guide says it prints.

    .ci/guide.py [TARGET]     TARGET (default target/guide) keeps the compiled dependencies

Of the README and of each page of the guide, in the order in which a reader reads them:

- a block after a line such as "`src/main.rs`:" becomes that file; after "`src/main.rs` (change):" it changes that file: the file has
  its first line already, and perhaps its last one, and the block replaces what is between;
- the commands of a block `sh` are run, in the project;
- a block `text` after commands holds lines that the last one printed, in that order.

`bevy_dramatis` is the package as `cargo package` makes it, unpacked, with the versions of all dependencies that this checkout has. Leaves
with 1 at the first difference.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
GUIDE = ["first_npc", "talk_to_actions", "rules", "two_characters", "saving", "testing_characters"]
PAGES = ["README.md"] + [f"docs/guide/{page}.md" for page in GUIDE]
# Programs that are examples of this workspace too, which is how CI compiles or shows them: a page's file, and the example.
EXAMPLES = [
    ("README.md", "src/main.rs", "examples/hello.rs"),
    ("docs/guide/chat_window.md", "src/chat.rs", "examples/wizard/chat_window/chat.rs"),
    ("docs/guide/chat_window.md", "src/main.rs", "examples/wizard/chat_window/main.rs"),
]
BLOCK = re.compile(r"^```(\w+)?[^\n]*\n(.*?)^```$", re.M | re.S)
FILE = re.compile(r"^`([\w./-]+)`( \(change\))?:\s*$")
HOT_RELOAD = "<!-- CI does this"
# A beginner's shell has none of these.
ENV = {key: value for key, value in os.environ.items() if not key.startswith("DRAMATIS_")}


def packaged():
    """The package, unpacked: always in the same place, and only what is new is written, so that cargo compiles what has changed."""
    pack = ["cargo", "package", "--quiet", "--package", "bevy_dramatis", "--no-verify", "--allow-dirty"]
    subprocess.run(pack, cwd=ROOT, env=ENV, check=True)
    packages = pathlib.Path(ENV["CARGO_TARGET_DIR"], "package")
    (crate,) = packages.glob("bevy_dramatis-*.crate")
    place = packages / crate.stem
    with tarfile.open(crate) as files:
        new = {member.name: files.extractfile(member).read() for member in files if member.isfile()}
    for file in place.rglob("*"):
        if file.is_file() and str(file.relative_to(packages)) not in new:
            file.unlink()
    for name, content in new.items():
        file = packages / name
        if not file.exists() or file.read_bytes() != content:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
    return place


class Guide:
    def __init__(self, folder):
        # Outside of this checkout: a new project inside of a workspace becomes a part of it.
        self.folder = folder
        self.project = None
        self.package = packaged()
        self.printed = ""
        self.page = ""

    def fail(self, why):
        sys.exit(f"{self.page}: {why}")

    def play(self, page):
        self.page = page
        text = (ROOT / page).read_text()
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
        print(f"{page} holds")

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
        # What the block shows of the file is replaced: up to its last line where the file has it, else what the block repeats.
        end = at
        if new[-1] in old[at + 1 :]:
            end = old.index(new[-1], at + 1) + 1
        for line in new if end == at else []:
            if end < len(old) and old[end] == line:
                end += 1
        file.write_text("\n".join(old[:at] + new + old[end:]) + "\n")

    def run(self, command):
        print(f"$ {command}", flush=True)
        if command.startswith("cd "):
            return
        if command.startswith("cargo add bevy_dramatis"):
            command += f" --path {self.package}"
        at = self.project
        if command.startswith("cargo new"):
            at, self.project = self.folder, self.folder / command.split()[2]
            command += " --vcs none"
        done = subprocess.run(["bash", "-c", command], cwd=at, env=ENV, text=True, capture_output=True, timeout=3600)
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


if len((ROOT / "README.md").read_text().splitlines()) > 120:
    sys.exit("README.md has more than 120 lines: move something to a page")
for page, name, example in EXAMPLES:
    shown = re.search(rf"^`{re.escape(name)}`:\n\n```rust\S*\n(.*?)^```$", (ROOT / page).read_text(), re.M | re.S)
    if not shown or not (ROOT / example).read_text().endswith(shown[1]):
        sys.exit(f"{page}: its {name} is not the program of {example}")
    front = "".join(f"//! {line}".rstrip() + "\n" for line in shown[1].splitlines())
    if page == "README.md" and front not in (ROOT / "src/lib.rs").read_text():
        sys.exit("src/lib.rs: the program of the front page is not that of README.md")
ENV["CARGO_TARGET_DIR"] = str(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "target/guide").resolve())
with tempfile.TemporaryDirectory() as folder:
    guide = Guide(pathlib.Path(folder))
    for page in PAGES:
        guide.play(page)
