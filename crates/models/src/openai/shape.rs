//! The shape of an answer as servers are told it: never narrower than the schema, and without what few of them know.
//!
//! Servers that hold an answer to its schema do so with a grammar, and refuse, ignore or misread what a grammar cannot say.
//! The answer is checked against the whole schema here anyway, so what is left out costs an answer at most.

use serde_json::{Map, Value};

/// Keywords that say nothing about which members an object has, and that grammars lack.
const LEFT_OUT: [&str; 9] =
    ["$schema", "title", "description", "default", "if", "then", "else", "pattern", "uniqueItems"];

/// A schema that allows everything the given one allows.
pub(super) fn relaxed(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => Value::Object(of_object(fields)),
        other => other.clone(),
    }
}

fn of_object(fields: &Map<String, Value>) -> Map<String, Value> {
    let mut relaxed = Map::new();
    for (keyword, value) in fields {
        match (keyword.as_str(), value) {
            (name, _) if LEFT_OUT.contains(&name) => {}
            // The names in here are names of members, and may be called like keywords.
            ("properties" | "$defs" | "definitions" | "patternProperties", Value::Object(members)) => {
                let members = members.iter().map(|(name, schema)| (name.clone(), self::relaxed(schema)));
                relaxed.insert(keyword.clone(), Value::Object(members.collect()));
            }
            ("allOf" | "anyOf" | "oneOf", Value::Array(branches)) => {
                let branches: Vec<_> = branches.iter().map(self::relaxed).collect();
                let trivial = |branch: &Value| {
                    branch.as_object().is_some_and(|fields| fields.keys().all(|keyword| keyword == "required"))
                };
                // Branches that only ask for members of the object around them would replace it in a grammar.
                let kept: Vec<_> = match keyword.as_str() {
                    "allOf" => branches.into_iter().filter(|branch| !trivial(branch)).collect(),
                    _ if branches.iter().any(trivial) => Vec::new(),
                    _ => branches,
                };
                if !kept.is_empty() {
                    relaxed.insert(keyword.clone(), Value::Array(kept));
                }
            }
            ("items" | "additionalProperties" | "contains" | "propertyNames", schema) => {
                relaxed.insert(keyword.clone(), self::relaxed(schema));
            }
            ("prefixItems", Value::Array(items)) => {
                relaxed.insert(keyword.clone(), items.iter().map(self::relaxed).collect());
            }
            // Whatever else there is stands for itself: constants, enumerations, bounds.
            _ => {
                relaxed.insert(keyword.clone(), value.clone());
            }
        }
    }
    relaxed
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_grammars_lack_is_left_out_and_the_rest_stays() {
        let schema = json!({
            "$schema": "x", "title": "t", "type": "object", "additionalProperties": false, "required": ["if"],
            "properties": {
                "if": {"type": "string", "pattern": "\\S", "minLength": 1},
                "title": {"enum": ["default", "if"], "default": "if"},
                "list": {"type": "array", "items": {"const": {"if": 1}}, "uniqueItems": true},
            },
            "anyOf": [{"required": ["if"]}, {"required": ["title"]}],
            "allOf": [{"if": {"required": ["if"]}, "then": {"required": ["title"]}}],
        });
        let expected = json!({
            "type": "object", "additionalProperties": false, "required": ["if"],
            "properties": {
                "if": {"type": "string", "minLength": 1},
                "title": {"enum": ["default", "if"]},
                "list": {"type": "array", "items": {"const": {"if": 1}}},
            },
        });
        assert_eq!(relaxed(&schema), expected);
        let choice = json!({"anyOf": [{"type": "string", "pattern": "a"}, {"type": "null"}], "not": {"const": 1}});
        let left = json!({"anyOf": [{"type": "string"}, {"type": "null"}], "not": {"const": 1}});
        assert_eq!(relaxed(&choice), left);
        assert_eq!(relaxed(&json!(true)), json!(true));
    }

    #[test]
    fn what_the_schema_allows_is_still_allowed() {
        let schema = json!({
            "type": "object", "properties": {"kind": {"enum": ["fan", "ring"]}, "angle": {"type": "number"}},
            "allOf": [{"if": {"properties": {"kind": {"const": "fan"}}}, "then": {"properties": {"angle": {"maximum": 180}}}}],
        });
        let wide = jsonschema::draft202012::new(&relaxed(&schema)).unwrap();
        for value in [json!({"kind": "fan", "angle": 100}), json!({"kind": "ring", "angle": 360})] {
            assert!(jsonschema::draft202012::is_valid(&schema, &value) && wide.is_valid(&value));
        }
    }
}
