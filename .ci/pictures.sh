#!/usr/bin/env bash
# Makes the pictures of the README anew, from those that the visit takes with shadows and glow. Where the processor draws, that
# takes some minutes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
.ci/packages.sh imagemagick xvfb xauth mesa-vulkan-drivers libvulkan1 libx11-6 libxcursor1 libxi6 libxrandr2 libxkbcommon-x11-0
taken=$(mktemp -d)
trap 'rm -rf "$taken"' EXIT
.ci/window_smoke.sh "$taken" --high
for name in yard talk gossip plan inspector-runs inspector-stream; do
    convert "$taken/$name.png" -quality 88 "docs/pictures/$name.jpg"
done
cd docs/pictures
convert -resize 760x -colors 128 -loop 0 -delay 140 yard.jpg -delay 200 talk.jpg -delay 320 inspector-runs.jpg -delay 200 gossip.jpg \
    -delay 240 plan.jpg visit.gif
