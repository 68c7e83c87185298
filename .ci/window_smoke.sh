#!/usr/bin/env bash
# Opens the example's window under Xvfb with a software Vulkan driver, lets it play a visit that takes pictures, and looks at
# them: none may be blank, and nothing may be logged as an error. With a folder as its argument, the pictures stay there; what
# follows the folder goes to the example, such as `--high`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
pictures=${1:-$scratch/pictures}
mkdir -p "$pictures"
# No server may answer in place of the script.
if ! env -u DRAMATIS_URL -u WAYLAND_DISPLAY WGPU_BACKEND=vulkan NO_COLOR=1 \
    timeout 1800 xvfb-run -a -s '-screen 0 1280x720x24' \
    cargo run --quiet --features bevy_dramatis/cli,bevy_dramatis/yarn,bevy_dramatis/remote --example wizard -- --pictures "$pictures" "${@:2}" >"$scratch/log" 2>&1
then
    cat "$scratch/log"
    exit 1
fi
if grep -E '(^| )(ERROR|panicked at)' "$scratch/log"; then
    echo "the log holds an error"
    exit 1
fi
python3 - "$pictures" <<'PYTHON'
import hashlib, pathlib, struct, sys, zlib

WANTED = ["yard", "talk", "gossip", "room", "plan", "night"] + ["inspector-" + panel for panel in (
    "runs", "prompt", "characters", "memory", "world", "stream", "plans", "rules", "engine", "journal")]


def look(path):
    """A picture's size, how many kinds of stretches of 64 bytes it has, and a hash of its right half."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", f"{path} is no picture"
    at, idat, header = 8, b"", None
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            header = struct.unpack(">IIBB", body[:10])
        elif kind == b"IDAT":
            idat += body
        at += 12 + size
    width, height, depth, colour = header
    bytes_a_pixel = {2: 3, 6: 4}[colour] * depth // 8
    raw = zlib.decompress(idat)
    assert len(raw) == height * (1 + width * bytes_a_pixel), f"{path} is cut"
    row = 1 + width * bytes_a_pixel
    right = b"".join(raw[at + row // 2:at + row] for at in range(0, len(raw), row))
    kinds = len(set(raw[i:i + 64] for i in range(0, len(raw), 64)))
    return width, height, kinds, hashlib.sha256(right).hexdigest()


panels = {}
for name in WANTED:
    path = pathlib.Path(sys.argv[1], name).with_suffix(".png")
    width, height, kinds, right = look(path)
    print(f"{path.name}: {width} x {height}, {kinds} kinds of stretches")
    assert width >= 1280 and height >= 720, f"{path} is too small"
    assert kinds > 500, f"{path} shows next to nothing"
    # The panels lie over the same scene: what tells them apart is what they show.
    assert right not in panels, f"{path} shows what {panels[right]} shows"
    panels[right] = name
PYTHON
