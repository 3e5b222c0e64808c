//! A change as people read it: what was understood, the diff, the layers, the checks, the repairs, what comes next.

use std::path::Path;

use loopwright_changes::checks::{CheckResult, Status as CheckStatus};
use loopwright_changes::layers::LayerResult;
use loopwright_changes::workflow::reading::Clause;
use loopwright_changes::workflow::status::Status;
use loopwright_changes::workflow::study::Word;
use loopwright_changes::workflow::view::View;
use loopwright_configs::{Change, Lang, Text};
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use super::page::Page;
use super::standing::{explain, next, why};
use super::values::yes_or_no;
use super::{BAD, FAINT, GOOD, STRONG, amount, fault, harmless, limit, pad, styled, tr, value};

/// How much of a change is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Everything.
    All,
    /// What a person needs before they authorise: requirement, diff, layers.
    Proposal,
    /// What came after that: checks, repairs, status.
    Verdict,
    /// Only where the run stands and what comes next.
    Standing,
}

/// Where a change's files are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places<'a> {
    /// The data directory, as it was named.
    pub(crate) data_dir: &'a Path,
    /// The evidence folder.
    pub(crate) evidence: &'a Path,
}

/// The text of a change.
pub(crate) fn summary(view: &View<'_>, places: Places<'_>, lang: Lang, part: Part) -> String {
    let mut page = Summary(Page::new(lang));
    if matches!(part, Part::All | Part::Proposal) {
        page.heading(view);
        page.requirement(view);
        page.diff(view);
        page.layers(view);
    }
    if matches!(part, Part::All | Part::Verdict) {
        page.authorization(view);
        page.checks(view);
        page.study(view);
        page.repairs(view);
        page.calls(view);
    }
    if part != Part::Proposal {
        page.standing(view, places);
    }
    page.0.text
}

/// What is written, section by section.
struct Summary(Page);

impl Summary {
    fn heading(&mut self, view: &View<'_>) {
        let brief = &view.brief;
        let policy = match &brief.model {
            None => self.0.tr("rules (no model was called)", "规则（未调用模型）").to_owned(),
            Some(model) => {
                format!(
                    "{} {} @ {}",
                    self.0.tr("model", "模型"),
                    harmless(&model.identity.model),
                    model.identity.provider
                )
            }
        };
        let line = format!(
            "{} {} · {} {} · {} {} {} · {} {} · {} {policy}",
            self.0.tr("run", "运行"),
            styled(STRONG, view.history.id.as_str()),
            brief.pack.name,
            brief.pack.version,
            self.0.tr("engine", "引擎"),
            brief.engine.name,
            brief.engine.version,
            self.0.tr("seed", "种子"),
            brief.seed,
            self.0.tr("policy", "策略"),
        );
        self.0.line(&line);
    }

    fn requirement(&mut self, view: &View<'_>) {
        if let Some(requirement) = &view.brief.requirement {
            self.0.title("Requirement", "需求");
            self.0.line(&format!("  {}", harmless(requirement)));
        }
        let Some(reading) = &view.reading else { return };
        if !reading.understood.is_empty() {
            self.0.title("Understood", "已理解");
            reading.understood.iter().for_each(|clause| self.clause(&styled(GOOD, "✓"), clause));
        }
        if !reading.not_understood.is_empty() {
            self.0.title("Not understood", "未理解");
            reading.not_understood.iter().for_each(|clause| self.clause(&styled(BAD, "?"), clause));
        }
        if !reading.notes.is_empty() {
            self.0.title("Notes", "说明");
            for note in &reading.notes {
                let note = format!("  {}", harmless(note.get(self.0.lang)));
                self.0.line(&note);
            }
        }
    }

    fn clause(&mut self, sign: &str, clause: &Clause) {
        let loosened = if clause.loosened { self.0.tr(" (loosens a limit)", "（放宽了限制）") } else { "" };
        let line = format!(
            "  {sign} {}{}  {}",
            harmless(clause.meaning.get(self.0.lang)),
            styled(BAD, loosened),
            styled(FAINT, &format!("“{}”", harmless(&clause.clause))),
        );
        self.0.line(&line);
    }

    fn diff(&mut self, view: &View<'_>) {
        if view.candidates.is_empty() {
            return;
        }
        self.0.title("Changes to the baseline", "相对基线的改动");
        let diff = view.diff();
        if diff.is_empty() {
            let same = view.candidates.last().is_some_and(|newest| newest.config == view.inputs.baseline);
            let none = if same {
                self.0.tr("none: the candidate is the baseline", "无：候选与基线相同")
            } else {
                self.0.tr("none but the order of its parts", "仅各部分的顺序不同")
            };
            return self.0.line(&format!("  {none}"));
        }
        let name = |change: &Change| view.brief.names.place(&change.path).get(self.0.lang).to_owned();
        let rows: Vec<_> = diff.iter().map(|change| (name(change), change)).collect();
        let width = rows.iter().map(|(name, _)| name.width()).max().unwrap_or_default();
        for (name, change) in rows {
            let side = |side: &Option<Value>| side.as_ref().map_or_else(|| "–".to_owned(), value);
            let unit = view.brief.names.unit(&change.path).map(|unit| unit.get(self.0.lang)).unwrap_or_default();
            let (before, after) = (side(&change.before), styled(STRONG, &side(&change.after)));
            self.0.line(&format!("  {}  {before} → {after} {unit}", pad(&name, width)));
        }
    }

