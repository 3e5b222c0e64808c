//! A line for each engine run and repair, as it happens.

use loopwright_changes::workflow::brief::Brief;
use loopwright_changes::workflow::graph::{BASELINE, REPAIR};
use loopwright_changes::workflow::state::{CandidateRun, RepairRecord};
use loopwright_configs::{Change, Lang};
use loopwright_core::budget::{Amounts, Resource};
use loopwright_core::fact::{EffectResult, Event, Fact};
use loopwright_core::machine::Run;
use loopwright_models::Tried;
use loopwright_runtime::session::Listener;
use serde::Deserialize;
use serde_json::Value;

use super::{BAD, FAINT, GOOD, harmless, pad, print, styled, tr, value};
use crate::args::Format;

/// Tells people about a run while it is driven.
pub(crate) struct Progress {
    silent: bool,
    lang: Lang,
}

impl Progress {
    pub(crate) fn new(format: Format, lang: Lang) -> Self {
        Self { silent: format != Format::Human, lang }
    }

    fn line(&self, fact: &Fact, run: &Run) -> Option<String> {
        let Event::EffectFinished { result, spent, .. } = &fact.event else { return None };
        match (fact.path.as_str(), result) {
            (BASELINE, EffectResult::Done { value, .. }) => {
                let figures = figures(value.get("telemetry"));
                Some(Self::ran(tr(self.lang, "baseline", "基线"), true, &figures, spent))
            }
            (REPAIR, EffectResult::Evaluated { evaluation }) => {
                let candidate = CandidateRun::deserialize(evaluation.feedback.value()).ok()?;
                Some(self.candidate(&candidate, spent))
            }
            (REPAIR, EffectResult::Acted { observation, error: None, .. }) => {
                let record = RepairRecord::deserialize(observation.value()).ok()?;
                Some(self.repair(&record, run))
            }
            (node, EffectResult::Unusable { class, .. }) => {
                let what = tr(self.lang, "the model's answer cannot be used", "模型的回答无法使用");
                Some(format!("  {} {node}: {what} [{class}]\n", styled(BAD, "!")))
            }
            (node, EffectResult::Failed { failure }) => {
                Some(format!("  {} {node}: {}\n", styled(BAD, "✗"), harmless(&failure.message)))
            }
            _ => None,
        }
    }

    fn candidate(&self, run: &CandidateRun, spent: &Amounts) -> String {
        let name = format!("{} {}", tr(self.lang, "candidate", "候选"), run.iteration);
        let Some(judgement) = &run.judgement else {
            return format!("  {} {}\n", styled(BAD, "✗"), name);
        };
        let failed: Vec<_> = judgement.failed().map(|check| check.title.get(self.lang).to_owned()).collect();
        let verdict = if failed.is_empty() {
            tr(self.lang, "every check passed", "全部检查通过").to_owned()
        } else {
            format!("{}{}", tr(self.lang, "failed: ", "未通过："), failed.join(tr(self.lang, ", ", "、")))
        };
        Self::ran(&name, failed.is_empty(), &verdict, spent)
    }

    fn ran(name: &str, good: bool, what: &str, spent: &Amounts) -> String {
        let sign = if good { styled(GOOD, "✓") } else { styled(BAD, "✗") };
        let time = format!("{} ms", spent.get(Resource::WallMs));
        format!("  {sign} {} {what}  {}\n", pad(name, 12), styled(FAINT, &time))
    }

    fn repair(&self, record: &RepairRecord, run: &Run) -> String {
        let show = |side: &Option<Value>| side.as_ref().map_or_else(|| "–".to_owned(), value);
        let names = Brief::of(run).map(|brief| brief.names);
        let name = format!("{} {}", tr(self.lang, "repair", "修复"), record.iteration);
        let line = |change: &Change| {
            let place = names.as_ref().map(|names| names.place(&change.path).get(self.lang).to_owned());
            let place = place.unwrap_or_else(|| change.path.to_string());
            let (before, after) = (show(&change.before), show(&change.after));
            format!("    {} {} {place} {before} → {after}\n", pad(&name, 10), record.action)
        };
        record.changes.iter().map(line).collect()
    }
}

impl Listener for Progress {
    fn heard(&mut self, fact: &Fact, run: &Run) {
        if self.silent {
            return;
        }
        if let Some(line) = self.line(fact, run) {
            print(&line);
        }
    }
}

/// Tells people at once that a model is tried again, since that may take a while.
pub(crate) fn tried(format: Format, lang: Lang, tried: &Tried) {
    let (Some(message), Some(waited)) = (&tried.message, tried.waited_ms) else { return };
    if format == Format::Human {
        let again = match lang {
            Lang::En => format!("again in {waited} ms"),
            Lang::Zh => format!("{waited} 毫秒后重试"),
        };
        print(&format!("  {} {} ({again})\n", styled(FAINT, "…"), harmless(message)));
    }
}

/// How a run ended, in the engine's own words.
fn figures(telemetry: Option<&Value>) -> String {
    let text = |name: &str| telemetry.and_then(|telemetry| telemetry.get(name)).map(value);
    text("status").unwrap_or_default()
}
