//! A comment under a change: the verdict and what can be read as text, in GitHub's Markdown.

use std::fmt::Write as _;

use loopwright_configs::{Lang, Text};

use crate::difference;
use crate::model::{
    Block, Distribution, Fact, Limits, Manner, Paragraph, Pictures, Report, Section, Table, Timeline, Tone,
};
use crate::numbers::figure;
use crate::statistics::Summary;
use crate::words;

/// GitHub refuses comments above 65,536 characters.
const LONGEST: usize = 65_000;

/// How much of it the sections may take, so that what was left out can still be named.
const SECTIONS: usize = 58_000;

/// How many of the sections left out are named.
const NAMED: usize = 12;

// Results of `write!` are let go below: writing to a string cannot fail.

/// The comment, in the report's language. A section that would make it too long is left out and named.
pub fn comment(report: &Report) -> String {
    let comment = Comment { lang: report.lang };
    let mut out = comment.head(report);
    let mut left_out = Vec::new();
    for section in &report.sections {
        let part = comment.section(section);
        match () {
            () if part.is_empty() => left_out.push(&section.title),
            () if out.chars().count() + part.chars().count() > SECTIONS => left_out.push(&section.title),
            () => out.push_str(&part),
        }
    }
    let foot = comment.foot(report, &left_out);
    if out.chars().count() + foot.chars().count() <= LONGEST {
        out.push_str(&foot);
    }
    out
}

struct Comment {
    lang: Lang,
}

impl Comment {
    fn head(&self, report: &Report) -> String {
        let verdict = &report.verdict;
        let mut out = format!("## {} {}\n\n", sign(verdict.tone), self.line(&verdict.headline));
        let _ = write!(out, "{} · {} · {}\n\n", self.line(&report.title), code(&report.run_id), code(&verdict.status));
        if !verdict.decide.get(self.lang).is_empty() {
            let _ = write!(out, "**{}**\n\n", self.line(&verdict.decide));
        }
        if !verdict.commands.is_empty() {
            out.push_str(&fenced(&verdict.commands.join("\n")));
        }
        out
    }

    /// A section, empty where nothing in it can be read as text.
    fn section(&self, section: &Section) -> String {
        let blocks: String = section.blocks.iter().map(|block| self.block(block)).collect();
        if blocks.is_empty() {
            return blocks;
        }
        let title = self.line(&section.title);
        let intro = section.intro.as_ref().map(|intro| format!("{}\n\n", self.line(intro))).unwrap_or_default();
        if section.folded {
            return format!("<details><summary>{title}</summary>\n\n{intro}{blocks}</details>\n\n");
        }
        format!("### {title}\n\n{intro}{blocks}")
    }

    fn block(&self, block: &Block) -> String {
        match block {
            Block::Paragraph(block) => self.paragraph(block),
            Block::Facts(block) => self.facts(&block.facts),
            Block::Table(block) => self.table(block),
            Block::Limits(block) => self.limits(block),
            Block::Pictures(block) => self.pictures(block),
            Block::Distribution(block) => self.distribution(block),
            Block::Timeline(block) => self.timeline(block),
            Block::Series(_) | Block::Scene(_) => String::new(),
        }
    }

    fn paragraph(&self, block: &Paragraph) -> String {
        let text = escape(block.text.get(self.lang));
        match block.manner {
            Manner::Plain => format!("{text}\n\n"),
            Manner::Quote => format!("> {text}\n\n"),
            Manner::Note => format!("> **{}** {}\n\n", sign(block.tone), text),
        }
    }

    fn facts(&self, facts: &[Fact]) -> String {
        let line = |fact: &Fact| {
            let value = if fact.code { code(fact.value.get(self.lang)) } else { self.line(&fact.value) };
            format!("- {}: {value}\n", self.line(&fact.label))
        };
        let lines: String = facts.iter().map(line).collect();
        if lines.is_empty() { lines } else { lines + "\n" }
    }

