//! The verdict: where the change stands, and what a person has to do now.

use loopwright_configs::Text;
use loopwright_report::model::{Tone, Verdict};

use crate::workflow::reading::Answer;
use crate::workflow::status::Status;
use crate::workflow::study::Word;
use crate::workflow::view::View;

pub(super) fn verdict(view: &View<'_>) -> Verdict {
    let status = view.status;
    let (headline, mut decide) = (headline(view), decide(status));
    if matches!(status, Status::EvidenceReady | Status::Accepted) {
        let disagreement = disagreement(view);
        decide.en.push_str(&disagreement.en);
        decide.zh.push_str(&disagreement.zh);
    }
    let tone = match status {
        Status::EvidenceReady | Status::Accepted => Tone::Good,
        Status::NotMet | Status::BudgetExhausted | Status::Blocked | Status::Failed => Tone::Bad,
        _ => Tone::Neutral,
    };
    Verdict {
        tone,
        status: status.name().to_owned(),
        headline,
        decide,
        commands: commands(view),
        world_failed: status == Status::Failed,
    }
}

fn headline(view: &View<'_>) -> Text {
    match view.reading.as_ref().map(|reading| &reading.answer) {
        Some(Answer::NeedsClarification { question }) => return question.clone(),
        Some(Answer::Blocked { blocked }) => return blocked.reason.clone(),
        _ => {}
    }
    if let Some(escalation) = &view.escalation {
        let message = escalation.proposal.as_ref().and_then(|proposal| proposal.get("message")).cloned();
        let message = message.and_then(|message| serde_json::from_value::<Text>(message).ok());
        return message.unwrap_or_else(|| Text::same(escalation.message.clone()));
    }
    if let Some(failure) = &view.failure {
        return Text::same(failure.message.clone());
    }
    let runs = view.runs.len();
    match view.status {
        Status::EvidenceReady | Status::Accepted => {
            let only = view.study.is_none();
            Text::new(
                format!(
                    "Every check passed in candidate run {runs}{}.",
                    if only { ", on the fixed path only" } else { "" }
                ),
                format!("第 {runs} 次候选运行通过了全部检查{}。", if only { "（仅固定轨迹）" } else { "" }),
            )
        }
        Status::BudgetExhausted if runs == 0 => {
            Text::new("The budget ended before there was a candidate to run.", "在得到可运行的候选之前预算已用尽。")
        }
        Status::BudgetExhausted => Text::new(
            format!("The budget ended after {runs} candidate runs with checks still failing."),
            format!("{runs} 次候选运行后预算用尽，仍有检查未通过。"),
        ),
        Status::RevisionRequested => Text::new("Another candidate was asked for.", "已要求另一个候选。"),
        Status::RolledBack => Text::new("The baseline stays.", "保留基线。"),
        Status::Cancelled => Text::new("The run was cancelled.", "运行已取消。"),
        Status::Blocked => Text::new("The candidate did not pass the checks before a run.", "候选未通过运行前校验。"),
        _ => Text::new("The verification is under way.", "验证进行中。"),
    }
}

/// Where other trials disagree with an accepted verdict, in plain words.
fn disagreement(view: &View<'_>) -> Text {
    let figures = view.study.iter().flat_map(|study| &study.distributions);
    let worse: Vec<_> =
        figures.map(|figures| (Word::of(figures), figures)).filter(|(word, _)| word.is_worse()).collect();
    if worse.is_empty() {
        return Text::default();
    }
    let list = |say: &dyn Fn(&Word, &Text) -> String, and: &str| {
        worse.iter().map(|(word, figures)| say(word, &figures.label)).collect::<Vec<_>>().join(and)
    };
    let en = list(&|word, label| format!("{} worse in {}, better in {}", label.en, word.worse, word.better), "; ");
    let zh = list(&|word, label| format!("{} {} 次变差、{} 次变好", label.zh, word.worse, word.better), "；");
    Text::new(format!(" Other trials disagree: {en}."), format!("其他试验并不一致：{zh}。"))
}

fn decide(status: Status) -> Text {
    match status {
        Status::AwaitingAuthorization => Text::new("Allow the engine runs, or cancel.", "授权引擎运行，或取消。"),
        Status::EvidenceReady => Text::new(
            "Accept, revise or roll back. The baseline's file is not touched.",
            "接受、修订或回退。基线文件不会被改动。",
        ),
        Status::BudgetExhausted => {
            Text::new("Raise the budget, revise the change, or roll it back.", "追加预算、修订改动，或回退。")
        }
        Status::NotMet | Status::Blocked => Text::new("Revise the change or roll it back.", "修订改动，或回退。"),
        Status::NeedsClarification => Text::new("Answer the question with a new sentence.", "换一种说法重新提出需求。"),
        Status::Failed => Text::new("Mend what failed, then resume the run.", "排除故障后恢复运行。"),
        Status::Authorized | Status::RunningBaseline | Status::RunningCandidate | Status::Repairing => {
            Text::new("Nothing; the run can go on.", "无需决定，运行可以继续。")
        }
        Status::Accepted | Status::RevisionRequested | Status::RolledBack | Status::Cancelled => {
            Text::new("Nothing; it is decided.", "已决定，无需操作。")
        }
    }
}

fn commands(view: &View<'_>) -> Vec<String> {
    let run = &view.history.id;
    match view.status {
        Status::AwaitingAuthorization => {
            vec![format!("loopwright authorize {run} --actor NAME"), format!("loopwright resume {run}")]
        }
        Status::EvidenceReady => ["accept", "revise", "rollback"]
            .map(|verb| format!("loopwright decide {run} {verb} --actor NAME --note TEXT"))
            .to_vec(),
        Status::NotMet | Status::BudgetExhausted | Status::Blocked if view.history.run.outcome().is_none() => {
            ["revise", "rollback"]
                .map(|verb| format!("loopwright decide {run} {verb} --actor NAME --note TEXT"))
                .to_vec()
        }
        Status::Failed
        | Status::Authorized
        | Status::RunningBaseline
        | Status::RunningCandidate
        | Status::Repairing => vec![format!("loopwright resume {run}")],
        _ => Vec::new(),
    }
}
