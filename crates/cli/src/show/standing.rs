//! Where a change stands, in a sentence, and what can be done next.

use std::path::Path;

use loopwright_changes::workflow::reading::Answer;
use loopwright_changes::workflow::status::Status;
use loopwright_changes::workflow::view::View;
use loopwright_configs::{Lang, Text};
use loopwright_core::budget::Resource;

use super::tr;
use crate::args::DATA_DIR;

/// What a status means.
pub(super) fn explain(lang: Lang, status: Status) -> &'static str {
    let (en, zh) = match status {
        Status::AwaitingAuthorization => ("a person must allow the engine runs", "需要有人授权引擎运行"),
        Status::Authorized => ("allowed; nothing has run yet", "已授权，尚未运行"),
        Status::RunningBaseline => ("stopped while the baseline ran", "基线运行中"),
        Status::RunningCandidate => ("stopped while a candidate ran", "候选运行中"),
        Status::Repairing => ("stopped between two candidates", "修复中"),
        Status::EvidenceReady => ("every check passed; a person decides", "全部检查通过，等待人工决定"),
        Status::NotMet => ("a check failed; nothing was repaired", "有检查未通过，未做修复"),
        Status::BudgetExhausted => ("the budget ended before every check passed", "预算用尽，仍有检查未通过"),
        Status::Blocked => ("this needs a person", "需要人工处理"),
        Status::NeedsClarification => ("the requirement has to be put differently", "需求需要澄清"),
        Status::Failed => ("the world failed; the run can be resumed", "外部故障，可恢复运行"),
        Status::Cancelled => ("a person ended it", "已取消"),
        Status::Accepted => {
            ("a person accepted the candidate; the baseline stays as it is", "候选已被接受，基线文件未改动")
        }
        Status::RevisionRequested => ("a person wants another candidate", "已要求修订"),
        Status::RolledBack => ("a person keeps the baseline", "已回退，保留基线"),
    };
    tr(lang, en, zh)
}

/// The question, the obstacle or the failure, in a sentence.
pub(crate) fn why(lang: Lang, view: &View<'_>) -> Option<String> {
    match view.reading.as_ref().map(|reading| &reading.answer) {
        Some(Answer::NeedsClarification { question }) => return Some(question.get(lang).to_owned()),
        Some(Answer::Blocked { blocked }) => return Some(blocked.reason.get(lang).to_owned()),
        _ => {}
    }
    if let Some(escalation) = &view.escalation {
        let text = escalation.proposal.as_ref().and_then(|proposal| proposal.get("message")).cloned();
        let text = text.and_then(|text| serde_json::from_value::<Text>(text).ok());
        let message = text.map_or_else(|| escalation.message.clone(), |text| text.get(lang).to_owned());
        return Some(format!("{message} [{}]", escalation.reason));
    }
    if let Some(failure) = &view.failure {
        return Some(failure.message.clone());
    }
    if view.status == Status::BudgetExhausted {
        let runs = view.candidate_limit();
        if view.runs.len() as u64 >= runs {
            let (en, zh) = (format!("all {runs} candidate runs are used"), format!("{runs} 次候选运行已用完"));
            return Some(tr(lang, &en, &zh).to_owned());
        }
        return view.hand_off().map(|hand_off| hand_off.why);
    }
    None
}

/// The commands that go on from here, as they can be typed in the same place.
pub(super) fn next(view: &View<'_>, data_dir: &Path) -> Vec<String> {
    let run = if data_dir == Path::new(DATA_DIR) {
        view.history.id.to_string()
    } else {
        format!("{} --data-dir {}", view.history.id, quoted(&data_dir.to_string_lossy()))
    };
    match view.status {
        Status::AwaitingAuthorization => vec![
            format!("loopwright authorize {run} --actor NAME && loopwright resume {run}"),
            format!("loopwright cancel {run}"),
        ],
        Status::Authorized
        | Status::RunningBaseline
        | Status::RunningCandidate
        | Status::Repairing
        | Status::Failed => vec![format!("loopwright resume {run}")],
        Status::EvidenceReady => {
            vec![format!("loopwright decide {run} accept|revise|rollback --actor NAME --note TEXT")]
        }
        Status::BudgetExhausted if view.hand_off().is_some() => {
            let mut next = vec![format!(
                "loopwright amend {run} --budget {}=+N --actor NAME --note TEXT && loopwright resume {run}",
                spent_up(view)
            )];
            if view.history.run.outcome().is_none() {
                next.push(format!("loopwright decide {run} revise|rollback --actor NAME --note TEXT"));
            }
            next
        }
        Status::NotMet | Status::BudgetExhausted | Status::Blocked | Status::NeedsClarification
            if view.history.run.outcome().is_none() =>
        {
            vec![format!("loopwright decide {run} revise|rollback --actor NAME --note TEXT")]
        }
        _ => Vec::new(),
    }
}

/// What has to be raised so that the run goes on.
fn spent_up(view: &View<'_>) -> &'static str {
    match view.exhaustion().and_then(|exhaustion| exhaustion.resource()) {
        Some(Resource::ModelCalls) => "model_calls",
        Some(Resource::Tokens) => "tokens",
        Some(Resource::CostMicros) => "cost",
        Some(Resource::WallMs) => "wall_ms",
        Some(Resource::Attempts) if view.brief.model.is_some() && view.runs.is_empty() => "model_calls",
        _ => "engine_runs",
    }
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "/._-\\:".contains(letter);
    if path.chars().all(plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}