    fn layers(&mut self, view: &View<'_>) {
        let Some(validation) = view.validations.last() else { return };
        self.0.title("Checks before any run", "运行前校验");
        let line: Vec<_> = validation.layers.iter().map(|layer| self.layer(layer)).collect();
        self.0.line(&format!("  {}", line.join("  ")));
        for layer in &validation.layers {
            for found in &layer.errors {
                let text = format!("  {} {}", styled(BAD, "✗"), fault(found, self.0.lang));
                self.0.line(&text);
            }
        }
    }

    fn layer(&self, layer: &LayerResult) -> String {
        let name = match layer.layer.name() {
            "schema" => self.0.tr("schema", "结构"),
            "reference" => self.0.tr("reference", "引用"),
            "rule_engine" => self.0.tr("rule engine", "规则引擎"),
            _ => self.0.tr("safety gate", "安全门"),
        };
        if layer.skipped {
            return styled(FAINT, &format!("– {name}"));
        }
        if layer.passed { format!("{} {name}", styled(GOOD, "✓")) } else { format!("{} {name}", styled(BAD, "✗")) }
    }

    fn authorization(&mut self, view: &View<'_>) {
        let Some(given) = &view.authorization else { return };
        let line = format!(
            "{} {} · {} · {} {}",
            self.0.tr("authorized by", "授权人"),
            harmless(&given.actor),
            given.scope,
            given.runs_granted,
            self.0.tr("engine runs", "次引擎运行"),
        );
        self.0.line("");
        self.0.line(&line);
    }

    fn checks(&mut self, view: &View<'_>) {
        let Some(run) = view.last_run() else { return };
        let Some(judgement) = &run.judgement else { return };
        if !judgement.intents.is_empty() {
            self.0.title("What was asked", "所求");
            judgement.intents.iter().for_each(|check| self.intent(check));
        }
        let title = format!("{} {}", self.0.tr("Checks of candidate", "检查：候选"), run.iteration);
        self.0.line("");
        self.0.line(&styled(STRONG, &title));
        let header = [
            self.0.tr("check", "检查").to_owned(),
            self.0.tr("limit", "限值").to_owned(),
            self.0.tr("baseline", "基线").to_owned(),
            self.0.tr("candidate", "候选").to_owned(),
        ];
        let mut rows = vec![(String::from(" "), header)];
        for check in &judgement.checks {
            let baseline = run.baseline_checks.iter().find(|other| other.id == check.id);
            rows.push((sign(check), self.row(check, baseline)));
        }
        self.table(&rows);
        for (field, basis) in view.basis() {
            let line = format!("  {field}: {}", value(&basis));
            self.0.line(&styled(FAINT, &line));
        }
    }

    fn row(&self, check: &CheckResult, baseline: Option<&CheckResult>) -> [String; 4] {
        let lang = self.0.lang;
        let figure = |of: &CheckResult| match (of.status, &of.basis) {
            (CheckStatus::NotEvaluated, _) => self.0.tr("not evaluated", "未评估").to_owned(),
            (_, Some(basis)) => format!("{} ({})", amount(&of.actual, check.unit.as_ref(), lang), harmless(basis)),
            (_, None) => amount(&of.actual, check.unit.as_ref(), lang),
        };
        let before = baseline.map_or_else(|| "–".to_owned(), figure);
        [check.title.get(lang).to_owned(), limit(&check.expected), before, figure(check)]
    }

    fn intent(&mut self, check: &CheckResult) {
        let title = harmless(check.title.get(self.0.lang));
        let (actual, expected) = (yes_or_no(&check.actual, self.0.lang), limit(&check.expected));
        // What was to be a value is that value or is not; only directions have a limit to show.
        let limit = if check.actual == check.expected { String::new() } else { format!(" ({expected})") };
        let line = format!("  {} {title}: {actual}{limit}", sign(check));
        self.0.line(&line);
    }

    fn table(&mut self, rows: &[(String, [String; 4])]) {
        let width = |column: usize| rows.iter().map(|(_, cells)| cells[column].width()).max().unwrap_or_default();
        let widths = [width(0), width(1), width(2), width(3)];
        for (sign, cells) in rows {
            let mut line = format!("  {sign} ");
            for (cell, width) in cells.iter().zip(widths) {
                line.push_str(&pad(cell, width + 2));
            }
            self.0.line(&line);
        }
    }

