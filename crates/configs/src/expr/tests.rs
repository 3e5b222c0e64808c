//! What expressions compute, what they refuse, and that no input hurts.

use super::*;
use proptest::prelude::*;
use serde_json::json;

fn scope() -> Scope {
    Scope::new()
        .with("x", 3.6)
        .with("n", 12)
        .with("on", true)
        .with("name", "spiral")
        .with("none", Value::Null)
        .with("item", json!({"speed": 4, "list": [1, 2.5], "parts": [{"id": "a", "hits": 1}, {"id": "b", "hits": 2}]}))
}

#[test]
fn expressions_compute_with_doubles_alone() {
    let cases = [
        ("1 + 2.5", json!(3.5)),
        ("x * 2", json!(7.2)),
        ("n * 2 + 1u", json!(25.0)),
        ("n / 5", json!(2.4)),
        ("-n", json!(-12.0)),
        ("n > 3 && on", json!(true)),
        ("n == 12", json!(true)),
        ("item.speed * 1.15", json!(4.6)),
        ("item['speed']", json!(4.0)),
        ("item.list[1]", json!(2.5)),
        ("size(item.list) * 2", json!(4.0)),
        ("item.list.size() + 0.5", json!(2.5)),
        ("int(x) * 1.5", json!(4.5)),
        ("item.parts.filter(p, p.id == 'b')[0].hits", json!(2.0)),
        ("item.parts.all(p, p.hits > 0)", json!(true)),
        ("item.parts.exists_one(p, p.hits == 2)", json!(true)),
        ("item.parts.map(p, p.hits * 2)", json!([2.0, 4.0])),
        ("has(item.speed) ? item.speed : 0", json!(4.0)),
        ("has(item.nothing) ? 1 : 0", json!(0.0)),
        ("none == null", json!(true)),
        ("name in ['ring', 'spiral']", json!(true)),
        ("round_even(8.5)", json!(8.0)),
        ("round_dec(x * 0.85, 2)", json!(3.06)),
        ("clamp(n, 1, 10)", json!(10.0)),
        ("math.greatest(n + 4, n * 1.25)", json!(16.0)),
        ("math.least(64, math.greatest(n + 4, 15, 15))", json!(16.0)),
        ("math.ceil(5.2 * 1000 / 700)", json!(8.0)),
        ("math.floor(2.7) + math.abs(-2)", json!(4.0)),
        ("{'b': 1, 'a': n}", json!({"a": 12.0, "b": 1.0})),
        ("'a' + name", json!("aspiral")),
    ];
    for (source, expected) in cases {
        assert_eq!(Expr::compile(source).unwrap().eval(&scope()), Ok(expected), "{source}");
    }
}

#[test]
fn failures_are_told_apart() {
    let cases = [
        ("1 +", "cannot be read"),
        ("", "cannot be read"),
        ("missing + 1", "the name `missing` is not known here"),
        ("item.nothing", "there is no field `nothing`"),
        ("item.list[9]", "a position lies outside its list"),
        ("x / 0", "not a finite number"),
        ("name + 1", "cannot be computed"),
        ("clamp(1, 3, 2)", "its low end lies above its high end"),
        ("round_dec(1, 40)", "from 0 to 12"),
        ("Thing{a: 1}", "typed structures"),
        ("b'abc'", "no JSON value"),
    ];
    for (source, expected) in cases {
        let error = Expr::compile(source).and_then(|expr| expr.eval(&scope())).unwrap_err().to_string();
        assert!(error.contains(expected), "{source}: {error}");
    }
    assert!(matches!(Expr::compile("on").unwrap().number(&scope()), Err(ExprError::Kind { .. })));
    assert!(matches!(Expr::compile("x").unwrap().truth(&scope()), Err(ExprError::Kind { .. })));
}

