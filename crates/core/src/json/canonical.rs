//! The canonical form of a value (RFC 8785) and the normalisation of whole numbers.

use serde_json::Value;

/// The RFC 8785 bytes of a value: sorted keys, shortest numbers, no white space.
///
/// Two values that mean the same have the same bytes, so their digests can be compared.
pub fn canonical_bytes(value: &Value) -> Vec<u8> {
    // A `Value` always has string keys and finite numbers, which is all RFC 8785 asks for; if the
    // serializer refused one all the same, the plain form still identifies the value.
    serde_json_canonicalizer::to_vec(value).unwrap_or_else(|_| value.to_string().into_bytes())
}

/// Turns every double that holds a whole number (`36.0`) into an integer (`36`), in place.
///
/// Whole numbers beyond 2^53 stay doubles, since they may have lost digits already.
pub fn normalise_whole_numbers(value: &mut Value) {
    match value {
        Value::Number(number) if number.is_f64() => {
            if let Some(whole) = number.as_f64().and_then(as_whole) {
                *number = whole.into();
            }
        }
        Value::Array(items) => items.iter_mut().for_each(normalise_whole_numbers),
        Value::Object(fields) => fields.values_mut().for_each(normalise_whole_numbers),
        _ => {}
    }
}

/// The integer that a double holds exactly, if it is whole and below 2^53 in size.
#[expect(clippy::cast_possible_truncation, reason = "the range is checked first")]
fn as_whole(number: f64) -> Option<i64> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    (number.fract() == 0.0 && number.abs() < EXACT).then_some(number as i64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn order_and_spelling_do_not_change_the_form() {
        let one: Value = serde_json::from_str(r#"{"b": 1.0, "a": [1e2, -0.5]}"#).unwrap();
        let other = json!({"a": [100, -0.5], "b": 1});
        assert_eq!(canonical_bytes(&one), canonical_bytes(&other));
        assert_eq!(canonical_bytes(&one), br#"{"a":[100,-0.5],"b":1}"#);
    }

    #[test]
    fn whole_doubles_become_integers() {
        let mut value = json!({"a": 36.0, "b": [0.5, -4.0], "c": 1e300});
        normalise_whole_numbers(&mut value);
        assert_eq!(value.to_string(), r#"{"a":36,"b":[0.5,-4],"c":1e+300}"#);
    }
}