    fn table(&self, block: &Table) -> String {
        let heads = block.columns.iter().map(|column| (self.line(&column.title), column.numeric));
        let rows = block.rows.iter().map(|row| {
            let cells = row.cells.iter().enumerate().map(|(index, cell)| {
                let tone = if index == 0 && row.tone != Tone::Neutral { row.tone } else { cell.tone };
                if tone == Tone::Neutral {
                    self.line(&cell.text)
                } else {
                    format!("{} {}", sign(tone), self.line(&cell.text))
                }
            });
            cells.collect()
        });
        self.captioned(block.caption.as_ref(), &grid(&heads.collect::<Vec<_>>(), rows))
    }

    fn limits(&self, block: &Limits) -> String {
        let figures = [words::LIMIT, words::BASELINE, words::CANDIDATE].map(|word| (self.word(word), true));
        let heads: Vec<_> =
            [(String::new(), false), (self.word(words::CHECK), false)].into_iter().chain(figures).collect();
        let rows = block.checks.iter().map(|check| {
            let label = self.line(&check.label);
            let note = check.note.as_ref().map(|note| format!("<br>{}", self.line(note))).unwrap_or_default();
            vec![
                sign(check.tone).to_owned(),
                label + &note,
                self.line(&check.bound()),
                self.line(&check.measured(check.baseline.as_ref())),
                self.line(&check.measured(check.candidate.as_ref())),
            ]
        });
        self.captioned(block.caption.as_ref(), &grid(&heads, rows))
    }

    /// Pictures that lie in files, as a small table; a comment cannot carry bytes.
    fn pictures(&self, block: &Pictures) -> String {
        let shown = |picture: &crate::model::Picture| {
            let file = picture.file.as_deref().filter(|file| !file.is_empty())?;
            Some(format!("![{}]({})", self.line(&picture.alt), address(file)))
        };
        let rows: Vec<Vec<String>> = block
            .shots
            .iter()
            .filter_map(|shot| {
                let right = shot.right.as_ref().and_then(shown).unwrap_or_default();
                Some(vec![self.line(&shot.label), shown(&shot.left)?, right])
            })
            .collect();
        if rows.is_empty() {
            return String::new();
        }
        let heads = block.shots.iter().find_map(|shot| Some((&shot.left.label, &shot.right.as_ref()?.label)));
        let (left, right) = heads.map(|(left, right)| (self.line(left), self.line(right))).unwrap_or_default();
        let heads = [(String::new(), false), (left, false), (right, false)];
        self.captioned(Some(&block.caption), &grid(&heads, rows.into_iter()))
    }

    fn distribution(&self, block: &Distribution) -> String {
        let heads = std::iter::once(words::SIDE).chain(words::summary_heads());
        let heads: Vec<_> = heads.enumerate().map(|(index, word)| (self.word(word), index > 0)).collect();
        let sides = [(self.word(words::BASELINE), &block.baseline), (self.word(words::CANDIDATE), &block.candidate)];
        let rows = sides.into_iter().filter_map(|(name, values)| {
            let summary = Summary::of(values)?;
            let figures = std::iter::once(summary.mean).chain(summary.percentiles);
            let figures = figures.map(|value| figure(difference::round(value)));
            Some([name, summary.count.to_string()].into_iter().chain(figures).collect())
        });
        let title = Text::new(
            format!("{}: {}", block.caption.en, block.axis.title().en),
            format!("{}：{}", block.caption.zh, block.axis.title().zh),
        );
        let mut out = self.captioned(Some(&title), &grid(&heads, rows));
        if let Some(text) = difference::sentence(block).filter(|_| block.paired) {
            let _ = write!(out, "{}\n\n", self.line(&text));
        }
        out
    }

