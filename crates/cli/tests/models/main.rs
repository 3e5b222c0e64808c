//! The command line with models: the real program against a server that speaks HTTP and answers as it is told.

#![expect(clippy::unwrap_used, clippy::panic, reason = "this is test code")]

mod amend;
mod misuse;
mod offline;
mod runs;
mod secrets;
#[path = "../command_line/support.rs"]
#[expect(dead_code, reason = "shared with the other tests of the command line")]
mod support;
mod world;

use std::process::Command;

use loopwright_models::testing::reply::Reply;
use loopwright_models::testing::server::{FakeServer, Seen};
use serde_json::{Value, json};

use support::{BASELINE, Place, Ran};

/// The key that nothing but the server may see.
pub(crate) const PLANTED: &str = "sk-planted-8b21f0";
/// A sentence that the rules understand whole.
pub(crate) const SENTENCE: &str = "make phase 2 a two-way spiral, denser";

/// A place whose environment names a server.
pub(crate) struct Scene {
    pub(crate) place: Place,
    pub(crate) server: FakeServer,
}

impl Scene {
    /// A server that makes its replies of the request and of its number.
    pub(crate) fn saying(say: impl Fn(usize, &Seen) -> Reply + Send + Sync + 'static) -> Self {
        Self { place: Place::new(), server: FakeServer::saying(say) }
    }

    /// A server whose models are honest, after some other replies.
    pub(crate) fn honest_after(replies: Vec<Reply>) -> Self {
        Self::saying(move |number, seen| replies.get(number).cloned().unwrap_or_else(|| honest(seen)))
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.place.command(args);
        command.env("LOOPWRIGHT_MODEL_BASE_URL", self.server.base_url());
        command.env("LOOPWRIGHT_MODEL", "fake").env("LOOPWRIGHT_MODEL_API_KEY", PLANTED);
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(args))
    }

    #[track_caller]
    pub(crate) fn json(&self, code: i32, args: &[&str]) -> Value {
        let ran = self.run(&[args, &["--format", "json"]].concat()).ends(code);
        serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{args:?}: {error}\n{}", ran.out))
    }

    /// Verifies the sentence with the model, authorised and without trials.
    #[track_caller]
    pub(crate) fn verify(&self, code: i32, more: &[&str]) -> Value {
        let args = ["verify", SENTENCE, "--policy", "model", "--authorize", "ann", "--profiles", "0"];
        self.json(code, &[&args, more].concat())
    }

    /// A file of a run's evidence.
    pub(crate) fn evidence(&self, document: &Value, name: &str) -> Value {
        support::evidence(&self.place.evidence(support::text(&document["run_id"])), name)
    }
}

/// What an honest model answers.
pub(crate) fn honest(seen: &Seen) -> Reply {
    if is_intake(seen) {
        return Reply::answer(&proposal());
    }
    let failed = |check: &str| {
        let line = format!("- check:{check} ");
        seen.question().lines().any(|text| text.starts_with(&line) && text.contains("): failed,"))
    };
    if failed("player_hits") {
        return Reply::answer(&review("repair", Some("REDUCE_BULLET_SPEED")));
    }
    Reply::answer(&review("accept", None))
}

pub(crate) fn is_intake(seen: &Seen) -> bool {
    seen.body["messages"][0]["content"].as_str().is_some_and(|system| system.starts_with("You turn a game designer's"))
}

pub(crate) fn proposal() -> Value {
    let mut candidate: Value = serde_json::from_str(BASELINE).unwrap();
    candidate["phases"][1]["pattern"]["bidirectional"] = json!(true);
    candidate["phases"][1]["pattern"]["bullets_per_wave"] = json!(16);
    let intent = |field: &str, expect: Value, clause: &str| json!({"path": format!("phases[phase_2].pattern.{field}"), "expect": expect, "clause": clause});
    json!({
        "structured_goal": {
            "source_text": SENTENCE, "target_phase_id": "phase_2", "requested_pattern": "spiral",
            "increase_pressure": true,
            "changes": [
                {"phase_id": "phase_2", "field": "bidirectional", "value": true, "clause": "two-way"},
                {"phase_id": "phase_2", "field": "density", "direction": "up", "clause": "denser"},
            ],
            "keeps": [], "constraints": {}, "preserve_visual_style": false, "loosened": [],
            "intents": [
                intent("bidirectional", json!({"kind": "equals", "value": true}), "two-way"),
                intent("bullets_per_wave", json!({"kind": "above"}), "denser"),
            ],
        },
        "candidate_config": candidate,
    })
}

pub(crate) fn review(decision: &str, action: Option<&str>) -> Value {
    json!({
        "decision": decision, "repair_action": action, "reason": "as the checks say",
        "evidence_refs": ["check:player_hits"],
    })
}
