//! A batch as people read it, while it runs and afterwards.

use std::io::{self, IsTerminal};
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use loopwright_changes::batch::against::Against;
use loopwright_changes::batch::standing::{Class, Standing};
use loopwright_changes::batch::summary::Summary;
use loopwright_configs::{Lang, Text};

use super::{BAD, FAINT, GOOD, STRONG, harmless, limit, one_line, pad, styled, tr, value};
use crate::args::Format;

/// How many items a list shows before it only counts; the page has them all.
const MOST_SHOWN: usize = 20;

/// Tells people on standard error how far a batch is: a bar at a terminal, a line an item elsewhere.
pub(crate) struct Progress {
    lang: Lang,
    total: usize,
    done: usize,
    failed: usize,
    shown: Shown,
}

enum Shown {
    Nothing,
    Lines,
    Bar(ProgressBar),
}

impl Progress {
    pub(crate) fn new(format: Format, lang: Lang, total: usize) -> Self {
        let shown = match format {
            Format::Human if io::stderr().is_terminal() => Shown::Bar(bar(lang, total)),
            Format::Human => Shown::Lines,
            _ => Shown::Nothing,
        };
        Self { lang, total, done: 0, failed: 0, shown }
    }

    /// One item has come to rest.
    pub(crate) fn arrived(&mut self, item: &Standing) {
        self.done += 1;
        self.failed += usize::from(!matches!(item.class(), Class::Passed | Class::Waiting));
        match &self.shown {
            Shown::Nothing => {}
            Shown::Lines => {
                let done = format!("[{:>width$}/{}]", self.done, self.total, width = self.total.to_string().len());
                anstream::eprintln!(
                    "{done} {} {}  {}",
                    sign(item.class()),
                    one_line(&item.name, 60),
                    word(item, self.lang)
                );
            }
            Shown::Bar(bar) => {
                let words = tr(self.lang, "not passed", "未通过");
                bar.set_message(format!("{} {words}", self.failed));
                bar.inc(1);
            }
        }
    }

    /// Nothing more will come.
    pub(crate) fn end(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

fn bar(lang: Lang, total: usize) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total as u64), ProgressDrawTarget::stderr());
    let left = tr(lang, "left", "剩余");
    let template = format!("{{bar:30}} {{pos}}/{{len}}  {{msg}}  {left} {{eta}}");
    // The template is fixed; if it were wrong, the default one shows the same figures.
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style);
    }
    bar
}

fn sign(class: Class) -> String {
    match class {
        Class::Passed => styled(GOOD, "✓"),
        Class::Failed | Class::Invalid => styled(BAD, "✗"),
        Class::World => styled(BAD, "!"),
        Class::Waiting | Class::Undone => styled(FAINT, "–"),
    }
}

fn word(item: &Standing, lang: Lang) -> String {
    let class = || item.class().title().get(lang).to_owned();
    item.status.map_or_else(class, |status| status.name().to_owned())
}

/// The text of a batch.
pub(crate) fn text(summary: &Summary, folder: &Path, lang: Lang) -> String {
    let mut text = String::new();
    let shard = summary.shard.map(|shard| format!(" · {shard}")).unwrap_or_default();
    let head = format!("{} {}{shard}", tr(lang, "batch", "批次"), styled(STRONG, &summary.batch));
    line(&mut text, &head);
    for (class, count) in summary.counts().into_iter().filter(|(_, count)| *count > 0) {
        line(&mut text, &format!("  {} {count:>5}  {}", sign(class), class.title().get(lang)));
    }
    let lists = [
        (Class::Failed, Text::new("Failed", "未通过")),
        (Class::Invalid, Text::new("Invalid input", "输入无效")),
        (
            Class::World,
            Text::new("Failed with the world; the same command tries again", "外部故障；再次运行同一命令会重试"),
        ),
    ];
    for (class, title) in lists {
        let items: Vec<_> = summary.of(class).collect();
        list(&mut text, title.get(lang), &items, lang);
    }
    if let Some(against) = &summary.against {
        changes(&mut text, against, lang);
    }
    line(&mut text, "");
    line(&mut text, &format!("{} {}", tr(lang, "summary", "汇总"), folder.join("summary.html").display()));
    line(&mut text, &format!("JUnit {}", folder.join("junit.xml").display()));
    text
}

fn list(text: &mut String, title: &str, items: &[&Standing], lang: Lang) {
    if items.is_empty() {
        return;
    }
    line(text, "");
    line(text, &styled(STRONG, title));
    for item in items.iter().take(MOST_SHOWN) {
        let run = item.run_id.as_ref().map(|run| styled(FAINT, run)).unwrap_or_default();
        line(text, &format!("  {} {}  {}  {run}", sign(item.class()), one_line(&item.name, 60), word(item, lang)));
        for why in reasons(item, lang) {
            line(text, &format!("      {}", harmless(&why)));
        }
    }
    more(text, items.len(), lang);
}

fn reasons(item: &Standing, lang: Lang) -> Vec<String> {
    let check = |check: &loopwright_changes::batch::standing::FailedCheck| {
        format!("{}: {} ({})", check.title.get(lang), value(&check.actual), limit(&check.expected))
    };
    let checks = item.failed_checks.iter().map(check);
    checks.chain(item.message.as_ref().map(|message| message.get(lang).to_owned())).collect()
}

fn changes(text: &mut String, against: &Against, lang: Lang) {
    let lists = [
        (Text::new("new failures", "新增未通过"), BAD, &against.new_failures),
        (Text::new("still failing", "仍未通过"), BAD, &against.still_failing),
        (Text::new("fixed", "已修复"), GOOD, &against.fixed),
        (Text::new("no verdict now", "现无结论"), FAINT, &against.without_verdict),
    ];
    line(text, "");
    line(text, &styled(STRONG, &format!("{} {}", tr(lang, "Against", "对比"), against.batch)));
    for (title, style, names) in lists {
        line(text, &format!("  {} {:>5}", pad(title.get(lang), 16), names.len()));
        for name in names.iter().take(MOST_SHOWN) {
            line(text, &format!("      {}", styled(style, &one_line(name, 70))));
        }
        more(text, names.len(), lang);
    }
    // Nobody waits for what is gone; the page has the names.
    line(text, &format!("  {} {:>5}", pad(tr(lang, "gone", "已不存在"), 16), against.gone.len()));
}

fn more(text: &mut String, count: usize, lang: Lang) {
    if count > MOST_SHOWN {
        let rest = count - MOST_SHOWN;
        let words = match lang {
            Lang::En => format!("      … and {rest} more on the page"),
            Lang::Zh => format!("      … 另有 {rest} 项见汇总页"),
        };
        line(text, &words);
    }
}

fn line(text: &mut String, line: &str) {
    text.push_str(line.trim_end());
    text.push('\n');
}
