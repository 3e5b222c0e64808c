# Habits. `just verify` is what CI runs.

# List the recipes.
default:
    @just --list

# Everything CI checks.
verify: format lint docs deny test

# The formatting is rustfmt's.
format:
    cargo fmt --all --check

# Warnings are errors.
lint:
    cargo clippy --workspace --all-targets --locked -- -D warnings

# The documentation builds without warnings.
docs:
    RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked --quiet

# Licences, sources and duplicate versions of the dependency tree.
deny:
    cargo deny --all-features check licenses bans sources

# The test command of the README.
test:
    scripts/test.sh

# Figures for the README; nothing is asserted about them.
bench:
    cargo bench -p danmaku --bench fights
    cargo bench -p loopwright-sqlite
    cargo bench -p loopwright-runtime

# Accept changed snapshots after looking at them.
snapshots:
    INSTA_UPDATE=always cargo test --workspace --locked
