#!/usr/bin/env python3
"""Runs ten changes and twenty reviews against the model that the environment names, and prints what came of them.

Usage: real-model-figures.py PROGRAM FOLDER

PROGRAM is the loopwright binary, FOLDER an empty folder for the runs. Nothing here judges the model: answers are counted
as usable where they passed their schema, reviews as agreed where the policy gate let them pass, and every run is held
against its own bounds. The exit code is 1 where a bound was broken.
"""

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

CHANGES = [
    "make phase 2 a two-way spiral, denser",
    "phase 3 faster",
    "phase 1 slower, keep everything else",
    "phase 2: 14 bullets per wave",
    "phase 3: wave interval 700 ms",
    "第二阶段改为双向螺旋弹，更密集",
    "第一阶段弹速提高",
    "第三阶段子弹更少一些",
    "phase 1 as an aimed fan of 60 degrees",
    "make the second phase relaxing to look at",
]

REVIEWS = [
    ["phase_1.bullet_speed=2.9"],
    ["phase_1.bullets_per_wave=14"],
    ["phase_2.wave_interval_ms=800"],
    ["phase_3.bullet_speed=3.6"],
    ["phase_3.rotation_per_wave_deg=20"],
    ["phase_2.bullet_lifetime_seconds=4"],
    ["phase_1.wave_interval_ms=1500", "phase_1.bullet_speed=2.5"],
    ["phase_2.bullets_per_wave=10"],
    ["phase_2.bidirectional=true", "phase_2.bullets_per_wave=16"],
    ["phase_2.bidirectional=true"],
    ["phase_2.bidirectional=true", "phase_2.bullets_per_wave=20"],
    ["phase_3.bullets_per_wave=16", "phase_3.layer_count=3"],
    ["phase_3.wave_interval_ms=400"],
    ["phase_1.bullets_per_wave=40"],
    ["phase_1.wave_interval_ms=500"],
    ["phase_2.bullets_per_wave=24", "phase_2.bullet_speed=3"],
    ["phase_3.bullet_speed=6", "phase_3.bullets_per_wave=20"],
    ["phase_2.bullet_speed=6"],
    ["phase_1.bidirectional=true", "phase_1.rotation_per_wave_deg=9"],
    ["runtime_targets.max_player_hits=1"],
]

# A small model on two cores is slow. At temperature 0 it repeats itself until it is stopped.
SETTINGS = """
[models.real]
base_url = "{base_url}"
model = "{model}"
context = 8192
answer_tokens = 2400
timeout_seconds = 900
temperature = 0.7
seed = 7
"""

# The bounds that every run has, whatever its model answers.
MODEL_CALLS, CANDIDATE_RUNS = 4, 3


def verify(program, folder, arguments):
    """One run: its document and its evidence."""
    command = [program, "verify", *arguments, "--policy", "model", "--model", "real", "--authorize", "measurement"]
    command += ["--profiles", "0", "--format", "json", "--data-dir", str(folder / "data")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        document = json.loads(done.stdout)
    except json.JSONDecodeError:
        sys.exit(f"{arguments}: no document (exit {done.returncode})\n{done.stdout}{done.stderr}")
    if "error" in document:
        sys.exit(f"{arguments}: {document['error']}")
    evidence = Path(document["evidence_dir"])
    read = lambda name: json.loads((evidence / name).read_text(encoding="utf-8"))
    return document, read("agent_runs.json"), read("quality_reviews.json"), read("badcases.json"), done.returncode


def broken_bounds(document):
    """What a run took beyond what it may."""
    budget = document["budget"]
    used = lambda name: budget[name]["used"]
    broken = []
    if used("model_calls") > MODEL_CALLS:
        broken.append(f"{used('model_calls')} model calls")
    if used("candidate_runs") > CANDIDATE_RUNS:
        broken.append(f"{used('candidate_runs')} candidate runs")
    limits = [(name, part) for name, part in budget.items() if part.get("limit") is not None and "used" in part]
    broken += [f"{name}: {part['used']} of {part['limit']}" for name, part in limits if part["used"] > part["limit"]]
    return broken


class Tally:
    """Everything that is counted."""

    def __init__(self):
        self.calls = Counter()
        self.classes = Counter()
        self.gate = Counter()
        self.statuses = Counter()
        self.broken = []
        self.tokens = 0
        self.latency_ms = 0

    def take(self, name, taken):
        document, agents, reviews, badcases, code = taken
        self.statuses[document["status"]] += 1
        for run in agents:
            if run["call"]:
                self.calls[run["agent"], run["status"]] += 1
                self.tokens += run["call"]["bill"]["tokens"]
                self.latency_ms += run["call"]["latency_ms"]
        self.classes.update(case["error_class"] for case in badcases)
        self.gate.update(review["gate"] or "not asked" for review in reviews)
        self.broken += [(name, what) for what in broken_bounds(document)]
        print(f"  {document['status']:<20} exit {code}  {name}", flush=True)


def share(part, whole):
    return f"{part} of {whole}" + (f" ({100 * part / whole:.0f} %)" if whole else "")


def main():
    program, folder = str(Path(sys.argv[1]).resolve()), Path(sys.argv[2])
    (folder / "data").mkdir(parents=True, exist_ok=True)
    endpoint = {"base_url": os.environ["LOOPWRIGHT_MODEL_BASE_URL"], "model": os.environ["LOOPWRIGHT_MODEL"]}
    (folder / "data" / "models.toml").write_text(SETTINGS.format(**endpoint), encoding="utf-8")
    tally, begun = Tally(), time.monotonic()
    print("changes")
    for sentence in CHANGES:
        tally.take(sentence, verify(program, folder, [sentence]))
    changes = Counter(tally.calls)
    print("reviews")
    for values in REVIEWS:
        arguments = [part for value in values for part in ("--set", value)] + ["--max-runs", "1"]
        tally.take(" ".join(values), verify(program, folder, arguments))
    minutes = (time.monotonic() - begun) / 60
    of = lambda agent, status: sum(n for (who, what), n in tally.calls.items() if who == agent and what == status)
    print("figures")
    for agent in ("requirement_agent", "quality_reviewer"):
        whole = sum(n for (who, _), n in tally.calls.items() if who == agent)
        print(f"  usable answers of the {agent}: {share(of(agent, 'ok'), whole)}")
    asked = sum(tally.gate.values())
    print(f"  reviews that the policy gate agreed with: {share(tally.gate['passed'], asked)}")
    print(f"  bad cases by class: {dict(tally.classes) or 'none'}")
    print(f"  statuses: {dict(tally.statuses)}")
    calls = sum(tally.calls.values())
    print(f"  {calls} calls ({sum(changes.values())} in changes), {tally.tokens} tokens, "
          f"{tally.latency_ms / 1000 / max(calls, 1):.1f} s a call, {minutes:.1f} minutes in all")
    print(f"  bounds broken: {tally.broken or 'none'}")
    sys.exit(1 if tally.broken else 0)


if __name__ == "__main__":
    main()
