//! One kind of number: doubles in the tree, doubles in the scope, doubles in the result.

use cel::Value as Cel;
use cel::common::ast::{CallExpr, EntryExpr, Expr as Node, IdedExpr, LiteralValue};
use cel::common::types::CelDouble;
use cel::objects::{Key, Map};
use serde_json::{Number, Value};
use std::collections::HashMap;
use std::sync::Arc;

/// Standard functions that return whole numbers of CEL's own kinds.
const WHOLE: [&str; 3] = ["size", "int", "uint"];

/// Rewrites whole-number literals, and the results of functions that give whole numbers, to doubles.
///
/// Loops (`all`, `map` ..) are already expanded, so their counters become doubles with everything else.
pub(super) fn use_doubles(node: &mut IdedExpr) {
    match &mut node.expr {
        Node::Literal(literal) => {
            let double = match &*literal {
                LiteralValue::Int(whole) => Some(as_double(*whole.inner())),
                LiteralValue::UInt(whole) => Some(as_double_unsigned(*whole.inner())),
                _ => None,
            };
            if let Some(double) = double {
                *literal = LiteralValue::Double(CelDouble::from(double));
            }
        }
        Node::Call(call) => {
            call.target.iter_mut().for_each(|it| use_doubles(it));
            call.args.iter_mut().for_each(use_doubles);
            if WHOLE.contains(&call.func_name.as_str()) {
                let whole = std::mem::take(node);
                let call = CallExpr { func_name: "double".to_owned(), target: None, args: vec![whole] };
                node.expr = Node::Call(call);
            }
        }
        Node::Comprehension(it) => {
            for child in [&mut it.iter_range, &mut it.accu_init, &mut it.loop_cond, &mut it.loop_step, &mut it.result] {
                use_doubles(child);
            }
        }
        Node::List(list) => list.elements.iter_mut().for_each(use_doubles),
        Node::Select(select) => use_doubles(&mut select.operand),
        Node::Map(map) => {
            for entry in &mut map.entries {
                if let EntryExpr::MapEntry(pair) = &mut entry.expr {
                    // Keys keep their kind: CEL allows no doubles there.
                    use_doubles(&mut pair.value);
                }
            }
        }
        Node::Struct(_) | Node::Unspecified | Node::Ident(_) => {}
    }
}

/// A JSON value as CEL sees it.
pub(super) fn to_cel(value: &Value) -> Cel {
    match value {
        Value::Null => Cel::Null,
        Value::Bool(truth) => Cel::Bool(*truth),
        // Without arbitrary precision every JSON number has a double.
        Value::Number(number) => Cel::Float(number.as_f64().unwrap_or(f64::NAN)),
        Value::String(text) => Cel::String(Arc::new(text.clone())),
        Value::Array(items) => Cel::List(Arc::new(items.iter().map(to_cel).collect())),
        Value::Object(fields) => {
            let map: HashMap<Key, Cel> =
                fields.iter().map(|(name, value)| (Key::from(name.clone()), to_cel(value))).collect();
            Cel::Map(Map { map: Arc::new(map) })
        }
    }
}

/// A CEL value as JSON; numbers are doubles and must be finite. Fields of a map are sorted by name.
pub(super) fn to_json(value: &Cel) -> Result<Value, String> {
    match value {
        Cel::Null => Ok(Value::Null),
        Cel::Bool(truth) => Ok(Value::Bool(*truth)),
        Cel::Float(double) => double_to_json(*double),
        Cel::Int(whole) => double_to_json(as_double(*whole)),
        Cel::UInt(whole) => double_to_json(as_double_unsigned(*whole)),
        Cel::String(text) => Ok(Value::String(text.as_ref().clone())),
        Cel::List(items) => items.iter().map(to_json).collect::<Result<_, _>>().map(Value::Array),
        Cel::Map(map) => {
            let mut fields = map
                .map
                .iter()
                .map(|(key, value)| Ok((key.to_string(), to_json(value)?)))
                .collect::<Result<Vec<_>, String>>()?;
            fields.sort_by(|(one, _), (other, _)| one.cmp(other));
            Ok(Value::Object(fields.into_iter().collect()))
        }
        _ => Err("the result is no JSON value".to_owned()),
    }
}

fn double_to_json(double: f64) -> Result<Value, String> {
    Number::from_f64(double).map(Value::Number).ok_or_else(|| "the result is not a finite number".to_owned())
}

#[expect(clippy::cast_precision_loss, reason = "every number of an expression is a double, with a double's digits")]
fn as_double(whole: i64) -> f64 {
    whole as f64
}

#[expect(clippy::cast_precision_loss, reason = "every number of an expression is a double, with a double's digits")]
fn as_double_unsigned(whole: u64) -> f64 {
    whole as f64
}
