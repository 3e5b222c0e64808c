//! The models: every call with its prompt's version and its bill, and every output that could not be used.

use loopwright_configs::Text;
use loopwright_report::model::{Block, Column, Manner, Row, Section, Table, Tone};

use super::{section, words};
use crate::workflow::view::{AgentRun, BadCase, Call, View};

/// As much of an output as a report shows; the evidence folder has it whole.
const SHOWN: usize = 400;
/// As much of a digest as tells versions apart.
const DIGEST: usize = 12;

pub(super) fn section_of(view: &View<'_>) -> Section {
    let mut blocks = Vec::new();
    let calls: Vec<_> = view.agent_runs.iter().filter_map(|run| Some((run, run.call.as_ref()?))).collect();
    if !calls.is_empty() {
        let columns = vec![
            Column::words(Text::new("agent", "角色")),
            Column::figures(Text::new("candidate", "候选")),
            Column::words(Text::new("model", "模型")),
            Column::words(Text::new("prompt version", "提示词版本")),
            Column::figures(Text::new("tries", "尝试次数")),
            Column::figures(Text::new("ms", "毫秒")),
            Column::figures(Text::new("tokens", "token")),
            Column::words(Text::new("came to", "结果")),
        ];
        let rows = calls.iter().map(|(run, call)| row(run, call)).collect();
        blocks.push(Block::Table(Table { caption: None, columns, rows }));
    }
    blocks.extend(view.bad_cases.iter().map(bad_case));
    section("models", Text::new("What models were asked", "模型调用"), blocks)
}

fn row(run: &AgentRun, call: &Call) -> Row {
    let same = |text: String| Text::same(text);
    let estimated = if call.bill.estimated { "≤ " } else { "" };
    let (tone, came_to) = match run.status.as_str() {
        _ if run.fell_back => (Tone::Bad, Text::new("the rules stood in", "改由规则处理")),
        "ok" => (Tone::Neutral, Text::new("an answer", "可用")),
        "unusable" => (Tone::Bad, Text::new("not usable", "不可用")),
        _ => (Tone::Bad, Text::new("failed", "失败")),
    };
    let version: String = call.prompt.sha256.to_string().chars().take(DIGEST).collect();
    let cells = [
        same(run.agent.clone()),
        same(run.iteration.to_string()),
        same(call.model.clone()),
        same(version),
        same(call.tries.len().to_string()),
        same(call.latency_ms.to_string()),
        same(format!("{estimated}{}", call.bill.tokens)),
        came_to,
    ];
    Row { tone, ..Row::plain(cells) }
}

fn bad_case(case: &BadCase) -> Block {
    let output = case.raw_output.as_str().map_or_else(|| case.raw_output.to_string(), str::to_owned);
    let output: String = output.chars().take(SHOWN).collect();
    let (stage, class, message) = (&case.stage, &case.error_class, &case.message);
    let text =
        Text::new(format!("{stage}, {class}: {message}\n{output}"), format!("{stage}，{class}：{message}\n{output}"));
    words(text, Manner::Note, Tone::Bad)
}
