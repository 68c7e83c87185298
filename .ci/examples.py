#!/usr/bin/env python3
"""Prints the names of the crate's examples that are one file, as Cargo knows them. Leaves with 1 when there is none."""

import json
import pathlib
import subprocess
import sys

command = ["cargo", "metadata", "--locked", "--format-version", "1", "--no-deps"]
metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
folder = pathlib.Path(metadata["workspace_root"], "examples")
found = {
    target["name"]: pathlib.Path(target["src_path"])
    for package in metadata["packages"]
    for target in package["targets"]
    if "example" in target["kind"] and pathlib.Path(target["src_path"]).parent == folder
}
forgotten = set(folder.glob("*.rs")) - set(found.values())
if forgotten:
    sys.exit(f"no [[example]] in Cargo.toml for {', '.join(map(str, sorted(forgotten)))}")
if not found:
    sys.exit(f"no example is a file of {folder}")
print("\n".join(sorted(found)))
