#!/usr/bin/env bash
# Opens the example's window under Xvfb with a software Vulkan driver, lets it play a few lines, and looks at the picture.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
picture=$(mktemp --suffix=.png)
trap 'rm -f "$picture"' EXIT
# No server may answer in place of the script.
env -u DRAMATIS_URL -u WAYLAND_DISPLAY WGPU_BACKEND=vulkan \
    timeout 300 xvfb-run -a -s '-screen 0 1280x720x24' \
    cargo run --quiet --features bevy_dramatis/cli --example wizard -- --screenshot "$picture"
python3 - "$picture" <<'PYTHON'
import struct, sys, zlib

data = open(sys.argv[1], "rb").read()
assert data[:8] == b"\x89PNG\r\n\x1a\n", "no picture"
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
assert len(raw) == height * (1 + width * bytes_a_pixel), "the picture is cut"
kinds = len(set(raw[i:i + 64] for i in range(0, len(raw), 64)))
print(f"a picture of {width} x {height}, {kinds} kinds of stretches")
assert width >= 1280 and height >= 720, "the window is too small"
assert kinds > 500, "the picture shows next to nothing"
PYTHON
