//! The page's structure, without a browser.

use std::collections::BTreeSet;

use crate::support::{fountain, hostile, small};
use loopwright_report::{Lang, Report, html};

/// Elements that have no end tag.
const VOID: [&str; 4] = ["meta", "img", "input", "br"];

struct Tag {
    name: String,
    attributes: Vec<(String, String)>,
}

/// Reads every start tag, and fails where tags do not nest.
fn tags(page: &str) -> Vec<Tag> {
    let mut found = Vec::new();
    let mut open: Vec<String> = Vec::new();
    let mut rest = page.strip_prefix("<!doctype html>").expect("a page says what it is");
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(tail) = rest.strip_prefix('/') {
            let (name, tail) = tail.split_once('>').expect("an end tag ends");
            assert_eq!(open.pop().as_deref(), Some(name), "…{}", &rest[..rest.len().min(200)]);
            rest = tail;
            continue;
        }
        let length = rest.find(|c: char| !c.is_ascii_alphanumeric()).expect("a tag ends");
        let name = rest[..length].to_owned();
        assert!(length > 0, "a stray `<` before {}", &rest[..40]);
        rest = &rest[length..];
        let mut attributes = Vec::new();
        let closed = loop {
            rest = rest.trim_start();
            if let Some(tail) = rest.strip_prefix("/>") {
                break (true, tail);
            }
            if let Some(tail) = rest.strip_prefix('>') {
                break (false, tail);
            }
            let length = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '-')).expect("an attribute ends");
            assert!(length > 0, "a stray character in <{name}>: {}", &rest[..40]);
            let (key, tail) = rest.split_at(length);
            let (value, tail) = match tail.strip_prefix("=\"") {
                Some(tail) => tail.split_once('"').expect("a value ends"),
                None => ("", tail),
            };
            assert!(!value.contains('<'), "{name} {key}={value}");
            attributes.push((key.to_owned(), value.to_owned()));
            rest = tail;
        };
        rest = closed.1;
        if name == "script" || name == "style" {
            let end = rest.find(&format!("</{name}")).expect("raw text ends");
            rest = &rest[end + name.len() + 3..];
        } else if !closed.0 && !VOID.contains(&name.as_str()) {
            open.push(name.clone());
        }
        found.push(Tag { name, attributes });
    }
    assert_eq!(open, [""; 0]);
    found
}

fn every_report() -> Vec<(&'static str, Report)> {
    let empty = Report::default();
    vec![("sample", fountain::report()), ("small", small(Lang::Zh)), ("hostile", hostile()), ("empty", empty)]
}

#[test]
fn tags_nest_and_ids_are_unique() {
    for (name, report) in every_report() {
        let mut ids = BTreeSet::new();
        for tag in tags(&html::page(&report)) {
            for (key, value) in tag.attributes {
                assert!(key != "id" || ids.insert(value.clone()), "{name}: a second {value}");
                assert!(!key.starts_with("on"), "{name}: <{} {key}>", tag.name);
            }
        }
    }
}

#[test]
fn nothing_leaves_the_file() {
    for (name, report) in every_report() {
        let page = html::page(&report);
        for outside in ["http://", "https://", "@import", "url(", "fetch(", "XMLHttpRequest", "<link", "<iframe"] {
            assert!(!page.contains(outside), "{name} holds {outside}");
        }
        for tag in tags(&page) {
            for (key, value) in &tag.attributes {
                match key.as_str() {
                    "src" => assert!(value.starts_with("data:image/png;base64,"), "{name}: {value}"),
                    "href" => assert!(value.starts_with('#'), "{name}: {value}"),
                    "srcset" | "action" | "poster" | "data" => panic!("{name}: <{} {key}>", tag.name),
                    _ => (),
                }
            }
        }
    }
}

#[test]
fn hostile_text_opens_nothing() {
    let page = html::page(&hostile());
    let (tame, spoilt) = (tags(&html::page(&fountain::report())), tags(&page));
    let count = |tags: &[Tag], name: &str| tags.iter().filter(|tag| tag.name == name).count();
    for name in ["script", "style", "img", "a", "section", "canvas"] {
        assert_eq!(count(&tame, name), count(&spoilt, name), "{name}");
    }
    assert!(!page.contains('\0') && !page.contains('\u{1b}'));
    assert!(page.contains("&lt;/script&gt;"));
}

#[test]
fn headings_descend_one_level_at_a_time() {
    for (name, report) in every_report() {
        let levels: Vec<u32> = tags(&html::page(&report))
            .iter()
            .filter_map(|tag| tag.name.strip_prefix('h').and_then(|level| level.parse().ok()))
            .collect();
        assert_eq!(levels.first(), Some(&1), "{name}");
        assert_eq!(levels.iter().filter(|level| **level == 1).count(), 1, "{name}");
        assert!(levels.windows(2).all(|pair| pair[1] <= pair[0] + 1), "{name}: {levels:?}");
    }
}

#[test]
fn what_is_seen_is_also_said() {
    let page = html::page(&fountain::report());
    for tag in tags(&page) {
        let has = |wanted: &str| tag.attributes.iter().any(|(key, value)| key == wanted && !value.is_empty());
        match tag.name.as_str() {
            "img" => assert!(has("alt")),
            "svg" => assert!(has("aria-label") || has("aria-hidden")),
            "th" => assert!(has("scope")),
            "canvas" | "input" => assert!(has("aria-label")),
            _ => (),
        }
    }
}

#[test]
fn both_languages_are_in_the_page_and_one_comes_first() {
    for (lang, start) in
        [(Lang::En, "<html lang=\"en\" data-lang=\"en\">"), (Lang::Zh, "<html lang=\"zh-CN\" data-lang=\"zh\">")]
    {
        let page = html::page(&small(lang));
        assert!(page.contains(start));
        assert!(page.contains("<bdi lang=\"en\">1 of 3 checks failed.</bdi>"));
        assert!(page.contains("<bdi lang=\"zh-CN\">3 项检查中 1 项未通过。</bdi>"));
    }
}

#[test]
fn equal_models_give_equal_bytes() {
    assert_eq!(html::page(&fountain::report()), html::page(&fountain::report()));
}
