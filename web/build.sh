#!/usr/bin/env bash
# Builds the page into `web/dist`, from what Debian and crates.io have: `python3 -m http.server -d web/dist` serves it. With
# `--quick` nothing is optimised: it takes half the time, and the page is 1.7 times as large.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
most=$((8 * 1024 * 1024))
dist=web/dist
profile=()
if [[ ${1:-} == --quick ]]; then
    profile=(--config profile.page.opt-level=0)
    # 1.7 times as much, and a little more.
    most=$((14 * 1024 * 1024))
fi

compiler=$(web/compiler.sh)
target=$(cargo metadata --locked --format-version 1 --no-deps |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["target_directory"])')
(
    eval "$compiler"
    # shellcheck disable=SC2086
    cargo build --locked --quiet -p bevy_dramatis_web --profile page "${profile[@]}" --target wasm32-unknown-unknown $WEB_STD
)
rm -rf "$dist"
mkdir -p "$dist"
cargo run --locked --quiet -p bevy_dramatis_web --features bindgen -- \
    "$target/wasm32-unknown-unknown/page/bevy_dramatis_web.wasm" "$dist"
cp web/index.html web/minimal.html web/page.css web/page.js "$dist"

python3 - "$dist" "$most" <<'PYTHON'
import gzip, pathlib, sys

files = {path: path.read_bytes() for path in sorted(pathlib.Path(sys.argv[1]).iterdir())}
packed = {path: len(gzip.compress(data, 9)) for path, data in files.items()}
for path, data in files.items():
    print(f"{len(data):>10} bytes, {packed[path]:>9} compressed  {path}")
total, most = sum(packed.values()), int(sys.argv[2])
print(f"{sum(map(len, files.values())):>10} bytes, {total:>9} compressed  in all")
sys.exit(f"the page is larger than {most} bytes" if total > most else 0)
PYTHON
