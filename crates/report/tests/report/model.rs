//! The model as data: it survives JSON, and it says what does not add up.

use crate::support::{fountain, hostile, small};
use loopwright_report::model::{Block, Cell, Report};
use loopwright_report::{Lang, Text};

#[test]
fn a_report_survives_json() {
    for report in [small(Lang::Zh), fountain::report(), hostile()] {
        let json = serde_json::to_string(&report).unwrap();
        let back: Report = serde_json::from_str(&json).unwrap();
        assert_eq!(back, report);
        assert_eq!(serde_json::to_string(&back).unwrap(), json);
    }
}

#[test]
fn unknown_fields_are_refused() {
    let mut value = serde_json::to_value(small(Lang::En)).unwrap();
    value["sections"][0]["blocks"][0]["colour"] = "red".into();
    let error = serde_json::from_value::<Report>(value).unwrap_err().to_string();
    assert!(error.contains("colour"), "{error}");
}

#[test]
fn sound_reports_have_no_faults() {
    assert_eq!(fountain::report().faults(), []);
    assert_eq!(small(Lang::En).faults(), []);
}

#[test]
fn what_does_not_add_up_is_named() {
    type Spoil = fn(&mut Block);
    let spoilt: [(Spoil, &str); 7] = [
        (
            |block| {
                if let Block::Table(table) = block {
                    table.rows[0].cells.push(Cell::from(Text::same("x")));
                }
            },
            "cells",
        ),
        (
            |block| {
                if let Block::Series(series) = block {
                    series.lines[0].points.swap(0, 1);
                }
            },
            "x falls",
        ),
        (
            |block| {
                if let Block::Pictures(pictures) = block {
                    pictures.shots[0].left.png.clear();
                }
            },
            "no PNG",
        ),
        (
            |block| {
                if let Block::Distribution(values) = block {
                    values.baseline.clear();
                }
            },
            "paired",
        ),
        (
            |block| {
                if let Block::Scene(scene) = block {
                    scene.sides[1].particles.x.clear();
                }
            },
            "differ in length",
        ),
        (
            |block| {
                if let Block::Scene(scene) = block {
                    scene.sides[1].groups.clear();
                }
            },
            "a group that is not there",
        ),
        (
            |block| {
                if let Block::Scene(scene) = block {
                    scene.sides[0].particles.end.fill(0);
                }
            },
            "its list has 0",
        ),
    ];
    for (spoil, expected) in spoilt {
        let mut report = fountain::report();
        report.sections.iter_mut().flat_map(|section| &mut section.blocks).for_each(spoil);
        let faults: Vec<String> = report.faults().iter().map(ToString::to_string).collect();
        assert!(!faults.is_empty() && faults.iter().all(|fault| fault.contains(expected)), "{expected}: {faults:?}");
    }
    let mut report = small(Lang::En);
    report.sections[1].id = report.sections[0].id.clone();
    assert_eq!(report.faults()[0].to_string(), "asked: a second section has this id");
}
