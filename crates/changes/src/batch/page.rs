//! A batch as one page: self-contained, both languages, light and dark, no script.

use loopwright_configs::text::plain;
use loopwright_configs::{Lang, Text};

use super::against::Against;
use super::markup::escape;
use super::standing::{Class, Standing};
use super::summary::Summary;

/// The page around the content.
const FRAME: &str = include_str!("page.html");

/// How many names are listed before a list is folded up.
const MOST_UNFOLDED: usize = 20;

/// The page's text. `data_dir` leads from the page's folder to the data directory, with a `/` at its end.
pub fn page(summary: &Summary, data_dir: &str, lang: Lang) -> String {
    let title = format!("{} · loopwright", escape(&summary.batch));
    let checked = |own: Lang| Text::same(if own == lang { " checked" } else { "" });
    let values = [
        ("lang", Text::same(if lang == Lang::Zh { "zh" } else { "en" })),
        ("title", Text::same(title)),
        ("en_checked", checked(Lang::En)),
        ("zh_checked", checked(Lang::Zh)),
        ("body", Text::same(body(summary, data_dir))),
    ];
    // Both languages stand in the page, so either side of the filled frame is the whole of it.
    Text::same(FRAME).fill(&values).en
}

fn body(summary: &Summary, data_dir: &str) -> String {
    let mut parts = vec![heading(summary), counts(summary)];
    parts.extend(summary.against.as_ref().map(changes));
    let world: Vec<_> = summary.of(Class::World).collect();
    if !world.is_empty() {
        let title = Text::new("Failures of the world: no verdict", "外部故障：没有结论");
        let hint = Text::new("the same command tries these again", "再次运行同一命令会重试这些条目");
        parts.push(format!(
            "<h2>{}</h2>\n<p class=\"faint\">{}</p>\n{}",
            both(&title),
            both(&hint),
            table(&world, data_dir)
        ));
    }
    let mut others: Vec<_> = summary.items.iter().filter(|item| item.class() != Class::World).collect();
    // What needs somebody's eyes comes first; apart from that the order of the input stays.
    others.sort_by_key(|item| match item.class() {
        Class::Failed | Class::Invalid => 0,
        Class::Waiting | Class::Undone | Class::World => 1,
        Class::Passed => 2,
    });
    if !others.is_empty() {
        parts.push(format!("<h2>{}</h2>\n{}", both(&Text::new("Verdicts", "结论")), table(&others, data_dir)));
    }
    parts.join("\n")
}

fn heading(summary: &Summary) -> String {
    let shard = summary.shard.map(|shard| format!(" · {shard}")).unwrap_or_default();
    let terms = summary.terms.as_object().into_iter().flatten().map(|(name, value)| {
        // A part of the terms that has a name and a version is called by them; a digest by its beginning.
        let named = ["name", "version"].map(|field| value.get(field).map(plain));
        let value = match named {
            [Some(name), Some(version)] => format!("{name} {version}"),
            _ if name.ends_with("_sha256") => plain(value).chars().take(8).collect(),
            _ => plain(value),
        };
        format!("{} {}", both(&label(name)), escape(&value))
    });
    let exit = both(&Text::new("exit code", "退出码"));
    format!(
        "<h1>{}{shard}</h1>\n<p class=\"faint\">{exit} {} · {}</p>",
        escape(&summary.batch),
        summary.exit_code(),
        terms.collect::<Vec<_>>().join(" · "),
    )
}

fn counts(summary: &Summary) -> String {
    let count = |(class, count): (Class, usize)| {
        format!("<li class=\"{}\"><b>{count}</b>{}</li>", class.name(), both(&class.title()))
    };
    let all: String = summary.counts().into_iter().filter(|(_, count)| *count > 0).map(count).collect();
    format!("<ul class=\"counts\">{all}</ul>")
}

fn changes(against: &Against) -> String {
    let lists = [
        (Text::new("new failures", "新增未通过"), "failed", &against.new_failures),
        (Text::new("still failing", "仍未通过"), "failed", &against.still_failing),
        (Text::new("fixed", "已修复"), "passed", &against.fixed),
        (Text::new("failed earlier, no verdict now", "此前未通过，现无结论"), "waiting", &against.without_verdict),
        (Text::new("not in this batch any more", "本批次中已不存在"), "undone", &against.gone),
    ];
    let row = |(title, class, names): &(Text, &str, &Vec<String>)| {
        let class = if names.is_empty() { "undone" } else { *class };
        let (title, count) = (both(title), names.len());
        format!("<tr><th>{title}</th><td class=\"{class}\">{count}</td><td>{}</td></tr>\n", folded(names))
    };
    let rows: String = lists.iter().map(row).collect();
    let title = Text::new("Against ", "对比 ");
    format!("<h2>{}{}</h2>\n<div class=\"scroll\"><table>\n{rows}</table></div>", both(&title), escape(&against.batch))
}

