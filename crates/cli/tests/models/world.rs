//! A world that breaks in the middle of a call.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use loopwright_models::testing::reply::Reply;
use serde_json::json;

use crate::support::text;
use crate::{Scene, honest};

#[test]
fn a_model_that_fails_leaves_a_run_that_can_be_resumed() {
    let cases = [
        (Reply::error(401, "who are you?"), "model_credentials", 0),
        (Reply::error(402, "no balance"), "model_quota", 0),
        (Reply::error(404, "no such model"), "model_bad_request", 0),
        (Reply::error(400, "maximum context length is 100 tokens"), "model_context_too_long", 0),
        (Reply::error(400, "content_filter"), "model_content_refused", 0),
        (Reply::whole(200, "text/html", "<html>"), "model_malformed", 1),
    ];
    for (reply, class, calls) in cases {
        let mended = Arc::new(AtomicBool::new(false));
        let look = Arc::clone(&mended);
        let scene =
            Scene::saying(move |_, seen| if look.load(Ordering::SeqCst) { honest(seen) } else { reply.clone() });
        let document = scene.verify(6, &["--max-model-calls", "5"]);
        assert_eq!((text(&document["status"]), text(&document["failure"]["class"])), ("failed", class));
        assert_eq!(document["budget"]["model_calls"]["used"], json!(calls), "{class}");
        mended.store(true, Ordering::SeqCst);
        scene.json(3, &["resume", "last"]);
        scene.json(0, &["authorize", "last", "--actor", "ann"]);
        let document = scene.json(0, &["resume", "last"]);
        assert_eq!(text(&document["status"]), "evidence_ready", "{class}");
        assert_eq!(document["budget"]["model_calls"]["used"], json!(calls + 4), "{class}");
    }
}

#[test]
fn a_call_that_takes_longer_than_the_run_may_ends_with_it() {
    let scene = Scene::saying(|_, _| Reply::Silence);
    let document = scene.verify(6, &["--max-time", "400ms"]);
    assert_eq!(text(&document["failure"]["class"]), "model_timeout");
    assert_eq!(document["budget"]["wall_ms"]["limit"], json!(400));
}

#[test]
#[cfg(unix)]
fn a_process_that_is_killed_in_a_call_has_made_it() {
    let mended = Arc::new(AtomicBool::new(false));
    let look = Arc::clone(&mended);
    let scene = Scene::saying(move |_, seen| if look.load(Ordering::SeqCst) { honest(seen) } else { Reply::Silence });
    let args = ["verify", crate::SENTENCE, "--policy", "model", "--authorize", "ann", "--profiles", "0"];
    let mut child = scene.command(&args).stdout(std::process::Stdio::null()).spawn().unwrap();
    while scene.server.seen().is_empty() {
        assert_eq!(child.try_wait().unwrap(), None, "the program ended before it asked");
        thread::yield_now();
    }
    child.kill().unwrap();
    child.wait().unwrap();
    mended.store(true, Ordering::SeqCst);
    // The call may have been billed, and it was the only one that the intake has.
    let document = scene.json(4, &["resume", "last"]);
    assert_eq!(
        (text(&document["status"]), &document["budget"]["model_calls"]["used"]),
        ("budget_exhausted", &json!(1))
    );
    scene.json(0, &["amend", "last", "--budget", "model_calls=+1", "--actor", "ann", "--note", "the machine died"]);
    scene.json(3, &["resume", "last"]);
    scene.json(0, &["authorize", "last", "--actor", "ann"]);
    assert_eq!(text(&scene.json(0, &["resume", "last"])["status"]), "evidence_ready");
}