    fn study(&mut self, view: &View<'_>) {
        let Some(study) = &view.study else { return };
        let title =
            format!("{}: {}", self.0.tr("Beyond the fixed path, trials", "固定轨迹之外，试验次数"), study.trials);
        self.0.line("");
        self.0.line(&styled(STRONG, &title));
        for figures in &study.distributions {
            let word = Word::of(figures);
            let sign = if word.is_worse() { styled(BAD, "!") } else { " ".to_owned() };
            let line = format!("  {sign} {}", word.text(figures).get(self.0.lang));
            self.0.line(&line);
        }
        study.checks.iter().for_each(|check| self.intent(check));
        for finding in &study.findings {
            let side = |text: &Text| text.get(self.0.lang).to_owned();
            let (before, after) = (side(&finding.baseline), side(&finding.candidate));
            let line = format!("    {}: {before} → {after}", finding.label.get(self.0.lang));
            self.0.line(&line);
        }
    }

    fn repairs(&mut self, view: &View<'_>) {
        if view.repairs.is_empty() {
            return;
        }
        self.0.title("Repairs", "修复");
        for repair in &view.repairs {
            let changes: Vec<_> = repair.changes.iter().map(|change| self.change(view, change)).collect();
            let not_applied = if repair.applied { "" } else { self.0.tr(" (not applied)", "（未应用）") };
            let line =
                format!("  {} {} {}{}", repair.iteration, repair.action, changes.join(", "), styled(BAD, not_applied));
            self.0.line(&line);
            let why = format!("    {}", harmless(repair.reason.get(self.0.lang)));
            self.0.line(&styled(FAINT, &why));
        }
    }

    /// What the models took, and where they brought nothing usable.
    fn calls(&mut self, view: &View<'_>) {
        if view.brief.model.is_none() {
            return;
        }
        self.0.title("Model", "模型");
        let line = format!("  {}", spent(view, self.0.lang));
        self.0.line(&line);
        for case in &view.bad_cases {
            let (stage, class) = (&case.stage, &case.error_class);
            let line = format!("  {} {stage}: {} [{class}]", styled(BAD, "!"), harmless(&first_line(&case.message)));
            self.0.line(&line);
        }
        for run in view.agent_runs.iter().filter(|run| run.fell_back) {
            let line =
                format!("  {} {}: {}", styled(BAD, "!"), run.stage, self.0.tr("the rules stood in", "改由规则处理"));
            self.0.line(&line);
        }
    }

    fn change(&self, view: &View<'_>, change: &Change) -> String {
        let side = |side: &Option<Value>| side.as_ref().map_or_else(|| "–".to_owned(), value);
        let name = view.brief.names.place(&change.path);
        format!("{} {} → {}", name.get(self.0.lang), side(&change.before), side(&change.after))
    }

    fn standing(&mut self, view: &View<'_>, places: Places<'_>) {
        self.0.line("");
        let status = view.status;
        let style = match status {
            Status::EvidenceReady | Status::Accepted => GOOD,
            Status::AwaitingAuthorization | Status::Authorized => STRONG,
            _ => BAD,
        };
        let line = format!(
            "{} {}  {}",
            self.0.tr("status", "状态"),
            styled(style, status.name()),
            explain(self.0.lang, status)
        );
        self.0.line(&line);
        if let Some(why) = why(self.0.lang, view) {
            self.0.line(&format!("  {}", harmless(&why)));
        }
        let line = format!("{} {}", self.0.tr("evidence", "证据"), places.evidence.display());
        self.0.line(&line);
        for next in next(view, places.data_dir) {
            let line = format!("{} {next}", self.0.tr("next", "下一步"));
            self.0.line(&line);
        }
    }
}

/// Calls, tokens and money of a run.
fn spent(view: &View<'_>, lang: Lang) -> String {
    let budget = view.budget();
    let of = |name: &str, part: &str| budget[name][part].as_u64();
    let used = |name: &str| of(name, "used").unwrap_or_default();
    let (calls, tokens) = (used("model_calls"), used("tokens"));
    let limit = of("model_calls", "limit").unwrap_or_default();
    let estimated = view.agent_runs.iter().filter_map(|run| run.call.as_ref()).any(|call| call.bill.estimated);
    let mut line = match lang {
        Lang::En => format!("{calls} of {limit} calls · {tokens} tokens"),
        Lang::Zh => format!("已用 {calls}/{limit} 次调用 · {tokens} 个 token"),
    };
    if view.brief.model.as_ref().is_some_and(|model| model.price.is_some()) {
        let micros = used("cost_micros");
        line = format!("{line} · {}.{:06}", micros / 1_000_000, micros % 1_000_000);
    }
    if estimated {
        line.push_str(tr(lang, " (partly estimated)", "（部分为估算）"));
    }
    line
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().to_owned()
}

fn sign(check: &CheckResult) -> String {
    match check.status {
        CheckStatus::Passed => styled(GOOD, "✓"),
        CheckStatus::Failed => styled(BAD, "✗"),
        CheckStatus::NotEvaluated => styled(FAINT, "–"),
    }
}