/// Names one below the other; a long list is folded up.
fn folded(names: &[String]) -> String {
    let escaped: Vec<_> = names.iter().map(|name| escape(name)).collect();
    let shown = escaped.join("<br>");
    match escaped.as_slice() {
        [] => "–".to_owned(),
        [first, .., last] if names.len() > MOST_UNFOLDED => {
            format!("<details><summary>{first} … {last}</summary>{shown}</details>")
        }
        _ => shown,
    }
}

/// What people call a part of the terms.
fn label(name: &str) -> Text {
    let zh = match name {
        "pack" => "数据包",
        "engine" => "引擎",
        "seed" => "随机种子",
        "repair" => "自动修复",
        "device_profile" => "设备画像",
        "candidate_runs" => "候选运行上限",
        "baseline_sha256" => "基线",
        other => other,
    };
    Text::new(name.trim_end_matches("_sha256").replace('_', " "), zh)
}

fn table(items: &[&Standing], data_dir: &str) -> String {
    let titles = [
        Text::new("item", "条目"),
        Text::new("status", "状态"),
        Text::new("checks failed, or why", "未通过的检查或原因"),
        Text::new("evidence", "证据"),
    ];
    let header = titles.iter().map(both).collect::<Vec<_>>().join("</th><th>");
    let rows: String = items.iter().map(|item| row(item, data_dir)).collect();
    format!("<div class=\"scroll\"><table>\n<tr><th>{header}</th></tr>\n{rows}</table></div>")
}

fn row(item: &Standing, data_dir: &str) -> String {
    let class = item.class();
    let title = if item.title == item.name || item.title.starts_with('(') {
        String::new()
    } else {
        format!("<div class=\"faint\">{}</div>", escape(&item.title))
    };
    let status = item.status.map_or_else(|| both(&class.title()), |status| status.name().to_owned());
    let mut why: Vec<_> = item
        .failed_checks
        .iter()
        .map(|check| {
            let figures = format!("{} ({})", plain(&check.actual), plain(&check.expected));
            both(&Text::new(format!("{}: {figures}", check.title.en), format!("{}：{figures}", check.title.zh)))
        })
        .collect();
    why.extend(item.message.as_ref().map(both));
    let evidence = match (&item.evidence, &item.run_id) {
        (Some(folder), Some(run)) => {
            format!("<a href=\"{}{}/\">{}</a>", escape(data_dir), escape(folder), escape(run))
        }
        _ => "–".to_owned(),
    };
    format!(
        "<tr><td>{}{title}</td><td class=\"{}\">{status}</td><td>{}</td><td>{evidence}</td></tr>\n",
        escape(&item.name),
        class.name(),
        why.join("<br>"),
    )
}

/// A text in both languages, of which the page shows one.
fn both(text: &Text) -> String {
    if text.en == text.zh {
        return escape(&text.en);
    }
    let (en, zh) = (escape(&text.en), escape(&text.zh));
    format!("<span class=\"en\" lang=\"en\">{en}</span><span class=\"zh\" lang=\"zh\">{zh}</span>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::summary::tests::example;

    #[test]
    fn a_page_shows_every_item_and_keeps_the_world_apart() {
        let text = page(&example(), "../../", Lang::Zh);
        assert!(!text.contains("<script") && !text.contains("http"), "nothing runs and nothing is fetched");
        let [world, verdicts] = ["Failures of the world", "Verdicts"].map(|title| text.find(title).unwrap());
        let far = text.find("<td>far").unwrap();
        assert!(world < far && far < verdicts, "failures of the world have a table of their own");
        for item in ["<td>fine", "<td>&lt;script&gt;", "<td>bad", "<td>asked", "<td>left"] {
            assert!(text.rfind(item).unwrap() > verdicts, "{item}");
        }
        assert!(text.contains("href=\"../../evidence/r1/\"") && text.contains("Load &amp; more: 4 (&lt;= 3)"));
        assert!(text.contains("id=\"zh\" checked") && !text.contains("id=\"en\" checked"));
    }

    #[test]
    fn what_did_not_pass_comes_first() {
        let text = page(&example(), "", Lang::En);
        let places = ["<td>&lt;script&gt;", "<td>bad", "<td>asked", "<td>fine"].map(|item| text.rfind(item).unwrap());
        assert!(places.is_sorted(), "{places:?}");
    }

    #[test]
    fn braces_in_names_are_never_filled() {
        let mut summary = example();
        "{body} {title}".clone_into(&mut summary.items[0].name);
        assert!(page(&summary, "", Lang::En).contains("<td>{body} {title}"));
    }
}
