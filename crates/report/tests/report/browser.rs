//! The page in a real browser: it runs without an error, asks nobody for anything, and draws what the model says.
//!
//! Where no browser is installed these tests say so and pass, unless `LOOPWRIGHT_REQUIRE_BROWSER=1`.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::support::{fountain, hostile};
use loopwright_report::model::{Block, Scene};
use loopwright_report::{Report, html};

const NAMES: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A browser on the path. `None` skips a test, loudly; where one is required its absence is a failure.
fn browser() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let found =
        env::split_paths(&path).flat_map(|folder| NAMES.map(|name| folder.join(name))).find(|file| file.is_file());
    let required = env::var_os("LOOPWRIGHT_REQUIRE_BROWSER").is_some_and(|value| value == "1");
    assert!(found.is_some() || !required, "LOOPWRIGHT_REQUIRE_BROWSER=1, but none of {NAMES:?} is on the PATH");
    if found.is_none() {
        eprintln!("SKIPPED: none of {NAMES:?} is on the PATH; the page was not opened in a browser");
    }
    found
}

struct Visit {
    /// The document after its scripts ran.
    dom: String,
    /// What the page wrote to its console, errors and refused requests among it.
    console: Vec<String>,
}

fn visit(browser: &Path, page: &str, fragment: &str) -> Visit {
    let folder = tempfile::tempdir().expect("a folder for the page");
    let file = folder.path().join("report.html");
    fs::write(&file, page).expect("the page is written");
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(["--enable-logging=stderr", "--window-size=1280,2000", "--virtual-time-budget=5000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.path().join("profile").display()))
        .arg(format!("file://{}#{fragment}", file.display()))
        .output()
        .expect("the browser starts");
    let (dom, log) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(dom.contains("</html>"), "the browser gave no document: {log}");
    let console = log.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    Visit { dom: dom.into_owned(), console }
}

/// The value of an attribute wherever it stands, in the document's order.
fn values(dom: &str, attribute: &str) -> Vec<String> {
    let start = format!(" {attribute}=\"");
    let ends = dom.split(&start).skip(1);
    ends.filter_map(|rest| rest.split_once('"')).map(|(value, _)| value.to_owned()).collect()
}

fn scenes(report: &Report) -> impl Iterator<Item = &Scene> {
    let blocks = report.sections.iter().flat_map(|section| &section.blocks);
    blocks.filter_map(|block| if let Block::Scene(scene) = block { Some(scene) } else { None })
}

#[test]
fn the_last_frame_shows_what_the_model_counts() {
    let Some(browser) = browser() else { return };
    for report in [fountain::report(), hostile()] {
        let visit = visit(&browser, &html::page(&report), "test");
        assert_eq!(visit.console, [""; 0]);
        assert_eq!(values(&visit.dom, "data-requests"), [""]);
        assert_eq!(values(&visit.dom, "data-tested"), ["1"]);
        let mut expected = Vec::new();
        for scene in scenes(&report) {
            for side in &scene.sides {
                let counted = side.counters[0].values.last().copied().unwrap_or_default();
                expected.push(counted.to_string());
            }
        }
        assert!(expected.iter().all(|alive| alive != "0"), "an empty last frame would prove nothing");
        assert_eq!(values(&visit.dom, "data-alive"), expected);
    }
}

#[test]
fn a_side_that_ends_early_keeps_its_last_frame() {
    let Some(browser) = browser() else { return };
    let mut report = fountain::report();
    let mut expected = Vec::new();
    for section in &mut report.sections {
        for block in &mut section.blocks {
            if let Block::Scene(scene) = block {
                scene.sides[0].steps = Some(1_000);
                expected = vec![scene.sides[0].particles.alive(999), scene.sides[1].particles.alive(scene.steps - 1)];
            }
        }
    }
    let visit = visit(&browser, &html::page(&report), "test");
    let expected: Vec<String> = expected.iter().map(ToString::to_string).collect();
    assert_eq!(values(&visit.dom, "data-alive"), expected);
    assert_eq!(values(&visit.dom, "data-step"), ["999", "2160"]);
}

/// Presses what a reader would press, and writes down what happened.
const READER: &str = r#"<script>
addEventListener("load", () => {
  const notes = [];
  const seen = (selector) => document.querySelector(selector).checkVisibility();
  const press = (key) => document.querySelector(".scene")
    .dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const step = () => loopwright.scenes[0].step();
  notes.push(seen("h1 [lang=en]"), seen("h1 [lang=zh-CN]"), document.documentElement.lang);
  document.querySelector("[data-set-lang=zh]").click();
  notes.push(seen("h1 [lang=en]"), seen("h1 [lang=zh-CN]"), document.documentElement.lang, location.hash);
  notes.push(document.querySelector(".pictures img").alt);
  document.querySelector("[data-set-theme=dark]").click();
  notes.push(getComputedStyle(document.documentElement).colorScheme);
  for (const key of ["Home", "ArrowRight", "ArrowRight", "ArrowLeft"]) press(key);
  notes.push(step());
  press("End");
  notes.push(step());
  press(" ");
  notes.push(step(), seen(".to-pause"));
  press(" ");
  notes.push(seen(".to-pause"));
  document.querySelector("[data-view=slider]").click();
  notes.push(seen(".divide"));
  document.querySelector("[data-shot='2']").click();
  notes.push([...document.querySelectorAll(".shot")].map((shot) => shot.checkVisibility()).join());
  const body = document.querySelector(".plot-body"), area = body.getBoundingClientRect();
  body.dispatchEvent(new PointerEvent("pointermove", { clientX: area.left + area.width, clientY: area.top + 5 }));
  notes.push(document.querySelector(".reader p").textContent.replaceAll("\n", "/"));
  document.documentElement.setAttribute("data-notes", notes.join(" | "));
});
</script></body>"#;

#[test]
fn every_control_does_what_it_says() {
    let Some(browser) = browser() else { return };
    let report = fountain::report();
    let page = html::page(&report).replace("</body>", READER);
    let visit = visit(&browser, &page, "");
    assert_eq!(visit.console, [""; 0]);
    let counted = |side: usize| scenes(&report).map(|scene| scene.sides[side].particles.alive(2_160)).sum::<usize>();
    let read = format!("36/基线 {}/候选 {}", counted(0), counted(1));
    let notes = [
        "true | false | en",
        "false | true | zh-CN | #lang=zh",
        "第 10 秒的喷泉",
        "dark",
        "1",
        "2160",
        // Playing from the end begins again.
        "0 | true",
        "false",
        "true",
        "false,false,true,true",
        &read,
    ];
    assert_eq!(values(&visit.dom, "data-notes"), [notes.join(" | ")]);
}

#[test]
fn an_error_or_a_request_would_be_seen() {
    let Some(browser) = browser() else { return };
    let page = html::page(&fountain::report());
    let broken = page.replace("</body>", "<script>nothing.here()</script></body>");
    assert!(visit(&browser, &broken, "test").console.iter().any(|line| line.contains("nothing is not defined")));

    // Port 9 discards; whether it answers does not matter, only that somebody asked.
    let asking = page.replace("<main", "<img alt=\"\" src=\"http://127.0.0.1:9/x.png\"><main");
    let refused = visit(&browser, &asking, "test");
    assert!(refused.console.iter().any(|line| line.contains("Content Security Policy")), "{:?}", refused.console);
    let (before, policy) = asking.split_once("<meta http-equiv").expect("the page has a policy");
    let (_, after) = policy.split_once('>').expect("the policy ends");
    let let_through = visit(&browser, &format!("{before}{after}"), "test");
    assert_eq!(values(&let_through.dom, "data-requests"), ["http://127.0.0.1:9/x.png"]);
}
