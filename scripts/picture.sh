#!/usr/bin/env bash
# Makes the README's pictures: a capture, and the top of a real report taken by a headless browser (Debian: chromium, fonts-noto-cjk).
set -euo pipefail
cd "$(dirname "$0")/.."
unset CARGO_TARGET_DIR
cargo build --release --quiet --locked
sentence="make phase 2 a two-way spiral, denser, but never more than 350 bullets alive and at least 55 FPS"
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
target/release/loopwright verify "$sentence" --authorize designer --data-dir "$data"
chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars \
    --disable-background-networking --disable-component-update --disable-sync --user-data-dir="$data/profile" \
    --force-device-scale-factor=1 --window-size=1100,2060 --screenshot="$PWD/docs/report.png" \
    "file://$(echo "$data"/evidence/*/report.html)#theme=light" 2>/dev/null
cp "$data"/evidence/*/pictures/candidate-3-capture-20s.png docs/capture.png
