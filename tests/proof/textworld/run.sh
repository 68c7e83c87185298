#!/usr/bin/env bash
# TextWorld judges the truth engine: walks through its worlds with the package from PyPI, and compares every state.
#
#   tests/proof/textworld/run.sh [SEEDS [CARGO FLAGS..]]
#
# SEEDS are those of the worlds (default 1-80), 25 states each: 1-400 are 10,000 states. The flags choose what Cargo builds (default
# `-p bevy_dramatis --features cli`). Before that it writes the fixture again and compares it, byte for byte.
# Needs Python 3.11 or newer with venv, and pip's package index the first time; keeps its environment in target/textworld.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
seeds=${1:-1-80}
flags=("${@:2}")
((${#flags[@]})) || flags=(-p bevy_dramatis --features cli)
dir=${CARGO_TARGET_DIR:-target}/textworld
# What it imports to make worlds and to apply rules; the rest of what it asks for (spaCy) is 200 MiB.
packages=(textworld==1.7.0 numpy==2.4.6 networkx==3.6.1 more-itertools==11.2.1 tatsu==5.8.3 hashids==1.3.1 mementos==1.3.1
    jericho==3.3.1 tqdm==4.70.1 termcolor==3.3.0 prompt-toolkit==3.0.53 wcwidth==0.9.4)
if [[ "$(cat "$dir/wanted" 2>/dev/null)" != "${packages[*]}" ]]; then
    rm -rf "$dir"
    mkdir -p "$dir"
    python3 -m venv "$dir/python"
    "$dir/python/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps "${packages[@]}"
    printf '%s' "${packages[*]}" >"$dir/wanted"
fi
fixture=(1 2 3 63 74 83 243 252)
walk() { "$dir/python/bin/python" tests/proof/textworld/walk.py "$@"; }
walk "${fixture[@]}" | cmp - tests/proof/textworld/states.jsonl
walk "$seeds" >"$dir/states.jsonl"
DRAMATIS_TEXTWORLD_STATES=$(realpath "$dir/states.jsonl") "${CARGO:-cargo}" test "${flags[@]}" --test proof -- --nocapture textworld
