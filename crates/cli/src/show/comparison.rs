//! Two runs side by side, as people read them.

use loopwright_changes::checks::Status as CheckStatus;
use loopwright_changes::workflow::compare::{CheckSide, Comparison, FigureRow};
use loopwright_configs::Lang;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use super::page::Page;
use super::{BAD, FAINT, GOOD, STRONG, amount, harmless, limit, one_line, pad, styled, value};

/// The text of a comparison.
pub(crate) fn text(comparison: &Comparison, lang: Lang) -> String {
    let mut page = Sides(Page::new(lang));
    page.heading(comparison);
    page.notes(comparison);
    page.configs(comparison);
    page.checks(comparison);
    page.figures(comparison);
    page.0.text
}

/// What is written, section by section.
struct Sides(Page);

impl Sides {
    fn heading(&mut self, comparison: &Comparison) {
        for (letter, run) in ["A", "B"].into_iter().zip(&comparison.runs) {
            let about = match &run.requirement {
                Some(requirement) => one_line(requirement, 60),
                None => self.0.tr("(candidate)", "（候选配置）").to_owned(),
            };
            let candidate = format!("{} {}", self.0.tr("candidate", "候选"), run.iteration);
            let name = styled(STRONG, &format!("{letter}  {}", run.run_id));
            self.0.line(&format!("{name}  {}  {candidate}  {}", run.status, styled(FAINT, &about)));
        }
    }

    fn notes(&mut self, comparison: &Comparison) {
        if !comparison.comparable {
            let warning = self.0.tr(
                "These runs are not comparable: figures below stand side by side, and no difference between them may be \
                 put down to the candidates.",
                "这两次运行不可比：下面的数据仅并列展示，其差异不能归因于候选配置。",
            );
            let warning = styled(BAD, warning);
            self.0.line("");
            self.0.line(&warning);
        }
        for note in &comparison.notes {
            let sign = if note.incomparable { styled(BAD, "✗") } else { styled(FAINT, "–") };
            self.0.line(&format!("  {sign} {}", harmless(note.message.get(self.0.lang))));
        }
    }

    fn configs(&mut self, comparison: &Comparison) {
        self.0.title("Configs", "配置");
        if comparison.config_diff.is_empty() {
            let none = self.0.tr("no difference is known", "未发现差异");
            return self.0.line(&format!("  {none}"));
        }
        let [one, other] = &comparison.runs;
        let same_baseline = one.baseline_sha256 == other.baseline_sha256;
        let baseline = self.0.tr("baseline", "基线");
        let mut rows = vec![(String::from(" "), self.header("field", "字段", baseline, same_baseline))];
        for row in &comparison.config_diff {
            let cell = |side: &Option<Value>| {
                side.as_ref().map_or_else(|| "–".to_owned(), |side| amount(side, row.unit.as_ref(), self.0.lang))
            };
            let mut cells = vec![row.label.get(self.0.lang).to_owned(), cell(&row.baseline[0])];
            if !same_baseline {
                cells.push(cell(&row.baseline[1]));
            }
            cells.extend(row.candidate.iter().map(cell));
            rows.push((if row.differs { "≠" } else { "=" }.to_owned(), cells));
        }
        self.table(&rows);
    }

    fn header(&self, en: &str, zh: &str, second: &str, once: bool) -> Vec<String> {
        let mut header = vec![self.0.tr(en, zh).to_owned()];
        if once {
            header.push(second.to_owned());
        } else {
            header.extend(["A", "B"].map(|letter| format!("{second} {letter}")));
        }
        header.extend(["A".to_owned(), "B".to_owned()]);
        header
    }

