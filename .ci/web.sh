#!/usr/bin/env bash
# Builds the page (`web/build.sh`), plays it in a headless Chromium, and plays its records again natively: nothing may differ.
# `target/debug/dramatis` is there: the tests have built it. With a folder as its argument, pictures and records stay there; a
# URL and a model that follow it are those of a server that answers once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# The newest when this was written. Debian's chromium is the newest that Debian has.
tools=(playwright==1.65.2 pillow==13.0.0)
target=$(cargo metadata --locked --format-version 1 --no-deps |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')
since=$SECONDS
took() { printf 'web: %s took %d s\n' "$1" $((SECONDS - since)); since=$SECONDS; }

# CI only plays the page, so it does not optimise it. Without `--quick` the script checks the size of the one to publish.
web/build.sh --quick
took 'the page'
.ci/packages.sh chromium python3-venv
if [[ "$(cat "$target/browser/wanted" 2>/dev/null)" != "${tools[*]}" ]]; then
    rm -rf "$target/browser"
    python3 -m venv "$target/browser"
    "$target/browser/bin/python" -m pip install --quiet --disable-pip-version-check "${tools[@]}"
    printf '%s' "${tools[*]}" >"$target/browser/wanted"
fi
took 'the browser'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
folder=${1:-$scratch}
mkdir -p "$folder"
timeout 600 "$target/browser/bin/python" .ci/web_play.py "$(command -v chromium)" web/dist "$folder" "${@:2}"
took 'playing'

dramatis=$target/debug/dramatis
[[ -x $dramatis ]] || cargo build --quiet -p bevy_dramatis --features cli --bin dramatis
for record in tower again tavern; do
    "$dramatis" replay "$folder/$record.jsonl"
    # Read and written again, it is the same to the last byte, its hash included.
    rm -f "$folder/$record.native.jsonl"
    "$dramatis" export "$folder/$record.jsonl" -o "$folder/$record.native.jsonl" >/dev/null
    cmp "$folder/$record.jsonl" "$folder/$record.native.jsonl"
done
took 'replaying'
