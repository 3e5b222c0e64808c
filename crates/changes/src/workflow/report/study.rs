//! Both configs against many trials, beside the verdict and in plain words where they disagree with it.

use loopwright_configs::Text;
use loopwright_engines::artifact::ArtifactKind;
use loopwright_engines::study::Distribution as Figures;
use loopwright_report::model::{
    Axis, Block, Column, Distribution, Limits, Manner, Pictures, Row, Section, Table, Tone,
};
use loopwright_report::statistics::paired_difference;
use loopwright_runtime::artifacts::{ArtifactError, Artifacts};

use super::checks::limit;
use super::{gallery, words};
use crate::workflow::status::Status;
use crate::workflow::study::Word;
use crate::workflow::view::{ArtifactRecord, View};

/// The level of the confidence intervals.
const LEVEL: f64 = 0.95;

pub(super) fn section(view: &View<'_>, artifacts: &dyn Artifacts) -> Result<Option<Section>, ArtifactError> {
    let Some(study) = &view.study else { return Ok(None) };
    let mut blocks: Vec<_> = study.distributions.iter().map(|figures| verdict(view, figures)).collect();
    if !study.checks.is_empty() {
        let checks = study.checks.iter().map(|check| limit(check, None)).collect();
        let caption = Some(Text::new("The pack's checks of the trials", "数据包对试验的检查"));
        blocks.push(Block::Limits(Limits { caption, checks }));
    }
    blocks.extend(study.distributions.iter().map(distribution));
    if !study.findings.is_empty() {
        let row = |finding: &loopwright_engines::study::Finding| {
            Row::plain([finding.label.clone(), finding.baseline.clone(), finding.candidate.clone()])
        };
        let columns = vec![
            Column::words(Text::new("fairness", "公平性")),
            Column::words(Text::new("baseline", "基线")),
            Column::words(Text::new("candidate", "候选")),
        ];
        blocks.push(Block::Table(Table { caption: None, columns, rows: study.findings.iter().map(row).collect() }));
    }
    let of = |side: &str| -> Vec<(String, ArtifactRecord)> {
        let maps = study.artifacts.iter().filter(|record| record.kind == ArtifactKind::Map);
        let mine = maps.filter(|record| record.detail.get("side").and_then(|side| side.as_str()) == Some(side));
        mine.map(|record| ("study".to_owned(), record.clone())).collect()
    };
    let shots = gallery::pairs(&of("baseline"), &of("candidate"), artifacts)?;
    if !shots.is_empty() {
        blocks.push(Block::Pictures(Pictures { caption: Text::new("Fairness maps", "公平性图"), shots }));
    }
    let trials = study.trials;
    let intro = Text::new(
        format!("Both configs went through the same {trials} trials. Only the checks decide; this stands beside them."),
        format!("两份配置经历同样的 {trials} 次试验。只有检查决定结论，这里仅供参照。"),
    );
    let section = super::section("study", Text::new("Beyond the fixed path", "固定轨迹之外"), blocks);
    Ok(Some(Section { intro: Some(intro), ..section }))
}

/// What one figure says of the change, in a sentence.
fn verdict(view: &View<'_>, figures: &Figures) -> Block {
    let accepted = matches!(view.status, Status::EvidenceReady | Status::Accepted);
    let word = Word::of(figures);
    let disagrees = accepted && word.is_worse();
    let mut text = word.text(figures);
    if disagrees {
        text.en.push_str(" This disagrees with the verdict of the fixed path.");
        text.zh.push_str("这与固定轨迹的结论不一致。");
    }
    let tone = if disagrees { Tone::Bad } else { Tone::Neutral };
    words(text, if disagrees { Manner::Note } else { Manner::Plain }, tone)
}

fn distribution(figures: &Figures) -> Block {
    Block::Distribution(Distribution {
        caption: figures.label.clone(),
        axis: Axis { label: figures.label.clone(), unit: figures.unit.clone() },
        difference: paired_difference(&figures.baseline, &figures.candidate, LEVEL),
        baseline: figures.baseline.clone(),
        candidate: figures.candidate.clone(),
        paired: true,
    })
}