    fn checks(&mut self, comparison: &Comparison) {
        if comparison.checks.is_empty() {
            return;
        }
        self.0.title("Checks", "检查");
        let expected = |side: &Option<CheckSide>| side.as_ref().map(|side| side.expected.clone());
        let one_limit = comparison.checks.iter().all(|row| match &row.sides {
            [Some(one), Some(other)] => one.expected == other.expected,
            _ => true,
        });
        let header = self.header("check", "检查", self.0.tr("limit", "限值"), one_limit);
        let mut rows = vec![(String::from(" "), header)];
        for row in &comparison.checks {
            let shown = |limit_of: Option<Value>| limit_of.as_ref().map_or_else(|| "–".to_owned(), limit);
            let mut cells = vec![row.title.get(self.0.lang).to_owned()];
            if one_limit {
                cells.push(shown(row.sides.iter().find_map(expected)));
            } else {
                cells.extend(row.sides.iter().map(|side| shown(expected(side))));
            }
            for side in &row.sides {
                cells.push(side.as_ref().map_or_else(|| "–".to_owned(), |side| self.verdict(side, row.unit.as_ref())));
            }
            let passed = |side: &Option<CheckSide>| side.as_ref().map(|side| side.status);
            rows.push((if passed(&row.sides[0]) == passed(&row.sides[1]) { "=" } else { "≠" }.to_owned(), cells));
        }
        self.table(&rows);
    }

    fn verdict(&self, side: &CheckSide, unit: Option<&loopwright_configs::Text>) -> String {
        match side.status {
            CheckStatus::Passed => format!("✓ {}", amount(&side.actual, unit, self.0.lang)),
            CheckStatus::Failed => format!("✗ {}", amount(&side.actual, unit, self.0.lang)),
            CheckStatus::NotEvaluated => format!("– {}", self.0.tr("not evaluated", "未评估")),
        }
    }

    fn figures(&mut self, comparison: &Comparison) {
        let differing: Vec<_> = comparison.figures.iter().filter(|row| row.differs).collect();
        if comparison.figures.is_empty() {
            return;
        }
        self.0.title("Figures that differ", "不同的数据");
        if differing.is_empty() {
            let none = self.0.tr("none", "无");
            return self.0.line(&format!("  {none}"));
        }
        let header = vec![self.0.tr("figure", "数据").to_owned(), "A".to_owned(), "B".to_owned(), "B − A".to_owned()];
        let mut rows = vec![(String::from(" "), header)];
        for row in differing {
            let cell = |side: &Option<Value>| side.as_ref().map_or_else(|| "–".to_owned(), value);
            let [one, other] = &row.values;
            // A difference that means nothing is not computed.
            let difference = if comparison.comparable { difference(row) } else { String::new() };
            rows.push((String::from(" "), vec![row.path.to_string(), cell(one), cell(other), difference]));
        }
        self.table(&rows);
    }

    fn table(&mut self, rows: &[(String, Vec<String>)]) {
        let columns = rows.first().map_or(0, |(_, cells)| cells.len());
        let width = |column: usize| rows.iter().map(|(_, cells)| cells[column].width()).max().unwrap_or_default();
        let widths: Vec<_> = (0..columns).map(width).collect();
        for (sign, cells) in rows {
            let mut line = format!("  {sign} ");
            for (cell, width) in cells.iter().zip(&widths) {
                let style = if cell.starts_with("✓ ") { Some(GOOD) } else { cell.starts_with("✗ ").then_some(BAD) };
                line.push_str(&style.map_or_else(|| cell.clone(), |style| styled(style, cell)));
                line.push_str(&pad("", (width + 2).saturating_sub(cell.width())));
            }
            self.0.line(&line);
        }
    }
}

fn difference(row: &FigureRow) -> String {
    let number = |side: &Option<Value>| side.as_ref().and_then(Value::as_f64);
    let [one, other] = &row.values;
    let Some((one, other)) = number(one).zip(number(other)) else { return String::new() };
    let difference = other - one;
    let sign = if difference > 0.0 { "+" } else { "" };
    format!("{sign}{}", value(&Value::from(difference)))
}