#[test]
fn what_is_too_much_is_refused_before_it_hurts() {
    let sources = [
        "(".repeat(10_000),
        "[".repeat(1_000),
        format!("{}1{}", "(".repeat(17), ")".repeat(17)),
        "!".repeat(1_999),
        "-".repeat(1_999),
        "1+".repeat(900) + "1",
        "a.".repeat(900) + "a",
        "on?1:".repeat(300) + "2",
        "on&&".repeat(400) + "on",
        "x".repeat(3_000),
    ];
    for source in sources {
        let error = Expr::compile(&source).unwrap_err();
        assert!(matches!(error, ExprError::TooLong { .. } | ExprError::TooDeep { .. }), "{source}: {error}");
        assert!(error.to_string().len() < 400);
    }
    let loops = "item.list.all(a, item.list.all(b, item.list.all(c, item.list.all(d, true))))";
    assert!(Expr::compile(loops).unwrap_err().to_string().contains("loops inside each other"));
}

#[test]
fn what_the_bounds_allow_runs_on_a_small_stack() {
    // The deepest and longest shapes, on three quarters of a thread's default stack: each is refused or has its value.
    let shapes: [fn(usize) -> String; 14] = [
        |n| format!("{}1{}", "(".repeat(n), ")".repeat(n)),
        |n| format!("{}1{}", "[".repeat(n), "]".repeat(n)),
        |n| format!("{}1{}", "{1:".repeat(n), "}".repeat(n)),
        |n| format!("{}1{}", "dyn(".repeat(n), ")".repeat(n)),
        |n| format!("{}1{}", "size([1+-(".repeat(n), ")])".repeat(n)),
        |n| format!("{}true{}", "[1].all(a,".repeat(n), ")".repeat(n)),
        |n| "!".repeat(n) + "on",
        |n| "-".repeat(n) + "n",
        |n| "1+".repeat(n) + "1",
        |n| "1<".repeat(n) + "1",
        |n| "item.".repeat(n) + "list",
        |n| format!("item{}", "[0]".repeat(n)),
        |n| "on?1:".repeat(n) + "2",
        |n| "on&&".repeat(n) + "on",
    ];
    let run = move || {
        let lengths = [1_usize, 2, 3, 4, 5, 8, 12, 15, 16, 20, 24, 29, 30, 31, 32, 64, 90, 128, 198];
        let sources = shapes.iter().flat_map(|shape| lengths.iter().map(|n| shape(*n)));
        sources.filter(|source| Expr::compile(source).is_ok_and(|it| it.eval(&scope()).is_ok())).count()
    };
    let worked = std::thread::Builder::new().stack_size(3 << 19).spawn(run).unwrap().join().unwrap();
    assert!(worked > 80, "only {worked} of the shapes have a value");
}

#[test]
fn an_expression_is_written_as_its_source() {
    let expr: Expr = serde_json::from_value(json!("x * 2")).unwrap();
    assert_eq!(serde_json::to_value(&expr).unwrap(), json!("x * 2"));
    let error = serde_json::from_value::<Expr>(json!("x *")).unwrap_err().to_string();
    assert!(error.contains("`x *`"), "{error}");
}

proptest! {
    #[test]
    fn no_text_makes_it_panic(source in ".{0,60}") {
        let _ = Expr::compile(&source).map(|expr| expr.eval(&scope()));
    }

    #[test]
    fn no_near_expression_makes_it_panic(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "x", "n", "on", "name", "none", "item", ".list", "[0]", "[", "]", "(", ")", "{", "}", ",", ":", "?", "+", "-", "*",
                "/", "%", "!", "&&", "||", "==", "<", ">", " in ", "1", "2.5", "1u", "9223372036854775807", "-9223372036854775808",
                "'a'", "\"", "'", "b'x'", "r'", "`", ".", "size", "int", "has", ".map(a,", ".all(a,", ".exists(a,", "math.", "greatest(",
                "clamp(", "round_dec(", "null", "true", "\\", "\n", "é", "一", "#", "//", "1e999", "0x", "string", "bytes", "type", "dyn",
                "timestamp", "duration", "optional.of(", ".matches('('", "double",
            ]),
            0..14,
        )
    ) {
        let source = parts.concat();
        let _ = Expr::compile(&source).map(|expr| expr.eval(&scope()));
    }
}
