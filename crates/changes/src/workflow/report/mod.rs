//! A change as a report: the run's facts and artifacts put into kinds of evidence, in the order people read them.
//!
//! What the kinds look like is the report crate's; what stands in them is decided here, one file a section.

mod calls;
mod change;
mod checks;
mod comparison;
mod course;
mod gallery;
mod study;
mod verdict;

use loopwright_configs::Text;
use loopwright_report::Report;
use loopwright_report::model::{Block, Fact, Manner, Paragraph, Section, Tone};
use loopwright_runtime::artifacts::{ArtifactError, Artifacts};

use super::evidence::time;
use super::view::View;

pub use comparison::comparison_report;

/// The report of a change as it stands.
pub fn report(view: &View<'_>, artifacts: &dyn Artifacts) -> Result<Report, ArtifactError> {
    let scenes = gallery::scenes(view, artifacts)?;
    let mut sections = vec![change::requirement(view), change::diff(view), checks::section(view)];
    sections.extend(gallery::curves(view, &scenes));
    sections.extend(gallery::pictures(view, artifacts)?);
    sections.extend(gallery::replay(scenes));
    sections.extend(study::section(view, artifacts)?);
    sections.extend([
        course::repairs(view),
        calls::section_of(view),
        course::people(view),
        course::timeline(view),
        caveats(view),
    ]);
    sections.retain(|section| !section.blocks.is_empty());
    Ok(Report {
        title: Text::new("Change verification", "改动验证"),
        run_id: view.history.id.to_string(),
        lang: view.brief.lang,
        generated_from: provenance(view),
        verdict: verdict::verdict(view),
        sections,
    })
}

/// A section without a note on how to read it.
fn section(id: &str, title: Text, blocks: Vec<Block>) -> Section {
    Section { id: id.to_owned(), title, intro: None, folded: false, blocks }
}

fn words(text: Text, manner: Manner, tone: Tone) -> Block {
    Block::Paragraph(Paragraph { text, manner, tone })
}

fn caveats(view: &View<'_>) -> Section {
    let mut blocks: Vec<_> =
        view.brief.caveats.iter().map(|text| words(text.clone(), Manner::Plain, Tone::Neutral)).collect();
    if view.study.is_none() && !view.runs.is_empty() {
        let text = Text::new("Fixed path only: no other trials were run.", "仅固定轨迹：没有进行其他试验。");
        blocks.insert(0, words(text, Manner::Note, Tone::Neutral));
    }
    section("caveats", Text::new("What this evidence does not show", "这份证据没有说明什么"), blocks)
}

/// What the report rests on: versions, digests, seed, and what the figures are based on.
fn provenance(view: &View<'_>) -> Vec<Fact> {
    let brief = &view.brief;
    let plain = |en: &str, zh: &str, value: String| Fact::new(Text::new(en, zh), Text::same(value));
    let code = |en: &str, zh: &str, value: String| Fact::code(Text::new(en, zh), value);
    let baseline = loopwright_core::json::Json::new(view.inputs.baseline.clone()).digest();
    let mut facts = vec![
        code("run", "运行", view.history.id.to_string()),
        plain("engine", "引擎", format!("{} {} ({})", brief.engine.name, brief.engine.version, brief.engine.build_id)),
        plain("pack", "数据包", format!("{} {}", brief.pack.name, brief.pack.version)),
        code("pack digest", "数据包摘要", brief.pack.digest.to_string()),
        plain("seed", "种子", brief.seed.to_string()),
        plain("policy", "策略", brief.policy.name().to_owned()),
        code("baseline config, SHA-256", "基线配置 SHA-256", baseline.to_string()),
    ];
    if let Some(model) = &brief.model {
        facts.push(plain("model", "模型", format!("{} ({})", model.identity.model, model.identity.provider)));
    }
    if let Some(newest) = view.candidates.last() {
        facts.push(code("candidate config, SHA-256", "候选配置 SHA-256", newest.config_sha256.to_string()));
    }
    for (field, value) in view.basis() {
        facts.push(Fact::new(Text::same(field), Text::same(loopwright_configs::text::plain(&value))));
    }
    facts.push(code("contract digest", "契约摘要", view.history.run.graph().digest().to_string()));
    facts.push(plain("facts in the journal", "日志事实数", view.history.head.length.to_string()));
    facts.push(code("journal head", "日志末摘要", view.history.head.digest.to_string()));
    if let Some(first) = view.history.facts.first() {
        facts.push(plain("begun", "开始于", time(first.at_ms)));
    }
    facts
}
