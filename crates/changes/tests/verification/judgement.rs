//! Every check passes, fails, and fails for a missing figure; scores compare runs.

use loopwright_changes::{Status, evaluate};
use loopwright_configs::Expect;
use serde_json::{Value, json};

use crate::fixtures::{config, goal, intent, pack, telemetry, two_way_denser};

/// Status, actual and expected of each check after one figure was changed or removed.
fn judged(figure: &str, value: Option<Value>) -> Vec<(String, Status, Value, Value)> {
    let pack = pack();
    let mut telemetry = telemetry();
    match value {
        Some(value) => telemetry[figure] = value,
        None => drop(telemetry.as_object_mut().unwrap().shift_remove(figure)),
    }
    let baseline = pack.baseline().value();
    let judgement = evaluate(&pack, &goal(&[], vec![]), baseline, baseline, &telemetry);
    judgement.checks.into_iter().map(|check| (check.id, check.status, check.actual, check.expected)).collect()
}

#[test]
fn each_check_has_its_limit() {
    use Status::{Failed, NotEvaluated, Passed};
    let cases = [
        ("normal_completion", "status", json!("completed"), Passed, json!("completed")),
        ("normal_completion", "status", json!("failed"), Failed, json!("completed")),
        ("normal_completion", "status", json!(1), Failed, json!("completed")),
        ("peak_alive_bullets", "peak_alive_bullets", json!(350), Passed, json!("<= 350")),
        ("peak_alive_bullets", "peak_alive_bullets", json!(351), Failed, json!("<= 350")),
        ("peak_alive_bullets", "peak_alive_bullets", json!("many"), Failed, json!("<= 350")),
        ("player_hits", "player_hits", json!(3), Passed, json!("<= 3")),
        ("player_hits", "player_hits", json!(4), Failed, json!("<= 3")),
        ("survival_time", "player_survival_seconds", json!(36.0), Passed, json!(">= 36")),
        ("survival_time", "player_survival_seconds", json!(35.99), Failed, json!(">= 36")),
        ("low_percentile_fps", "low_percentile_fps", json!(55), Passed, json!(">= 55")),
        ("low_percentile_fps", "low_percentile_fps", json!(54.99), Failed, json!(">= 55")),
        ("low_percentile_fps", "fps_basis", json!("untimed"), NotEvaluated, json!(">= 55")),
        ("phase_coverage", "phase_results", json!([{"phase_id": "phase_1"}]), Failed, json!(">= 3")),
        ("exception_logs", "exception_log_count", json!(0), Passed, json!("0")),
        ("exception_logs", "exception_log_count", json!(2), Failed, json!("0")),
    ];
    for (id, figure, value, status, expected) in cases {
        let checks = judged(figure, Some(value.clone()));
        let check = checks.iter().find(|(known, ..)| known == id).unwrap();
        assert_eq!((check.1, &check.3), (status, &expected), "{figure} = {value}: {check:?}");
        let others = checks.iter().filter(|(known, ..)| known != id).all(|(_, status, ..)| *status == Passed);
        assert!(others, "{figure} = {value}: {checks:?}");
    }
}

#[test]
fn a_missing_figure_fails_its_check_alone() {
    let figures = [
        ("normal_completion", "status"),
        ("peak_alive_bullets", "peak_alive_bullets"),
        ("player_hits", "player_hits"),
        ("survival_time", "player_survival_seconds"),
        ("low_percentile_fps", "low_percentile_fps"),
        ("phase_coverage", "phase_results"),
        ("exception_logs", "exception_log_count"),
    ];
    for (id, figure) in figures {
        for value in [None, Some(Value::Null)] {
            let checks = judged(figure, value);
            let failed: Vec<&str> =
                checks.iter().filter(|(_, status, ..)| *status == Status::Failed).map(|(id, ..)| id.as_str()).collect();
            assert_eq!(failed, [id]);
        }
    }
}

#[test]
fn nothing_that_telemetry_may_be_makes_it_panic() {
    let pack = pack();
    let baseline = pack.baseline().value();
    for telemetry in
        [json!(null), json!([]), json!("x"), json!({"phase_results": 3}), json!({"phase_results": [1, {}]})]
    {
        let judgement = evaluate(&pack, &two_way_denser(), baseline, baseline, &telemetry);
        assert_eq!(judgement.score, [0, -7_000_000]);
        assert!(!judgement.accepted());
    }
}

#[test]
fn scores_compare_runs() {
    let pack = pack();
    let baseline = pack.baseline().value();
    let score = |figures: &[(&str, Value)]| {
        let mut telemetry = telemetry();
        for (figure, value) in figures {
            telemetry[*figure] = value.clone();
        }
        evaluate(&pack, &goal(&[], vec![]), baseline, baseline, &telemetry).score
    };
    assert_eq!(score(&[]), [7, 0]);
    assert_eq!(score(&[("fps_basis", json!("untimed"))]), [6, 0]);
    // 2 of 3 hits too many, and 9 of 36 seconds too few.
    assert_eq!(score(&[("player_hits", json!(5))]), [6, -666_667]);
    assert_eq!(score(&[("player_hits", json!(5)), ("player_survival_seconds", json!(27.0))]), [5, -916_667]);
    // A limit of 0 counts as 1.
    assert_eq!(score(&[("exception_log_count", json!(2))]), [6, -2_000_000]);
    assert!(score(&[("player_hits", json!(4))]) > score(&[("player_hits", json!(5))]));
    assert!(
        score(&[("exception_log_count", json!(99))]) > score(&[("player_hits", json!(4)), ("status", json!("failed"))])
    );
}

#[test]
fn targets_are_those_of_the_candidate() {
    let pack = pack();
    let strict = config(
        &pack,
        &[("runtime_targets.max_player_hits", json!(1)), ("runtime_targets.require_all_phases", json!(false))],
    );
    let mut telemetry = telemetry();
    telemetry["phase_results"] = json!([]);
    let judgement = evaluate(&pack, &goal(&[], vec![]), pack.baseline().value(), &strict, &telemetry);
    let failed: Vec<&str> = judgement.failed().map(|check| check.id.as_str()).collect();
    assert_eq!(failed, ["player_hits"]);
}

#[test]
fn intents_are_judged_with_the_run() {
    let pack = pack();
    let candidate = config(&pack, &[("phases[phase_2].pattern.bidirectional", json!(true))]);
    let mut asked = two_way_denser();
    asked.intents.push(intent("constraints.min_fps", Expect::Unchanged, "keep 55 FPS"));
    let judgement = evaluate(&pack, &asked, pack.baseline().value(), &candidate, &telemetry());
    let statuses: Vec<Status> = judgement.intents.iter().map(|check| check.status).collect();
    assert_eq!(statuses, [Status::Passed, Status::Passed, Status::Failed, Status::Passed]);
    let denser = &judgement.intents[2];
    assert_eq!((&denser.expected, &denser.actual), (&json!("> 12"), &json!(12)));
    assert_eq!(denser.title.en, "phase_2, bullets per wave: denser");
    assert_eq!(denser.title.zh, "阶段 phase_2 每波子弹数：denser");
    assert_eq!(denser.evidence, "phases[phase_2].pattern.bullets_per_wave");
    assert_eq!(judgement.intents[3].title.en, "lowest FPS: keep 55 FPS");
    assert!(!judgement.accepted());
    assert_eq!(judgement, evaluate(&pack, &asked, pack.baseline().value(), &candidate, &telemetry()));
}
