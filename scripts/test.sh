#!/usr/bin/env bash
# Passes the tests of the whole workspace. Needs Rust alone.
set -euo pipefail
cd "$(dirname "$0")/.."
exec cargo test --workspace --locked "$@"
