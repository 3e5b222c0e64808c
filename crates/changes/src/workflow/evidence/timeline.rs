//! Facts in a line each, for the manifest's timeline and for whoever traces a run.

use std::time::{Duration, UNIX_EPOCH};

use loopwright_core::fact::{EffectResult, Event, Fact, Reply};
use serde_json::{Value, json};

/// A moment as RFC 3339 text, in UTC with milliseconds.
pub fn time(at_ms: u64) -> String {
    humantime::format_rfc3339_millis(UNIX_EPOCH + Duration::from_millis(at_ms)).to_string()
}

/// One fact in a line.
pub fn entry(fact: &Fact) -> Value {
    let mut entry = json!({"seq": fact.seq, "at": time(fact.at_ms), "node": fact.path});
    let (event, detail) = describe(&fact.event);
    entry["event"] = json!(event);
    if let Value::Object(detail) = detail
        && let Value::Object(fields) = &mut entry
    {
        fields.extend(detail);
    }
    entry
}

/// The kind of an event, and the few words that matter of it.
fn describe(event: &Event) -> (&'static str, Value) {
    match event {
        Event::RunStarted { graph, .. } => ("run_started", json!({"graph": graph.name})),
        Event::BatchStarted { nodes } => ("batch_started", json!({"nodes": nodes})),
        Event::EffectStarted { id, order, reserve, .. } => {
            ("effect_started", json!({"effect": id.to_string(), "order": order, "reserve": reserve}))
        }
        Event::EffectFinished { id, result, spent, .. } => {
            let (result, detail) = summary(result);
            ("effect_finished", json!({"effect": id.to_string(), "result": result, "detail": detail, "spent": spent}))
        }
        Event::EffectTried { id, note } => ("effect_tried", json!({"effect": id.to_string(), "try": note})),
        Event::EffectLost { id } => ("effect_lost", json!({"effect": id.to_string()})),
        Event::Asked { ask } => ("asked", json!({"question": ask.id.to_string(), "decided_by": ask.decided_by})),
        Event::Answered { id, answer } => {
            let reply = match answer.reply {
                Reply::Approve { .. } => "approve",
                Reply::Reject {} => "reject",
                Reply::ChangeGoal { .. } => "change_goal",
                Reply::Say { .. } => "say",
            };
            let (actor, note) = (&answer.actor, &answer.note);
            ("answered", json!({"question": id.to_string(), "reply": reply, "actor": actor, "note": note}))
        }
        Event::Amended { budget, actor, note } => ("amended", json!({"budget": budget, "actor": actor, "note": note})),
        Event::Retried { actor } => ("retried", json!({"actor": actor})),
        Event::Cancelled { actor, note } => ("cancelled", json!({"actor": actor, "note": note})),
        Event::NodeClosed { outcome, .. } => ("node_closed", json!({"outcome": outcome.kind()})),
    }
}

fn summary(result: &EffectResult) -> (&'static str, Value) {
    match result {
        EffectResult::Decided { answer } => {
            let action = answer.value().pointer("/action/args/intent");
            ("decided", json!({"decision": answer.get("type"), "intent": action}))
        }
        EffectResult::Unusable { class, message, .. } => ("unusable", json!({"class": class, "message": message})),
        EffectResult::WrappedUp { written } => ("wrapped_up", json!({"written": written})),
        EffectResult::Gated { verdict } => ("gated", json!({"verdict": json!(verdict).get("type")})),
        EffectResult::Acted { error, .. } => ("acted", json!({"error": error})),
        EffectResult::Evaluated { evaluation } => {
            ("evaluated", json!({"verdict": evaluation.verdict, "score": evaluation.score}))
        }
        EffectResult::Done { signal, .. } => ("done", json!({"signal": json!(signal).get("type")})),
        EffectResult::Failed { failure } => ("failed", json!({"class": failure.class, "message": failure.message})),
    }
}