    fn timeline(&self, block: &Timeline) -> String {
        let heads = [words::TIME, words::WHO, words::WHAT];
        let heads = heads.map(|word| (self.word(word), false));
        let rows = block.entries.iter().map(|entry| {
            let sign = if entry.tone == Tone::Neutral { String::new() } else { format!("{} ", sign(entry.tone)) };
            vec![escape(&entry.time), self.line(&entry.who), sign + &self.line(&entry.text)]
        });
        self.captioned(block.caption.as_ref(), &grid(&heads, rows))
    }

    fn captioned(&self, caption: Option<&Text>, grid: &str) -> String {
        match caption {
            Some(caption) => format!("**{}**\n\n{grid}\n", self.line(caption)),
            None => format!("{grid}\n"),
        }
    }

    fn foot(&self, report: &Report, left_out: &[&Text]) -> String {
        let mut out = String::new();
        if !left_out.is_empty() {
            let mut titles: Vec<String> = left_out.iter().take(NAMED).map(|title| self.line(title)).collect();
            if left_out.len() > NAMED {
                titles.push(format!("… +{}", left_out.len() - NAMED));
            }
            let word = self.word(("Only in the full report: ", "仅在完整报告中："));
            let _ = write!(out, "<sub>{word}{}</sub>\n\n", titles.join(&self.word((", ", "、"))));
        }
        if !report.generated_from.is_empty() {
            let title = self.word(words::MADE_FROM);
            let _ = write!(
                out,
                "<details><summary>{title}</summary>\n\n{}</details>\n",
                self.facts(&report.generated_from)
            );
        }
        out
    }

    /// A text on one line, escaped.
    fn line(&self, text: &Text) -> String {
        escape(text.get(self.lang))
    }

    fn word(&self, word: words::Word) -> String {
        words::text(word).get(self.lang).to_owned()
    }
}

fn sign(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "✅",
        Tone::Bad => "❌",
        Tone::Neutral => "➖",
    }
}

fn grid(heads: &[(String, bool)], rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut out = String::from("|");
    for (head, _) in heads {
        let _ = write!(out, " {head} |");
    }
    out.push_str("\n|");
    for (_, numeric) in heads {
        out.push_str(if *numeric { " ---: |" } else { " --- |" });
    }
    for row in rows {
        out.push_str("\n|");
        for cell in row {
            let _ = write!(out, " {cell} |");
        }
    }
    out + "\n"
}

/// Text that shall stay text on one line: nothing in it formats, links, mentions or opens markup, and it keeps to its
/// table cell.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut characters = text.trim_end().chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            // An empty comment keeps a name from being called and a number from becoming a link.
            '@' | '#' if characters.peek().is_some_and(|next| next.is_alphanumeric()) => {
                out.push(character);
                out.push_str("<!-- -->");
            }
            '\\' | '`' | '*' | '_' | '{' | '}' | '[' | ']' | '#' | '|' | '~' | '!' | '$' => {
                out.extend(['\\', character]);
            }
            '-' | '+' | '=' if out.is_empty() => out.extend(['\\', character]),
            '\n' => out.push_str("<br>"),
            _ if character.is_control() => out.push(' '),
            _ => out.push(character),
        }
    }
    out
}

/// Text in code style. A table cell ends at a pipe even there, so that pipes are escaped.
fn code(text: &str) -> String {
    let flat: String = text.chars().map(|character| if character.is_control() { ' ' } else { character }).collect();
    let fence = "`".repeat(longest_ticks(&flat) + 1);
    let pad = if flat.starts_with('`') || flat.ends_with('`') { " " } else { "" };
    format!("{fence}{pad}{}{pad}{fence}", flat.replace('|', "\\|"))
}

fn fenced(text: &str) -> String {
    let text: String = text.chars().filter(|character| *character == '\n' || !character.is_control()).collect();
    let fence = "`".repeat(longest_ticks(&text).max(2) + 1);
    format!("{fence}sh\n{text}\n{fence}\n\n")
}

fn longest_ticks(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or(0)
}

/// A file's path as an address: whatever could end or change the link is percent-encoded.
fn address(file: &str) -> String {
    let mut out = String::with_capacity(file.len());
    for byte in file.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
