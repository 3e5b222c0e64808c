#!/usr/bin/env bash
# Makes the README's picture from a real run. Needs Python with the package `rich`.
set -euo pipefail
cd "$(dirname "$0")/.."
unset CARGO_TARGET_DIR
cargo build --release --quiet --locked
sentence="make phase 2 a two-way spiral, denser, but never more than 350 bullets alive and at least 55 FPS"
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
binary="$PWD/target/release/loopwright"
picture="$PWD/docs/verify.svg"
script="$PWD/scripts/picture.py"
cd "$data"
"${PYTHON:-python3}" "$script" "loopwright verify \"$sentence\" --authorize designer" "$picture" -- \
    "$binary" verify "$sentence" --authorize designer
